/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_message.c - what a caller reads of a fault: which argument, field or limit it was
 * By SNAPPY, which every build has.  Each call here fails, with exactly these words.
 */
#include <string.h>

#include "coders.h"

#define LIMIT 1000

struct objects {
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;
};

static struct objects o;
static struct pagecodec_error error;
static struct pagecodec_span out;
static unsigned char bytes[LIMIT + 1];

static void
open_objects(void)
{
	struct pagecodec_factory_options options = {.struct_size = sizeof(options),
						    .max_page_size = LIMIT};

	assert_ok(pagecodec_factory_create(&options, &o.factory, &error), &error);
	assert_ok(
	    pagecodec_compressor_get(o.factory, PAGECODEC_SNAPPY, NULL, &o.compressor, &error),
	    &error);
	assert_ok(pagecodec_decompressor_get(o.factory, PAGECODEC_SNAPPY, NULL, &o.decompressor,
					     &error),
		  &error);
}

static void
close_objects(void)
{
	pagecodec_compressor_release(o.compressor);
	pagecodec_decompressor_release(o.decompressor);
	pagecodec_factory_destroy(o.factory);
}

#define says(call, want, words)                                                                \
	do {                                                                                   \
		assert_fails(call, want, &error);                                              \
		ck_assert_str_eq(error.message, words);                                        \
	} while (0)

START_TEST(pointers)
{
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;
	const struct pagecodec_span part = {bytes, 10};

	says(pagecodec_factory_create(NULL, NULL, &error), PAGECODEC_INVALID_ARGUMENT,
	     "the pointer to the result is NULL");
	says(pagecodec_compressor_get(NULL, PAGECODEC_SNAPPY, NULL, &compressor, &error),
	     PAGECODEC_INVALID_ARGUMENT, "SNAPPY: factory is NULL");
	says(pagecodec_compressor_get(o.factory, PAGECODEC_SNAPPY, NULL, NULL, &error),
	     PAGECODEC_INVALID_ARGUMENT, "SNAPPY: the pointer to the result is NULL");
	says(pagecodec_decompressor_get(NULL, PAGECODEC_SNAPPY, NULL, &decompressor, &error),
	     PAGECODEC_INVALID_ARGUMENT, "SNAPPY: factory is NULL");
	says(pagecodec_decompressor_get(o.factory, PAGECODEC_SNAPPY, NULL, NULL, &error),
	     PAGECODEC_INVALID_ARGUMENT, "SNAPPY: the pointer to the result is NULL");
	says(pagecodec_compress(NULL, &part, 1, NULL, 0, &out, &error),
	     PAGECODEC_INVALID_ARGUMENT, "the compressor or decompressor is NULL");
	says(pagecodec_compress(o.compressor, NULL, 1, NULL, 0, &out, &error),
	     PAGECODEC_INVALID_ARGUMENT, "SNAPPY: parts are NULL though their count is not 0");
	says(pagecodec_compress(o.compressor, &part, 1, NULL, 0, NULL, &error),
	     PAGECODEC_INVALID_ARGUMENT, "SNAPPY: the pointer to the result is NULL");
	says(pagecodec_compress(o.compressor, &part, 1, NULL, 1, &out, &error),
	     PAGECODEC_INVALID_ARGUMENT, "SNAPPY: dst is NULL though dst_capacity is not 0");
	says(pagecodec_compress_page_v1(o.compressor, &part, 1, NULL, 0, NULL, &error),
	     PAGECODEC_INVALID_ARGUMENT, "SNAPPY: page is NULL");
	says(pagecodec_decompress(o.decompressor, NULL, 1, 1, NULL, 0, &out, &error),
	     PAGECODEC_INVALID_ARGUMENT, "SNAPPY: data is NULL though its size is not 0");
	says(pagecodec_decompress_page(o.decompressor, NULL, NULL, 0, NULL, &out, &error),
	     PAGECODEC_INVALID_ARGUMENT, "SNAPPY: page is NULL");
}
END_TEST

