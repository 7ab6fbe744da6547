/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_codecs.c - what the library says of codecs, sizes, statuses and its version
 * Numbers and names are parquet.thrift's; ranges are those that the manual states.
 * Also CRC-32, which takes no object either.
 */
#include "coders.h"

struct expected_codec {
	int32_t codec;
	const char *name;
	int has_levels, min_level, max_level, default_level;
	int min_window_log, max_window_log;
	int has_checksum;
	size_t empty_page; /* least bytes of compress_bound(0) */
};

/* clang-format off */
static const struct expected_codec expected[] = {
	{0, "UNCOMPRESSED", 0, 0, 0, 0, 0, 0, 0, 0},
	{1, "SNAPPY", 0, 0, 0, 0, 0, 0, 0, 1},
	{2, "GZIP", 1, 0, 12, 6, 0, 0, 0, 20},
	{3, "LZO", 0, 0, 0, 0, 0, 0, 0, 11},
	{4, "BROTLI", 1, 0, 11, 5, 10, 24, 0, 1},
	{5, "LZ4", 1, -100, 12, 1, 0, 0, 0, 9},
	{6, "ZSTD", 1, -131072, 22, 3, 10, 27, 1, 9},
	{7, "LZ4_RAW", 1, -100, 12, 1, 0, 0, 0, 1},
	{100, "ARROW_LZ4_FRAME", 1, -100, 12, 1, 0, 0, 0, 0},
	{101, "ARROW_ZSTD", 1, -131072, 22, 3, 10, 27, 1, 0},
};
/* clang-format on */

START_TEST(codec_has_number_and_name)
{
	const struct pagecodec_codec_info *info = pagecodec_find_codec(expected[_i].codec);
	char name[32];

	ck_assert_ptr_nonnull(info);
	ck_assert_int_eq(info->codec, expected[_i].codec);
	ck_assert_str_eq(info->name, expected[_i].name);
	ck_assert_int_eq(all_codecs[_i], expected[_i].codec);
	ck_assert_ptr_eq(pagecodec_find_codec_by_name(expected[_i].name), info);
	for (size_t i = 0; i <= strlen(info->name); i++)
		name[i] = (char)(info->name[i] >= 'A' && info->name[i] <= 'Z'
				     ? info->name[i] + ('a' - 'A')
				     : info->name[i]);
	ck_assert_ptr_eq(pagecodec_find_codec_by_name(name), info);
	name[0] = info->name[0];
	ck_assert_ptr_eq(pagecodec_find_codec_by_name(name), info);
}
END_TEST

START_TEST(codec_has_ranges)
{
	const struct expected_codec *want = &expected[_i];
	const struct pagecodec_codec_info *info = pagecodec_find_codec(want->codec);
	int max_level = want->max_level;

	ck_assert_ptr_nonnull(info->compress_engines);
	ck_assert_ptr_nonnull(info->decompress_engines);
	ck_assert_int_eq(info->is_available, info->compress_engines[0] != NULL);
	ck_assert_int_eq(info->is_available, info->decompress_engines[0] != NULL);
	if (!info->is_available)
		return;
	if (want->codec == PAGECODEC_GZIP)
		max_level = engine_max_level(info, info->compress_engines[0]);
	ck_assert_int_eq(info->has_levels, want->has_levels);
	ck_assert_int_eq(info->min_level, want->min_level);
	ck_assert_int_eq(info->max_level, max_level);
	ck_assert_int_eq(info->default_level, want->default_level);
	ck_assert_int_eq(info->min_window_log, want->min_window_log);
	ck_assert_int_eq(info->max_window_log, want->max_window_log);
	ck_assert_int_eq(info->has_checksum, want->has_checksum);
}
END_TEST

START_TEST(unknown_codecs)
{
	static const int32_t numbers[] = {-1, 8, 9, 42, 99, 102, INT32_MIN, INT32_MAX};
	static const char *const names[] = {"",	       "SNAP",	"SNAPPYY", " SNAPPY",
					    "LZ4-RAW", "ARROW", "DEFLATE", "zstd "};

	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		ck_assert_ptr_null(pagecodec_find_codec(numbers[i]));
		ck_assert_uint_eq(pagecodec_compress_bound(numbers[i], 0), 0);
		ck_assert_uint_eq(pagecodec_compress_bound(numbers[i], 1000), 0);
	}
	for (size_t i = 0; i < COUNT_OF(names); i++)
		ck_assert_ptr_null(pagecodec_find_codec_by_name(names[i]));
}
END_TEST

