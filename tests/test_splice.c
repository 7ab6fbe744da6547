/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_splice.c - Thrift that is copied with other numbers, and page headers
 *
 * Bytes are written out here, by hand, from Thrift's description of the protocol.
 */
#include "../tools/tools.h"

#include <stdlib.h>

#include "../tools/recompress.h"
#include "testing.h"

#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

static void
check_and_free(struct bytes *bytes, const uint8_t *want, size_t size)
{
	ck_assert(!bytes->is_out_of_memory);
	ck_assert_uint_eq(bytes->size, size);
	check_bytes("written", bytes->data, want, size);
	bytes_free(bytes);
}

static void
check_number(int64_t value, const uint8_t *want, size_t size)
{
	struct bytes bytes = {0};

	thrift_put_number(&bytes, value);
	check_and_free(&bytes, want, size);
}

START_TEST(numbers)
{
	check_number(0, BYTES(0x00));
	check_number(-1, BYTES(0x01));
	check_number(63, BYTES(0x7e));
	check_number(64, BYTES(0x80, 0x01));
	check_number(-65, BYTES(0x81, 0x01));
	check_number(INT32_MAX, BYTES(0xfe, 0xff, 0xff, 0xff, 0x0f));
	check_number(INT64_MAX,
		     BYTES(0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01));
	check_number(INT64_MIN,
		     BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01));
}
END_TEST

START_TEST(fields)
{
	struct bytes bytes = {0};
	int16_t last_id = 0;

	thrift_put_field(&bytes, &last_id, 1, THRIFT_I32);
	thrift_put_field(&bytes, &last_id, 16, THRIFT_STRUCT);
	thrift_put_field(&bytes, &last_id, 32, THRIFT_I64);    /* 16 on: whole */
	thrift_put_field(&bytes, &last_id, 31, THRIFT_TRUE);   /* back: whole */
	thrift_put_field(&bytes, &last_id, 31, THRIFT_FALSE);  /* the same again */
	thrift_put_field(&bytes, &last_id, -32768, THRIFT_I8); /* the least */
	thrift_put_field(&bytes, &last_id, 32767, THRIFT_I8);  /* the most */
	check_and_free(&bytes, BYTES(0x15, 0xfc, 0x06, 0x40, 0x01, 0x3e, 0x02, 0x3e, 0x03, 0xff,
				     0xff, 0x03, 0x03, 0xfe, 0xff, 0x03));
}
END_TEST

START_TEST(bytes_grow)
{
	struct bytes bytes = {0};
	unsigned char *page = new_page(PAGE_RANDOM, 3, 100 * KIB);

	bytes_put(&bytes, NULL, 0);
	for (size_t at = 0, size = 1; at < 100 * KIB; at += size, size = size % 700 + 1)
		bytes_put(&bytes, page + at, at + size < 100 * KIB ? size : 100 * KIB - at);
	check_and_free(&bytes, page, 100 * KIB);
	free(page);
	/* What cannot be had leaves what is there, and says so. */
	bytes_put(&bytes, "ab", 2);
	bytes_put(&bytes, "", SIZE_MAX - 1);
	ck_assert(bytes.is_out_of_memory);
	bytes_put(&bytes, "c", 1);
	ck_assert_uint_eq(bytes.size, 2);
	bytes_free(&bytes);
}
END_TEST

START_TEST(splices)
{
	static const uint8_t data[] = {9, 9, 0x02, 8, 0x80, 0x01, 7, 0x82, 0x00};
	const struct thrift_number first = {1, 2, 1}, second = {64, 4, 2}, absent = {0, 0, 0};
	const struct thrift_number overlong = {1, 7, 2};
	struct bytes bytes = {0};
	struct splice splice = {.data = data, .size = sizeof(data), .out = &bytes};

	splice_number(&splice, &first, 1 << 20);
	splice_number(&splice, &absent, 5);
	splice_number(&splice, &second, 0);
	/* A number that stays keeps its bytes, though they could be fewer. */
	splice_number(&splice, &overlong, 1);
	splice_rest(&splice);
	check_and_free(&bytes, BYTES(9, 9, 0x80, 0x80, 0x80, 0x01, 8, 0x00, 7, 0x82, 0x00));
	splice = (struct splice){.data = data, .size = sizeof(data), .out = &bytes};
	splice_number(&splice, &overlong, 2);
	splice_rest(&splice);
	check_and_free(&bytes, BYTES(9, 9, 0x02, 8, 0x80, 0x01, 7, 0x04));
}
END_TEST

