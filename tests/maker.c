/* SPDX-License-Identifier: Apache-2.0 */
/*
 * maker.c - a Parquet file, put together field by field
 *
 * Format: parquet.thrift of apache/parquet-format.
 */
#include "maker.h"

#include <stdio.h>
#include <stdlib.h>

#include "../tools/parquet.h"
#include "testing.h"
#include "thrift_put.h"

#define VALUES 100
#define BODY_SIZE 4000

const char maker_column_index[24] = "a column index, copied";
const char maker_bloom_bits[24] = "a bloom filter's bits";

struct place {
	int64_t from, size;
};

struct made_chunk {
	struct place all, dictionary, index_page, data[PAGES];
	struct place column_index, offset_index, bloom;
	int64_t uncompressed_size;
};

struct maker {
	const struct recipe *recipe;
	struct bytes file;
	struct made_chunk chunks[GROUPS][COLUMNS];
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;
};

static void
put_statistics(struct bytes *bytes, int16_t *last, int16_t id)
{
	int16_t inner = 0;

	thrift_put_field(bytes, last, id, THRIFT_STRUCT);
	put_text(bytes, &inner, 5, "most");
	put_text(bytes, &inner, 6, "least");
	put_stop(bytes);
}

static void
put_header(struct maker *maker, int64_t type, const struct pagecodec_page *page)
{
	static const int16_t headers[] = {5, 6, 7, 8};
	struct bytes *file = &maker->file;
	int16_t last = 0, inner = 0;

	put_number(file, &last, 1, THRIFT_I32, type);
	put_number(file, &last, 2, THRIFT_I32, page->uncompressed_page_size);
	put_number(file, &last, 3, THRIFT_I32, page->compressed_page_size);
	if (page->has_crc)
		put_number(file, &last, 4, THRIFT_I32,
			   (int32_t)page->crc ^ maker->recipe->has_bad_crc);
	if (type <= PARQUET_DATA_PAGE_V2) {
		thrift_put_field(file, &last, headers[type], THRIFT_STRUCT);
		if (type != PARQUET_INDEX_PAGE)
			put_number(file, &inner, 1, THRIFT_I32, VALUES);
		if (type == PARQUET_DATA_PAGE_V2) {
			put_number(file, &inner, 2, THRIFT_I32, 0);
			put_number(file, &inner, 3, THRIFT_I32, VALUES);
			put_number(file, &inner, 4, THRIFT_I32, 0);
			put_number(file, &inner, 5, THRIFT_I32,
				   page->definition_levels_byte_length);
			put_number(file, &inner, 6, THRIFT_I32,
				   page->repetition_levels_byte_length);
			thrift_put_field(file, &inner, 7,
					 page->is_stored ? THRIFT_FALSE : THRIFT_TRUE);
		} else if (type != PARQUET_INDEX_PAGE) {
			put_number(file, &inner, 2, THRIFT_I32, 0);
		}
		put_statistics(file, &inner, 8);
		put_text(file, &inner, 30, "unknown");
		put_stop(file);
	}
	put_text(file, &last, 40, "unknown");
	put_stop(file);
}

/* Random bytes, which V2 pages store, where kind says so. */
static struct place
put_page(struct maker *maker, struct made_chunk *chunk, int64_t type, enum page_kind kind)
{
	unsigned char *body = new_page(kind, maker->file.size, BODY_SIZE);
	struct pagecodec_span levels[2] = {{body, 0}, {body, 11}};
	struct pagecodec_span values = {body, BODY_SIZE};
	struct place place = {.from = (int64_t)maker->file.size};
	struct pagecodec_page page;
	struct pagecodec_error error;

	if (type == PARQUET_DATA_PAGE_V2) {
		levels[0].size = 7;
		assert_ok(pagecodec_compress_page_v2(maker->compressor, &levels[0], &levels[1],
						     &values, 1, NULL, 0, &page, &error),
			  &error);
	} else {
		assert_ok(pagecodec_compress_page_v1(maker->compressor, &values, 1, NULL, 0,
						     &page, &error),
			  &error);
	}
	/* Some have a CRC. */
	page.has_crc = type != PARQUET_INDEX_PAGE && maker->file.size % 3 != 0;
	page.crc = pagecodec_crc32(0, page.body, page.body_size);
	put_header(maker, type, &page);
	chunk->uncompressed_size += (int64_t)maker->file.size - place.from;
	chunk->uncompressed_size += page.uncompressed_page_size;
	bytes_put(&maker->file, page.body, page.body_size);
	place.size = (int64_t)maker->file.size - place.from;
	free(body);
	return place;
}