static int
has_engine(const char *const *engines, const char *name)
{
	for (size_t i = 0; engines[i]; i++)
		if (strcmp(engines[i], name) == 0)
			return 1;
	return 0;
}

START_TEST(engines_are_listed)
{
	const struct pagecodec_codec_info *gzip = pagecodec_find_codec(PAGECODEC_GZIP);
	const struct pagecodec_codec_info *snappy = pagecodec_find_codec(PAGECODEC_SNAPPY);

	ck_assert_int_eq(pagecodec_find_codec(PAGECODEC_UNCOMPRESSED)->is_available, 1);
	ck_assert_int_eq(snappy->is_available, 1);
	ck_assert_str_eq(snappy->compress_engines[0], "pagecodec");
	ck_assert_str_eq(snappy->decompress_engines[0], "pagecodec");
	ck_assert_int_eq(has_engine(snappy->compress_engines, "libsnappy"),
			 has_engine(snappy->decompress_engines, "libsnappy"));
	if (has_engine(gzip->compress_engines, "libdeflate")) {
		ck_assert_str_eq(gzip->compress_engines[0], "libdeflate");
		ck_assert_str_eq(gzip->decompress_engines[0], "libdeflate");
	}
}
END_TEST

/* A codec that was left out of the build has bounds all the same. */
START_TEST(bounds)
{
	const struct expected_codec *want = &expected[_i];
	const struct pagecodec_codec_info *info = pagecodec_find_codec(want->codec);
	size_t last = pagecodec_compress_bound(want->codec, 0);

	if (want->empty_page)
		ck_assert_uint_ge(last, want->empty_page);
	else
		ck_assert_uint_eq(last, 0);
	for (size_t size = 1; size < 5 * MIB; size += 1 + size / 7) {
		size_t bound = pagecodec_compress_bound(want->codec, size);

		ck_assert_uint_ge(bound, size);
		ck_assert_uint_ge(bound, last);
		ck_assert_uint_le(bound, size + size / 6 + 1024);
		last = bound;
	}
	ck_assert_uint_ge(info->max_input_size, 0x7e000000);
	ck_assert_uint_ge(pagecodec_compress_bound(want->codec, info->max_input_size),
			  info->max_input_size);
	if (info->max_input_size < SIZE_MAX) {
		ck_assert_uint_eq(
		    pagecodec_compress_bound(want->codec, info->max_input_size + 1), 0);
		ck_assert_uint_eq(pagecodec_compress_bound(want->codec, SIZE_MAX), 0);
	}
	if (want->codec == PAGECODEC_LZ4_RAW)
		ck_assert_uint_eq(info->max_input_size, 0x7e000000);
	if (want->codec == PAGECODEC_UNCOMPRESSED)
		ck_assert_uint_eq(pagecodec_compress_bound(0, 12345), 12345);
}
END_TEST

static const struct {
	int number;
	const char *name;
} statuses[] = {
    {0, "OK"},
    {1, "INVALID_ARGUMENT"},
    {2, "NOT_BUILT"},
    {3, "UNKNOWN_CODEC"},
    {4, "OUT_OF_MEMORY"},
    {5, "TOO_LARGE"},
    {6, "DST_TOO_SMALL"},
    {7, "TRUNCATED"},
    {8, "CORRUPT"},
    {9, "CHECKSUM_MISMATCH"},
    {10, "SIZE_MISMATCH"},
    {11, "TRAILING_DATA"},
};

START_TEST(status_names)
{
	for (size_t i = 0; i < COUNT_OF(statuses); i++)
		ck_assert_str_eq(
		    pagecodec_status_name((enum pagecodec_status)statuses[i].number),
		    statuses[i].name);
	ck_assert_ptr_nonnull(pagecodec_status_name((enum pagecodec_status)12));
	ck_assert_ptr_nonnull(pagecodec_status_name((enum pagecodec_status)1000000));
}
END_TEST

