/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compare.c - read back what recompress wrote, and hold it against what it read
 *
 * The file has no name yet: what is not found equal never appears.
 */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

#include "recompress.h"
#include "text.h"

#define READ_AHEAD (512 << 10)

struct compare {
	struct recompress *job;
	struct parquet_file out;
	struct crew crew;
	uint64_t done; /* bytes of the output, under the crew's lock */
};

/* One chunk in one of the two files. */
struct side {
	struct parquet_file file;
	const struct parquet_column *column;
	struct parquet_cursor cursor;
	struct parquet_page page;
	struct pagecodec_page body;
	struct pagecodec_decompressor *decompressor; /* NULL: not built */
};

static bool
open_side(struct compare *compare, struct side *side, struct fault *fault)
{
	struct pagecodec_error error;

	side->file.input.read_ahead = READ_AHEAD;
	if (!parquet_cursor_open(&side->cursor, &side->file, side->column, fault))
		return false;
	if (pagecodec_decompressor_get(compare->job->factory,
				       (int32_t)side->column->codec.value, NULL,
				       &side->decompressor, &error) == PAGECODEC_OK ||
	    tool_exit_of(error.status) == TOOL_NOT_BUILT)
		return true;
	return fault_of_library(fault, &error);
}

static bool
is_equal(const struct pagecodec_span *a, const struct pagecodec_span *b)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.*): decompress, when true, has set both */
	return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

/* All that the headers say but how the page is compressed. */
static bool
has_equal_header(const struct parquet_page *a, const struct parquet_page *b)
{
	return a->type.value == b->type.value && a->num_values.value == b->num_values.value &&
	       a->uncompressed_page_size.value == b->uncompressed_page_size.value &&
	       a->encoding.value == b->encoding.value &&
	       a->num_nulls.value == b->num_nulls.value &&
	       a->num_rows.value == b->num_rows.value &&
	       a->definition_levels_byte_length.value ==
		   b->definition_levels_byte_length.value &&
	       a->repetition_levels_byte_length.value == b->repetition_levels_byte_length.value;
}

/* Pages that were copied need not be decompressed, and cannot be where their codec is
 * not built. */
static bool
is_copy(const struct side *a, const struct side *b)
{
	struct pagecodec_span bodies[2] = {{a->body.body, a->body.body_size},
					   {b->body.body, b->body.body_size}};

	return a->column->codec.value == b->column->codec.value &&
	       a->body.is_stored == b->body.is_stored && is_equal(&bodies[0], &bodies[1]);
}

static bool
decompress(const struct side *side, struct pagecodec_span *levels,
	   struct pagecodec_span *values, struct fault *fault)
{
	struct pagecodec_error error;

	if (parquet_is_plain_index(&side->page)) {
		*levels = (struct pagecodec_span){side->body.body, 0};
		*values = (struct pagecodec_span){side->body.body, side->body.body_size};
		return parquet_check_crc(&side->body, fault);
	}
	if (!side->decompressor)
		return fault_set(fault, TOOL_NOT_BUILT, "its codec is not in this build");
	return pagecodec_decompress_page(side->decompressor, &side->body, NULL, 0, levels,
					 values, &error) == PAGECODEC_OK ||
	       fault_of_library(fault, &error);
}

static bool
compare_pages(struct side sides[2], struct fault *fault)
{
	struct pagecodec_span levels[2], values[2];

	for (size_t i = 0; i < 2; i++)
		if (!parquet_page_body(&sides[i].file, &sides[i].page, &sides[i].body, fault))
			return false;
	sides[0].body.has_crc = 0;
	if (!has_equal_header(&sides[0].page, &sides[1].page))
		return fault_set(fault, TOOL_DAMAGED, "its header came back different");
	if (is_copy(&sides[0], &sides[1]))
		return parquet_check_crc(&sides[1].body, fault);
	for (size_t i = 0; i < 2; i++)
		if (!decompress(&sides[i], &levels[i], &values[i], fault))
			return false;
	return (is_equal(&levels[0], &levels[1]) && is_equal(&values[0], &values[1])) ||
	       fault_set(fault, TOOL_DAMAGED, "it came back different");
}

static bool
add_page(struct page_move **pages, const struct side *side, uint64_t number,
	 struct fault *fault)
{
	const struct parquet_cursor *cursor = &side->cursor;
	int64_t offset = cursor->page_count > number ? side->page.offset : cursor->offset;

	if (!parquet_grow(pages, (size_t)number, sizeof(**pages)))
		return fault_set(fault, TOOL_UNREADABLE, "no memory for its pages' places");
	(*pages)[number] = (struct page_move){offset, offset};
	return true;
}

