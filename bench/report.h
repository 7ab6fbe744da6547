/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.h - the table and the CSV of bench_page.
 */
#ifndef REPORT_H
#define REPORT_H

#include "cell.h"

#define REPORT_CSV_HEADER                                                                      \
	"codec,level,kind,page_size,pages,contestant,role,library,direction,packed_ratio,"     \
	"ns_per_page,ns_low,ns_high,pages_per_s,mb_per_s,of_bare,ours_to_this,"                \
	"allocations_per_page,bytes_copied_per_page"

/* What the entrants did over several kinds of pages. */
struct summary {
	size_t kinds, plain_size; /* bytes of all pages */
	struct entrant_summary {
		size_t packed_size;
		struct geo_mean speed[DIRECTIONS];   /* bytes a ns */
		struct geo_mean of_bare[DIRECTIONS]; /* speed against its library's */
		struct geo_mean to_this[DIRECTIONS]; /* speed of ours against this one's */
		struct geo_mean rate[DIRECTIONS];    /* pages a ns */
		double over_bare[DIRECTIONS];	     /* ns a page, sum over kinds */
		double allocations[DIRECTIONS];
	} entrants[MAX_CONTESTANTS];
};

/* Add the results on one set of pages to the summary (all zero at first), and to
 * the CSV, which may be NULL. */
void report_add(struct summary *summary, const struct field *field,
		const struct page_set *pages, FILE *csv);

/* A table of geometric means over the kinds. */
void report_print(const struct summary *summary, const struct field *field, const char *title);

#endif
