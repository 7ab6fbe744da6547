/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_inspect.c - pagecodec inspect: what a file's column chunks and pages are
 *
 * Reads headers only, and a page's body where its CRC is to be shown.  Sizes are
 * sums over pages, without their headers.  JSON's keys are stable: new ones may come.
 */
#include "tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "parquet.h"
#include "text.h"

/* A column chunk, or the whole file. */
struct sums {
	uint64_t pages, uncompressed_size, compressed_size;
};

struct inspect {
	const char *name;
	struct parquet_file file;
	bool lists_pages;
	struct json *json; /* NULL: text */
	int path_width;
	enum tool_exit exit;
	bool has_unreadable; /* said once: it may be so of all column chunks */
	struct sums total;
};

static const struct parquet_column *
column_of(const struct inspect *inspect, size_t group, size_t leaf)
{
	return &inspect->file.columns[inspect->file.row_groups[group].first_column + leaf];
}

static void
report(struct inspect *inspect, size_t group, size_t leaf, const struct parquet_page *page,
       struct fault *fault)
{
	parquet_locate(&inspect->file, group, leaf, page, fault);
	inspect->exit = tool_worse(inspect->exit, fault_report(fault, inspect->name));
}

/* false: its pages cannot be found, or not all; *sums has those that were. */
static bool
sum_pages(struct inspect *inspect, size_t group, size_t leaf, struct sums *sums)
{
	struct parquet_cursor cursor;
	struct parquet_page page;
	struct fault fault;
	int found;

	memset(sums, 0, sizeof(*sums));
	if (!parquet_cursor_open(&cursor, &inspect->file, column_of(inspect, group, leaf),
				 &fault)) {
		if (!inspect->has_unreadable)
			report(inspect, group, leaf, NULL, &fault);
		inspect->has_unreadable = true;
		return false;
	}
	while ((found = parquet_cursor_next(&cursor, &page, &fault)) > 0) {
		sums->pages++;
		if (page.uncompressed_page_size.value > 0)
			sums->uncompressed_size += (uint64_t)page.uncompressed_page_size.value;
		sums->compressed_size += (uint64_t)page.compressed_page_size.value;
	}
	inspect->total.pages += sums->pages;
	inspect->total.uncompressed_size += sums->uncompressed_size;
	inspect->total.compressed_size += sums->compressed_size;
	if (found < 0) {
		report(inspect, group, leaf, &page, &fault);
		return false;
	}
	return true;
}

/* "none", "ok" or "wrong". */
static const char *
crc_state(struct inspect *inspect, size_t group, size_t leaf, const struct parquet_page *page)
{
	struct pagecodec_page body;
	struct fault fault;

	if (!page->crc.size)
		return "none";
	if (!parquet_page_body(&inspect->file, page, &body, &fault)) {
		report(inspect, group, leaf, page, &fault);
		return "unreadable";
	}
	if (pagecodec_crc32(0, body.body, body.body_size) == body.crc)
		return "ok";
	inspect->exit = tool_worse(inspect->exit, TOOL_DAMAGED);
	return "wrong";
}

/* As the page is read, which need not be what its header says. */
static const char *
compressed_state(const struct inspect *inspect, const struct parquet_column *column,
		 const struct parquet_page *page)
{
	if (column->codec.value == PAGECODEC_UNCOMPRESSED ||
	    (page->type.value == PARQUET_DATA_PAGE_V2 && !page->is_compressed.value &&
	     !inspect->file.denies_compression))
		return "no";
	return "yes";
}

static void
print_page(struct inspect *inspect, size_t group, size_t leaf, const struct parquet_page *page)
{
	char type[PARQUET_NAME_MAX], encoding[PARQUET_NAME_MAX];

	printf("    %5u %12" PRId64 "  %-15s  %-23s %10" PRId64 " %12" PRId64 " %12" PRId64
	       "  %-13s  %s\n",
	       page->number, page->offset, parquet_page_type_name(page->type.value, type),
	       parquet_page_has_data(page)
		   ? parquet_encoding_name(page->encoding.value, encoding)
		   : "-",
	       page->num_values.value, page->uncompressed_page_size.value,
	       page->compressed_page_size.value,
	       compressed_state(inspect, column_of(inspect, group, leaf), page),
	       crc_state(inspect, group, leaf, page));
}

