/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.h - what the bare codec library makes of a page, without ours
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "fuzz.h"

/* Is the library that knows better in this build? */
bool reference_has(int32_t codec);

/* Whether all of src is what the codec's own library takes for a sound page of at most
 * capacity bytes; *size of them come to dst.  What this library forbids (dictionaries,
 * frames of old zstd) is not sound. */
bool reference_decompress(int32_t codec, const uint8_t *src, size_t src_size, uint8_t *dst,
			  size_t capacity, size_t *size);

/* dst: a gzip header, src (raw deflate), and the trailer that its bytes should have, so
 * that an input needs no luck to have a CRC-32 that is right.  Returns the size. */
size_t reference_frame_gzip(const uint8_t *src, size_t src_size, uint8_t *dst);
enum { GZIP_FRAME_SIZE = 18 };

/* ---- Between the files of the reference -------------------------------- */

/* The rest of a page, and what was made of it. */
struct reference {
	const uint8_t *src;
	size_t left;
	uint8_t *dst;
	size_t capacity, made;
};

static inline void
reference_advance(struct reference *page, size_t used, size_t made)
{
	page->src += used;
	page->left -= used;
	page->made += made;
}

bool reference_lz4_block(struct reference *page);
bool reference_lz4_frames(struct reference *page);
bool reference_lz4(struct reference *page); /* any form that Parquet's LZ4 has */
bool reference_lzo(struct reference *page);

#endif