/* Column 0: V1 with a dictionary; 1: V2, of text and of noise; 2: an index page too. */
static void
put_chunk(struct maker *maker, struct made_chunk *chunk, size_t column)
{
	int64_t type = column == 1 ? PARQUET_DATA_PAGE_V2 : PARQUET_DATA_PAGE;

	chunk->all.from = (int64_t)maker->file.size;
	if (column == 0)
		chunk->dictionary =
		    put_page(maker, chunk, PARQUET_DICTIONARY_PAGE, PAGE_DOUBLES);
	for (size_t i = 0; i < PAGES; i++) {
		if (column == 2 && i == 1)
			chunk->index_page = put_page(
			    maker, chunk,
			    maker->recipe->lie == LIE_PAGE_TYPE ? 9 : PARQUET_INDEX_PAGE,
			    PAGE_TEXT);
		chunk->data[i] =
		    put_page(maker, chunk, type, i == 2 ? PAGE_RANDOM : PAGE_STEPS);
	}
	chunk->all.size = (int64_t)maker->file.size - chunk->all.from;
	for (int64_t i = 0; i < maker->recipe->gap; i++)
		put_stop(&maker->file);
}

static void
put_offset_index(struct maker *maker, struct made_chunk *chunk)
{
	struct bytes *file = &maker->file;
	int16_t last = 0, inner;

	chunk->offset_index.from = (int64_t)file->size;
	put_list(file, &last, 1, THRIFT_STRUCT, PAGES);
	for (size_t i = 0; i < PAGES; i++) {
		inner = 0;
		put_number(file, &inner, 1, THRIFT_I64,
			   chunk->data[i].from + (maker->recipe->lie == LIE_PLACE));
		put_number(file, &inner, 2, THRIFT_I32, chunk->data[i].size);
		put_number(file, &inner, 3, THRIFT_I64, (int64_t)i * VALUES);
		put_stop(file);
	}
	put_text(file, &last, 9, "unknown");
	put_stop(file);
	chunk->offset_index.size = (int64_t)file->size - chunk->offset_index.from;
}

/* Columns 0 and 2 have all three; 0 does not say how long its bloom filter is. */
static void
put_indexes(struct maker *maker)
{
	struct bytes *file = &maker->file;

	for (size_t i = 0; i < GROUPS * COLUMNS; i++) {
		struct made_chunk *chunk = &maker->chunks[i / COLUMNS][i % COLUMNS];
		int16_t last = 0;

		if (i % COLUMNS == 1)
			continue;
		chunk->column_index.from = (int64_t)file->size;
		chunk->column_index.size = sizeof(maker_column_index);
		bytes_put(file, maker_column_index, sizeof(maker_column_index));
		put_offset_index(maker, chunk);
		chunk->bloom.from = (int64_t)file->size;
		put_number(file, &last, 1, THRIFT_I32, sizeof(maker_bloom_bits));
		thrift_put_field(file, &last, 2, THRIFT_STRUCT);
		put_stop(file);
		put_stop(file);
		bytes_put(file, maker_bloom_bits, sizeof(maker_bloom_bits));
		chunk->bloom.size = (int64_t)file->size - chunk->bloom.from;
	}
}

