/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sample.h - plain bytes of a Parquet file's pages, in memory
 *
 * What is measured again and again; of a large file some pages from all over it.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "tools.h"

struct sample {
	struct pagecodec_span *pages;	     /* without levels of V2 pages; none is empty */
	size_t page_count, size;	     /* size: of all pages */
	uint64_t file_page_count, file_size; /* of all pages that they were taken from */
};

/* About limit bytes, and one page at least; of the column whose path is column,
 * NULL: all.  Faults, of single pages too, have been told on standard error.  What was
 * read stays in *sample whatever the exit status; free it. */
enum tool_exit sample_read(struct sample *sample, const char *name, const char *column,
			   size_t limit);
void sample_free(struct sample *sample);

#endif
