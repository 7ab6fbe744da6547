/* SPDX-License-Identifier: Apache-2.0 */
/*
 * snappy_encode.c - snappy elements by one hash table probe a place, in blocks of
 * 64 KiB that do not refer to each other.  google/snappy, format_description.txt.
 */
#include "internal.h"

#include "snappy.h"

/* No match begins in the last bytes of a block, so that 16 can be read wherever one
 * begins. */
enum { MARGIN = 15, FIRST_PLACES = 16 };

struct block {
	const uint8_t *start, *end, *limit; /* limit: no match begins there or later */
	uint16_t *slots;
	unsigned shift;
};

/* Where the encoder stands.  word holds at least the 4 bytes at src. */
struct cursor {
	const uint8_t *src, *literal;
	uint8_t *dst;
	uint64_t word;
};

PGC_INLINE size_t
hash(const struct block *block, uint32_t bytes)
{
	return (uint32_t)(bytes * 0x1e35a7bdu) >> block->shift;
}

/* Where such bytes were last; from now on they were at place. */
PGC_INLINE const uint8_t *
replace(const struct block *block, uint32_t bytes, const uint8_t *place)
{
	uint16_t *slot = &block->slots[hash(block, bytes)];
	const uint8_t *before = block->start + *slot;

	*slot = (uint16_t)(place - block->start);
	return before;
}

/* How many bytes at a and b are the same, before end. */
PGC_INLINE size_t
same_bytes(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
	const uint8_t *start = b;

	for (; end - b >= 8; a += 8, b += 8) {
		uint64_t difference = pgc_fast_le64(a) ^ pgc_fast_le64(b);

		if (difference)
			return (size_t)(b - start) + pgc_trailing_zeros(difference) / 8;
	}
	for (; b < end && *a == *b; a++)
		b++;
	return (size_t)(b - start);
}

/* ---- Elements ---------------------------------------------------------- */

static uint8_t *
put_literal(uint8_t *dst, const uint8_t *src, size_t size)
{
	size_t less = size - 1;

	if (less < 60) {
		*dst++ = (uint8_t)(less << 2);
	} else {
		unsigned extra = less < 256 ? 1 : 2;

		*dst++ = (uint8_t)((59 + extra) << 2);
		/* What this writes too much, the literal covers. */
		pgc_fast_store_le32(dst, (uint32_t)less);
		dst += extra;
	}
	memcpy(dst, src, size);
	return dst + size;
}

/* size 4..11; in 2 bytes if the offset is below 2048.  That is hard to foresee: no
 * branch. */
PGC_INLINE uint8_t *
put_short_copy(uint8_t *dst, size_t offset, size_t size)
{
	uint32_t near_copy =
	    (uint32_t)((offset & 0xff) << 8 | offset >> 8 << 5 | (size - 4) << 2 | 1);
	uint32_t far_copy = (uint32_t)(offset << 8 | (size - 1) << 2 | 2);
	uint32_t is_near = (uint32_t)(offset - 2048) >> 31;

	PGC_FULL_REGISTER(is_near);
	pgc_fast_store_le32(dst, far_copy ^ ((near_copy ^ far_copy) & (0 - is_near)));
	return dst + 3 - is_near;
}

/* size 12 and up */
PGC_INLINE uint8_t *
put_long_copy(uint8_t *dst, size_t offset, size_t size)
{
	while (PGC_RARE(size > 64)) {
		size_t part = size >= 68 ? 64 : 60; /* leaves at least 4 */

		pgc_fast_store_le32(dst, (uint32_t)(offset << 8 | (part - 1) << 2 | 2));
		dst += 3;
		size -= part;
	}
	if (size < 12)
		return put_short_copy(dst, offset, size);
	pgc_fast_store_le32(dst, (uint32_t)(offset << 8 | (size - 1) << 2 | 2));
	return dst + 3;
}

/* ---- Matches ----------------------------------------------------------- */

/* Each of the first places after a match, the next one's bytes read ahead; the literal
 * up to there is written by one wide move.  NULL: none of them. */
PGC_INLINE const uint8_t *
match_nearby(const struct block *block, struct cursor *at)
{
	uint32_t bytes = (uint32_t)at->word;

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 16
#elif defined(__clang__)
#pragma clang loop unroll(full)
#endif
	for (unsigned i = 0; i < FIRST_PLACES; i++) {
		uint32_t next = pgc_fast_le32(at->src + i + 1);
		const uint8_t *match = replace(block, bytes, at->src + i);

		if (PGC_RARE(pgc_fast_le32(match) == bytes)) {
			*at->dst = (uint8_t)(i << 2);
			pgc_move_16(at->dst + 1, at->literal);
			at->src += i;
			at->dst += i + 2;
			return match;
		}
		bytes = next;
	}
	at->src += FIRST_PLACES;
	return NULL;
}

