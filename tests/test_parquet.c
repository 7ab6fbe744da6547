/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_parquet.c - footers and pages of Parquet files that no writer here makes
 *
 * Files are put together field by field: large headers, old writers' habits, lies.
 */
#include "../tools/tools.h"

#include <stdlib.h>
#include <unistd.h>

#include "../tools/parquet.h"
#include "testing.h"

struct bytes {
	uint8_t data[400000];
	size_t size;
};

static void
put(struct bytes *bytes, const void *data, size_t size)
{
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

static void
put_varint(struct bytes *bytes, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		bytes->data[bytes->size++] = (uint8_t)(value | 0x80);
	bytes->data[bytes->size++] = (uint8_t)value;
}

/* step: how much larger the field's id is than the one before. */
static void
put_field(struct bytes *bytes, unsigned int step, enum thrift_type type)
{
	bytes->data[bytes->size++] = (uint8_t)(step << 4 | type);
}

static void
put_number(struct bytes *bytes, unsigned int step, enum thrift_type type, int64_t value)
{
	put_field(bytes, step, type);
	put_varint(bytes, (uint64_t)value << 1 ^ (0 - (uint64_t)(value < 0)));
}

static void
put_text(struct bytes *bytes, unsigned int step, const char *text)
{
	put_field(bytes, step, THRIFT_BINARY);
	put_varint(bytes, strlen(text));
	put(bytes, text, strlen(text));
}

static void
put_list(struct bytes *bytes, unsigned int step, enum thrift_type type, unsigned int count)
{
	put_field(bytes, step, THRIFT_LIST);
	bytes->data[bytes->size++] = (uint8_t)(count << 4 | type);
}

static void
put_stop(struct bytes *bytes)
{
	bytes->data[bytes->size++] = 0;
}

/* What a file with one column chunk says, and what differs from the truth. */
struct recipe {
	const char *created_by;
	size_t statistics_size; /* in each page's header */
	int64_t dictionary_page_offset, data_page_offset, size_lie, num_values;
	bool has_dictionary, is_v2, has_unknown_fields, is_external;
};

static void
put_page(struct bytes *file, const struct recipe *recipe, enum parquet_page_type type)
{
	static const int16_t ids[] = {5, 6, 7, 8};

	put_number(file, 1, THRIFT_I32, type);
	put_number(file, 1, THRIFT_I32, 8);
	put_number(file, 1, THRIFT_I32, 8);
	put_field(file, (unsigned int)ids[type] - 3, THRIFT_STRUCT);
	put_number(file, 1, THRIFT_I32, 2);
	if (type == PARQUET_DATA_PAGE_V2) {
		put_number(file, 1, THRIFT_I32, 0);
		put_number(file, 1, THRIFT_I32, 2);
		put_number(file, 1, THRIFT_I32, 0);
		put_number(file, 1, THRIFT_I32, 0);
		put_number(file, 1, THRIFT_I32, 0);
		put_field(file, 1, THRIFT_FALSE);
	} else {
		put_number(file, 1, THRIFT_I32, 0);
	}
	if (recipe->statistics_size) {
		put_field(file, 3, THRIFT_STRUCT);
		put_field(file, 1, THRIFT_BINARY);
		put_varint(file, recipe->statistics_size);
		memset(file->data + file->size, 0x1c, recipe->statistics_size);
		file->size += recipe->statistics_size;
		put_stop(file);
	}
	put_stop(file);
	if (recipe->has_unknown_fields)
		put_text(file, 9, "unknown");
	put_stop(file);
	put(file, type == PARQUET_DICTIONARY_PAGE ? "dictpage" : "datapage", 8);
}

static void
put_schema(struct bytes *file)
{
	put_list(file, 1, THRIFT_STRUCT, 3);
	put_text(file, 4, "root");
	put_number(file, 1, THRIFT_I32, 1);
	put_stop(file);
	put_text(file, 4, "group");
	put_number(file, 1, THRIFT_I32, 1);
	put_stop(file);
	put_number(file, 1, THRIFT_I32, 2);
	put_text(file, 3, "leaf\n");
	put_stop(file);
}

static void
put_column(struct bytes *file, const struct recipe *recipe, int64_t start, int64_t data,
	   int64_t end)
{
	if (recipe->is_external)
		put_text(file, 1, "elsewhere.parquet");
	put_number(file, recipe->is_external ? 1 : 2, THRIFT_I64, 0);
	put_field(file, 1, THRIFT_STRUCT);
	put_number(file, 1, THRIFT_I32, 2);
	put_list(file, 1, THRIFT_I32, 2);
	put_varint(file, 0);
	put_varint(file, 198);
	put_list(file, 1, THRIFT_BINARY, 0);
	put_number(file, 1, THRIFT_I32, PAGECODEC_UNCOMPRESSED);
	put_number(file, 1, THRIFT_I64, recipe->num_values);
	put_number(file, 1, THRIFT_I64, end - start);
	put_number(file, 1, THRIFT_I64, end - start + recipe->size_lie);
	put_number(file, 2, THRIFT_I64,
		   recipe->data_page_offset ? recipe->data_page_offset : data);
	put_number(file, 2, THRIFT_I64,
		   recipe->has_dictionary ? start : recipe->dictionary_page_offset);
	if (recipe->has_unknown_fields)
		put_text(file, 15, "unknown");
	put_stop(file);
	put_stop(file);
}

/* Opens the file that the recipe says. */
static bool
make(const struct recipe *recipe, struct parquet_file *parquet, struct fault *fault)
{
	static struct bytes file;
	char name[] = "/tmp/test_parquet.XXXXXX";
	int64_t start = 4, data;
	size_t footer;
	bool is_open;
	int fd;

	file.size = 0;
	put(&file, "PAR1", 4);
	if (recipe->has_dictionary)
		put_page(&file, recipe, PARQUET_DICTIONARY_PAGE);
	data = (int64_t)file.size;
	put_page(&file, recipe, recipe->is_v2 ? PARQUET_DATA_PAGE_V2 : PARQUET_DATA_PAGE);
	footer = file.size;
	put_number(&file, 1, THRIFT_I32, 1);
	put_schema(&file);
	put_number(&file, 1, THRIFT_I64, 2);
	put_list(&file, 1, THRIFT_STRUCT, 1);
	put_list(&file, 1, THRIFT_STRUCT, 1);
	put_column(&file, recipe, start, data, (int64_t)footer);
	put_number(&file, 1, THRIFT_I64, 0);
	put_number(&file, 1, THRIFT_I64, 2);
	put_stop(&file);
	put_text(&file, 2, recipe->created_by ? recipe->created_by : "test");
	put_stop(&file);
	footer = file.size - footer;
	for (int i = 0; i < 4; i++)
		file.data[file.size++] = (uint8_t)(footer >> (8 * i));
	put(&file, "PAR1", 4);

	fd = mkstemp(name);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, file.data, file.size), (ssize_t)file.size);
	close(fd);
	is_open = parquet_open(parquet, name, fault);
	unlink(name);
	return is_open;
}

