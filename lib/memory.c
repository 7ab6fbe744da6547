/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - the one file that calls malloc.  Each block carries its size before
 * it, since free_func is told the size and the engines' free hooks are not.
 */
#include "internal.h"

#include <stdlib.h>

#include "memory.h"

union block_head {
	size_t size;
	max_align_t align;
};

static void *
default_alloc(void *opaque, size_t size)
{
	(void)opaque;
	return malloc(size);
}

static void
default_free(void *opaque, void *ptr, size_t size)
{
	(void)opaque;
	(void)size;
	free(ptr);
}

void
pgc_heap_init(struct pgc_heap *heap, void *(*alloc_func)(void *, size_t),
	      void (*free_func)(void *, void *, size_t), void *opaque)
{
	heap->alloc_func = alloc_func ? alloc_func : default_alloc;
	heap->free_func = free_func ? free_func : default_free;
	heap->opaque = opaque;
	atomic_init(&heap->bytes, 0);
	atomic_init(&heap->peak_bytes, 0);
}

static void
count_block(struct pgc_account *account, size_t size)
{
	struct pgc_heap *heap = account->heap;
	size_t now, peak;

	account->bytes += size;
	now = atomic_fetch_add_explicit(&heap->bytes, size, memory_order_relaxed) + size;
	peak = atomic_load_explicit(&heap->peak_bytes, memory_order_relaxed);
	while (now > peak && !atomic_compare_exchange_weak_explicit(&heap->peak_bytes, &peak,
								    now, memory_order_relaxed,
								    memory_order_relaxed))
		;
}

void *
pgc_alloc(struct pgc_account *account, size_t size)
{
	union block_head *head;
	size_t total;

	if (!pgc_add(size, sizeof(*head), &total) || total > PTRDIFF_MAX)
		return NULL;
	head = account->heap->alloc_func(account->heap->opaque, total);
	if (!head)
		return NULL;
	head->size = total;
	count_block(account, total);
	return head + 1;
}

void
pgc_charge(struct pgc_account *account, size_t size)
{
	account->bytes += size;
}

void
pgc_free(struct pgc_account *account, void *ptr)
{
	union block_head *head = ptr;
	size_t size;

	if (!ptr)
		return;
	head--;
	size = head->size;
	account->bytes -= size;
	atomic_fetch_sub_explicit(&account->heap->bytes, size, memory_order_relaxed);
	account->heap->free_func(account->heap->opaque, head, size);
}
