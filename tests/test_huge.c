/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_huge.c - a page of 2.2 GB through each codec, with PAGECODEC_TEST_LARGE=1
 * More than int and int32_t can say, and 8 GiB of memory.  Each codec takes it, or says
 * that it is too large; bytes that are not 0 lie at both ends and round 2^31.
 */
#include <stdlib.h>

#include "coders.h"

#define HUGE_SIZE ((size_t)2200000000u)

static const size_t marks[] = {0,
			       1,
			       INT32_MAX - 1,
			       INT32_MAX,
			       (size_t)INT32_MAX + 1,
			       (size_t)INT32_MAX + 2,
			       HUGE_SIZE - 1};

static int
is_asked_for(void)
{
	const char *value = getenv("PAGECODEC_TEST_LARGE");

	return SIZE_MAX > UINT32_MAX && value && strcmp(value, "1") == 0;
}

static unsigned char *
new_huge_page(void)
{
	unsigned char *page = calloc(1, HUGE_SIZE);

	ck_assert_ptr_nonnull(page);
	for (size_t i = 0; i < COUNT_OF(marks); i++)
		page[marks[i]] = (unsigned char)(i + 1);
	return page;
}

static void
check_huge_page(const unsigned char *got)
{
	size_t mark = 0;

	for (size_t at = 0; at < HUGE_SIZE; at++) {
		unsigned want =
		    mark < COUNT_OF(marks) && at == marks[mark] ? (unsigned)++mark : 0;

		require(got[at] == want, "byte %zu is %u, not %u", at, got[at], want);
	}
}

static struct pagecodec_factory *
huge_factory(void)
{
	struct pagecodec_factory_options options = {.struct_size = sizeof(options),
						    .max_page_size = HUGE_SIZE};
	struct pagecodec_factory *factory = NULL;
	struct pagecodec_error error;

	assert_ok(pagecodec_factory_create(&options, &factory, &error), &error);
	return factory;
}

/* The fastest level of each: the sizes are what is tried. */
static struct coder
fast_coder(int index)
{
	struct coder coder = engine_coders(NULL)[index];

	coder.has_level = coder.info->has_levels;
	coder.level = coder.has_level;
	return coder;
}

static void
check_too_large(struct pagecodec_decompressor *decompressor)
{
	unsigned char *src = calloc(1, 10 * MIB);
	struct pagecodec_span out;
	struct pagecodec_error error;

	assert_fails(
	    pagecodec_decompress(decompressor, src, 10 * MIB, HUGE_SIZE, NULL, 0, &out, &error),
	    PAGECODEC_TOO_LARGE, &error);
	free(src);
}

START_TEST(page_beyond_2_gib)
{
	const struct coder coder = fast_coder(_i);
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;
	struct pagecodec_span part, compressed, out;
	struct pagecodec_error error;
	unsigned char *page;

	if (!is_asked_for()) {
		fprintf(stderr, "skipped: PAGECODEC_TEST_LARGE is not 1\n");
		return;
	}
	factory = huge_factory();
	compressor = get_compressor(factory, &coder);
	decompressor = get_decompressor(factory, coder.info->codec, coder.engine);
	page = new_huge_page();
	part = (struct pagecodec_span){page, HUGE_SIZE};
	if (coder.info->max_input_size < HUGE_SIZE) {
		ck_assert_int_eq(coder.info->codec, PAGECODEC_LZ4_RAW);
		assert_fails(
		    pagecodec_compress(compressor, &part, 1, NULL, 0, &compressed, &error),
		    PAGECODEC_TOO_LARGE, &error);
		check_too_large(decompressor);
	} else {
		assert_ok(
		    pagecodec_compress(compressor, &part, 1, NULL, 0, &compressed, &error),
		    &error);
		assert_ok(pagecodec_decompress(decompressor, compressed.data, compressed.size,
					       HUGE_SIZE, NULL, 0, &out, &error),
			  &error);
		ck_assert_uint_eq(out.size, HUGE_SIZE);
		check_huge_page(out.data);
	}
	free(page);
	pagecodec_compressor_release(compressor);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
}
END_TEST

/* No header of a page can say it. */
START_TEST(page_header_beyond_2_gib)
{
	const struct coder coder = fast_coder(_i);
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;
	struct pagecodec_span part;
	struct pagecodec_page page;
	struct pagecodec_error error;
	unsigned char *bytes;

	if (!is_asked_for())
		return;
	factory = huge_factory();
	compressor = get_compressor(factory, &coder);
	bytes = new_huge_page();
	part = (struct pagecodec_span){bytes, HUGE_SIZE};
	assert_fails(pagecodec_compress_page_v1(compressor, &part, 1, NULL, 0, &page, &error),
		     PAGECODEC_TOO_LARGE, &error);
	assert_fails(pagecodec_compress_page_v2(compressor, NULL, NULL, &part, 1, NULL, 0,
						&page, &error),
		     PAGECODEC_TOO_LARGE, &error);
	free(bytes);
	pagecodec_compressor_release(compressor);
	pagecodec_factory_destroy(factory);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	set_timeout(1800);
	add_loop(page_beyond_2_gib, count);
	add_loop(page_header_beyond_2_gib, count);
	return run_tests("huge");
}