/* Walks the chunk, which must be sound, and asserts how many pages it has. */
static void
check_pages(const struct recipe *recipe, uint32_t count)
{
	struct parquet_file file;
	struct parquet_cursor cursor;
	struct parquet_page page;
	struct pagecodec_page body;
	struct fault fault = {.text = ""};
	const char *want;
	int found;

	ck_assert_msg(make(recipe, &file, &fault), "%s", fault.text);
	ck_assert_msg(parquet_cursor_open(&cursor, &file, file.columns, &fault), "%s",
		      fault.text);
	while ((found = parquet_cursor_next(&cursor, &page, &fault)) > 0) {
		want = page.type.value == PARQUET_DICTIONARY_PAGE ? "dictpage" : "datapage";
		ck_assert(parquet_page_body(&file, &page, &body, &fault));
		ck_assert_uint_eq(body.body_size, 8);
		check_bytes("body", body.body, want, 8);
		ck_assert_int_eq(page.num_values.value, 2);
	}
	ck_assert_msg(found == 0, "%s", fault.text);
	ck_assert_uint_eq(cursor.page_count, count);
	ck_assert_msg(parquet_cursor_check(&cursor, &fault), "%s", fault.text);
	parquet_close(&file);
}

/* Opens the file and its chunk; the chunk must be refused. */
static void
check_refused(const struct recipe *recipe, const char *want)
{
	struct parquet_file file;
	struct parquet_cursor cursor;
	struct fault fault = {.text = ""};

	ck_assert_msg(make(recipe, &file, &fault), "%s", fault.text);
	ck_assert(!parquet_cursor_open(&cursor, &file, file.columns, &fault));
	ck_assert_int_eq(fault.exit, TOOL_UNREADABLE);
	ck_assert_msg(strstr(fault.text, want), "%s", fault.text);
	parquet_close(&file);
}

