/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_arguments.c - pointers that are missing, in each call that the other tests leave out
 * And the one struct that a caller gives to be filled in, in sizes older and newer.
 */
#include <stdlib.h>

#include "coders.h"

static void
check_no_page(const struct pagecodec_page *page)
{
	static const struct pagecodec_page none;

	require(memcmp(page, &none, sizeof(none)) == 0, "a page is given out after a failure");
}

static void
refuse_v1(struct pagecodec_compressor *compressor, const struct pagecodec_span *parts,
	  size_t count, void *dst, size_t capacity, enum pagecodec_status want)
{
	struct pagecodec_page page;
	struct pagecodec_error error;

	memset(&page, 0x77, sizeof(page));
	assert_fails(
	    pagecodec_compress_page_v1(compressor, parts, count, dst, capacity, &page, &error),
	    want, &error);
	check_no_page(&page);
}

static void
refuse_v2(struct pagecodec_compressor *compressor, const struct pagecodec_span *levels,
	  const struct pagecodec_span *values, size_t count, void *dst, size_t capacity,
	  enum pagecodec_status want)
{
	struct pagecodec_page page;
	struct pagecodec_error error;

	memset(&page, 0x77, sizeof(page));
	assert_fails(pagecodec_compress_page_v2(compressor, NULL, levels, values, count, dst,
						capacity, &page, &error),
		     want, &error);
	check_no_page(&page);
}

