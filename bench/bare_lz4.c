/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bare_lz4.c - LZ4 by liblz4's block functions: a block, Hadoop's blocks, an Arrow
 * buffer of them; and by its frame functions, as Arrow's libraries call them.
 */
#include "internal.h"

#include <stdlib.h>

#include "bench.h"
#include "contestants.h"

#ifdef HAVE_LZ4
#include <lz4.h>
#include <lz4frame.h>
#include <lz4hc.h>

struct lz4 {
	void *state; /* NULL: one-shot */
	LZ4F_dctx *dctx;
	int level;
};

static void *
open_lz4(const struct contestant *self, int level)
{
	struct lz4 *lz4 = must_alloc(sizeof(*lz4));
	int size = level > 1 ? LZ4_sizeofStateHC() : LZ4_sizeofState();

	lz4->state = self->role == KEPT ? must_alloc((size_t)size) : NULL;
	lz4->level = level;
	if (LZ4F_isError(LZ4F_createDecompressionContext(&lz4->dctx, LZ4F_VERSION)))
		die("liblz4 has no memory");
	return lz4;
}

static void
close_lz4(void *state)
{
	struct lz4 *lz4 = state;

	LZ4F_freeDecompressionContext(lz4->dctx);
	free(lz4->state);
	free(lz4);
}

/* ---- A block ----------------------------------------------------------- */

static size_t
compress_block(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	const struct lz4 *lz4 = state;
	const char *from = (const char *)src;
	int n = (int)size, room = (int)capacity, made;
	int acceleration = lz4->level > 0 ? 1 : 1 - lz4->level;

	if (lz4->level > 1)
		made = lz4->state ? LZ4_compress_HC_extStateHC(lz4->state, from, (char *)dst, n,
							       room, lz4->level)
				  : LZ4_compress_HC(from, (char *)dst, n, room, lz4->level);
	else
		made = lz4->state ? LZ4_compress_fast_extState(lz4->state, from, (char *)dst, n,
							       room, acceleration)
				  : LZ4_compress_fast(from, (char *)dst, n, room, acceleration);
	return (size_t)made;
}

static size_t
decompress_block(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t dst_size)
{
	int made =
	    LZ4_decompress_safe((const char *)src, (char *)dst, (int)size, (int)dst_size);

	(void)state;
	return made < 0 ? 0 : (size_t)made;
}

/* ---- Hadoop's blocks: two sizes, big-endian, then a block --------------- */

enum { HADOOP_BLOCK = 256 << 10, HADOOP_HEADER = 8 };

static size_t
compress_hadoop(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	size_t end = 0;

	for (size_t at = 0; at < size; at += HADOOP_BLOCK) {
		size_t plain = size - at < HADOOP_BLOCK ? size - at : HADOOP_BLOCK;
		size_t made = compress_block(state, src + at, plain, dst + end + HADOOP_HEADER,
					     capacity - end - HADOOP_HEADER);

		pgc_store_be32(dst + end, (uint32_t)plain);
		pgc_store_be32(dst + end + 4, (uint32_t)made);
		end += HADOOP_HEADER + made;
	}
	return end;
}

static size_t
decompress_hadoop(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t dst_size)
{
	size_t end = 0;

	for (size_t at = 0; at < size;) {
		size_t plain = pgc_load_be32(src + at), packed = pgc_load_be32(src + at + 4);

		at += HADOOP_HEADER;
		if (plain > dst_size - end || packed > size - at ||
		    decompress_block(state, src + at, packed, dst + end, plain) != plain)
			return 0;
		at += packed;
		end += plain;
	}
	return end;
}

/* ---- An Arrow buffer: a frame without checksums, put together by hand --- */

enum { FRAME_BLOCK = 4 << 20, FRAME_HEADER = 7, BLOCK_SIZE = 4 };
#define IS_STORED 0x80000000U
static const uint8_t frame_header[FRAME_HEADER] = {0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73};

/* Stored where compression does not pay. */
static size_t
put_frame_block(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	size_t made = compress_block(state, src, size, dst + BLOCK_SIZE, capacity - BLOCK_SIZE);

	if (made < size) {
		pgc_store_le32(dst, (uint32_t)made);
		return BLOCK_SIZE + made;
	}
	pgc_store_le32(dst, (uint32_t)size | IS_STORED);
	memcpy(dst + BLOCK_SIZE, src, size);
	return BLOCK_SIZE + size;
}

static size_t
compress_arrow(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	size_t end = ARROW_PREFIX_SIZE + FRAME_HEADER;

	memcpy(dst + ARROW_PREFIX_SIZE, frame_header, FRAME_HEADER);
	for (size_t at = 0; at < size; at += FRAME_BLOCK) {
		size_t plain = size - at < FRAME_BLOCK ? size - at : FRAME_BLOCK;

		end += put_frame_block(state, src + at, plain, dst + end, capacity - end);
	}
	pgc_store_le32(dst + end, 0);
	return arrow_finish(dst, end + BLOCK_SIZE - ARROW_PREFIX_SIZE, src, size);
}

