/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench.c - interleaved runs.  Contestants take turns within one process, since
 * the same binary differs by more between processes than what is measured here.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "bench.h"

_Noreturn void
die(const char *format, ...)
{
	va_list arguments;

	fflush(stdout);
	fputs("bench: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

void *
must_alloc(size_t size)
{
	void *memory = malloc(size ? size : 1);

	if (!memory)
		die("no memory for %zu bytes", size);
	return memory;
}

/* ---- Options ----------------------------------------------------------- */

bool
listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	while (list) {
		size_t item = strcspn(list, ",");

		if (item == length && strncasecmp(list, name, length) == 0)
			return true;
		if (list[item] == '\0')
			return false;
		list += item + 1;
	}
	return true;
}

static size_t
parse_item(const char *text, const char **end)
{
	static const char units[] = "KMG";
	char *stop;
	unsigned long long value;
	const char *unit;
	size_t shift = 0;

	errno = 0;
	value = strtoull(text, &stop, 10);
	unit = *stop ? strchr(units, *stop & ~0x20) : NULL;
	if (unit) {
		shift = 10 * (size_t)(unit - units + 1);
		stop++;
	}
	if (stop == text || errno || *text == '-' || value > SIZE_MAX >> shift)
		die("not a size: %s", text);
	*end = stop;
	return (size_t)value << shift;
}

size_t
parse_sizes(const char *list, size_t *sizes, size_t max)
{
	const char *at = list;
	size_t count = 0;

	while (count < max) {
		sizes[count++] = parse_item(at, &at);
		if (*at == '\0')
			return count;
		if (*at++ != ',')
			break;
	}
	die("not a list of at most %zu sizes: %s", max, list);
}

size_t
parse_size(const char *text)
{
	size_t size;

	parse_sizes(text, &size, 1);
	return size;
}

int
parse_int(const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (end == text || *end || value < INT_MIN || value > INT_MAX)
		die("not a number: %s", text);
	return (int)value;
}

double
parse_seconds(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value >= 0))
		die("not a number of seconds: %s", text);
	return value;
}

const char *
size_text(size_t size, char text[SIZE_TEXT_MAX])
{
	if (size >= 1 << 20 && size % (1 << 20) == 0)
		snprintf(text, SIZE_TEXT_MAX, "%zu MiB", size >> 20);
	else if (size >= 1 << 10 && size % (1 << 10) == 0)
		snprintf(text, SIZE_TEXT_MAX, "%zu KiB", size >> 10);
	else
		snprintf(text, SIZE_TEXT_MAX, "%zu", size);
	return text;
}

FILE *
open_csv(const char *name, const char *header)
{
	FILE *csv = name ? fopen(name, "w") : NULL;

	if (!name)
		return NULL;
	if (!csv)
		die("%s: %s", name, strerror(errno));
	fprintf(csv, "%s\n", header);
	return csv;
}

void
close_csv(FILE *csv)
{
	if (csv && (ferror(csv) | fclose(csv)))
		die("the CSV file could not be written");
}

/* ---- Time -------------------------------------------------------------- */

static double
clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

double
cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

double
wall_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
quantile(const double *sorted, size_t count, double part)
{
	double place = part * (double)(count - 1);
	size_t below = (size_t)place;
	size_t above = below + 1 < count ? below + 1 : below;

	return sorted[below] + (sorted[above] - sorted[below]) * (place - (double)below);
}

double
median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare);
	return quantile(values, count, 0.5);
}

void
geo_add(struct geo_mean *mean, double value)
{
	mean->log_sum += log(value);
	mean->count++;
}

double
geo_value(const struct geo_mean *mean)
{
	return mean->count ? exp(mean->log_sum / (double)mean->count) : 0;
}

/* ---- Races ------------------------------------------------------------- */

static double
time_run(const struct runner *runner, size_t turns)
{
	double start;

	/* What the one before did to caches and clock rate is not this one's. */
	runner->work(runner->self, turns / 4);
	start = cpu_ns();
	runner->work(runner->self, turns);
	return (cpu_ns() - start) / (double)turns;
}

/* Turns that take about as long as wanted; which also warms up. */
static size_t
choose_turns(struct runner *runners, size_t count, const struct race_plan *plan)
{
	double wanted_ns = plan->seconds * 1e9;
	size_t step = plan->step ? plan->step : 1, turns = step;
	double ns = time_run(&runners[0], turns) * (double)turns;

	while (ns < wanted_ns / 2 && turns < SIZE_MAX / 2) {
		turns *= 2;
		ns = time_run(&runners[0], turns) * (double)turns;
	}
	if (ns < wanted_ns)
		turns = (size_t)((double)turns * wanted_ns / ns) / step * step;
	for (size_t i = 1; i < count; i++)
		time_run(&runners[i], turns);
	return turns;
}

void
race(struct runner *runners, size_t count, const struct race_plan *plan)
{
	double wanted_ns = plan->seconds * 1e9;
	size_t turns = choose_turns(runners, count, plan), runs = plan->runs;
	double *samples = must_alloc(count * runs * sizeof(*samples));

	for (size_t run = 0; run < runs; run++) {
		double start = wall_ns();

		/* Each is the first in its turn, and the order is another every time. */
		for (size_t i = 0; i < count; i++) {
			size_t who = (run + (run % 2 ? count - i : i)) % count;

			samples[who * plan->runs + run] = time_run(&runners[who], turns);
		}
		/* Slow ones vary less; three runs have a median. */
		if (run + 1 >= 3 && wall_ns() - start > 20 * wanted_ns * (double)count)
			runs = run + 1;
	}
	for (size_t i = 0; i < count; i++) {
		double *own = samples + i * plan->runs;

		runners[i].ns = median(own, runs);
		runners[i].low = quantile(own, runs, 0.25);
		runners[i].high = quantile(own, runs, 0.75);
	}
	free(samples);
}
