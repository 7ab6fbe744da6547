/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_memory.c - memory is counted, kept within bounds, given back, and used again
 * An allocator of the tests sees every byte that the library asks for, which is what the
 * factory's counters must say.
 */
#include <stdlib.h>

#include "coders.h"
#include "heap.h"

START_TEST(memory_is_counted)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&heap);
	struct pagecodec_compressor *compressor;
	struct pagecodec_memory memory;

	ck_assert_uint_eq(memory_of(factory).bytes, heap.live_bytes);
	compressor = get_compressor(factory, coder);
	fill_object(compressor, 300000);
	memory = memory_of(factory);
	ck_assert_uint_eq(memory.bytes, heap.live_bytes);
	ck_assert_uint_eq(memory.peak_bytes, heap.peak_bytes);
	ck_assert_uint_ge(memory.bytes, 300000);
	pagecodec_compressor_release(compressor);
	ck_assert_uint_eq(memory_of(factory).bytes, heap.live_bytes);
	pagecodec_factory_trim(factory);
	check_objects(factory, 0, 0);
	memory = memory_of(factory);
	ck_assert_uint_eq(memory.bytes, heap.live_bytes);
	ck_assert_uint_lt(memory.bytes, 100000);
	ck_assert_uint_eq(memory.peak_bytes, heap.peak_bytes);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
}
END_TEST

START_TEST(trim_leaves_objects_that_are_out)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 10000);
	struct pagecodec_compressor *idle = get_compressor(f.factory, f.coder);

	pagecodec_compressor_release(idle);
	check_objects(f.factory, 2, 1);
	pagecodec_factory_trim(f.factory);
	check_objects(f.factory, 2, 0);
	pagecodec_factory_trim(f.factory);
	fill_object(f.compressor, 10000);
	check_decompresses(f.decompressor, f.compressed, f.page, f.size);
	fixture_free(&f);
}
END_TEST

static struct pagecodec_factory *
factory_with_idle(struct heap *heap, size_t max_idle_size)
{
	struct pagecodec_factory_options options = heap_options(heap);
	struct pagecodec_factory *factory = NULL;
	struct pagecodec_error error;

	options.max_idle_size = max_idle_size;
	assert_ok(pagecodec_factory_create(&options, &factory, &error), &error);
	return factory;
}

START_TEST(nothing_is_kept)
{
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = factory_with_idle(&heap, 1);
	size_t empty = heap.live_bytes;

	for (int i = 0; i < 3; i++) {
		struct pagecodec_compressor *compressor =
		    get_compressor(factory, &engine_coders(NULL)[_i]);

		fill_object(compressor, 10000);
		pagecodec_compressor_release(compressor);
		check_objects(factory, 0, 0);
		ck_assert_uint_eq(heap.live_bytes, empty);
	}
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
}
END_TEST

/* Objects that each keep a page of 1 MiB; the bound is reached and never passed. */
START_TEST(idle_memory_is_bounded)
{
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = factory_with_idle(&heap, 4 * MIB);
	const struct coder *coder = &engine_coders(NULL)[_i];
	size_t empty = heap.live_bytes;
	struct pagecodec_compressor *objects[8];

	for (size_t i = 0; i < COUNT_OF(objects); i++) {
		objects[i] = get_compressor(factory, coder);
		fill_object(objects[i], 1 * MIB);
	}
	for (size_t i = 0; i < COUNT_OF(objects); i++) {
		pagecodec_compressor_release(objects[i]);
		ck_assert_uint_eq(memory_of(factory).objects_out, COUNT_OF(objects) - 1 - i);
		ck_assert_uint_le(memory_of(factory).objects_idle, 4);
	}
	ck_assert_uint_le(heap.live_bytes, empty + 4 * MIB);
	/* Kept is what came back last; the oldest were freed. */
	if (memory_of(factory).objects_idle) {
		ck_assert_ptr_eq(get_compressor(factory, coder), objects[7]);
		pagecodec_compressor_release(objects[7]);
	}
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
}
END_TEST

