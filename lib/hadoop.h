/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hadoop.h - Hadoop's block framing, read and written round the blocks of any
 * codec: LZ4 and LZO.
 */
#ifndef PGC_HADOOP_H
#define PGC_HADOOP_H

#include "codec.h"

/* What is framed.  Blocks are written with one chunk each. */
struct pgc_hadoop_payload {
	const struct pgc_compress_engine *encoder; /* with open and close */
	size_t (*bound)(size_t size);
	const uint8_t *empty; /* the chunk of the empty page */
	size_t empty_size;

	/* One chunk, of any size up to capacity: the result's size.  More than
	 * that: PGC_SIZE_DIFFERS. */
	struct pgc_result (*decode)(const uint8_t *src, size_t src_size, uint8_t *dst,
				    size_t capacity);
};

/* The functions of a compress engine whose payload is one of the above. */
enum pgc_fault pgc_hadoop_open(const struct pgc_compress_engine *self,
			       struct pgc_account *account, const struct pgc_settings *settings,
			       void **state);
void pgc_hadoop_close(void *state);
struct pgc_result pgc_hadoop_compress(void *state, const uint8_t *src, size_t src_size,
				      uint8_t *dst, size_t dst_capacity);

/* All blocks of src, to exactly dst_size bytes. */
struct pgc_result pgc_hadoop_read(const struct pgc_hadoop_payload *payload, const uint8_t *src,
				  size_t src_size, uint8_t *dst, size_t dst_size);

#endif