START_TEST(options_structs)
{
	struct {
		struct pagecodec_compressor_options known;
		size_t beyond;
	} options = {{.struct_size = 0}, 0};
	struct pagecodec_compressor *compressor;

	says(pagecodec_compressor_get(o.factory, PAGECODEC_SNAPPY, &options.known, &compressor,
				      &error),
	     PAGECODEC_INVALID_ARGUMENT,
	     "SNAPPY: struct_size is not set to the size of the options");
	options.known.struct_size = sizeof(options);
	options.beyond = 1;
	says(pagecodec_compressor_get(o.factory, PAGECODEC_SNAPPY, &options.known, &compressor,
				      &error),
	     PAGECODEC_INVALID_ARGUMENT,
	     "SNAPPY: an option is set that this version does not know");
	says(pagecodec_compressor_get(o.factory, 99, NULL, &compressor, &error),
	     PAGECODEC_UNKNOWN_CODEC, "codec 99: no codec has this number");
}
END_TEST

START_TEST(limits)
{
	const struct pagecodec_span part = {bytes, LIMIT + 1}, small = {bytes, 9};
	const unsigned char literal[] = {2, 4, 'a', 'b'};
	unsigned char dst[2];

	says(pagecodec_compress(o.compressor, &part, 1, NULL, 0, &out, &error),
	     PAGECODEC_TOO_LARGE,
	     "SNAPPY: the page is larger than max_page_size (at most 1000, actual 1001)");
	says(pagecodec_decompress(o.decompressor, literal, 4, LIMIT + 1, NULL, 0, &out, &error),
	     PAGECODEC_TOO_LARGE,
	     "SNAPPY: the page is larger than max_page_size (at most 1000, actual 1001)");
	says(pagecodec_decompress(o.decompressor, literal, 4, 2, dst, 1, &out, &error),
	     PAGECODEC_DST_TOO_SMALL,
	     "SNAPPY: dst_capacity is too small (at least 2, actual 1)");
	says(pagecodec_decompress(o.decompressor, literal, 4, 3, NULL, 0, &out, &error),
	     PAGECODEC_SIZE_MISMATCH,
	     "SNAPPY: the stream holds another size than declared "
	     "(4 compressed bytes, 3 declared, 2 held)");
	assert_fails(pagecodec_compress(o.compressor, &small, 1, dst, 1, &out, &error),
		     PAGECODEC_DST_TOO_SMALL, &error);
	ck_assert_ptr_nonnull(strstr(error.message, "(at least "));
}
END_TEST

START_TEST(page_headers)
{
	static const unsigned char body[] = {2, 4, 'a', 'b'};
	static const char *const names[] = {"uncompressed_page_size", "compressed_page_size",
					    "repetition_levels_byte_length",
					    "definition_levels_byte_length"};
	const struct pagecodec_page sound = {.body = body,
					     .body_size = sizeof(body),
					     .uncompressed_page_size = 2,
					     .compressed_page_size = sizeof(body)};
	struct pagecodec_page page = sound;
	int32_t *const sizes[] = {&page.uncompressed_page_size, &page.compressed_page_size,
				  &page.repetition_levels_byte_length,
				  &page.definition_levels_byte_length};
	char words[100];

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		page = sound;
		*sizes[i] = -7;
		snprintf(words, sizeof(words),
			 "SNAPPY: a size in the page header is negative (%s is -7)", names[i]);
		says(pagecodec_decompress_page(o.decompressor, &page, NULL, 0, NULL, &out,
					       &error),
		     PAGECODEC_CORRUPT, words);
	}
	page = sound;
	page.definition_levels_byte_length = 3;
	says(pagecodec_decompress_page(o.decompressor, &page, NULL, 0, NULL, &out, &error),
	     PAGECODEC_CORRUPT,
	     "SNAPPY: the levels are longer than the page (at most 2, actual 3)");
	page = sound;
	page.body_size = 3;
	says(pagecodec_decompress_page(o.decompressor, &page, NULL, 0, NULL, &out, &error),
	     PAGECODEC_TRUNCATED,
	     "SNAPPY: body_size is less than compressed_page_size (at least 4, actual 3)");
}
END_TEST

int
main(void)
{
	add_fixture(open_objects, close_objects);
	add_test(pointers);
	add_test(options_structs);
	add_test(limits);
	add_test(page_headers);
	return run_tests("message");
}
