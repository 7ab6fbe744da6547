/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_page_read.c - pages are refused for what is wrong with them, in the order of the header
 * Fields come from damaged files: negative, too large, lying.  Levels and values are given
 * out only when all that was asked for has been checked.
 */
#include <stdlib.h>

#include "coders.h"
#include "guard.h"
#include "heap.h"

#define LEVELS 37

/* A sound V2 page with levels, compressed or (random values) stored, and its reader. */
struct v2 {
	struct fixture f;
	struct pagecodec_page page;
	unsigned char *body;
};

static struct v2
v2_new(int index, enum page_kind kind)
{
	static const unsigned char level_bytes[LEVELS];
	const struct pagecodec_span rep = {level_bytes, 7}, def = {level_bytes, LEVELS - 7};
	struct v2 v2 = {fixture_new(&page_coders(NULL)[index], kind, 1000), {0}, NULL};
	struct pagecodec_span part = {v2.f.page, 1000};
	struct pagecodec_error error;

	assert_ok(pagecodec_compress_page_v2(v2.f.compressor, &rep, &def, &part, 1, NULL, 0,
					     &v2.page, &error),
		  &error);
	v2.body = malloc(v2.page.body_size + 10);
	ck_assert_ptr_nonnull(v2.body);
	memcpy(v2.body, v2.page.body, v2.page.body_size);
	memset(v2.body + v2.page.body_size, 0x77, 10);
	v2.page.body = v2.body;
	v2.page.has_crc = 1;
	v2.page.crc = pagecodec_crc32(0, v2.body, v2.page.body_size);
	return v2;
}

static void
v2_free(struct v2 *v2)
{
	free(v2->body);
	fixture_free(&v2->f);
}

static void
accept_page(const struct v2 *v2, const struct pagecodec_page *page)
{
	struct pagecodec_span levels, values;
	struct pagecodec_error error;

	assert_ok(pagecodec_decompress_page(v2->f.decompressor, page, NULL, 0, &levels, &values,
					    &error),
		  &error);
	ck_assert_uint_eq(levels.size, LEVELS);
	ck_assert_uint_eq(values.size, 1000);
	check_bytes("values", values.data, v2->f.page, 1000);
	assert_ok(
	    pagecodec_decompress_page(v2->f.decompressor, page, NULL, 0, &levels, NULL, &error),
	    &error);
	ck_assert_ptr_eq(levels.data, page->body);
	ck_assert_uint_eq(levels.size, LEVELS);
}

/* With values and without, and the object reads the sound page after it. */
static void
refuse_page(const struct v2 *v2, const struct pagecodec_page *page, enum pagecodec_status want)
{
	struct pagecodec_span levels = {v2, 9}, values = {v2, 9};
	struct pagecodec_error error;

	assert_fails(
	    pagecodec_decompress_page(v2->f.decompressor, page, NULL, 0, &levels, NULL, &error),
	    want, &error);
	check_no_span(levels);
	levels = (struct pagecodec_span){v2, 9};
	assert_fails(pagecodec_decompress_page(v2->f.decompressor, page, NULL, 0, &levels,
					       &values, &error),
		     want, &error);
	check_no_span(levels);
	check_no_span(values);
	ck_assert_int_eq(error.codec, v2->f.coder->info->codec);
	accept_page(v2, &v2->page);
}

START_TEST(sound_page)
{
	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		struct v2 v2 = v2_new(_i, (enum page_kind)kind);
		struct pagecodec_page page = v2.page;

		accept_page(&v2, &page);
		page.body_size += 10;
		accept_page(&v2, &page);
		page.has_crc = 0;
		page.crc ^= 1;
		accept_page(&v2, &page);
		v2_free(&v2);
	}
}
END_TEST

