/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_page.c - whole Parquet pages are written as the format says, and come back
 * V1 and dictionary pages are one unit; V2 pages keep their levels apart and their values
 * stored where compression does not pay.  Refusals of the reader are in test_page_read.c.
 */
#include <stdlib.h>

#include "coders.h"
#include "guard.h"

#define LEVELS 37

static const unsigned char level_bytes[LEVELS] = "levels are never compressed in V2...";
static const struct pagecodec_span repetition = {level_bytes, 12};
static const struct pagecodec_span definition = {level_bytes + 12, LEVELS - 12};

/* Fields of a page that holds no levels. */
static void
check_v1(const struct pagecodec_page *page, size_t size)
{
	ck_assert_ptr_nonnull(page->body);
	ck_assert_int_eq(page->uncompressed_page_size, (int32_t)size);
	ck_assert_uint_eq((size_t)page->compressed_page_size, page->body_size);
	ck_assert_int_eq(page->repetition_levels_byte_length, 0);
	ck_assert_int_eq(page->definition_levels_byte_length, 0);
	ck_assert_int_eq(page->is_stored, 0);
	ck_assert_int_eq(page->has_crc, 0);
	ck_assert_uint_eq(page->crc, 0);
	ck_assert_uint_eq(page->reserved, 0);
}

static void
check_read(const struct fixture *f, const struct pagecodec_page *page,
	   struct pagecodec_span want_levels, const void *values, size_t size)
{
	struct guard body = guard_copy(page->body, page->body_size, GUARD_AFTER);
	struct guard dst = guard_new(size, GUARD_AFTER, 0);
	struct pagecodec_page copy = *page;
	struct pagecodec_span levels, got;
	struct pagecodec_error error;

	copy.body = body.data;
	for (int own = 0; own < 2; own++) {
		assert_ok(pagecodec_decompress_page(f->decompressor, &copy,
						    own ? NULL : dst.data, own ? 0 : size,
						    &levels, &got, &error),
			  &error);
		ck_assert_uint_eq(levels.size, want_levels.size);
		ck_assert_ptr_nonnull(levels.data);
		if (levels.size)
			ck_assert_ptr_eq(levels.data, body.data);
		check_bytes("levels", levels.data, want_levels.data, levels.size);
		ck_assert_uint_eq(got.size, size);
		ck_assert_ptr_nonnull(got.data);
		check_bytes("values", got.data, values, size);
		if (!own)
			ck_assert_ptr_eq(got.data, dst.data);
	}
	guard_free(&dst);
	guard_free(&body);
}

static const struct pagecodec_span no_levels = {NULL, 0};

START_TEST(v1_page)
{
	static const size_t sizes[] = {0, 1, 20, 1000, 64 * KIB};

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		struct fixture f = fixture_new(&page_coders(NULL)[_i], PAGE_TEXT, sizes[i]);
		struct pagecodec_span parts[4];
		struct pagecodec_page page;
		struct pagecodec_error error;

		memset(&page, 0x5a, sizeof(page));
		cut_page(f.page, f.size, parts, COUNT_OF(parts));
		assert_ok(pagecodec_compress_page_v1(f.compressor, parts, COUNT_OF(parts), NULL,
						     0, &page, &error),
			  &error);
		check_v1(&page, f.size);
		check_compressed(&f, (struct pagecodec_span){page.body, page.body_size});
		check_read(&f, &page, no_levels, f.page, f.size);
		fixture_free(&f);
	}
}
END_TEST

/* No parts: the codec's empty stream, of which only UNCOMPRESSED has 0 bytes. */
START_TEST(v1_page_of_no_bytes)
{
	struct fixture f = fixture_new(&page_coders(NULL)[_i], PAGE_TEXT, 0);
	struct pagecodec_page page;
	struct pagecodec_error error;

	assert_ok(pagecodec_compress_page_v1(f.compressor, NULL, 0, NULL, 0, &page, &error),
		  &error);
	check_v1(&page, 0);
	if (is_uncompressed(f.coder))
		ck_assert_uint_eq(page.body_size, 0);
	else
		ck_assert_uint_gt(page.body_size, 0);
	check_read(&f, &page, no_levels, NULL, 0);
	page = (struct pagecodec_page){0};
	check_read(&f, &page, no_levels, NULL, 0);
	fixture_free(&f);
}
END_TEST

