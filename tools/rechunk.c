/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rechunk.c - the pages of a column chunk, made anew one by one
 *
 * A page's plain bytes and its levels are never looked into.  Format: parquet.thrift.
 */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

#include "recompress.h"

struct job {
	struct worker *worker;
	struct chunk *chunk;
	struct pagecodec_decompressor *decompressor; /* NULL: pages stay as they are */
	struct pagecodec_compressor *compressor;
};

/* What goes behind the header; page says sizes, CRC and is_stored of both. */
struct body {
	struct pagecodec_page page;
	struct pagecodec_span levels, rest;
};

/* What cannot be compressed is no fault of the file's. */
static bool
compress_fault(struct fault *fault, const struct pagecodec_error *error)
{
	fault_of_library(fault, error);
	fault->exit = error->status == PAGECODEC_NOT_BUILT ? TOOL_NOT_BUILT : TOOL_UNREADABLE;
	return false;
}

/* Readers of such a file take every page's values for compressed, whatever is said. */
static bool
compress_always(struct job *job, const struct pagecodec_span *levels,
		const struct pagecodec_span *values, struct body *body, struct fault *fault)
{
	struct pagecodec_error error;

	body->levels = *levels;
	body->rest = *values;
	if (values->size && pagecodec_compress(job->compressor, values, 1, NULL, 0, &body->rest,
					       &error) != PAGECODEC_OK)
		return compress_fault(fault, &error);
	if (body->rest.size > INT32_MAX - levels->size)
		return fault_set(fault, TOOL_UNREADABLE, "the page would be too large");
	body->page.compressed_page_size = (int32_t)(levels->size + body->rest.size);
	body->page.is_stored = 0;
	return true;
}

static bool
compress(struct job *job, const struct parquet_page *page, const struct pagecodec_span *levels,
	 const struct pagecodec_span *values, struct body *body, struct fault *fault)
{
	struct pagecodec_span parts[2] = {*levels, *levels};
	enum pagecodec_status status;
	struct pagecodec_error error;

	if (page->type.value != PARQUET_DATA_PAGE_V2) {
		status = pagecodec_compress_page_v1(job->compressor, values, 1, NULL, 0,
						    &body->page, &error);
	} else if (job->worker->in.denies_compression) {
		return compress_always(job, levels, values, body, fault);
	} else {
		parts[0].size = (size_t)page->repetition_levels_byte_length.value;
		parts[1].size -= parts[0].size;
		parts[1].data = (const uint8_t *)parts[0].data + parts[0].size;
		status = pagecodec_compress_page_v2(job->compressor, &parts[0], &parts[1],
						    values, 1, NULL, 0, &body->page, &error);
	}
	if (status != PAGECODEC_OK)
		return compress_fault(fault, &error);
	body->rest.data = body->page.body;
	body->rest.size = (size_t)body->page.compressed_page_size;
	if (page->type.value == PARQUET_INDEX_PAGE && body->rest.size >= values->size) {
		body->rest = *values;
		body->page.compressed_page_size = (int32_t)values->size;
	}
	return true;
}

static bool
make_body(struct job *job, const struct parquet_page *page, const struct pagecodec_page *old,
	  struct body *body, struct fault *fault)
{
	struct pagecodec_span levels, values;
	struct pagecodec_error error;

	memset(body, 0, sizeof(*body));
	if (!job->decompressor || (parquet_is_plain_index(page) &&
				   job->chunk->column->codec.value != PAGECODEC_UNCOMPRESSED)) {
		body->page = *old;
		body->rest.data = old->body;
		body->rest.size = old->body_size;
		return parquet_check_crc(old, fault);
	}
	if (!parquet_page_has_data(page) && page->type.value != PARQUET_INDEX_PAGE)
		return fault_set(fault, TOOL_UNREADABLE,
				 "whether its bytes are compressed cannot be known");
	if (pagecodec_decompress_page(job->decompressor, old, NULL, 0, &levels, &values,
				      &error) != PAGECODEC_OK)
		return fault_of_library(fault, &error);
	return compress(job, page, &levels, &values, body, fault);
}

static void
add_crc(const struct recompress *job, const struct parquet_page *page, struct body *body)
{
	uint32_t crc;

	body->page.has_crc =
	    job->crc == CRC_ADD || (job->crc == CRC_KEEP && page->crc.size != 0);
	if (!body->page.has_crc)
		return;
	crc = pagecodec_crc32(0, body->levels.data, body->levels.size);
	body->page.crc = pagecodec_crc32(crc, body->rest.data, body->rest.size);
}

/* A page, or the chunk's end, that was at from is now at chunk->size. */
static bool
add_move(struct chunk *chunk, int64_t from, struct fault *fault)
{
	if (chunk->column->offset_index_offset.value == 0)
		return true;
	if (!parquet_grow(&chunk->pages, (size_t)chunk->page_count, sizeof(*chunk->pages)))
		return fault_set(fault, TOOL_UNREADABLE, "no memory for its pages' places");
	chunk->pages[chunk->page_count] = (struct page_move){from, chunk->size};
	return true;
}

