/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lz4_frame.c - LZ4 frames by liblz4's block functions: no frame context, no
 * buffers of its own, and the window of linked blocks is the page itself.
 */
#include "internal.h"

#include "frame.h"
#include "lz4_block.h"
#include "xxh32.h"

/* ---- Writing ---------------------------------------------------------- */

static enum pgc_fault
open_compressor(const struct pgc_compress_engine *self, struct pgc_account *account,
		const struct pgc_settings *settings, void **state)
{
	const struct pgc_compress_engine *blocks = self->payload;

	return blocks->open(blocks, account, settings, state);
}

static void
close_compressor(void *state)
{
	pgc_lz4_compress.close(state);
}

/* A block of size > 0 bytes and its head; stored unless that makes it smaller. */
static struct pgc_result
write_block(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	struct pgc_result result;
	uint8_t *body = dst + PGC_LZ4_BLOCK_HEAD_SIZE;
	bool is_stored;

	if (capacity <= PGC_LZ4_BLOCK_HEAD_SIZE)
		return pgc_bad(PGC_DST_SHORT);
	capacity -= PGC_LZ4_BLOCK_HEAD_SIZE;
	result = pgc_lz4_compress.compress(state, src, size, body, PGC_MIN(capacity, size - 1));
	is_stored = result.fault == PGC_DST_SHORT;
	if (is_stored && size <= capacity) {
		memcpy(body, src, size);
		result = pgc_done(size);
	}
	if (result.fault)
		return result;
	pgc_lz4_write_block_size(dst, result.size, is_stored);
	return pgc_done(PGC_LZ4_BLOCK_HEAD_SIZE + result.size);
}

static struct pgc_result
compress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_capacity)
{
	size_t at, room;

	if (dst_capacity < PGC_LZ4_FRAME_MIN)
		return pgc_bad(PGC_DST_SHORT);
	at = pgc_lz4_write_frame_header(dst);
	room = dst_capacity - PGC_LZ4_BLOCK_HEAD_SIZE; /* less the end mark */
	while (src_size > 0) {
		size_t size = PGC_MIN(src_size, PGC_LZ4_BLOCK_MAX);
		struct pgc_result result = write_block(state, src, size, dst + at, room - at);

		if (result.fault)
			return result;
		at += result.size;
		src += size;
		src_size -= size;
	}
	pgc_lz4_write_block_size(dst + at, 0, false);
	return pgc_done(at + PGC_LZ4_BLOCK_HEAD_SIZE);
}

/* ---- Reading ---------------------------------------------------------- */

/* The rest of a page while it is read, and where its bytes go. */
struct reader {
	const uint8_t *src;
	size_t src_left;
	uint8_t *dst;
	size_t dst_size, made;
	size_t frame_start; /* of made */
};

static struct pgc_result
read_block(struct reader *reader, const struct pgc_lz4_frame *frame,
	   const struct pgc_lz4_block *block)
{
	const uint8_t *body = reader->src + PGC_LZ4_BLOCK_HEAD_SIZE;
	uint8_t *dst = reader->dst + reader->made;
	size_t room = reader->dst_size - reader->made;
	size_t history = frame->is_linked ? reader->made - reader->frame_start : 0;
	struct pgc_result result = pgc_done(block->size);

	if (frame->has_block_checksums &&
	    pgc_load_le32(body + block->size) != pgc_xxh32(body, block->size))
		return pgc_bad(PGC_BLOCK_CHECKSUM);
	if (!block->is_stored)
		result = pgc_lz4_decode(body, block->size, dst, PGC_MIN(room, frame->block_max),
					history);
	else if (block->size <= room)
		memcpy(dst, body, block->size);
	else
		result = pgc_bad(PGC_SIZE_BEYOND);

	if (result.fault == PGC_SIZE_DIFFERS && result.size > frame->block_max)
		return pgc_bad(PGC_STREAM_CORRUPT);
	/* More follows, of a size that nothing says. */
	return result.fault == PGC_SIZE_DIFFERS ? pgc_bad(PGC_SIZE_BEYOND) : result;
}

/* What the frame's end says of its bytes. */
static enum pgc_fault
check_content(const struct reader *reader, const struct pgc_lz4_frame *frame)
{
	const uint8_t *content = reader->dst + reader->frame_start;
	size_t size = reader->made - reader->frame_start;

	if (frame->has_content_checksum &&
	    pgc_load_le32(reader->src + PGC_LZ4_BLOCK_HEAD_SIZE) != pgc_xxh32(content, size))
		return PGC_CONTENT_CHECKSUM;
	if (frame->has_content_size && frame->content_size != size)
		return PGC_HEADER_CORRUPT;
	return PGC_NO_FAULT;
}

static void
advance(struct reader *reader, size_t size)
{
	reader->src += size;
	reader->src_left -= size;
}

/* The frame's blocks and what stands at its end. */
static enum pgc_fault
read_blocks(struct reader *reader, const struct pgc_lz4_frame *frame)
{
	struct pgc_lz4_block block;

	reader->frame_start = reader->made;
	for (;;) {
		struct pgc_result result;
		enum pgc_fault fault =
		    pgc_lz4_read_block_head(reader->src, reader->src_left, frame, &block);

		if (!fault && block.is_end)
			fault = check_content(reader, frame);
		if (fault)
			return fault;
		if (block.is_end)
			break;
		result = read_block(reader, frame, &block);
		if (result.fault)
			return result.fault;
		reader->made += result.size;
		advance(reader, block.total_size);
	}
	advance(reader, block.total_size);
	return PGC_NO_FAULT;
}

static struct pgc_result
decompress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size)
{
	struct reader reader = {src, src_size, dst, dst_size, 0, 0};

	(void)state;
	while (reader.src_left > 0) {
		struct pgc_lz4_frame frame;
		enum pgc_fault fault =
		    pgc_lz4_read_frame_header(reader.src, reader.src_left, &frame);

		if (fault)
			return pgc_bad(fault);
		advance(&reader, frame.header_size);
		if (!frame.is_skippable)
			fault = read_blocks(&reader, &frame);
		if (fault)
			return pgc_bad(fault);
	}
	return reader.made == dst_size ? pgc_done(dst_size) : pgc_size_differs(reader.made);
}

const struct pgc_compress_engine pgc_lz4_frame_compress = {.name = "liblz4",
							   .payload = &pgc_lz4_compress,
							   .open = open_compressor,
							   .close = close_compressor,
							   .compress = compress};
const struct pgc_decompress_engine pgc_lz4_frame_decompress = {.name = "liblz4",
							       .decompress = decompress};