static struct pagecodec_page
write_v2(const struct fixture *f, const struct pagecodec_span *rep,
	 const struct pagecodec_span *def, void *dst, size_t capacity)
{
	struct pagecodec_span parts[3];
	struct pagecodec_page page;
	struct pagecodec_error error;
	size_t levels = (rep ? rep->size : 0) + (def ? def->size : 0);

	memset(&page, 0x5a, sizeof(page));
	cut_page(f->page, f->size, parts, COUNT_OF(parts));
	assert_ok(pagecodec_compress_page_v2(f->compressor, rep, def, parts, COUNT_OF(parts),
					     dst, capacity, &page, &error),
		  &error);
	ck_assert_ptr_nonnull(page.body);
	ck_assert_uint_eq((size_t)page.uncompressed_page_size, f->size + levels);
	ck_assert_uint_eq((size_t)page.compressed_page_size, page.body_size);
	ck_assert_uint_eq((size_t)page.repetition_levels_byte_length, rep ? rep->size : 0);
	ck_assert_uint_eq((size_t)page.definition_levels_byte_length, def ? def->size : 0);
	ck_assert_int_eq(page.has_crc, 0);
	ck_assert_uint_eq(page.crc, 0);
	ck_assert_uint_eq(page.reserved, 0);
	return page;
}

/* Compressed where that is smaller, levels left out; else stored. */
static void
check_v2(const struct fixture *f, const struct pagecodec_page *page, size_t levels)
{
	const unsigned char *values = (const unsigned char *)page->body + levels;
	struct pagecodec_span got = {values, page->body_size - levels};

	if (!is_uncompressed(f->coder) && f->compressed.size < f->size) {
		ck_assert_int_eq(page->is_stored, 0);
		check_compressed(f, got);
	} else {
		ck_assert_int_eq(page->is_stored, 1);
		ck_assert_uint_eq(got.size, f->size);
		check_bytes("stored values", values, f->page, f->size);
	}
}

START_TEST(v2_page_with_levels)
{
	static const size_t sizes[] = {1, 12, 20, 60, 1000, 64 * KIB};

	for (int kind = 0; kind < PAGE_KINDS; kind++)
		for (size_t i = 0; i < COUNT_OF(sizes); i++) {
			struct fixture f =
			    fixture_new(&page_coders(NULL)[_i], (enum page_kind)kind, sizes[i]);
			struct pagecodec_page page =
			    write_v2(&f, &repetition, &definition, NULL, 0);

			check_v2(&f, &page, LEVELS);
			check_read(&f, &page, (struct pagecodec_span){level_bytes, LEVELS},
				   f.page, f.size);
			fixture_free(&f);
		}
}
END_TEST

/* As long as they were: nothing is won, so they are stored. */
START_TEST(v2_page_that_compresses_to_its_own_size)
{
	for (int kind = PAGE_TEXT; kind <= PAGE_DOUBLES; kind++)
		for (size_t size = 1; size < 300; size++) {
			struct fixture f =
			    fixture_new(&page_coders(NULL)[_i], (enum page_kind)kind, size);

			if (f.compressed.size == size) {
				struct pagecodec_page page = write_v2(&f, NULL, NULL, NULL, 0);

				check_v2(&f, &page, 0);
			}
			fixture_free(&f);
		}
}
END_TEST

START_TEST(v2_page_with_some_levels)
{
	struct fixture f = fixture_new(&page_coders(NULL)[_i], PAGE_TEXT, 1000);
	const struct pagecodec_span empty = {NULL, 0};
	struct pagecodec_page page = write_v2(&f, NULL, NULL, NULL, 0);

	check_v2(&f, &page, 0);
	check_read(&f, &page, no_levels, f.page, f.size);
	page = write_v2(&f, &empty, &empty, NULL, 0);
	check_v2(&f, &page, 0);
	check_read(&f, &page, no_levels, f.page, f.size);
	page = write_v2(&f, NULL, &definition, NULL, 0);
	check_v2(&f, &page, definition.size);
	check_read(&f, &page, definition, f.page, f.size);
	page = write_v2(&f, &repetition, NULL, NULL, 0);
	check_v2(&f, &page, repetition.size);
	check_read(&f, &page, repetition, f.page, f.size);
	fixture_free(&f);
}
END_TEST