static void
json_page(struct inspect *inspect, size_t group, size_t leaf, const struct parquet_page *page)
{
	char type[PARQUET_NAME_MAX], encoding[PARQUET_NAME_MAX];
	struct json *json = inspect->json;

	json_open(json, NULL, '{');
	json_int(json, "offset", page->offset);
	json_int(json, "header_size", page->header_size);
	json_text(json, "type", parquet_page_type_name(page->type.value, type));
	json_int(json, "uncompressed_page_size", page->uncompressed_page_size.value);
	json_int(json, "compressed_page_size", page->compressed_page_size.value);
	if (parquet_page_has_data(page)) {
		json_int(json, "num_values", page->num_values.value);
		json_text(json, "encoding",
			  parquet_encoding_name(page->encoding.value, encoding));
	}
	if (page->type.value == PARQUET_DATA_PAGE_V2) {
		json_int(json, "num_nulls", page->num_nulls.value);
		json_int(json, "num_rows", page->num_rows.value);
		json_int(json, "repetition_levels_byte_length",
			 page->repetition_levels_byte_length.value);
		json_int(json, "definition_levels_byte_length",
			 page->definition_levels_byte_length.value);
		json_bool(json, "is_compressed", page->is_compressed.value);
	}
	json_text(json, "crc", crc_state(inspect, group, leaf, page));
	json_close(json, '}');
}

/* The faults on the way were reported when the pages were summed. */
static void
list_pages(struct inspect *inspect, size_t group, size_t leaf)
{
	struct parquet_cursor cursor;
	struct parquet_page page;
	struct fault fault;

	if (!parquet_cursor_open(&cursor, &inspect->file, column_of(inspect, group, leaf),
				 &fault))
		return;
	if (!inspect->json)
		printf("    %5s %12s  %-15s  %-23s %10s %12s %12s  %-13s  %s\n", "page",
		       "offset", "type", "encoding", "values", "uncompressed", "compressed",
		       "is_compressed", "crc");
	while (parquet_cursor_next(&cursor, &page, &fault) > 0) {
		if (inspect->json)
			json_page(inspect, group, leaf, &page);
		else
			print_page(inspect, group, leaf, &page);
	}
}

static void
print_column(struct inspect *inspect, size_t group, size_t leaf)
{
	const struct parquet_column *column = column_of(inspect, group, leaf);
	char path[PARQUET_PATH_MAX], codec[PARQUET_NAME_MAX], name[PARQUET_NAME_MAX];
	char ratio[TEXT_SIZE_MAX];
	int32_t encodings[PARQUET_ENCODINGS_MAX];
	size_t count = parquet_encodings(&inspect->file, column, encodings);
	struct sums sums;

	sum_pages(inspect, group, leaf, &sums);
	printf("  %-*s  %-12s %6" PRIu64 " %13" PRIu64 " %13" PRIu64 " %7s ",
	       inspect->path_width, parquet_path(&inspect->file, leaf, path),
	       column->is_encrypted ? "(encrypted)"
				    : parquet_codec_name(column->codec.value, codec),
	       sums.pages, sums.uncompressed_size, sums.compressed_size,
	       text_ratio(ratio, sums.uncompressed_size, sums.compressed_size));
	for (size_t i = 0; i < count; i++)
		printf(" %s", parquet_encoding_name(encodings[i], name));
	putchar('\n');
	if (inspect->lists_pages)
		list_pages(inspect, group, leaf);
}

static void
json_column(struct inspect *inspect, size_t group, size_t leaf)
{
	const struct parquet_column *column = column_of(inspect, group, leaf);
	char name[PARQUET_NAME_MAX];
	int32_t encodings[PARQUET_ENCODINGS_MAX];
	size_t count = parquet_encodings(&inspect->file, column, encodings);
	size_t depth = parquet_path_depth(&inspect->file, leaf);
	struct json *json = inspect->json;
	struct sums sums;

	json_open(json, NULL, '{');
	json_string_open(json, "path");
	for (size_t level = 0; level < depth; level++) {
		struct thrift_bytes part = parquet_path_name(&inspect->file, leaf, level);

		if (level)
			json_string_bytes(json, ".", 1);
		json_string_bytes(json, part.data, part.size);
	}
	json_string_close(json);
	json_text(json, "codec", parquet_codec_name(column->codec.value, name));
	json_bool(json, "is_encrypted", column->is_encrypted);
	json_open(json, "encodings", '[');
	for (size_t i = 0; i < count; i++)
		json_text(json, NULL, parquet_encoding_name(encodings[i], name));
	json_close(json, ']');
	json_int(json, "num_values", column->num_values.value);
	json_int(json, "total_uncompressed_size", column->total_uncompressed_size.value);
	json_int(json, "total_compressed_size", column->total_compressed_size.value);
	json_bool(json, "is_readable", sum_pages(inspect, group, leaf, &sums));
	json_int(json, "page_count", (int64_t)sums.pages);
	json_int(json, "uncompressed_size", (int64_t)sums.uncompressed_size);
	json_int(json, "compressed_size", (int64_t)sums.compressed_size);
	if (inspect->lists_pages) {
		json_open(json, "pages", '[');
		list_pages(inspect, group, leaf);
		json_close(json, ']');
	}
	json_close(json, '}');
}

