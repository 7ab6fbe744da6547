/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_bench.c - pagecodec bench: every codec and level on a file's own pages
 *
 * All of them get the same pages, so that sizes compare; of passes over the pages
 * the fastest counts, since other work on the machine only ever adds time.
 */
#include "tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "sample.h"
#include "text.h"

#define SAMPLE_SIZE ((size_t)4 << 20)
#define POINTS_MAX 128
#define LOWEST_LEVEL (-8)
#define PASSES_MAX 16
#define SECONDS_ENOUGH 0.1

/* A codec's default engine at a level. */
struct point {
	const struct pagecodec_codec_info *codec;
	int level;
	size_t compressed_size;
	double compress_seconds, decompress_seconds; /* all pages once */
	bool is_best_for_writing, is_best_for_reading;
};

struct bench {
	const char *name;
	struct sample sample;
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;
	uint8_t **compressed; /* each page */
	size_t *sizes;
	uint8_t *back; /* the largest page */
	size_t back_size;
	struct point points[POINTS_MAX];
	size_t point_count;
	bool compares;	 /* what is decompressed with the page */
	bool is_skipped; /* a page is larger than some codec takes */
};

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- Measuring --------------------------------------------------------- */

static bool
compress_pages(struct bench *bench, const struct point *point, struct fault *fault)
{
	struct pagecodec_error error;
	struct pagecodec_span made;

	for (size_t i = 0; i < bench->sample.page_count; i++) {
		const struct pagecodec_span *page = &bench->sample.pages[i];
		size_t bound = pagecodec_compress_bound(point->codec->codec, page->size);

		if (pagecodec_compress(bench->compressor, page, 1, bench->compressed[i], bound,
				       &made, &error) != PAGECODEC_OK)
			return fault_of_library(fault, &error);
		bench->sizes[i] = made.size;
	}
	return true;
}

static bool
decompress_pages(struct bench *bench, const struct point *point, struct fault *fault)
{
	struct pagecodec_error error;
	struct pagecodec_span plain;

	(void)point;
	for (size_t i = 0; i < bench->sample.page_count; i++) {
		const struct pagecodec_span *page = &bench->sample.pages[i];

		if (pagecodec_decompress(bench->decompressor, bench->compressed[i],
					 bench->sizes[i], page->size, bench->back,
					 bench->back_size, &plain, &error) != PAGECODEC_OK)
			return fault_of_library(fault, &error);
		if (bench->compares && memcmp(plain.data, page->data, page->size) != 0)
			return fault_set(fault, TOOL_DAMAGED, "a page came back different");
	}
	return true;
}

static bool
time_passes(struct bench *bench, const struct point *point,
	    bool (*pass)(struct bench *, const struct point *, struct fault *), double *seconds,
	    struct fault *fault)
{
	double total = 0;

	for (int i = 0; i < PASSES_MAX && total < SECONDS_ENOUGH; i++) {
		double start = now(), taken;

		if (!pass(bench, point, fault))
			return false;
		taken = now() - start;
		total += taken;
		if (i == 0 || taken < *seconds)
			*seconds = taken;
	}
	return true;
}

static bool
measure(struct bench *bench, struct point *point, struct fault *fault)
{
	struct pagecodec_compressor_options options = {.struct_size = sizeof(options),
						       .has_level = point->codec->has_levels,
						       .level = point->level};
	struct pagecodec_error error;
	bool is_done;

	if (pagecodec_compressor_get(bench->factory, point->codec->codec, &options,
				     &bench->compressor, &error) != PAGECODEC_OK)
		return fault_of_library(fault, &error);
	is_done = time_passes(bench, point, compress_pages, &point->compress_seconds, fault);
	bench->compares = true;
	is_done = is_done && decompress_pages(bench, point, fault);
	bench->compares = false;
	is_done = is_done && time_passes(bench, point, decompress_pages,
					 &point->decompress_seconds, fault);
	pagecodec_compressor_release(bench->compressor);
	for (size_t i = 0; is_done && i < bench->sample.page_count; i++)
		point->compressed_size += bench->sizes[i];
	return is_done;
}

/* ---- Points ------------------------------------------------------------ */

static bool
reserve(struct bench *bench, const struct pagecodec_codec_info *codec, bool *fits,
	struct fault *fault)
{
	*fits = true;
	for (size_t i = 0; i < bench->sample.page_count; i++) {
		size_t bound =
		    pagecodec_compress_bound(codec->codec, bench->sample.pages[i].size);

		*fits &= bound != 0;
		free(bench->compressed[i]);
		bench->compressed[i] = malloc(bound ? bound : 1);
		if (!bench->compressed[i])
			return fault_set(fault, TOOL_UNREADABLE, "no memory for %zu bytes",
					 bound);
	}
	return true;
}

