/* SPDX-License-Identifier: Apache-2.0 */
/*
 * custom_allocator.c - a factory with an allocator that counts, has a limit, and wipes
 * Memory is taken while an object meets its largest page; after that, nothing is; and an
 * object outlives running out of it.
 * Build: cc custom_allocator.c $(pkg-config --cflags --libs pagecodec)
 */
#include <pagecodec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_SIZE 100000
#define PAGES 100

/* With several threads these would be atomic: the functions are called from all of them. */
struct pool {
	size_t limit, used, calls;
};

static void *
pool_alloc(void *opaque, size_t size)
{
	struct pool *pool = opaque;
	void *ptr = NULL;

	pool->calls++;
	if (size <= pool->limit - pool->used)
		ptr = malloc(size);
	if (ptr)
		pool->used += size;
	return ptr;
}

/* It is told the size, so that it can wipe what was in a page before others get it. */
static void
pool_free(void *opaque, void *ptr, size_t size)
{
	struct pool *pool = opaque;
	volatile unsigned char *byte = ptr;

	pool->used -= size;
	while (size-- > 0)
		*byte++ = 0;
	free(ptr);
}

static void
require(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "custom_allocator: %s\n", what);
	exit(1);
}

int
main(void)
{
	static unsigned char page[PAGE_SIZE];
	struct pool pool = {.limit = 1000 * 1000};
	struct pagecodec_factory_options options = {
	    .struct_size = sizeof(options),
	    .alloc_func = pool_alloc,
	    .free_func = pool_free,
	    .opaque = &pool,
	};
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;
	struct pagecodec_span part = {page, sizeof(page)}, compressed;
	enum pagecodec_status status;
	size_t calls;

	require(!pagecodec_factory_create(&options, &factory, NULL), "no factory");
	require(!pagecodec_compressor_get(factory, PAGECODEC_SNAPPY, NULL, &compressor, NULL),
		"no compressor");

	/* Nothing left: the call fails, and all stays as it was. */
	pool.limit = pool.used;
	status = pagecodec_compress(compressor, &part, 1, NULL, 0, &compressed, NULL);
	require(status == PAGECODEC_OUT_OF_MEMORY, "memory out of nothing");
	pool.limit = 1000 * 1000;

	require(!pagecodec_compress(compressor, &part, 1, NULL, 0, &compressed, NULL),
		"not compressed");
	calls = pool.calls;
	for (int i = 0; i < PAGES; i++)
		require(!pagecodec_compress(compressor, &part, 1, NULL, 0, &compressed, NULL),
			"not compressed");
	require(pool.calls == calls, "memory was taken for a page");

	printf("custom_allocator: %zu bytes in use, %zu calls before the first page was done, "
	       "none for the next %d\n",
	       pool.used, calls, PAGES);
	pagecodec_compressor_release(compressor);
	pagecodec_factory_destroy(factory);
	require(pool.used == 0, "memory was left behind");
	return 0;
}