/* All nulls: nothing but levels, or nothing at all. */
START_TEST(v2_page_without_values)
{
	struct fixture f = fixture_new(&page_coders(NULL)[_i], PAGE_TEXT, 0);
	struct pagecodec_page page = write_v2(&f, &repetition, &definition, NULL, 0);
	struct pagecodec_error error;

	ck_assert_int_eq(page.is_stored, 1);
	ck_assert_uint_eq(page.body_size, LEVELS);
	check_bytes("body", page.body, level_bytes, LEVELS);
	check_read(&f, &page, (struct pagecodec_span){level_bytes, LEVELS}, NULL, 0);
	page = write_v2(&f, NULL, NULL, NULL, 0);
	ck_assert_int_eq(page.is_stored, 1);
	ck_assert_uint_eq(page.body_size, 0);
	check_read(&f, &page, no_levels, NULL, 0);
	assert_ok(pagecodec_compress_page_v2(f.compressor, NULL, &definition, NULL, 0, NULL, 0,
					     &page, &error),
		  &error);
	ck_assert_uint_eq(page.body_size, definition.size);
	fixture_free(&f);
}
END_TEST

/* levels + values suffice, and so does what the body takes; one byte less does not. */
START_TEST(v2_page_into_memory_of_the_caller)
{
	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		struct fixture f =
		    fixture_new(&page_coders(NULL)[_i], (enum page_kind)kind, 1000);
		struct guard dst = guard_new(LEVELS + 1000, GUARD_AFTER, 0);
		struct pagecodec_page page =
		    write_v2(&f, &repetition, &definition, dst.data, dst.size);
		struct pagecodec_span part = {f.page, f.size};
		struct pagecodec_error error;
		struct guard exact;

		ck_assert_ptr_eq(page.body, dst.data);
		check_v2(&f, &page, LEVELS);
		guard_check(&dst);
		exact = guard_new(page.body_size, GUARD_AFTER, 0);
		page = write_v2(&f, &repetition, &definition, exact.data, exact.size);
		ck_assert_ptr_eq(page.body, exact.data);
		check_v2(&f, &page, LEVELS);
		assert_fails(pagecodec_compress_page_v2(f.compressor, &repetition, &definition,
							&part, 1, exact.data, exact.size - 1,
							&page, &error),
			     PAGECODEC_DST_TOO_SMALL, &error);
		ck_assert_uint_ge(error.expected_size, exact.size);
		ck_assert_uint_le(error.expected_size, dst.size);
		ck_assert_ptr_null(page.body);
		ck_assert_int_eq(page.compressed_page_size, 0);
		ck_assert_int_eq(page.uncompressed_page_size, 0);
		assert_fails(pagecodec_compress_page_v2(f.compressor, &repetition, &definition,
							&part, 1, exact.data, LEVELS - 1, &page,
							&error),
			     PAGECODEC_DST_TOO_SMALL, &error);
		guard_free(&exact);
		guard_free(&dst);
		fixture_free(&f);
	}
}
END_TEST

/* Stored values in one piece stay where they are, if no levels go before them. */
START_TEST(stored_page_is_not_copied)
{
	struct fixture f = fixture_new(&page_coders(NULL)[_i], PAGE_RANDOM, 1000);
	struct pagecodec_span part = {f.page, f.size};
	struct pagecodec_span levels, values;
	struct pagecodec_page page;
	struct pagecodec_error error;

	assert_ok(pagecodec_compress_page_v2(f.compressor, NULL, NULL, &part, 1, NULL, 0, &page,
					     &error),
		  &error);
	ck_assert_int_eq(page.is_stored, 1);
	ck_assert_ptr_eq(page.body, f.page);
	page = write_v2(&f, &repetition, &definition, NULL, 0);
	ck_assert_int_eq(page.is_stored, 1);
	assert_ok(
	    pagecodec_decompress_page(f.decompressor, &page, NULL, 0, &levels, &values, &error),
	    &error);
	ck_assert_ptr_eq(levels.data, page.body);
	ck_assert_ptr_eq(values.data, (const unsigned char *)page.body + LEVELS);
	fixture_free(&f);
}
END_TEST

