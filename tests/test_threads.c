/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_threads.c - one factory, many threads, each with objects of its own
 * All start at the same instant, take, use and release objects of every codec, and check
 * each byte; a page of another thread's would show, as each has bytes of its own.
 */
#include <pthread.h>
#include <stdlib.h>

#include "coders.h"
#include "heap.h"

#define THREADS 16
#define MAX_PAGE 70000

struct thread {
	pthread_t id;
	uint64_t seed;
	struct pagecodec_factory *factory;
	pthread_barrier_t *barrier;
	const struct coder *coder; /* NULL: all in turn */
	size_t pages;
	struct pagecodec_compressor *kept_compressor;
	struct pagecodec_decompressor *kept_decompressor;
	const char *failure; /* NULL: none; asserted by the thread that joins */
};

/* Assertions of the check framework are for its own thread only. */
static const char *
one_page(struct pagecodec_compressor *compressor, struct pagecodec_decompressor *decompressor,
	 const void *page, size_t size)
{
	struct pagecodec_span part = {page, size};
	struct pagecodec_span compressed, plain;

	if (pagecodec_compress(compressor, &part, 1, NULL, 0, &compressed, NULL) != 0)
		return "a page was not compressed";
	if (pagecodec_decompress(decompressor, compressed.data, compressed.size, size, NULL, 0,
				 &plain, NULL) != 0)
		return "a page was not decompressed";
	if (plain.size != size || (size && memcmp(plain.data, page, size) != 0))
		return "a page came back as another";
	return NULL;
}

static const char *
get_objects(struct thread *thread, const struct coder *coder,
	    struct pagecodec_compressor **compressor,
	    struct pagecodec_decompressor **decompressor)
{
	struct pagecodec_compressor_options options = {.struct_size = sizeof(options),
						       .engine = coder->engine};

	if (pagecodec_compressor_get(thread->factory, coder->info->codec, &options, compressor,
				     NULL) != 0)
		return "no compressor";
	if (pagecodec_decompressor_get(thread->factory, coder->info->codec, NULL, decompressor,
				       NULL) != 0)
		return "no decompressor";
	return NULL;
}

/* Objects are taken and released for every few pages. */
static void *
run_pages(void *arg)
{
	struct thread *thread = arg;
	size_t count;
	const struct coder *coders = engine_coders(&count);
	unsigned char *page = malloc(MAX_PAGE);
	uint64_t state = thread->seed;

	for (size_t i = 0; page && i < MAX_PAGE; i++)
		page[i] = (unsigned char)(thread->seed * 16 + i % (thread->seed + 1));
	pthread_barrier_wait(thread->barrier);
	for (size_t i = 0; page && i < thread->pages && !thread->failure; i += 5) {
		const struct coder *coder = &coders[next_random(&state) % count];
		struct pagecodec_compressor *compressor = NULL;
		struct pagecodec_decompressor *decompressor = NULL;

		thread->failure = get_objects(thread, thread->coder ? thread->coder : coder,
					      &compressor, &decompressor);
		for (size_t k = 0; k < 5 && !thread->failure; k++)
			thread->failure =
			    one_page(compressor, decompressor, page,
				     (size_t)(next_random(&state) % (MAX_PAGE + 1)));
		pagecodec_decompressor_release(decompressor);
		pagecodec_compressor_release(compressor);
	}
	if (!page)
		thread->failure = "no memory";
	free(page);
	return NULL;
}

static void
run_threads(struct thread *threads, void *(*run)(void *), struct pagecodec_factory *factory,
	    const struct coder *coder, size_t pages)
{
	pthread_barrier_t barrier;

	ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, THREADS), 0);
	for (size_t i = 0; i < THREADS; i++) {
		threads[i] = (struct thread){.seed = i,
					     .factory = factory,
					     .barrier = &barrier,
					     .coder = coder,
					     .pages = pages};
		ck_assert_int_eq(pthread_create(&threads[i].id, NULL, run, &threads[i]), 0);
	}
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i].id, NULL);
	for (size_t i = 0; i < THREADS; i++)
		require(!threads[i].failure, "thread %zu: %s", i, threads[i].failure);
	pthread_barrier_destroy(&barrier);
}

