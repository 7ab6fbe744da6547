/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_large.c - pages of 1 MiB and 5 MiB come back, and so do small ones after them
 * Every engine at its default level on every kind of page; both ends of the levels once.
 * An object that grew for a large page must not remember its size.
 */
#include <stdlib.h>

#include "coders.h"
#include "heap.h"

static void
check_page(struct pagecodec_compressor *compressor, const struct coder *coder,
	   struct pagecodec_factory *factory, enum page_kind kind, size_t size)
{
	unsigned char *page = new_page(kind, size, size);
	struct bytes compressed = compress_bytes(compressor, page, size);

	ck_assert_uint_le(compressed.size, pagecodec_compress_bound(coder->info->codec, size));
	for (size_t e = 0; coder->info->decompress_engines[e]; e++) {
		struct pagecodec_decompressor *decompressor = get_decompressor(
		    factory, coder->info->codec, coder->info->decompress_engines[e]);

		check_decompresses(decompressor, compressed, page, size);
		pagecodec_decompressor_release(decompressor);
	}
	free(compressed.data);
	free(page);
}

START_TEST(large_pages_at_default_level)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_compressor *compressor = get_compressor(factory, coder);

	for (int kind = 0; kind < PAGE_KINDS; kind++)
		check_page(compressor, coder, factory, (enum page_kind)kind, 1 * MIB);
	check_page(compressor, coder, factory, PAGE_TEXT, (tests_short() ? 1 : 5) * MIB);
	check_page(compressor, coder, factory, PAGE_RANDOM, (tests_short() ? 1 : 5) * MIB);
	pagecodec_compressor_release(compressor);
	pagecodec_factory_destroy(factory);
}
END_TEST

START_TEST(large_pages_at_level_ends)
{
	const struct coder *coder = &level_coders(NULL)[_i];
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;

	if (!coder->has_level || coder->level == coder->info->default_level || tests_short())
		return;
	factory = new_factory();
	compressor = get_compressor(factory, coder);
	check_page(compressor, coder, factory, PAGE_TEXT, 1 * MIB);
	check_page(compressor, coder, factory, PAGE_STEPS, 5 * MIB);
	pagecodec_compressor_release(compressor);
	pagecodec_factory_destroy(factory);
}
END_TEST

START_TEST(small_page_after_large_one)
{
	static const size_t shrinking[] = {1 * MIB, 64 * KIB, 8 * KIB, 1 * KIB, 10, 1, 0};
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_compressor *compressor = get_compressor(factory, coder);
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, coder->info->codec, NULL);
	unsigned char *page = new_page(PAGE_TEXT, 1, 1 * MIB);

	for (size_t i = 0; i < COUNT_OF(shrinking); i++) {
		struct bytes got = compress_bytes(compressor, page, shrinking[i]);
		struct bytes want = compress_fresh(coder, page, shrinking[i]);

		ck_assert_uint_eq(got.size, want.size);
		check_bytes(coder_name(coder), got.data, want.data, got.size);
		check_decompresses(decompressor, got, page, shrinking[i]);
		free(got.data);
		free(want.data);
	}
	free(page);
	pagecodec_compressor_release(compressor);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
}
END_TEST

/* LZ4's decoder takes no such page: refused before memory is taken for it. */
START_TEST(lz4_block_beyond_int)
{
	static const int32_t codecs[] = {PAGECODEC_LZ4_RAW, PAGECODEC_LZ4};
	const size_t size = (size_t)INT32_MAX + 1, src_size = 9 * MIB;
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory_options options = heap_options(&heap);
	struct pagecodec_factory *factory = NULL;
	struct pagecodec_error error;
	unsigned char *src;

	if (!pagecodec_find_codec(PAGECODEC_LZ4_RAW)->is_available)
		return;
	src = malloc(src_size);
	ck_assert_ptr_nonnull(src);
	memset(src, 0xff, src_size);
	options.max_page_size = size;
	assert_ok(pagecodec_factory_create(&options, &factory, &error), &error);
	for (size_t i = 0; i < COUNT_OF(codecs); i++) {
		struct pagecodec_decompressor *decompressor =
		    get_decompressor(factory, codecs[i], NULL);
		struct pagecodec_span out;

		assert_fails(pagecodec_decompress(decompressor, src, src_size, size, NULL, 0,
						  &out, &error),
			     PAGECODEC_TOO_LARGE, &error);
		pagecodec_decompressor_release(decompressor);
	}
	ck_assert_uint_lt(heap.peak_bytes, 1 * MIB);
	free(src);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
}
END_TEST

int
main(void)
{
	size_t engines;
	size_t levels;

	engine_coders(&engines);
	level_coders(&levels);
	add_loop(large_pages_at_default_level, engines);
	add_loop(large_pages_at_level_ends, levels);
	add_loop(small_page_after_large_one, engines);
	add_test(lz4_block_beyond_int);
	return run_tests("large");
}
