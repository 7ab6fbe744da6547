/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_bench_pages.c - the bench's pages are, byte for byte, those of parquet-java's
 * CompressionBenchmark: CRC-32 values that were taken from it.
 */
#include <float.h>
#include <stdlib.h>

#include "../bench/pages.h"
#include "testing.h"

static const struct {
	const char *kind;
	size_t size, length;
	uint32_t crc;
} known[] = {
    {"mixed-runs", 8192, 8192, 0xd0345228},
    {"mixed-runs", 65536, 65536, 0xeefc9ab7},
    {"mixed-runs", 131072, 131072, 0x9c34fa3e},
    {"mixed-runs", 262144, 262144, 0xdefd454d},
    {"mixed-runs", 1048576, 1048576, 0x06e14919},
    {"int32-id", 65536, 65536, 0xc8553a4d},
    {"int32-id", 1048576, 1048576, 0x64846236},
    {"float-measure", 65536, 65536, 0x66096fc7},
    {"float-measure", 1048576, 1048576, 0x141a5de3},
    {"double-measure", 65536, 65536, 0xa16aa537},
    {"double-measure", 1048576, 1048576, 0x6bba8380},
    {"decimal", 65536, 65536, 0xd3a13d52},
    {"decimal", 1048576, 1048576, 0xb60b4fad},
    {"dictionary", 65536, 65536, 0xd7775fae},
    {"dictionary", 1048576, 1048579, 0xa2032bd8},
    {"text", 65536, 65552, 0xee3ac65d},
    {"text", 1048576, 1048616, 0x4d67cc1d},
};

/* Java rounds each operation once.  Where a machine computes in more digits than it keeps, as
 * x87 does, the last digits of a page of floats may be others. */
START_TEST(pages_have_the_known_checksum)
{
	const struct value_kind *kind = value_kind_find(known[_i].kind);
	uint8_t *page;

	if (FLT_EVAL_METHOD != 0 && strstr(known[_i].kind, "measure"))
		return;
	page = malloc(known[_i].size + PAGE_SLACK);
	ck_assert_ptr_nonnull(kind);
	ck_assert_ptr_nonnull(page);
	ck_assert_uint_eq(page_make(kind, page, known[_i].size), known[_i].length);
	ck_assert_uint_eq(pagecodec_crc32(0, page, known[_i].length), known[_i].crc);
	free(page);
}
END_TEST

START_TEST(a_short_page_begins_a_long_one)
{
	static uint8_t shorter[1000 + PAGE_SLACK], longer[9000 + PAGE_SLACK];
	const struct value_kind *kind = &value_kinds[_i];
	size_t length = page_make(kind, shorter, 1000);

	ck_assert_uint_ge(page_make(kind, longer, 9000), 9000);
	ck_assert_uint_ge(length, 1000);
	ck_assert_mem_eq(shorter, longer, 1000);
}
END_TEST

START_TEST(unknown_kinds_are_not_found)
{
	ck_assert_ptr_null(value_kind_find("texts"));
	ck_assert_ptr_null(value_kind_find(""));
}
END_TEST

int
main(void)
{
	size_t kinds = 0;

	while (value_kinds[kinds].name)
		kinds++;
	add_loop(pages_have_the_known_checksum, COUNT_OF(known));
	add_loop(a_short_page_begins_a_long_one, kinds);
	add_test(unknown_kinds_are_not_found);
	return run_tests("bench_pages");
}
