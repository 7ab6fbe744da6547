/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame_hadoop.c - Hadoop's block framing: a big-endian raw size, then chunks,
 * each behind its big-endian size, until that raw size has come; how many chunks
 * there are is nowhere said.
 */
#include "internal.h"

#include "frame.h"
#include "hadoop.h"

enum { LENGTH_SIZE = 4, HEAD_SIZE = 2 * LENGTH_SIZE };

/* The rest of a body while it is read, and where its bytes go. */
struct reader {
	const struct pgc_hadoop_payload *payload;
	const uint8_t *src;
	size_t src_left;
	uint8_t *dst;
	size_t dst_size, made;
};

static void
advance(struct reader *reader, size_t size)
{
	reader->src += size;
	reader->src_left -= size;
}

static uint32_t
take_length(struct reader *reader)
{
	uint32_t length = pgc_load_be32(reader->src);

	advance(reader, LENGTH_SIZE);
	return length;
}

/* Chunks at reader->src until raw_size bytes have come. */
static struct pgc_result
read_chunks(struct reader *reader, size_t raw_size)
{
	while (raw_size > 0) {
		struct pgc_result result;
		size_t size;

		if (reader->src_left < LENGTH_SIZE)
			return pgc_bad(PGC_STREAM_CUT);
		size = take_length(reader);
		if (size > reader->src_left)
			return pgc_bad(PGC_STREAM_CUT);
		if (size == 0)
			continue;
		result = reader->payload->decode(reader->src, size, reader->dst + reader->made,
						 raw_size);
		if (result.fault == PGC_SIZE_DIFFERS)
			return pgc_bad(PGC_LENGTH_CHAIN);
		if (result.fault)
			return result;
		advance(reader, size);
		reader->made += result.size;
		raw_size -= result.size;
	}
	return pgc_done(0);
}

/* A block without bytes may still have a chunk: that of the empty page. */
static void
skip_empty_chunk(struct reader *reader)
{
	const struct pgc_hadoop_payload *payload = reader->payload;
	size_t size = LENGTH_SIZE + payload->empty_size;

	if (reader->src_left >= size && pgc_load_be32(reader->src) == payload->empty_size &&
	    memcmp(reader->src + LENGTH_SIZE, payload->empty, payload->empty_size) == 0)
		advance(reader, size);
}

/* What a block of more bytes than there is room for means. */
static struct pgc_result
beyond_page(const struct reader *reader, size_t raw_size)
{
	if (reader->src_left >= LENGTH_SIZE &&
	    pgc_load_be32(reader->src) <= reader->src_left - LENGTH_SIZE) {
		size_t total = SIZE_MAX;

		pgc_add(reader->made, raw_size, &total);
		return pgc_size_differs(total);
	}
	return pgc_bad(reader->made == reader->dst_size ? PGC_TRAILING_BYTES
							: PGC_LENGTH_CHAIN);
}

struct pgc_result
pgc_hadoop_read(const struct pgc_hadoop_payload *payload, const uint8_t *src, size_t src_size,
		uint8_t *dst, size_t dst_size)
{
	struct reader reader = {payload, src, src_size, dst, dst_size, 0};

	while (reader.src_left > 0) {
		struct pgc_result result;
		size_t raw_size;

		if (reader.src_left < LENGTH_SIZE)
			return pgc_bad(reader.src != src && reader.made == dst_size
					   ? PGC_TRAILING_BYTES
					   : PGC_HEADER_CUT);
		raw_size = take_length(&reader);
		if (raw_size == 0) {
			skip_empty_chunk(&reader);
			continue;
		}
		if (raw_size > dst_size - reader.made)
			return beyond_page(&reader, raw_size);
		result = read_chunks(&reader, raw_size);
		if (result.fault)
			return result;
	}
	return reader.made == dst_size ? pgc_done(dst_size) : pgc_size_differs(reader.made);
}

/* ---- What the first lengths say --------------------------------------- */

enum pgc_fault
pgc_hadoop_examine(const uint8_t *src, size_t src_size, size_t dst_size,
		   struct pagecodec_span *stored, size_t *actual_size)
{
	size_t raw_size, size;
	bool fits;

