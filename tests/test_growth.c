/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_growth.c - a hundred thousand pages, every third damaged, and nothing grows
 * What the process has in memory, by the kernel's count, and what the factory says.
 */
#include <config.h>

#include <stdlib.h>
#include <unistd.h>

#include "coders.h"
#include "heap.h"

#define SAMPLES 30
#define WARM 1000

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                     \
    __has_feature(memory_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
#endif

/* A checker's own memory grows as it likes. */
static int
is_checked(void)
{
	const char *preloaded = getenv("LD_PRELOAD");

	return HAS_SANITIZER || (preloaded && strstr(preloaded, "vgpreload"));
}

/* Bytes; 0: nobody says. */
static size_t
resident(void)
{
	FILE *file = is_checked() ? NULL : fopen("/proc/self/statm", "r");
	size_t total, pages = 0;

	if (!file || fscanf(file, "%zu %zu", &total, &pages) != 2) {
		fprintf(stderr, "skipped: resident memory cannot be told here\n");
		pages = 0;
	}
	if (file)
		fclose(file);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Pages of several sizes and kinds, of which every third will be damaged in its own way. */
struct sample {
	unsigned char *page;
	size_t size;
	struct bytes compressed;
};

static void
make_samples(struct sample *samples, const struct coder *coder)
{
	for (size_t i = 0; i < SAMPLES; i++) {
		struct sample *sample = &samples[i];

		sample->size = 100 + 130 * i;
		sample->page = new_page((enum page_kind)(i % PAGE_KINDS), i, sample->size);
		sample->compressed = compress_fresh(coder, sample->page, sample->size);
	}
}

static void
free_samples(struct sample *samples)
{
	for (size_t i = 0; i < SAMPLES; i++) {
		free(samples[i].page);
		free(samples[i].compressed.data);
	}
}

/* Cut, grown, of another size, or with a bit flipped, which not every codec notices. */
static void
read_damaged(struct pagecodec_decompressor *decompressor, const struct sample *sample, size_t n)
{
	struct bytes c = sample->compressed;
	unsigned char bit = (unsigned char)(1 << n % 8);
	struct pagecodec_span out;
	struct pagecodec_error error;
	enum pagecodec_status status;

	if (n % 4 == 0)
		c.size = n % c.size;
	if (n % 4 == 1)
		c.data[n % c.size] ^= bit;
	status = pagecodec_decompress(decompressor, c.data, c.size,
				      sample->size + (n % 4 == 2) - (n % 4 == 3), NULL, 0, &out,
				      &error);
	if (n % 4 == 1)
		c.data[n % c.size] ^= bit;
	require(is_damage(status) || (n % 4 == 1 && status == PAGECODEC_OK),
		"damaged page %zu: %s", n, pagecodec_status_name(status));
}

static void
run_pages(struct pagecodec_compressor *compressor, struct pagecodec_decompressor *decompressor,
	  const struct sample *samples, size_t first, size_t last)
{
	for (size_t n = first; n < last; n++) {
		const struct sample *sample = &samples[n % SAMPLES];
		struct pagecodec_span part = {sample->page, sample->size}, out;

		if (n % 3 == 2) {
			read_damaged(decompressor, sample, n / 3);
			continue;
		}
		assert_status(pagecodec_decompress(decompressor, sample->compressed.data,
						   sample->compressed.size, sample->size, NULL,
						   0, &out, NULL),
			      PAGECODEC_OK);
		check_bytes("page", out.data, sample->page, sample->size);
		if (n % 10 == 0)
			assert_status(
			    pagecodec_compress(compressor, &part, 1, NULL, 0, &out, NULL),
			    PAGECODEC_OK);
	}
}

START_TEST(resident_memory_is_flat)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_compressor *compressor = get_compressor(factory, coder);
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, coder->info->codec, coder->engine);
	struct sample samples[SAMPLES];
	size_t count = tests_short() ? 5000 : 100000;
	struct pagecodec_memory before, after;
	size_t resident_before, resident_after;

	make_samples(samples, coder);
	run_pages(compressor, decompressor, samples, 0, WARM);
	before = memory_of(factory);
	resident_before = resident();
	run_pages(compressor, decompressor, samples, WARM, count);
	resident_after = resident();
	after = memory_of(factory);
	require(resident_after < resident_before + 1 * MIB, "%zu KiB became %zu KiB",
		resident_before / KIB, resident_after / KIB);
	ck_assert_uint_eq(after.bytes, before.bytes);
	pagecodec_compressor_release(compressor);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
	free_samples(samples);
}
END_TEST

/* Objects go out and come back; each use is of a page, and every third is damaged. */
START_TEST(get_and_release)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&heap);
	struct sample samples[SAMPLES];
	size_t count = tests_short() ? WARM + 100 : 10000;
	size_t empty = memory_of(factory).bytes, bytes = 0, resident_before = 0;

	make_samples(samples, coder);
	for (size_t n = 0; n < count; n++) {
		struct pagecodec_compressor *compressor = get_compressor(factory, coder);
		struct pagecodec_decompressor *decompressor =
		    get_decompressor(factory, coder->info->codec, coder->engine);

		run_pages(compressor, decompressor, samples, n, n + 1);
		pagecodec_decompressor_release(decompressor);
		pagecodec_compressor_release(compressor);
		if (n == WARM) {
			bytes = memory_of(factory).bytes;
			resident_before = resident();
		}
	}
	ck_assert_uint_lt(resident(), resident_before + 1 * MIB);
	ck_assert_uint_eq(memory_of(factory).bytes, bytes);
	check_objects(factory, 0, 2);
	pagecodec_factory_trim(factory);
	check_objects(factory, 0, 0);
	ck_assert_uint_eq(memory_of(factory).bytes, empty);
	ck_assert_uint_eq(heap.live_bytes, empty);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
	free_samples(samples);
}
END_TEST

/* Nothing is kept: each object is made, and ends with its release. */
START_TEST(objects_made_and_freed)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct pagecodec_factory_options options = {.struct_size = sizeof(options),
						    .max_idle_size = 1};
	struct pagecodec_factory *factory = NULL;
	size_t count = tests_short() ? 100 : 2000, resident_before = 0;
	size_t empty;

	ck_assert_int_eq(pagecodec_factory_create(&options, &factory, NULL), PAGECODEC_OK);
	empty = memory_of(factory).bytes;
	for (size_t n = 0; n < count; n++) {
		pagecodec_compressor_release(get_compressor(factory, coder));
		pagecodec_decompressor_release(
		    get_decompressor(factory, coder->info->codec, coder->engine));
		require(memory_of(factory).bytes == empty, "object %zu left memory", n);
		if (n == 20)
			resident_before = resident();
	}
	ck_assert_uint_lt(resident(), resident_before + 1 * MIB);
	pagecodec_factory_destroy(factory);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_loop(resident_memory_is_flat, count);
	add_loop(get_and_release, count);
	add_loop(objects_made_and_freed, count);
	return run_tests("growth");
}
