/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.c - an allocator that counts, fails when told to, and catches misuse
 * A block is looked up in the list of live ones before anything of it is read,
 * so that a stale pointer is a fault that is told, not a crash.
 */
#include "heap.h"

#include <stdlib.h>

#include "testing.h"

struct heap_block {
	struct heap_block *next;
	size_t size;
	max_align_t data[];
};

void *
heap_alloc(void *opaque, size_t size)
{
	struct heap *heap = opaque;
	struct heap_block *block = NULL;

	pthread_mutex_lock(&heap->lock);
	heap->calls++;
	if (heap->calls < heap->fail_from || heap->calls > heap->fail_to || !heap->fail_from)
		block = malloc(sizeof(*block) + size);
	if (block) {
		block->next = heap->blocks;
		block->size = size;
		heap->blocks = block;
		heap->live_count++;
		heap->live_bytes += size;
		if (heap->peak_bytes < heap->live_bytes)
			heap->peak_bytes = heap->live_bytes;
		memset(block->data, 0xdb, size);
	} else {
		heap->failed++;
	}
	pthread_mutex_unlock(&heap->lock);
	return block ? block->data : NULL;
}

void
heap_free(void *opaque, void *ptr, size_t size)
{
	struct heap *heap = opaque;
	struct heap_block **link;
	struct heap_block *block;

	pthread_mutex_lock(&heap->lock);
	for (link = &heap->blocks; *link && (*link)->data != ptr; link = &(*link)->next)
		;
	block = *link;
	if (block) {
		*link = block->next;
		heap->live_count--;
		heap->live_bytes -= block->size;
		if (block->size != size)
			heap->fault = "free_func was told another size than alloc_func";
		memset(block->data, 0xdf, block->size);
	} else {
		heap->fault = ptr ? "free_func got a pointer that is not allocated"
				  : "free_func got NULL";
	}
	free(block);
	pthread_mutex_unlock(&heap->lock);
}

struct pagecodec_factory_options
heap_options(struct heap *heap)
{
	return (struct pagecodec_factory_options){
	    .struct_size = sizeof(struct pagecodec_factory_options),
	    .alloc_func = heap_alloc,
	    .free_func = heap_free,
	    .opaque = heap,
	};
}

struct pagecodec_factory *
heap_factory(struct heap *heap)
{
	struct pagecodec_factory_options options = heap_options(heap);
	struct pagecodec_factory *factory = NULL;
	struct pagecodec_error error;

	assert_ok(pagecodec_factory_create(&options, &factory, &error), &error);
	return factory;
}

void
heap_check_empty(const struct heap *heap)
{
	require(!heap->fault, "%s", heap->fault);
	require(heap->live_count == 0, "%zu blocks of %zu bytes in all were not freed",
		heap->live_count, heap->live_bytes);
}
