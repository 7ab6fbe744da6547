/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_malloc.c - every malloc of the process fails once, and every one from there on
 * As test_alloc does with the factory's hooks; here also what codec libraries take by
 * themselves.  libsnappy's encoder is left out, which README names: it ends the process.
 */
#include "interpose.h"
#include "work.h"

static int
run_with_failure(struct work *work, size_t from, size_t to)
{
	size_t failures;

	interpose_start(from, to);
	if (work_create(work)) {
		work_get(work);
		work_use(work);
		work_renew(work);
		work_use(work);
		failures = work->failures;
		work_destroy(work);
		require(interpose_live == 0, "%td blocks were not freed", interpose_live);
		work->failures = failures;
	}
	return interpose_refused > 0;
}

/* The same objects go on when there is memory again. */
static void
run_and_recover(struct work *work, size_t from)
{
	interpose_start(from, SIZE_MAX);
	if (!work_create(work))
		return;
	work_get(work);
	work_use(work);
	interpose_start(0, 0);
	work_use(work);
	work_destroy(work);
}

static struct work
interposed_work(int index)
{
	struct work work = work_new(&work_variants(NULL)[index]);

	work.refused = &interpose_refused;
	work.enter = interpose_enter;
	work.leave = interpose_leave;
	return work;
}

static int
is_left_out(int index)
{
	if (!interpose_works()) {
		fprintf(stderr, "skipped: malloc cannot be replaced here\n");
		return 1;
	}
	return strcmp(work_variants(NULL)[index].coder.engine, "libsnappy") == 0;
}

START_TEST(each_malloc_fails_once)
{
	struct work work = interposed_work(_i);
	size_t n = 1, noticed = 0;
	int is_tried = !is_left_out(_i);

	while (is_tried && run_with_failure(&work, n, n)) {
		noticed += work.failures > 0;
		n++;
	}
	if (is_tried) {
		ck_assert_uint_ge(n, 4);
		ck_assert_uint_ge(noticed, n / 2);
	}
	work_free(&work);
}
END_TEST

START_TEST(all_mallocs_fail_from_one_on)
{
	struct work work = interposed_work(_i);
	size_t n = 1;
	int is_tried = !is_left_out(_i);

	while (is_tried && run_with_failure(&work, n, SIZE_MAX)) {
		require(work.failures > 0, "%zu: nobody noticed", n);
		run_and_recover(&work, n);
		n++;
	}
	if (is_tried)
		ck_assert_uint_ge(n, 4);
	work_free(&work);
}
END_TEST

int
main(void)
{
	size_t count;

	work_variants(&count);
	add_loop(each_malloc_fails_once, count);
	add_loop(all_mallocs_fail_from_one_on, count);
	return run_tests("malloc");
}