static void
print_file(struct inspect *inspect)
{
	struct parquet_file *file = &inspect->file;
	char created_by[PARQUET_PATH_MAX], size[TEXT_SIZE_MAX], ratio[TEXT_SIZE_MAX];
	struct sums *total = &inspect->total;

	printf("%s: %s, %" PRId64 " row%s, %zu row group%s, %zu column%s\n", inspect->name,
	       text_size(size, (uint64_t)file->input.size), file->num_rows.value,
	       text_plural((uint64_t)file->num_rows.value), file->row_group_count,
	       text_plural(file->row_group_count), file->leaf_count,
	       text_plural(file->leaf_count));
	printf("written by: %s\n", file->created_by.size
				       ? text_name(created_by, sizeof(created_by),
						   file->created_by.data, file->created_by.size)
				       : "(not said)");
	for (size_t group = 0; group < file->row_group_count; group++) {
		printf("\nrow group %zu: %" PRId64 " row%s\n", group,
		       file->row_groups[group].num_rows.value,
		       text_plural((uint64_t)file->row_groups[group].num_rows.value));
		printf("  %-*s  %-12s %6s %13s %13s %7s  %s\n", inspect->path_width, "column",
		       "codec", "pages", "uncompressed", "compressed", "ratio", "encodings");
		for (size_t leaf = 0; leaf < file->leaf_count; leaf++)
			print_column(inspect, group, leaf);
	}
	printf("\n%" PRIu64 " page%s, %" PRIu64 " bytes compressed to %" PRIu64 ", ratio %s\n",
	       total->pages, text_plural(total->pages), total->uncompressed_size,
	       total->compressed_size,
	       text_ratio(ratio, total->uncompressed_size, total->compressed_size));
}

static void
json_file(struct inspect *inspect)
{
	struct parquet_file *file = &inspect->file;
	struct json *json = inspect->json;

	json_open(json, NULL, '{');
	json_text(json, "file", inspect->name);
	json_int(json, "file_size", file->input.size);
	json_int(json, "version", file->version.value);
	json_string_open(json, "created_by");
	json_string_bytes(json, file->created_by.data, file->created_by.size);
	json_string_close(json);
	json_int(json, "num_rows", file->num_rows.value);
	json_open(json, "row_groups", '[');
	for (size_t group = 0; group < file->row_group_count; group++) {
		json_open(json, NULL, '{');
		json_int(json, "num_rows", file->row_groups[group].num_rows.value);
		json_open(json, "columns", '[');
		for (size_t leaf = 0; leaf < file->leaf_count; leaf++)
			json_column(inspect, group, leaf);
		json_close(json, ']');
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

static void
measure_paths(struct inspect *inspect)
{
	char path[PARQUET_PATH_MAX];

	inspect->path_width = (int)strlen("column");
	for (size_t leaf = 0; leaf < inspect->file.leaf_count; leaf++) {
		int width = (int)strlen(parquet_path(&inspect->file, leaf, path));

		/* One long name must not push all the others' numbers away. */
		if (width > inspect->path_width)
			inspect->path_width = width < 40 ? width : 40;
	}
}

enum tool_exit
cmd_inspect(const struct arguments *arguments)
{
	struct json json = {.out = stdout, .is_first = true};
	struct inspect inspect = {.name = arguments->files[0],
				  .lists_pages = arguments->options & OPTION_PAGES,
				  .json = arguments->options & OPTION_JSON ? &json : NULL};
	struct fault fault;

	if (!parquet_open(&inspect.file, inspect.name, &fault))
		return fault_report(&fault, inspect.name);
	measure_paths(&inspect);
	if (inspect.json)
		json_file(&inspect);
	else
		print_file(&inspect);
	parquet_close(&inspect.file);
	return inspect.exit;
}
