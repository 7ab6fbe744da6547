/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.h - memory for engines that make and free their state anew for each page:
 * what they free is kept, and serves the same requests of the next page.
 */
#ifndef PGC_ARENA_H
#define PGC_ARENA_H

#include "memory.h"

struct pgc_arena_chunk;

/* All zero but the account: empty.  One thread at a time. */
struct pgc_arena {
	struct pgc_account *account;
	struct pgc_arena_chunk *chunks;
	size_t size;   /* of all chunks */
	uint64_t page; /* a count */
};

/* What no page uses from here on is given up where it is too small for one that
 * grows.  Blocks in use stay so. */
void pgc_arena_start_page(struct pgc_arena *arena);

/* Aligned as malloc's, not cleared; NULL: none. */
void *pgc_arena_alloc(struct pgc_arena *arena, size_t size);

/* ptr NULL: no-op. */
void pgc_arena_free(struct pgc_arena *arena, void *ptr);

/* Free all that is in use, of an engine that was left in the middle. */
void pgc_arena_reset(struct pgc_arena *arena);

/* Give back all memory, used or not. */
void pgc_arena_close(struct pgc_arena *arena);

#endif
