/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_arrow.c - buffers of Arrow IPC: the size before them, and what each value of it means
 * -1 means stored, 0 and nothing at all mean empty, any other negative one is damage; what it
 * claims is checked before memory is taken.
 */
#include <stdlib.h>

#include "coders.h"
#include "guard.h"
#include "heap.h"

static const struct coder *
arrow_coders(size_t *count)
{
	size_t all, pages;
	const struct coder *coders = engine_coders(&all);

	page_coders(&pages);
	if (count)
		*count = all - pages;
	return coders + pages;
}

static void
put_prefix(unsigned char *buffer, int64_t size)
{
	for (int i = 0; i < 8; i++)
		buffer[i] = (unsigned char)((uint64_t)size >> 8 * i);
}

static int64_t
get_prefix(const unsigned char *buffer)
{
	uint64_t size = 0;

	for (int i = 7; i >= 0; i--)
		size = size << 8 | buffer[i];
	return (int64_t)size;
}

static void
expect_size(struct pagecodec_decompressor *decompressor, const void *src, size_t src_size,
	    size_t want)
{
	struct guard input = guard_copy(src, src_size, GUARD_AFTER);
	size_t size = 99;
	struct pagecodec_error error;

	assert_ok(
	    pagecodec_arrow_buffer_size(decompressor, input.data, src_size, &size, &error),
	    &error);
	ck_assert_uint_eq(size, want);
	guard_free(&input);
}

static void
refuse_size(struct pagecodec_decompressor *decompressor, const void *src, size_t src_size,
	    enum pagecodec_status want)
{
	struct guard input = guard_copy(src, src_size, GUARD_AFTER);
	size_t size = 99;
	struct pagecodec_error error;

	assert_fails(
	    pagecodec_arrow_buffer_size(decompressor, input.data, src_size, &size, &error),
	    want, &error);
	ck_assert_uint_eq(size, 0);
	size = 99;
	assert_status(
	    pagecodec_arrow_buffer_size(decompressor, input.data, src_size, &size, NULL), want);
	ck_assert_uint_eq(size, 0);
	guard_free(&input);
}

static void
refuse_buffer(struct pagecodec_decompressor *decompressor, const void *src, size_t src_size,
	      size_t size, enum pagecodec_status want)
{
	struct guard input = guard_copy(src, src_size, GUARD_AFTER);
	struct pagecodec_span out = {src, 1};
	struct pagecodec_error error;

	assert_fails(pagecodec_decompress(decompressor, input.data, src_size, size, NULL, 0,
					  &out, &error),
		     want, &error);
	check_no_span(out);
	guard_free(&input);
}

START_TEST(other_codecs_say_no_size)
{
	struct fixture f = fixture_new(&page_coders(NULL)[_i], PAGE_TEXT, 100);

	refuse_size(f.decompressor, f.page, 100, PAGECODEC_INVALID_ARGUMENT);
	refuse_size(f.decompressor, f.page, 0, PAGECODEC_INVALID_ARGUMENT);
	fixture_free(&f);
}
END_TEST

START_TEST(size_of_sound_buffers)
{
	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		struct fixture f =
		    fixture_new(&arrow_coders(NULL)[_i], (enum page_kind)kind, 10000);

		expect_size(f.decompressor, f.compressed.data, f.compressed.size, 10000);
		fixture_free(&f);
	}
}
END_TEST

START_TEST(size_of_buffers_without_frame)
{
	struct fixture f = fixture_new(&arrow_coders(NULL)[_i], PAGE_TEXT, 100);
	unsigned char buffer[20] = {0};
	size_t size = 99;
	struct pagecodec_error error;

	assert_ok(pagecodec_arrow_buffer_size(f.decompressor, NULL, 0, &size, &error), &error);
	ck_assert_uint_eq(size, 0);
	expect_size(f.decompressor, buffer, 8, 0);
	put_prefix(buffer, -1);
	expect_size(f.decompressor, buffer, 8, 0);
	expect_size(f.decompressor, buffer, 9, 1);
	expect_size(f.decompressor, buffer, 20, 12);
	fixture_free(&f);
}
END_TEST

