/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_roundtrip.c - pagecodec roundtrip: a file's pages through every codec and engine
 *
 * Each page goes through all of them before the next is read, so that a large file
 * takes no more memory than its largest page.  A small file's pages go through several
 * times, so that its figures are not those of a few microseconds.
 */
#include "tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "page_walk.h"
#include "text.h"

/* Of each row and direction, in all; a page's share is that of its bytes. */
#define MEASURE_SECONDS 0.05

#define ENGINES_MAX 4
#define LANES_MAX 32

/* A codec and an engine that compresses for it.  decompressors[0] is timed: the
 * engine of that name where it can decompress, else the default. */
struct lane {
	const struct pagecodec_codec_info *codec;
	const char *engine;
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressors[ENGINES_MAX];
	size_t decompressor_count;
	uint64_t pages, size, compressed_size;
	size_t largest; /* page so far */
	struct timing {
		double seconds, size;
	} compress, decompress;
};

struct roundtrip {
	struct pagecodec_factory *factory;
	struct lane lanes[LANES_MAX];
	size_t lane_count;
	uint64_t identical_count, skipped_count;
	double size; /* of the file's pages, as its footer says */
	/* One pair for all lanes, as large as the largest page needs. */
	uint8_t *compressed, *back;
	size_t compressed_capacity, back_capacity;
};

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool
reserve(uint8_t **buffer, size_t *capacity, size_t size, struct fault *fault)
{
	if (*buffer && size <= *capacity)
		return true;
	free(*buffer);
	*capacity = size;
	*buffer = malloc(size ? size : 1);
	return *buffer || fault_set(fault, TOOL_UNREADABLE, "no memory for %zu bytes", size);
}

/* Passes over one page.  The first touch of memory is no part of a codec's time, so
 * a page larger than those before begins with one that does not count. */
struct passes {
	struct timing *timing;
	size_t size;
	bool is_warm;
	double share, start; /* seconds */
};

static struct passes
passes_begin(const struct roundtrip *trip, const struct lane *lane, struct timing *timing,
	     size_t size)
{
	return (struct passes){.timing = timing,
			       .size = size,
			       .is_warm = size <= lane->largest,
			       .share = MEASURE_SECONDS * (double)size / trip->size,
			       .start = now()};
}

/* After each pass: is there to be another? */
static bool
passes_go_on(struct passes *passes)
{
	double end = now(), seconds = end - passes->start;

	passes->start = end;
	if (!passes->is_warm) {
		passes->is_warm = true;
		return true;
	}
	passes->timing->seconds += seconds;
	passes->timing->size += (double)passes->size;
	passes->share -= seconds;
	return passes->share > 0 && passes->timing->seconds < MEASURE_SECONDS;
}

static bool
decompress(struct roundtrip *trip, struct lane *lane, size_t index,
	   const struct pagecodec_span *plain, const struct pagecodec_span *compressed,
	   struct fault *fault)
{
	struct passes passes = passes_begin(trip, lane, &lane->decompress, plain->size);
	struct pagecodec_error error;
	struct pagecodec_span back;

	do {
		if (pagecodec_decompress(lane->decompressors[index], compressed->data,
					 compressed->size, plain->size, trip->back,
					 trip->back_capacity, &back, &error) != PAGECODEC_OK)
			return fault_of_library(fault, &error);
	} while (index == 0 && passes_go_on(&passes));
	if (back.size != plain->size || memcmp(back.data, plain->data, plain->size) != 0)
		return fault_set(fault, TOOL_DAMAGED, "came back different");
	return true;
}

static bool
run_lane(struct roundtrip *trip, struct lane *lane, const struct pagecodec_span *plain,
	 struct fault *fault)
{
	struct passes passes;
	struct pagecodec_span compressed;
	struct pagecodec_error error;
	size_t bound = pagecodec_compress_bound(lane->codec->codec, plain->size);

