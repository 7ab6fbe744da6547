/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_status.c - the calls that compress and decompress refuse what the header says
 * By status and, where several would fit, in the order that is written down.
 * After each refusal the object serves the next page.
 */
#include <stdlib.h>

#include "coders.h"
#include "guard.h"
#include "heap.h"

static struct fixture
setup(int index)
{
	return fixture_new(&engine_coders(NULL)[index], PAGE_TEXT, 1000);
}

static void
refuse_compress(const struct fixture *f, const struct pagecodec_span *parts, size_t part_count,
		void *dst, size_t capacity, enum pagecodec_status want)
{
	struct pagecodec_span out = {f, 99};
	struct pagecodec_error error;

	assert_fails(
	    pagecodec_compress(f->compressor, parts, part_count, dst, capacity, &out, &error),
	    want, &error);
	ck_assert_int_eq(error.codec, f->coder->info->codec);
	check_no_span(out);
	out = (struct pagecodec_span){f, 99};
	assert_status(
	    pagecodec_compress(f->compressor, parts, part_count, dst, capacity, &out, NULL),
	    want);
	check_no_span(out);
	struct bytes bytes = compress_bytes(f->compressor, f->page, f->size);

	check_compressed(f, (struct pagecodec_span){bytes.data, bytes.size});
	free(bytes.data);
}

static void
refuse_decompress(const struct fixture *f, const void *src, size_t src_size, size_t size,
		  void *dst, size_t capacity, enum pagecodec_status want)
{
	struct pagecodec_span out = {f, 99};
	struct pagecodec_error error;

	assert_fails(pagecodec_decompress(f->decompressor, src, src_size, size, dst, capacity,
					  &out, &error),
		     want, &error);
	ck_assert_int_eq(error.codec, f->coder->info->codec);
	check_no_span(out);
	out = (struct pagecodec_span){f, 99};
	assert_status(pagecodec_decompress(f->decompressor, src, src_size, size, dst, capacity,
					   &out, NULL),
		      want);
	check_no_span(out);
	check_decompresses(f->decompressor, f->compressed, f->page, f->size);
}

