/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_set.h - pages of one kind and size, plain and compressed: distinct ones,
 * since a single page over and over is learnt by the branch predictor.
 */
#ifndef PAGE_SET_H
#define PAGE_SET_H

#include "contestants.h"
#include "pages.h"

struct bench_page {
	const uint8_t *plain;
	size_t size;
	const uint8_t *packed;
	size_t packed_size;
};

struct page_set {
	const char *name;
	struct bench_page *pages;
	size_t count;
	bool is_even;		 /* all pages are of the same size */
	uint8_t *plain, *packed; /* all of them */
};

/* Pages of size bytes out of one long page of that kind, about as many bytes as
 * total, and two pages at least. */
void page_set_make(struct page_set *set, const struct value_kind *kind, size_t size,
		   size_t total);

/* Pages of a Parquet file, about as many bytes as total, from all over it; or exit. */
void page_set_read(struct page_set *set, const char *file, size_t total);

/* Room that one page of any size up to this needs with any encoder. */
size_t page_room(size_t size);
size_t page_set_largest(const struct page_set *set);

/* Compress all pages for those who decompress; what was compressed before is freed. */
void page_set_pack(struct page_set *set, const struct contestant *who, void *state);

void page_set_free(struct page_set *set);

#endif
