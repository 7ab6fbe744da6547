/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_set.c - pages to work on.  They are cut from one run of values, so that the
 * first is what the kind's check values were taken of.
 */
#include "internal.h"

#include <stdlib.h>

#include "bench.h"
#include "page_set.h"

void
page_set_make(struct page_set *set, const struct value_kind *kind, size_t size, size_t total)
{
	size_t count = total / size > 2 ? total / size : 2;

	set->name = kind->name;
	set->count = count;
	set->is_even = true;
	set->pages = must_alloc(count * sizeof(*set->pages));
	set->plain = must_alloc(count * size + PAGE_SLACK);
	set->packed = NULL;
	page_make(kind, set->plain, count * size);
	for (size_t i = 0; i < count; i++)
		set->pages[i] = (struct bench_page){set->plain + i * size, size, NULL, 0};
}

size_t
page_room(size_t size)
{
	return size + size / 4 + 1024;
}

size_t
page_set_largest(const struct page_set *set)
{
	size_t largest = 0;

	for (size_t i = 0; i < set->count; i++)
		largest = PGC_MAX(largest, set->pages[i].size);
	return largest;
}

void
page_set_pack(struct page_set *set, const struct contestant *who, void *state)
{
	size_t room = 0, end = 0;

	for (size_t i = 0; i < set->count; i++)
		room += page_room(set->pages[i].size);
	free(set->packed);
	set->packed = must_alloc(room);
	for (size_t i = 0; i < set->count; i++) {
		struct bench_page *page = &set->pages[i];

		page->packed = set->packed + end;
		page->packed_size = who->compress(state, page->plain, page->size,
						  set->packed + end, page_room(page->size));
		if (page->packed_size == 0)
			die("%s cannot compress a page of %s", who->name, set->name);
		end += page->packed_size;
	}
}

void
page_set_free(struct page_set *set)
{
	free(set->pages);
	free(set->plain);
	free(set->packed);
}
