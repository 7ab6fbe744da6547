/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_roundtrip.c - what is compressed comes back, whatever the page and the memory
 * Every pair of coder, size, kind of page, parts, output memory and alignment comes up.
 * Input is read-only and ends at memory that faults; so does the caller's output.
 */
#include <stdlib.h>

#include "coders.h"
#include "guard.h"
#include "pairs.h"

enum { FACTOR_CODER, FACTOR_SIZE, FACTOR_KIND, FACTOR_PARTS, FACTOR_OUTPUT, FACTOR_SKEW };

static const size_t sizes[] = {0,	 1,	      2, 19, 20, 1 * KIB, 8 * KIB, 64 * KIB - 1,
			       64 * KIB, 64 * KIB + 1};
static const size_t part_counts[] = {1, 7};

struct page_case {
	struct coder coder;
	enum page_kind kind;
	size_t size;
	size_t part_count;
	int own_buffer;
	size_t skew;
};

static struct pair_table
page_table(void)
{
	size_t values[PAIRS_FACTORS] = {
	    0, COUNT_OF(sizes), PAGE_KINDS, COUNT_OF(part_counts), 2, 2};

	level_coders(&values[FACTOR_CODER]);
	return pairs_make(values);
}

static struct page_case
page_case(const struct pair_case *row)
{
	return (struct page_case){
	    .coder = level_coders(NULL)[row->value[FACTOR_CODER]],
	    .kind = (enum page_kind)row->value[FACTOR_KIND],
	    .size = sizes[row->value[FACTOR_SIZE]],
	    .part_count = part_counts[row->value[FACTOR_PARTS]],
	    .own_buffer = row->value[FACTOR_OUTPUT] == 0,
	    .skew = row->value[FACTOR_SKEW],
	};
}

/* Alternate the side that faults; the side before can always be at an odd address. */
static struct guard
output_memory(const struct page_case *page, size_t size)
{
	if (page->own_buffer)
		return (struct guard){0};
	return guard_new(size, page->skew ? GUARD_BEFORE : GUARD_AFTER, page->skew);
}

static void
check_output(const struct page_case *page, const struct guard *dst, struct pagecodec_span out)
{
	ck_assert_ptr_nonnull(out.data);
	if (page->own_buffer)
		return;
	ck_assert_ptr_eq(out.data, dst->data);
	ck_assert_uint_le(out.size, dst->size);
	guard_check(dst);
}

static void
check_decompress(const struct page_case *page, const struct guard *compressed,
		 const struct guard *plain, const char *engine)
{
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, page->coder.info->codec, engine);
	struct guard dst = output_memory(page, page->size);
	struct pagecodec_span out;
	struct pagecodec_error error;

	assert_ok(pagecodec_decompress(decompressor, compressed->data, compressed->size,
				       page->size, dst.data, dst.size, &out, &error),
		  &error);
	check_output(page, &dst, out);
	ck_assert_uint_eq(out.size, page->size);
	check_bytes(coder_name(&page->coder), out.data, plain->data, page->size);
	if (dst.pages)
		guard_free(&dst);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
}

static struct guard
check_compress(const struct page_case *page, const struct guard *plain)
{
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_compressor *compressor = get_compressor(factory, &page->coder);
	size_t bound = pagecodec_compress_bound(page->coder.info->codec, page->size);
	struct guard dst = output_memory(page, bound);
	struct pagecodec_span parts[8];
	struct pagecodec_span out;
	struct pagecodec_error error;
	struct guard compressed;

	cut_page(plain->data, plain->size, parts, page->part_count);
	assert_ok(pagecodec_compress(compressor, parts, page->part_count, dst.data, dst.size,
				     &out, &error),
		  &error);
	check_output(page, &dst, out);
	ck_assert_uint_le(out.size, bound);
	compressed = guard_copy(out.data, out.size, page->skew ? GUARD_BEFORE : GUARD_AFTER);
	if (dst.pages)
		guard_free(&dst);
	pagecodec_compressor_release(compressor);
	pagecodec_factory_destroy(factory);
	return compressed;
}