START_TEST(negative_sizes)
{
	static const int32_t negative[] = {-1, -1000, INT32_MIN};
	struct v2 v2 = v2_new(_i, PAGE_TEXT);
	struct pagecodec_page page;
	int32_t *const sizes[] = {&page.uncompressed_page_size, &page.compressed_page_size,
				  &page.repetition_levels_byte_length,
				  &page.definition_levels_byte_length};

	for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(negative); i++) {
		page = v2.page;
		*sizes[i % COUNT_OF(sizes)] = negative[i / COUNT_OF(sizes)];
		refuse_page(&v2, &page, PAGECODEC_CORRUPT);
	}
	v2_free(&v2);
}
END_TEST

/* Everything is wrong; what comes first in the order is mended, and the next is told. */
static void
check_order(struct v2 *v2)
{
	struct pagecodec_page page = v2->page;

	page.crc ^= 1;
	page.is_stored = 1;
	page.body = NULL;
	page.uncompressed_page_size = INT32_MAX;
	page.compressed_page_size = -1;
	page.repetition_levels_byte_length = INT32_MAX;
	page.definition_levels_byte_length = INT32_MAX;
	refuse_page(v2, &page, PAGECODEC_INVALID_ARGUMENT);
	page.body = v2->body;
	refuse_page(v2, &page, PAGECODEC_CORRUPT);
	page.compressed_page_size = v2->page.compressed_page_size + 11;
	page.body_size = v2->page.body_size + 10;
	refuse_page(v2, &page, PAGECODEC_TRUNCATED);
	page.compressed_page_size = v2->page.compressed_page_size;
	refuse_page(v2, &page, PAGECODEC_CORRUPT);
	page.repetition_levels_byte_length = v2->page.repetition_levels_byte_length;
	page.definition_levels_byte_length = v2->page.definition_levels_byte_length;
	refuse_page(v2, &page, PAGECODEC_TOO_LARGE);
	page.uncompressed_page_size = v2->page.compressed_page_size + 1;
	refuse_page(v2, &page, PAGECODEC_SIZE_MISMATCH);
	page.uncompressed_page_size = v2->page.compressed_page_size;
	refuse_page(v2, &page, PAGECODEC_CHECKSUM_MISMATCH);
	page = v2->page;
	accept_page(v2, &page);
}

START_TEST(order_of_checks)
{
	struct pagecodec_factory_options options = {.struct_size = sizeof(options),
						    .max_page_size = 100000};
	struct v2 v2 = v2_new(_i, PAGE_TEXT);
	struct pagecodec_factory *factory = NULL;
	struct pagecodec_error error;

	pagecodec_decompressor_release(v2.f.decompressor);
	assert_ok(pagecodec_factory_create(&options, &factory, &error), &error);
	v2.f.decompressor = get_decompressor(factory, v2.f.coder->info->codec, NULL);
	check_order(&v2);
	pagecodec_factory_destroy(factory);
	v2_free(&v2);
}
END_TEST

/* Against each of the two sizes, and their sum does not wrap around. */
START_TEST(levels_beyond_the_page)
{
	static const struct {
		int32_t uncompressed, rep, def;
	} cases[] = {
	    {LEVELS - 1, 7, LEVELS - 7},
	    {0, 1, 0},
	    {2000, 2001, 0},
	    {2000, 0, 2001},
	    {2000, INT32_MAX, INT32_MAX},
	    {2000, INT32_MAX, 1},
	    {INT32_MAX, INT32_MAX, 1},
	};
	struct v2 v2 = v2_new(_i, PAGE_TEXT);
	struct pagecodec_page page;

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		page = v2.page;
		page.uncompressed_page_size = cases[i].uncompressed;
		page.repetition_levels_byte_length = cases[i].rep;
		page.definition_levels_byte_length = cases[i].def;
		refuse_page(&v2, &page, PAGECODEC_CORRUPT);
	}
	page = v2.page;
	page.compressed_page_size = LEVELS - 1;
	refuse_page(&v2, &page, PAGECODEC_CORRUPT);
	v2_free(&v2);
}
END_TEST

