/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lz4_block.h - LZ4 blocks and frames for the codecs that wrap them.
 */
#ifndef PGC_LZ4_BLOCK_H
#define PGC_LZ4_BLOCK_H

#include "codec.h"

/* One block, of any size up to capacity: the result's size.  More than that:
 * PGC_SIZE_DIFFERS.  The history bytes before dst are what the block may copy
 * from besides its own. */
struct pgc_result pgc_lz4_decode(const uint8_t *src, size_t src_size, uint8_t *dst,
				 size_t capacity, size_t history);

/* Engines of LZ4 frames.  The first writes one, or answers PGC_DST_SHORT where
 * that does not fit in dst_capacity; the second reads any number. */
extern const struct pgc_compress_engine pgc_lz4_frame_compress;
extern const struct pgc_decompress_engine pgc_lz4_frame_decompress;

#endif
