/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allocations.c - malloc in place of the C library's, to count the calls that a
 * page costs.  C++'s new ends here too.
 */
#include "config.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "bench.h"

#if defined(__GLIBC__) && !defined(BENCH_SANITIZED)

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): names of glibc */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *ptr, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

static atomic_bool is_counting;
static atomic_long calls;

static void
count_call(void)
{
	if (atomic_load_explicit(&is_counting, memory_order_relaxed))
		atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
}

void *
malloc(size_t size)
{
	count_call();
	return __libc_malloc(size);
}

void *
calloc(size_t nmemb, size_t size)
{
	count_call();
	return __libc_calloc(nmemb, size);
}

void *
realloc(void *ptr, size_t size)
{
	count_call();
	return __libc_realloc(ptr, size);
}

void *
aligned_alloc(size_t alignment, size_t size)
{
	count_call();
	return __libc_memalign(alignment, size);
}

void
allocations_start(void)
{
	atomic_store(&calls, 0);
	atomic_store(&is_counting, true);
}

long
allocations_stop(void)
{
	atomic_store(&is_counting, false);
	return atomic_load(&calls);
}

#else

void
allocations_start(void)
{
}

long
allocations_stop(void)
{
	return -1;
}

#endif
