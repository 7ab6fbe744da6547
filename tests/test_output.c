/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_output.c - where results go: the caller's memory, the object's, or nowhere
 * The caller's memory ends at a page that faults, to the byte.
 * Bytes that are stored as they are stay where they are unless the caller gives memory.
 */
#include <stdlib.h>

#include "coders.h"
#include "guard.h"

/* The result fits into its own size, and is the same there. */
START_TEST(exact_capacity_is_enough)
{
	static const size_t sizes[] = {1, 20, 100, 5000, 64 * KIB};
	struct pagecodec_error error;
	struct pagecodec_span out;

	for (int kind = 0; kind < PAGE_KINDS; kind++)
		for (size_t i = 0; i < COUNT_OF(sizes); i++) {
			struct fixture f = fixture_new(&engine_coders(NULL)[_i],
						       (enum page_kind)kind, sizes[i]);
			struct pagecodec_span part = {f.page, f.size};
			struct guard dst = guard_new(f.compressed.size, GUARD_AFTER, 0);

			fprintf(stderr, "%zu bytes of %s\n", sizes[i], page_kind_names[kind]);
			assert_ok(pagecodec_compress(f.compressor, &part, 1, dst.data, dst.size,
						     &out, &error),
				  &error);
			ck_assert_ptr_eq(out.data, dst.data);
			check_compressed(&f, out);
			guard_free(&dst);
			fixture_free(&f);
		}
}
END_TEST

static void
check_too_small(const struct fixture *f, size_t capacity)
{
	struct pagecodec_span part = {f->page, f->size};
	struct guard dst = guard_new(capacity, GUARD_AFTER, 0);
	struct guard retry;
	struct pagecodec_span out = part;
	struct pagecodec_error error;

	assert_fails(
	    pagecodec_compress(f->compressor, &part, 1, dst.data, capacity, &out, &error),
	    PAGECODEC_DST_TOO_SMALL, &error);
	ck_assert_int_eq(error.codec, f->coder->info->codec);
	ck_assert_uint_eq(error.actual_size, capacity);
	ck_assert_uint_ge(error.expected_size, f->compressed.size);
	ck_assert_uint_le(error.expected_size,
			  pagecodec_compress_bound(f->coder->info->codec, f->size));
	check_no_span(out);
	guard_free(&dst);
	retry = guard_new(error.expected_size, GUARD_AFTER, 0);
	assert_ok(
	    pagecodec_compress(f->compressor, &part, 1, retry.data, retry.size, &out, &error),
	    &error);
	check_compressed(f, out);
	guard_free(&retry);
}

START_TEST(compress_into_too_little)
{
	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		struct fixture f =
		    fixture_new(&engine_coders(NULL)[_i], (enum page_kind)kind, 10000);

		check_too_small(&f, f.compressed.size - 1);
		check_too_small(&f, f.compressed.size - 2);
		check_too_small(&f, f.compressed.size / 2);
		check_too_small(&f, 1);
		check_too_small(&f, 0);
		fixture_free(&f);
	}
}
END_TEST

START_TEST(decompress_into_too_little)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 10000);
	const size_t capacities[] = {0, 1, 9999};
	struct pagecodec_span out;
	struct pagecodec_error error;

	for (size_t i = 0; i < COUNT_OF(capacities); i++) {
		struct guard dst = guard_new(capacities[i], GUARD_AFTER, 0);

		assert_fails(pagecodec_decompress(f.decompressor, f.compressed.data,
						  f.compressed.size, f.size, dst.data, dst.size,
						  &out, &error),
			     PAGECODEC_DST_TOO_SMALL, &error);
		ck_assert_uint_eq(error.expected_size, f.size);
		ck_assert_uint_eq(error.actual_size, capacities[i]);
		ck_assert_int_eq(error.codec, f.coder->info->codec);
		check_no_span(out);
		guard_free(&dst);
		check_decompresses(f.decompressor, f.compressed, f.page, f.size);
	}
	fixture_free(&f);
}
END_TEST

/* More memory than the page needs: what lies beyond stays or not, but never further. */
START_TEST(decompress_into_more)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_DOUBLES, 10000);
	struct guard dst = guard_new(20000, GUARD_AFTER, 0);
	struct pagecodec_span out;
	struct pagecodec_error error;

	assert_ok(pagecodec_decompress(f.decompressor, f.compressed.data, f.compressed.size,
				       f.size, dst.data, dst.size, &out, &error),
		  &error);
	ck_assert_ptr_eq(out.data, dst.data);
	ck_assert_uint_eq(out.size, f.size);
	check_bytes("page", out.data, f.page, f.size);
	guard_free(&dst);
	fixture_free(&f);
}
END_TEST

