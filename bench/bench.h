/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench.h - what all benches share: clocks, interleaved runs and their medians,
 * options, the machine's description, and counting of allocations.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A format that the compiler checks, and where its arguments begin. */
#ifdef __GNUC__
#define BENCH_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define BENCH_PRINTF(text, first)
#endif

/* Say why on standard error, and exit with 1. */
_Noreturn void die(const char *format, ...) BENCH_PRINTF(1, 2);

/* Memory, or die. */
void *must_alloc(size_t size);

/* ---- Options ----------------------------------------------------------- */

/* Whether name is one of a comma-separated list, in any case.  list NULL: yes. */
bool listed(const char *list, const char *name);

/* "64K", "1M", "1000": bytes, or die. */
size_t parse_size(const char *text);

/* Of an option: a whole number, or a number of seconds; or die. */
int parse_int(const char *text);
double parse_seconds(const char *text);

/* As many numbers or sizes as a comma-separated list has, at most max. */
size_t parse_sizes(const char *list, size_t *sizes, size_t max);

/* "64 KiB" */
#define SIZE_TEXT_MAX 24
const char *size_text(size_t size, char text[SIZE_TEXT_MAX]);

/* NULL name: NULL; else a file to write, or die. */
FILE *open_csv(const char *name, const char *header);
void close_csv(FILE *csv);

/* ---- Time -------------------------------------------------------------- */

/* Nanoseconds of this thread's processor time, which what else runs on the machine
 * disturbs least; and of the clock on the wall. */
double cpu_ns(void);
double wall_ns(void);

/* Sorts values. */
double median(double *values, size_t count);

/* The geometric mean of what is added; starts all zero. */
struct geo_mean {
	double log_sum;
	size_t count;
};
void geo_add(struct geo_mean *mean, double value);
double geo_value(const struct geo_mean *mean); /* nothing was added: 0 */

/* One of several that do the same work by turns. */
struct runner {
	void (*work)(void *self, size_t turns);
	void *self;
	double ns;	  /* result: a turn's time, median of the runs */
	double low, high; /* and the quartiles */
};

struct race_plan {
	size_t runs;
	double seconds; /* what a run should take: turns are chosen by it */
	size_t step;	/* and are a multiple of this; 0: 1 */
};

/* Run all of them, interleaved, each run with as many turns. */
void race(struct runner *runners, size_t count, const struct race_plan *plan);

/* ---- The machine ------------------------------------------------------- */

/* Keep this thread on the core it runs on; which, or -1: not possible here. */
int pin_to_core(void);

/* Processor, compiler, versions of the libraries, pinned core. */
void print_machine(FILE *out, int core);

/* ---- Allocations (allocations.c) --------------------------------------- */

/* Calls to malloc and its kin by any thread of the process between the two, the
 * libraries' own included; -1: cannot be counted in this build. */
void allocations_start(void);
long allocations_stop(void);

#endif