START_TEST(missing_objects)
{
	struct fixture f = setup(_i);
	struct pagecodec_span part = {f.page, f.size};
	struct pagecodec_span out = part;
	struct pagecodec_error error;

	assert_fails(pagecodec_compress(NULL, &part, 1, NULL, 0, &out, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	ck_assert_int_eq(error.codec, -1);
	check_no_span(out);
	out = part;
	assert_fails(pagecodec_decompress(NULL, f.page, f.size, 10, NULL, 0, &out, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	ck_assert_int_eq(error.codec, -1);
	check_no_span(out);
	assert_fails(pagecodec_compress(f.compressor, &part, 1, NULL, 0, NULL, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	assert_fails(pagecodec_decompress(f.decompressor, f.compressed.data, f.compressed.size,
					  f.size, NULL, 0, NULL, &error),
		     PAGECODEC_INVALID_ARGUMENT, &error);
	fixture_free(&f);
}
END_TEST

START_TEST(null_input)
{
	struct fixture f = setup(_i);
	const struct pagecodec_span parts[2] = {{f.page, 10}, {NULL, 1}};

	refuse_compress(&f, NULL, 1, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	refuse_compress(&f, NULL, SIZE_MAX, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	refuse_compress(&f, parts, 2, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	refuse_compress(&f, parts + 1, 1, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	refuse_decompress(&f, NULL, 1, 10, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	fixture_free(&f);
}
END_TEST

START_TEST(input_overlaps_dst)
{
	struct fixture f = setup(_i);
	unsigned char *memory = malloc(10000);
	unsigned char *dst = memory + 2000;
	const size_t capacity = 4000;

	ck_assert_ptr_nonnull(memory);
	fill_page(PAGE_TEXT, 1, memory, 10000);
	const struct pagecodec_span overlaps[] = {
	    {dst, 1000},    {dst - 999, 1000}, {dst + capacity - 1, 1000},
	    {dst + 100, 1}, {memory, 10000},
	};

	for (size_t i = 0; i < COUNT_OF(overlaps); i++) {
		const struct pagecodec_span parts[2] = {{f.page, 10}, overlaps[i]};

		refuse_compress(&f, parts, 2, dst, capacity, PAGECODEC_INVALID_ARGUMENT);
		refuse_decompress(&f, overlaps[i].data, overlaps[i].size, 1000, dst, capacity,
				  PAGECODEC_INVALID_ARGUMENT);
	}
	free(memory);
	fixture_free(&f);
}
END_TEST

/* Directly before and behind is no overlap, and neither is an empty part inside. */
START_TEST(input_beside_dst)
{
	struct fixture f = setup(_i);
	size_t bound = pagecodec_compress_bound(f.coder->info->codec, f.size);
	unsigned char *memory = malloc(2 * f.size + bound);
	struct pagecodec_span out;
	struct pagecodec_error error;

	ck_assert_ptr_nonnull(memory);
	memcpy(memory, f.page, f.size);
	memcpy(memory + f.size + bound, f.page, f.size);
	for (size_t at = 0; at <= f.size + bound; at += f.size + bound) {
		struct pagecodec_span parts[2] = {{memory + at, f.size}, {memory + f.size, 0}};

		assert_ok(pagecodec_compress(f.compressor, parts, 2, memory + f.size, bound,
					     &out, &error),
			  &error);
		check_compressed(&f, out);
	}
	free(memory);
	fixture_free(&f);
}
END_TEST

START_TEST(input_overlaps_own_buffer)
{
	struct fixture f = setup(_i);
	unsigned char dst[3000];
	struct pagecodec_span parts[2] = {{f.page, 600}, {f.page + 601, 399}};
	struct pagecodec_span own;
	struct pagecodec_error error;

	assert_ok(pagecodec_compress(f.compressor, parts, 2, NULL, 0, &own, &error), &error);
	refuse_compress(&f, &own, 1, NULL, 0, PAGECODEC_INVALID_ARGUMENT);
	assert_ok(pagecodec_compress(f.compressor, parts, 2, NULL, 0, &own, &error), &error);
	refuse_compress(&f, &own, 1, dst, sizeof(dst), PAGECODEC_INVALID_ARGUMENT);
	if (!is_uncompressed(f.coder)) {
		assert_ok(pagecodec_decompress(f.decompressor, f.compressed.data,
					       f.compressed.size, f.size, NULL, 0, &own,
					       &error),
			  &error);
		refuse_decompress(&f, own.data, own.size, 10, NULL, 0,
				  PAGECODEC_INVALID_ARGUMENT);
		assert_ok(pagecodec_decompress(f.decompressor, f.compressed.data,
					       f.compressed.size, f.size, NULL, 0, &own,
					       &error),
			  &error);
		refuse_decompress(&f, own.data, own.size, 10, dst, sizeof(dst),
				  PAGECODEC_INVALID_ARGUMENT);
	}
	fixture_free(&f);
}
END_TEST

static const size_t too_large[] = {
    (size_t)INT32_MAX + 1,  (size_t)UINT32_MAX, SIZE_MAX / 2 + 1,
    (size_t)(int32_t)-1,    SIZE_MAX - 7,
#if SIZE_MAX > UINT32_MAX
    ((size_t)1 << 32) + 10, (size_t)1 << 40,
#endif
};

START_TEST(compress_too_large)
{
	struct fixture f = setup(_i);

	for (size_t i = 0; i < COUNT_OF(too_large); i++) {
		struct pagecodec_span parts[3] = {{f.page, too_large[i]}, {f.page, 1}, {0}};

		refuse_compress(&f, parts, 1, NULL, 0, PAGECODEC_TOO_LARGE);
		refuse_compress(&f, parts, 2, NULL, 0, PAGECODEC_TOO_LARGE);
		parts[2] = parts[0];
		refuse_compress(&f, parts, 3, NULL, 0, PAGECODEC_TOO_LARGE);
	}
	fixture_free(&f);
}
END_TEST

/* Parts that are each allowed, and together wrap around or are a byte too many. */
START_TEST(compress_sum_too_large)
{
	struct fixture f = setup(_i);
	struct pagecodec_span parts[3] = {
	    {f.page, INT32_MAX / 2}, {f.page, INT32_MAX / 2}, {f.page, 2}};

	refuse_compress(&f, parts, 3, NULL, 0, PAGECODEC_TOO_LARGE);
	parts[0].size = SIZE_MAX;
	refuse_compress(&f, parts, 3, NULL, 0, PAGECODEC_TOO_LARGE);
	parts[0].size = SIZE_MAX - INT32_MAX / 2 + 1;
	refuse_compress(&f, parts, 2, NULL, 0, PAGECODEC_TOO_LARGE);
	fixture_free(&f);
}
END_TEST

START_TEST(decompress_too_large)
{
	struct fixture f = setup(_i);

	for (size_t i = 0; i < COUNT_OF(too_large); i++) {
		refuse_decompress(&f, f.compressed.data, f.compressed.size, too_large[i], NULL,
				  0, PAGECODEC_TOO_LARGE);
		refuse_decompress(&f, NULL, 0, too_large[i], NULL, 0, PAGECODEC_TOO_LARGE);
	}
	fixture_free(&f);
}
END_TEST

/* An Arrow buffer has to say of itself what is declared. */
static void
declare(unsigned char *src, int32_t codec, uint64_t size)
{
	for (int i = 0; i < 8 && is_arrow(codec); i++)
		src[i] = (unsigned char)(size >> 8 * i);
}

/* Few bytes cannot become that many: refused before memory is taken, and after 0 bytes in. */
START_TEST(decompress_implausibly_large)
{
	static const size_t sizes[] = {(size_t)1 << 30, INT32_MAX};
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&heap);
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, coder->info->codec, NULL);
	struct pagecodec_span out;
	struct pagecodec_error error;
	unsigned char src[30] = {0};

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		assert_fails(pagecodec_decompress(decompressor, NULL, 0, sizes[i], NULL, 0,
						  &out, &error),
			     PAGECODEC_TRUNCATED, &error);
		declare(src, coder->info->codec, sizes[i]);
		assert_fails(pagecodec_decompress(decompressor, src, sizeof(src), sizes[i],
						  NULL, 0, &out, &error),
			     is_uncompressed(coder) ? PAGECODEC_SIZE_MISMATCH
						    : PAGECODEC_TOO_LARGE,
			     &error);
	}
	ck_assert_uint_lt(heap.peak_bytes, 4 * MIB);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
}
END_TEST

/* max_page_size holds for both directions, to the byte, and no memory is taken for more. */
START_TEST(max_page_size)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct heap heap = HEAP_INIT;
	struct pagecodec_factory_options options = heap_options(&heap);
	struct fixture f = fixture_new(coder, PAGE_RANDOM, 100000);
	struct pagecodec_factory *factory = NULL;
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;
	struct pagecodec_span part = {f.page, 100000};
	struct pagecodec_span out;
	struct pagecodec_error error;
	size_t calls;

	options.max_page_size = 99999;
	assert_ok(pagecodec_factory_create(&options, &factory, &error), &error);
	compressor = get_compressor(factory, coder);
	decompressor = get_decompressor(factory, coder->info->codec, NULL);
	calls = heap.calls;
	assert_fails(pagecodec_compress(compressor, &part, 1, NULL, 0, &out, &error),
		     PAGECODEC_TOO_LARGE, &error);
	ck_assert_uint_eq(error.actual_size, 100000);
	assert_fails(pagecodec_decompress(decompressor, f.compressed.data, f.compressed.size,
					  f.size, NULL, 0, &out, &error),
		     PAGECODEC_TOO_LARGE, &error);
	ck_assert_uint_eq(heap.calls, calls);
	part.size = 99999;
	assert_ok(pagecodec_compress(compressor, &part, 1, NULL, 0, &out, &error), &error);
	struct bytes bytes = {malloc(out.size), out.size};

	ck_assert_ptr_nonnull(bytes.data);
	memcpy(bytes.data, out.data, out.size);
	check_decompresses(decompressor, bytes, f.page, 99999);
	free(bytes.data);
	pagecodec_compressor_release(compressor);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&heap);
	fixture_free(&f);
}
END_TEST

/* Wrong in several ways: the first of the order is what is said. */
START_TEST(order_of_checks)
{
	struct fixture f = setup(_i);
	unsigned char byte = 0;

	refuse_decompress(&f, NULL, 1, SIZE_MAX, NULL, 5, PAGECODEC_INVALID_ARGUMENT);
	refuse_decompress(&f, NULL, 0, SIZE_MAX, NULL, 5, PAGECODEC_INVALID_ARGUMENT);
	refuse_decompress(&f, NULL, 0, SIZE_MAX, &byte, 1, PAGECODEC_TOO_LARGE);
	refuse_decompress(&f, NULL, 0, INT32_MAX, NULL, 0, PAGECODEC_TRUNCATED);
	refuse_decompress(&f, NULL, 0, 10, NULL, 0, PAGECODEC_TRUNCATED);
	fixture_free(&f);
}
END_TEST

/* Four sizes of twenty digits fit in a message: only the prefix of src is read. */
START_TEST(message_of_largest_sizes)
{
	static const unsigned char src[8] = {255, 255, 255, 255, 255, 255, 255, 255};
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct pagecodec_factory_options options = {.struct_size = sizeof(options),
						    .max_page_size = SIZE_MAX};
	struct pagecodec_factory *factory = NULL;
	struct pagecodec_decompressor *decompressor;
	struct pagecodec_span out;
	struct pagecodec_error error;

	if (!is_uncompressed(coder) && !is_arrow(coder->info->codec))
		return;
	assert_ok(pagecodec_factory_create(&options, &factory, &error), &error);
	decompressor = get_decompressor(factory, coder->info->codec, NULL);
	assert_fails(pagecodec_decompress(decompressor, src, PTRDIFF_MAX, SIZE_MAX, NULL, 0,
					  &out, &error),
		     PAGECODEC_SIZE_MISMATCH, &error);
	ck_assert_ptr_nonnull(strstr(error.message, " held)"));
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_loop(missing_objects, count);
	add_loop(null_input, count);
	add_loop(input_overlaps_dst, count);
	add_loop(input_beside_dst, count);
	add_loop(input_overlaps_own_buffer, count);
	add_loop(compress_too_large, count);
	add_loop(compress_sum_too_large, count);
	add_loop(decompress_too_large, count);
	add_loop(decompress_implausibly_large, count);
	add_loop(max_page_size, count);
	add_loop(order_of_checks, count);
	add_loop(message_of_largest_sizes, count);
	return run_tests("status");
}