/* A level byte or a value byte that was changed shows in the CRC, and so does its own. */
START_TEST(crc_covers_levels_and_values)
{
	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		struct v2 v2 = v2_new(_i, (enum page_kind)kind);
		struct guard body = guard_new(v2.page.body_size, GUARD_AFTER, 0);
		struct pagecodec_page page = v2.page;

		page.crc ^= 0x80000000;
		refuse_page(&v2, &page, PAGECODEC_CHECKSUM_MISMATCH);
		page = v2.page;
		page.body = body.data;
		for (size_t i = 0; i < body.size; i += 7) {
			memcpy(body.data, v2.body, body.size);
			body.data[i] ^= 4;
			refuse_page(&v2, &page, PAGECODEC_CHECKSUM_MISMATCH);
		}
		guard_free(&body);
		v2_free(&v2);
	}
}
END_TEST

/* Of stored pages both sizes are equal; that is seen before memory is taken. */
START_TEST(stored_sizes_differ)
{
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&heap);
	struct v2 v2 = v2_new(_i, PAGE_RANDOM);
	struct pagecodec_page page = v2.page;
	size_t calls;

	pagecodec_decompressor_release(v2.f.decompressor);
	v2.f.decompressor = get_decompressor(factory, v2.f.coder->info->codec, NULL);
	calls = heap.calls;
	ck_assert_int_eq(page.is_stored, 1);
	page.uncompressed_page_size++;
	refuse_page(&v2, &page, PAGECODEC_SIZE_MISMATCH);
	page.uncompressed_page_size = INT32_MAX;
	refuse_page(&v2, &page, PAGECODEC_SIZE_MISMATCH);
	page.uncompressed_page_size = v2.page.uncompressed_page_size - 1;
	refuse_page(&v2, &page, PAGECODEC_SIZE_MISMATCH);
	if (is_uncompressed(v2.f.coder)) {
		page.is_stored = 0;
		refuse_page(&v2, &page, PAGECODEC_SIZE_MISMATCH);
		page = v2.page;
		page.is_stored = 0;
		accept_page(&v2, &page);
	}
	ck_assert_uint_eq(heap.calls, calls);
	pagecodec_factory_destroy(factory);
	v2_free(&v2);
	heap_check_empty(&heap);
}
END_TEST

/* is_stored is the page's own: both kinds alternate on one object. */
START_TEST(stored_and_compressed_pages_alternate)
{
	struct v2 text = v2_new(_i, PAGE_TEXT);
	struct v2 random = v2_new(_i, PAGE_RANDOM);
	struct v2 stored = random;

	stored.f.decompressor = text.f.decompressor;
	for (int round = 0; round < 3; round++) {
		accept_page(&text, &text.page);
		accept_page(&stored, &stored.page);
	}
	v2_free(&text);
	v2_free(&random);
}
END_TEST

/* Writers of all-null pages have left 0 bytes or the codec's empty stream. */
START_TEST(no_values)
{
	struct fixture f = fixture_new(&page_coders(NULL)[_i], PAGE_TEXT, 0);
	struct pagecodec_page page = {.uncompressed_page_size = 5,
				      .definition_levels_byte_length = 5};
	unsigned char body[64] = {1, 2, 3, 4, 5};
	struct pagecodec_span levels, values;
	struct pagecodec_error error;

	memcpy(body + 5, f.compressed.data, f.compressed.size);
	page.body = body;
	page.body_size = 5;
	page.compressed_page_size = 5;
	for (page.is_stored = 0; page.is_stored < 2; page.is_stored++) {
		assert_ok(pagecodec_decompress_page(f.decompressor, &page, NULL, 0, &levels,
						    &values, &error),
			  &error);
		ck_assert_uint_eq(levels.size, 5);
		ck_assert_ptr_eq(levels.data, body);
		ck_assert_uint_eq(values.size, 0);
		ck_assert_ptr_nonnull(values.data);
	}
	page.is_stored = 0;
	page.body_size = 5 + f.compressed.size;
	page.compressed_page_size = (int32_t)page.body_size;
	assert_ok(
	    pagecodec_decompress_page(f.decompressor, &page, NULL, 0, &levels, &values, &error),
	    &error);
	ck_assert_uint_eq(values.size, 0);
	page.uncompressed_page_size = 6;
	page.compressed_page_size = 5;
	assert_fails(
	    pagecodec_decompress_page(f.decompressor, &page, NULL, 0, &levels, &values, &error),
	    is_uncompressed(f.coder) ? PAGECODEC_SIZE_MISMATCH : PAGECODEC_TRUNCATED, &error);
	fixture_free(&f);
}
END_TEST

