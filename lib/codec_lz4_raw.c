/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec_lz4_raw.c - one LZ4 block, by liblz4's fast or high-compression encoder
 * as the level says, with state of our own.  Framing codecs wrap this engine.
 */
#include "internal.h"

#include <limits.h>
#include <lz4.h>
#include <lz4hc.h>

#include "buffer.h"
#include "lz4_block.h"
#include "walk.h"

enum { FAST_LEVEL = 1, OPTIMAL_LEVEL = 10, WINDOW = 64 << 10 };

struct lz4_compressor {
	struct pgc_account *account;
	int level;
	void *state;
	struct pgc_buffer apart; /* see encode_apart */
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
	memset(&lz4->apart, 0, sizeof(lz4->apart));
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

	pgc_buffer_free(&lz4->apart, lz4->account);
	pgc_free(lz4->account, lz4->state);
	pgc_free(lz4->account, lz4);
}

static int
encode(const struct lz4_compressor *lz4, const uint8_t *src, size_t src_size, uint8_t *dst,
       size_t dst_capacity)
{
	int capacity = (int)PGC_MIN(dst_capacity, INT_MAX);

	if (is_fast(lz4->level))
		return LZ4_compress_fast_extState(lz4->state, (const char *)src, (char *)dst,
						  (int)src_size, capacity,
						  acceleration(lz4->level));
	return LZ4_compress_HC_extStateHC(lz4->state, (const char *)src, (char *)dst,
					  (int)src_size, capacity, lz4->level);
}

/* From level OPTIMAL_LEVEL on liblz4 allocates in each call.  Where it cannot it
 * answers 0, as it does where a block does not fit: so give it room for any block. */
static struct pgc_result
encode_apart(struct lz4_compressor *lz4, const uint8_t *src, size_t src_size, uint8_t *dst,
	     size_t dst_capacity)
{
	size_t bound = pgc_bound_lz4_block(src_size);
	int size;

	if (!pgc_buffer_reserve(&lz4->apart, lz4->account, bound))
		return pgc_bad(PGC_NO_MEMORY);
	size = encode(lz4, src, src_size, lz4->apart.data, bound);
	if (size <= 0)
		return pgc_bad(PGC_NO_MEMORY);
	if ((size_t)size > dst_capacity)
		return pgc_bad(PGC_DST_SHORT);
	memcpy(dst, lz4->apart.data, (size_t)size);
	return pgc_done((size_t)size);
}

static struct pgc_result
compress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_capacity)
{
	struct lz4_compressor *lz4 = state;
	/* Only framing codecs give less room than any block needs. */
	bool has_room = dst_capacity >= pgc_bound_lz4_block(src_size);
	int size;

	if (src_size > PGC_MAX_LZ4)
		return pgc_bad(PGC_ABOVE_CODEC_LIMIT);
	if (!has_room && lz4->level >= OPTIMAL_LEVEL)
		return encode_apart(lz4, src, src_size, dst, dst_capacity);
	size = encode(lz4, src, src_size, dst, dst_capacity);
	if (size > 0)
		return pgc_done((size_t)size);
	return pgc_bad(has_room ? PGC_NO_MEMORY : PGC_DST_SHORT);
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