START_TEST(writing_pages)
{
	struct fixture f = fixture_new(&page_coders(NULL)[_i], PAGE_TEXT, 1000);
	const struct pagecodec_span part = {f.page, f.size}, nothing = {NULL, 1};
	struct pagecodec_error error;
	unsigned char dst[10];

	refuse_v1(NULL, &part, 1, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	refuse_v1(f.compressor, NULL, 1, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	refuse_v1(f.compressor, &nothing, 1, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	refuse_v1(f.compressor, &part, 1, NULL, 10, PAGECODEC_INVALID_ARGUMENT);
	refuse_v1(f.compressor, &part, 1, dst, sizeof(dst), PAGECODEC_DST_TOO_SMALL);
	refuse_v2(NULL, &part, &part, 1, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	refuse_v2(f.compressor, &part, NULL, 1, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	refuse_v2(f.compressor, &nothing, &part, 1, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	refuse_v2(f.compressor, &part, &nothing, 1, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	refuse_v2(f.compressor, &part, &part, 1, NULL, 10, PAGECODEC_INVALID_ARGUMENT);
	refuse_v2(f.compressor, &part, &part, 1, f.page, 10, PAGECODEC_INVALID_ARGUMENT);
	refuse_v2(f.compressor, &part, &part, 1, dst, sizeof(dst), PAGECODEC_DST_TOO_SMALL);
	assert_fails(pagecodec_compress_page_v1(f.compressor, &part, 1, NULL, 0, NULL, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	assert_fails(pagecodec_compress_page_v2(f.compressor, NULL, NULL, &part, 1, NULL, 0,
						NULL, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	fixture_free(&f);
}
END_TEST

START_TEST(reading_pages)
{
	struct fixture f = fixture_new(&page_coders(NULL)[_i], PAGE_TEXT, 1000);
	const struct pagecodec_page sound = {.body = f.compressed.data,
					     .body_size = f.compressed.size,
					     .uncompressed_page_size = 1000,
					     .compressed_page_size =
						 (int32_t)f.compressed.size};
	struct pagecodec_page page = sound;
	struct pagecodec_span values = {&page, 1};
	struct pagecodec_error error;

	assert_fails(pagecodec_decompress_page(NULL, &page, NULL, 0, NULL, &values, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	check_no_span(values);
	ck_assert_int_eq(error.codec, -1);
	assert_fails(
	    pagecodec_decompress_page(f.decompressor, NULL, NULL, 0, NULL, &values, &error),
	    PAGECODEC_INVALID_ARGUMENT, &error);
	assert_fails(
	    pagecodec_decompress_page(f.decompressor, &page, NULL, 10, NULL, &values, &error),
	    PAGECODEC_INVALID_ARGUMENT, &error);
	page.reserved = 1;
	assert_fails(
	    pagecodec_decompress_page(f.decompressor, &page, NULL, 0, NULL, &values, &error),
	    PAGECODEC_INVALID_ARGUMENT, &error);
	page = sound;
	page.body = NULL;
	assert_fails(
	    pagecodec_decompress_page(f.decompressor, &page, NULL, 0, NULL, &values, &error),
	    PAGECODEC_INVALID_ARGUMENT, &error);
	page = sound;
	assert_fails(pagecodec_decompress_page(f.decompressor, &page, f.compressed.data,
					       f.compressed.size, NULL, &values, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	assert_ok(
	    pagecodec_decompress_page(f.decompressor, &sound, NULL, 0, NULL, &values, &error),
	    &error);
	check_bytes("values", values.data, f.page, f.size);
	fixture_free(&f);
}
END_TEST

START_TEST(flags_out_of_range)
{
	const struct pagecodec_codec_info *info = engine_coders(NULL)[_i].info;

	for (int value = -1; value <= 2; value += 3) {
		expect_get(info, (struct pagecodec_compressor_options){.has_level = value},
			   PAGECODEC_INVALID_ARGUMENT);
		expect_get(info, (struct pagecodec_compressor_options){.checksum = value},
			   PAGECODEC_INVALID_ARGUMENT);
		expect_get(info, (struct pagecodec_compressor_options){.page_crc = value},
			   PAGECODEC_INVALID_ARGUMENT);
	}
	expect_get(info, (struct pagecodec_compressor_options){.level = 1},
		   PAGECODEC_INVALID_ARGUMENT);
}
END_TEST

/* No function of these has an error to tell. */
START_TEST(nothing_to_do)
{
	struct pagecodec_memory memory = {.struct_size = sizeof(memory), .bytes = 99};
	struct pagecodec_factory *factory = new_factory();

	pagecodec_factory_trim(NULL);
	pagecodec_factory_memory(NULL, &memory);
	ck_assert_uint_eq(memory.bytes, 99);
	pagecodec_factory_memory(factory, NULL);
	check_objects(factory, 0, 0);
	ck_assert_ptr_null(pagecodec_find_codec_by_name(NULL));
	ck_assert_ptr_null(pagecodec_find_codec_by_name("SNAPP"));
	ck_assert_ptr_null(pagecodec_find_codec_by_name("SNAPPY "));
	ck_assert_ptr_null(pagecodec_find_codec_by_name(""));
	ck_assert_ptr_eq(pagecodec_find_codec_by_name("lz4_rAw"),
			 pagecodec_find_codec(PAGECODEC_LZ4_RAW));
	ck_assert_uint_eq(pagecodec_crc32(7, NULL, 0), 7);
	ck_assert_uint_eq(pagecodec_crc32(7, NULL, SIZE_MAX), 7);
	ck_assert_uint_eq(pagecodec_crc32(7, "", 0), 7);
	ck_assert_uint_eq(pagecodec_compress_bound(-1, 1), 0);
	pagecodec_factory_destroy(factory);
}
END_TEST

/* Older callers' structs are smaller, newer ones' larger: what they have is filled in. */
START_TEST(memory_struct_of_any_size)
{
	struct pagecodec_factory *factory = new_factory();
	union {
		struct pagecodec_memory memory;
		unsigned char bytes[2 * sizeof(struct pagecodec_memory)];
	} given;
	const size_t full = sizeof(given.memory);

	for (size_t size = 0; size <= sizeof(given); size++) {
		size_t filled = size < sizeof(size_t) ? 0 : size;

		memset(&given, 0x77, sizeof(given));
		given.memory.struct_size = size;
		pagecodec_factory_memory(factory, &given.memory);
		ck_assert_uint_eq(given.memory.struct_size, size);
		if (filled >= full)
			ck_assert_uint_eq(given.memory.objects_out, 0);
		for (size_t i = full; i < filled; i++)
			require(given.bytes[i] == 0, "byte %zu of %zu is set", i, size);
		for (size_t i = filled ? filled : sizeof(size_t); i < sizeof(given); i++)
			require(given.bytes[i] == 0x77, "byte %zu of %zu is written", i, size);
	}
	pagecodec_factory_destroy(factory);
}
END_TEST

int
main(void)
{
	size_t engines, pages;

	engine_coders(&engines);
	page_coders(&pages);
	add_loop(writing_pages, pages);
	add_loop(reading_pages, pages);
	add_loop(flags_out_of_range, engines);
	add_test(nothing_to_do);
	add_test(memory_struct_of_any_size);
	return run_tests("arguments");
}
