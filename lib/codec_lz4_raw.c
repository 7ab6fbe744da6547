/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec_lz4_raw.c - one LZ4 block, by liblz4's fast or high-compression encoder
 * as the level says, with state of our own.  Framing codecs wrap this engine.
 */
#include "internal.h"

#include <limits.h>
#include <lz4.h>
#include <lz4hc.h>

#include "lz4_block.h"
#include "walk.h"

enum { FAST_LEVEL = 1, OPTIMAL_LEVEL = 10, WINDOW = 64 << 10 };

struct lz4_compressor {
	struct pgc_account *account;
	int level;
	void *state;
};

static bool
is_fast(int level)
{
	return level <= FAST_LEVEL;
}

/* Level 1 (and 0) is acceleration 1, level -n is n + 1. */
static int
acceleration(int level)
{
	return level >= 0 ? 1 : 1 - level;
}

static enum pgc_fault
open_compressor(const struct pgc_compress_engine *self, struct pgc_account *account,
		const struct pgc_settings *settings, void **state)
{
	struct lz4_compressor *lz4 = pgc_alloc(account, sizeof(*lz4));
	int state_size = is_fast(settings->level) ? LZ4_sizeofState() : LZ4_sizeofStateHC();

	(void)self;
	if (!lz4)
		return PGC_NO_MEMORY;
	lz4->account = account;
	lz4->level = settings->level;
	lz4->state = pgc_alloc(account, (size_t)state_size);
	if (!lz4->state) {
		pgc_free(account, lz4);
		return PGC_NO_MEMORY;
	}
	*state = lz4;
	return PGC_NO_FAULT;
}

static void
close_compressor(void *state)
{
	struct lz4_compressor *lz4 = state;

	pgc_free(lz4->account, lz4->state);
	pgc_free(lz4->account, lz4);
}

/* From level OPTIMAL_LEVEL on liblz4 allocates in each call.  Where it cannot it
 * answers 0, as it does where a block does not fit: so ask it once more, for a block
 * that fits. */
static bool
has_memory(const struct lz4_compressor *lz4)
{
	static const char block[64];
	char dst[2 * sizeof(block)];

	return lz4->level < OPTIMAL_LEVEL ||
	       LZ4_compress_HC_extStateHC(lz4->state, block, dst, (int)sizeof(block),
					  (int)sizeof(dst), lz4->level) > 0;
}

static struct pgc_result
compress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_capacity)
{
	const struct lz4_compressor *lz4 = state;
	int capacity = (int)PGC_MIN(dst_capacity, INT_MAX), size;

	if (src_size > PGC_MAX_LZ4)
		return pgc_bad(PGC_ABOVE_CODEC_LIMIT);
	if (is_fast(lz4->level))
		size = LZ4_compress_fast_extState(lz4->state, (const char *)src, (char *)dst,
						  (int)src_size, capacity,
						  acceleration(lz4->level));
	else
		size = LZ4_compress_HC_extStateHC(lz4->state, (const char *)src, (char *)dst,
						  (int)src_size, capacity, lz4->level);
	if (size > 0)
		return pgc_done((size_t)size);
	/* Only framing codecs give less room than any block needs. */
	if (dst_capacity >= pgc_bound_lz4_block(src_size) || !has_memory(lz4))
		return pgc_bad(PGC_NO_MEMORY);
	return pgc_bad(PGC_DST_SHORT);
}

struct pgc_result
pgc_lz4_decode(const uint8_t *src, size_t src_size, uint8_t *dst, size_t capacity,
	       size_t history)
{
	int room = (int)PGC_MIN(capacity, INT_MAX), size;

	history = PGC_MIN(history, WINDOW);
	if (src_size > INT_MAX)
		return pgc_bad(PGC_ABOVE_CODEC_LIMIT);
	if (history == 0)
		size = LZ4_decompress_safe((const char *)src, (char *)dst, (int)src_size, room);
	else
		size = LZ4_decompress_safe_usingDict((const char *)src, (char *)dst,
						     (int)src_size, room,
						     (const char *)dst - history, (int)history);
	if (size >= 0)
		return pgc_done((size_t)size);
	return pgc_explain(pgc_walk_lz4(src, src_size, history), capacity);
}

static struct pgc_result
decompress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size)
{
	struct pgc_result result;

	(void)state;
	if (dst_size > INT_MAX)
		return pgc_bad(PGC_ABOVE_CODEC_LIMIT);
	result = pgc_lz4_decode(src, src_size, dst, dst_size, 0);
	if (result.fault || result.size == dst_size)
		return result;
	return pgc_size_differs(result.size);
}

const struct pgc_compress_engine pgc_lz4_compress = {.name = "liblz4",
						     .min_level = PGC_LZ4_MIN_LEVEL,
						     .max_level = PGC_LZ4_MAX_LEVEL,
						     .open = open_compressor,
						     .close = close_compressor,
						     .compress = compress};
const struct pgc_decompress_engine pgc_lz4_decompress = {.name = "liblz4",
							 .decompress = decompress};