/* The header as reheader makes it; page is what parquet.c has read of it. */
static void
check_header(const struct parquet_page *page, const struct pagecodec_page *body,
	     const uint8_t *header, const uint8_t *want, size_t size)
{
	struct bytes bytes = {0};

	reheader(&bytes, header, page, body);
	check_and_free(&bytes, want, size);
}

/* type 0, uncompressed 100, compressed 60, header 5 with statistics, unknown field 20. */
#define V1_HEAD 0x15, 0x00, 0x15, 0xc8, 0x01, 0x15
#define V1_INNER                                                                               \
	0x15, 0x04, 0x15, 0x00, 0x15, 0x06, 0x15, 0x06, 0x1c, 0x18, 0x02, 'h', 'i', 0x00, 0x00
#define V1_TAIL V1_INNER, 0xf8, 0x01, 'u', 0x00

static const uint8_t plain_v1[] = {V1_HEAD, 0x78, 0x2c, V1_TAIL};
static const uint8_t crc_v1[] = {V1_HEAD, 0x78, 0x15, 0x0d, 0x1c, V1_TAIL};

START_TEST(header_v1)
{
	struct parquet_page page = {.header_size = sizeof(plain_v1)};
	struct pagecodec_page body = {.compressed_page_size = 70};

	check_header(&page, &body, plain_v1, BYTES(V1_HEAD, 0x8c, 0x01, 0x2c, V1_TAIL));
	body.has_crc = 1;
	body.crc = 0xfffffff9;
	body.compressed_page_size = 60;
	check_header(&page, &body, plain_v1, crc_v1, sizeof(crc_v1));
	page.header_size = sizeof(crc_v1);
	check_header(&page, &body, crc_v1, crc_v1, sizeof(crc_v1));
	body.has_crc = 0;
	check_header(&page, &body, crc_v1, plain_v1, sizeof(plain_v1));
}
END_TEST

START_TEST(header_whose_fields_are_far_apart)
{
	/* Nothing between 3 and 19: with the CRC gone, 19 is 16 further on. */
	static const uint8_t header[] = {V1_HEAD, 0x78, 0x15, 0x0d, 0xf8, 0x01, 'u', 0x00};
	struct parquet_page page = {.header_size = sizeof(header)};
	struct pagecodec_page body = {.compressed_page_size = 60};

	check_header(&page, &body, header, BYTES(V1_HEAD, 0x78, 0x08, 0x26, 0x01, 'u', 0x00));
}
END_TEST

START_TEST(header_without_more_gets_a_crc)
{
	static const uint8_t header[] = {V1_HEAD, 0x78, 0x00};
	struct parquet_page page = {.header_size = sizeof(header)};
	struct pagecodec_page body = {.compressed_page_size = 60, .has_crc = 1, .crc = 1};

	check_header(&page, &body, header, BYTES(V1_HEAD, 0x78, 0x15, 0x02, 0x00));
}
END_TEST

#define V2_HEAD 0x15, 0x06, 0x15, 0xc8, 0x01, 0x15, 0x78, 0x5c
#define V2_INNER 0x15, 0x04, 0x15, 0x00, 0x15, 0x04, 0x15, 0x00, 0x15, 0x02, 0x15, 0x00

START_TEST(header_v2)
{
	static const uint8_t said[] = {V2_HEAD, V2_INNER, 0x11, 0x1c, 0x00, 0x00, 0x00};
	static const uint8_t denied[] = {V2_HEAD, V2_INNER, 0x12, 0x1c, 0x00, 0x00, 0x00};
	static const uint8_t unsaid[] = {V2_HEAD, V2_INNER, 0x2c, 0x00, 0x00, 0x00};
	struct parquet_page page = {.header_size = sizeof(said),
				    .type.value = PARQUET_DATA_PAGE_V2,
				    .is_compressed.size = 1};
	struct pagecodec_page body = {.compressed_page_size = 60};

	check_header(&page, &body, said, said, sizeof(said));
	check_header(&page, &body, denied, said, sizeof(said));
	body.is_stored = 1;
	check_header(&page, &body, said, denied, sizeof(denied));
	/* Absent means true: it comes only where it must. */
	page.header_size = sizeof(unsaid);
	page.is_compressed.size = 0;
	check_header(&page, &body, unsaid, denied, sizeof(denied));
	body.is_stored = 0;
	check_header(&page, &body, unsaid, unsaid, sizeof(unsaid));
}
END_TEST

