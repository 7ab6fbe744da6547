/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refooter.c - the footer and the offset indexes, with the numbers that are true now
 *
 * Nothing but those numbers changes.  Format: parquet.thrift, FileMetaData, OffsetIndex.
 */
#include "tools.h"

#include <stdlib.h>

#include "recompress.h"

struct location {
	struct thrift_number offset, compressed_page_size;
};

#define SLOT(id, type, name)                                                                   \
	{                                                                                      \
		id, type, true, offsetof(struct location, name)                                \
	}

static const struct thrift_slot location_slots[] = {SLOT(1, THRIFT_I64, offset),
						    SLOT(2, THRIFT_I32, compressed_page_size)};

#define LOCATION_SLOTS (sizeof(location_slots) / sizeof(location_slots[0]))

static void
read_location(struct thrift *thrift, struct location *location)
{
	struct thrift_field field = {0};

	*location = (struct location){0};
	while (thrift_next(thrift, &field))
		if (!thrift_take(thrift, &field, location_slots, LOCATION_SLOTS, location))
			thrift_skip(thrift, &field);
	thrift_require(thrift, location_slots, LOCATION_SLOTS, location);
}

static void
splice_location(struct splice *splice, const struct location *location,
		const struct page_move *page, int64_t start)
{
	bool is_size_first = location->compressed_page_size.at < location->offset.at;

	if (is_size_first)
		splice_number(splice, &location->compressed_page_size, page[1].to - page->to);
	splice_number(splice, &location->offset, start + page->to);
	if (!is_size_first)
		splice_number(splice, &location->compressed_page_size, page[1].to - page->to);
}

/* Pages and their locations are in the same order; dictionaries have none. */
static void
splice_locations(struct splice *splice, struct thrift *thrift, const struct thrift_field *field,
		 const struct page_move *pages, uint64_t page_count, int64_t start)
{
	uint32_t count = thrift_read_list(thrift, field, THRIFT_STRUCT);
	struct location location;
	uint64_t page = 0;

	for (uint32_t i = 0; i < count && !thrift->fault; i++) {
		read_location(thrift, &location);
		while (page < page_count && pages[page].from != location.offset.value)
			page++;
		if (page == page_count)
			thrift_fail(thrift, "no page begins where it says");
		if (!thrift->fault)
			splice_location(splice, &location, &pages[page], start);
	}
}

bool
refooter_offset_index(struct bytes *out, const uint8_t *data, size_t size,
		      const struct page_move *pages, uint64_t page_count, int64_t start,
		      struct fault *fault)
{
	struct splice splice = {.data = data, .size = size, .out = out};
	struct thrift_field field = {0};
	struct thrift thrift;

	thrift_init(&thrift, data, size);
	while (thrift_next(&thrift, &field)) {
		if (field.id == 1)
			splice_locations(&splice, &thrift, &field, pages, page_count, start);
		else
			thrift_skip(&thrift, &field);
	}
	splice_rest(&splice);
	if (thrift.fault)
		return fault_set(fault, TOOL_DAMAGED, "its offset index is damaged: %s",
				 thrift.fault);
	return !out->is_out_of_memory ||
	       fault_set(fault, TOOL_UNREADABLE, "no memory for its offset index");
}

struct change {
	const struct thrift_number *number;
	int64_t value;
};

struct changes {
	struct change *list;
	size_t count;
	bool is_out_of_memory;
};

static void
change(struct changes *changes, const struct thrift_number *number, int64_t value)
{
	if (number->size == 0 || number->value == value)
		return;
	if (!parquet_grow(&changes->list, changes->count, sizeof(*changes->list)))
		changes->is_out_of_memory = true;
	else if (!changes->is_out_of_memory)
		changes->list[changes->count++] = (struct change){number, value};
}

/* An offset that leads to none of the chunk's pages becomes 0, which means none. */
static void
change_offset(struct changes *changes, const struct thrift_number *number,
	      const struct chunk *chunk, int64_t offset)
{
	if (number->value)
		change(changes, number, offset < 0 ? 0 : chunk->start + offset);
}

static int
by_place(const void *a, const void *b)
{
	const struct change *first = a, *second = b;

	return first->number->at < second->number->at ? -1 : 1;
}

static void
change_chunk(struct changes *changes, const struct chunk *chunk)
{
	const struct parquet_column *column = chunk->column;

	change(changes, &column->codec, chunk->codec);
	change(changes, &column->total_uncompressed_size, chunk->uncompressed_size);
	change(changes, &column->total_compressed_size, chunk->size);
	/* A chunk without pages still lies somewhere. */
	change(changes, &column->data_page_offset,
	       chunk->start + (chunk->data_page_offset < 0 ? 0 : chunk->data_page_offset));
	change_offset(changes, &column->index_page_offset, chunk, chunk->index_page_offset);
	change_offset(changes, &column->dictionary_page_offset, chunk,
		      chunk->dictionary_page_offset);
	change_offset(changes, &column->file_offset, chunk, chunk->file_offset);
	if (chunk->bloom_filter_offset)
		change(changes, &column->bloom_filter_offset, chunk->bloom_filter_offset);
	if (chunk->column_index_offset)
		change(changes, &column->column_index_offset, chunk->column_index_offset);
	if (!chunk->offset_index_offset)
		return;
	change(changes, &column->offset_index_offset, chunk->offset_index_offset);
	change(changes, &column->offset_index_length, chunk->offset_index_length);
}

static void
change_row_group(struct changes *changes, const struct recompress *job, size_t number)
{
	const struct parquet_row_group *group = &job->in.row_groups[number];
	int64_t size = 0, uncompressed_size = 0, first = INT64_MAX;

	for (size_t i = 0; i < job->in.leaf_count; i++) {
		const struct chunk *chunk = &job->chunks[group->first_column + i];

		change_chunk(changes, chunk);
		size += chunk->size;
		uncompressed_size += chunk->uncompressed_size;
		if (chunk->page_count && chunk->start < first)
			first = chunk->start;
	}
	change(changes, &group->total_byte_size, uncompressed_size);
	change(changes, &group->total_compressed_size, size);
	/* It is optional, and 0 where a writer knew no better. */
	if (group->file_offset.value && first != INT64_MAX)
		change(changes, &group->file_offset, first);
}

void
refooter(struct bytes *out, const struct recompress *job)
{
	struct splice splice = {
	    .data = job->in.footer, .size = job->in.footer_size, .out = out};
	struct changes changes = {0};

	for (size_t i = 0; i < job->in.row_group_count; i++)
		change_row_group(&changes, job, i);
	if (changes.count)
		qsort(changes.list, changes.count, sizeof(*changes.list), by_place);
	for (size_t i = 0; i < changes.count; i++)
		splice_number(&splice, changes.list[i].number, changes.list[i].value);
	splice_rest(&splice);
	out->is_out_of_memory |= changes.is_out_of_memory;
	free(changes.list);
}
