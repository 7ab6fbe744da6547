/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guard.c - memory of an exact size whose neighbours cannot be touched unnoticed
 * A sanitizer's red zones do not see what an uninstrumented codec library does;
 * pages without access do, in every build.
 */
#include "guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include "testing.h"

#define SLACK 0xa5

struct guard
guard_new(size_t size, enum guard_side side, size_t skew)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct guard guard = {.size = size};
	unsigned char *map;

	guard.pages_size = (size + skew + page - 1) / page * page;
	map = mmap(NULL, guard.pages_size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		   -1, 0);
	require(map != MAP_FAILED, "no memory for %zu guarded bytes", size);
	guard.pages = map + page;
	guard.data = guard.pages + skew;
	if (side == GUARD_AFTER)
		guard.data = guard.pages + guard.pages_size - skew - size;
	if (guard.pages_size) {
		ck_assert_int_eq(
		    mprotect(guard.pages, guard.pages_size, PROT_READ | PROT_WRITE), 0);
		memset(guard.pages, SLACK, guard.pages_size);
	}
	return guard;
}

struct guard
guard_copy(const void *data, size_t size, enum guard_side side)
{
	struct guard guard = guard_new(size, side, 0);

	if (size)
		memcpy(guard.data, data, size);
	guard_seal(&guard);
	return guard;
}

void
guard_seal(const struct guard *guard)
{
	if (guard->pages_size)
		ck_assert_int_eq(mprotect(guard->pages, guard->pages_size, PROT_READ), 0);
}

void
guard_check(const struct guard *guard)
{
	const unsigned char *end = guard->pages + guard->pages_size;

	for (const unsigned char *p = guard->pages; p < guard->data && p < end; p++)
		require(*p == SLACK, "a byte %zu before the memory was written",
			(size_t)(guard->data - p));
	for (const unsigned char *p = guard->data + guard->size; p < end; p++)
		require(*p == SLACK, "byte %zu beyond the memory was written",
			(size_t)(p - guard->data) - guard->size);
}

void
guard_free(struct guard *guard)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	guard_check(guard);
	munmap(guard->pages - page, guard->pages_size + 2 * page);
	*guard = (struct guard){0};
}
