/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale.h - the three tables of bench_scale: threads, page sizes, many objects.
 */
#ifndef SCALE_H
#define SCALE_H

#include "bench.h"
#include "pagecodec.h"

enum { MAX_THREADS = 64, MIB = 1 << 20 };

struct scale_options {
	const char *codecs;
	size_t threads, runs;
	double seconds; /* a run of a thread */
	FILE *csv;	/* or NULL */
};

/* A line of each table, for one codec. */
void scale_threads_title(void);
void scale_threads(const struct scale_options *options, int32_t codec);
void scale_sizes_title(void);
void scale_sizes(const struct scale_options *options, int32_t codec);
void scale_objects_title(void);
void scale_objects(const struct scale_options *options, int32_t codec);

/* A figure to the CSV. */
void scale_csv(const struct scale_options *options, const char *what, int32_t codec, size_t x,
	       double y);

/* OK, or die. */
void must(enum pagecodec_status status);

#endif
