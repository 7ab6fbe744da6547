/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.h - an allocator that counts, fails when told to, and catches misuse
 * Its functions are made for alloc_func and free_func of the factory's options.
 * A wrong size, a pointer twice freed or never given is kept as fault.
 */
#ifndef HEAP_H
#define HEAP_H

#include <pthread.h>
#include <stddef.h>

#include "pagecodec.h"

struct heap_block;

struct heap {
	pthread_mutex_t lock;
	struct heap_block *blocks;
	size_t calls;	  /* of heap_alloc */
	size_t fail_from; /* the calls that get NULL, counted from 1; 0: none */
	size_t fail_to;	  /* inclusive */
	size_t failed;	  /* calls that got NULL */
	size_t live_count;
	size_t live_bytes;
	size_t peak_bytes;
	const char *fault; /* NULL: none */
};

#define HEAP_INIT                                                                              \
	{                                                                                      \
		.lock = PTHREAD_MUTEX_INITIALIZER                                              \
	}

void *heap_alloc(void *opaque, size_t size);
void heap_free(void *opaque, void *ptr, size_t size);

/* Defaults, with this heap. */
struct pagecodec_factory_options heap_options(struct heap *heap);
struct pagecodec_factory *heap_factory(struct heap *heap);
/* Everything was given back, and properly. */
void heap_check_empty(const struct heap *heap);

#endif
