/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write_pages.c - a column writer's loop: a dictionary page, data pages V1 and V2, CRCs
 * What a page call fills in is what the page's Thrift header needs.
 * Build: cc write_pages.c $(pkg-config --cflags --libs pagecodec)
 */
#include <pagecodec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_ROWS 1000
#define PAGES_OF_A_KIND 3

/* An optional column of 16 different int64, without nulls, as RLE_DICTIONARY. */
static int64_t dictionary[16];
static unsigned char indices[PAGE_ROWS];
/* Definition levels: a run of 1000 (its header is 1000 << 1 as a varint) times 1. */
static const unsigned char levels[] = {0xd0, 0x0f, 1};
/* V1 says first how long they are. */
static const unsigned char levels_length[] = {sizeof(levels), 0, 0, 0};
/* Indices of 8 bits; 125 groups of 8, not as a run: 125 << 1 | 1. */
static const unsigned char indices_head[] = {8, 0xfb, 0x01};

static void
require_ok(enum pagecodec_status status, const struct pagecodec_error *error)
{
	if (status == PAGECODEC_OK)
		return;
	fprintf(stderr, "%s: %s\n", pagecodec_status_name(status), error->message);
	exit(1);
}

/* A real writer puts a PageHeader with these numbers before the body, and page_type,
 * encodings and value counts beside them, which pagecodec need not know. */
static void
write_page(FILE *file, const char *type, const struct pagecodec_page *page)
{
	printf("%-15s uncompressed_page_size=%d compressed_page_size=%d "
	       "definition_levels_byte_length=%d is_compressed=%s crc=%08x\n",
	       type, (int)page->uncompressed_page_size, (int)page->compressed_page_size,
	       (int)page->definition_levels_byte_length, page->is_stored ? "false" : "true",
	       (unsigned int)page->crc);
	if (fwrite(page->body, 1, page->body_size, file) != page->body_size) {
		perror("write");
		exit(1);
	}
}

/* The body lies in the compressor's own memory until the next call: it is written before
 * that.  To keep pages longer, pass memory of your own instead of NULL and 0. */
static void
write_column_chunk(FILE *file, struct pagecodec_compressor *compressor)
{
	const struct pagecodec_span dictionary_part = {dictionary, sizeof(dictionary)};
	/* A page may lie in many pieces; they need not be put together first. */
	const struct pagecodec_span v1_parts[] = {
	    {levels_length, sizeof(levels_length)},
	    {levels, sizeof(levels)},
	    {indices_head, sizeof(indices_head)},
	    {indices, sizeof(indices)},
	};
	const struct pagecodec_span definition_levels = {levels, sizeof(levels)};
	const struct pagecodec_span values[] = {
	    {indices_head, sizeof(indices_head)},
	    {indices, sizeof(indices)},
	};
	struct pagecodec_page page;
	struct pagecodec_error error;

	require_ok(
	    pagecodec_compress_page_v1(compressor, &dictionary_part, 1, NULL, 0, &page, &error),
	    &error);
	write_page(file, "DICTIONARY_PAGE", &page);
	for (int i = 0; i < PAGES_OF_A_KIND; i++) {
		require_ok(
		    pagecodec_compress_page_v1(compressor, v1_parts, 4, NULL, 0, &page, &error),
		    &error);
		write_page(file, "DATA_PAGE", &page);
	}
	for (int i = 0; i < PAGES_OF_A_KIND; i++) {
		/* No repetition levels: the column is not in a list. */
		require_ok(pagecodec_compress_page_v2(compressor, NULL, &definition_levels,
						      values, 2, NULL, 0, &page, &error),
			   &error);
		write_page(file, "DATA_PAGE_V2", &page);
		/* V2 levels are never compressed, so their bytes are in the body. */
		if (memcmp(page.body, levels, sizeof(levels)) != 0)
			exit(1);
	}
}

int
main(void)
{
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;
	struct pagecodec_compressor_options options = {.struct_size = sizeof(options),
						       .page_crc = 1};
	struct pagecodec_error error;
	/* A build may lack ZSTD; SNAPPY is always there. */
	int32_t codec = pagecodec_find_codec(PAGECODEC_ZSTD)->is_available ? PAGECODEC_ZSTD
									   : PAGECODEC_SNAPPY;
	FILE *file = tmpfile();
	long size;

	if (!file) {
		perror("tmpfile");
		return 1;
	}
	for (size_t i = 0; i < 16; i++)
		dictionary[i] = (int64_t)i * 1000;
	for (size_t i = 0; i < PAGE_ROWS; i++)
		indices[i] = (unsigned char)(i / 50 % 16);

	/* One factory for the process, one compressor for a column chunk. */
	require_ok(pagecodec_factory_create(NULL, &factory, &error), &error);
	require_ok(pagecodec_compressor_get(factory, codec, &options, &compressor, &error),
		   &error);
	write_column_chunk(file, compressor);
	pagecodec_compressor_release(compressor);
	pagecodec_factory_destroy(factory);

	size = ftell(file);
	printf("write_pages: %d pages are %ld bytes of %s\n", 1 + 2 * PAGES_OF_A_KIND, size,
	       pagecodec_find_codec(codec)->name);
	return fclose(file) != 0 || size <= 0 || size > 2 * PAGES_OF_A_KIND * PAGE_ROWS;
}
