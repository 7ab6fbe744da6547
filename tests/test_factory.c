/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_factory.c - objects go out, come back, and are matched with who asks next
 * An object that lies idle keeps its address, so a pointer tells whether it was handed out
 * again.
 */
#include <stdlib.h>

#include "coders.h"
#include "heap.h"

static struct pagecodec_compressor *
get_with(struct pagecodec_factory *factory, int32_t codec,
	 struct pagecodec_compressor_options options)
{
	struct pagecodec_compressor *compressor = NULL;
	struct pagecodec_error error;

	options.struct_size = sizeof(options);
	assert_ok(pagecodec_compressor_get(factory, codec, &options, &compressor, &error),
		  &error);
	return compressor;
}

/* What was released last is handed out first. */
START_TEST(last_released_first_out)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_compressor *a = get_compressor(factory, coder);
	struct pagecodec_compressor *b = get_compressor(factory, coder);
	struct pagecodec_decompressor *c = get_decompressor(factory, coder->info->codec, NULL);
	struct pagecodec_decompressor *d = get_decompressor(factory, coder->info->codec, NULL);

	ck_assert_ptr_ne(a, b);
	ck_assert_ptr_ne(c, d);
	check_objects(factory, 4, 0);
	pagecodec_compressor_release(a);
	pagecodec_decompressor_release(c);
	pagecodec_compressor_release(b);
	pagecodec_decompressor_release(d);
	check_objects(factory, 0, 4);
	ck_assert_ptr_eq(get_compressor(factory, coder), b);
	ck_assert_ptr_eq(get_compressor(factory, coder), a);
	ck_assert_ptr_eq(get_decompressor(factory, coder->info->codec, NULL), d);
	ck_assert_ptr_eq(get_decompressor(factory, coder->info->codec, NULL), c);
	check_objects(factory, 4, 0);
	pagecodec_compressor_release(a);
	pagecodec_compressor_release(b);
	pagecodec_decompressor_release(c);
	pagecodec_decompressor_release(d);
	pagecodec_factory_destroy(factory);
}
END_TEST

/* Options a codec can differ in: an idle object of one set is not handed out for another. */
START_TEST(match_on_every_option)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	const struct pagecodec_codec_info *info = coder->info;
	struct pagecodec_compressor_options sets[16] = {{.engine = coder->engine}};
	struct pagecodec_compressor *objects[16];
	struct pagecodec_factory *factory = new_factory();
	size_t count = 1;

	for (size_t e = 0; info->compress_engines[e]; e++)
		if (strcmp(info->compress_engines[e], coder->engine) != 0)
			sets[count++].engine = info->compress_engines[e];
	if (info->has_levels) {
		sets[count++] =
		    (struct pagecodec_compressor_options){.has_level = 1, .level = 2};
		sets[count++] =
		    (struct pagecodec_compressor_options){.has_level = 1, .level = 9};
	}
	if (info->max_window_log) {
		sets[count++].window_log = 15;
		sets[count++].window_log = 16;
	}
	if (info->has_checksum)
		sets[count++].checksum = 1;
	for (size_t i = 0; i < count; i++) {
		objects[i] = get_with(factory, info->codec, sets[i]);
		pagecodec_compressor_release(objects[i]);
		for (size_t k = 0; k < i; k++)
			ck_assert_ptr_ne(objects[i], objects[k]);
		check_objects(factory, 0, i + 1);
	}
	for (size_t i = 0; i < count; i++)
		ck_assert_ptr_eq(get_with(factory, info->codec, sets[i]), objects[i]);
	check_objects(factory, count, 0);
	for (size_t i = 0; i < count; i++)
		pagecodec_compressor_release(objects[i]);
	pagecodec_factory_destroy(factory);
}
END_TEST

START_TEST(match_on_codec_and_decompress_engine)
{
	struct pagecodec_decompressor *objects[32] = {NULL};
	struct pagecodec_factory *factory = new_factory();
	size_t count = 0;

	for (int round = 0; round < 2; round++) {
		count = 0;
		for (size_t i = 0; i < all_codec_count; i++) {
			const struct pagecodec_codec_info *info =
			    pagecodec_find_codec(all_codecs[i]);

			for (size_t e = 0; info->decompress_engines[e]; e++) {
				struct pagecodec_decompressor *object = get_decompressor(
				    factory, info->codec, info->decompress_engines[e]);

				if (round == 0)
					objects[count] = object;
				ck_assert_ptr_eq(objects[count++], object);
				pagecodec_decompressor_release(object);
			}
		}
		check_objects(factory, 0, count);
	}
	pagecodec_factory_destroy(factory);
}
END_TEST

