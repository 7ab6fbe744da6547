/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_options.c - options are checked, never clamped, and their structs can grow
 * Sizes of the structs, allocators, engines by name, codecs that are unknown or not built.
 * What a codec makes of its options is in test_levels.c.
 */
#include "coders.h"
#include "heap.h"

/* An options struct of a later version. */
struct grown {
	union {
		struct pagecodec_factory_options factory;
		struct pagecodec_compressor_options compressor;
		struct pagecodec_decompressor_options decompressor;
		size_t struct_size;
	} known;
	unsigned char tail[64];
};

static enum pagecodec_status
create_factory(const void *options, struct pagecodec_error *error)
{
	struct pagecodec_factory *factory = (struct pagecodec_factory *)error;
	enum pagecodec_status status = pagecodec_factory_create(options, &factory, error);

	ck_assert_int_eq(status == PAGECODEC_OK, factory != NULL);
	pagecodec_factory_destroy(factory);
	return status;
}

static enum pagecodec_status
get_any_compressor(const void *options, struct pagecodec_error *error)
{
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_compressor *compressor = (struct pagecodec_compressor *)error;
	enum pagecodec_status status = pagecodec_compressor_get(factory, PAGECODEC_UNCOMPRESSED,
								options, &compressor, error);

	ck_assert_int_eq(status == PAGECODEC_OK, compressor != NULL);
	pagecodec_compressor_release(compressor);
	pagecodec_factory_destroy(factory);
	return status;
}

static enum pagecodec_status
get_any_decompressor(const void *options, struct pagecodec_error *error)
{
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_decompressor *decompressor = (struct pagecodec_decompressor *)error;
	enum pagecodec_status status = pagecodec_decompressor_get(
	    factory, PAGECODEC_UNCOMPRESSED, options, &decompressor, error);

	ck_assert_int_eq(status == PAGECODEC_OK, decompressor != NULL);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
	return status;
}

static const struct {
	enum pagecodec_status (*call)(const void *options, struct pagecodec_error *error);
	size_t size;
} takers[] = {
    {create_factory, sizeof(struct pagecodec_factory_options)},
    {get_any_compressor, sizeof(struct pagecodec_compressor_options)},
    {get_any_decompressor, sizeof(struct pagecodec_decompressor_options)},
};

/* The present version is the first one. */
START_TEST(struct_smaller_than_the_first)
{
	struct grown options;
	struct pagecodec_error error;

	memset(&options, 0, sizeof(options));
	for (size_t size = 0; size < takers[_i].size; size++) {
		options.known.struct_size = size;
		assert_fails(takers[_i].call(&options, &error), PAGECODEC_INVALID_ARGUMENT,
			     &error);
	}
	options.known.struct_size = takers[_i].size;
	assert_ok(takers[_i].call(&options, &error), &error);
	assert_ok(takers[_i].call(NULL, &error), &error);
}
END_TEST

START_TEST(struct_of_a_later_version)
{
	struct grown options;
	struct pagecodec_error error;

	memset(&options, 0, sizeof(options));
	for (size_t size = takers[_i].size + 1; size <= sizeof(options); size++) {
		unsigned char *last = (unsigned char *)&options + size - 1;

		options.known.struct_size = size;
		assert_ok(takers[_i].call(&options, &error), &error);
		*last = 1;
		assert_fails(takers[_i].call(&options, &error), PAGECODEC_INVALID_ARGUMENT,
			     &error);
		*last = 0;
		if (size > takers[_i].size + 1)
			continue;
		*last = 0x80;
		options.known.struct_size = sizeof(options);
		assert_fails(takers[_i].call(&options, &error), PAGECODEC_INVALID_ARGUMENT,
			     &error);
		*last = 0;
	}
}
END_TEST

START_TEST(allocator_is_both_or_neither)
{
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory_options options = heap_options(&heap);
	struct pagecodec_error error;

	options.free_func = NULL;
	assert_fails(create_factory(&options, &error), PAGECODEC_INVALID_ARGUMENT, &error);
	options = heap_options(&heap);
	options.alloc_func = NULL;
	assert_fails(create_factory(&options, &error), PAGECODEC_INVALID_ARGUMENT, &error);
	ck_assert_uint_eq(heap.calls, 0);
	ck_assert_ptr_null(heap.fault);
}
END_TEST

