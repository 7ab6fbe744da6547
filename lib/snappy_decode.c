/* SPDX-License-Identifier: Apache-2.0 */
/*
 * snappy_decode.c - snappy elements in two loops: a fast one that moves 16 bytes at
 * a time while there is room on both sides for the longest short element, and an
 * exact one for the rest.  google/snappy, format_description.txt.
 */
#include "internal.h"

#include "snappy.h"

enum {
	SHORT_MAX = 64,		  /* most bytes that an element makes without a length field */
	SRC_ROOM = 1 + SHORT_MAX, /* what the fast loop may read from a tag on */
	DST_ROOM = SHORT_MAX + 16 /* what it may write from an element's start on */
};

enum { LITERAL, COPY_1, COPY_2, COPY_4 };

/* What a copy's tag says: the offset is base + (the next two bytes & mask).  The
 * base of all other tags fails the check of the offset, so that the fast loop
 * needs no test for them. */
struct copy_tag {
	uint32_t base;
	uint16_t mask;
	uint8_t length;
};

/* clang-format off */
#define TAG_1(tag) { (uint32_t)((tag) >> 5) << 8, 0x00ff, ((tag) >> 2 & 7) + 4 }
#define TAG_2(tag) { 0, 0xffff, ((tag) >> 2) + 1 }
#define TAG_OTHER { UINT32_MAX, 0, 1 }
#define TAGS_4(tag) TAG_OTHER, TAG_1((tag) + 1), TAG_2((tag) + 2), TAG_OTHER
#define TAGS_16(tag) TAGS_4(tag), TAGS_4((tag) + 4), TAGS_4((tag) + 8), TAGS_4((tag) + 12)
#define TAGS_64(tag) TAGS_16(tag), TAGS_16((tag) + 16), TAGS_16((tag) + 32), TAGS_16((tag) + 48)
static const struct copy_tag copy_tags[256] = {
	TAGS_64(0), TAGS_64(64), TAGS_64(128), TAGS_64(192)
};
/* clang-format on */

/* Where a loop stands. */
struct cursor {
	const uint8_t *src;
	uint8_t *dst;
};

/* ---- Moves ------------------------------------------------------------ */

/* 1..64 bytes that do not overlap; up to 64 are touched at both ends. */
PGC_INLINE void
move_short(uint8_t *dst, const uint8_t *src, size_t size)
{
	pgc_move_16(dst, src);
	if (size > 16) {
		pgc_move_16(dst + 16, src + 16);
		if (PGC_RARE(size > 32)) {
			pgc_move_16(dst + 32, src + 32);
			pgc_move_16(dst + 48, src + 48);
		}
	}
}

/* size bytes and no more, which do not overlap: by moves that meet in the middle */
PGC_INLINE void
move_exact(uint8_t *dst, const uint8_t *src, size_t size)
{
	if (size > SHORT_MAX) {
		memcpy(dst, src, size);
	} else if (size >= 16) {
		for (size_t i = 0; i + 16 < size; i += 16)
			pgc_move_16(dst + i, src + i);
		pgc_move_16(dst + size - 16, src + size - 16);
	} else if (size >= 8) {
		memcpy(dst, src, 8);
		memcpy(dst + size - 8, src + size - 8, 8);
	} else if (size >= 4) {
		memcpy(dst, src, 4);
		memcpy(dst + size - 4, src + size - 4, 4);
	} else if (size > 0) {
		dst[0] = src[0];
		dst[size / 2] = src[size / 2];
		dst[size - 1] = src[size - 1];
	}
}

/* A pattern of up to 8 bytes, by a multiplication that repeats it over 8. */
PGC_INLINE void
repeat_narrow(uint8_t *dst, size_t offset, size_t size)
{
	static const uint64_t repeat[9] = {0,
					   0x0101010101010101,
					   0x0001000100010001,
					   0x0001000001000001,
					   0x0000000100000001,
					   0x0000010000000001,
					   0x0001000000000001,
					   0x0100000000000001,
					   1};
	static const uint8_t steps[9] = {0, 8, 8, 6, 8, 5, 6, 7, 8};
	uint64_t pattern = pgc_fast_le64(dst - offset) & UINT64_MAX >> (64 - 8 * offset);

	pattern = pgc_swap_le64(pattern * repeat[offset]);
	if ((offset & (offset - 1)) == 0) {
		struct pgc_16_bytes twice = {pattern, pattern};

		for (size_t i = 0; i < SHORT_MAX; i += 16)
			memcpy(dst + i, &twice, sizeof(twice));
	} else {
		for (size_t i = 0; i < size; i += steps[offset])
			memcpy(dst + i, &pattern, sizeof(pattern));
	}
}

/* The last `offset` bytes again and again, for 0 < offset < size <= 64; up to
 * DST_ROOM bytes are touched. */