START_TEST(size_that_cannot_be)
{
	static const int64_t negative[] = {-2, -3, -10000, INT32_MIN, INT64_MIN};
	static const int64_t large[] = {(int64_t)INT32_MAX + 1, (int64_t)1 << 32,
					((int64_t)1 << 32) + 10, INT64_MAX};
	struct fixture f = fixture_new(&arrow_coders(NULL)[_i], PAGE_TEXT, 1000);
	unsigned char *buffer = f.compressed.data;

	for (size_t size = 1; size < 8; size++) {
		refuse_size(f.decompressor, buffer, size, PAGECODEC_TRUNCATED);
		refuse_buffer(f.decompressor, buffer, size, 1000, PAGECODEC_TRUNCATED);
	}
	for (size_t i = 0; i < COUNT_OF(negative); i++) {
		put_prefix(buffer, negative[i]);
		refuse_size(f.decompressor, buffer, f.compressed.size, PAGECODEC_CORRUPT);
		refuse_buffer(f.decompressor, buffer, f.compressed.size, 1000,
			      PAGECODEC_CORRUPT);
	}
	for (size_t i = 0; i < COUNT_OF(large); i++) {
		put_prefix(buffer, large[i]);
		refuse_size(f.decompressor, buffer, f.compressed.size, PAGECODEC_TOO_LARGE);
	}
	put_prefix(buffer, INT32_MAX);
	refuse_size(f.decompressor, buffer, 20, PAGECODEC_TOO_LARGE);
	put_prefix(buffer, 1000);
	check_decompresses(f.decompressor, f.compressed, f.page, 1000);
	fixture_free(&f);
}
END_TEST

/* max_page_size is for what the buffer becomes, stored or not. */
START_TEST(size_above_the_factorys)
{
	struct pagecodec_factory_options options = {.struct_size = sizeof(options),
						    .max_page_size = 999};
	struct fixture f = fixture_new(&arrow_coders(NULL)[_i], PAGE_TEXT, 1000);
	struct pagecodec_factory *factory = NULL;
	struct pagecodec_decompressor *decompressor;
	unsigned char stored[1008] = {0};
	struct pagecodec_error error;

	assert_ok(pagecodec_factory_create(&options, &factory, &error), &error);
	decompressor = get_decompressor(factory, f.coder->info->codec, NULL);
	refuse_size(decompressor, f.compressed.data, f.compressed.size, PAGECODEC_TOO_LARGE);
	put_prefix(stored, -1);
	refuse_size(decompressor, stored, 1008, PAGECODEC_TOO_LARGE);
	expect_size(decompressor, stored, 1007, 999);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
	fixture_free(&f);
}
END_TEST