/* 64 MiB where nothing is said: small objects are all kept. */
/* One huge page costs the others nothing. */
START_TEST(an_object_beyond_the_bound_goes_alone)
{
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = factory_with_idle(&heap, 1 << 20);
	struct pagecodec_decompressor *small =
	    get_decompressor(factory, PAGECODEC_UNCOMPRESSED, NULL);
	struct pagecodec_compressor *large = get_compressor(factory, &engine_coders(NULL)[_i]);

	fill_object(large, 2 << 20);
	pagecodec_decompressor_release(small);
	check_objects(factory, 1, 1);
	pagecodec_compressor_release(large);
	check_objects(factory, 0, 1);
	ck_assert_ptr_eq(get_decompressor(factory, PAGECODEC_UNCOMPRESSED, NULL), small);
	pagecodec_decompressor_release(small);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
}
END_TEST

/* A size that nothing came of is not kept, nor does the next good page pay for it. */
START_TEST(failed_pages_leave_no_memory)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&heap);
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, coder->info->codec, NULL);
	struct fixture f = fixture_new(coder, PAGE_TEXT, 10000);
	struct pagecodec_span out;
	size_t bytes, calls;

	check_decompresses(decompressor, f.compressed, f.page, f.size);
	bytes = heap.live_bytes;
	for (size_t declared = f.size + 1; declared < 3 * f.size; declared += 777) {
		ck_assert_int_ne(pagecodec_decompress(decompressor, f.compressed.data,
						      f.compressed.size, declared, NULL, 0,
						      &out, NULL),
				 PAGECODEC_OK);
		ck_assert_uint_eq(heap.live_bytes, bytes);
	}
	calls = heap.calls;
	check_decompresses(decompressor, f.compressed, f.page, f.size);
	ck_assert_uint_eq(heap.calls, calls);
	fixture_free(&f);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
}
END_TEST

START_TEST(default_keeps_small_objects)
{
	struct pagecodec_factory *factory = new_factory();
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct pagecodec_compressor *objects[8];

	for (size_t i = 0; i < COUNT_OF(objects); i++)
		objects[i] = get_compressor(factory, coder);
	for (size_t i = 0; i < COUNT_OF(objects); i++)
		pagecodec_compressor_release(objects[i]);
	check_objects(factory, 0, COUNT_OF(objects));
	pagecodec_factory_destroy(factory);
}
END_TEST

/* Warm: what an object had for its first page it still has after going round. */
START_TEST(objects_come_back_warm)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&heap);
	struct pagecodec_compressor *compressor = get_compressor(factory, coder);
	size_t calls;

	fill_object(compressor, 100000);
	fill_object(compressor, 100000);
	calls = heap.calls;
	for (int i = 0; i < 10; i++) {
		pagecodec_compressor_release(compressor);
		compressor = get_compressor(factory, coder);
		fill_object(compressor, 100000);
	}
	ck_assert_uint_eq(heap.calls, calls);
	pagecodec_compressor_release(compressor);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
}
END_TEST

/* The largest page comes first; what comes after it, large or small, costs nothing. */
START_TEST(pages_up_to_the_largest_allocate_nothing)
{
	static const size_t sizes[] = {1 * KIB, 20, 100 * KIB, 0, 1 * MIB, 8 * KIB};
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&heap);
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 1 * MIB);
	struct pagecodec_compressor *compressor = get_compressor(factory, f.coder);
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, f.coder->info->codec, NULL);
	size_t calls;

	free(compress_bytes(compressor, f.page, f.size).data);
	check_decompresses(decompressor, f.compressed, f.page, f.size);
	calls = heap.calls;
	for (size_t i = 0; i < (tests_short() ? 12 : 600); i++) {
		/* Long runs of small pages make libzstd give memory back. */
		size_t size = sizes[i % 200 < 150 ? i % 2 : i % COUNT_OF(sizes)];
		struct bytes bytes = compress_bytes(compressor, f.page, size);
		check_decompresses(decompressor, bytes, f.page, size);
		free(bytes.data);
		require(heap.calls == calls, "page %zu, of %zu bytes: %zu allocations", i, size,
			heap.calls - calls);
	}
	pagecodec_compressor_release(compressor);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
	fixture_free(&f);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_loop(memory_is_counted, count);
	add_loop(trim_leaves_objects_that_are_out, count);
	add_loop(nothing_is_kept, count);
	add_loop(idle_memory_is_bounded, count);
	add_loop(an_object_beyond_the_bound_goes_alone, count);
	add_loop(failed_pages_leave_no_memory, count);
	add_loop(default_keeps_small_objects, count);
	add_loop(objects_come_back_warm, count);
	add_loop(pages_up_to_the_largest_allocate_nothing, count);
	return run_tests("memory");
}
