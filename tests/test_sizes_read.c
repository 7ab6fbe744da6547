/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_sizes_read.c - sizes at and beyond 2^31, 2^32 and SIZE_MAX, of what is to be read
 * Bytes that a size claims, and that are not there, lie in memory without access. What is
 * refused is refused before memory is taken.
 */
#include <sys/mman.h>

#include "objects.h"

/* So many bytes, of which only these can be read. */
static unsigned char *
claim(size_t size, const void *start, size_t start_size)
{
	unsigned char *bytes =
	    mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (bytes == MAP_FAILED)
		return NULL;
	ck_assert_int_eq(mprotect(bytes, 64 * KIB, PROT_READ | PROT_WRITE), 0);
	memcpy(bytes, start, start_size);
	return bytes;
}

/* Lengths of ff at its start, which are a raw size, a chunk's, a literal's, a prefix of -1. */
static enum pagecodec_status
want_decompress(const struct objects *o, size_t src_size)
{
	switch (o->coder->info->codec) {
	case PAGECODEC_UNCOMPRESSED:
	case PAGECODEC_ARROW_LZ4_FRAME:
	case PAGECODEC_ARROW_ZSTD:
		return PAGECODEC_SIZE_MISMATCH;
	case PAGECODEC_LZO:
		return src_size - 8 >= UINT32_MAX ? PAGECODEC_SIZE_MISMATCH : PAGECODEC_CORRUPT;
	case PAGECODEC_LZ4:
	case PAGECODEC_LZ4_RAW:
		return src_size > INT32_MAX ? PAGECODEC_TOO_LARGE : PAGECODEC_CORRUPT;
	default:
		return PAGECODEC_CORRUPT;
	}
}

START_TEST(sources)
{
	unsigned char start[16], dst[1000];
	struct pagecodec_span out;
	struct objects o;

	memset(start, 255, sizeof(start));
	open_objects(&o, _i, SIZE_MAX);
	for (size_t i = 0; i < large_size_count; i++) {
		unsigned char *src;

		if (large_sizes[i] > SIZE_MAX / 2)
			assert_status(pagecodec_decompress(o.decompressor, start,
							   large_sizes[i], sizeof(dst), dst,
							   sizeof(dst), &out, NULL),
				      PAGECODEC_TOO_LARGE);
		src = large_sizes[i] < SIZE_MAX / 2
			  ? claim(large_sizes[i], start, sizeof(start))
			  : NULL;
		if (!src)
			continue;
		assert_status(pagecodec_decompress(o.decompressor, src, large_sizes[i],
						   sizeof(dst), dst, sizeof(dst), &out, NULL),
			      want_decompress(&o, large_sizes[i]));
		check_no_span(out);
		munmap(src, large_sizes[i]);
	}
	close_objects(&o);
}
END_TEST

/* The largest size there is, as -1. */
static uint64_t
as_prefix(size_t size)
{
	return size == SIZE_MAX ? UINT64_MAX : size;
}

/* 30 bytes: of any codec but these they can never become so many. */
START_TEST(declared_sizes)
{
	unsigned char src[30] = {0};
	struct pagecodec_span out;
	struct objects o;

	open_objects(&o, _i, SIZE_MAX);
	refuse_memory(&o);
	for (size_t i = 0; i < large_size_count; i++) {
		enum pagecodec_status want = PAGECODEC_TOO_LARGE;

		declare_size(src, o.coder->info->codec, as_prefix(large_sizes[i]));
		if (is_uncompressed(o.coder) ||
		    (is_arrow(o.coder->info->codec) && large_sizes[i] == SIZE_MAX))
			want = PAGECODEC_SIZE_MISMATCH; /* a prefix of -1 stores the rest */
		else if (is_arrow(o.coder->info->codec) &&
			 as_prefix(large_sizes[i]) > INT64_MAX)
			want = PAGECODEC_CORRUPT;
		assert_status(pagecodec_decompress(o.decompressor, src, sizeof(src),
						   large_sizes[i], NULL, 0, &out, NULL),
			      want);
		check_no_span(out);
		assert_status(pagecodec_decompress(o.decompressor, NULL, 0, large_sizes[i],
						   NULL, 0, &out, NULL),
			      PAGECODEC_TRUNCATED);
	}
	ck_assert_uint_eq(o.heap.failed, 0);
	close_objects(&o);
}
END_TEST