static struct pagecodec_compressor *
crc_compressor(const struct fixture *f)
{
	struct pagecodec_compressor_options options = {
	    .struct_size = sizeof(options), .page_crc = 1, .engine = f->coder->engine};
	struct pagecodec_compressor *compressor = NULL;
	struct pagecodec_error error;

	assert_ok(pagecodec_compressor_get(f->factory, f->coder->info->codec, &options,
					   &compressor, &error),
		  &error);
	return compressor;
}

/* Over the body as it lies in the file, levels included; also where it is stored. */
START_TEST(crc_is_written)
{
	struct fixture f = fixture_new(&page_coders(NULL)[_i], PAGE_TEXT, 1000);
	struct pagecodec_compressor *compressor = crc_compressor(&f);
	struct pagecodec_span parts[2] = {{f.page, 300}, {f.page + 300, 700}};
	struct pagecodec_page page;
	struct pagecodec_error error;

	for (size_t size = 0; size <= 700; size += 7) {
		parts[1].size = size;
		assert_ok(
		    pagecodec_compress_page_v1(compressor, parts, 2, NULL, 0, &page, &error),
		    &error);
		ck_assert_int_eq(page.has_crc, 1);
		ck_assert_uint_eq(page.crc, pagecodec_crc32(0, page.body, page.body_size));
		check_read(&f, &page, no_levels, f.page, 300 + size);
		assert_ok(pagecodec_compress_page_v2(compressor, &repetition, &definition,
						     parts + 1, 1, NULL, 0, &page, &error),
			  &error);
		ck_assert_int_eq(page.has_crc, 1);
		ck_assert_uint_eq(page.crc, pagecodec_crc32(0, page.body, page.body_size));
		check_read(&f, &page, (struct pagecodec_span){level_bytes, LEVELS},
			   f.page + 300, size);
	}
	pagecodec_compressor_release(compressor);
	fixture_free(&f);
}
END_TEST

/* The recipe in the header: the CRC covers what lies in the file, which is encrypted. */
START_TEST(encrypted_page)
{
	struct fixture f = fixture_new(&page_coders(NULL)[_i], PAGE_TEXT, 1000);
	struct pagecodec_page page = write_v2(&f, &repetition, &definition, NULL, 0);
	unsigned char *file = malloc(page.body_size + 28);
	uint32_t crc;

	ck_assert_ptr_nonnull(file);
	for (size_t i = 0; i < page.body_size; i++)
		file[14 + i] = ((const unsigned char *)page.body)[i] ^ 0x5c;
	crc = pagecodec_crc32(0, file + 14, page.body_size);
	ck_assert_uint_eq(pagecodec_crc32(0, file + 14, page.body_size), crc);
	for (size_t i = 0; i < page.body_size; i++)
		file[14 + i] ^= 0x5c;
	page.body = file + 14;
	check_read(&f, &page, (struct pagecodec_span){level_bytes, LEVELS}, f.page, f.size);
	free(file);
	fixture_free(&f);
}
END_TEST

int
main(void)
{
	size_t count;

	page_coders(&count);
	add_loop(v1_page, count);
	add_loop(v1_page_of_no_bytes, count);
	add_loop(v2_page_with_levels, count);
	add_loop(v2_page_that_compresses_to_its_own_size, count);
	add_loop(v2_page_with_some_levels, count);
	add_loop(v2_page_without_values, count);
	add_loop(v2_page_into_memory_of_the_caller, count);
	add_loop(stored_page_is_not_copied, count);
	add_loop(crc_is_written, count);
	add_loop(encrypted_page, count);
	return run_tests("page");
}
