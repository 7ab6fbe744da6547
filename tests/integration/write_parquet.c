/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write_parquet.c - write_parquet FOLDER: two columns in each codec and engine, V1 and V2
 *
 * A minimal writer on the page calls: files that readers which are not ours must read.
 * Prints their names.  Format: parquet.thrift of apache/parquet-format.
 */
#include "../../tools/tools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/parquet.h"
#include "table.h"

struct chunk {
	int64_t from, dictionary, data, size, uncompressed_size;
};

struct writer {
	int32_t codec;
	const char *engine;
	bool is_v2;
	struct bytes file;
	struct chunk chunks[GROUPS][COLUMNS];
	struct pagecodec_compressor *compressor;
};

static void
die(const char *what)
{
	fprintf(stderr, "write_parquet: %s\n", what);
	exit(1);
}

/* The header's part that a data page or a dictionary page has of its own. */
static void
put_own_header(struct writer *writer, const struct table_page *page,
	       const struct pagecodec_page *made, int64_t type)
{
	static const int16_t ids[] = {5, 0, 7, 8};
	struct bytes *file = &writer->file;
	int16_t last = 4, inner = 0;

	thrift_put_field(file, &last, ids[type], THRIFT_STRUCT);
	put_number(file, &inner, 1, THRIFT_I32, type == PARQUET_DICTIONARY_PAGE ? WORDS : ROWS);
	if (type == PARQUET_DATA_PAGE_V2) {
		put_number(file, &inner, 2, THRIFT_I32, page->nulls);
		put_number(file, &inner, 3, THRIFT_I32, ROWS);
		put_number(file, &inner, 4, THRIFT_I32, page->encoding);
		put_number(file, &inner, 5, THRIFT_I32, made->definition_levels_byte_length);
		put_number(file, &inner, 6, THRIFT_I32, made->repetition_levels_byte_length);
		thrift_put_field(file, &inner, 7, made->is_stored ? THRIFT_FALSE : THRIFT_TRUE);
	} else {
		put_number(file, &inner, 2, THRIFT_I32, page->encoding);
		if (type == PARQUET_DATA_PAGE) {
			put_number(file, &inner, 3, THRIFT_I32, RLE);
			put_number(file, &inner, 4, THRIFT_I32, RLE);
		}
	}
	put_stop(file);
	put_stop(file);
}

static void
put_page(struct writer *writer, struct chunk *chunk, const struct table_page *page,
	 int64_t type, const struct pagecodec_page *made)
{
	struct bytes *file = &writer->file;
	int64_t from = (int64_t)file->size;
	int16_t last = 0;

	put_number(file, &last, 1, THRIFT_I32, type);
	put_number(file, &last, 2, THRIFT_I32, made->uncompressed_page_size);
	put_number(file, &last, 3, THRIFT_I32, made->compressed_page_size);
	put_number(file, &last, 4, THRIFT_I32, (int32_t)made->crc);
	put_own_header(writer, page, made, type);
	chunk->uncompressed_size += (int64_t)file->size - from + made->uncompressed_page_size;
	bytes_put(file, made->body, made->body_size);
}

static void
write_dictionary(struct writer *writer, struct chunk *chunk)
{
	struct table_page page = {.column = WORD, .encoding = PLAIN};
	struct pagecodec_error error;
	struct pagecodec_page made;
	struct pagecodec_span part;

	for (unsigned int i = 0; i < WORDS; i++)
		table_put_word(&page.values, i);
	part = (struct pagecodec_span){page.values.data, page.values.size};
	chunk->dictionary = (int64_t)writer->file.size;
	if (pagecodec_compress_page_v1(writer->compressor, &part, 1, NULL, 0, &made, &error))
		die(error.message);
	put_page(writer, chunk, &page, PARQUET_DICTIONARY_PAGE, &made);
	table_free(&page);
}

