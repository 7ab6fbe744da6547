/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pages.c - the pages of a column chunk, one by one
 *
 * Nothing that a footer or a header says is used before it was held against the
 * bytes that the file has.  Format: parquet.thrift, PageHeader.
 */
#include "tools.h"

#include <string.h>

#include "parquet.h"

/* Most headers have 20 to 60 bytes; statistics make some large. */
#define HEADER_FIRST 1024
#define HEADER_MAX (16 << 20)

/* What old parquet-mr left out of total_compressed_size is one dictionary page's
 * header, which has no statistics. */
#define SHORT_CHUNK_MAX 100

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SLOT(id, type, is_required, name)                                                      \
	{                                                                                      \
		id, type, is_required, offsetof(struct parquet_page, name)                     \
	}

/* clang-format off */
static const struct thrift_slot page_slots[] = {
	SLOT(1, THRIFT_I32, true, type),
	SLOT(2, THRIFT_I32, true, uncompressed_page_size),
	SLOT(3, THRIFT_I32, true, compressed_page_size),
	SLOT(4, THRIFT_I32, false, crc),
};

static const struct thrift_slot v1_slots[] = {
	SLOT(1, THRIFT_I32, true, num_values),
	SLOT(2, THRIFT_I32, true, encoding),
};

static const struct thrift_slot v2_slots[] = {
	SLOT(1, THRIFT_I32, true, num_values),
	SLOT(2, THRIFT_I32, true, num_nulls),
	SLOT(3, THRIFT_I32, true, num_rows),
	SLOT(4, THRIFT_I32, true, encoding),
	SLOT(5, THRIFT_I32, true, definition_levels_byte_length),
	SLOT(6, THRIFT_I32, true, repetition_levels_byte_length),
	SLOT(7, THRIFT_TRUE, false, is_compressed),
};
/* clang-format on */

/* The header that belongs to each type: which field it is, and what it holds. */
static const struct {
	int16_t id;
	const struct thrift_slot *slots;
	size_t count;
} headers[] = {
    [PARQUET_DATA_PAGE] = {5, v1_slots, COUNT(v1_slots)},
    [PARQUET_INDEX_PAGE] = {6, NULL, 0},
    [PARQUET_DICTIONARY_PAGE] = {7, v1_slots, COUNT(v1_slots)},
    [PARQUET_DATA_PAGE_V2] = {8, v2_slots, COUNT(v2_slots)},
};

bool
parquet_page_has_data(const struct parquet_page *page)
{
	return page->type.value == PARQUET_DATA_PAGE ||
	       page->type.value == PARQUET_DATA_PAGE_V2 ||
	       page->type.value == PARQUET_DICTIONARY_PAGE;
}

bool
parquet_is_plain_index(const struct parquet_page *page)
{
	return page->type.value == PARQUET_INDEX_PAGE &&
	       page->uncompressed_page_size.value == page->compressed_page_size.value;
}

static void
read_header(struct thrift *thrift, struct parquet_page *page)
{
	struct thrift_field field = {0}, inner;
	size_t type = COUNT(headers);

	while (thrift_next(thrift, &field)) {
		if (thrift_take(thrift, &field, page_slots, COUNT(page_slots), page)) {
			if (field.id == 1 && page->type.value >= 0 &&
			    page->type.value < (int64_t)COUNT(headers))
				type = (size_t)page->type.value;
			continue;
		}
		if (type == COUNT(headers) || field.id != headers[type].id ||
		    field.type != THRIFT_STRUCT) {
			thrift_skip(thrift, &field);
			continue;
		}
		memset(&inner, 0, sizeof(inner));
		while (thrift_next(thrift, &inner))
			if (!thrift_take(thrift, &inner, headers[type].slots,
					 headers[type].count, page))
				thrift_skip(thrift, &inner);
	}
	thrift_require(thrift, page_slots, COUNT(page_slots), page);
	if (type != COUNT(headers))
		thrift_require(thrift, headers[type].slots, headers[type].count, page);
	if (!page->is_compressed.size)
		page->is_compressed.value = 1;
}

static bool
chunk_fault(struct fault *fault, const struct parquet_cursor *cursor)
{
	return fault_set(
	    fault, TOOL_UNREADABLE,
	    "its pages would lie at offset %jd to %jd, those of the file at 4 to %jd",
	    (intmax_t)cursor->start, (intmax_t)cursor->end,
	    (intmax_t)cursor->file->footer_offset);
}