PGC_INLINE void
repeat_short(uint8_t *dst, size_t offset, size_t size)
{
	if (offset <= 8) {
		repeat_narrow(dst, offset, size);
	} else if (offset < 16) {
		struct pgc_16_bytes pattern;

		memcpy(&pattern, dst - offset, sizeof(pattern));
		/* The bytes past offset are wrong; the next store mends them. */
		for (size_t i = 0; i < size; i += offset)
			memcpy(dst + i, &pattern, sizeof(pattern));
	} else {
		for (size_t i = 0; i < size; i += 16)
			pgc_move_16(dst + i, dst + i - offset);
	}
}

/* ---- Fast: short literals, copies with offsets of 1 or 2 bytes --------- */

/* Runs while tags lie at or before src_last and output starts at or before
 * dst_last, and stops before any other tag, or a bad one.  The cursor's src may end
 * behind the input: the caller looks.  A function of its own: inlined, it spills. */
static PGC_NOINLINE struct cursor
decode_fast(const uint8_t *src, uint8_t *dst, const uint8_t *src_last, const uint8_t *dst_last,
	    const uint8_t *dst_start)
{
	size_t tag = *src++;

	/* src is behind the tag that comes next, which is loaded early. */
	src_last++;
	do {
		const uint8_t *behind_tag = src;
		size_t kind = tag & 3;

		if (kind == LITERAL) {
			size_t size = (tag >> 2) + 1;

			if (PGC_RARE(size > 60))
				break;
			tag = behind_tag[size];
			PGC_FULL_REGISTER(tag);
			src = behind_tag + size + 1;
			move_short(dst, behind_tag, size);
			dst += size;
		} else {
			const struct copy_tag *copy = &copy_tags[tag];
			size_t size = copy->length;
			size_t offset =
			    copy->base + (size_t)(pgc_load_le16(behind_tag) & copy->mask);

			if (PGC_RARE(offset > (size_t)(dst - dst_start)))
				break;
			if (PGC_RARE(offset < size)) {
				if (PGC_RARE(offset == 0))
					break;
				repeat_short(dst, offset, size);
			} else {
				move_short(dst, dst - offset, size);
			}
			tag = behind_tag[kind];
			PGC_FULL_REGISTER(tag);
			src = behind_tag + kind + 1;
			dst += size;
		}
	} while (src <= src_last && dst <= dst_last);
	return (struct cursor){src - 1, dst};
}

/* ---- Exact: any element ------------------------------------------------ */

/* The element at at->src, which is before src_end; false: it is bad. */
static bool
decode_element(struct cursor *at, const uint8_t *src_end, const uint8_t *dst_start,
	       const uint8_t *dst_end)
{
	static const uint8_t offset_sizes[4] = {0, 1, 2, 4};
	size_t tag = *at->src++, kind = tag & 3, size = (tag >> 2) + 1;
	size_t left = (size_t)(src_end - at->src), room = (size_t)(dst_end - at->dst);
	size_t extra = kind == LITERAL ? (size > 60 ? size - 60 : 0) : offset_sizes[kind];
	size_t value = 0;

	if (extra > left)
		return false;
	for (size_t i = 0; i < extra; i++)
		value |= (size_t)at->src[i] << (8 * i);
	at->src += extra;
	left -= extra;

	if (kind == LITERAL) {
		/* One less than the size, which can be 2^32 - 1: the sum may wrap. */
		size_t less = extra != 0 ? value : size - 1;

		if (less >= left || less >= room)
			return false;
		move_exact(at->dst, at->src, less + 1);
		at->src += less + 1;
		at->dst += less + 1;
		return true;
	}

	if (kind == COPY_1) {
		size = (tag >> 2 & 7) + 4;
		value |= tag >> 5 << 8;
	}
	if (value == 0 || value > (size_t)(at->dst - dst_start) || size > room)
		return false;
	if (value >= size) {
		move_exact(at->dst, at->dst - value, size);
	} else {
		for (size_t i = 0; i < size; i++)
			at->dst[i] = *(at->dst + i - value);
	}
	at->dst += size;
	return true;
}

bool
pgc_snappy_decode(const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size)
{
	const uint8_t *src_end = src + src_size, *dst_end = dst + dst_size;
	struct cursor at = {src, dst};
	uint8_t edge[2 * SRC_ROOM];
	bool in_edge = false;

	while (at.src < src_end) {
		size_t left = (size_t)(src_end - at.src);

		if (dst_end - at.dst >= DST_ROOM) {
			/* Too near the input's end for wide reads: go on in a copy with
			 * room behind it. */
			if (!in_edge && left < SRC_ROOM) {
				memset(edge + left, 0, SRC_ROOM);
				move_exact(edge, at.src, left);
				at.src = edge;
				src_end = edge + left;
				in_edge = true;
			}
			at = decode_fast(at.src, at.dst, src_end - (in_edge ? 1 : SRC_ROOM),
					 dst_end - DST_ROOM, dst);
			if (at.src >= src_end)
				break;
			if (!in_edge && src_end - at.src < SRC_ROOM)
				continue;
		}
		if (!decode_element(&at, src_end, dst, dst_end))
			return false;
	}
	return at.src == src_end && at.dst == dst_end;
}