START_TEST(threads_share_a_factory)
{
	struct thread threads[THREADS];
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&heap);

	run_threads(threads, run_pages, factory, NULL, tests_short() ? 50 : 2000);
	check_objects(factory, 0, memory_of(factory).objects_idle);
	ck_assert_uint_eq(memory_of(factory).bytes, heap.live_bytes);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
}
END_TEST

/* The first objects of a codec that a program ever takes, all at the same instant. */
START_TEST(first_objects_at_the_same_instant)
{
	struct thread threads[THREADS];
	struct pagecodec_factory *factory = new_factory();

	run_threads(threads, run_pages, factory, &engine_coders(NULL)[_i], 1);
	pagecodec_factory_destroy(factory);
}
END_TEST

/* Too little idle memory for all: objects are freed while others are made. */
START_TEST(threads_and_little_idle_memory)
{
	struct thread threads[THREADS];
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory_options options = heap_options(&heap);
	struct pagecodec_factory *factory = NULL;
	struct pagecodec_error error;

	options.max_idle_size = 1 * MIB;
	assert_ok(pagecodec_factory_create(&options, &factory, &error), &error);
	run_threads(threads, run_pages, factory, NULL, tests_short() ? 20 : 300);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
}
END_TEST

/* Trimming and counting go on while objects come and go. */
static void *
run_trim(void *arg)
{
	struct thread *thread = arg;
	struct pagecodec_memory memory = {.struct_size = sizeof(memory)};

	if (thread->seed % 4)
		return run_pages(arg);
	pthread_barrier_wait(thread->barrier);
	for (size_t i = 0; i < thread->pages; i++) {
		pagecodec_factory_trim(thread->factory);
		pagecodec_factory_memory(thread->factory, &memory);
		if (memory.objects_out > 2 * THREADS || memory.peak_bytes < memory.bytes)
			thread->failure = "counters that cannot be";
	}
	return NULL;
}

START_TEST(trim_while_others_work)
{
	struct thread threads[THREADS];
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&heap);

	run_threads(threads, run_trim, factory, NULL, tests_short() ? 20 : 200);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
}
END_TEST

/* Take objects, wait until the factory is destroyed, go on, release. */
static void *
run_beyond_destroy(void *arg)
{
	struct thread *thread = arg;
	size_t count;
	const struct coder *coders = engine_coders(&count);
	unsigned char page[1000];

	memset(page, (int)thread->seed, sizeof(page));
	thread->failure = get_objects(thread, &coders[thread->seed % count],
				      &thread->kept_compressor, &thread->kept_decompressor);
	if (pthread_barrier_wait(thread->barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
		pagecodec_factory_destroy(thread->factory);
	if (!thread->failure)
		thread->failure = one_page(thread->kept_compressor, thread->kept_decompressor,
					   page, sizeof(page));
	pagecodec_decompressor_release(thread->kept_decompressor);
	pagecodec_compressor_release(thread->kept_compressor);
	return NULL;
}

START_TEST(destroy_while_others_hold_objects)
{
	struct thread threads[THREADS];

	for (int round = 0; round < (tests_short() ? 3 : 50); round++) {
		struct heap heap = HEAP_INIT;

		run_threads(threads, run_beyond_destroy, heap_factory(&heap), NULL, 0);
		heap_check_empty(&heap);
	}
}
END_TEST

/* An object made by one thread, used by another, released by a third. */
static void *
run_one_page(void *arg)
{
	struct thread *thread = arg;
	unsigned char page[1000] = {1};

	thread->failure =
	    one_page(thread->kept_compressor, thread->kept_decompressor, page, sizeof(page));
	return NULL;
}

START_TEST(objects_move_between_threads)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 1000);
	struct thread thread = {.kept_compressor = f.compressor,
				.kept_decompressor = f.decompressor};

	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(pthread_create(&thread.id, NULL, run_one_page, &thread), 0);
		pthread_join(thread.id, NULL);
		require(!thread.failure, "%s", thread.failure);
		check_decompresses(f.decompressor, f.compressed, f.page, f.size);
	}
	fixture_free(&f);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_test(threads_share_a_factory);
	add_loop(first_objects_at_the_same_instant, count);
	add_test(threads_and_little_idle_memory);
	add_test(trim_while_others_work);
	add_test(destroy_while_others_hold_objects);
	add_loop(objects_move_between_threads, count);
	return run_tests("threads");
}