/* A V1 page says before its levels how long they are; a column without nulls has none. */
static void
write_data_page(struct writer *writer, struct chunk *chunk, struct table_page *page)
{
	struct bytes length = {0};
	struct pagecodec_span levels = {page->levels.data, page->levels.size};
	struct pagecodec_span parts[3] = {
	    [1] = levels, [2] = {page->values.data, page->values.size}};
	struct pagecodec_error error;
	struct pagecodec_page made;

	if (writer->is_v2) {
		if (pagecodec_compress_page_v2(writer->compressor, NULL, &levels, &parts[2], 1,
					       NULL, 0, &made, &error))
			die(error.message);
	} else {
		if (levels.size)
			put_little(&length, levels.size, 4);
		parts[0] = (struct pagecodec_span){length.data, length.size};
		if (pagecodec_compress_page_v1(writer->compressor, parts, 3, NULL, 0, &made,
					       &error))
			die(error.message);
	}
	put_page(writer, chunk, page, writer->is_v2 ? PARQUET_DATA_PAGE_V2 : PARQUET_DATA_PAGE,
		 &made);
	bytes_free(&length);
}

/* The second row group's words have no dictionary. */
static void
write_chunk(struct writer *writer, unsigned int group, enum column column)
{
	struct chunk *chunk = &writer->chunks[group][column];
	bool has_dictionary = column == WORD && group == 0;

	chunk->from = (int64_t)writer->file.size;
	if (has_dictionary)
		write_dictionary(writer, chunk);
	chunk->data = (int64_t)writer->file.size;
	for (unsigned int i = 0; i < PAGES; i++) {
		struct table_page page = {
		    .column = column,
		    .encoding = has_dictionary ? RLE_DICTIONARY : PLAIN,
		    .row = (uint64_t)(group * PAGES + i) * ROWS,
		};

		table_fill(&page);
		if (page.levels.is_out_of_memory || page.values.is_out_of_memory)
			die("out of memory");
		write_data_page(writer, chunk, &page);
		table_free(&page);
	}
	chunk->size = (int64_t)writer->file.size - chunk->from;
}

static void
put_schema(struct bytes *file, int16_t *last)
{
	int16_t inner = 0;

	put_list(file, last, 2, THRIFT_STRUCT, COLUMNS + 1);
	put_text(file, &inner, 4, "schema");
	put_number(file, &inner, 5, THRIFT_I32, COLUMNS);
	put_stop(file);
	inner = 0;
	put_number(file, &inner, 1, THRIFT_I32, 2); /* INT64 */
	put_number(file, &inner, 3, THRIFT_I32, 0); /* REQUIRED */
	put_text(file, &inner, 4, "id");
	put_stop(file);
	inner = 0;
	put_number(file, &inner, 1, THRIFT_I32, 6); /* BYTE_ARRAY */
	put_number(file, &inner, 3, THRIFT_I32, 1); /* OPTIONAL */
	put_text(file, &inner, 4, "word");
	put_number(file, &inner, 6, THRIFT_I32, 0); /* UTF8 */
	put_stop(file);
}

static void
put_column(struct writer *writer, const struct chunk *chunk, enum column column)
{
	static const char *const names[] = {"id", "word"};
	struct bytes *file = &writer->file;
	int16_t last = 0, inner = 0;

	put_number(file, &last, 2, THRIFT_I64, 0);
	thrift_put_field(file, &last, 3, THRIFT_STRUCT);
	put_number(file, &inner, 1, THRIFT_I32, column == ID ? 2 : 6);
	put_list(file, &inner, 2, THRIFT_I32, 3);
	thrift_put_number(file, PLAIN);
	thrift_put_number(file, RLE);
	thrift_put_number(file, RLE_DICTIONARY);
	put_list(file, &inner, 3, THRIFT_BINARY, 1);
	put_little(file, strlen(names[column]), 1);
	bytes_put(file, names[column], strlen(names[column]));
	put_number(file, &inner, 4, THRIFT_I32, writer->codec);
	put_number(file, &inner, 5, THRIFT_I64, PAGES * ROWS);
	put_number(file, &inner, 6, THRIFT_I64, chunk->uncompressed_size);
	put_number(file, &inner, 7, THRIFT_I64, chunk->size);
	put_number(file, &inner, 9, THRIFT_I64, chunk->data);
	if (chunk->dictionary)
		put_number(file, &inner, 11, THRIFT_I64, chunk->dictionary);
	put_stop(file);
	put_stop(file);
}

