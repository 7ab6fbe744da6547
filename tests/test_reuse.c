/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_reuse.c - one object and many pages: nothing of one page shows in another
 * The same page gives the same bytes whatever came before, however it is cut and
 * wherever it goes; a failed call leaves the object as it was.
 */
#include <stdlib.h>

#include "coders.h"
#include "guard.h"

static void
compress_again(const struct fixture *f)
{
	struct pagecodec_span part = {f->page, f->size};
	struct pagecodec_span out;
	struct pagecodec_error error;

	assert_ok(pagecodec_compress(f->compressor, &part, 1, NULL, 0, &out, &error), &error);
	check_compressed(f, out);
}

START_TEST(same_bytes_whatever_came_before)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 64 * KIB);

	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		unsigned char *other = new_page((enum page_kind)kind, 3, 200 * KIB);

		free(compress_bytes(f.compressor, other, 200 * KIB).data);
		compress_again(&f);
		free(compress_bytes(f.compressor, other, 0).data);
		compress_again(&f);
		free(other);
	}
	fixture_free(&f);
}
END_TEST

START_TEST(same_bytes_however_cut)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_STEPS, 20 * KIB + 3);
	struct pagecodec_span parts[301];
	struct pagecodec_span out;
	struct pagecodec_error error;

	for (size_t count = 1; count < COUNT_OF(parts); count += count) {
		cut_page(f.page, f.size, parts, count);
		assert_ok(pagecodec_compress(f.compressor, parts, count, NULL, 0, &out, &error),
			  &error);
		check_compressed(&f, out);
	}
	for (size_t cut = 0; cut < 300; cut++) {
		parts[0] = (struct pagecodec_span){f.page, cut};
		parts[1] = (struct pagecodec_span){f.page + cut, f.size - cut};
		assert_ok(pagecodec_compress(f.compressor, parts, 2, NULL, 0, &out, &error),
			  &error);
		check_compressed(&f, out);
	}
	for (size_t i = 0; i < COUNT_OF(parts); i++)
		parts[i] = (struct pagecodec_span){f.page + i, 1};
	parts[300].data = f.page + 300;
	parts[300].size = f.size - 300;
	assert_ok(pagecodec_compress(f.compressor, parts, 301, NULL, 0, &out, &error), &error);
	check_compressed(&f, out);
	fixture_free(&f);
}
END_TEST

static void
fail_once(const struct fixture *f, const void *src, size_t src_size, size_t size)
{
	struct pagecodec_span out;
	struct pagecodec_error error;
	enum pagecodec_status status;

	poison_error(&error);
	status =
	    pagecodec_decompress(f->decompressor, src, src_size, size, NULL, 0, &out, &error);
	require(is_damage(status), "damaged page of %s gives %s", coder_name(f->coder),
		pagecodec_status_name(status));
	check_error(&error, status);
	check_no_span(out);
}

/* Failing pages in every way that needs no knowledge of the format, a good one after each. */
START_TEST(good_page_after_bad_one)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 10000);
	struct bytes bad = {malloc(f.compressed.size + 1), f.compressed.size};

	ck_assert_ptr_nonnull(bad.data);
	memcpy(bad.data, f.compressed.data, bad.size);
	bad.data[bad.size] = 1;
	fail_once(&f, bad.data, bad.size - 1, f.size);
	check_decompresses(f.decompressor, f.compressed, f.page, f.size);
	fail_once(&f, bad.data, bad.size / 2, f.size);
	check_decompresses(f.decompressor, f.compressed, f.page, f.size);
	fail_once(&f, bad.data, 0, f.size);
	check_decompresses(f.decompressor, f.compressed, f.page, f.size);
	fail_once(&f, bad.data, bad.size, f.size - 1);
	check_decompresses(f.decompressor, f.compressed, f.page, f.size);
	fail_once(&f, bad.data, bad.size, f.size + 1);
	check_decompresses(f.decompressor, f.compressed, f.page, f.size);
	fail_once(&f, bad.data, bad.size + 1, f.size);
	check_decompresses(f.decompressor, f.compressed, f.page, f.size);
	memset(bad.data, 0xff, bad.size);
	if (!is_uncompressed(f.coder))
		fail_once(&f, bad.data, bad.size, f.size);
	check_decompresses(f.decompressor, f.compressed, f.page, f.size);
	free(bad.data);
	fixture_free(&f);
}
END_TEST