static size_t
get_frame_block(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t room,
		bool is_stored)
{
	if (!is_stored)
		return decompress_block(state, src, size, dst,
					room < FRAME_BLOCK ? room : FRAME_BLOCK);
	if (size > room)
		return 0;
	memcpy(dst, src, size);
	return size;
}

static size_t
decompress_arrow(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t dst_size)
{
	size_t at = ARROW_PREFIX_SIZE + FRAME_HEADER, end = 0;

	if (arrow_is_stored(src)) {
		memcpy(dst, src + ARROW_PREFIX_SIZE, dst_size);
		return dst_size;
	}
	while (size - at >= BLOCK_SIZE) {
		uint32_t word = pgc_load_le32(src + at);
		size_t packed = word & ~IS_STORED;

		at += BLOCK_SIZE;
		if (word == 0)
			return end;
		if (packed > size - at)
			return 0;
		end += get_frame_block(state, src + at, packed, dst + end, dst_size - end,
				       word & IS_STORED);
		at += packed;
	}
	return 0;
}

/* ---- The same by liblz4's frame functions ------------------------------- */

static size_t
compress_arrow_once(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	const struct lz4 *lz4 = state;
	LZ4F_preferences_t preferences = LZ4F_INIT_PREFERENCES;
	size_t made;

	preferences.compressionLevel = lz4->level;
	made = LZ4F_compressFrame(dst + ARROW_PREFIX_SIZE, capacity - ARROW_PREFIX_SIZE, src,
				  size, &preferences);
	return LZ4F_isError(made) ? 0 : arrow_finish(dst, made, src, size);
}

static size_t
decompress_frame(LZ4F_dctx *dctx, const uint8_t *src, size_t size, uint8_t *dst,
		 size_t dst_size)
{
	size_t used = size - ARROW_PREFIX_SIZE, made = dst_size;

	if (arrow_is_stored(src)) {
		memcpy(dst, src + ARROW_PREFIX_SIZE, dst_size);
		return dst_size;
	}
	return LZ4F_decompress(dctx, dst, &made, src + ARROW_PREFIX_SIZE, &used, NULL) == 0
		   ? made
		   : 0;
}

static size_t
decompress_arrow_frame(void *state, const uint8_t *src, size_t size, uint8_t *dst,
		       size_t dst_size)
{
	const struct lz4 *lz4 = state;

	return decompress_frame(lz4->dctx, src, size, dst, dst_size);
}

static size_t
decompress_arrow_once(void *state, const uint8_t *src, size_t size, uint8_t *dst,
		      size_t dst_size)
{
	LZ4F_dctx *dctx;
	size_t made;

	(void)state;
	if (LZ4F_isError(LZ4F_createDecompressionContext(&dctx, LZ4F_VERSION)))
		die("liblz4 has no memory");
	made = decompress_frame(dctx, src, size, dst, dst_size);
	LZ4F_freeDecompressionContext(dctx);
	return made;
}

#define BLOCKS(codec, compress, decompress)                                                    \
	{                                                                                      \
		codec, KEPT, "liblz4 kept", NULL, "liblz4", 0, open_lz4, close_lz4, compress,  \
		    decompress                                                                 \
	}
#define ONCE(codec, compress, decompress)                                                      \
	{                                                                                      \
		codec, ONE_SHOT, "liblz4 one-shot", NULL, "liblz4", 0, open_lz4, close_lz4,    \
		    compress, decompress                                                       \
	}
#endif

const struct contestant bare_lz4[] = {
#ifdef HAVE_LZ4
    BLOCKS(PAGECODEC_LZ4_RAW, compress_block, decompress_block),
    ONCE(PAGECODEC_LZ4_RAW, compress_block, decompress_block),
    BLOCKS(PAGECODEC_LZ4, compress_hadoop, decompress_hadoop),
    ONCE(PAGECODEC_LZ4, compress_hadoop, decompress_hadoop),
    BLOCKS(PAGECODEC_ARROW_LZ4_FRAME, compress_arrow, decompress_arrow),
    {PAGECODEC_ARROW_LZ4_FRAME, KEPT, "liblz4 frames kept", NULL, "liblz4 frames", 0, open_lz4,
     close_lz4, compress_arrow_once, decompress_arrow_frame},
    ONCE(PAGECODEC_ARROW_LZ4_FRAME, compress_arrow_once, decompress_arrow_once),
#endif
    {.name = NULL},
};