	if (bound == 0 && plain->size) {
		trip->skipped_count++;
		return true;
	}
	if (!reserve(&trip->compressed, &trip->compressed_capacity, bound, fault))
		return false;
	passes = passes_begin(trip, lane, &lane->compress, plain->size);
	do {
		if (pagecodec_compress(lane->compressor, plain, 1, trip->compressed,
				       trip->compressed_capacity, &compressed,
				       &error) != PAGECODEC_OK)
			return fault_of_library(fault, &error);
	} while (passes_go_on(&passes));
	lane->pages++;
	lane->size += plain->size;
	lane->compressed_size += compressed.size;
	for (size_t i = 0; i < lane->decompressor_count; i++)
		if (!decompress(trip, lane, i, plain, &compressed, fault))
			return false;
	if (plain->size > lane->largest)
		lane->largest = plain->size;
	return true;
}

static bool
on_page(void *context, const struct pagecodec_span *plain, struct fault *fault)
{
	struct roundtrip *trip = context;
	struct fault inner;

	if (!reserve(&trip->back, &trip->back_capacity, plain->size, fault))
		return false;
	for (size_t i = 0; i < trip->lane_count; i++) {
		struct lane *lane = &trip->lanes[i];

		if (!run_lane(trip, lane, plain, &inner))
			return fault_set(fault, inner.exit, "%s (%s): %.300s",
					 lane->codec->name, lane->engine ? lane->engine : "-",
					 inner.text);
	}
	trip->identical_count++;
	return true;
}

static bool
add_decompressor(struct roundtrip *trip, struct lane *lane, const char *engine,
		 struct fault *fault)
{
	struct pagecodec_decompressor_options options = {.struct_size = sizeof(options),
							 .engine = engine};
	struct pagecodec_error error;

	if (pagecodec_decompressor_get(trip->factory, lane->codec->codec, &options,
				       &lane->decompressors[lane->decompressor_count],
				       &error) != PAGECODEC_OK)
		return fault_of_library(fault, &error);
	lane->decompressor_count++;
	return true;
}

static bool
add_lane(struct roundtrip *trip, const struct pagecodec_codec_info *codec, const char *engine,
	 struct fault *fault)
{
	struct pagecodec_compressor_options options = {.struct_size = sizeof(options),
						       .engine = engine};
	struct lane *lane = &trip->lanes[trip->lane_count];
	const char *const *engines = codec->decompress_engines;
	const char *timed = NULL;
	struct pagecodec_error error;

	if (trip->lane_count == LANES_MAX)
		return fault_set(fault, TOOL_UNREADABLE, "there are more engines than rows");
	lane->codec = codec;
	lane->engine = engine;
	if (pagecodec_compressor_get(trip->factory, codec->codec, &options, &lane->compressor,
				     &error) != PAGECODEC_OK)
		return fault_of_library(fault, &error);
	trip->lane_count++;
	for (size_t i = 0; engine && engines && engines[i]; i++)
		if (strcmp(engines[i], engine) == 0)
			timed = engines[i];
	if (!add_decompressor(trip, lane, timed, fault))
		return false;
	for (size_t i = timed ? 0 : 1; engines && engines[0] && engines[i]; i++)
		if (engines[i] != timed && lane->decompressor_count < ENGINES_MAX &&
		    !add_decompressor(trip, lane, engines[i], fault))
			return false;
	return true;
}

static bool
add_lanes(struct roundtrip *trip, struct fault *fault)
{
	for (int32_t number = 0; number <= PAGECODEC_ARROW_ZSTD; number++) {
		const struct pagecodec_codec_info *codec = pagecodec_find_codec(number);
		const char *const *engines;

		if (!codec || !codec->is_available)
			continue;
		engines = codec->compress_engines;
		if (!engines || !engines[0]) {
			if (!add_lane(trip, codec, NULL, fault))
				return false;
			continue;
		}
		for (size_t i = 0; engines[i]; i++)
			if (!add_lane(trip, codec, engines[i], fault))
				return false;
	}
	return true;
}

