/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec_snappy.c - raw snappy by our own coder, and by libsnappy's C interface:
 * the reference, whose encoder allocates in every call and cannot be told not to.
 */
#include "internal.h"

#include "codec.h"
#include "frame.h"
#include "snappy.h"
#include "walk.h"

/* Elements that a decoder refused, behind a length that was read before. */
static struct pgc_result
explain(const uint8_t *elements, size_t size, size_t dst_size)
{
	return pgc_explain(pgc_walk_snappy(elements, size, dst_size), dst_size);
}

/* ---- Our own ----------------------------------------------------------- */

struct snappy_compressor {
	struct pgc_account *account;
	struct pgc_snappy_table table;
	uint8_t block[PGC_SNAPPY_BLOCK]; /* one that parts are gathered to */
};

/* How far the parts of a page have been read. */
struct reader {
	const struct pagecodec_span *part;
	size_t at;   /* in part */
	size_t left; /* in all of the page */
};

static enum pgc_fault
open_compressor(const struct pgc_compress_engine *self, struct pgc_account *account,
		const struct pgc_settings *settings, void **state)
{
	struct snappy_compressor *snappy = pgc_alloc(account, sizeof(*snappy));

	(void)self;
	(void)settings;
	if (!snappy)
		return PGC_NO_MEMORY;
	snappy->account = account;
	*state = snappy;
	return PGC_NO_FAULT;
}

static void
close_compressor(void *state)
{
	struct snappy_compressor *snappy = state;

	pgc_free(snappy->account, snappy);
}

static void
gather(struct reader *reader, uint8_t *dst, size_t size)
{
	while (size > 0) {
		size_t piece = PGC_MIN(size, reader->part->size - reader->at);

		if (piece == 0) {
			reader->part++;
			reader->at = 0;
			continue;
		}
		memcpy(dst, (const uint8_t *)reader->part->data + reader->at, piece);
		dst += piece;
		reader->at += piece;
		size -= piece;
	}
}

/* The next size bytes, where they lie if that is in one part. */
static const uint8_t *
next_block(struct reader *reader, uint8_t *buffer, size_t size)
{
	const uint8_t *block;

	while (reader->part->size == reader->at) {
		reader->part++;
		reader->at = 0;
	}
	reader->left -= size;
	if (reader->part->size - reader->at < size) {
		gather(reader, buffer, size);
		return buffer;
	}
	block = (const uint8_t *)reader->part->data + reader->at;
	reader->at += size;
	return block;
}

static struct pgc_result
compress_parts(void *state, const struct pgc_input *input, uint8_t *dst, size_t dst_capacity)
{
	struct snappy_compressor *snappy = state;
	struct reader reader = {input->parts, 0, input->size};
	uint8_t *end = pgc_snappy_put_length(dst, input->size);

	(void)dst_capacity;
	while (reader.left > 0) {
		size_t size = PGC_MIN(reader.left, PGC_SNAPPY_BLOCK);
		const uint8_t *block = next_block(&reader, snappy->block, size);

		end = pgc_snappy_put_block(end, block, size, &snappy->table);
	}
	return pgc_done((size_t)(end - dst));
}

static struct pgc_result
decompress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size)
{
	size_t length_size, length;
	enum pgc_fault fault = pgc_snappy_length(src, src_size, &length_size, &length);

	(void)state;
	if (fault)
		return pgc_bad(fault);
	if (pgc_snappy_decode(src + length_size, src_size - length_size, dst, dst_size))
		return pgc_done(dst_size);
	return explain(src + length_size, src_size - length_size, dst_size);
}

const struct pgc_compress_engine pgc_snappy_compress = {.name = "pagecodec",
							.open = open_compressor,
							.close = close_compressor,
							.compress_parts = compress_parts};
const struct pgc_decompress_engine pgc_snappy_decompress = {.name = "pagecodec",
							    .decompress = decompress};

/* ---- libsnappy --------------------------------------------------------- */

#ifdef HAVE_SNAPPY

#include <snappy-c.h>

static struct pgc_result
compress_by_library(void *state, const uint8_t *src, size_t src_size, uint8_t *dst,
		    size_t dst_capacity)
{
	size_t size = dst_capacity;

	(void)state;
	if (snappy_compress((const char *)src, src_size, (char *)dst, &size) != SNAPPY_OK)
		return pgc_bad(PGC_NO_MEMORY);
	return pgc_done(size);
}

static struct pgc_result
decompress_by_library(void *state, const uint8_t *src, size_t src_size, uint8_t *dst,
		      size_t dst_size)
{
	size_t length_size, length, size = dst_size;
	enum pgc_fault fault = pgc_snappy_length(src, src_size, &length_size, &length);

	(void)state;
	if (fault)
		return pgc_bad(fault);
	/* Read once more by libsnappy, which takes dst_size for the room it has. */
	if (snappy_uncompress((const char *)src, src_size, (char *)dst, &size) == SNAPPY_OK)
		return size == dst_size ? pgc_done(size) : pgc_size_differs(size);
	return explain(src + length_size, src_size - length_size, dst_size);
}

const struct pgc_compress_engine pgc_libsnappy_compress = {.name = "libsnappy",
							   .compress = compress_by_library};
const struct pgc_decompress_engine pgc_libsnappy_decompress = {
    .name = "libsnappy", .decompress = decompress_by_library};

#endif
