/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_no_malloc.c - once warm, no page costs an allocation, whoever would make it
 * malloc and its kin are put in the place of the C library's, so that codec libraries are
 * seen too; a factory's own allocator is seen apart.  Two libraries make and free a table in
 * each call, and README names them: libsnappy's encoder, and liblz4 from level 10 on.
 */
#include <stdlib.h>

#include "coders.h"
#include "heap.h"
#include "interpose.h"

#define PAGE_SIZE (64 * KIB)
#define WARM 10

/* Pages of every kind, of which the random one is the largest when compressed. */
static void
run_pages(struct pagecodec_compressor *compressor, struct pagecodec_decompressor *decompressor,
	  unsigned char *const *pages, size_t first, size_t last)
{
	for (size_t i = first; i < last; i++) {
		struct pagecodec_span part = {pages[i % PAGE_KINDS], PAGE_SIZE};
		struct pagecodec_span out;

		if (pagecodec_compress(compressor, &part, 1, NULL, 0, &out, NULL) != 0 ||
		    pagecodec_decompress(decompressor, out.data, out.size, PAGE_SIZE, NULL, 0,
					 &out, NULL) != 0 ||
		    memcmp(out.data, part.data, PAGE_SIZE) != 0)
			ck_abort_msg("page %zu did not come back", i);
	}
}

static int
is_libsnappy(const struct coder *coder)
{
	return strcmp(coder->engine, "libsnappy") == 0;
}

static int
is_optimal_lz4(const struct coder *coder)
{
	return strcmp(coder->engine, "liblz4") == 0 && coder->has_level && coder->level >= 10;
}

static void
check_steady(const struct coder *coder, const char *engine, size_t count)
{
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&heap);
	struct pagecodec_compressor *compressor = get_compressor(factory, coder);
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, coder->info->codec, engine);
	unsigned char *pages[PAGE_KINDS];
	size_t hooked, before, after;

	for (int kind = 0; kind < PAGE_KINDS; kind++)
		pages[kind] = new_page((enum page_kind)kind, 1, PAGE_SIZE);
	run_pages(compressor, decompressor, pages, 0, WARM);
	hooked = heap.calls;
	before = atomic_load(&interposed_calls);
	run_pages(compressor, decompressor, pages, WARM, count);
	after = atomic_load(&interposed_calls);
	ck_assert_uint_eq(heap.calls, hooked);
	if (!is_libsnappy(coder) && !is_optimal_lz4(coder))
		require(after == before, "%s, %s: %zu allocations", coder_name(coder),
			engine ? engine : "-", after - before);
	for (int kind = 0; kind < PAGE_KINDS; kind++)
		free(pages[kind]);
	pagecodec_compressor_release(compressor);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
}

/* At a fast level, which keeps state as any other does. */
START_TEST(no_allocation_in_many_pages)
{
	struct coder coder = engine_coders(NULL)[_i];

	coder.has_level = coder.info->has_levels;
	coder.level = coder.has_level;
	check_steady(&coder, NULL, tests_short() ? 100 : 10000);
}
END_TEST

START_TEST(no_allocation_with_any_engine_and_level)
{
	const struct coder *coder = &level_coders(NULL)[_i];

	for (size_t e = 0; coder->info->decompress_engines[e]; e++)
		check_steady(coder, coder->info->decompress_engines[e], WARM + PAGE_KINDS);
}
END_TEST

/* Damaged pages, each told of with a message, cost none, nor do good ones between. */
START_TEST(failures_allocate_nothing)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, PAGE_SIZE);
	size_t failed = 0, before, after;
	struct pagecodec_span out;
	struct pagecodec_error error;

	check_decompresses(f.decompressor, f.compressed, f.page, f.size);
	before = atomic_load(&interposed_calls);
	for (size_t cut = 0; cut < 100; cut++) {
		failed += pagecodec_decompress(f.decompressor, f.compressed.data,
					       f.compressed.size - cut, f.size, NULL, 0, &out,
					       &error) != PAGECODEC_OK;
		failed +=
		    pagecodec_decompress(f.decompressor, f.compressed.data, f.compressed.size,
					 f.size, NULL, 0, &out, &error) != PAGECODEC_OK;
	}
	after = atomic_load(&interposed_calls);
	ck_assert_uint_eq(failed, 99);
	ck_assert_uint_eq(after, before);
	fixture_free(&f);
}
END_TEST

/* Warm objects go on when the system has no memory; what an engine cannot get is told. */
START_TEST(no_memory_in_the_system)
{
	const struct coder *coder = &level_coders(NULL)[_i];
	struct fixture f = fixture_new(coder, PAGE_TEXT, PAGE_SIZE);
	struct pagecodec_span part = {f.page, f.size};
	enum pagecodec_status compressed, decompressed;
	struct pagecodec_span out, plain;
	struct pagecodec_error error;

	free(compress_bytes(f.compressor, f.page, f.size).data);
	check_decompresses(f.decompressor, f.compressed, f.page, f.size);
	poison_error(&error);
	interpose_start(!is_libsnappy(coder), is_libsnappy(coder) ? 0 : SIZE_MAX);
	interpose_enter();
	compressed = pagecodec_compress(f.compressor, &part, 1, NULL, 0, &out, &error);
	decompressed = pagecodec_decompress(f.decompressor, f.compressed.data,
					    f.compressed.size, f.size, NULL, 0, &plain, NULL);
	interpose_leave();
	ck_assert_int_eq(decompressed, PAGECODEC_OK);
	if (compressed == PAGECODEC_OK) {
		check_compressed(&f, out);
	} else {
		ck_assert(is_optimal_lz4(coder));
		assert_status(compressed, PAGECODEC_OUT_OF_MEMORY);
		check_error(&error, PAGECODEC_OUT_OF_MEMORY);
		check_no_span(out);
	}
	struct bytes again = compress_bytes(f.compressor, f.page, f.size);

	check_compressed(&f, (struct pagecodec_span){again.data, again.size});
	free(again.data);
	fixture_free(&f);
}
END_TEST

int
main(void)
{
	size_t count, levels;

	engine_coders(&count);
	level_coders(&levels);
	add_loop(no_allocation_in_many_pages, count);
	add_loop(no_allocation_with_any_engine_and_level, levels);
	add_loop(failures_allocate_nothing, count);
	add_loop(no_memory_in_the_system, levels);
	return run_tests("no_malloc");
}
