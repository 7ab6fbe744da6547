/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_text.c - names out of hostile files, on a terminal and in JSON
 *
 * Also the bounded flatbuffer reader: offsets that lead out of the message.
 */
#include "../tools/tools.h"

#include <stdlib.h>

#include "../tools/flatbuffer.h"
#include "../tools/json.h"
#include "../tools/text.h"
#include "testing.h"

static void
check_name(const char *name, size_t capacity, const char *want)
{
	char text[64];

	memset(text, 'x', sizeof(text));
	ck_assert_str_eq(text_name(text, capacity, name, strlen(name)), want);
	ck_assert_int_eq(text[capacity], 'x');
}

START_TEST(names_are_safe_on_a_terminal)
{
	check_name("plain", 32, "plain");
	check_name("", 32, "");
	check_name("a\x1b[31mb\n", 32, "a?[31mb?");
	check_name("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 32,
		   "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
	check_name("\xc3", 32, "?");
	check_name("\xc0\xaf\xed\xa0\x80\xff", 32, "??????");
	check_name("\xc2\x9b", 32, "??"); /* C1: a terminal may take it for ESC [ */
	check_name("12345678", 9, "12345678");
	check_name("123456789", 9, "12345...");
	check_name("1234\xe2\x82\xac\xe2\x82\xac", 9, "1234...");
}
END_TEST

START_TEST(sizes_and_ratios)
{
	char text[TEXT_SIZE_MAX];

	ck_assert_str_eq(text_size(text, 0), "0 bytes");
	ck_assert_str_eq(text_size(text, 1023), "1023 bytes");
	ck_assert_str_eq(text_size(text, 1536), "1.5 KiB");
	ck_assert_str_eq(text_size(text, UINT64_MAX), "16.0 EiB");
	ck_assert_str_eq(text_ratio(text, 227, 100), "2.27");
	ck_assert_str_eq(text_ratio(text, 1, 0), "-");
}
END_TEST

START_TEST(json_is_valid_whatever_comes)
{
	char *out = NULL;
	size_t size;
	struct json json = {.out = open_memstream(&out, &size), .is_first = true};

	ck_assert_ptr_nonnull(json.out);
	json_open(&json, NULL, '{');
	json_text(&json, "a", "\"\\\n\x7f\xff\xc3\xa9");
	json_open(&json, "b", '[');
	json_int(&json, NULL, INT64_MIN);
	json_bool(&json, NULL, true);
	json_close(&json, ']');
	json_open(&json, "c", '[');
	json_close(&json, ']');
	json_close(&json, '}');
	fclose(json.out);
	ck_assert_str_eq(out, "{\n  \"a\": \"\\\"\\\\\\u000a\\u007f\\ufffd\xc3\xa9\",\n"
			      "  \"b\": [\n    -9223372036854775808,\n    true\n  ],\n"
			      "  \"c\": []\n}\n");
	free(out);
}
END_TEST

/* A root table with a number, a child table and a vector of two int16. */
static const uint8_t flat[] = {
    16,	 0,   0,   0,			   /*  0: the root lies at 16 */
    12,	 0,   16,  0,	4, 0, 8, 0, 12, 0, /*  4: its vtable: size, table's size, 3 fields */
    0,	 0,				   /* 14: padding, which the vtable counts */
    12,	 0,   0,   0,			   /* 16: the root: vtable 12 before */
    254, 255, 255, 255,			   /* 20: field 0: -2 */
    8,	 0,   0,   0,			   /* 24: field 1: a table at 32 */
    8,	 0,   0,   0,			   /* 28: field 2: a vector at 36 */
    28,	 0,   0,   0,			   /* 32: the child, with the same vtable */
    2,	 0,   0,   0,			   /* 36: two elements */
    1,	 0,   255, 255, 0, 0, 0, 0,	   /* 40 */
};

START_TEST(flatbuffers_are_read)
{
	struct flatbuffer buffer = {flat, sizeof(flat), false};
	struct flat_table root = flat_root(&buffer), child;
	uint32_t count;
	size_t at;

	ck_assert_uint_eq(root.at, 16);
	ck_assert_int_eq(flat_number(&root, 0, 4, 7), -2);
	ck_assert_int_eq(flat_number(&root, 4, 4, 7), 7);
	at = flat_vector(&root, 2, 2, &count);
	ck_assert_uint_eq(at, 40);
	ck_assert_uint_eq(count, 2);
	ck_assert_int_eq(flat_load(flat + at + 2, 2), -1);
	child = flat_child(&root, 1);
	ck_assert_uint_eq(child.at, 32);
	ck_assert_int_eq(flat_number(&child, 0, 4, 0), 2);
	ck_assert(!buffer.is_bad);
}
END_TEST

/* Every byte with every value: no read is outside, which the sanitizers see. */
START_TEST(damaged_flatbuffers_are_bounded)
{
	size_t bad_count = 0;

	for (size_t i = 0; i < 256 * sizeof(flat); i++) {
		uint8_t *copy = malloc(sizeof(flat));
		struct flatbuffer buffer = {copy, sizeof(flat), false};
		struct flat_table root, child;
		uint32_t count;
		size_t at;

		ck_assert_ptr_nonnull(copy);
		memcpy(copy, flat, sizeof(flat));
		copy[i / 256] = (uint8_t)i;
		root = flat_root(&buffer);
		child = flat_child(&root, 1);
		flat_number(&child, 2, 8, 0);
		at = flat_vector(&root, 2, 2, &count);
		ck_assert_uint_le(at + 2 * (size_t)count, sizeof(flat));
		at = flat_vector(&child, 2, 4, &count);
		ck_assert_uint_le(at + 4 * (size_t)count, sizeof(flat));
		bad_count += buffer.is_bad;
		free(copy);
	}
	ck_assert_uint_gt(bad_count, 0);
}
END_TEST

START_TEST(short_flatbuffers_are_bad)
{
	for (size_t size = 0; size < 20; size++) {
		uint8_t *copy = malloc(size ? size : 1);
		struct flatbuffer buffer = {copy, size, false};

		ck_assert_ptr_nonnull(copy);
		memcpy(copy, flat, size);
		ck_assert_uint_eq(flat_root(&buffer).at, 0);
		ck_assert(buffer.is_bad);
		free(copy);
	}
}
END_TEST

int
main(void)
{
	add_test(names_are_safe_on_a_terminal);
	add_test(sizes_and_ratios);
	add_test(json_is_valid_whatever_comes);
	add_test(flatbuffers_are_read);
	add_test(damaged_flatbuffers_are_bounded);
	add_test(short_flatbuffers_are_bad);
	return run_tests("text");
}
