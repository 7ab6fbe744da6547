/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.h - every allocation of the library: the factory's hooks, or malloc,
 * counted.  Engines that take hooks are given these functions too.
 */
#ifndef PGC_MEMORY_H
#define PGC_MEMORY_H

#include "internal.h"

#include <stdatomic.h>

/* One for each factory; any thread. */
struct pgc_heap {
	void *(*alloc_func)(void *opaque, size_t size);
	void (*free_func)(void *opaque, void *ptr, size_t size);
	void *opaque;
	atomic_size_t bytes, peak_bytes;
};

/* Who allocates: one for each object, used by one thread at a time. */
struct pgc_account {
	struct pgc_heap *heap;
	size_t bytes; /* that it holds now */
};

/* Without hooks (both NULL): malloc and free. */
void pgc_heap_init(struct pgc_heap *heap, void *(*alloc_func)(void *, size_t),
		   void (*free_func)(void *, void *, size_t), void *opaque);

/* Memory aligned as malloc's, not cleared; NULL: none. */
void *pgc_alloc(struct pgc_account *account, size_t size);

/* Memory that an engine took from malloc itself, about: nobody else counts it, and
 * max_idle_size must still bound what idle objects keep.  Part of account->bytes
 * only, as long as the account lasts. */
void pgc_charge(struct pgc_account *account, size_t size);

/* ptr NULL: no-op. */
void pgc_free(struct pgc_account *account, void *ptr);

#endif