	(void)stored;
	if (src_size < LENGTH_SIZE)
		return PGC_HEADER_CUT;
	raw_size = pgc_load_be32(src);
	if (raw_size == 0)
		return PGC_NO_FAULT;
	if (src_size < HEAD_SIZE)
		return PGC_HEADER_CUT;
	size = pgc_load_be32(src + LENGTH_SIZE);
	fits = size <= src_size - HEAD_SIZE;
	if (raw_size <= dst_size)
		return fits ? PGC_NO_FAULT : PGC_STREAM_CUT;
	if (!fits)
		return PGC_LENGTH_CHAIN;
	*actual_size = raw_size;
	return PGC_SIZE_DIFFERS;
}

/* No LZ4 block is longer than this for what it holds, so that no LZ4 frame, of
 * however many bytes, passes for a chunk of as many bytes as its magic would say. */
static bool
is_possible_chunk(const uint8_t *src)
{
	uint32_t raw_size = pgc_load_be32(src);

	return raw_size == 0 ||
	       pgc_load_be32(src + LENGTH_SIZE) <= (uint64_t)raw_size + raw_size / 255 + 16;
}

enum pgc_fault
pgc_lz4_find_form(const uint8_t *src, size_t src_size, size_t dst_size, enum pgc_lz4_form *form,
		  size_t *actual_size)
{
	enum { ONE_LITERAL = 0x10 };
	struct pagecodec_span stored;
	enum pgc_fault fault =
	    pgc_hadoop_examine(src, src_size, dst_size, &stored, actual_size);

	if (!fault && !is_possible_chunk(src))
		fault = PGC_LENGTH_CHAIN;
	if (!fault) {
		*form = PGC_LZ4_HADOOP;
	} else if (pgc_lz4_frame_starts(src, src_size)) {
		*form = PGC_LZ4_FRAME;
	} else if (src[0] >= ONE_LITERAL || (src_size == 1 && dst_size == 0)) {
		*form = PGC_LZ4_BLOCK;
	} else {
		/* A block's first token without literals has nothing to copy from, and
		 * is sound only as all of an empty one: what is wrong is wrong with
		 * Hadoop's lengths. */
		return fault;
	}
	return PGC_NO_FAULT;
}

enum pgc_fault
pgc_lz4_examine(const uint8_t *src, size_t src_size, size_t dst_size,
		struct pagecodec_span *stored, size_t *actual_size)
{
	enum pgc_lz4_form form;
	enum pgc_fault fault = pgc_lz4_find_form(src, src_size, dst_size, &form, actual_size);

	if (!fault && form == PGC_LZ4_BLOCK)
		fault = pgc_lz4_block_examine(src, src_size, dst_size, stored, actual_size);
	if (!fault && form == PGC_LZ4_FRAME)
		fault = pgc_lz4_frame_foresee(src, src_size, dst_size, actual_size);
	return fault;
}

/* ---- Compression ------------------------------------------------------ */

struct compressor {
	const struct pgc_hadoop_payload *payload;
	struct pgc_account *account;
	void *state;
};

enum pgc_fault
pgc_hadoop_open(const struct pgc_compress_engine *self, struct pgc_account *account,
		const struct pgc_settings *settings, void **state)
{
	struct compressor *hadoop = pgc_alloc(account, sizeof(*hadoop));
	enum pgc_fault fault;

	if (!hadoop)
		return PGC_NO_MEMORY;
	hadoop->payload = self->payload;
	hadoop->account = account;
	fault = hadoop->payload->encoder->open(hadoop->payload->encoder, account, settings,
					       &hadoop->state);
	if (fault) {
		pgc_free(account, hadoop);
		return fault;
	}
	*state = hadoop;
	return PGC_NO_FAULT;
}

void
pgc_hadoop_close(void *state)
{
	struct compressor *hadoop = state;

	hadoop->payload->encoder->close(hadoop->state);
	pgc_free(hadoop->account, hadoop);
}

struct pgc_result
pgc_hadoop_compress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst,
		    size_t dst_capacity)
{
	const struct compressor *hadoop = state;
	const struct pgc_hadoop_payload *payload = hadoop->payload;
	const uint8_t *start = dst;

	(void)dst_capacity;
	do {
		size_t raw_size = PGC_MIN(src_size, PGC_HADOOP_BLOCK_MAX);
		struct pgc_result result = payload->encoder->compress(
		    hadoop->state, src, raw_size, dst + HEAD_SIZE, payload->bound(raw_size));

		if (result.fault)
			return result;
		pgc_store_be32(dst, (uint32_t)raw_size);
		pgc_store_be32(dst + LENGTH_SIZE, (uint32_t)result.size);
		dst += HEAD_SIZE + result.size;
		src += raw_size;
		src_size -= raw_size;
	} while (src_size > 0);
	return pgc_done((size_t)(dst - start));
}
