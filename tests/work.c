/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work.c - everything that one coder does with memory, from its factory to its end
 * Pages come in three sizes, each larger than the one before, so that memory is asked for
 * in each call; nothing here takes memory of its own between enter and leave.
 */
#include "work.h"

#include <stdlib.h>

/* ---- Variants */

struct variant_list {
	struct variant variants[96];
	size_t count;
};

static void
add_variant(struct variant_list *list, const struct coder *coder, int window_log, int checksum)
{
	if (list->count == COUNT_OF(list->variants))
		abort(); /* no test is running: main lists variants */
	list->variants[list->count++] = (struct variant){*coder, window_log, checksum};
}

static void
list_variants(struct variant_list *list)
{
	size_t count;
	const struct coder *coders =
	    tests_short() ? engine_coders(&count) : level_coders(&count);

	for (size_t i = 0; i < count; i++)
		add_variant(list, &coders[i], 0, 0);
	coders = engine_coders(&count);
	for (size_t i = 0; i < count; i++) {
		const struct pagecodec_codec_info *info = coders[i].info;

		if (info->max_window_log) {
			add_variant(list, &coders[i], info->min_window_log, 0);
			add_variant(list, &coders[i], info->max_window_log, 0);
		}
		if (info->has_checksum)
			add_variant(list, &coders[i], 0, 1);
	}
}

const struct variant *
work_variants(size_t *count)
{
	static struct variant_list list;

	if (!list.count)
		list_variants(&list);
	if (count)
		*count = list.count;
	return list.variants;
}

const char *
variant_name(const struct variant *variant)
{
	static char name[128];

	snprintf(name, sizeof(name), "%s, window_log %d, checksum %d",
		 coder_name(&variant->coder), variant->window_log, variant->checksum);
	return name;
}

/* ---- Calls */

/* Whether the call was made; counts it if memory was out. */
static int
done(struct work *work, enum pagecodec_status status, const struct pagecodec_error *error)
{
	if (work->leave)
		work->leave();
	if (status == PAGECODEC_OK)
		return 1;
	require(status == PAGECODEC_OUT_OF_MEMORY, "%s: %s instead of OUT_OF_MEMORY",
		variant_name(work->variant), pagecodec_status_name(status));
	require(*work->refused > 0, "%s: OUT_OF_MEMORY though there was enough",
		variant_name(work->variant));
	check_error(error, PAGECODEC_OUT_OF_MEMORY);
	work->failures++;
	return 0;
}

static void
enter(const struct work *work)
{
	if (work->enter)
		work->enter();
}

/* A call that takes &error, made between enter and leave. */
#define DONE(work, call) (enter(work), done(work, call, &error))

int
work_create(struct work *work)
{
	struct pagecodec_error error;

	work->failures = 0;
	work->compressor = NULL;
	work->decompressor = NULL;
	work->factory = (struct pagecodec_factory *)work;
	if (DONE(work, pagecodec_factory_create(work->options, &work->factory, &error)))
		return 1;
	ck_assert_ptr_null(work->factory);
	return 0;
}

int
work_get(struct work *work)
{
	const struct coder *coder = &work->variant->coder;
	struct pagecodec_compressor_options options = {.struct_size = sizeof(options),
						       .has_level = coder->has_level,
						       .level = coder->level,
						       .window_log = work->variant->window_log,
						       .checksum = work->variant->checksum,
						       .engine = coder->engine,
						       .page_crc = 1};
	struct pagecodec_decompressor_options reading = {.struct_size = sizeof(reading),
							 .engine = coder->engine};
	struct pagecodec_error error;
	int has_both = 1;

	if (!DONE(work, pagecodec_compressor_get(work->factory, coder->info->codec, &options,
						 &work->compressor, &error))) {
		ck_assert_ptr_null(work->compressor);
		has_both = 0;
	}
	if (!DONE(work, pagecodec_decompressor_get(work->factory, coder->info->codec, &reading,
						   &work->decompressor, &error))) {
		ck_assert_ptr_null(work->decompressor);
		has_both = 0;
	}
	return has_both;
}

static void
check_compress(struct work *work)
{
	struct pagecodec_span out;
	struct pagecodec_error error;

	if (!DONE(work, pagecodec_compress(work->compressor, work->parts, 2, NULL, 0, &out,
					   &error))) {
		check_no_span(out);
		return;
	}
	require(out.size == work->compressed.size, "%s: %zu bytes, not %zu",
		variant_name(work->variant), out.size, work->compressed.size);
	check_bytes(variant_name(work->variant), out.data, work->compressed.data, out.size);
}