static bool
add_point(struct bench *bench, const struct pagecodec_codec_info *codec, int level,
	  struct fault *fault)
{
	struct point *point = &bench->points[bench->point_count];
	struct fault inner;

	if (bench->point_count == POINTS_MAX)
		return fault_set(fault, TOOL_UNREADABLE, "there are more levels than rows");
	*point = (struct point){.codec = codec, .level = level};
	if (!measure(bench, point, &inner))
		return fault_set(fault, inner.exit, "%s level %d: %.300s", codec->name, level,
				 inner.text);
	bench->point_count++;
	return true;
}

/* Negative ones by powers of two; 0 is another name of a level where there are such. */
static int
next_level(int level)
{
	if (level < -1)
		return level / 2;
	return level == -1 ? 1 : level + 1;
}

static bool
add_levels(struct bench *bench, const struct pagecodec_codec_info *codec, struct fault *fault)
{
	int level = codec->min_level < LOWEST_LEVEL ? LOWEST_LEVEL : codec->min_level;
	struct pagecodec_error error;
	bool fits, is_done = true;

	if (!reserve(bench, codec, &fits, fault))
		return false;
	if (!fits) {
		bench->is_skipped = true;
		return true;
	}
	if (pagecodec_decompressor_get(bench->factory, codec->codec, NULL, &bench->decompressor,
				       &error) != PAGECODEC_OK)
		return fault_of_library(fault, &error);
	for (; is_done && level <= codec->max_level; level = next_level(level)) {
		progress_show(bench->name, bench->point_count, POINTS_MAX);
		is_done = add_point(bench, codec, level, fault);
	}
	pagecodec_decompressor_release(bench->decompressor);
	return is_done;
}

/* A better one is no larger and faster, or as fast and smaller. */
static bool
is_beaten(const struct point *point, const struct point *by, double seconds, double by_seconds)
{
	return by->compressed_size <= point->compressed_size && by_seconds <= seconds &&
	       (by->compressed_size < point->compressed_size || by_seconds < seconds);
}

static void
find_best(struct bench *bench)
{
	for (size_t i = 0; i < bench->point_count; i++) {
		struct point *point = &bench->points[i];

		point->is_best_for_writing = point->is_best_for_reading = true;
		for (size_t j = 0; j < bench->point_count; j++) {
			const struct point *by = &bench->points[j];

			point->is_best_for_writing &= !is_beaten(
			    point, by, point->compress_seconds, by->compress_seconds);
			point->is_best_for_reading &= !is_beaten(
			    point, by, point->decompress_seconds, by->decompress_seconds);
		}
	}
}

static bool
run_bench(struct bench *bench, struct fault *fault)
{
	const struct sample *sample = &bench->sample;
	struct pagecodec_error error;

	bench->compressed = calloc(sample->page_count, sizeof(*bench->compressed));
	bench->sizes = calloc(sample->page_count, sizeof(*bench->sizes));
	for (size_t i = 0; i < sample->page_count; i++)
		if (sample->pages[i].size > bench->back_size)
			bench->back_size = sample->pages[i].size;
	bench->back = malloc(bench->back_size);
	if (!bench->compressed || !bench->sizes || !bench->back)
		return fault_set(fault, TOOL_UNREADABLE, "no memory for the pages");
	if (pagecodec_factory_create(NULL, &bench->factory, &error) != PAGECODEC_OK)
		return fault_of_library(fault, &error);
	for (int32_t number = PAGECODEC_UNCOMPRESSED; number <= PAGECODEC_LZ4_RAW; number++) {
		const struct pagecodec_codec_info *codec = pagecodec_find_codec(number);

		if (codec->is_available && !add_levels(bench, codec, fault))
			return false;
	}
	progress_clear();
	find_best(bench);
	return true;
}

static void
drop(struct bench *bench)
{
	for (size_t i = 0; bench->compressed && i < bench->sample.page_count; i++)
		free(bench->compressed[i]);
	free(bench->compressed);
	free(bench->sizes);
	free(bench->back);
	pagecodec_factory_destroy(bench->factory);
	sample_free(&bench->sample);
}

/* ---- Output ------------------------------------------------------------ */

