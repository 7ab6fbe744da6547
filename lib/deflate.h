/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deflate.h - raw deflate (RFC 1951) behind codec_gzip.c: one row of functions
 * for each library, with state that is made once and reset for each page.
 */
#ifndef PGC_DEFLATE_H
#define PGC_DEFLATE_H

#include "memory.h"

/* NULL: no memory. */
struct pgc_deflater {
	void *(*open)(struct pgc_account *account, int level);
	void (*close)(void *state);

	/* Bytes written; 0: they are more than capacity. */
	size_t (*deflate)(void *state, const uint8_t *src, size_t src_size, uint8_t *dst,
			  size_t capacity);
};

enum pgc_inflate_status {
	PGC_INFLATE_DONE, /* the final block's end was reached */
	PGC_INFLATE_BAD,  /* it was not, with the input and the room given */
	PGC_INFLATE_NO_MEMORY
};

struct pgc_inflater {
	void *(*open)(struct pgc_account *account);
	void (*close)(void *state);

	/* One stream from the start of src, of any size up to capacity. */
	enum pgc_inflate_status (*inflate)(void *state, const uint8_t *src, size_t src_size,
					   uint8_t *dst, size_t capacity, size_t *used,
					   size_t *made);
};

extern const struct pgc_deflater pgc_zlib_deflater, pgc_libdeflate_deflater;
extern const struct pgc_inflater pgc_zlib_inflater, pgc_libdeflate_inflater;

#endif
