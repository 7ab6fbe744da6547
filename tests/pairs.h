/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairs.h - a table of cases in which every pair of values of two factors comes up
 * Most faults need no more than two circumstances to come together; all pairs
 * take a few hundred cases where all combinations take tens of thousands.
 */
#ifndef PAIRS_H
#define PAIRS_H

#include <stddef.h>

#define PAIRS_FACTORS 6

struct pair_case {
	size_t value[PAIRS_FACTORS]; /* 0 .. sizes[factor] - 1 */
};

struct pair_table {
	struct pair_case *cases;
	size_t count;
};

/* Deterministic.  The caller frees cases. */
struct pair_table pairs_make(const size_t sizes[PAIRS_FACTORS]);

#endif