START_TEST(own_buffer_is_aligned_and_readable_beyond)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 1001);
	struct pagecodec_span parts[2] = {{f.page, 500}, {f.page + 501, 500}};
	struct pagecodec_span out;
	struct pagecodec_error error;
	volatile unsigned char sum = 0;

	assert_ok(pagecodec_compress(f.compressor, parts, 2, NULL, 0, &out, &error), &error);
	ck_assert_uint_eq((uintptr_t)out.data % 64, 0);
	for (size_t i = 0; i < 64; i++)
		sum = (unsigned char)(sum + ((const unsigned char *)out.data)[out.size + i]);
	if (!is_uncompressed(f.coder)) {
		assert_ok(pagecodec_decompress(f.decompressor, f.compressed.data,
					       f.compressed.size, f.size, NULL, 0, &out,
					       &error),
			  &error);
		ck_assert_uint_eq((uintptr_t)out.data % 64, 0);
		for (size_t i = 0; i < 64; i++)
			sum = (unsigned char)(sum +
					      ((const unsigned char *)out.data)[out.size + i]);
	}
	fixture_free(&f);
}
END_TEST

/* A reader that loads 64 bytes at a time need not know that a page is empty. */
START_TEST(empty_page_is_aligned_and_readable_beyond)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 0);
	struct pagecodec_span out;
	struct pagecodec_error error;
	volatile unsigned char sum = 0;

	assert_ok(pagecodec_decompress(f.decompressor, NULL, 0, 0, NULL, 0, &out, &error),
		  &error);
	ck_assert_uint_eq(out.size, 0);
	ck_assert_uint_eq((uintptr_t)out.data % 64, 0);
	for (size_t i = 0; i < 64; i++)
		sum = (unsigned char)(sum + ((const unsigned char *)out.data)[i]);
	assert_ok(pagecodec_compress(f.compressor, NULL, 0, NULL, 0, &out, &error), &error);
	ck_assert_uint_eq((uintptr_t)out.data % 64, 0);
	for (size_t i = 0; i < 64; i++)
		sum = (unsigned char)(sum + ((const unsigned char *)out.data)[out.size + i]);
	fixture_free(&f);
}
END_TEST

/* A codec that stores: no copy without need, and the input's own alignment. */
START_TEST(stored_bytes_are_not_copied)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_RANDOM, 1000);
	const struct pagecodec_span parts[3] = {{NULL, 0}, {f.page + 1, 999}, {f.page, 0}};
	struct pagecodec_span out;
	struct pagecodec_error error;

	if (is_uncompressed(f.coder)) {
		assert_ok(pagecodec_compress(f.compressor, parts, 3, NULL, 0, &out, &error),
			  &error);
		ck_assert_ptr_eq(out.data, f.page + 1);
		ck_assert_uint_eq(out.size, 999);
		assert_ok(pagecodec_decompress(f.decompressor, f.page + 1, 999, 999, NULL, 0,
					       &out, &error),
			  &error);
		ck_assert_ptr_eq(out.data, f.page + 1);
		ck_assert_uint_eq(out.size, 999);
	}
	if (is_arrow(f.coder->info->codec)) {
		ck_assert_uint_eq(f.compressed.size, 1008);
		assert_ok(pagecodec_decompress(f.decompressor, f.compressed.data, 1008, 1000,
					       NULL, 0, &out, &error),
			  &error);
		ck_assert_ptr_eq(out.data, f.compressed.data + 8);
		ck_assert_uint_eq(out.size, 1000);
	}
	fixture_free(&f);
}
END_TEST

START_TEST(stored_bytes_are_copied_to_dst)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_RANDOM, 1000);
	struct guard dst = guard_new(1000, GUARD_AFTER, 0);
	struct pagecodec_span out;
	struct pagecodec_error error;

	assert_ok(pagecodec_decompress(f.decompressor, f.compressed.data, f.compressed.size,
				       1000, dst.data, 1000, &out, &error),
		  &error);
	ck_assert_ptr_eq(out.data, dst.data);
	check_bytes("page", dst.data, f.page, 1000);
	guard_free(&dst);
	fixture_free(&f);
}
END_TEST