/* With nothing moved it must come out as it went in. */
static bool
compare_offset_index(struct side *side, const struct page_move *pages, uint64_t page_count,
		     struct fault *fault)
{
	const struct parquet_column *column = side->column;
	size_t size = (size_t)column->offset_index_length.value;
	struct bytes bytes = {0};
	const uint8_t *data;
	bool is_good;

	if (column->offset_index_offset.value == 0)
		return true;
	is_good = input_view(&side->file.input, column->offset_index_offset.value, size, &data,
			     fault) &&
		  refooter_offset_index(&bytes, data, size, pages, page_count, 0, fault);
	if (is_good && (bytes.size != size || memcmp(bytes.data, data, size) != 0))
		is_good = fault_set(fault, TOOL_DAMAGED, "its offset index is wrong");
	bytes_free(&bytes);
	return is_good;
}

static bool
compare_sides(struct side sides[2], struct page_move **pages, struct fault *fault)
{
	uint64_t count = 0;
	int found[2] = {0, 0};

	for (;; count++) {
		for (size_t i = 0; i < 2; i++) {
			found[i] = parquet_cursor_next(&sides[i].cursor, &sides[i].page, fault);
			if (found[i] < 0)
				return false;
		}
		if (found[0] != found[1])
			return fault_set(fault, TOOL_DAMAGED, "it has other pages");
		if (!add_page(pages, &sides[1], count, fault))
			return false;
		if (found[0] == 0)
			break;
		if (!compare_pages(sides, fault))
			return false;
	}
	memset(&sides[1].page, 0, sizeof(sides[1].page));
	return compare_offset_index(&sides[1], *pages, count, fault);
}

static bool
compare_chunk(struct compare *compare, struct side sides[2], size_t number, struct fault *fault)
{
	struct page_move *pages = NULL;
	bool is_good;

	sides[0].column = &compare->job->in.columns[number];
	sides[1].column = &compare->out.columns[number];
	for (size_t i = 0; i < 2; i++)
		sides[i].decompressor = NULL;
	memset(&sides[1].page, 0, sizeof(sides[1].page));
	is_good = open_side(compare, &sides[0], fault) &&
		  open_side(compare, &sides[1], fault) && compare_sides(sides, &pages, fault);
	if (!is_good)
		parquet_locate(&compare->out, compare->job->chunks[number].row_group,
			       compare->job->chunks[number].leaf,
			       sides[1].page.header_size ? &sides[1].page : NULL, fault);
	for (size_t i = 0; i < 2; i++)
		pagecodec_decompressor_release(sides[i].decompressor);
	free(pages);
	return is_good;
}

static void
show_progress(struct compare *compare, const struct side *side)
{
	pthread_mutex_lock(&compare->crew.lock);
	compare->done += (uint64_t)side->column->total_compressed_size.value;
	progress_show("compared", compare->done, (uint64_t)compare->out.footer_offset);
	pthread_mutex_unlock(&compare->crew.lock);
}

static void
run_thread(void *context)
{
	struct compare *compare = context;
	struct side sides[2];
	struct fault fault;
	size_t number;

	parquet_share(&sides[0].file, &compare->job->in);
	parquet_share(&sides[1].file, &compare->out);
	while (crew_take(&compare->crew, &number))
		if (compare_chunk(compare, sides, number, &fault))
			show_progress(compare, &sides[1]);
		else
			crew_fail(&compare->crew, number, &fault);
	parquet_unshare(&sides[0].file);
	parquet_unshare(&sides[1].file);
}

bool
compare_files(struct recompress *job, struct fault *fault)
{
	struct compare compare = {.job = job};
	struct pagecodec_error error;
	bool is_good;

	if (!parquet_open_fd(&compare.out, job->out.fd, fault))
		return false;
	if (compare.out.column_count != job->in.column_count ||
	    compare.out.num_rows.value != job->in.num_rows.value)
		is_good = fault_set(fault, TOOL_DAMAGED, "it has other columns or rows");
	else if (pagecodec_factory_create(NULL, &job->factory, &error) != PAGECODEC_OK)
		is_good = fault_of_library(fault, &error);
	else {
		crew_init(&compare.crew);
		is_good = crew_run(&compare.crew, job->in.column_count, job->thread_count,
				   run_thread, &compare, fault);
		crew_destroy(&compare.crew);
	}
	progress_clear();
	pagecodec_factory_destroy(job->factory);
	job->factory = NULL;
	parquet_close(&compare.out);
	return is_good;
}