static void
move_offsets(struct chunk *chunk, int64_t from)
{
	const struct parquet_column *column = chunk->column;

	if (from == column->data_page_offset.value)
		chunk->data_page_offset = chunk->size;
	if (from == column->index_page_offset.value)
		chunk->index_page_offset = chunk->size;
	if (from == column->dictionary_page_offset.value)
		chunk->dictionary_page_offset = chunk->size;
	if (from == column->file_offset.value)
		chunk->file_offset = chunk->size;
}

static bool
remake_page(struct job *job, const struct parquet_page *page, struct fault *fault)
{
	struct worker *worker = job->worker;
	struct chunk *chunk = job->chunk;
	struct bytes *header = &worker->header;
	struct pagecodec_span parts[3];
	struct pagecodec_page old;
	struct body body;
	const uint8_t *data;
	size_t size = page->header_size + (size_t)page->compressed_page_size.value;

	/* Both at once, so that the body's view leaves the header where it is. */
	if (!input_view(&worker->in.input, page->offset, size, &data, fault) ||
	    !parquet_page_body(&worker->in, page, &old, fault))
		return false;
	if (worker->job->is_unchecked)
		old.has_crc = 0;
	if (!make_body(job, page, &old, &body, fault))
		return false;
	add_crc(worker->job, page, &body);
	header->size = 0;
	reheader(header, data, page, &body.page);
	if (header->is_out_of_memory)
		return fault_set(fault, TOOL_UNREADABLE, "no memory for its header");
	if (!add_move(chunk, page->offset, fault))
		return false;
	move_offsets(chunk, page->offset);
	chunk->page_count++;
	chunk->read_end = page->offset + (int64_t)size;
	chunk->size += (int64_t)(header->size + body.levels.size + body.rest.size);
	chunk->uncompressed_size += (int64_t)header->size + page->uncompressed_page_size.value;
	parts[0] = (struct pagecodec_span){header->data, header->size};
	parts[1] = body.levels;
	parts[2] = body.rest;
	return rewrite_put(worker->job, chunk, parts, 3, fault);
}

static bool
take_codecs(struct job *job, struct fault *fault)
{
	const struct chunk *chunk = job->chunk;
	struct pagecodec_compressor_options options = {.struct_size = sizeof(options),
						       .has_level = chunk->target.has_level,
						       .level = chunk->target.level};
	struct pagecodec_error error;

	if (!chunk->target.has_codec && !chunk->target.has_level)
		return true;
	if (pagecodec_decompressor_get(job->worker->job->factory,
				       (int32_t)chunk->column->codec.value, NULL,
				       &job->decompressor, &error) != PAGECODEC_OK)
		return fault_of_library(fault, &error);
	return pagecodec_compressor_get(job->worker->job->factory, chunk->codec, &options,
					&job->compressor, &error) == PAGECODEC_OK ||
	       compress_fault(fault, &error);
}

static bool
remake_pages(struct job *job, struct parquet_page *page, struct fault *fault)
{
	struct chunk *chunk = job->chunk;
	const struct parquet_column *column = chunk->column;
	struct parquet_cursor cursor;
	int found;

	memset(page, 0, sizeof(*page));
	if (!take_codecs(job, fault) ||
	    !parquet_cursor_open(&cursor, &job->worker->in, chunk->column, fault))
		return false;
	while ((found = parquet_cursor_next(&cursor, page, fault)) > 0)
		if (!remake_page(job, page, fault))
			return false;
	if (found < 0)
		return false;
	memset(page, 0, sizeof(*page));
	/* A chunk of no values may have its dictionary, and no data page behind it. */
	if (chunk->data_page_offset < 0 && column->data_page_offset.value == cursor.offset)
		chunk->data_page_offset = chunk->size;
	if (chunk->data_page_offset < 0 && chunk->page_count)
		return fault_set(fault, TOOL_DAMAGED, "no page begins at data_page_offset %jd",
				 (intmax_t)column->data_page_offset.value);
	return parquet_cursor_check(&cursor, fault) && add_move(chunk, cursor.offset, fault);
}

bool
rechunk(struct worker *worker, struct chunk *chunk, struct fault *fault)
{
	struct job job = {.worker = worker, .chunk = chunk};
	struct parquet_page page;
	bool is_good;

	chunk->data_page_offset = chunk->index_page_offset = -1;
	chunk->dictionary_page_offset = chunk->file_offset = -1;
	is_good = remake_pages(&job, &page, fault);
	if (!is_good)
		parquet_locate(&worker->in, chunk->row_group, chunk->leaf,
			       page.header_size ? &page : NULL, fault);
	pagecodec_decompressor_release(job.decompressor);
	pagecodec_compressor_release(job.compressor);
	return is_good;
}
