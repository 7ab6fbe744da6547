/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c - figures to lines.  Ratios are of medians of one race; over kinds of
 * pages they are averaged as logarithms, so that x and 1/x cancel.
 */
#include "internal.h"

#include "pagecodec.h"
#include "report.h"

static const char *const direction_names[] = {"compress", "decompress"};
static const char *const role_names[] = {"ours", "kept", "one-shot", "machine"};

static size_t
plain_size(const struct page_set *pages)
{
	size_t size = 0;

	for (size_t i = 0; i < pages->count; i++)
		size += pages->pages[i].size;
	return size;
}

/* Ours hands one part straight to the engine, and the bare calls take one too. */
static double
bytes_copied(const struct entrant *entrant, double page_size)
{
	return strcmp(entrant->who.backend, "memcpy") == 0 ? page_size : 0;
}

static void
write_csv(FILE *csv, const struct field *field, const struct page_set *pages,
	  const struct entrant *entrant, enum direction direction)
{
	const struct entrant *bare = field_bare(field, entrant);
	double plain = (double)plain_size(pages), ns = entrant->ns[direction];
	double page = plain / (double)pages->count;
	char engine[64];

	snprintf(engine, sizeof(engine), "%s%s%s", entrant->who.name,
		 entrant->who.engine ? " " : "",
		 entrant->who.engine ? entrant->who.engine : "");
	fprintf(csv, "%s,%d,%s,%.0f,%zu,%s,%s,%s,%s,%.4f,",
		pagecodec_find_codec(field->codec)->name, field->level, pages->name, page,
		pages->count, engine, role_names[entrant->who.role], entrant->who.backend,
		direction_names[direction], plain / (double)entrant->packed_size);
	fprintf(csv, "%.1f,%.1f,%.1f,%.0f,%.1f,%.4f,%.4f,%.3f,%.0f\n", ns,
		entrant->low[direction], entrant->high[direction], 1e9 / ns, page / ns * 1e3,
		bare ? bare->ns[direction] / ns : 1, ns / field->entrants[0].ns[direction],
		entrant->allocations[direction], bytes_copied(entrant, page));
}

static void
add(struct entrant_summary *sum, const struct field *field, const struct entrant *entrant,
    enum direction direction, double page_size)
{
	const struct entrant *bare = field_bare(field, entrant);
	double ns = entrant->ns[direction];

	geo_add(&sum->speed[direction], page_size / ns);
	geo_add(&sum->rate[direction], 1 / ns);
	geo_add(&sum->to_this[direction], ns / field->entrants[0].ns[direction]);
	if (bare) {
		geo_add(&sum->of_bare[direction], bare->ns[direction] / ns);
		sum->over_bare[direction] += ns - bare->ns[direction];
	}
	sum->allocations[direction] =
	    PGC_MAX(sum->allocations[direction], entrant->allocations[direction]);
	if (entrant->allocations[direction] < 0)
		sum->allocations[direction] = -1;
}

void
report_add(struct summary *summary, const struct field *field, const struct page_set *pages,
	   FILE *csv)
{
	double page_size = (double)plain_size(pages) / (double)pages->count;

	summary->kinds++;
	summary->plain_size += plain_size(pages);
	for (size_t i = 0; i < field->count; i++) {
		const struct entrant *entrant = &field->entrants[i];

		summary->entrants[i].packed_size += entrant->packed_size;
		for (int d = 0; d < DIRECTIONS; d++) {
			add(&summary->entrants[i], field, entrant, (enum direction)d,
			    page_size);
			if (csv)
				write_csv(csv, field, pages, entrant, (enum direction)d);
		}
	}
	if (csv)
		fflush(csv);
}

static void
print_direction(const struct summary *summary, const struct entrant_summary *sum,
		const struct entrant *entrant, int d)
{
	printf("  %9.0f %6.0f", geo_value(&sum->rate[d]) * 1e9,
	       geo_value(&sum->speed[d]) * 1e3);
	if (entrant->who.role == OURS && sum->of_bare[d].count)
		printf(" %6.3f %+7.0f", geo_value(&sum->of_bare[d]),
		       sum->over_bare[d] / (double)summary->kinds);
	else
		printf(" %6s %7s", "-", "-");
	printf(" %6.2f", geo_value(&sum->to_this[d]));
	if (sum->allocations[d] < 0)
		printf(" %5s", "?");
	else
		printf(" %5.3g", sum->allocations[d]);
}

void
report_print(const struct summary *summary, const struct field *field, const char *title)
{
	printf("\n%s\n%-22s %6s  %-47s  %s\n", title, "", "", "compress", "decompress");
	printf("%-22s %6s", "", "ratio");
	for (int d = 0; d < DIRECTIONS; d++)
		printf("  %9s %6s %6s %7s %6s %5s", "pages/s", "MB/s", "/bare", "+ns", "ours/",
		       "alloc");
	printf("\n");
	for (size_t i = 0; i < field->count; i++) {
		const struct entrant *entrant = &field->entrants[i];
		const struct entrant_summary *sum = &summary->entrants[i];
		char name[64];

		snprintf(name, sizeof(name), "%s%s%s", entrant->who.name,
			 entrant->who.engine ? ":" : "",
			 entrant->who.engine ? entrant->who.engine : "");
		printf("%-22s %6.3f", name,
		       (double)summary->plain_size / (double)sum->packed_size);
		for (int d = 0; d < DIRECTIONS; d++)
			print_direction(summary, sum, entrant, d);
		printf("\n");
	}
	fflush(stdout);
}