START_TEST(engines)
{
	static const char *const unknown[] = {"", "zopfli", "LIBZSTD2", "zlib ", "default"};
	const struct pagecodec_codec_info *info = pagecodec_find_codec(all_codecs[_i]);
	struct pagecodec_factory *factory = new_factory();

	for (size_t i = 0; i < COUNT_OF(unknown) && info->is_available; i++) {
		struct pagecodec_decompressor_options options = {.struct_size = sizeof(options),
								 .engine = unknown[i]};
		struct pagecodec_decompressor *decompressor = NULL;
		struct pagecodec_error error;

		expect_get(info, (struct pagecodec_compressor_options){.engine = unknown[i]},
			   PAGECODEC_INVALID_ARGUMENT);
		assert_fails(pagecodec_decompressor_get(factory, info->codec, &options,
							&decompressor, &error),
			     PAGECODEC_INVALID_ARGUMENT, &error);
		ck_assert_ptr_null(decompressor);
	}
	pagecodec_factory_destroy(factory);
}
END_TEST

/* Engines that the manual names, in builds that lack them. */
START_TEST(engines_not_built)
{
	static const struct {
		int32_t codec;
		const char *engine;
	} known[] = {{PAGECODEC_GZIP, "libdeflate"},
		     {PAGECODEC_GZIP, "zlib"},
		     {PAGECODEC_SNAPPY, "libsnappy"}};

	for (size_t i = 0; i < COUNT_OF(known); i++) {
		const struct pagecodec_codec_info *info = pagecodec_find_codec(known[i].codec);
		int is_built = 0;

		for (size_t e = 0; info->compress_engines[e]; e++)
			is_built |= strcmp(info->compress_engines[e], known[i].engine) == 0;
		expect_get(info,
			   (struct pagecodec_compressor_options){.engine = known[i].engine},
			   is_built ? PAGECODEC_OK : PAGECODEC_NOT_BUILT);
	}
}
END_TEST

START_TEST(codecs_not_built)
{
	const struct pagecodec_codec_info *info = pagecodec_find_codec(all_codecs[_i]);
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_decompressor *decompressor = (struct pagecodec_decompressor *)factory;
	struct pagecodec_error error;

	if (!info->is_available) {
		expect_get(info, (struct pagecodec_compressor_options){0}, PAGECODEC_NOT_BUILT);
		assert_fails(pagecodec_decompressor_get(factory, info->codec, NULL,
							&decompressor, &error),
			     PAGECODEC_NOT_BUILT, &error);
		ck_assert_int_eq(error.codec, info->codec);
		ck_assert_ptr_null(decompressor);
	}
	pagecodec_factory_destroy(factory);
}
END_TEST

START_TEST(unknown_codecs)
{
	static const int32_t numbers[] = {-1, 8, 99, 102, INT32_MIN, INT32_MAX};
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_error error;

	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		struct pagecodec_compressor *compressor = (void *)factory;
		struct pagecodec_decompressor *decompressor = (void *)factory;

		assert_fails(
		    pagecodec_compressor_get(factory, numbers[i], NULL, &compressor, &error),
		    PAGECODEC_UNKNOWN_CODEC, &error);
		ck_assert_ptr_null(compressor);
		assert_fails(pagecodec_decompressor_get(factory, numbers[i], NULL,
							&decompressor, &error),
			     PAGECODEC_UNKNOWN_CODEC, &error);
		ck_assert_ptr_null(decompressor);
	}
	pagecodec_factory_destroy(factory);
}
END_TEST

START_TEST(missing_arguments)
{
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_compressor *compressor = (void *)factory;
	struct pagecodec_decompressor *decompressor = (void *)factory;
	struct pagecodec_error error;

	assert_fails(pagecodec_factory_create(NULL, NULL, &error), PAGECODEC_INVALID_ARGUMENT,
		     &error);
	assert_fails(pagecodec_compressor_get(NULL, 0, NULL, &compressor, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	ck_assert_ptr_null(compressor);
	assert_fails(pagecodec_decompressor_get(NULL, 0, NULL, &decompressor, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	ck_assert_ptr_null(decompressor);
	assert_fails(pagecodec_compressor_get(factory, 0, NULL, NULL, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	assert_fails(pagecodec_decompressor_get(factory, 0, NULL, NULL, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	pagecodec_factory_destroy(factory);
}
END_TEST

int
main(void)
{
	add_loop(struct_smaller_than_the_first, COUNT_OF(takers));
	add_loop(struct_of_a_later_version, COUNT_OF(takers));
	add_test(allocator_is_both_or_neither);
	add_loop(engines, all_codec_count);
	add_test(engines_not_built);
	add_loop(codecs_not_built, all_codec_count);
	add_test(unknown_codecs);
	add_test(missing_arguments);
	return run_tests("options");
}
