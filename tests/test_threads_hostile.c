/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_threads_hostile.c - sixteen threads on one factory, and pages that are damaged
 * An object is never in two hands; a page that one thread sees refused costs no other
 * thread anything; objects come back while the factory is destroyed.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "coders.h"
#include "heap.h"

#define THREADS 16
#define PAGE_SIZE 3000
#define HELD 12

struct shared {
	struct pagecodec_factory *factory;
	pthread_barrier_t barrier;
	size_t pages; /* of each thread */
	const struct coder *coders;
	size_t coder_count;
	unsigned char *page;
	struct bytes *compressed;	/* of each coder */
	_Atomic(void *) holds[THREADS]; /* an object that the thread has out */
};

struct thread {
	pthread_t id;
	size_t index;
	struct shared *shared;
	const char *failure; /* NULL: none; asserted by the thread that joins */
};

/* ---- Runs */

static struct shared *
new_shared(struct heap *heap, size_t pages)
{
	struct shared *shared = calloc(1, sizeof(*shared));

	ck_assert_ptr_nonnull(shared);
	ck_assert_int_eq(pthread_barrier_init(&shared->barrier, NULL, THREADS), 0);
	shared->factory = heap_factory(heap);
	shared->pages = pages;
	shared->coders = engine_coders(&shared->coder_count);
	shared->page = new_page(PAGE_TEXT, 1, PAGE_SIZE);
	shared->compressed = calloc(shared->coder_count, sizeof(*shared->compressed));
	ck_assert_ptr_nonnull(shared->compressed);
	for (size_t i = 0; i < shared->coder_count; i++)
		shared->compressed[i] =
		    compress_fresh(&shared->coders[i], shared->page, PAGE_SIZE);
	return shared;
}

static void
free_shared(struct shared *shared)
{
	for (size_t i = 0; i < shared->coder_count; i++)
		free(shared->compressed[i].data);
	free(shared->compressed);
	free(shared->page);
	pthread_barrier_destroy(&shared->barrier);
	free(shared);
}

static void
run(struct shared *shared, void *(*function)(void *))
{
	struct thread threads[THREADS];

	for (size_t i = 0; i < THREADS; i++) {
		threads[i] = (struct thread){.index = i, .shared = shared};
		ck_assert_int_eq(pthread_create(&threads[i].id, NULL, function, &threads[i]),
				 0);
	}
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i].id, NULL);
	for (size_t i = 0; i < THREADS; i++)
		require(!threads[i].failure, "thread %zu: %s", i, threads[i].failure);
}

/* ---- What each thread does; assertions are for the first thread only */

static struct pagecodec_decompressor *
get(struct shared *shared, const struct coder *coder)
{
	struct pagecodec_decompressor_options options = {.struct_size = sizeof(options),
							 .engine = coder->engine};
	struct pagecodec_decompressor *object = NULL;

	if (pagecodec_decompressor_get(shared->factory, coder->info->codec, &options, &object,
				       NULL) != PAGECODEC_OK)
		return NULL;
	return object;
}

static const char *
read_sound(struct shared *shared, struct pagecodec_decompressor *object, struct bytes page)
{
	struct pagecodec_span out;

	if (pagecodec_decompress(object, page.data, page.size, PAGE_SIZE, NULL, 0, &out,
				 NULL) != PAGECODEC_OK)
		return "a sound page was refused";
	return memcmp(out.data, shared->page, PAGE_SIZE) == 0 ? NULL
							      : "a page came back as another";
}

static const char *
read_damaged(struct pagecodec_decompressor *object, struct bytes page, size_t n)
{
	struct pagecodec_error error = {0};
	struct pagecodec_span out;
	enum pagecodec_status status;

	status = pagecodec_decompress(object, page.data, n % page.size, PAGE_SIZE, NULL, 0,
				      &out, &error);
	if (!is_damage(status) || error.status != status || out.data)
		return "a page that was cut was not refused";
	return NULL;
}