static double
speed(const struct bench *bench, double seconds)
{
	return seconds > 0 ? (double)bench->sample.size / seconds : 0;
}

static void
print_point(const struct bench *bench, const struct point *point)
{
	char ratio[TEXT_SIZE_MAX], level[16] = "-";

	if (point->codec->has_levels)
		snprintf(level, sizeof(level), "%d", point->level);
	printf("%-12s %5s %12zu %7s %14.0f %16.0f  %s%s%s\n", point->codec->name, level,
	       point->compressed_size,
	       text_ratio(ratio, bench->sample.size, point->compressed_size),
	       speed(bench, point->compress_seconds) / 1e6,
	       speed(bench, point->decompress_seconds) / 1e6,
	       point->is_best_for_writing ? "writing" : "",
	       point->is_best_for_writing && point->is_best_for_reading ? ", " : "",
	       point->is_best_for_reading ? "reading" : "");
}

static void
print_table(const struct bench *bench, const char *column)
{
	const struct sample *sample = &bench->sample;
	char sizes[2][TEXT_SIZE_MAX];

	printf("%s%s%s: %zu of %" PRIu64 " page%s, %s of %s, through every codec and level\n\n",
	       bench->name, column ? ", column " : "", column ? column : "", sample->page_count,
	       sample->file_page_count, text_plural(sample->file_page_count),
	       text_size(sizes[0], sample->size), text_size(sizes[1], sample->file_size));
	printf("%-12s %5s %12s %7s %14s %16s  %s\n", "codec", "level", "bytes", "ratio",
	       "compress MB/s", "decompress MB/s", "best for");
	for (size_t i = 0; i < bench->point_count; i++)
		print_point(bench, &bench->points[i]);
	printf("\nBest for writing: whatever is smaller compresses slower.  For reading: "
	       "decompresses slower.\n");
	if (bench->is_skipped)
		printf("left out: codecs that cannot take the largest page\n");
}

static void
print_json(const struct bench *bench, const char *column)
{
	struct json json = {.out = stdout, .is_first = true};
	const struct sample *sample = &bench->sample;

	json_open(&json, NULL, '{');
	json_text(&json, "file", bench->name);
	if (column)
		json_text(&json, "column", column);
	json_int(&json, "file_page_count", (int64_t)sample->file_page_count);
	json_int(&json, "file_uncompressed_size", (int64_t)sample->file_size);
	json_int(&json, "page_count", (int64_t)sample->page_count);
	json_int(&json, "uncompressed_size", (int64_t)sample->size);
	json_open(&json, "results", '[');
	for (size_t i = 0; i < bench->point_count; i++) {
		const struct point *point = &bench->points[i];

		json_open(&json, NULL, '{');
		json_text(&json, "codec", point->codec->name);
		if (point->codec->has_levels)
			json_int(&json, "level", point->level);
		json_int(&json, "compressed_size", (int64_t)point->compressed_size);
		json_int(&json, "compress_bytes_per_second",
			 (int64_t)speed(bench, point->compress_seconds));
		json_int(&json, "decompress_bytes_per_second",
			 (int64_t)speed(bench, point->decompress_seconds));
		json_bool(&json, "is_best_for_writing", point->is_best_for_writing);
		json_bool(&json, "is_best_for_reading", point->is_best_for_reading);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
}

/* The last --column; NULL: all columns. */
static const char *
chosen_column(const struct arguments *arguments)
{
	const char *column = NULL;

	for (size_t i = 0; i < arguments->setting_count; i++)
		if (arguments->settings[i].option == OPTION_COLUMN)
			column = arguments->settings[i].value;
	return column;
}

enum tool_exit
cmd_bench(const struct arguments *arguments)
{
	struct bench bench = {.name = arguments->files[0]};
	const char *column = chosen_column(arguments);
	struct fault fault;
	enum tool_exit exit = sample_read(&bench.sample, bench.name, column, SAMPLE_SIZE);

	if (exit == TOOL_UNREADABLE) {
		drop(&bench);
		return exit;
	}
	if (bench.sample.page_count == 0) {
		fault_set(&fault, TOOL_UNREADABLE, "it has no pages to measure");
		exit = tool_worse(exit, fault_report(&fault, bench.name));
	} else if (!run_bench(&bench, &fault)) {
		exit = tool_worse(exit, fault_report(&fault, bench.name));
	} else if (arguments->options & OPTION_JSON) {
		print_json(&bench, column);
	} else {
		print_table(&bench, column);
	}
	drop(&bench);
	return exit;
}