/* page_crc concerns no codec state: the same object serves both, each as it was asked. */
START_TEST(page_crc_is_no_part_of_the_match)
{
	struct pagecodec_factory *factory = new_factory();
	const struct pagecodec_compressor_options with = {.page_crc = 1};
	const struct pagecodec_compressor_options without = {0};
	struct pagecodec_compressor *object = get_with(factory, PAGECODEC_UNCOMPRESSED, with);
	struct pagecodec_span part = {"page", 4};
	struct pagecodec_page page;
	struct pagecodec_error error;

	for (int round = 0; round < 4; round++) {
		assert_ok(pagecodec_compress_page_v1(object, &part, 1, NULL, 0, &page, &error),
			  &error);
		ck_assert_int_eq(page.has_crc, round % 2 == 0);
		pagecodec_compressor_release(object);
		ck_assert_ptr_eq(
		    get_with(factory, PAGECODEC_UNCOMPRESSED, round % 2 ? with : without),
		    object);
	}
	pagecodec_compressor_release(object);
	pagecodec_factory_destroy(factory);
}
END_TEST

START_TEST(second_release_while_idle_is_ignored)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&heap);
	struct pagecodec_compressor *compressor = get_compressor(factory, coder);
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, coder->info->codec, NULL);
	struct pagecodec_compressor *other;

	for (int i = 0; i < 3; i++) {
		pagecodec_compressor_release(compressor);
		pagecodec_decompressor_release(decompressor);
		check_objects(factory, 0, 2);
	}
	ck_assert_ptr_eq(get_compressor(factory, coder), compressor);
	other = get_compressor(factory, coder);
	ck_assert_ptr_ne(other, compressor);
	check_objects(factory, 2, 1);
	pagecodec_compressor_release(other);
	pagecodec_compressor_release(compressor);
	pagecodec_factory_destroy(factory);
	pagecodec_compressor_release(NULL);
	pagecodec_decompressor_release(NULL);
	pagecodec_factory_destroy(NULL);
	heap_check_empty(&heap);
}
END_TEST

START_TEST(idle_objects_refuse_work)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 1000);
	struct pagecodec_span part = {f.page, f.size};
	struct pagecodec_span out = part, levels = part;
	struct pagecodec_page page = {.body = f.page, .body_size = 1};
	struct pagecodec_error error;
	size_t size = 1;

	pagecodec_compressor_release(f.compressor);
	pagecodec_decompressor_release(f.decompressor);
	assert_fails(pagecodec_compress(f.compressor, &part, 1, NULL, 0, &out, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	check_no_span(out);
	assert_fails(pagecodec_compress_page_v1(f.compressor, &part, 1, NULL, 0, &page, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	assert_fails(pagecodec_compress_page_v2(f.compressor, NULL, NULL, &part, 1, NULL, 0,
						&page, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	ck_assert_ptr_null(page.body);
	out = part;
	assert_fails(pagecodec_decompress(f.decompressor, f.compressed.data, f.compressed.size,
					  f.size, NULL, 0, &out, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	check_no_span(out);
	out = part;
	assert_fails(
	    pagecodec_decompress_page(f.decompressor, &page, NULL, 0, &levels, &out, &error),
	    PAGECODEC_INVALID_ARGUMENT, &error);
	check_no_span(out);
	check_no_span(levels);
	assert_fails(pagecodec_arrow_buffer_size(f.decompressor, f.page, 8, &size, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	ck_assert_uint_eq(size, 0);
	check_objects(f.factory, 0, 2);
	ck_assert_ptr_eq(get_compressor(f.factory, f.coder), f.compressor);
	fill_object(f.compressor, 1000);
	fixture_free(&f);
}
END_TEST

START_TEST(destroy_with_objects_out)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, 10000);
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&heap);
	struct pagecodec_compressor *compressor = get_compressor(factory, f.coder);
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, f.coder->info->codec, NULL);
	struct bytes bytes;

	pagecodec_compressor_release(get_compressor(factory, f.coder));
	pagecodec_factory_destroy(factory);
	bytes = compress_bytes(compressor, f.page, f.size);
	check_compressed(&f, (struct pagecodec_span){bytes.data, bytes.size});
	check_decompresses(decompressor, bytes, f.page, f.size);
	pagecodec_compressor_release(compressor);
	check_decompresses(decompressor, bytes, f.page, f.size);
	pagecodec_decompressor_release(decompressor);
	heap_check_empty(&heap);
	free(bytes.data);
	fixture_free(&f);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_loop(last_released_first_out, count);
	add_loop(match_on_every_option, count);
	add_loop(second_release_while_idle_is_ignored, count);
	add_loop(idle_objects_refuse_work, count);
	add_loop(destroy_with_objects_out, count);
	add_test(match_on_codec_and_decompress_engine);
	add_test(page_crc_is_no_part_of_the_match);
	return run_tests("factory");
}