/* Without values nothing is decompressed: a stream that is no stream is not seen. */
START_TEST(levels_alone)
{
	struct v2 v2 = v2_new(_i, PAGE_TEXT);
	struct pagecodec_page page = v2.page;
	struct pagecodec_span levels, values;
	struct pagecodec_error error;

	page.has_crc = 0;
	if (!page.is_stored) {
		memset(v2.body + LEVELS, 0xff, page.body_size - LEVELS);
		assert_ok(pagecodec_decompress_page(v2.f.decompressor, &page, NULL, 0, &levels,
						    NULL, &error),
			  &error);
		ck_assert_uint_eq(levels.size, LEVELS);
		poison_error(&error);
		ck_assert(is_damage(pagecodec_decompress_page(v2.f.decompressor, &page, NULL, 0,
							      &levels, &values, &error)));
		check_no_span(levels);
		check_no_span(values);
	}
	v2_free(&v2);
}
END_TEST

START_TEST(missing_arguments)
{
	struct v2 v2 = v2_new(_i, PAGE_TEXT);
	struct pagecodec_page page = v2.page;
	struct pagecodec_span levels = {&v2, 1}, values = {&v2, 1};
	struct pagecodec_error error;

	assert_fails(pagecodec_decompress_page(NULL, &page, NULL, 0, &levels, &values, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	check_no_span(levels);
	check_no_span(values);
	levels = values = (struct pagecodec_span){&v2, 1};
	assert_fails(pagecodec_decompress_page(v2.f.decompressor, NULL, NULL, 0, &levels,
					       &values, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	check_no_span(levels);
	check_no_span(values);
	assert_fails(pagecodec_decompress_page(v2.f.decompressor, &page, NULL, 5, &levels,
					       &values, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	page.body = NULL;
	assert_fails(pagecodec_decompress_page(v2.f.decompressor, &page, NULL, 0, &levels,
					       &values, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	assert_fails(pagecodec_decompress_page(v2.f.decompressor, &v2.page, v2.body + LEVELS,
					       1000, &levels, &values, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	v2_free(&v2);
}
END_TEST

START_TEST(page_into_too_little)
{
	struct v2 v2 = v2_new(_i, PAGE_TEXT);
	struct guard dst = guard_new(1000, GUARD_AFTER, 0);
	struct pagecodec_span levels, values;
	struct pagecodec_error error;

	for (size_t capacity = 0; capacity < 1000; capacity += 333) {
		assert_fails(pagecodec_decompress_page(v2.f.decompressor, &v2.page, dst.data,
						       capacity, &levels, &values, &error),
			     PAGECODEC_DST_TOO_SMALL, &error);
		ck_assert_uint_eq(error.expected_size, 1000);
		ck_assert_uint_eq(error.actual_size, capacity);
		check_no_span(levels);
		check_no_span(values);
	}
	assert_ok(pagecodec_decompress_page(v2.f.decompressor, &v2.page, dst.data, 1000,
					    &levels, &values, &error),
		  &error);
	ck_assert_ptr_eq(values.data, dst.data);
	check_bytes("values", values.data, v2.f.page, 1000);
	guard_free(&dst);
	v2_free(&v2);
}
END_TEST

int
main(void)
{
	size_t count;

	page_coders(&count);
	add_loop(sound_page, count);
	add_loop(negative_sizes, count);
	add_loop(order_of_checks, count);
	add_loop(levels_beyond_the_page, count);
	add_loop(crc_covers_levels_and_values, count);
	add_loop(stored_sizes_differ, count);
	add_loop(stored_and_compressed_pages_alternate, count);
	add_loop(no_values, count);
	add_loop(levels_alone, count);
	add_loop(missing_arguments, count);
	add_loop(page_into_too_little, count);
	return run_tests("page_read");
}
