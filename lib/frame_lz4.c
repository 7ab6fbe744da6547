/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame_lz4.c - LZ4 frames (doc/lz4_Frame_format.md of lz4/lz4): headers, and a walk
 * over the sizes of blocks, so that a page is believed before memory is taken.
 */
#include "internal.h"

#include <limits.h>

#include "frame.h"
#include "xxh32.h"

#define MAGIC 0x184d2204u
#define MAGIC_SKIPPABLE 0x184d2a50u /* to ...5f */

enum { MAGIC_SIZE = 4, DESCRIPTOR_MIN = 3 };

enum flag {
	HAS_DICTIONARY = 0x01,
	RESERVED = 0x02,
	HAS_CONTENT_CHECKSUM = 0x04,
	HAS_CONTENT_SIZE = 0x08,
	HAS_BLOCK_CHECKSUMS = 0x10,
	IS_INDEPENDENT = 0x20,
	VERSION_BITS = 0xc0,
	VERSION_01 = 0x40
};

/* LZ4's decoder counts in int. */
enum pgc_fault
pgc_lz4_block_examine(const uint8_t *src, size_t src_size, size_t dst_size,
		      struct pagecodec_span *stored, size_t *actual_size)
{
	(void)src;
	(void)stored;
	(void)actual_size;
	return PGC_MAX(src_size, dst_size) > INT_MAX ? PGC_ABOVE_CODEC_LIMIT : PGC_NO_FAULT;
}

bool
pgc_lz4_frame_starts(const uint8_t *src, size_t size)
{
	return size >= MAGIC_SIZE && pgc_load_le32(src) == MAGIC;
}

/* What we write, and datafusion-comet does: version 1, blocks independent of each
 * other and up to 4 MiB, no more; and the checksum of that. */
enum { USUAL_SIZE = MAGIC_SIZE + DESCRIPTOR_MIN, USUAL_BLOCK_MAX = 4 << 20 };
static const uint8_t usual_header[USUAL_SIZE] = {0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73};

size_t
pgc_lz4_write_frame_header(uint8_t *dst)
{
	memcpy(dst, usual_header, USUAL_SIZE);
	return USUAL_SIZE;
}

void
pgc_lz4_write_block_size(uint8_t *dst, size_t size, bool is_stored)
{
	pgc_store_le32(dst, (uint32_t)size | (is_stored ? PGC_LZ4_STORED_BIT : 0));
}

/* FLG BD, then content size and dictionary id as FLG says, then a checksum. */
static enum pgc_fault
read_descriptor(const uint8_t *src, size_t size, struct pgc_lz4_frame *frame)
{
	size_t at = 2;
	uint8_t flags, block_size;

	if (size < DESCRIPTOR_MIN)
		return PGC_HEADER_CUT;
	flags = src[0];
	block_size = src[1] >> 4;
	if ((flags & VERSION_BITS) != VERSION_01 || flags & RESERVED || src[1] & 0x0f ||
	    block_size < 4 || block_size > 7)
		return PGC_HEADER_CORRUPT;
	if (flags & HAS_CONTENT_SIZE)
		at += 8;
	if (flags & HAS_DICTIONARY)
		at += 4;
	if (size <= at)
		return PGC_HEADER_CUT;
	if (src[at] != (pgc_xxh32(src, at) >> 8 & 0xff))
		return PGC_HEADER_CHECKSUM;
	if (flags & HAS_DICTIONARY && pgc_load_le32(src + at - 4) != 0)
		return PGC_DICTIONARY;

	frame->block_max = (size_t)1 << (8 + 2 * block_size);
	frame->is_linked = !(flags & IS_INDEPENDENT);
	frame->has_block_checksums = flags & HAS_BLOCK_CHECKSUMS;
	frame->has_content_checksum = flags & HAS_CONTENT_CHECKSUM;
	frame->has_content_size = flags & HAS_CONTENT_SIZE;
	frame->content_size = frame->has_content_size ? pgc_load_le64(src + 2) : 0;
	frame->header_size = MAGIC_SIZE + at + 1;
	return PGC_NO_FAULT;
}

static enum pgc_fault
read_skippable(const uint8_t *src, size_t size, struct pgc_lz4_frame *frame)
{
	size_t length;

	if (size < MAGIC_SIZE + 4)
		return PGC_HEADER_CUT;
	length = pgc_load_le32(src + MAGIC_SIZE);
	if (length > size - MAGIC_SIZE - 4)
		return PGC_STREAM_CUT;
	frame->is_skippable = true;
	frame->header_size = MAGIC_SIZE + 4 + length;
	return PGC_NO_FAULT;
}

enum pgc_fault
pgc_lz4_read_frame_header(const uint8_t *src, size_t size, struct pgc_lz4_frame *frame)
{
	*frame = (struct pgc_lz4_frame){0};
	/* Known by heart: its checksum alone would take as long as the other checks of
	 * a small buffer. */
	if (size >= USUAL_SIZE && memcmp(src, usual_header, USUAL_SIZE) == 0) {
		frame->block_max = USUAL_BLOCK_MAX;
		frame->header_size = USUAL_SIZE;
		return PGC_NO_FAULT;
	}
	if (size < MAGIC_SIZE)
		return PGC_HEADER_CUT;
	if ((pgc_load_le32(src) & ~15u) == MAGIC_SKIPPABLE)
		return read_skippable(src, size, frame);
	if (pgc_load_le32(src) != MAGIC)
		return PGC_MAGIC;
	return read_descriptor(src + MAGIC_SIZE, size - MAGIC_SIZE, frame);
}

/* Blocks from src to the end mark: *used bytes, which hold no more than *most. */
static enum pgc_fault
walk_blocks(const uint8_t *src, size_t size, const struct pgc_lz4_frame *frame, size_t *used,
	    uint64_t *most)
{
	struct pgc_lz4_block block;
	size_t at = 0;

	do {
		enum pgc_fault fault =
		    pgc_lz4_read_block_head(src + at, size - at, frame, &block);

		if (fault)
			return fault;
		*most += block.is_stored
			     ? block.size
			     : PGC_MIN(frame->block_max, (uint64_t)block.size * 255);
		at += block.total_size;
	} while (!block.is_end);
	*used = at;
	return PGC_NO_FAULT;
}

enum pgc_fault
pgc_lz4_frame_foresee(const uint8_t *src, size_t src_size, size_t dst_size, size_t *actual_size)
{
	uint64_t most = 0, stated = 0;
	bool all_stated = true;
	size_t at = 0;

	while (at < src_size) {
		struct pgc_lz4_frame frame;
		size_t used = 0;
		enum pgc_fault fault =
		    pgc_lz4_read_frame_header(src + at, src_size - at, &frame);

		if (at > 0 && (fault == PGC_MAGIC || src_size - at < MAGIC_SIZE))
			return PGC_TRAILING_BYTES;
		if (fault)
			return fault;
		at += frame.header_size;
		if (frame.is_skippable)
			continue;
		fault = walk_blocks(src + at, src_size - at, &frame, &used, &most);
		if (fault)
			return fault;
		at += used;
		if (!frame.has_content_size)
			all_stated = false;
		else if (frame.content_size > UINT64_MAX - stated)
			return PGC_HEADER_CORRUPT;
		else
			stated += frame.content_size;
	}
	if (all_stated && stated != dst_size) {
		*actual_size = (size_t)PGC_MIN(stated, SIZE_MAX);
		return PGC_SIZE_DIFFERS;
	}
	return most < dst_size ? PGC_IMPLAUSIBLE : PGC_NO_FAULT;
}