/* In memory that cannot be written to, and twice, as it is not used up. */
START_TEST(input_stays_as_it_was)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 10000);
	struct guard compressed = guard_copy(f.compressed.data, f.compressed.size, GUARD_AFTER);
	struct bytes input = {compressed.data, compressed.size};

	check_decompresses(f.decompressor, input, f.page, f.size);
	check_decompresses(f.decompressor, input, f.page, f.size);
	guard_free(&compressed);
	fixture_free(&f);
}
END_TEST

/* The caller's memory keeps page one while page two is made. */
START_TEST(pages_in_memory_of_the_caller_stay)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 10000);
	unsigned char *other = new_page(PAGE_RANDOM, 1, 10000);
	struct bytes other_compressed = compress_fresh(f.coder, other, 10000);
	unsigned char *dst = malloc(10000);
	struct pagecodec_span out;
	struct pagecodec_error error;

	assert_ok(pagecodec_decompress(f.decompressor, f.compressed.data, f.compressed.size,
				       f.size, dst, 10000, &out, &error),
		  &error);
	check_decompresses(f.decompressor, other_compressed, other, 10000);
	check_bytes("first page", out.data, f.page, f.size);
	free(dst);
	free(other_compressed.data);
	free(other);
	fixture_free(&f);
}
END_TEST

static int
is_default_engine(const struct coder *coder)
{
	return strcmp(coder->engine, coder->info->compress_engines[0]) == 0;
}

/* Every engine reads what every engine of its codec wrote. */
START_TEST(engines_read_each_other)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 64 * KIB);
	const char *const *engines = f.coder->info->decompress_engines;

	for (int kind = 0; kind < PAGE_KINDS; kind++) {
		fill_page((enum page_kind)kind, 5, f.page, f.size);
		struct bytes compressed = compress_bytes(f.compressor, f.page, f.size);

		for (size_t e = 0; engines[e]; e++) {
			struct pagecodec_decompressor *reader =
			    get_decompressor(f.factory, f.coder->info->codec, engines[e]);

			check_decompresses(reader, compressed, f.page, f.size);
			pagecodec_decompressor_release(reader);
		}
		free(compressed.data);
	}
	if (is_default_engine(f.coder)) {
		struct pagecodec_compressor *unnamed = NULL;
		struct pagecodec_error error;

		assert_ok(pagecodec_compressor_get(f.factory, f.coder->info->codec, NULL,
						   &unnamed, &error),
			  &error);
		struct bytes bytes = compress_bytes(unnamed, f.page, f.size);
		struct bytes named = compress_bytes(f.compressor, f.page, f.size);

		ck_assert_uint_eq(bytes.size, named.size);
		check_bytes("default engine", bytes.data, named.data, named.size);
		free(bytes.data);
		free(named.data);
		pagecodec_compressor_release(unnamed);
	}
	fixture_free(&f);
}
END_TEST

START_TEST(empty_page)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 0);
	const struct pagecodec_span empty[2] = {{NULL, 0}, {f.page, 0}};
	struct bytes nothing = {NULL, 0};
	struct pagecodec_span out;
	struct pagecodec_error error;

	if (is_uncompressed(f.coder) || is_arrow(f.coder->info->codec))
		ck_assert_uint_eq(f.compressed.size, 0);
	else
		ck_assert_uint_gt(f.compressed.size, 0);
	for (size_t count = 0; count <= 2; count++) {
		assert_ok(pagecodec_compress(f.compressor, count ? empty : NULL, count, NULL, 0,
					     &out, &error),
			  &error);
		ck_assert_ptr_nonnull(out.data);
		check_compressed(&f, out);
	}
	check_decompresses(f.decompressor, f.compressed, f.page, 0);
	check_decompresses(f.decompressor, nothing, f.page, 0);
	fixture_free(&f);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_loop(same_bytes_whatever_came_before, count);
	add_loop(same_bytes_however_cut, count);
	add_loop(good_page_after_bad_one, count);
	add_loop(input_stays_as_it_was, count);
	add_loop(pages_in_memory_of_the_caller_stay, count);
	add_loop(engines_read_each_other, count);
	add_loop(empty_page, count);
	return run_tests("reuse");
}
