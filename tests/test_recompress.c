/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_recompress.c - whole Parquet files to another codec and back
 *
 * Files are put together field by field and hold what few writers write.  Back in its
 * first codec a file must be the one that it was, byte for byte.
 */
#include "../tools/tools.h"

#include <stdlib.h>
#include <unistd.h>

#include "../tools/recompress.h"
#include "maker.h"
#include "testing.h"

static char folder[64], in_name[80], out_name[80], back_name[80];

static void
set_up(void)
{
	strcpy(folder, "/tmp/test_recompress.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(in_name, sizeof(in_name), "%s/in", folder);
	snprintf(out_name, sizeof(out_name), "%s/out", folder);
	snprintf(back_name, sizeof(back_name), "%s/back", folder);
}

static void
tear_down(void)
{
	unlink(in_name);
	unlink(out_name);
	unlink(back_name);
	ck_assert_int_eq(rmdir(folder), 0);
}

struct wish {
	struct target target;
	enum crc_mode crc;
	bool is_unchecked;
	size_t thread_count; /* 0: one */
	int64_t left_out;
};

static bool
run(const char *from, const char *to, const struct wish *wish, struct fault *fault)
{
	struct recompress job = {.in_name = from,
				 .crc = wish->crc,
				 .is_unchecked = wish->is_unchecked,
				 .thread_count = wish->thread_count ? wish->thread_count : 1};
	struct target targets[COLUMNS] = {wish->target, wish->target, wish->target};
	bool is_good;

	if (!parquet_open(&job.in, from, fault))
		return false;
	job.targets = targets;
	is_good = rewrite_plan(&job, fault) &&
		  output_open(&job.out, to, job.in.input.fd, OUTPUT_MAY_REPLACE, fault);
	if (is_good) {
		is_good = rewrite_run(&job, fault) && compare_files(&job, fault) &&
			  output_publish(&job.out, fault);
		output_close(&job.out);
	}
	if (is_good) {
		ck_assert_int_eq(job.left_out, wish->left_out);
		ck_assert_uint_eq(job.page_count, ALL_PAGES);
	}
	rewrite_free(&job);
	parquet_close(&job.in);
	return is_good;
}

static void
recompress(const char *from, const char *to, const struct wish *wish)
{
	struct fault fault = {.text = ""};

	ck_assert_msg(run(from, to, wish, &fault), "%s", fault.text);
}

static void
check_same(const char *name, const char *other)
{
	struct bytes a = read_file(name), b = read_file(other);

	ck_assert_uint_eq(a.size, b.size);
	check_bytes(other, b.data, a.data, a.size);
	bytes_free(&a);
	bytes_free(&b);
}

/* Does what lies there begin with these bytes? */
static void
check_at(struct parquet_file *file, int64_t at, const void *want, size_t size)
{
	struct fault fault = {.text = ""};
	const uint8_t *data;

	ck_assert_msg(input_view(&file->input, at, size, &data, &fault), "%s", fault.text);
	check_bytes("part", data, want, size);
}

/* Offsets and sizes of one chunk, against the pages that are there. */
static int64_t
check_chunk(struct parquet_file *file, const struct parquet_column *column, size_t leaf)
{
	int64_t uncompressed_size = 0, first_data = 0, dictionary = 0, index_page = 0;
	struct parquet_cursor cursor;
	struct parquet_page page;
	struct fault fault = {.text = ""};

	ck_assert_msg(parquet_cursor_open(&cursor, file, column, &fault), "%s", fault.text);
	while (parquet_cursor_next(&cursor, &page, &fault) > 0) {
		uncompressed_size += page.header_size + page.uncompressed_page_size.value;
		if (page.type.value == PARQUET_DICTIONARY_PAGE)
			dictionary = page.offset;
		else if (page.type.value == PARQUET_INDEX_PAGE)
			index_page = page.offset;
		else if (first_data == 0)
			first_data = page.offset;
	}
	ck_assert_int_eq(cursor.offset, cursor.end);
	ck_assert_msg(parquet_cursor_check(&cursor, &fault), "%s", fault.text);
	ck_assert_int_eq(column->total_uncompressed_size.value, uncompressed_size);
	ck_assert_int_eq(column->data_page_offset.value, first_data);
	ck_assert_int_eq(column->dictionary_page_offset.value, dictionary);
	ck_assert_int_eq(column->index_page_offset.value, index_page);
	ck_assert_int_eq(column->file_offset.value, leaf == 0 ? cursor.start : 0);
	if (leaf != 1) {
		check_at(file, column->column_index_offset.value, maker_column_index,
			 sizeof(maker_column_index));
		check_at(file, column->bloom_filter_offset.value + 5, maker_bloom_bits,
			 sizeof(maker_bloom_bits));
	}
	return uncompressed_size;
}

static void
check_offsets(const char *name, int32_t codec)
{
	struct parquet_file file;
	struct fault fault = {.text = ""};

	ck_assert_msg(parquet_open(&file, name, &fault), "%s", fault.text);
	for (size_t i = 0; i < GROUPS; i++) {
		const struct parquet_row_group *group = &file.row_groups[i];
		const struct parquet_column *columns = &file.columns[group->first_column];
		int64_t size = 0, uncompressed_size = 0;

		for (size_t leaf = 0; leaf < COLUMNS; leaf++) {
			ck_assert_int_eq(columns[leaf].codec.value, codec);
			size += columns[leaf].total_compressed_size.value;
			uncompressed_size += check_chunk(&file, &columns[leaf], leaf);
		}
		ck_assert_int_eq(group->total_byte_size.value, uncompressed_size);
		ck_assert_int_eq(group->total_compressed_size.value, size);
		ck_assert_int_eq(group->file_offset.value, columns[0].file_offset.value);
	}
	parquet_close(&file);
}

static bool
is_built(int32_t codec)
{
	return pagecodec_find_codec(codec)->is_available;
}

START_TEST(every_codec_there_and_back)
{
	int32_t from = _i / 8, to = _i % 8;

	if (!is_built(from) || !is_built(to))
		return;
	make_file(&(struct recipe){.codec = from}, in_name);
	recompress(in_name, out_name,
		   &(struct wish){.target = {.has_codec = true, .codec = to}});
	check_offsets(out_name, to);
	recompress(
	    out_name, back_name,
	    &(struct wish){.target = {.has_codec = true, .codec = from}, .thread_count = 3});
	check_same(in_name, back_name);
}
END_TEST

START_TEST(threads_write_the_same_bytes)
{
	struct wish wish = {.target = {.has_codec = true, .codec = PAGECODEC_UNCOMPRESSED}};

	make_file(&(struct recipe){0}, in_name);
	recompress(in_name, out_name, &wish);
	check_same(in_name, out_name);
	for (wish.thread_count = 2; wish.thread_count <= 9; wish.thread_count++) {
		recompress(in_name, back_name, &wish);
		check_same(out_name, back_name);
	}
}
END_TEST

START_TEST(levels_of_the_same_codec)
{
	struct wish wish = {.target = {.has_level = true, .level = 12}};

	if (!is_built(PAGECODEC_ZSTD))
		return;
	make_file(&(struct recipe){.codec = PAGECODEC_ZSTD}, in_name);
	recompress(in_name, out_name, &wish);
	check_offsets(out_name, PAGECODEC_ZSTD);
	wish.target.level = 3;
	recompress(out_name, back_name, &wish);
	check_same(in_name, back_name);
}
END_TEST

START_TEST(without_codec_and_level_pages_are_copied)
{
	make_file(&(struct recipe){.codec = PAGECODEC_SNAPPY}, in_name);
	recompress(in_name, out_name, &(struct wish){.thread_count = 2});
	check_same(in_name, out_name);
	/* Also pages that nobody knows. */
	make_file(&(struct recipe){.lie = LIE_PAGE_TYPE}, in_name);
	recompress(in_name, out_name, &(struct wish){.thread_count = 2});
	check_same(in_name, out_name);
}
END_TEST

START_TEST(bytes_that_belong_to_nothing_are_left_out)
{
	make_file(&(struct recipe){.gap = 7}, in_name);
	recompress(in_name, out_name, &(struct wish){.left_out = 7 * GROUPS * COLUMNS});
	check_offsets(out_name, PAGECODEC_UNCOMPRESSED);
	make_file(&(struct recipe){0}, in_name);
	check_same(in_name, in_name);
}
END_TEST

/* How many pages have a CRC; all that are there must be right. */
static size_t
count_crcs(const char *name)
{
	struct parquet_file file;
	struct parquet_cursor cursor;
	struct parquet_page page;
	struct pagecodec_page body;
	struct fault fault = {.text = ""};
	size_t count = 0;

	ck_assert_msg(parquet_open(&file, name, &fault), "%s", fault.text);
	for (size_t i = 0; i < file.column_count; i++) {
		ck_assert(parquet_cursor_open(&cursor, &file, &file.columns[i], &fault));
		while (parquet_cursor_next(&cursor, &page, &fault) > 0) {
			ck_assert(parquet_page_body(&file, &page, &body, &fault));
			ck_assert_msg(parquet_check_crc(&body, &fault), "%s", fault.text);
			count += page.crc.size != 0;
		}
	}
	parquet_close(&file);
	return count;
}

START_TEST(crcs_are_kept_added_dropped)
{
	size_t some, all = ALL_PAGES;
	struct wish wish = {.target = {.has_codec = true, .codec = PAGECODEC_SNAPPY}};

	make_file(&(struct recipe){0}, in_name);
	some = count_crcs(in_name);
	ck_assert(some > 0 && some < all);
	for (size_t i = 0; i < 2; i++, wish.target.has_codec = false) {
		wish.crc = CRC_KEEP;
		recompress(in_name, out_name, &wish);
		ck_assert_uint_eq(count_crcs(out_name), some);
		wish.crc = CRC_ADD;
		recompress(in_name, out_name, &wish);
		ck_assert_uint_eq(count_crcs(out_name), all);
		wish.crc = CRC_DROP;
		recompress(out_name, back_name, &wish);
		ck_assert_uint_eq(count_crcs(back_name), 0);
	}
}
END_TEST

static void
check_fails(const struct recipe *recipe, const struct wish *wish, enum tool_exit exit,
	    const char *want)
{
	struct fault fault = {.text = ""};

	make_file(recipe, in_name);
	ck_assert(!run(in_name, out_name, wish, &fault));
	ck_assert_msg(strstr(fault.text, want), "%s", fault.text);
	ck_assert_int_eq(fault.exit, exit);
	ck_assert_int_ne(access(out_name, F_OK), 0);
}

START_TEST(a_wrong_crc_is_found_first)
{
	struct recipe recipe = {.has_bad_crc = true};
	struct wish wish = {.thread_count = 1};

	for (size_t i = 0; i < 2; i++, wish.target.has_codec = true) {
		check_fails(&recipe, &wish, TOOL_DAMAGED, "CHECKSUM_MISMATCH");
		wish.is_unchecked = true;
		recompress(in_name, out_name, &wish);
		ck_assert_uint_gt(count_crcs(out_name), 0);
		ck_assert_int_eq(unlink(out_name), 0);
		wish.is_unchecked = false;
	}
}
END_TEST

START_TEST(files_that_lie_are_refused)
{
	static const struct {
		enum lie lie;
		enum tool_exit exit;
		const char *want;
	} cases[] = {
	    {LIE_OVERLAP, TOOL_DAMAGED, "overlap"},
	    {LIE_PLACE, TOOL_DAMAGED, "column a: its offset index is damaged: no page begins"},
	    {LIE_INDEX_SIZE, TOOL_DAMAGED, "outside the file"},
	    {LIE_BLOOM, TOOL_DAMAGED, "bloom filter is damaged"},
	    {LIE_DATA_PAGE, TOOL_DAMAGED, "no page begins at data_page_offset"},
	    {LIE_VALUES, TOOL_DAMAGED, "its pages have 300 values, num_values is 301"},
	    {LIE_PAGE_TYPE, TOOL_UNREADABLE, "cannot be known"},
	    {LIE_SIGNED_FOOTER, TOOL_UNREADABLE, "encrypted"},
	    {LIE_ENCRYPTED, TOOL_UNREADABLE, "column c: it is encrypted"},
	    {LIE_EXTERNAL, TOOL_UNREADABLE, "column b: its pages lie in another file"},
	    {LIE_EARLY_INDEX, TOOL_UNREADABLE, "lies before its pages"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		for (size_t threads = 1; threads <= 3; threads += 2)
			check_fails(&(struct recipe){.lie = cases[i].lie},
				    &(struct wish){.target = {.has_codec = true,
							      .codec = PAGECODEC_SNAPPY},
						   .thread_count = threads},
				    cases[i].exit, cases[i].want);
}
END_TEST

/* Its readers take every V2 page for compressed. */
START_TEST(pages_of_writers_that_deny_are_compressed)
{
	struct parquet_file file;
	struct parquet_cursor cursor;
	struct parquet_page page;
	struct fault fault;
	size_t count = 0;

	make_file(&(struct recipe){.created_by = "parquet-cpp-arrow version 2.0.0"}, in_name);
	recompress(in_name, out_name,
		   &(struct wish){.target = {.has_codec = true, .codec = PAGECODEC_SNAPPY}});
	ck_assert(parquet_open(&file, out_name, &fault));
	ck_assert(parquet_cursor_open(&cursor, &file, &file.columns[1], &fault));
	while (parquet_cursor_next(&cursor, &page, &fault) > 0) {
		ck_assert_int_eq(page.is_compressed.value, 1);
		count += page.compressed_page_size.value > page.uncompressed_page_size.value;
	}
	ck_assert_uint_eq(count, 1);
	parquet_close(&file);
	recompress(
	    out_name, back_name,
	    &(struct wish){.target = {.has_codec = true, .codec = PAGECODEC_UNCOMPRESSED}});
}
END_TEST

int
main(void)
{
	add_fixture(set_up, tear_down);
	add_loop(every_codec_there_and_back, 64);
	add_test(threads_write_the_same_bytes);
	add_test(levels_of_the_same_codec);
	add_test(without_codec_and_level_pages_are_copied);
	add_test(bytes_that_belong_to_nothing_are_left_out);
	add_test(crcs_are_kept_added_dropped);
	add_test(a_wrong_crc_is_found_first);
	add_test(files_that_lie_are_refused);
	add_test(pages_of_writers_that_deny_are_compressed);
	return run_tests("recompress");
}
