/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk.c - the tokens of LZ4 blocks and of snappy streams.  Positions only ever
 * move forward, and each length is compared with what is left of the input.
 */
#include "internal.h"

#include "walk.h"

struct pgc_result
pgc_explain(struct pgc_result walk, size_t capacity)
{
	if (walk.fault)
		return walk;
	/* Sound tokens that would fit, and refused all the same: the engine knows a
	 * rule that the walk does not. */
	if (walk.size <= capacity)
		return pgc_bad(PGC_STREAM_CORRUPT);
	return pgc_size_differs(walk.size);
}

static struct pgc_result
sound(uint64_t size)
{
	return pgc_done((size_t)PGC_MIN(size, SIZE_MAX));
}

/* A token's 4-bit length, which 15 continues into bytes of up to 255. */
static bool
read_lz4_length(const uint8_t *src, size_t src_size, size_t *at, uint64_t *length)
{
	uint8_t byte;

	if (*length != 15)
		return true;
	do {
		if (*at == src_size)
			return false;
		byte = src[(*at)++];
		*length += byte;
	} while (byte == 255);
	return true;
}

struct pgc_result
pgc_walk_lz4(const uint8_t *src, size_t src_size, size_t history)
{
	uint64_t made = 0;
	size_t at = 0;

	while (at < src_size) {
		uint8_t token = src[at++];
		uint64_t literals = token >> 4, match = token & 15;
		uint16_t offset;

		if (!read_lz4_length(src, src_size, &at, &literals) || literals > src_size - at)
			return pgc_bad(PGC_STREAM_CUT);
		at += (size_t)literals;
		made += literals;
		if (at == src_size)
			return sound(made);

		if (src_size - at < 2)
			return pgc_bad(PGC_STREAM_CUT);
		offset = pgc_load_le16(src + at);
		at += 2;
		if (offset == 0 || offset > made + history)
			return pgc_bad(PGC_STREAM_CORRUPT);
		if (!read_lz4_length(src, src_size, &at, &match))
			return pgc_bad(PGC_STREAM_CUT);
		made += match + 4;
	}
	/* A block ends in literals, even if none. */
	return pgc_bad(PGC_STREAM_CUT);
}

enum { SNAPPY_LITERAL, SNAPPY_COPY_1, SNAPPY_COPY_2, SNAPPY_COPY_4 };

/* The literal's length behind its tag; false: cut. */
static bool
read_snappy_literal(const uint8_t *src, size_t src_size, size_t *at, uint64_t *length)
{
	size_t extra = *length < 60 ? 0 : (size_t)*length - 59;

	if (src_size - *at < extra)
		return false;
	if (extra != 0)
		*length = 0;
	for (size_t i = 0; i < extra; i++)
		*length |= (uint64_t)src[(*at)++] << (8 * i);
	*length += 1;
	return true;
}

static bool
read_snappy_copy(const uint8_t *src, size_t src_size, size_t *at, uint8_t tag, uint64_t *length,
		 uint32_t *offset)
{
	static const uint8_t sizes[4] = {0, 1, 2, 4};
	size_t size = sizes[tag & 3];

	if (src_size - *at < size)
		return false;
	*length = (uint64_t)(tag >> 2) + 1;
	*offset = 0;
	for (size_t i = 0; i < size; i++)
		*offset |= (uint32_t)src[*at + i] << (8 * i);
	if (size == 1) {
		*length = (uint64_t)(tag >> 2 & 7) + 4;
		*offset |= (uint32_t)(tag >> 5) << 8;
	}
	*at += size;
	return true;
}

struct pgc_result
pgc_walk_snappy(const uint8_t *src, size_t src_size, size_t length)
{
	uint64_t made = 0;
	size_t at = 0;

	while (at < src_size && made < length) {
		uint8_t tag = src[at++];
		uint64_t size = tag >> 2;
		uint32_t offset;

		if ((tag & 3) == SNAPPY_LITERAL) {
			if (!read_snappy_literal(src, src_size, &at, &size))
				return pgc_bad(PGC_STREAM_CUT);
			if (size > length - made || size > UINT32_MAX)
				return pgc_bad(PGC_STREAM_CORRUPT);
			if (size > src_size - at)
				return pgc_bad(PGC_STREAM_CUT);
			at += (size_t)size;
		} else {
			if (!read_snappy_copy(src, src_size, &at, tag, &size, &offset))
				return pgc_bad(PGC_STREAM_CUT);
			if (offset == 0 || offset > made || size > length - made)
				return pgc_bad(PGC_STREAM_CORRUPT);
		}
		made += size;
	}
	if (made < length)
		return pgc_bad(PGC_STREAM_CUT);
	return at < src_size ? pgc_bad(PGC_TRAILING_BYTES) : sound(made);
}