START_TEST(size_without_arguments)
{
	struct fixture f = fixture_new(&arrow_coders(NULL)[_i], PAGE_TEXT, 1000);
	size_t size = 99;
	struct pagecodec_error error;

	assert_fails(pagecodec_arrow_buffer_size(NULL, f.page, 10, &size, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	ck_assert_uint_eq(size, 0);
	size = 99;
	assert_fails(pagecodec_arrow_buffer_size(f.decompressor, NULL, 10, &size, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	ck_assert_uint_eq(size, 0);
	assert_fails(pagecodec_arrow_buffer_size(f.decompressor, f.page, 10, NULL, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	fixture_free(&f);
}
END_TEST

/* The caller's size and the buffer's own are one. */
START_TEST(other_size_than_declared)
{
	struct fixture f = fixture_new(&arrow_coders(NULL)[_i], PAGE_TEXT, 1000);
	unsigned char stored[108] = {0};

	refuse_buffer(f.decompressor, f.compressed.data, f.compressed.size, 999,
		      PAGECODEC_SIZE_MISMATCH);
	refuse_buffer(f.decompressor, f.compressed.data, f.compressed.size, 1001,
		      PAGECODEC_SIZE_MISMATCH);
	refuse_buffer(f.decompressor, f.compressed.data, f.compressed.size, 0,
		      PAGECODEC_SIZE_MISMATCH);
	put_prefix(stored, -1);
	refuse_buffer(f.decompressor, stored, 108, 99, PAGECODEC_SIZE_MISMATCH);
	refuse_buffer(f.decompressor, stored, 108, 101, PAGECODEC_SIZE_MISMATCH);
	refuse_buffer(f.decompressor, stored, 8, 1, PAGECODEC_SIZE_MISMATCH);
	put_prefix(stored, 0);
	refuse_buffer(f.decompressor, stored, 8, 1, PAGECODEC_SIZE_MISMATCH);
	fixture_free(&f);
}
END_TEST

/* Prefix and caller agree, and the frame holds another number of bytes. */
START_TEST(frame_of_another_size)
{
	struct fixture f = fixture_new(&arrow_coders(NULL)[_i], PAGE_TEXT, 1000);

	put_prefix(f.compressed.data, 1001);
	refuse_buffer(f.decompressor, f.compressed.data, f.compressed.size, 1001,
		      PAGECODEC_SIZE_MISMATCH);
	put_prefix(f.compressed.data, 999);
	refuse_buffer(f.decompressor, f.compressed.data, f.compressed.size, 999,
		      PAGECODEC_SIZE_MISMATCH);
	put_prefix(f.compressed.data, 0);
	refuse_buffer(f.decompressor, f.compressed.data, f.compressed.size, 0,
		      PAGECODEC_SIZE_MISMATCH);
	fixture_free(&f);
}
END_TEST

/* What would not be smaller is stored, to the byte. */
START_TEST(written_as_it_pays)
{
	for (int kind = 0; kind < PAGE_KINDS; kind++)
		for (size_t size = 1; size < 3000; size += 1 + size / 3) {
			struct fixture f =
			    fixture_new(&arrow_coders(NULL)[_i], (enum page_kind)kind, size);
			int64_t prefix = get_prefix(f.compressed.data);

			if (prefix == -1) {
				require(f.compressed.size == size + 8,
					"%zu bytes stored in %zu", size, f.compressed.size);
				check_bytes("stored", f.compressed.data + 8, f.page, size);
			} else {
				require(prefix == (int64_t)size, "%zu bytes said to be %lld",
					size, (long long)prefix);
				require(f.compressed.size < size, "%zu bytes became %zu", size,
					f.compressed.size);
			}
			fixture_free(&f);
		}
}
END_TEST

/* Every reader of LZ4 frames takes this: version 1, independent blocks of up to 4 MiB. */
START_TEST(lz4_frame_as_written)
{
	static const unsigned char header[] = {0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73};
	struct fixture f = fixture_new(&arrow_coders(NULL)[_i], PAGE_TEXT, 10000);
	const unsigned char *end = f.compressed.data + f.compressed.size;

	if (f.coder->info->codec == PAGECODEC_ARROW_LZ4_FRAME) {
		check_bytes("frame header", f.compressed.data + 8, header, sizeof(header));
		check_bytes("end mark", end - 4, "\0\0\0\0", 4);
	}
	fixture_free(&f);
}
END_TEST

int
main(void)
{
	size_t pages, arrows;

	page_coders(&pages);
	arrow_coders(&arrows);
	add_loop(other_codecs_say_no_size, pages);
	add_loop(size_of_sound_buffers, arrows);
	add_loop(size_of_buffers_without_frame, arrows);
	add_loop(size_that_cannot_be, arrows);
	add_loop(size_above_the_factorys, arrows);
	add_loop(size_without_arguments, arrows);
	add_loop(other_size_than_declared, arrows);
	add_loop(frame_of_another_size, arrows);
	add_loop(written_as_it_pays, arrows);
	add_loop(lz4_frame_as_written, arrows);
	return run_tests("arrow");
}