/* Parts apart from each other become one piece, not in the input's place. */
START_TEST(parts_are_gathered)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_RANDOM, 1000);
	unsigned char *apart = malloc(500);
	struct pagecodec_span parts[2] = {{f.page, 500}, {apart, 500}};
	struct pagecodec_span out;
	struct pagecodec_error error;

	ck_assert_ptr_nonnull(apart);
	memcpy(apart, f.page + 500, 500);
	assert_ok(pagecodec_compress(f.compressor, parts, 2, NULL, 0, &out, &error), &error);
	check_compressed(&f, out);
	ck_assert_ptr_ne(out.data, f.page);
	free(apart);
	fixture_free(&f);
}
END_TEST

/* As in span = compress(span): the part is read before it is written to. */
START_TEST(result_in_place_of_a_part)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 1000);
	struct pagecodec_span parts[2] = {{f.page, 500}, {f.page + 500, 500}};
	struct pagecodec_error error;

	assert_ok(pagecodec_compress(f.compressor, parts, 2, NULL, 0, &parts[1], &error),
		  &error);
	check_compressed(&f, parts[1]);
	parts[1] = (struct pagecodec_span){f.page, f.size};
	assert_ok(pagecodec_compress(f.compressor, &parts[1], 1, NULL, 0, &parts[1], &error),
		  &error);
	check_compressed(&f, parts[1]);
	parts[1] = (struct pagecodec_span){NULL, 1};
	assert_fails(pagecodec_compress(f.compressor, parts, 2, NULL, 0, &parts[1], &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	check_no_span(parts[1]);
	fixture_free(&f);
}
END_TEST

START_TEST(null_dst_with_capacity)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 1000);
	struct pagecodec_span part = {f.page, f.size};
	struct pagecodec_span out = part;
	struct pagecodec_error error;

	assert_fails(pagecodec_compress(f.compressor, &part, 1, NULL, 4000, &out, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	check_no_span(out);
	out = part;
	assert_fails(pagecodec_decompress(f.decompressor, f.compressed.data, f.compressed.size,
					  f.size, NULL, 4000, &out, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	check_no_span(out);
	fixture_free(&f);
}
END_TEST

/* An earlier span is not the caller's memory, though all of its capacity is sound. */
START_TEST(dst_in_own_buffer)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 1000);
	struct pagecodec_span parts[2] = {{f.page, 600}, {f.page + 600, 400}};
	struct pagecodec_span own, out = parts[0];
	struct pagecodec_error error;

	assert_ok(pagecodec_compress(f.compressor, parts, 2, NULL, 0, &own, &error), &error);
	for (size_t capacity = 1; capacity <= own.size; capacity += own.size - 1) {
		for (size_t count = 0; count <= 2; count += 2)
			assert_fails(pagecodec_compress(f.compressor, parts, count,
							(void *)(uintptr_t)own.data, capacity,
							&out, &error),
				     PAGECODEC_INVALID_ARGUMENT, &error);
		check_no_span(out);
	}
	assert_ok(pagecodec_compress(f.compressor, parts, 2, NULL, 0, &out, &error), &error);
	check_compressed(&f, out);
	if (!is_uncompressed(f.coder)) {
		assert_ok(pagecodec_decompress(f.decompressor, f.compressed.data,
					       f.compressed.size, f.size, NULL, 0, &own,
					       &error),
			  &error);
		assert_fails(pagecodec_decompress(
				 f.decompressor, f.compressed.data, f.compressed.size, f.size,
				 (void *)(uintptr_t)own.data, own.size, &out, &error),
			     PAGECODEC_INVALID_ARGUMENT, &error);
		check_no_span(out);
	}
	fixture_free(&f);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_loop(exact_capacity_is_enough, count);
	add_loop(compress_into_too_little, count);
	add_loop(decompress_into_too_little, count);
	add_loop(decompress_into_more, count);
	add_loop(own_buffer_is_aligned_and_readable_beyond, count);
	add_loop(empty_page_is_aligned_and_readable_beyond, count);
	add_loop(stored_bytes_are_not_copied, count);
	add_loop(stored_bytes_are_copied_to_dst, count);
	add_loop(parts_are_gathered, count);
	add_loop(result_in_place_of_a_part, count);
	add_loop(null_dst_with_capacity, count);
	add_loop(dst_in_own_buffer, count);
	return run_tests("output");
}