START_TEST(pages_of_every_kind)
{
	check_pages(&(struct recipe){.num_values = 2}, 1);
	check_pages(&(struct recipe){.num_values = 2, .has_dictionary = true}, 2);
	check_pages(&(struct recipe){.num_values = 2, .is_v2 = true}, 1);
	check_pages(&(struct recipe){.num_values = 2, .has_unknown_fields = true}, 1);
}
END_TEST

START_TEST(headers_larger_than_the_first_look)
{
	check_pages(&(struct recipe){.num_values = 2, .statistics_size = 1000}, 1);
	check_pages(&(struct recipe){.num_values = 2,
				     .has_dictionary = true,
				     .statistics_size = 150000},
		    2);
}
END_TEST

START_TEST(dictionary_page_offset_may_be_no_offset)
{
	check_pages(&(struct recipe){.num_values = 2, .dictionary_page_offset = 0}, 1);
	check_pages(&(struct recipe){.num_values = 2, .dictionary_page_offset = -1}, 1);
	check_pages(&(struct recipe){.num_values = 2, .dictionary_page_offset = 1 << 20}, 1);
}
END_TEST

START_TEST(old_parquet_mr_left_out_the_dictionary_header)
{
	struct recipe recipe = {.num_values = 2, .has_dictionary = true, .size_lie = -13};
	struct parquet_file file;
	struct parquet_cursor cursor;
	struct parquet_page page;
	struct fault fault;

	recipe.created_by = "parquet-mr version 1.2.8 (build 1)";
	check_pages(&recipe, 2);
	recipe.created_by = "parquet-mr";
	check_pages(&recipe, 2);
	recipe.created_by = "parquet-mr version 1.2.9";
	ck_assert(make(&recipe, &file, &fault));
	ck_assert(parquet_cursor_open(&cursor, &file, file.columns, &fault));
	ck_assert_int_eq(parquet_cursor_next(&cursor, &page, &fault), 1);
	ck_assert_int_eq(parquet_cursor_next(&cursor, &page, &fault), -1);
	ck_assert_int_eq(fault.exit, TOOL_DAMAGED);
	parquet_close(&file);
}
END_TEST

START_TEST(old_arrow_denied_that_it_compressed)
{
	static const struct {
		const char *created_by;
		int is_stored;
	} writers[] = {
	    {"parquet-cpp version 1.5.1-SNAPSHOT", 0},
	    {"parquet-cpp-arrow version 2.0.0", 0},
	    {"parquet-cpp-arrow version 3.0.0", 1},
	    {"parquet-cpp-arrow version 10.0.1", 1},
	    {"parquet-mr version 1.13.1 (build 2)", 1},
	    {"version 1.0.0", 1},
	    {"", 1},
	};

	for (size_t i = 0; i < COUNT_OF(writers); i++) {
		struct recipe recipe = {
		    .num_values = 2, .is_v2 = true, .created_by = writers[i].created_by};
		struct parquet_file file;
		struct parquet_cursor cursor;
		struct parquet_page page;
		struct pagecodec_page body;
		struct fault fault;

		ck_assert(make(&recipe, &file, &fault));
		ck_assert(parquet_cursor_open(&cursor, &file, file.columns, &fault));
		ck_assert_int_eq(parquet_cursor_next(&cursor, &page, &fault), 1);
		ck_assert(parquet_page_body(&file, &page, &body, &fault));
		ck_assert_msg(body.is_stored == writers[i].is_stored, "%s",
			      writers[i].created_by);
		ck_assert_int_eq(page.is_compressed.value, 0);
		parquet_close(&file);
	}
}
END_TEST

START_TEST(chunks_that_cannot_be)
{
	check_refused(&(struct recipe){.num_values = 2, .data_page_offset = 3}, "offset 3");
	check_refused(&(struct recipe){.num_values = 2, .data_page_offset = -9}, "offset -9");
	check_refused(&(struct recipe){.num_values = 2, .data_page_offset = INT64_MAX},
		      "would lie");
	check_refused(&(struct recipe){.num_values = 2, .size_lie = 1}, "would lie");
	check_refused(&(struct recipe){.num_values = 2, .size_lie = INT64_MAX - 100},
		      "would lie");
	check_refused(&(struct recipe){.num_values = 2, .size_lie = -1000}, "would lie");
	check_refused(&(struct recipe){.num_values = -2}, "-2 values");
	check_refused(&(struct recipe){.num_values = 2, .is_external = true}, "another file");
}
END_TEST

