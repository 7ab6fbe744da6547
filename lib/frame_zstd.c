/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame_zstd.c - a walk over zstd frames and the headers of their blocks: where
 * they end and what they can hold is known before anything is decoded.
 * RFC 8878, sections 3.1.1 and 3.1.2.
 */
#include "internal.h"

#include "frame.h"

#define MAGIC 0xfd2fb528u
#define MAGIC_SKIPPABLE 0x184d2a50u /* to ...5f */

enum { BLOCK_RLE = 1, BLOCK_COMPRESSED, BLOCK_RESERVED };

/* The rest of the input, while walking; and what the frames so far can hold. */
struct walk {
	const uint8_t *at;
	size_t left;
	uint64_t most;	 /* bytes that the blocks can make */
	uint64_t stated; /* sum of content sizes */
	bool all_stated;
};

struct frame_header {
	uint64_t content_size, window_size;
	bool has_content_size, has_checksum;
};

static void
advance(struct walk *walk, size_t size)
{
	walk->at += size;
	walk->left -= size;
}

static uint64_t
load_le(const uint8_t *p, size_t size)
{
	switch (size) {
	case 0:
		return 0;
	case 1:
		return p[0];
	case 2:
		return (uint64_t)p[0] | (uint64_t)p[1] << 8;
	case 4:
		return pgc_load_le32(p);
	default:
		return pgc_load_le64(p);
	}
}

/* An exponent and an eighth of it as often as the mantissa says. */
static uint64_t
window_size(uint8_t descriptor)
{
	uint64_t base = (uint64_t)1 << (10 + (descriptor >> 3));

	return base + base / 8 * (descriptor & 7);
}

static enum pgc_fault
read_header(struct walk *walk, struct frame_header *header)
{
	static const uint8_t dictionary_sizes[4] = {0, 1, 2, 4};
	static const uint8_t content_sizes[4] = {0, 2, 4, 8};
	uint8_t descriptor;
	size_t window, dictionary, content;
	bool is_single;

	if (walk->left < 1)
		return PGC_HEADER_CUT;
	descriptor = walk->at[0];
	if (descriptor & 0x08)
		return PGC_HEADER_CORRUPT;
	advance(walk, 1);

	is_single = descriptor & 0x20;
	window = is_single ? 0 : 1;
	dictionary = dictionary_sizes[descriptor & 3];
	content = content_sizes[descriptor >> 6];
	if (is_single && content == 0)
		content = 1;
	if (walk->left < window + dictionary + content)
		return PGC_HEADER_CUT;

	if (dictionary && load_le(walk->at + window, dictionary) != 0)
		return PGC_DICTIONARY;
	header->has_checksum = descriptor & 0x04;
	header->has_content_size = content != 0;
	header->content_size = load_le(walk->at + window + dictionary, content);
	if (content == 2)
		header->content_size += 256;
	header->window_size = is_single ? header->content_size : window_size(walk->at[0]);
	advance(walk, window + dictionary + content);
	return PGC_NO_FAULT;
}

static enum pgc_fault
walk_blocks(struct walk *walk, const struct frame_header *header)
{
	uint64_t block_max = PGC_MIN(header->window_size, (uint64_t)128 << 10);
	bool is_last = false;

	while (!is_last) {
		size_t size, held;
		unsigned type;

		if (walk->left < 3)
			return PGC_STREAM_CUT;
		is_last = walk->at[0] & 1;
		type = walk->at[0] >> 1 & 3;
		size =
		    (walk->at[0] | (uint32_t)walk->at[1] << 8 | (uint32_t)walk->at[2] << 16) >>
		    3;
		if (type == BLOCK_RESERVED)
			return PGC_STREAM_CORRUPT;
		advance(walk, 3);

		held = type == BLOCK_RLE ? 1 : size;
		walk->most += type == BLOCK_COMPRESSED ? block_max : size;
		if (walk->left < held)
			return PGC_STREAM_CUT;
		advance(walk, held);
	}
	return PGC_NO_FAULT;
}

static enum pgc_fault
walk_frame(struct walk *walk)
{
	struct frame_header header;
	enum pgc_fault fault = read_header(walk, &header);

	if (!fault)
		fault = walk_blocks(walk, &header);
	if (fault)
		return fault;
	if (header.has_checksum) {
		if (walk->left < 4)
			return PGC_TRAILER_CUT;
		advance(walk, 4);
	}
	if (!header.has_content_size)
		walk->all_stated = false;
	else if (header.content_size > UINT64_MAX - walk->stated)
		return PGC_HEADER_CORRUPT;
	else
		walk->stated += header.content_size;
	return PGC_NO_FAULT;
}

static enum pgc_fault
walk_skippable(struct walk *walk)
{
	uint32_t size;

	if (walk->left < 4)
		return PGC_HEADER_CUT;
	size = pgc_load_le32(walk->at);
	advance(walk, 4);
	if (walk->left < size)
		return PGC_STREAM_CUT;
	advance(walk, size);
	return PGC_NO_FAULT;
}

enum pgc_fault
pgc_zstd_examine(const uint8_t *src, size_t src_size, size_t dst_size,
		 struct pagecodec_span *stored, size_t *actual_size)
{
	struct walk walk = {src, src_size, 0, 0, true};

	(void)stored;
	while (walk.left > 0) {
		enum pgc_fault fault;
		bool is_first = walk.at == src;
		uint32_t magic;

		if (walk.left < 4)
			return is_first ? PGC_HEADER_CUT : PGC_TRAILING_BYTES;
		magic = pgc_load_le32(walk.at);
		if (magic != MAGIC && (magic & ~15u) != MAGIC_SKIPPABLE)
			return is_first ? PGC_MAGIC : PGC_TRAILING_BYTES;
		advance(&walk, 4);
		fault = magic == MAGIC ? walk_frame(&walk) : walk_skippable(&walk);
		if (fault)
			return fault;
	}
	if (walk.all_stated && walk.stated != dst_size) {
		*actual_size = (size_t)PGC_MIN(walk.stated, SIZE_MAX);
		return PGC_SIZE_DIFFERS;
	}
	return walk.most < dst_size ? PGC_IMPLAUSIBLE : PGC_NO_FAULT;
}