/* Ever fewer places, as libsnappy leaves them out: bytes that did not match will not.
 * skip: 32 and the places tried since the last match.  NULL: the block's end. */
PGC_INLINE const uint8_t *
match_further(const struct block *block, struct cursor *at, uint32_t skip)
{
	const uint8_t *next = at->src;

	for (;;) {
		const uint8_t *match;
		uint32_t bytes;

		at->src = next;
		bytes = pgc_fast_le32(at->src);
		next += skip >> 5;
		skip += skip >> 5;
		if (PGC_RARE(next > block->limit))
			return NULL;
		match = replace(block, bytes, at->src);
		if (pgc_fast_le32(match) == bytes) {
			at->dst =
			    put_literal(at->dst, at->literal, (size_t)(at->src - at->literal));
			return match;
		}
	}
}

/* A copy from match, at least 4 bytes long; false: it reaches the block's end.
 * The next word comes out of registers where it can: a load after the length is
 * known would be on the way to the next hash. */
PGC_INLINE bool
put_match(const struct block *block, struct cursor *at, const uint8_t *match)
{
	uint64_t low = pgc_fast_le64(at->src + 4), high = pgc_fast_le64(at->src + 8);
	uint64_t difference = low ^ pgc_fast_le64(match + 4);
	size_t offset = (size_t)(at->src - match), size;

	if (difference) {
		unsigned bits = pgc_trailing_zeros(difference);
		uint64_t is_high = 0 - (uint64_t)(bits >> 5);

		PGC_FULL_REGISTER(is_high);
		at->word = (low ^ ((low ^ high) & is_high)) >> (bits & 24);
		at->dst = put_short_copy(at->dst, offset, 4 + bits / 8);
		at->src += 4 + bits / 8;
		at->literal = at->src;
		return !PGC_RARE(at->src >= block->limit);
	}
	size = 12 + same_bytes(match + 12, at->src + 12, block->end);
	at->dst = put_long_copy(at->dst, offset, size);
	at->src += size;
	at->literal = at->src;
	if (PGC_RARE(at->src >= block->limit))
		return false;
	at->word = pgc_fast_le64(at->src);
	return true;
}

static struct cursor
put_matches(const struct block *block, struct cursor at)
{
	at.word = pgc_fast_le64(++at.src);
	for (;;) {
		const uint8_t *match = NULL;
		uint32_t skip = 32;

		if (block->limit - at.src >= FIRST_PLACES) {
			match = match_nearby(block, &at);
			skip += FIRST_PLACES;
		}
		if (!match)
			match = match_further(block, &at, skip);
		if (!match)
			return at;
		do {
			if (!put_match(block, &at, match))
				return at;
			replace(block, pgc_fast_le32(at.src - 1), at.src - 1);
			match = replace(block, (uint32_t)at.word, at.src);
		} while (pgc_fast_le32(match) == (uint32_t)at.word);
		at.src++;
		at.word >>= 8;
	}
}

/* No more slots than places: fewer to clear. */
static unsigned
table_bits(size_t size)
{
	unsigned bits = 8;

	while (bits < PGC_SNAPPY_TABLE_BITS && (size_t)1 << bits < size)
		bits++;
	return bits;
}

uint8_t *
pgc_snappy_put_block(uint8_t *dst, const uint8_t *src, size_t size,
		     struct pgc_snappy_table *table)
{
	struct cursor at = {src, src, dst, 0};
	const uint8_t *end = src + size;

	if (size > MARGIN) {
		unsigned bits = table_bits(size);
		struct block block = {src, end, end - MARGIN, table->slots, 32 - bits};

		memset(table->slots, 0, sizeof(table->slots[0]) << bits);
		at = put_matches(&block, at);
	}
	if (at.literal < end)
		return put_literal(at.dst, at.literal, (size_t)(end - at.literal));
	return at.dst;
}

uint8_t *
pgc_snappy_put_length(uint8_t *dst, size_t length)
{
	for (; length >= 0x80; length >>= 7)
		*dst++ = (uint8_t)(length | 0x80);
	*dst++ = (uint8_t)length;
	return dst;
}
