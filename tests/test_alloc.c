/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_alloc.c - every allocation fails once, and every one from there on
 * The call says OUT_OF_MEMORY, leaves nothing behind, and the object serves the next page
 * once there is memory again.
 */
#include "heap.h"
#include "work.h"

/* Whether any allocation was refused. */
static int
run_with_failure(struct work *work, size_t from, size_t to)
{
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory_options options = heap_options(&heap);
	size_t failures;

	heap.fail_from = from;
	heap.fail_to = to;
	work->options = &options;
	work->refused = &heap.failed;
	if (work_create(work)) {
		work_get(work);
		work_use(work);
		work_renew(work);
		work_use(work);
		heap.fail_from = 0;
		failures = work->failures;
		work_release(work);
		ck_assert(work_get(work));
		work_use(work);
		ck_assert_uint_eq(work->failures, failures);
		work_destroy(work);
	}
	heap_check_empty(&heap);
	return heap.failed > 0;
}

/* An allocation that was to make room only may fail unnoticed; most do not. */
START_TEST(each_allocation_fails_once)
{
	struct work work = work_new(&work_variants(NULL)[_i]);
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
	struct work work = work_new(&work_variants(NULL)[_i]);
	size_t n = 1;

	while (run_with_failure(&work, n, SIZE_MAX)) {
		require(work.failures > 0, "%zu: nobody noticed", n);
		n++;
	}
	ck_assert_uint_ge(n, 4);
	work_free(&work);
}
END_TEST

/* An idle object costs no allocation, so it can be had when memory is out. */
START_TEST(idle_objects_without_memory)
{
	struct work work = work_new(&work_variants(NULL)[_i]);
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory_options options = heap_options(&heap);
	struct pagecodec_compressor *compressor;

	work.options = &options;
	work.refused = &heap.failed;
	ck_assert(work_create(&work) && work_get(&work));
	work_use(&work);
	compressor = work.compressor;
	work_release(&work);
	heap.fail_from = 1;
	heap.fail_to = SIZE_MAX;
	ck_assert(work_get(&work));
	ck_assert_ptr_eq(work.compressor, compressor);
	work_use(&work);
	ck_assert_uint_eq(work.failures, 0);
	work_destroy(&work);
	heap_check_empty(&heap);
	work_free(&work);
}
END_TEST

int
main(void)
{
	size_t count;

	work_variants(&count);
	add_loop(each_allocation_fails_once, count);
	add_loop(all_allocations_fail_from_one_on, count);
	add_loop(idle_objects_without_memory, count);
	return run_tests("alloc");
}