static void
put_footer(struct writer *writer)
{
	struct bytes *file = &writer->file;
	size_t from = file->size;
	int16_t last = 0;

	put_number(file, &last, 1, THRIFT_I32, writer->is_v2 ? 2 : 1);
	put_schema(file, &last);
	put_number(file, &last, 3, THRIFT_I64, GROUPS * PAGES * ROWS);
	put_list(file, &last, 4, THRIFT_STRUCT, GROUPS);
	for (unsigned int i = 0; i < GROUPS; i++) {
		struct chunk *chunks = writer->chunks[i];
		int16_t inner = 0;

		put_list(file, &inner, 1, THRIFT_STRUCT, COLUMNS);
		put_column(writer, &chunks[ID], ID);
		put_column(writer, &chunks[WORD], WORD);
		put_number(file, &inner, 2, THRIFT_I64,
			   chunks[ID].uncompressed_size + chunks[WORD].uncompressed_size);
		put_number(file, &inner, 3, THRIFT_I64, PAGES * ROWS);
		put_stop(file);
	}
	put_text(file, &last, 6, "pagecodec write_parquet");
	put_stop(file);
	put_little(file, file->size - from, 4);
	bytes_put(file, "PAR1", 4);
}

static void
save(const struct bytes *bytes, const char *name)
{
	FILE *file = fopen(name, "wb");

	if (bytes->is_out_of_memory)
		die("out of memory");
	if (!file || fwrite(bytes->data, 1, bytes->size, file) != bytes->size || fclose(file))
		die(name);
	puts(name);
}

static void
write_file(struct pagecodec_factory *factory, struct writer writer, const char *name)
{
	struct pagecodec_compressor_options options = {
	    .struct_size = sizeof(options),
	    .page_crc = 1,
	    .engine = writer.engine,
	};
	struct pagecodec_error error;

	if (pagecodec_compressor_get(factory, writer.codec, &options, &writer.compressor,
				     &error))
		die(error.message);
	bytes_put(&writer.file, "PAR1", 4);
	for (unsigned int i = 0; i < GROUPS; i++) {
		write_chunk(&writer, i, ID);
		write_chunk(&writer, i, WORD);
	}
	put_footer(&writer);
	save(&writer.file, name);
	bytes_free(&writer.file);
	pagecodec_compressor_release(writer.compressor);
}

int
main(int argc, char **argv)
{
	struct pagecodec_factory *factory;
	struct pagecodec_error error;
	char name[512];

	if (argc != 2)
		die("write_parquet FOLDER");
	if (pagecodec_factory_create(NULL, &factory, &error))
		die(error.message);
	for (int32_t codec = PAGECODEC_UNCOMPRESSED; codec <= PAGECODEC_LZ4_RAW; codec++) {
		const struct pagecodec_codec_info *info = pagecodec_find_codec(codec);

		for (size_t e = 0; info->is_available && info->compress_engines[e]; e++) {
			struct writer writer = {codec, .engine = info->compress_engines[e]};

			for (int version = 1; version <= 2; version++) {
				writer.is_v2 = version == 2;
				snprintf(name, sizeof(name), "%s/%s_%s_V%d.parquet", argv[1],
					 info->name, writer.engine, version);
				write_file(factory, writer, name);
			}
		}
	}
	pagecodec_factory_destroy(factory);
	return 0;
}
