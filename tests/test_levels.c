/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_levels.c - levels, windows and checksums are within a codec's range and reach it
 * Both ends of each engine's range are taken, what lies beyond is refused, not clamped.
 * That an option reaches the codec shows in the size of what comes out.
 */
#include <stdlib.h>

#include "coders.h"

START_TEST(levels)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	const struct pagecodec_codec_info *info = coder->info;
	int min = info->min_level;
	int max = engine_max_level(info, coder->engine);
	const int good[] = {min, min + 1, 0, info->default_level, max - 1, max};
	const int bad[] = {min - 1, max + 1, INT32_MIN, INT32_MAX, max + 100};
	const int unlevelled[] = {-1, 1, 3, 6, INT32_MAX};

	for (size_t i = 0; i < COUNT_OF(good) && info->has_levels; i++)
		expect_get(info,
			   (struct pagecodec_compressor_options){
			       .has_level = 1, .level = good[i], .engine = coder->engine},
			   PAGECODEC_OK);
	for (size_t i = 0; i < COUNT_OF(bad) && info->has_levels; i++)
		expect_get(info,
			   (struct pagecodec_compressor_options){
			       .has_level = 1, .level = bad[i], .engine = coder->engine},
			   PAGECODEC_INVALID_ARGUMENT);
	for (size_t i = 0; i < COUNT_OF(unlevelled) && !info->has_levels; i++)
		expect_get(info,
			   (struct pagecodec_compressor_options){
			       .has_level = 1, .level = unlevelled[i], .engine = coder->engine},
			   PAGECODEC_INVALID_ARGUMENT);
}
END_TEST

START_TEST(windows)
{
	const struct pagecodec_codec_info *info = engine_coders(NULL)[_i].info;
	const int always_bad[] = {-1, 1, 9, 28, 31, 32, INT32_MIN, INT32_MAX};
	struct pagecodec_compressor_options options = {.engine =
							   engine_coders(NULL)[_i].engine};

	for (int log = info->min_window_log; log && log <= info->max_window_log; log++) {
		options.window_log = log;
		expect_get(info, options, PAGECODEC_OK);
	}
	for (size_t i = 0; i < COUNT_OF(always_bad); i++) {
		options.window_log = always_bad[i];
		expect_get(info, options, PAGECODEC_INVALID_ARGUMENT);
	}
	options.window_log = info->max_window_log + 1;
	expect_get(info, options, PAGECODEC_INVALID_ARGUMENT);
	options.window_log = 20;
	expect_get(info, options,
		   info->max_window_log ? PAGECODEC_OK : PAGECODEC_INVALID_ARGUMENT);
}
END_TEST

START_TEST(checksum_reserved_and_flags)
{
	const struct pagecodec_codec_info *info = engine_coders(NULL)[_i].info;
	struct pagecodec_compressor_options options = {.checksum = 1};

	expect_get(info, options,
		   info->has_checksum ? PAGECODEC_OK : PAGECODEC_INVALID_ARGUMENT);
	options = (struct pagecodec_compressor_options){.reserved = 1};
	expect_get(info, options, PAGECODEC_INVALID_ARGUMENT);
	options = (struct pagecodec_compressor_options){.page_crc = 1};
	expect_get(info, options, PAGECODEC_OK);
}
END_TEST

static size_t
compressed_size(const struct pagecodec_codec_info *info,
		struct pagecodec_compressor_options options, const void *page, size_t size)
{
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_compressor *compressor = NULL;
	struct pagecodec_error error;
	struct bytes bytes;

	options.struct_size = sizeof(options);
	assert_ok(pagecodec_compressor_get(factory, info->codec, &options, &compressor, &error),
		  &error);
	bytes = compress_bytes(compressor, page, size);
	free(bytes.data);
	pagecodec_compressor_release(compressor);
	pagecodec_factory_destroy(factory);
	return bytes.size;
}

/* The greatest level makes a smaller page than the least, with each engine. */
START_TEST(level_reaches_the_codec)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct pagecodec_compressor_options options = {.has_level = 1, .engine = coder->engine};
	unsigned char *page = new_page(PAGE_TEXT, 1, 64 * KIB);
	size_t least, greatest;

	if (coder->info->has_levels) {
		options.level = coder->info->min_level;
		least = compressed_size(coder->info, options, page, 64 * KIB);
		options.level = engine_max_level(coder->info, coder->engine);
		greatest = compressed_size(coder->info, options, page, 64 * KIB);
		ck_assert_uint_lt(greatest, least);
	}
	free(page);
}
END_TEST

/* Text that comes again beyond a small window is found through a large one. */
START_TEST(window_reaches_the_codec)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct pagecodec_compressor_options options = {0};
	unsigned char *page = new_page(PAGE_RANDOM, 1, 64 * KIB);

	memcpy(page + 32 * KIB, page, 32 * KIB);
	if (coder->info->max_window_log) {
		options.window_log = 20;
		size_t wide = compressed_size(coder->info, options, page, 64 * KIB);
		options.window_log = 10;
		size_t narrow = compressed_size(coder->info, options, page, 64 * KIB);

		ck_assert_uint_lt(wide, 40 * KIB);
		ck_assert_uint_gt(narrow, 60 * KIB);
	}
	free(page);
}
END_TEST

START_TEST(checksum_reaches_the_codec)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct pagecodec_compressor_options options = {0};
	unsigned char *page = new_page(PAGE_TEXT, 1, 8 * KIB);
	size_t without = compressed_size(coder->info, options, page, 8 * KIB);

	options.checksum = 1;
	if (coder->info->has_checksum)
		ck_assert_uint_eq(compressed_size(coder->info, options, page, 8 * KIB),
				  without + 4);
	free(page);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_loop(levels, count);
	add_loop(windows, count);
	add_loop(checksum_reserved_and_flags, count);
	add_loop(level_reaches_the_codec, count);
	add_loop(window_reaches_the_codec, count);
	add_loop(checksum_reaches_the_codec, count);
	return run_tests("levels");
}