START_TEST(header_v2_that_ends_where_the_flag_would_be)
{
	static const uint8_t header[] = {V2_HEAD, V2_INNER, 0x00, 0x00};
	struct parquet_page page = {.header_size = sizeof(header),
				    .type.value = PARQUET_DATA_PAGE_V2};
	struct pagecodec_page body = {.compressed_page_size = 60, .is_stored = 1};

	check_header(&page, &body, header, BYTES(V2_HEAD, V2_INNER, 0x12, 0x00, 0x00));
}
END_TEST

/* Two locations, the second's fields the other way round, row indexes, an unknown
 * list; and a field 2 that must stay. */
static const uint8_t offset_index[] = {0x19, 0x2c, 0x16, 0x80, 0x02, 0x15, 0x14, 0x16,
				       0x00, 0x00, 0x25, 0x14, 0x06, 0x02, 0xa0, 0x02,
				       0x26, 0x0a, 0x00, 0x19, 0x26, 0x02, 0x04, 0x00};

/* A dictionary at 100, pages at 128 and 144, the end at 154. */
static const struct page_move moves[] = {{100, 0}, {128, 8000}, {144, 8020}, {154, 8100}};

START_TEST(offset_indexes)
{
	struct bytes bytes = {0};
	struct fault fault = {.text = ""};

	ck_assert_msg(refooter_offset_index(&bytes, offset_index, sizeof(offset_index), moves,
					    3, 50, &fault),
		      "%s", fault.text);
	check_and_free(&bytes, BYTES(0x19, 0x2c, 0x16, 0xe4, 0x7d, 0x15, 0x28, 0x16, 0x00, 0x00,
				     0x25, 0xa0, 0x01, 0x06, 0x02, 0x8c, 0x7e, 0x26, 0x0a, 0x00,
				     0x19, 0x26, 0x02, 0x04, 0x00));
}
END_TEST

static void
check_bad_index(const uint8_t *data, size_t size, const struct page_move *pages,
		const char *want)
{
	struct bytes bytes = {0};
	struct fault fault = {.text = ""};

	ck_assert(!refooter_offset_index(&bytes, data, size, pages, 3, 0, &fault));
	ck_assert_int_eq(fault.exit, TOOL_DAMAGED);
	ck_assert_msg(strstr(fault.text, want), "%s", fault.text);
	bytes_free(&bytes);
}

START_TEST(offset_indexes_that_cannot_be)
{
	static const struct page_move others[] = {{100, 0}, {129, 1}, {144, 2}, {154, 3}};
	static const struct page_move turned[] = {{100, 0}, {144, 1}, {128, 2}, {154, 3}};

	check_bad_index(offset_index, sizeof(offset_index), others, "no page begins");
	check_bad_index(offset_index, sizeof(offset_index), turned, "no page begins");
	for (size_t size = 0; size < sizeof(offset_index); size++)
		check_bad_index(offset_index, size, moves, "its offset index is damaged");
	check_bad_index(BYTES(0x19, 0x1c, 0x16, 0x80, 0x02, 0x00, 0x00), moves,
			"a required field is missing");
}
END_TEST

int
main(void)
{
	add_test(numbers);
	add_test(fields);
	add_test(bytes_grow);
	add_test(splices);
	add_test(header_v1);
	add_test(header_whose_fields_are_far_apart);
	add_test(header_without_more_gets_a_crc);
	add_test(header_v2);
	add_test(header_v2_that_ends_where_the_flag_would_be);
	add_test(offset_indexes);
	add_test(offset_indexes_that_cannot_be);
	return run_tests("splice");
}