static void
put_column_meta(struct maker *maker, const struct made_chunk *chunk, size_t column)
{
	enum lie lie = maker->recipe->lie;
	struct bytes *file = &maker->file;
	int16_t last = 0;

	put_number(file, &last, 1, THRIFT_I32, 2);
	put_list(file, &last, 2, THRIFT_I32, 0);
	put_list(file, &last, 3, THRIFT_BINARY, 0);
	put_number(file, &last, 4, THRIFT_I32, maker->recipe->codec);
	put_number(file, &last, 5, THRIFT_I64, PAGES * VALUES + (lie == LIE_VALUES));
	put_number(file, &last, 6, THRIFT_I64, chunk->uncompressed_size);
	put_number(file, &last, 7, THRIFT_I64, chunk->all.size);
	put_number(file, &last, 9, THRIFT_I64,
		   chunk->data[0].from +
		       (lie == LIE_DATA_PAGE && chunk->dictionary.from ? 5 : 0));
	if (chunk->index_page.from)
		put_number(file, &last, 10, THRIFT_I64, chunk->index_page.from);
	if (chunk->dictionary.from)
		put_number(file, &last, 11, THRIFT_I64, chunk->dictionary.from);
	put_statistics(file, &last, 12);
	if (chunk->bloom.from)
		put_number(file, &last, 14, THRIFT_I64,
			   lie == LIE_BLOOM ? chunk->bloom.from + 1 : chunk->bloom.from);
	if (column == 2)
		put_number(file, &last, 15, THRIFT_I32, chunk->bloom.size);
	put_text(file, &last, 40, "unknown");
	put_stop(file);
}

static void
put_column(struct maker *maker, const struct made_chunk *chunk, size_t column)
{
	enum lie lie = maker->recipe->lie;
	struct bytes *file = &maker->file;
	int16_t last = 0, inner = 0;

	if (lie == LIE_EXTERNAL && column == 1)
		put_text(file, &last, 1, "elsewhere.parquet");
	/* What writers have put here: the first page, and nothing. */
	put_number(file, &last, 2, THRIFT_I64, column == 0 ? chunk->all.from : 0);
	thrift_put_field(file, &last, 3, THRIFT_STRUCT);
	put_column_meta(maker, chunk, column);
	if (column != 1) {
		put_number(file, &last, 4, THRIFT_I64, chunk->offset_index.from);
		put_number(file, &last, 5, THRIFT_I32, chunk->offset_index.size);
		put_number(file, &last, 6, THRIFT_I64, chunk->column_index.from);
		put_number(file, &last, 7, THRIFT_I32,
			   lie == LIE_INDEX_SIZE ? 1 << 30 : chunk->column_index.size);
	}
	if (lie == LIE_ENCRYPTED && column == 2) {
		thrift_put_field(file, &last, 8, THRIFT_STRUCT);
		thrift_put_field(file, &inner, 1, THRIFT_STRUCT);
		put_stop(file);
		put_stop(file);
	}
	put_text(file, &last, 40, "unknown");
	put_stop(file);
}

static void
put_row_group(struct maker *maker, const struct made_chunk *chunks, size_t number)
{
	struct bytes *file = &maker->file;
	int64_t size = 0, uncompressed_size = 0;
	int16_t last = 0;

	put_list(file, &last, 1, THRIFT_STRUCT, COLUMNS);
	for (size_t i = 0; i < COLUMNS; i++) {
		bool is_twin = maker->recipe->lie == LIE_OVERLAP && i == 2;

		put_column(maker, is_twin ? &maker->chunks[0][2] : &chunks[i], i);
		size += chunks[i].all.size;
		uncompressed_size += chunks[i].uncompressed_size;
	}
	put_number(file, &last, 2, THRIFT_I64, uncompressed_size);
	put_number(file, &last, 3, THRIFT_I64, PAGES * VALUES);
	/* sorting_columns, of one column */
	put_list(file, &last, 4, THRIFT_STRUCT, 1);
	put_stop(file);
	put_number(file, &last, 5, THRIFT_I64, chunks[0].all.from);
	put_number(file, &last, 6, THRIFT_I64, size);
	put_number(file, &last, 7, THRIFT_I16, (int64_t)number);
	put_text(file, &last, 40, "unknown");
	put_stop(file);
}

