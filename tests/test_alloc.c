/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_alloc.c - every allocation fails once, and every one from there on
 * The call says OUT_OF_MEMORY, leaves nothing behind, and the object serves the next page
 * once there is memory again.
 */
#include <stdlib.h>

#include "coders.h"
#include "heap.h"

#define PAGE_SIZE 10000

/* Everything that one coder does with memory, from its factory on. */
struct work {
	const struct coder *coder;
	struct heap heap;
	const unsigned char *page;
	struct pagecodec_span parts[2];
	struct bytes compressed;
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;
	size_t failures;
};

/* Whether the call was made; counts it if memory was out. */
static int
done(struct work *work, enum pagecodec_status status, const struct pagecodec_error *error)
{
	size_t failed = work->heap.failed;

	if (status == PAGECODEC_OK)
		return 1;
	require(status == PAGECODEC_OUT_OF_MEMORY, "%s instead of OUT_OF_MEMORY",
		pagecodec_status_name(status));
	ck_assert_uint_gt(failed, 0);
	check_error(error, PAGECODEC_OUT_OF_MEMORY);
	work->failures++;
	return 0;
}

static int
create(struct work *work)
{
	struct pagecodec_factory_options options = heap_options(&work->heap);
	struct pagecodec_error error;

	work->factory = (struct pagecodec_factory *)work;
	if (done(work, pagecodec_factory_create(&options, &work->factory, &error), &error))
		return 1;
	ck_assert_ptr_null(work->factory);
	return 0;
}

static int
get(struct work *work)
{
	struct pagecodec_compressor_options options = {
	    .struct_size = sizeof(options), .engine = work->coder->engine, .page_crc = 1};
	int32_t codec = work->coder->info->codec;
	struct pagecodec_error error;

	if (!done(work,
		  pagecodec_compressor_get(work->factory, codec, &options, &work->compressor,
					   &error),
		  &error)) {
		ck_assert_ptr_null(work->compressor);
		return 0;
	}
	if (!done(work,
		  pagecodec_decompressor_get(work->factory, codec, NULL, &work->decompressor,
					     &error),
		  &error)) {
		ck_assert_ptr_null(work->decompressor);
		return 0;
	}
	return 1;
}

static void
check_compress(struct work *work)
{
	struct pagecodec_span out;
	struct pagecodec_error error;

	if (!done(work,
		  pagecodec_compress(work->compressor, work->parts, 2, NULL, 0, &out, &error),
		  &error)) {
		check_no_span(out);
		return;
	}
	ck_assert_uint_eq(out.size, work->compressed.size);
	check_bytes(coder_name(work->coder), out.data, work->compressed.data, out.size);
}

static void
check_decompress(struct work *work)
{
	struct pagecodec_span out;
	struct pagecodec_error error;

	if (!done(work,
		  pagecodec_decompress(work->decompressor, work->compressed.data,
				       work->compressed.size, PAGE_SIZE, NULL, 0, &out, &error),
		  &error)) {
		check_no_span(out);
		return;
	}
	ck_assert_uint_eq(out.size, PAGE_SIZE);
	check_bytes(coder_name(work->coder), out.data, work->page, PAGE_SIZE);
}

/* Twice as large, so that memory is asked for again. */
static void
check_page_v1(struct work *work)
{
	const struct pagecodec_span parts[4] = {work->parts[0], work->parts[1], work->parts[0],
						work->parts[1]};
	struct pagecodec_span levels, values;
	struct pagecodec_page page;
	struct pagecodec_error error;

	if (!done(
		work,
		pagecodec_compress_page_v1(work->compressor, parts, 4, NULL, 0, &page, &error),
		&error)) {
		ck_assert_ptr_null(page.body);
		ck_assert_uint_eq(page.body_size, 0);
		return;
	}
	if (!done(work,
		  pagecodec_decompress_page(work->decompressor, &page, NULL, 0, &levels,
					    &values, &error),
		  &error)) {
		check_no_span(levels);
		check_no_span(values);
		return;
	}
	ck_assert_uint_eq(values.size, 2 * PAGE_SIZE);
	check_bytes("V1 values", values.data, work->page, PAGE_SIZE);
}