/* Every third page is damaged. */
static void *
read_pages(void *arg)
{
	struct thread *thread = arg;
	struct shared *shared = thread->shared;
	uint64_t state = thread->index;

	pthread_barrier_wait(&shared->barrier);
	for (size_t n = 0; n < shared->pages && !thread->failure; n += 5) {
		size_t coder = (size_t)(next_random(&state) % shared->coder_count);
		struct bytes page = shared->compressed[coder];
		struct pagecodec_decompressor *object = get(shared, &shared->coders[coder]);

		if (!object)
			thread->failure = "no decompressor";
		for (size_t i = n; i < n + 5 && !thread->failure; i++)
			thread->failure = i % 3 ? read_sound(shared, object, page)
						: read_damaged(object, page, i);
		pagecodec_decompressor_release(object);
	}
	return NULL;
}

START_TEST(damaged_pages)
{
	struct heap heap = HEAP_INIT;
	struct shared *shared = new_shared(&heap, tests_short() ? 100 : 2000);

	run(shared, read_pages);
	check_objects(shared->factory, 0, memory_of(shared->factory).objects_idle);
	ck_assert_uint_eq(memory_of(shared->factory).bytes, heap.live_bytes);
	pagecodec_factory_destroy(shared->factory);
	heap_check_empty(&heap);
	free_shared(shared);
}
END_TEST

/* All want the same kind of object, of which there are never enough. */
static void *
take_in_turn(void *arg)
{
	struct thread *thread = arg;
	struct shared *shared = thread->shared;

	pthread_barrier_wait(&shared->barrier);
	for (size_t n = 0; n < shared->pages && !thread->failure; n++) {
		struct pagecodec_decompressor *object = get(shared, &shared->coders[0]);

		atomic_store(&shared->holds[thread->index], object);
		for (size_t i = 0; i < THREADS; i++)
			if (i != thread->index && atomic_load(&shared->holds[i]) == object)
				thread->failure = "an object is in two hands";
		atomic_store(&shared->holds[thread->index], NULL);
		pagecodec_decompressor_release(object);
	}
	return NULL;
}

START_TEST(an_object_is_in_one_hand)
{
	struct heap heap = HEAP_INIT;
	struct shared *shared = new_shared(&heap, tests_short() ? 500 : 20000);

	run(shared, take_in_turn);
	ck_assert_uint_le(memory_of(shared->factory).objects_idle, THREADS);
	pagecodec_factory_destroy(shared->factory);
	heap_check_empty(&heap);
	free_shared(shared);
}
END_TEST

/* One destroys, the others give back all that they have. */
static void *
release_at_the_end(void *arg)
{
	struct thread *thread = arg;
	struct shared *shared = thread->shared;
	struct pagecodec_decompressor *objects[HELD];

	for (size_t i = 0; i < HELD; i++) {
		objects[i] =
		    get(shared, &shared->coders[(thread->index + i) % shared->coder_count]);
		if (!objects[i])
			thread->failure = "no decompressor";
	}
	pthread_barrier_wait(&shared->barrier);
	if (thread->index == shared->pages % THREADS)
		pagecodec_factory_destroy(shared->factory);
	for (size_t i = 0; i < HELD; i++)
		pagecodec_decompressor_release(objects[i]);
	return NULL;
}

START_TEST(destroy_while_others_release)
{
	for (size_t round = 0; round < (tests_short() ? 4 : 100); round++) {
		struct heap heap = HEAP_INIT;
		struct shared *shared = new_shared(&heap, round);

		run(shared, release_at_the_end);
		heap_check_empty(&heap);
		free_shared(shared);
	}
}
END_TEST

int
main(void)
{
	add_test(damaged_pages);
	add_test(an_object_is_in_one_hand);
	add_test(destroy_while_others_release);
	return run_tests("threads_hostile");
}
