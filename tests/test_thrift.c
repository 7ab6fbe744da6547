/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_thrift.c - the bounded reader of Thrift's compact protocol
 *
 * Every value that is read, every fault that it must find, and where numbers lie.
 */
#include "../tools/tools.h"

#include "../tools/thrift.h"
#include "testing.h"

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__}), sizeof((const uint8_t[]){__VA_ARGS__})

static struct thrift
reader(const void *data, size_t size)
{
	struct thrift thrift;

	thrift_init(&thrift, data, size);
	return thrift;
}

/* Read a struct of one field of this type as a number. */
static struct thrift
read_one(const void *data, size_t size, enum thrift_type type, struct thrift_number *number)
{
	struct thrift thrift = reader(data, size);
	struct thrift_field field = {0};

	memset(number, 0, sizeof(*number));
	if (thrift_next(&thrift, &field))
		thrift_read_number(&thrift, &field, type, number);
	return thrift;
}

/* Skip a struct of any fields. */
static struct thrift
skip_all(const void *data, size_t size)
{
	struct thrift thrift = reader(data, size);
	struct thrift_field field = {0};

	while (thrift_next(&thrift, &field))
		thrift_skip(&thrift, &field);
	return thrift;
}

START_TEST(numbers_are_zigzag)
{
	struct thrift_number number;
	struct thrift thrift;

	thrift = read_one(BYTES(0x15, 0x01, 0x00), THRIFT_I32, &number);
	ck_assert_ptr_null(thrift.fault);
	ck_assert_int_eq(number.value, -1);
	ck_assert_uint_eq(number.at, 1);
	ck_assert_uint_eq(number.size, 1);
	read_one(BYTES(0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0x00), THRIFT_I32, &number);
	ck_assert_int_eq(number.value, INT32_MAX);
	ck_assert_uint_eq(number.size, 5);
	read_one(BYTES(0x15, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00), THRIFT_I32, &number);
	ck_assert_int_eq(number.value, INT32_MIN);
	read_one(BYTES(0x16, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
		 THRIFT_I64, &number);
	ck_assert_int_eq(number.value, INT64_MIN);
	ck_assert_uint_eq(number.size, 10);
}
END_TEST

START_TEST(numbers_out_of_range_are_faults)
{
	struct thrift_number number;
	struct thrift thrift;

	thrift = read_one(BYTES(0x15, 0x80, 0x80, 0x80, 0x80, 0x10), THRIFT_I32, &number);
	ck_assert_str_eq(thrift.fault, "a number is out of range");
	ck_assert_int_eq(number.value, 0);
	thrift =
	    read_one(BYTES(0x16, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02),
		     THRIFT_I64, &number);
	ck_assert_str_eq(thrift.fault, "a number is longer than 64 bits");
	ck_assert(!thrift.is_truncated);
	thrift = read_one(BYTES(0x16, 0x02, 0x00), THRIFT_I32, &number);
	ck_assert_str_eq(thrift.fault, "a field has another type than it must have");
}
END_TEST

START_TEST(field_ids_come_as_steps_or_whole)
{
	/* 1, then 16 = 1 + 15, then 300 written whole, then 301. */
	static const uint8_t data[] = {0x11, 0xf2, 0x01, 0xd8, 0x04, 0x12, 0x00};
	static const int16_t ids[] = {1, 16, 300, 301};
	struct thrift thrift = reader(data, sizeof(data));
	struct thrift_field field = {0};

	for (size_t i = 0; i < COUNT_OF(ids); i++) {
		ck_assert(thrift_next(&thrift, &field));
		ck_assert_int_eq(field.id, ids[i]);
	}
	ck_assert(!thrift_next(&thrift, &field));
	ck_assert_ptr_null(thrift.fault);
	ck_assert_uint_eq(thrift.at, sizeof(data));
}
END_TEST

START_TEST(field_ids_and_types_that_cannot_be)
{
	/* 32767 written whole, and one step beyond. */
	struct thrift thrift = skip_all(BYTES(0x01, 0xfe, 0xff, 0x03, 0x11));

	ck_assert_str_eq(thrift.fault, "a field's number is out of range");
	thrift = skip_all(BYTES(0x10));
	ck_assert_str_eq(thrift.fault, "a field has no known type");
	thrift = skip_all(BYTES(0x1e));
	ck_assert_str_eq(thrift.fault, "a field has no known type");
	thrift = skip_all(BYTES(0x19, 0x10, 0x00));
	ck_assert_str_eq(thrift.fault, "a list's elements have no known type");
	thrift = skip_all(BYTES(0x1b, 0x01, 0x50, 0x00, 0x00));
	ck_assert_str_eq(thrift.fault, "a map's elements have no known type");
}
END_TEST

/* Each kind of value once: bools, byte, i16, double, binary, list of bools, list of
 * more than 14, set, map, empty map, nested structs, uuid. */
static const uint8_t all_kinds[] = {
    0x11, 0x12, 0x13, 0x7f, 0x14, 0x02, 0x17, 1,   2,	 3,    4,    5,	   6,	 7,
    8,	  0x18, 0x02, 'h',  'i',  0x19, 0x31, 1,   2,	 1,    0x19, 0xf3, 0x0f, 0,
    1,	  2,	3,    4,    5,	  6,	7,    8,   9,	 10,   11,   12,   13,	 14,
    0x1a, 0x15, 0x02, 0x1b, 0x02, 0x85, 0x01, 'k', 0x04, 0x01, 'l',  0x06, 0x1b, 0x00,
    0x1c, 0x1c, 0x15, 0x02, 0x00, 0x00, 0x1d, 0,   1,	 2,    3,    4,	   5,	 6,
    7,	  8,	9,    10,   11,	  12,	13,   14,  15,	 0x00};

START_TEST(skip_steps_over_every_kind)
{
	struct thrift thrift = skip_all(all_kinds, sizeof(all_kinds));

	ck_assert_msg(!thrift.fault, "%s at %zu", thrift.fault, thrift.at);
	ck_assert_uint_eq(thrift.at, sizeof(all_kinds));
}
END_TEST

START_TEST(every_prefix_is_truncated)
{
	for (size_t size = 0; size < sizeof(all_kinds); size++) {
		struct thrift thrift = skip_all(all_kinds, size);

		ck_assert_msg(thrift.is_truncated && thrift.fault, "%zu bytes", size);
		ck_assert_uint_le(thrift.at, size);
	}
}
END_TEST

START_TEST(depth_is_bounded)
{
	static uint8_t data[200000];
	struct thrift thrift;

	memset(data, 0x1c, sizeof(data));
	thrift = skip_all(data, sizeof(data));
	ck_assert_str_eq(thrift.fault, "it is nested too deep");
	memset(data, 0x19, sizeof(data)); /* lists of one list */
	thrift = skip_all(data, sizeof(data));
	ck_assert_str_eq(thrift.fault, "it is nested too deep");
	/* As deep as a sound file may go. */
	memset(data, 0x1c, 60);
	memset(data + 60, 0, 61);
	thrift = skip_all(data, 121);
	ck_assert_ptr_null(thrift.fault);
	ck_assert_uint_eq(thrift.at, 121);
}
END_TEST

START_TEST(lengths_beyond_the_end)
{
	struct thrift thrift = skip_all(BYTES(0x18, 0xff, 0xff, 0xff, 0xff, 0x0f, 'a'));

	ck_assert_str_eq(thrift.fault, "it ends too early");
	thrift = skip_all(BYTES(0x18, 0x80, 0x80, 0x80, 0x80, 0x10, 'a'));
	ck_assert_str_eq(thrift.fault, "a text is longer than 4 GiB");
	thrift = skip_all(BYTES(0x19, 0xf5, 0xff, 0xff, 0xff, 0x7f, 0, 0));
	ck_assert_str_eq(thrift.fault, "a list is longer than the bytes that are left");
	thrift = skip_all(
	    BYTES(0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x55));
	ck_assert_str_eq(thrift.fault, "a list is longer than the bytes that are left");
}
END_TEST

START_TEST(lists_and_bytes)
{
	struct thrift thrift = reader(BYTES(0x19, 0x25, 0x02, 0x03, 0x18, 0x01, 'x', 0x00));
	struct thrift_field field = {0};
	struct thrift_bytes bytes = {0};

	ck_assert(thrift_next(&thrift, &field));
	ck_assert_uint_eq(thrift_read_list(&thrift, &field, THRIFT_I32), 2);
	ck_assert_int_eq(thrift_element_i32(&thrift), 1);
	ck_assert_int_eq(thrift_element_i32(&thrift), -2);
	ck_assert(thrift_next(&thrift, &field));
	thrift_read_bytes(&thrift, &field, &bytes);
	ck_assert_uint_eq(bytes.size, 1);
	ck_assert_int_eq(bytes.data[0], 'x');
	thrift = reader(BYTES(0x19, 0x26, 0x02, 0x03));
	memset(&field, 0, sizeof(field));
	ck_assert(thrift_next(&thrift, &field));
	ck_assert_uint_eq(thrift_read_list(&thrift, &field, THRIFT_I32), 0);
	ck_assert_str_eq(thrift.fault,
			 "a list's elements have another type than they must have");
}
END_TEST

struct pair {
	struct thrift_number first, second;
};

static const struct thrift_slot slots[] = {
    {1, THRIFT_I64, true, offsetof(struct pair, first)},
    {3, THRIFT_TRUE, false, offsetof(struct pair, second)},
};

static struct thrift
read_pair(const void *data, size_t size, struct pair *pair)
{
	struct thrift thrift = reader(data, size);
	struct thrift_field field = {0};

	memset(pair, 0, sizeof(*pair));
	while (thrift_next(&thrift, &field))
		if (!thrift_take(&thrift, &field, slots, COUNT_OF(slots), pair))
			thrift_skip(&thrift, &field);
	thrift_require(&thrift, slots, COUNT_OF(slots), pair);
	return thrift;
}

START_TEST(slots_keep_values_and_places)
{
	struct pair pair;
	/* Field 2 is not known: a binary that holds what looks like field 3. */
	struct thrift thrift =
	    read_pair(BYTES(0x16, 0x80, 0x02, 0x18, 0x01, 0x11, 0x12, 0x00), &pair);

	ck_assert_ptr_null(thrift.fault);
	ck_assert_int_eq(pair.first.value, 128);
	ck_assert_uint_eq(pair.first.at, 1);
	ck_assert_uint_eq(pair.first.size, 2);
	ck_assert_int_eq(pair.second.value, 0);
	ck_assert_uint_eq(pair.second.at, 6);
	ck_assert_uint_eq(pair.second.size, 1);
	thrift = read_pair(BYTES(0x16, 0x02, 0x00), &pair);
	ck_assert_ptr_null(thrift.fault);
	ck_assert_uint_eq(pair.second.size, 0);
	thrift = read_pair(BYTES(0x31, 0x00), &pair);
	ck_assert_str_eq(thrift.fault, "a required field is missing");
	thrift = read_pair(BYTES(0x16, 0x02, 0x25, 0x02, 0x00), &pair);
	ck_assert_str_eq(thrift.fault, "a field has another type than it must have");
}
END_TEST

int
main(void)
{
	add_test(numbers_are_zigzag);
	add_test(numbers_out_of_range_are_faults);
	add_test(field_ids_come_as_steps_or_whole);
	add_test(field_ids_and_types_that_cannot_be);
	add_test(skip_steps_over_every_kind);
	add_test(every_prefix_is_truncated);
	add_test(depth_is_bounded);
	add_test(lengths_beyond_the_end);
	add_test(lists_and_bytes);
	add_test(slots_keep_values_and_places);
	return run_tests("thrift");
}