static void
check_decompress(struct work *work)
{
	struct pagecodec_span out;
	struct pagecodec_error error;

	if (!DONE(work, pagecodec_decompress(work->decompressor, work->compressed.data,
					     work->compressed.size, WORK_PAGE_SIZE, NULL, 0,
					     &out, &error))) {
		check_no_span(out);
		return;
	}
	require(out.size == WORK_PAGE_SIZE, "%zu bytes come back", out.size);
	check_bytes(variant_name(work->variant), out.data, work->page, WORK_PAGE_SIZE);
}

static void
check_arrow_size(struct work *work)
{
	struct pagecodec_error error;
	size_t size;

	if (DONE(work, pagecodec_arrow_buffer_size(work->decompressor, work->compressed.data,
						   work->compressed.size, &size, &error)))
		require(size == WORK_PAGE_SIZE, "the buffer says %zu bytes", size);
	else
		ck_abort_msg("a size takes memory");
}

/* A page of this size and levels comes back from its body. */
static void
check_page(struct work *work, const struct pagecodec_page *page, size_t levels_size,
	   size_t values_size)
{
	struct pagecodec_span levels, values;
	struct pagecodec_error error;

	require(page->has_crc == 1, "no CRC");
	if (!DONE(work, pagecodec_decompress_page(work->decompressor, page, NULL, 0, &levels,
						  &values, &error))) {
		check_no_span(levels);
		check_no_span(values);
		return;
	}
	require(levels.size == levels_size && values.size == values_size,
		"levels of %zu bytes and values of %zu", levels.size, values.size);
	check_bytes("levels", levels.data, work->page, levels_size);
	for (size_t at = 0; at < values_size; at += WORK_PAGE_SIZE)
		check_bytes("values", (const unsigned char *)values.data + at, work->page,
			    WORK_PAGE_SIZE);
}

static void
check_no_page(const struct pagecodec_page *page)
{
	static const struct pagecodec_page none;

	require(memcmp(page, &none, sizeof(none)) == 0, "a page is given out after a failure");
}

static void
check_page_v1(struct work *work)
{
	const struct pagecodec_span parts[4] = {work->parts[0], work->parts[1], work->parts[0],
						work->parts[1]};
	struct pagecodec_page page;
	struct pagecodec_error error;

	if (DONE(work, pagecodec_compress_page_v1(work->compressor, parts, 4, NULL, 0, &page,
						  &error)))
		check_page(work, &page, 0, 2 * WORK_PAGE_SIZE);
	else
		check_no_page(&page);
}

static void
check_page_v2(struct work *work)
{
	const struct pagecodec_span *half = work->parts;
	const struct pagecodec_span values[6] = {half[0], half[1], half[0],
						 half[1], half[0], half[1]};
	struct pagecodec_page page;
	struct pagecodec_error error;

	if (DONE(work, pagecodec_compress_page_v2(work->compressor, &half[0], &half[1], values,
						  6, NULL, 0, &page, &error)))
		check_page(work, &page, WORK_PAGE_SIZE, 3 * WORK_PAGE_SIZE);
	else
		check_no_page(&page);
}

void
work_use(struct work *work)
{
	if (work->compressor)
		check_compress(work);
	if (work->decompressor)
		check_decompress(work);
	if (is_arrow(work->variant->coder.info->codec)) {
		if (work->decompressor)
			check_arrow_size(work);
	} else if (work->compressor && work->decompressor) {
		check_page_v1(work);
		check_page_v2(work);
	}
}

void
work_release(struct work *work)
{
	enter(work);
	pagecodec_compressor_release(work->compressor);
	pagecodec_decompressor_release(work->decompressor);
	done(work, PAGECODEC_OK, NULL);
	work->compressor = NULL;
	work->decompressor = NULL;
}

int
work_renew(struct work *work)
{
	work_release(work);
	enter(work);
	pagecodec_factory_trim(work->factory);
	done(work, PAGECODEC_OK, NULL);
	return work_get(work);
}

void
work_destroy(struct work *work)
{
	work_release(work);
	enter(work);
	pagecodec_factory_destroy(work->factory);
	done(work, PAGECODEC_OK, NULL);
	work->factory = NULL;
}

/* ---- Setup */

struct work
work_new(const struct variant *variant)
{
	static const size_t none;
	unsigned char *page = new_page(PAGE_TEXT, 1, WORK_PAGE_SIZE);
	struct work work = {
	    .variant = variant,
	    .refused = &none,
	    .page = page,
	    .parts = {{page, WORK_PAGE_SIZE / 2},
		      {page + WORK_PAGE_SIZE / 2, WORK_PAGE_SIZE / 2}},
	};

	ck_assert(work_create(&work) && work_get(&work));
	work.compressed = compress_bytes(work.compressor, page, WORK_PAGE_SIZE);
	work_destroy(&work);
	return work;
}

void
work_free(struct work *work)
{
	free(work->page);
	free(work->compressed.data);
}
