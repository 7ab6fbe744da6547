/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cell.h - one cell of the table: all contestants of a codec and level on one set
 * of pages, both ways, checked and measured.
 */
#ifndef CELL_H
#define CELL_H

#include "bench.h"
#include "page_set.h"

enum direction { COMPRESS, DECOMPRESS, DIRECTIONS };

/* A contestant, its state, and what it did on the last set of pages. */
struct entrant {
	struct contestant who;
	void *state;
	double ns[DIRECTIONS], low[DIRECTIONS], high[DIRECTIONS]; /* a page */
	double allocations[DIRECTIONS];				  /* a page; -1: unknown */
	size_t packed_size;					  /* of all pages */
};

struct field {
	int32_t codec;
	int level;
	struct entrant entrants[MAX_CONTESTANTS];
	size_t count;
};

/* Open all contestants; they keep their state from set to set. */
void field_open(struct field *field, int32_t codec, int level, const char *engine);
void field_close(struct field *field);

/* Fill in the entrants' results.  Pages that cannot be compressed once in half a
 * second are left out: slow levels get fewer. */
void field_measure(struct field *field, struct page_set *pages, const struct race_plan *plan);

/* The kept-state call of the library behind an entrant of ours; NULL: none. */
const struct entrant *field_bare(const struct field *field, const struct entrant *entrant);

#endif
