/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regions.c - what of a Parquet file is rewritten or copied, and in which order
 *
 * The order is that of the file, so that what lay together still does.  Bytes that the
 * footer does not name (padding, copies of column metadata) are left out: whatever
 * pointed to them would be wrong.  Format: parquet.thrift, ColumnChunk.
 */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

#include "recompress.h"

/* A bloom filter's header has four numbers and empty structs. */
#define BLOOM_HEADER_MAX 256

/* Of each column chunk: itself, two indexes, a bloom filter. */
#define REGIONS_OF_CHUNK 4

static bool
add_region(struct recompress *job, struct chunk *chunk, enum region_kind kind, int64_t from,
	   int64_t size, int64_t *offset, struct fault *fault)
{
	static const char *const names[] = {
	    [REGION_CHUNK] = "its pages",
	    [REGION_COPY] = "its column index or bloom filter",
	    [REGION_OFFSET_INDEX] = "its offset index",
	};

	if (from < 4 || size < 0 || size > job->in.footer_offset - from)
		return fault_set(fault, TOOL_DAMAGED,
				 "%s would lie outside the file, at %jd with %jd bytes",
				 names[kind], (intmax_t)from, (intmax_t)size);
	job->regions[job->region_count++] = (struct region){kind, from, size, chunk, offset};
	return true;
}

static bool
add_pages(struct recompress *job, struct chunk *chunk, struct fault *fault)
{
	const struct parquet_column *column = chunk->column;
	int64_t limit = job->in.footer_offset, start;
	struct parquet_cursor cursor;

	if (!parquet_cursor_open(&cursor, &job->in, column, fault))
		return false;
	start = cursor.start;
	/* A chunk without pages may be said to lie anywhere. */
	if (start < 4 || start > limit)
		start = limit;
	return add_region(job, chunk, REGION_CHUNK, start, column->total_compressed_size.value,
			  &chunk->start, fault);
}

static bool
add_index(struct recompress *job, struct chunk *chunk, enum region_kind kind,
	  const struct thrift_number *from, const struct thrift_number *size, int64_t *offset,
	  struct fault *fault)
{
	if (from->value == 0)
		return true;
	return add_region(job, chunk, kind, from->value, size->value, offset, fault);
}

/* Until 2023 the footer did not say how long a bloom filter is. */
static bool
find_bloom_filter_size(struct recompress *job, int64_t from, int64_t *size, struct fault *fault)
{
	static const struct thrift_slot slots[] = {{1, THRIFT_I32, true, 0}};
	int64_t left = job->in.footer_offset - from;
	struct thrift_field field = {0};
	struct thrift_number count = {0};
	struct thrift thrift;
	const uint8_t *data;

	if (from < 4 || left < 0)
		left = 0;
	if (left > BLOOM_HEADER_MAX)
		left = BLOOM_HEADER_MAX;
	if (!input_view(&job->in.input, left ? from : 0, (size_t)left, &data, fault))
		return false;
	thrift_init(&thrift, data, (size_t)left);
	while (thrift_next(&thrift, &field))
		if (!thrift_take(&thrift, &field, slots, 1, &count))
			thrift_skip(&thrift, &field);
	thrift_require(&thrift, slots, 1, &count);
	if (thrift.fault || count.value < 0)
		return fault_set(fault, TOOL_DAMAGED, "its bloom filter is damaged");
	*size = (int64_t)thrift.at + count.value;
	return true;
}

static bool
add_bloom_filter(struct recompress *job, struct chunk *chunk, struct fault *fault)
{
	const struct parquet_column *column = chunk->column;
	struct thrift_number size = column->bloom_filter_length;

	if (column->bloom_filter_offset.value == 0)
		return true;
	if (size.size == 0 &&
	    !find_bloom_filter_size(job, column->bloom_filter_offset.value, &size.value, fault))
		return false;
	return add_index(job, chunk, REGION_COPY, &column->bloom_filter_offset, &size,
			 &chunk->bloom_filter_offset, fault);
}

static int
by_place(const void *a, const void *b)
{
	const struct region *first = a, *second = b;

	if (first->from != second->from)
		return first->from < second->from ? -1 : 1;
	if (first->size != second->size)
		return first->size < second->size ? -1 : 1;
	return first->offset < second->offset ? -1 : first->offset > second->offset;
}

static bool
check_order(struct recompress *job, struct fault *fault)
{
	int64_t end = 4;
	size_t count = 0;

	for (size_t i = 0; i < job->region_count; i++) {
		struct region *region = &job->regions[i];

		if (region->from < end && region->size)
			return fault_set(fault, TOOL_DAMAGED, "its parts overlap at offset %jd",
					 (intmax_t)region->from);
		if (region->size) {
			job->left_out += region->from - end;
			end = region->from + region->size;
		}
		if (region->kind == REGION_CHUNK) {
			region->chunk->region = i;
			region->chunk->number = count;
			job->order[count++] = region->chunk;
		}
	}
	job->left_out += job->in.footer_offset - end;
	for (size_t i = 0; i < job->region_count; i++)
		if (job->regions[i].kind == REGION_OFFSET_INDEX &&
		    job->regions[i].chunk->region > i)
			return fault_set(fault, TOOL_UNREADABLE,
					 "an offset index lies before its pages");
	return true;
}

static bool
plan_chunk(struct recompress *job, struct chunk *chunk, struct fault *fault)
{
	const struct parquet_column *column = chunk->column;

	chunk->target = job->targets[chunk->leaf];
	chunk->codec =
	    chunk->target.has_codec ? chunk->target.codec : (int32_t)column->codec.value;
	return add_pages(job, chunk, fault) &&
	       add_index(job, chunk, REGION_COPY, &column->column_index_offset,
			 &column->column_index_length, &chunk->column_index_offset, fault) &&
	       add_index(job, chunk, REGION_OFFSET_INDEX, &column->offset_index_offset,
			 &column->offset_index_length, &chunk->offset_index_offset, fault) &&
	       add_bloom_filter(job, chunk, fault);
}

bool
rewrite_plan(struct recompress *job, struct fault *fault)
{
	const struct parquet_file *in = &job->in;
	size_t count = in->column_count;

	if (in->is_encrypted)
		return fault_set(fault, TOOL_UNREADABLE, "it is encrypted");
	job->chunks = calloc(count ? count : 1, sizeof(*job->chunks));
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds */
	job->order = calloc(count ? count : 1, sizeof(*job->order));
	job->regions =
	    reallocarray(NULL, count ? count : 1, REGIONS_OF_CHUNK * sizeof(*job->regions));
	if (!job->chunks || !job->order || !job->regions)
		return fault_set(fault, TOOL_UNREADABLE, "no memory for its column chunks");
	for (size_t i = 0; i < count; i++) {
		struct chunk *chunk = &job->chunks[i];

		chunk->column = &in->columns[i];
		chunk->row_group = i / in->leaf_count;
		chunk->leaf = i % in->leaf_count;
		if (!plan_chunk(job, chunk, fault)) {
			parquet_locate(in, chunk->row_group, chunk->leaf, NULL, fault);
			return false;
		}
	}
	qsort(job->regions, job->region_count, sizeof(*job->regions), by_place);
	return check_order(job, fault);
}
