/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_sizes.c - sizes at and beyond 2^31, 2^32 and SIZE_MAX, of what is to be compressed
 * Nothing is there that the sizes claim, and to look at it would end the test; and no
 * memory is there: what would take some says so.
 */
#include <stdlib.h>

#include "objects.h"

/* What a part of this size gives when no memory is to be had. */
static enum pagecodec_status
want_compress(const struct objects *o, size_t size)
{
	if (size > SIZE_MAX / 2 || size > o->coder->info->max_input_size)
		return PAGECODEC_TOO_LARGE;
	return is_codec(o, PAGECODEC_UNCOMPRESSED) ? PAGECODEC_OK : PAGECODEC_OUT_OF_MEMORY;
}

START_TEST(large_parts)
{
	static const unsigned char byte = 1;
	struct objects o;

	open_objects(&o, _i, SIZE_MAX);
	refuse_memory(&o);
	for (size_t i = 0; i < large_size_count; i++) {
		struct pagecodec_span part = {&byte, large_sizes[i]}, out;
		enum pagecodec_status want = want_compress(&o, large_sizes[i]);

		assert_status(pagecodec_compress(o.compressor, &part, 1, NULL, 0, &out, NULL),
			      want);
		if (want == PAGECODEC_OK)
			require(out.data == &byte && out.size == large_sizes[i], "%zu bytes",
				out.size);
		else
			check_no_span(out);
	}
	close_objects(&o);
}
END_TEST

/* Each is allowed, and so many of them are more than any size can say. */
START_TEST(sums_of_parts)
{
	static const unsigned char byte = 1;
	struct pagecodec_span parts[5], out;
	struct objects o;

	open_objects(&o, _i, SIZE_MAX);
	refuse_memory(&o);
	for (size_t count = 3; count <= COUNT_OF(parts); count++) {
		for (size_t i = 0; i < count; i++)
			parts[i] = (struct pagecodec_span){&byte, SIZE_MAX / 2};
		assert_status(
		    pagecodec_compress(o.compressor, parts, count, NULL, 0, &out, NULL),
		    PAGECODEC_TOO_LARGE);
		check_no_span(out);
		parts[count - 1].size = 4; /* wraps round to a sum of 2 */
		assert_status(
		    pagecodec_compress(o.compressor, parts, count, NULL, 0, &out, NULL),
		    PAGECODEC_TOO_LARGE);
	}
	close_objects(&o);
}
END_TEST

/* The end of dst lies beyond all memory, and with it whatever lies behind dst. */
START_TEST(capacities)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 1000);
	size_t bound = pagecodec_compress_bound(f.coder->info->codec, f.size);
	unsigned char *memory = malloc(2 * bound + f.size);
	unsigned char *page = memory + bound;
	struct pagecodec_span part = {page, f.size}, out;
	struct pagecodec_error error;

	ck_assert_ptr_nonnull(memory);
	memcpy(page, f.page, f.size);
	for (size_t i = 0; i < large_size_count; i++) {
		assert_fails(pagecodec_compress(f.compressor, &part, 1, memory, large_sizes[i],
						&out, &error),
			     PAGECODEC_INVALID_ARGUMENT, &error);
		assert_ok(pagecodec_compress(f.compressor, &part, 1, page + f.size,
					     large_sizes[i], &out, &error),
			  &error);
		check_compressed(&f, out);
		part = out;
		assert_fails(pagecodec_decompress(f.decompressor, part.data, part.size, f.size,
						  page, large_sizes[i], &out, &error),
			     PAGECODEC_INVALID_ARGUMENT, &error);
		part = (struct pagecodec_span){page, f.size};
	}
	free(memory);
	fixture_free(&f);
}
END_TEST

START_TEST(page_parts_and_levels)
{
	static const unsigned char byte = 1;
	const struct pagecodec_span one = {&byte, 1};
	struct pagecodec_page page;
	struct objects o;

	open_objects(&o, _i, SIZE_MAX);
	refuse_memory(&o);
	for (size_t i = 1; i < large_size_count; i++) {
		const struct pagecodec_span part = {&byte, large_sizes[i]};

		assert_status(
		    pagecodec_compress_page_v1(o.compressor, &part, 1, NULL, 0, &page, NULL),
		    PAGECODEC_TOO_LARGE);
		assert_status(pagecodec_compress_page_v2(o.compressor, &part, NULL, &one, 1,
							 NULL, 0, &page, NULL),
			      PAGECODEC_TOO_LARGE);
		assert_status(pagecodec_compress_page_v2(o.compressor, NULL, &part, &one, 1,
							 NULL, 0, &page, NULL),
			      PAGECODEC_TOO_LARGE);
		assert_status(pagecodec_compress_page_v2(o.compressor, NULL, NULL, &part, 1,
							 NULL, 0, &page, NULL),
			      PAGECODEC_TOO_LARGE);
		assert_status(pagecodec_compress_page_v2(o.compressor, &part, &part, &part, 1,
							 NULL, 0, &page, NULL),
			      PAGECODEC_TOO_LARGE);
	}
	close_objects(&o);
}
END_TEST

/* The largest page that a header can say, and one byte more. */
START_TEST(page_of_the_largest_size)
{
	static const unsigned char byte = 1;
	const struct pagecodec_span most = {&byte, INT32_MAX};
	const struct pagecodec_span parts[2] = {{&byte, INT32_MAX}, {&byte, 1}};
	struct pagecodec_page page;
	struct objects o;

	open_objects(&o, _i, SIZE_MAX);
	refuse_memory(&o);
	assert_status(pagecodec_compress_page_v1(o.compressor, &most, 1, NULL, 0, &page, NULL),
		      want_compress(&o, INT32_MAX));
	assert_status(pagecodec_compress_page_v1(o.compressor, parts, 2, NULL, 0, &page, NULL),
		      PAGECODEC_TOO_LARGE);
	ck_assert_ptr_null(page.body);
	assert_status(pagecodec_compress_page_v2(o.compressor, &parts[1], NULL, &most, 1, NULL,
						 0, &page, NULL),
		      PAGECODEC_TOO_LARGE);
	ck_assert_ptr_null(page.body);
	close_objects(&o);
}
END_TEST

START_TEST(bounds)
{
	const struct pagecodec_codec_info *info = engine_coders(NULL)[_i].info;

	for (size_t i = 0; i < large_size_count; i++) {
		size_t bound = pagecodec_compress_bound(info->codec, large_sizes[i]);

		if (large_sizes[i] > info->max_input_size)
			ck_assert_uint_eq(bound, 0);
		else
			ck_assert_uint_ge(bound, large_sizes[i]);
	}
	ck_assert_uint_ge(pagecodec_compress_bound(info->codec, info->max_input_size),
			  info->max_input_size);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_loop(large_parts, count);
	add_loop(sums_of_parts, count);
	add_loop(capacities, count);
	add_loop(page_parts_and_levels, count);
	add_loop(page_of_the_largest_size, count);
	add_loop(bounds, count);
	return run_tests("sizes");
}
