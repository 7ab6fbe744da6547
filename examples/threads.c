/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads.c - one factory for many threads
 * Each takes a compressor and a decompressor for a column chunk and gives them back; the
 * next chunk's are then the same ones, warm, whichever thread asks.
 * Build: cc -pthread threads.c $(pkg-config --cflags --libs pagecodec)
 */
#include <pagecodec.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define THREADS 4
#define CHUNKS 8
#define PAGES 20
#define PAGE_SIZE 20000

struct worker {
	pthread_t thread;
	struct pagecodec_factory *factory;
	unsigned char number;
	int pages_done;
};

static int
one_page(struct pagecodec_compressor *compressor, struct pagecodec_decompressor *decompressor,
	 const unsigned char *page)
{
	struct pagecodec_span part = {page, PAGE_SIZE}, compressed, plain;

	return !pagecodec_compress(compressor, &part, 1, NULL, 0, &compressed, NULL) &&
	       !pagecodec_decompress(decompressor, compressed.data, compressed.size, PAGE_SIZE,
				     NULL, 0, &plain, NULL) &&
	       memcmp(plain.data, page, PAGE_SIZE) == 0;
}

static void *
work(void *argument)
{
	struct worker *worker = argument;
	unsigned char page[PAGE_SIZE];
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;

	for (int chunk = 0; chunk < CHUNKS; chunk++) {
		/* The factory is the only thing that threads share, and it needs no lock of
		 * yours.  It locks in _get and _release, never for a page. */
		if (pagecodec_compressor_get(worker->factory, PAGECODEC_SNAPPY, NULL,
					     &compressor, NULL))
			return NULL;
		if (pagecodec_decompressor_get(worker->factory, PAGECODEC_SNAPPY, NULL,
					       &decompressor, NULL)) {
			pagecodec_compressor_release(compressor);
			return NULL;
		}
		for (int i = 0; i < PAGES; i++) {
			memset(page, worker->number + i, sizeof(page));
			worker->pages_done += one_page(compressor, decompressor, page);
		}
		pagecodec_compressor_release(compressor);
		pagecodec_decompressor_release(decompressor);
	}
	return NULL;
}

int
main(void)
{
	struct worker workers[THREADS];
	struct pagecodec_memory memory = {.struct_size = sizeof(memory)};
	struct pagecodec_factory *factory;
	int pages_done = 0;

	if (pagecodec_factory_create(NULL, &factory, NULL))
		return 1;
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){.factory = factory, .number = (unsigned char)i};
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
			return 1;
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		pages_done += workers[i].pages_done;
	}
	pagecodec_factory_memory(factory, &memory);
	/* Only when no thread uses it any more. */
	pagecodec_factory_destroy(factory);

	printf("threads: %d pages came back; they took %zu objects for %d column chunks\n",
	       pages_done, memory.objects_idle, THREADS * CHUNKS);
	return pages_done != THREADS * CHUNKS * PAGES || memory.objects_out != 0 ||
	       memory.objects_idle > 2 * THREADS;
}
