/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairs.c - a table of cases in which every pair of values of two factors comes up
 * Greedy: each case starts from a pair that is still missing, and every other factor
 * takes the value that adds most missing pairs to what the case has so far.
 */
#include "pairs.h"

#include <stdlib.h>

#include "testing.h"

struct cover {
	const size_t *sizes;
	size_t first[PAIRS_FACTORS]; /* of the factor's values among all values */
	size_t values;
	unsigned char *seen; /* values x values */
};

static unsigned char *
seen(const struct cover *cover, size_t factor_a, size_t a, size_t factor_b, size_t b)
{
	return &cover->seen[(cover->first[factor_a] + a) * cover->values +
			    cover->first[factor_b] + b];
}

static size_t
gain(const struct cover *cover, const struct pair_case *row, const char *set, size_t factor,
     size_t value)
{
	size_t missing = 0;

	for (size_t f = 0; f < PAIRS_FACTORS; f++)
		missing += set[f] && !*seen(cover, f, row->value[f], factor, value);
	return missing;
}

static struct pair_case
complete(struct cover *cover, size_t factor_a, size_t a, size_t factor_b, size_t b, size_t turn)
{
	struct pair_case row = {{0}};
	char set[PAIRS_FACTORS] = {0};

	row.value[factor_a] = a;
	row.value[factor_b] = b;
	set[factor_a] = set[factor_b] = 1;
	for (size_t f = 0; f < PAIRS_FACTORS; f++) {
		size_t best = turn % cover->sizes[f];

		for (size_t i = 0; !set[f] && i < cover->sizes[f]; i++) {
			size_t value = (i + turn) % cover->sizes[f];

			if (gain(cover, &row, set, f, value) > gain(cover, &row, set, f, best))
				best = value;
		}
		if (!set[f])
			row.value[f] = best;
		set[f] = 1;
	}
	for (size_t f = 0; f < PAIRS_FACTORS; f++)
		for (size_t g = 0; g < PAIRS_FACTORS; g++)
			*seen(cover, f, row.value[f], g, row.value[g]) = 1;
	return row;
}

static void
cover_factors(struct cover *cover, struct pair_table *table, size_t f, size_t g)
{
	for (size_t a = 0; a < cover->sizes[f]; a++)
		for (size_t b = 0; b < cover->sizes[g]; b++)
			if (!*seen(cover, f, a, g, b)) {
				table->cases[table->count] =
				    complete(cover, f, a, g, b, table->count);
				table->count++;
			}
}

struct pair_table
pairs_make(const size_t sizes[PAIRS_FACTORS])
{
	struct pair_table table = {NULL, 0};
	struct cover cover = {.sizes = sizes};

	for (size_t f = 0; f < PAIRS_FACTORS; f++) {
		cover.first[f] = cover.values;
		cover.values += sizes[f];
	}
	cover.seen = calloc(cover.values * cover.values, 1);
	table.cases = calloc(cover.values * cover.values, sizeof(*table.cases));
	ck_assert(cover.seen && table.cases);
	for (size_t f = 0; f < PAIRS_FACTORS; f++)
		for (size_t g = f + 1; g < PAIRS_FACTORS; g++)
			cover_factors(&cover, &table, f, g);
	free(cover.seen);
	return table;
}
