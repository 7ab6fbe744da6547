/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale_threads.c - threads at one factory: each takes and gives back its objects for
 * each column chunk, as a writer does, beside threads with contexts of their own.
 */
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>

#include "page_set.h"
#include "scale.h"

enum { CHUNK_PAGES = 16, THREAD_PAGE = 64 << 10 };

/* What all threads share in one run. */
struct crowd {
	const struct page_set *pages;
	pthread_barrier_t start;
	size_t chunks;			   /* column chunks that each thread does */
	struct pagecodec_factory *factory; /* NULL: bare */
	const struct contestant *bare;
	int32_t codec;
	int level;
};

struct member {
	struct crowd *crowd;
	pthread_t thread;
	double wall_ns, cpu_ns;
};

/* Both ways, with objects that are taken and given back for each column chunk. */
static void
do_chunk_ours(const struct crowd *crowd, uint8_t *packed, size_t room, uint8_t *plain)
{
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;

	must(pagecodec_compressor_get(crowd->factory, crowd->codec, NULL, &compressor, NULL));
	must(pagecodec_decompressor_get(crowd->factory, crowd->codec, NULL, &decompressor,
					NULL));
	for (size_t i = 0; i < crowd->pages->count; i++) {
		const struct bench_page *page = &crowd->pages->pages[i];
		struct pagecodec_span part = {page->plain, page->size}, made, back;

		must(pagecodec_compress(compressor, &part, 1, packed, room, &made, NULL));
		must(pagecodec_decompress(decompressor, made.data, made.size, page->size, plain,
					  page->size, &back, NULL));
	}
	pagecodec_compressor_release(compressor);
	pagecodec_decompressor_release(decompressor);
}

static void
do_chunk_bare(const struct crowd *crowd, void *state, uint8_t *packed, size_t room,
	      uint8_t *plain)
{
	for (size_t i = 0; i < crowd->pages->count; i++) {
		const struct bench_page *page = &crowd->pages->pages[i];
		size_t made =
		    crowd->bare->compress(state, page->plain, page->size, packed, room);

		if (!made || crowd->bare->decompress(state, packed, made, plain, page->size) !=
				 page->size)
			die("%s failed", crowd->bare->name);
	}
}

static void
do_chunks(const struct crowd *crowd, size_t chunks, void *state, uint8_t *packed,
	  uint8_t *plain)
{
	size_t room = page_room(THREAD_PAGE);

	for (size_t i = 0; i < chunks; i++) {
		if (crowd->factory)
			do_chunk_ours(crowd, packed, room, plain);
		else
			do_chunk_bare(crowd, state, packed, room, plain);
	}
}

static void *
run_member(void *argument)
{
	struct member *member = argument;
	struct crowd *crowd = member->crowd;
	uint8_t *packed = must_alloc(page_room(THREAD_PAGE)), *plain = must_alloc(THREAD_PAGE);
	void *state = crowd->factory ? NULL : crowd->bare->open(crowd->bare, crowd->level);
	double wall, cpu;

	/* One before the start, so that nothing is new after it. */
	do_chunks(crowd, 1, state, packed, plain);
	pthread_barrier_wait(&crowd->start);
	wall = wall_ns();
	cpu = cpu_ns();
	do_chunks(crowd, crowd->chunks, state, packed, plain);
	member->wall_ns = wall_ns() - wall;
	member->cpu_ns = cpu_ns() - cpu;
	if (state)
		crowd->bare->close(state);
	free(packed);
	free(plain);
	return NULL;
}

/* The mean over the threads. */
static void
run_crowd(struct crowd *crowd, size_t threads, double *wall_ns_chunk, double *cpu_ns_chunk)
{
	struct member members[MAX_THREADS];

	*wall_ns_chunk = *cpu_ns_chunk = 0;
	if (pthread_barrier_init(&crowd->start, NULL, (unsigned)threads))
		die("no barrier");
	for (size_t i = 0; i < threads; i++) {
		members[i] = (struct member){.crowd = crowd};
		if (pthread_create(&members[i].thread, NULL, run_member, &members[i]))
			die("no thread");
	}
	for (size_t i = 0; i < threads; i++) {
		pthread_join(members[i].thread, NULL);
		*wall_ns_chunk += members[i].wall_ns / (double)(threads * crowd->chunks);
		*cpu_ns_chunk += members[i].cpu_ns / (double)(threads * crowd->chunks);
	}
	pthread_barrier_destroy(&crowd->start);
}

/* Ours and bare by turns: pages a second per thread, and against bare. */
static void
time_threads(const struct scale_options *options, struct crowd *crowd, size_t threads)
{
	struct pagecodec_factory *factory = crowd->factory;
	double *samples = must_alloc(4 * options->runs * sizeof(*samples));
	double result[4] = {0};

	for (size_t run = 0; run < options->runs; run++) {
		for (size_t bare = 0; bare < 2; bare++) {
			double *sample = samples + 2 * bare * options->runs + run;

			crowd->factory = bare ? NULL : factory;
			run_crowd(crowd, threads, sample, sample + options->runs);
		}
	}
	crowd->factory = factory;
	for (size_t i = 0; i < 4; i++)
		result[i] = median(samples + i * options->runs, options->runs);
	free(samples);
	printf("  %2zu thr. %8.0f /s %5.2f %5.2f", threads,
	       1e9 * (double)crowd->pages->count / result[0], result[2] / result[0],
	       result[3] / result[1]);
	scale_csv(options, "pages_per_s_per_thread", crowd->codec, threads,
		  1e9 * (double)crowd->pages->count / result[0]);
	scale_csv(options, "threads_of_bare", crowd->codec, threads, result[2] / result[0]);
	scale_csv(options, "threads_of_bare_cpu", crowd->codec, threads, result[3] / result[1]);
}

void
scale_threads_title(void)
{
	printf("\nThreads that share a factory; both ways, pages of 64 KiB: pages/s of each "
	       "thread,\nagainst bare contexts in as many threads, by the clock and by "
	       "processor time\n");
}

static const struct contestant *
default_bare(const struct contestant *list, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (list[i].role == KEPT && strcmp(list[i].backend, list[0].backend) == 0)
			return &list[i];
	return NULL;
}

void
scale_threads(const struct scale_options *options, int32_t codec)
{
	const struct pagecodec_codec_info *info = pagecodec_find_codec(codec);
	struct contestant list[MAX_CONTESTANTS];
	size_t count = contestants_of(codec, info->default_level, NULL, list);
	struct crowd crowd = {.codec = codec, .level = info->default_level, .chunks = 1};
	struct page_set pages;
	double wall, cpu;

	crowd.bare = default_bare(list, count);
	if (!crowd.bare)
		return;
	page_set_make(&pages, &value_kinds[0], THREAD_PAGE, (size_t)CHUNK_PAGES * THREAD_PAGE);
	crowd.pages = &pages;
	must(pagecodec_factory_create(NULL, &crowd.factory, NULL));
	run_crowd(&crowd, 1, &wall, &cpu);
	crowd.chunks = PGC_MAX((size_t)(options->seconds * 1e9 / cpu), 1U);
	printf("%-16s", info->name);
	for (size_t threads = 1; threads <= options->threads; threads *= 2)
		time_threads(options, &crowd, threads);
	printf("\n");
	fflush(stdout);
	pagecodec_factory_destroy(crowd.factory);
	page_set_free(&pages);
}
