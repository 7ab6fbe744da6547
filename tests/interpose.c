/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interpose.c - malloc and its kin, put in the place of the C library's
 * The names that glibc keeps for its own are what is called in the end.  The tests that
 * use this have one thread.
 */
#include <config.h>

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "interpose.h"

atomic_size_t interposed_calls;
size_t interpose_refused;
ptrdiff_t interpose_live;

#ifdef __GLIBC__
static bool is_inside;
static size_t number, refuse_from, refuse_to;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *ptr, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *ptr);

static bool
is_refused(void)
{
	atomic_fetch_add(&interposed_calls, 1);
	if (!is_inside)
		return false;
	number++;
	if (number < refuse_from || number > refuse_to)
		return false;
	interpose_refused++;
	return true;
}

static void *
counted(void *ptr)
{
	interpose_live += is_inside && ptr;
	return ptr;
}

void *
malloc(size_t size)
{
	return is_refused() ? NULL : counted(__libc_malloc(size));
}

void *
calloc(size_t count, size_t size)
{
	return is_refused() ? NULL : counted(__libc_calloc(count, size));
}

void *
realloc(void *ptr, size_t size)
{
	if (is_refused())
		return NULL;
	return ptr ? __libc_realloc(ptr, size) : counted(__libc_realloc(NULL, size));
}

void *
memalign(size_t alignment, size_t size)
{
	return is_refused() ? NULL : counted(__libc_memalign(alignment, size));
}

void *
aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

int
posix_memalign(void **ptr, size_t alignment, size_t size)
{
	*ptr = memalign(alignment, size);
	return *ptr ? 0 : ENOMEM;
}

void
free(void *ptr)
{
	interpose_live -= is_inside && ptr;
	__libc_free(ptr);
}

void *
mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
	void *(*next)(void *, size_t, int, int, int, off_t);

	*(void **)&next = dlsym(RTLD_NEXT, "mmap");
	atomic_fetch_add(&interposed_calls, 1);
	return next(address, size, protection, flags, fd, offset);
}

void
interpose_enter(void)
{
	is_inside = true;
}

void
interpose_leave(void)
{
	is_inside = false;
}

void
interpose_start(size_t from, size_t to)
{
	number = 0;
	refuse_from = from;
	refuse_to = to;
	interpose_refused = 0;
	interpose_live = 0;
}
#else
void
interpose_enter(void)
{
}

void
interpose_leave(void)
{
}

void
interpose_start(size_t from, size_t to)
{
	(void)from;
	(void)to;
}
#endif

int
interpose_works(void)
{
	/* As a library calls it: by its address, where checkers catch the call. */
	void *(*volatile call)(size_t) = malloc;
	size_t before = atomic_load(&interposed_calls);

	free(call(1));
	return atomic_load(&interposed_calls) > before;
}