START_TEST(version)
{
	int major, minor, patch;

	ck_assert_str_eq(pagecodec_version(), PAGECODEC_VERSION_STRING);
	ck_assert_int_eq(sscanf(PAGECODEC_VERSION_STRING, "%d.%d.%d", &major, &minor, &patch),
			 3);
	ck_assert_int_eq(PAGECODEC_VERSION_NUMBER, major * 10000 + minor * 100 + patch);
}
END_TEST

/* Layouts that never change within a soname, as 64-bit machines have them. */
START_TEST(layouts)
{
	if (sizeof(void *) != 8 || sizeof(int) != 4)
		return;
	ck_assert_uint_eq(sizeof(struct pagecodec_error), 216);
	ck_assert_uint_eq(offsetof(struct pagecodec_error, codec), 4);
	ck_assert_uint_eq(offsetof(struct pagecodec_error, expected_size), 8);
	ck_assert_uint_eq(offsetof(struct pagecodec_error, actual_size), 16);
	ck_assert_uint_eq(offsetof(struct pagecodec_error, message), 24);
	ck_assert_uint_eq(sizeof(struct pagecodec_span), 16);
	ck_assert_uint_eq(sizeof(struct pagecodec_page), 48);
	ck_assert_uint_eq(offsetof(struct pagecodec_page, body_size), 8);
	ck_assert_uint_eq(offsetof(struct pagecodec_page, uncompressed_page_size), 16);
	ck_assert_uint_eq(offsetof(struct pagecodec_page, compressed_page_size), 20);
	ck_assert_uint_eq(offsetof(struct pagecodec_page, repetition_levels_byte_length), 24);
	ck_assert_uint_eq(offsetof(struct pagecodec_page, definition_levels_byte_length), 28);
	ck_assert_uint_eq(offsetof(struct pagecodec_page, is_stored), 32);
	ck_assert_uint_eq(offsetof(struct pagecodec_page, has_crc), 36);
	ck_assert_uint_eq(offsetof(struct pagecodec_page, crc), 40);
	ck_assert_uint_ge(sizeof(struct pagecodec_factory_options), 48);
	ck_assert_uint_ge(sizeof(struct pagecodec_compressor_options), 40);
	ck_assert_uint_ge(sizeof(struct pagecodec_decompressor_options), 16);
}
END_TEST

static uint32_t
reference_crc32(uint32_t crc, const unsigned char *data, size_t size)
{
	crc = ~crc;
	for (size_t i = 0; i < size; i++) {
		crc ^= data[i];
		for (int bit = 0; bit < 8; bit++)
			crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

START_TEST(crc32_of_known_bytes)
{
	ck_assert_uint_eq(pagecodec_crc32(0, "123456789", 9), 0xcbf43926);
	ck_assert_uint_eq(pagecodec_crc32(0, "", 0), 0);
	ck_assert_uint_eq(pagecodec_crc32(0, NULL, 0), 0);
	ck_assert_uint_eq(pagecodec_crc32(0x12345678, NULL, 0), 0x12345678);
}
END_TEST

START_TEST(crc32_at_every_alignment_and_in_pieces)
{
	unsigned char page[2000];

	fill_page(PAGE_RANDOM, 1, page, sizeof(page));
	for (size_t start = 0; start < 17; start++)
		for (size_t size = 0; size < 1900; size += 1 + size / 5) {
			uint32_t want = reference_crc32(0, page + start, size);
			uint32_t half = pagecodec_crc32(0, page + start, size / 2);

			require(pagecodec_crc32(0, page + start, size) == want,
				"%zu bytes at %zu have another CRC", size, start);
			ck_assert_uint_eq(
			    pagecodec_crc32(half, page + start + size / 2, size - size / 2),
			    want);
		}
}
END_TEST

int
main(void)
{
	add_loop(codec_has_number_and_name, COUNT_OF(expected));
	add_loop(codec_has_ranges, COUNT_OF(expected));
	add_loop(bounds, COUNT_OF(expected));
	add_test(unknown_codecs);
	add_test(engines_are_listed);
	add_test(status_names);
	add_test(version);
	add_test(layouts);
	add_test(crc32_of_known_bytes);
	add_test(crc32_at_every_alignment_and_in_pieces);
	return run_tests("codecs");
}