bool
parquet_cursor_open(struct parquet_cursor *cursor, struct parquet_file *file,
		    const struct parquet_column *column, struct fault *fault)
{
	int64_t size = column->total_compressed_size.value, limit = file->footer_offset;

	memset(cursor, 0, sizeof(*cursor));
	cursor->file = file;
	cursor->column = column;
	if (column->is_encrypted)
		return fault_set(fault, TOOL_UNREADABLE, "it is encrypted");
	if (column->is_external)
		return fault_set(fault, TOOL_UNREADABLE, "its pages lie in another file");
	cursor->start = column->data_page_offset.value;
	/* Writers without a dictionary have put 0 here. */
	if (column->dictionary_page_offset.value > 0 &&
	    column->dictionary_page_offset.value < cursor->start)
		cursor->start = column->dictionary_page_offset.value;
	if (__builtin_add_overflow(cursor->start, size, &cursor->end))
		cursor->end = INT64_MAX;
	cursor->offset = cursor->start;
	/* A chunk without pages may be said to lie anywhere. */
	if (size == 0 && column->num_values.value == 0)
		return true;
	if (size < 0 || cursor->start < 4 || cursor->end > limit)
		return chunk_fault(fault, cursor);
	if (column->num_values.value < 0)
		return fault_set(fault, TOOL_UNREADABLE, "it would have %jd values",
				 (intmax_t)column->num_values.value);
	if (file->writes_short_chunks)
		cursor->end += limit - cursor->end < SHORT_CHUNK_MAX ? limit - cursor->end
								     : SHORT_CHUNK_MAX;
	return true;
}

static bool
view_header(struct parquet_cursor *cursor, struct parquet_page *page, struct fault *fault)
{
	int64_t left = cursor->end - cursor->offset;
	size_t most = left < HEADER_MAX ? (size_t)left : HEADER_MAX;
	size_t size = HEADER_FIRST;
	struct thrift thrift;
	const uint8_t *data;

	for (;; size *= 16) {
		if (size > most)
			size = most;
		memset(page, 0, sizeof(*page));
		page->offset = cursor->offset;
		page->number = cursor->page_count;
		if (!input_view(&cursor->file->input, cursor->offset, size, &data, fault))
			return false;
		thrift_init(&thrift, data, size);
		read_header(&thrift, page);
		if (!thrift.is_truncated || size == most)
			break;
	}
	page->header_size = (uint32_t)thrift.at;
	if (thrift.fault)
		return fault_set(fault, TOOL_DAMAGED, "its header is damaged: %s",
				 thrift.fault);
	return true;
}

int
parquet_cursor_next(struct parquet_cursor *cursor, struct parquet_page *page,
		    struct fault *fault)
{
	int64_t size;

	if (cursor->offset == cursor->end ||
	    (cursor->file->writes_short_chunks &&
	     cursor->num_values >= cursor->column->num_values.value))
		return 0;
	if (!view_header(cursor, page, fault))
		return -1;
	size = page->compressed_page_size.value;
	if (size < 0 || size > cursor->end - cursor->offset - page->header_size) {
		fault_set(fault, TOOL_DAMAGED,
			  "compressed_page_size is %jd, the column chunk has %jd bytes left",
			  (intmax_t)size,
			  (intmax_t)(cursor->end - cursor->offset - page->header_size));
		return -1;
	}
	if (page->num_values.value < 0) {
		fault_set(fault, TOOL_DAMAGED, "num_values is %jd",
			  (intmax_t)page->num_values.value);
		return -1;
	}
	cursor->offset += page->header_size + size;
	cursor->page_count++;
	if (page->type.value != PARQUET_DICTIONARY_PAGE)
		cursor->num_values += page->num_values.value;
	return 1;
}

bool
parquet_cursor_check(const struct parquet_cursor *cursor, struct fault *fault)
{
	const struct parquet_column *column = cursor->column;

	/* Pages end where the chunk does, or a fault has been told already. */
	if (cursor->num_values != column->num_values.value)
		return fault_set(
		    fault, TOOL_DAMAGED, "its pages have %jd values, num_values is %jd",
		    (intmax_t)cursor->num_values, (intmax_t)column->num_values.value);
	return true;
}

bool
parquet_page_body(struct parquet_file *file, const struct parquet_page *page,
		  struct pagecodec_page *body, struct fault *fault)
{
	const uint8_t *data;

	memset(body, 0, sizeof(*body));
	body->body_size = (size_t)page->compressed_page_size.value;
	if (!input_view(&file->input, page->offset + page->header_size, body->body_size, &data,
			fault))
		return false;
	body->body = data;
	body->uncompressed_page_size = (int32_t)page->uncompressed_page_size.value;
	body->compressed_page_size = (int32_t)page->compressed_page_size.value;
	body->has_crc = page->crc.size != 0;
	body->crc = (uint32_t)page->crc.value;
	if (page->type.value == PARQUET_DATA_PAGE_V2) {
		body->repetition_levels_byte_length =
		    (int32_t)page->repetition_levels_byte_length.value;
		body->definition_levels_byte_length =
		    (int32_t)page->definition_levels_byte_length.value;
		body->is_stored = !page->is_compressed.value && !file->denies_compression;
	}
	return true;
}

bool
parquet_check_crc(const struct pagecodec_page *body, struct fault *fault)
{
	uint32_t crc;

	if (!body->has_crc)
		return true;
	crc = pagecodec_crc32(0, body->body, body->body_size);
	if (crc == body->crc)
		return true;
	return fault_set(fault, TOOL_DAMAGED,
			 "%s: the page's CRC is %08x, its header says %08x",
			 pagecodec_status_name(PAGECODEC_CHECKSUM_MISMATCH), crc, body->crc);
}