static void
check_page_v2(struct work *work)
{
	const struct pagecodec_span parts[6] = {work->parts[0], work->parts[1], work->parts[0],
						work->parts[1], work->parts[0], work->parts[1]};
	struct pagecodec_span levels, values;
	struct pagecodec_page page;
	struct pagecodec_error error;

	if (!done(work,
		  pagecodec_compress_page_v2(work->compressor, parts, parts + 1, parts + 2, 4,
					     NULL, 0, &page, &error),
		  &error)) {
		ck_assert_ptr_null(page.body);
		return;
	}
	if (!done(work,
		  pagecodec_decompress_page(work->decompressor, &page, NULL, 0, &levels,
					    &values, &error),
		  &error)) {
		check_no_span(levels);
		check_no_span(values);
		return;
	}
	ck_assert_uint_eq(levels.size, PAGE_SIZE);
	check_bytes("V2 levels", levels.data, work->page, PAGE_SIZE);
	check_bytes("V2 values", values.data, work->page, PAGE_SIZE);
}

static void
use_objects(struct work *work)
{
	check_compress(work);
	check_decompress(work);
	if (is_arrow(work->coder->info->codec))
		return;
	check_page_v1(work);
	check_page_v2(work);
}

/* Whether any allocation was refused. */
static int
run_with_failure(struct work *work, size_t from, size_t to)
{
	work->heap = (struct heap)HEAP_INIT;
	work->heap.fail_from = from;
	work->heap.fail_to = to;
	work->factory = NULL;
	work->compressor = NULL;
	work->decompressor = NULL;
	work->failures = 0;
	if (create(work) && get(work)) {
		use_objects(work);
		work->heap.fail_from = 0;
		size_t failures = work->failures;

		use_objects(work);
		ck_assert_uint_eq(work->failures, failures);
	}
	pagecodec_compressor_release(work->compressor);
	pagecodec_decompressor_release(work->decompressor);
	pagecodec_factory_destroy(work->factory);
	heap_check_empty(&work->heap);
	return work->heap.failed > 0;
}

static struct work
work_of(const struct coder *coder)
{
	unsigned char *page = new_page(PAGE_TEXT, 1, PAGE_SIZE);

	return (struct work){
	    .coder = coder,
	    .page = page,
	    .parts = {{page, PAGE_SIZE / 2}, {page + PAGE_SIZE / 2, PAGE_SIZE / 2}},
	    .compressed = compress_fresh(coder, page, PAGE_SIZE),
	};
}

static void
work_free(struct work *work)
{
	free((unsigned char *)(uintptr_t)work->page);
	free(work->compressed.data);
}

/* An allocation that was to make room only may fail unnoticed; most do not. */
START_TEST(each_allocation_fails_once)
{
	struct work work = work_of(&engine_coders(NULL)[_i]);
	size_t n = 1, noticed = 0;

	while (run_with_failure(&work, n, n)) {
		noticed += work.failures > 0;
		n++;
	}
	ck_assert_uint_ge(n, 4);
	ck_assert_uint_ge(noticed, n / 2);
	work_free(&work);
}
END_TEST

START_TEST(all_allocations_fail_from_one_on)
{
	struct work work = work_of(&engine_coders(NULL)[_i]);
	size_t n = 1;

	while (run_with_failure(&work, n, SIZE_MAX))
		n++;
	ck_assert_uint_ge(n, 4);
	work_free(&work);
}
END_TEST

/* An idle object costs no allocation, so it can be had when memory is out. */
START_TEST(idle_objects_without_memory)
{
	struct work work = work_of(&engine_coders(NULL)[_i]);
	struct pagecodec_compressor *compressor;

	work.heap = (struct heap)HEAP_INIT;
	ck_assert(create(&work));
	ck_assert(get(&work));
	use_objects(&work);
	compressor = work.compressor;
	pagecodec_compressor_release(work.compressor);
	pagecodec_decompressor_release(work.decompressor);
	work.heap.fail_from = 1;
	work.heap.fail_to = SIZE_MAX;
	ck_assert(get(&work));
	ck_assert_ptr_eq(work.compressor, compressor);
	use_objects(&work);
	ck_assert_uint_eq(work.failures, 0);
	pagecodec_compressor_release(work.compressor);
	pagecodec_decompressor_release(work.decompressor);
	pagecodec_factory_destroy(work.factory);
	heap_check_empty(&work.heap);
	work_free(&work);
}
END_TEST

static Suite *
alloc_suite(void)
{
	Suite *suite = suite_create("alloc");
	TCase *tcase = tcase_create("failures");
	size_t count;

	engine_coders(&count);
	tcase_add_loop_test(tcase, each_allocation_fails_once, 0, (int)count);
	tcase_add_loop_test(tcase, all_allocations_fail_from_one_on, 0, (int)count);
	tcase_add_loop_test(tcase, idle_objects_without_memory, 0, (int)count);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return run_suite(alloc_suite());
}