static void
check_case(const struct page_case *page)
{
	const struct pagecodec_codec_info *info = page->coder.info;
	struct guard plain =
	    guard_new(page->size, page->skew ? GUARD_BEFORE : GUARD_AFTER, page->skew);
	struct guard compressed;

	fill_page(page->kind, page->size, plain.data, plain.size);
	guard_seal(&plain);
	compressed = check_compress(page, &plain);
	for (size_t e = 0; info->decompress_engines[e]; e++)
		check_decompress(page, &compressed, &plain, info->decompress_engines[e]);
	guard_free(&compressed);
	guard_free(&plain);
}

/* One test per coder; the log's last line says which case went wrong. */
START_TEST(pages_come_back)
{
	struct pair_table table = page_table();

	for (size_t i = 0; i < table.count; i++) {
		if (table.cases[i].value[FACTOR_CODER] != (size_t)_i)
			continue;
		struct page_case page = page_case(&table.cases[i]);

		fprintf(stderr, "%s, %zu bytes of %s in %zu parts, %s, skew %zu\n",
			coder_name(&page.coder), page.size, page_kind_names[page.kind],
			page.part_count, page.own_buffer ? "own buffer" : "caller's memory",
			page.skew);
		check_case(&page);
	}
	free(table.cases);
}
END_TEST

static int
has_pair(const struct pair_table *table, size_t f, size_t a, size_t g, size_t b)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->cases[i].value[f] == a && table->cases[i].value[g] == b)
			return 1;
	return 0;
}

START_TEST(table_has_every_pair)
{
	struct pair_table table = page_table();
	size_t counts[PAIRS_FACTORS] = {
	    0, COUNT_OF(sizes), PAGE_KINDS, COUNT_OF(part_counts), 2, 2};

	level_coders(&counts[FACTOR_CODER]);
	for (size_t f = 0; f < PAIRS_FACTORS; f++)
		for (size_t g = f + 1; g < PAIRS_FACTORS; g++)
			for (size_t a = 0; a < counts[f]; a++)
				for (size_t b = 0; b < counts[g]; b++)
					require(has_pair(&table, f, a, g, b),
						"value %zu of factor %zu never meets "
						"value %zu of factor %zu",
						a, f, b, g);
	ck_assert_uint_lt(table.count,
			  counts[FACTOR_CODER] * counts[FACTOR_SIZE] * counts[FACTOR_KIND]);
	free(table.cases);
}
END_TEST

/* 'a', then length symbol 286, distance 1: RFC 1951 gives the symbol no meaning.  zlib
 * refuses it; libdeflate takes it for 285, and then the CRC-32 is all that there is. */
START_TEST(deflate_symbol_without_meaning)
{
	static const unsigned char member[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00,
					       0x00, 0xff, 0x4b, 0x1c, 0x03, 0x00, 0x56, 0xfa,
					       0xc2, 0x34, 0x03, 0x01, 0x00, 0x00};
	const struct pagecodec_codec_info *info = pagecodec_find_codec(PAGECODEC_GZIP);
	struct pagecodec_factory *factory = new_factory();
	unsigned char want[259];

	memset(want, 'a', sizeof(want));
	for (size_t e = 0; info->decompress_engines[e]; e++) {
		const char *engine = info->decompress_engines[e];
		struct pagecodec_decompressor *decompressor =
		    get_decompressor(factory, PAGECODEC_GZIP, engine);
		struct pagecodec_span out;
		enum pagecodec_status status = pagecodec_decompress(
		    decompressor, member, sizeof(member), sizeof(want), NULL, 0, &out, NULL);

		if (status == PAGECODEC_OK && strcmp(engine, "libdeflate") == 0)
			check_bytes(engine, out.data, want, sizeof(want));
		else
			ck_assert_int_eq(status, PAGECODEC_CORRUPT);
		pagecodec_decompressor_release(decompressor);
	}
	pagecodec_factory_destroy(factory);
}
END_TEST

int
main(void)
{
	size_t count;

	level_coders(&count);
	add_test(table_has_every_pair);
	add_test(deflate_symbol_without_meaning);
	add_loop(pages_come_back, count);
	return run_tests("roundtrip");
}
