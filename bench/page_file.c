/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_file.c - pages of a Parquet file, read as the program pagecodec reads them.
 */
#include "internal.h"

#include <stdlib.h>

#include "../tools/sample.h"
#include "bench.h"
#include "page_set.h"

void
page_set_read(struct page_set *set, const char *file, size_t total)
{
	struct sample sample;
	const char *slash = strrchr(file, '/');
	size_t at = 0;

	if (sample_read(&sample, file, NULL, total) == TOOL_UNREADABLE)
		exit(2);
	if (sample.page_count == 0)
		die("%s has no pages", file);
	*set = (struct page_set){.name = slash ? slash + 1 : file, .count = sample.page_count};
	set->pages = must_alloc(set->count * sizeof(*set->pages));
	set->plain = must_alloc(sample.size);
	for (size_t i = 0; i < set->count; i++) {
		size_t size = sample.pages[i].size;

		memcpy(set->plain + at, sample.pages[i].data, size);
		set->pages[i] = (struct bench_page){set->plain + at, size, NULL, 0};
		at += size;
	}
	sample_free(&sample);
}
