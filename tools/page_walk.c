/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_walk.c - decompress every page of a Parquet file
 *
 * A decompressor is taken from the factory per column chunk, and comes back warm
 * for the next chunk of that codec.
 */
#include "tools.h"

#include <stdio.h>
#include <string.h>

#include "text.h"
#include "page_walk.h"

/* Few and large reads, and small enough to stay in a cache. */
#define READ_AHEAD (512 << 10)

struct chunk {
	size_t row_group, leaf, codec;		     /* codec: index into walk->pages_of */
	struct pagecodec_decompressor *decompressor; /* NULL: not built */
};

static void
report(struct walk *walk, const struct chunk *chunk, const struct parquet_page *page,
       struct fault *fault)
{
	parquet_locate(walk->file, chunk->row_group, chunk->leaf, page, fault);
	walk->damaged_count += fault->exit == TOOL_DAMAGED;
	walk->exit = tool_worse(walk->exit, fault_report(fault, walk->name));
}

static bool
walk_page(struct walk *walk, const struct chunk *chunk, const struct parquet_page *page,
	  struct fault *fault)
{
	struct pagecodec_span levels, values;
	struct pagecodec_error error;
	struct pagecodec_page body;

	if (!parquet_page_body(walk->file, page, &body, fault))
		return false;
	walk->page_count++;
	walk->crc_count += body.has_crc != 0;
	walk->pages_of[chunk->codec]++;
	walk->read_size += body.body_size;
	if (!parquet_page_has_data(page))
		return parquet_check_crc(&body, fault);
	if (!chunk->decompressor) {
		walk->not_built_of[chunk->codec]++;
		walk->exit = tool_worse(walk->exit, TOOL_NOT_BUILT);
		return parquet_check_crc(&body, fault);
	}
	if (pagecodec_decompress_page(chunk->decompressor, &body, NULL, 0, &levels, &values,
				      &error) != PAGECODEC_OK)
		return fault_of_library(fault, &error);
	walk->compressed_size += body.body_size;
	walk->uncompressed_size += levels.size + values.size;
	return !walk->on_page || walk->on_page(walk->context, &values, fault);
}

static void
walk_pages(struct walk *walk, struct parquet_cursor *cursor, const struct chunk *chunk)
{
	struct parquet_page page;
	struct fault fault;
	int found;

	while ((found = parquet_cursor_next(cursor, &page, &fault)) > 0) {
		if (!walk_page(walk, chunk, &page, &fault))
			report(walk, chunk, &page, &fault);
		progress_show(walk->name, walk->read_size, (uint64_t)walk->file->footer_offset);
	}
	if (found < 0)
		report(walk, chunk, &page, &fault);
	else if (!parquet_cursor_check(cursor, &fault))
		report(walk, chunk, NULL, &fault);
}

/* Chunks that overlap would take a small file as long as a huge one. */
static bool
check_overlap(const struct walk *walk, const struct parquet_column *column, struct fault *fault)
{
	uint64_t size = (uint64_t)column->total_compressed_size.value;

	return walk->read_size + size <= (uint64_t)walk->file->footer_offset ||
	       fault_set(fault, TOOL_DAMAGED,
			 "the column chunks have more bytes than the file");
}

static void
walk_chunk(struct walk *walk, size_t row_group, size_t leaf)
{
	struct parquet_file *file = walk->file;
	const struct parquet_column *column =
	    &file->columns[file->row_groups[row_group].first_column + leaf];
	const struct pagecodec_codec_info *codec = parquet_codec(column->codec.value);
	struct chunk chunk = {row_group, leaf, WALK_CODECS - 1, NULL};
	struct pagecodec_error error;
	struct parquet_cursor cursor;
	struct fault fault;

	walk->chunk_count++;
	if (!parquet_cursor_open(&cursor, file, column, &fault)) {
		/* One line tells of them all where a file's pages lie elsewhere. */
		if (walk->unreadable_chunk_count++ == 0)
			report(walk, &chunk, NULL, &fault);
		return;
	}
	if (!check_overlap(walk, column, &fault)) {
		report(walk, &chunk, NULL, &fault);
		return;
	}
	if (codec) {
		chunk.codec = (size_t)codec->codec;
		if (pagecodec_decompressor_get(walk->factory, codec->codec, NULL,
					       &chunk.decompressor, &error) != PAGECODEC_OK &&
		    error.status != PAGECODEC_NOT_BUILT) {
			fault_of_library(&fault, &error);
			report(walk, &chunk, NULL, &fault);
			return;
		}
	}
	walk_pages(walk, &cursor, &chunk);
	pagecodec_decompressor_release(chunk.decompressor);
}

static void
check_rows(struct walk *walk)
{
	const struct parquet_file *file = walk->file;
	uint64_t rows = 0;
	struct fault fault;

	for (size_t i = 0; i < file->row_group_count; i++)
		rows += (uint64_t)file->row_groups[i].num_rows.value;
	if (rows == (uint64_t)file->num_rows.value)
		return;
	fault_set(&fault, TOOL_DAMAGED, "its row groups have %jd rows, num_rows is %jd",
		  (intmax_t)rows, (intmax_t)file->num_rows.value);
	walk->damaged_count++;
	walk->exit = tool_worse(walk->exit, fault_report(&fault, walk->name));
}

void
walk_file(struct walk *walk)
{
	struct pagecodec_factory_options options = {.struct_size = sizeof(options),
						    .max_page_size = walk->max_page_size};
	struct pagecodec_error error;
	struct fault fault;

	if (pagecodec_factory_create(&options, &walk->factory, &error) != PAGECODEC_OK) {
		fault_of_library(&fault, &error);
		walk->exit = tool_worse(walk->exit, fault_report(&fault, walk->name));
		return;
	}
	check_rows(walk);
	walk->file->input.read_ahead = READ_AHEAD;
	for (size_t group = 0; group < walk->file->row_group_count; group++)
		for (size_t leaf = 0; leaf < walk->file->leaf_count; leaf++)
			if (!walk->leaves || walk->leaves[leaf])
				walk_chunk(walk, group, leaf);
	progress_clear();
	pagecodec_factory_destroy(walk->factory);
	walk->factory = NULL;
}

char *
walk_codecs(const uint64_t counts[WALK_CODECS], char text[WALK_CODECS_TEXT])
{
	const struct pagecodec_codec_info *codec;
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < WALK_CODECS; i++) {
		if (!counts[i])
			continue;
		codec = parquet_codec((int64_t)i);
		used += (size_t)snprintf(text + used, WALK_CODECS_TEXT - used, "%s%s",
					 used ? ", " : "", codec ? codec->name : "unknown");
	}
	return text;
}