START_TEST(sizes_of_arrow_buffers)
{
	unsigned char src[30] = {0};
	struct objects o;
	size_t size;
	int is_small;

	open_objects(&o, _i, 0);
	refuse_memory(&o);
	for (size_t i = 0; i < large_size_count && is_arrow(o.coder->info->codec); i++) {
		declare_size(src, o.coder->info->codec, as_prefix(large_sizes[i]));
		size = 99;
		assert_status(
		    pagecodec_arrow_buffer_size(o.decompressor, src, sizeof(src), &size, NULL),
		    large_sizes[i] == SIZE_MAX		    ? PAGECODEC_OK
		    : as_prefix(large_sizes[i]) > INT64_MAX ? PAGECODEC_CORRUPT
							    : PAGECODEC_TOO_LARGE);
		ck_assert_uint_eq(size, large_sizes[i] == SIZE_MAX ? sizeof(src) - 8 : 0);
		/* Stored, and all but 8 of them. */
		declare_size(src, o.coder->info->codec, UINT64_MAX);
		is_small = large_sizes[i] <= SIZE_MAX / 2 && large_sizes[i] - 8 <= INT32_MAX;
		assert_status(pagecodec_arrow_buffer_size(o.decompressor, src, large_sizes[i],
							  &size, NULL),
			      is_small ? PAGECODEC_OK : PAGECODEC_TOO_LARGE);
		ck_assert_uint_eq(size, is_small ? large_sizes[i] - 8 : 0);
	}
	close_objects(&o);
}
END_TEST

/* ---- Pages */

/* By the order that the header file gives. */
static enum pagecodec_status
want_page(const struct pagecodec_page *page, int is_stored)
{
	int64_t levels =
	    (int64_t)page->repetition_levels_byte_length + page->definition_levels_byte_length;

	if (page->compressed_page_size < 0 || page->uncompressed_page_size < 0 ||
	    page->repetition_levels_byte_length < 0 || page->definition_levels_byte_length < 0)
		return PAGECODEC_CORRUPT;
	if ((size_t)page->compressed_page_size > page->body_size)
		return PAGECODEC_TRUNCATED;
	if (levels > page->compressed_page_size || levels > page->uncompressed_page_size)
		return PAGECODEC_CORRUPT;
	if (is_stored && page->compressed_page_size != page->uncompressed_page_size)
		return PAGECODEC_SIZE_MISMATCH;
	return PAGECODEC_OK;
}

/* Without values only the header is checked, and no byte is looked at. */
START_TEST(header_fields)
{
	static const int32_t sizes[] = {INT32_MIN, -1, 0, 1, 1000, INT32_MAX - 1, INT32_MAX};
	static const size_t bodies[] = {0, 1000, INT32_MAX, SIZE_MAX};
	struct pagecodec_span levels;
	struct objects o;
	unsigned char *body;

	open_objects(&o, _i, 0);
	refuse_memory(&o);
	body = claim((size_t)INT32_MAX + 1, "", 0);
	for (size_t n = 0; body && n < 2 * 4 * 7 * 7 * 7 * 7; n++) {
		struct pagecodec_page page = {.body = body,
					      .body_size = bodies[n / 2 % 4],
					      .uncompressed_page_size = sizes[n / 8 % 7],
					      .compressed_page_size = sizes[n / 56 % 7],
					      .repetition_levels_byte_length =
						  sizes[n / 392 % 7],
					      .definition_levels_byte_length = sizes[n / 2744],
					      .is_stored = n % 2};
		enum pagecodec_status want =
		    want_page(&page, page.is_stored || is_uncompressed(o.coder));

		assert_status(pagecodec_decompress_page(o.decompressor, &page, NULL, 0, &levels,
							NULL, NULL),
			      want);
		if (want != PAGECODEC_OK)
			check_no_span(levels);
		else
			require(levels.size == (size_t)page.repetition_levels_byte_length +
						   (size_t)page.definition_levels_byte_length,
				"%zu bytes of levels", levels.size);
	}
	if (body)
		munmap(body, (size_t)INT32_MAX + 1);
	close_objects(&o);
}
END_TEST

/* A page of 2 GiB in 30 bytes, with levels and without. */
START_TEST(page_of_2_gib_in_30_bytes)
{
	unsigned char body[30] = {0};
	struct pagecodec_span levels, values;
	struct pagecodec_error error;
	struct objects o;

	open_objects(&o, _i, 0);
	refuse_memory(&o);
	for (int32_t level = 0; level < 30; level += 10) {
		struct pagecodec_page page = {.body = body,
					      .body_size = sizeof(body),
					      .uncompressed_page_size = INT32_MAX,
					      .compressed_page_size = sizeof(body),
					      .repetition_levels_byte_length = level};

		declare_size(body + level, o.coder->info->codec, (uint64_t)(INT32_MAX - level));
		assert_fails(pagecodec_decompress_page(o.decompressor, &page, NULL, 0, &levels,
						       &values, &error),
			     is_uncompressed(o.coder) ? PAGECODEC_SIZE_MISMATCH
						      : PAGECODEC_TOO_LARGE,
			     &error);
		check_no_span(levels);
		check_no_span(values);
	}
	ck_assert_uint_eq(o.heap.failed, 0);
	close_objects(&o);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_loop(sources, count);
	add_loop(declared_sizes, count);
	add_loop(sizes_of_arrow_buffers, count);
	add_loop(header_fields, count);
	add_loop(page_of_2_gib_in_30_bytes, count);
	return run_tests("sizes_read");
}