START_TEST(values_must_add_up)
{
	struct recipe recipe = {.num_values = 3};
	struct parquet_file file;
	struct parquet_cursor cursor;
	struct parquet_page page;
	struct fault fault;

	ck_assert(make(&recipe, &file, &fault));
	ck_assert(parquet_cursor_open(&cursor, &file, file.columns, &fault));
	ck_assert_int_eq(parquet_cursor_next(&cursor, &page, &fault), 1);
	ck_assert_int_eq(parquet_cursor_next(&cursor, &page, &fault), 0);
	ck_assert(!parquet_cursor_check(&cursor, &fault));
	ck_assert_int_eq(fault.exit, TOOL_DAMAGED);
	ck_assert_str_eq(fault.text, "its pages have 2 values, num_values is 3");
	parquet_close(&file);
}
END_TEST

START_TEST(numbers_know_their_bytes)
{
	struct recipe recipe = {.num_values = 2, .has_unknown_fields = true};
	struct parquet_file file;
	struct parquet_column *column;
	struct fault fault;
	int32_t encodings[PARQUET_ENCODINGS_MAX];
	char path[PARQUET_PATH_MAX];

	ck_assert(make(&recipe, &file, &fault));
	column = file.columns;
	ck_assert_uint_eq(column->num_values.size, 1);
	ck_assert_uint_eq(file.footer[column->num_values.at], 4);
	ck_assert_uint_eq(file.footer[column->codec.at], 0);
	ck_assert_uint_eq(file.footer[column->data_page_offset.at], 8);
	ck_assert_uint_eq(column->offset_index_offset.size, 0);
	ck_assert_uint_eq(parquet_encodings(&file, column, encodings), 2);
	ck_assert_int_eq(encodings[1], 99);
	ck_assert_str_eq(parquet_path(&file, 0, path), "group.leaf?");
	ck_assert_uint_eq(parquet_path_depth(&file, 0), 2);
	ck_assert_uint_eq(parquet_path_name(&file, 0, 1).size, 5);
	parquet_close(&file);
}
END_TEST

/* A footer alone, with a schema of one group in another, as deep as asked. */
static bool
read_deep_schema(struct parquet_file *file, size_t depth, struct thrift *thrift)
{
	static struct bytes bytes;
	struct thrift_field field = {0};

	bytes.size = 0;
	put_field(&bytes, 2, THRIFT_LIST);
	bytes.data[bytes.size++] = 0xf0 | THRIFT_STRUCT;
	put_varint(&bytes, depth + 1);
	for (size_t i = 0; i < depth; i++) {
		put_text(&bytes, 4, "g");
		put_number(&bytes, 1, THRIFT_I32, 1);
		put_stop(&bytes);
	}
	put_number(&bytes, 1, THRIFT_I32, 2);
	put_text(&bytes, 3, "leaf");
	put_stop(&bytes);
	memset(file, 0, sizeof(*file));
	file->input.fd = -1;
	thrift_init(thrift, bytes.data, bytes.size);
	return thrift_next(thrift, &field) && parquet_read_schema(file, thrift, &field);
}

START_TEST(schema_depth_is_bounded)
{
	struct parquet_file file;
	struct thrift thrift;
	char path[PARQUET_PATH_MAX];

	ck_assert(read_deep_schema(&file, 200, &thrift));
	ck_assert_ptr_null(thrift.fault);
	ck_assert_uint_eq(file.leaf_count, 1);
	ck_assert_uint_eq(parquet_path_depth(&file, 0), 200);
	ck_assert_uint_lt(strlen(parquet_path(&file, 0, path)), PARQUET_PATH_MAX);
	parquet_close(&file);
	ck_assert(read_deep_schema(&file, 10000, &thrift));
	ck_assert_str_eq(thrift.fault, "the schema is nested too deep");
	parquet_close(&file);
}
END_TEST

int
main(void)
{
	add_test(pages_of_every_kind);
	add_test(headers_larger_than_the_first_look);
	add_test(dictionary_page_offset_may_be_no_offset);
	add_test(old_parquet_mr_left_out_the_dictionary_header);
	add_test(old_arrow_denied_that_it_compressed);
	add_test(chunks_that_cannot_be);
	add_test(values_must_add_up);
	add_test(numbers_know_their_bytes);
	add_test(schema_depth_is_bounded);
	return run_tests("parquet");
}
