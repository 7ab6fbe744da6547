/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pages.h - the pages that the bench works on, made as parquet-java's own
 * benchmark makes them, so that figures can be held against its figures.
 */
#ifndef PAGES_H
#define PAGES_H

#include <stddef.h>
#include <stdint.h>

/* java.util.Random */
struct random_source {
	uint64_t seed;
	double spare_gaussian;
	int has_spare_gaussian;
};

/* A way to fill a page with values, as a Parquet writer would have encoded them. */
struct value_kind {
	const char *name;
	const char *text; /* what it looks like, in a few words */

	/* One value to the given place; returns its size, at most PAGE_SLACK.  left: how
	 * much of the page that was asked for is still empty. */
	size_t (*put)(struct random_source *random, uint8_t *place, size_t left);
};

enum { PAGE_SLACK = 512 };

/* Ends with a kind without name. */
extern const struct value_kind value_kinds[];

/* NULL: there is none of this name. */
const struct value_kind *value_kind_find(const char *name);

/* Values of a kind until there are size bytes; returns how many there are.  page has
 * room for size + PAGE_SLACK.  A shorter page is the beginning of a longer one. */
size_t page_make(const struct value_kind *kind, uint8_t *page, size_t size);

#endif
