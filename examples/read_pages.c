/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read_pages.c - a reader's loop over pages whose headers may lie
 * Nothing that a header says needs a check before the call: pagecodec_decompress_page
 * makes them all, before it takes memory.
 * Build: cc read_pages.c $(pkg-config --cflags --libs pagecodec)
 */
#include <pagecodec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUES_SIZE 4000
#define PAGE_LIMIT (1 << 20)

/* The numbers of a PageHeader as a Thrift reader hands them over: as signed as there. */
struct header {
	const char *what;
	int32_t uncompressed_page_size;
	int32_t compressed_page_size;
	int32_t definition_levels_byte_length;
	uint32_t crc;
	enum pagecodec_status want;
};

static unsigned char values[VALUES_SIZE];
static const unsigned char levels[] = {0xd0, 0x0f, 1};

static void
require(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "read_pages: %s\n", what);
	exit(1);
}

/* A V2 page with a CRC, as it would lie in a file. */
static struct pagecodec_page
make_page(struct pagecodec_factory *factory, int32_t codec)
{
	static unsigned char body[sizeof(levels) + sizeof(values)];
	struct pagecodec_compressor_options options = {.struct_size = sizeof(options),
						       .page_crc = 1};
	struct pagecodec_compressor *compressor;
	struct pagecodec_span level_part = {levels, sizeof(levels)};
	struct pagecodec_span value_part = {values, sizeof(values)};
	struct pagecodec_page page;

	require(!pagecodec_compressor_get(factory, codec, &options, &compressor, NULL),
		"no compressor");
	require(!pagecodec_compress_page_v2(compressor, NULL, &level_part, &value_part, 1, body,
					    sizeof(body), &page, NULL),
		"no page");
	pagecodec_compressor_release(compressor);
	return page;
}

/* What a reader does with each page.  body_size is what is left of the column chunk, or
 * of the buffer that was read: never a number from the header. */
static enum pagecodec_status
read_page(struct pagecodec_decompressor *decompressor, const struct header *header,
	  const void *body, size_t body_size)
{
	struct pagecodec_page page = {
	    .body = body,
	    .body_size = body_size,
	    .uncompressed_page_size = header->uncompressed_page_size,
	    .compressed_page_size = header->compressed_page_size,
	    .definition_levels_byte_length = header->definition_levels_byte_length,
	    .has_crc = 1,
	    .crc = header->crc,
	};
	struct pagecodec_span page_levels, page_values;
	struct pagecodec_error error;
	enum pagecodec_status status = pagecodec_decompress_page(
	    decompressor, &page, NULL, 0, &page_levels, &page_values, &error);

	/* The damage stays with the page: the decompressor serves the next one. */
	if (status != PAGECODEC_OK) {
		printf("%-24s %s: %s\n", header->what, pagecodec_status_name(status),
		       error.message);
		return status;
	}
	/* Both spans are valid until the next call: decode the values now. */
	require(page_levels.size == sizeof(levels) && page_values.size == sizeof(values) &&
		    memcmp(page_values.data, values, sizeof(values)) == 0,
		"wrong bytes");
	printf("%-24s %zu bytes of values\n", header->what, page_values.size);
	return status;
}

static void
read_column_chunk(struct pagecodec_factory *factory, int32_t codec,
		  const struct pagecodec_page *page)
{
	const int32_t plain = page->uncompressed_page_size;
	const int32_t packed = page->compressed_page_size;
	const int32_t length = page->definition_levels_byte_length;
	const struct header headers[] = {
	    {"a sound page", plain, packed, length, page->crc, PAGECODEC_OK},
	    {"negative size", -1, packed, length, page->crc, PAGECODEC_CORRUPT},
	    {"2 GB", INT32_MAX, packed, length, page->crc, PAGECODEC_TOO_LARGE},
	    {"beyond the chunk", plain, packed + 1, length, page->crc, PAGECODEC_TRUNCATED},
	    {"levels beyond the page", plain, packed, plain + 1, page->crc, PAGECODEC_CORRUPT},
	    {"another CRC", plain, packed, length, ~page->crc, PAGECODEC_CHECKSUM_MISMATCH},
	    {"a byte more", plain + 1, packed, length, page->crc, PAGECODEC_SIZE_MISMATCH},
	    {"the sound page again", plain, packed, length, page->crc, PAGECODEC_OK},
	};
	struct pagecodec_decompressor *decompressor;

	require(!pagecodec_decompressor_get(factory, codec, NULL, &decompressor, NULL),
		"no decompressor");
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		require(read_page(decompressor, &headers[i], page->body, page->body_size) ==
			    headers[i].want,
			headers[i].what);
	pagecodec_decompressor_release(decompressor);
}

int
main(void)
{
	/* This reader knows that no page of its files is larger. */
	struct pagecodec_factory_options options = {.struct_size = sizeof(options),
						    .max_page_size = PAGE_LIMIT};
	struct pagecodec_factory *factory;
	struct pagecodec_page page;

	for (size_t i = 0; i < VALUES_SIZE; i++)
		values[i] = (unsigned char)(i / 100);
	require(!pagecodec_factory_create(&options, &factory, NULL), "no factory");
	page = make_page(factory, PAGECODEC_SNAPPY);
	read_column_chunk(factory, PAGECODEC_SNAPPY, &page);
	pagecodec_factory_destroy(factory);
	puts("read_pages: sound pages came back, the others were refused");
	return 0;
}