static void
put_schema(struct bytes *file, int16_t *last)
{
	int16_t inner = 0;

	put_list(file, last, 2, THRIFT_STRUCT, COLUMNS + 1);
	put_text(file, &inner, 4, "root");
	put_number(file, &inner, 5, THRIFT_I32, COLUMNS);
	put_stop(file);
	for (size_t i = 0; i < COLUMNS; i++) {
		inner = 0;
		put_number(file, &inner, 1, THRIFT_I32, 2);
		put_text(file, &inner, 4, (const char[]){(char)('a' + i), '\0'});
		put_stop(file);
	}
}

static void
put_footer(struct maker *maker)
{
	struct bytes *file = &maker->file;
	size_t from = file->size, size;
	int16_t last = 0, inner = 0;

	put_number(file, &last, 1, THRIFT_I32, 2);
	put_schema(file, &last);
	put_number(file, &last, 3, THRIFT_I64, GROUPS * PAGES * VALUES);
	put_list(file, &last, 4, THRIFT_STRUCT, GROUPS);
	for (size_t i = 0; i < GROUPS; i++)
		put_row_group(maker, maker->chunks[i], i);
	put_list(file, &last, 5, THRIFT_STRUCT, 1);
	put_text(file, &inner, 1, "key");
	put_text(file, &inner, 2, "value");
	put_stop(file);
	put_text(file, &last, 6, maker->recipe->created_by ? maker->recipe->created_by : "me");
	if (maker->recipe->lie == LIE_SIGNED_FOOTER) {
		thrift_put_field(file, &last, 8, THRIFT_STRUCT);
		put_stop(file);
	}
	put_text(file, &last, 40, "unknown");
	put_stop(file);
	size = file->size - from;
	put_little(file, size, 4);
	bytes_put(file, "PAR1", 4);
}

struct bytes
read_file(const char *name)
{
	struct bytes bytes = {0};
	FILE *file = fopen(name, "r");
	char piece[4096];
	size_t got;

	ck_assert_ptr_nonnull(file);
	while ((got = fread(piece, 1, sizeof(piece), file)) > 0)
		bytes_put(&bytes, piece, got);
	fclose(file);
	return bytes;
}

void
make_file(const struct recipe *recipe, const char *name)
{
	struct maker maker = {.recipe = recipe};
	struct pagecodec_error error;
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	assert_ok(pagecodec_factory_create(NULL, &maker.factory, &error), &error);
	assert_ok(pagecodec_compressor_get(maker.factory, recipe->codec, NULL,
					   &maker.compressor, &error),
		  &error);
	bytes_put(&maker.file, "PAR1", 4);
	if (recipe->lie == LIE_EARLY_INDEX)
		put_indexes(&maker);
	for (size_t i = 0; i < GROUPS * COLUMNS; i++)
		put_chunk(&maker, &maker.chunks[i / COLUMNS][i % COLUMNS], i % COLUMNS);
	if (recipe->lie != LIE_EARLY_INDEX)
		put_indexes(&maker);
	put_footer(&maker);
	ck_assert(!maker.file.is_out_of_memory);
	ck_assert_uint_eq(fwrite(maker.file.data, 1, maker.file.size, file), maker.file.size);
	ck_assert_int_eq(fclose(file), 0);
	bytes_free(&maker.file);
	pagecodec_compressor_release(maker.compressor);
	pagecodec_factory_destroy(maker.factory);
}