static void
drop(struct roundtrip *trip)
{
	for (size_t i = 0; i < trip->lane_count; i++) {
		pagecodec_compressor_release(trip->lanes[i].compressor);
		for (size_t j = 0; j < trip->lanes[i].decompressor_count; j++)
			pagecodec_decompressor_release(trip->lanes[i].decompressors[j]);
	}
	pagecodec_factory_destroy(trip->factory);
	free(trip->compressed);
	free(trip->back);
}

static double
speed(const struct timing *timing)
{
	return timing->seconds > 0 ? timing->size / timing->seconds / 1e6 : 0;
}

static void
print_table(const struct roundtrip *trip, const struct walk *walk)
{
	char codecs[WALK_CODECS_TEXT], sizes[2][TEXT_SIZE_MAX], ratio[TEXT_SIZE_MAX];

	printf("%s: %" PRIu64 " page%s of %" PRIu64
	       " column chunk%s (%s), %s, decompressed to %s.\n"
	       "Each page was compressed anew with every codec and engine of this build,\n"
	       "decompressed again, and compared byte for byte:\n\n",
	       walk->name, walk->page_count, text_plural(walk->page_count), walk->chunk_count,
	       text_plural(walk->chunk_count), walk_codecs(walk->pages_of, codecs),
	       text_size(sizes[0], walk->compressed_size),
	       text_size(sizes[1], walk->uncompressed_size));
	printf("%-16s %-11s %7s %12s %7s %14s %16s\n", "codec", "engine", "pages", "bytes",
	       "ratio", "compress MB/s", "decompress MB/s");
	for (size_t i = 0; i < trip->lane_count; i++) {
		const struct lane *lane = &trip->lanes[i];

		printf("%-16s %-11s %7" PRIu64 " %12" PRIu64 " %7s %14.0f %16.0f\n",
		       lane->codec->name, lane->engine ? lane->engine : "-", lane->pages,
		       lane->compressed_size,
		       text_ratio(ratio, lane->size, lane->compressed_size),
		       speed(&lane->compress), speed(&lane->decompress));
	}
	putchar('\n');
	if (trip->skipped_count)
		printf("left out: %" PRIu64 " times a page was larger than a codec takes\n",
		       trip->skipped_count);
}

static void
print_result(const struct roundtrip *trip, const struct walk *walk)
{
	char codecs[WALK_CODECS_TEXT];

	if (walk->exit == TOOL_SOUND)
		printf("all %" PRIu64 " pages came back identical\n", trip->identical_count);
	else
		printf("%" PRIu64 " of %" PRIu64 " pages came back identical\n",
		       trip->identical_count, walk->page_count);
	walk_codecs(walk->not_built_of, codecs);
	if (codecs[0])
		printf("not in this build: %s\n", codecs);
}

static double
footer_size(const struct parquet_file *file)
{
	double size = 1;

	for (size_t i = 0; i < file->column_count; i++)
		size += (double)file->columns[i].total_uncompressed_size.value;
	return size > 1 ? size : 1;
}

enum tool_exit
cmd_roundtrip(const struct arguments *arguments)
{
	struct parquet_file file;
	struct roundtrip trip = {0};
	struct walk walk = {
	    .name = arguments->files[0], .file = &file, .on_page = on_page, .context = &trip};
	struct pagecodec_error error;
	struct fault fault;

	if (!parquet_open(&file, walk.name, &fault))
		return fault_report(&fault, walk.name);
	trip.size = footer_size(&file);
	if (pagecodec_factory_create(NULL, &trip.factory, &error) != PAGECODEC_OK) {
		fault_of_library(&fault, &error);
		walk.exit = fault_report(&fault, walk.name);
	} else if (!add_lanes(&trip, &fault)) {
		walk.exit = fault_report(&fault, walk.name);
	} else {
		walk_file(&walk);
		print_table(&trip, &walk);
		print_result(&trip, &walk);
	}
	drop(&trip);
	parquet_close(&file);
	return walk.exit;
}
