/* SPDX-License-Identifier: Apache-2.0 */
/*
 * snappy.h - our own snappy coder: no allocation, no CPU detection, plain C; and
 * the loads, stores and moves that both of its halves are made of.
 */
#ifndef PGC_SNAPPY_H
#define PGC_SNAPPY_H

#include "internal.h"

enum { PGC_SNAPPY_BLOCK = 1 << 16, PGC_SNAPPY_TABLE_BITS = 14 };

/* Positions in the block by hash; 32 KiB.  Needs no initialisation. */
struct pgc_snappy_table {
	uint16_t slots[1 << PGC_SNAPPY_TABLE_BITS];
};

/* The length that a stream starts with; returns the byte behind it. */
uint8_t *pgc_snappy_put_length(uint8_t *dst, size_t length);

/* The elements of one block of 1..PGC_SNAPPY_BLOCK bytes; returns the byte behind
 * them.  At dst must be pgc_bound_snappy(size) bytes of room: more than the
 * elements take is written. */
uint8_t *pgc_snappy_put_block(uint8_t *dst, const uint8_t *src, size_t size,
			      struct pgc_snappy_table *table);

/* The elements behind the length, all of src, to exactly dst_size < 2^32 bytes;
 * false: they are anything else.  Nothing outside src and dst is touched. */
bool pgc_snappy_decode(const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size);

/* ---- Shared by both halves -------------------------------------------- */

#ifdef __GNUC__
#define PGC_RARE(condition) __builtin_expect(!!(condition), 0)
#define PGC_INLINE static inline __attribute__((always_inline))
#define PGC_NOINLINE __attribute__((noinline))
/* Keep a value in a full register: Clang else narrows it to a byte and adds a
 * move to the critical chain, or turns a mask into a branch. */
#define PGC_FULL_REGISTER(value) __asm__("" : "+r"(value))
#else
#define PGC_RARE(condition) (condition)
#define PGC_INLINE static inline
#define PGC_NOINLINE
#define PGC_FULL_REGISTER(value) ((void)0)
#endif

PGC_INLINE uint32_t
pgc_swap_le32(uint32_t value)
{
#ifdef WORDS_BIGENDIAN
	return value >> 24 | (value >> 8 & 0xff00) | (value << 8 & 0xff0000) | value << 24;
#else
	return value;
#endif
}

PGC_INLINE uint64_t
pgc_swap_le64(uint64_t value)
{
#ifdef WORDS_BIGENDIAN
	return (uint64_t)pgc_swap_le32((uint32_t)value) << 32 |
	       pgc_swap_le32((uint32_t)(value >> 32));
#else
	return value;
#endif
}

/* One instruction each, where the loads of internal.h need luck to become one. */
PGC_INLINE uint32_t
pgc_fast_le32(const uint8_t *p)
{
	uint32_t value;

	memcpy(&value, p, sizeof(value));
	return pgc_swap_le32(value);
}

PGC_INLINE uint64_t
pgc_fast_le64(const uint8_t *p)
{
	uint64_t value;

	memcpy(&value, p, sizeof(value));
	return pgc_swap_le64(value);
}

PGC_INLINE void
pgc_fast_store_le32(uint8_t *p, uint32_t value)
{
	value = pgc_swap_le32(value);
	memcpy(p, &value, sizeof(value));
}

/* Loaded whole before it is stored: the two may overlap. */
struct pgc_16_bytes {
	uint64_t low, high;
};

PGC_INLINE void
pgc_move_16(uint8_t *dst, const uint8_t *src)
{
	struct pgc_16_bytes bytes;

	memcpy(&bytes, src, sizeof(bytes));
	memcpy(dst, &bytes, sizeof(bytes));
}

/* The number of zero bits below the lowest one; value != 0 */
PGC_INLINE unsigned
pgc_trailing_zeros(uint64_t value)
{
#ifdef __GNUC__
	return (unsigned)__builtin_ctzll(value);
#else
	unsigned count = 0;

	while ((value & 1) == 0) {
		value >>= 1;
		count++;
	}
	return count;
#endif
}

#endif
