/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thrift.h - a bounded reader of Thrift's compact protocol
 *
 * Parquet's footer and page headers are written in it.  Reads nothing beyond its
 * bytes, does not recurse, allocates nothing, and knows where each value lies.
 */
#ifndef THRIFT_H
#define THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum thrift_type {
	THRIFT_TRUE = 1, /* the two values of bool, in a field's header */
	THRIFT_FALSE = 2,
	THRIFT_I8 = 3,
	THRIFT_I16 = 4,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_DOUBLE = 7,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_SET = 10,
	THRIFT_MAP = 11,
	THRIFT_STRUCT = 12,
	THRIFT_UUID = 13
};

/* A fault stays: every later call fails too, and yields 0, so that callers look
 * once, at the end.  is_truncated: it was that the bytes ended, more might do. */
struct thrift {
	const uint8_t *data;
	size_t size, at;
	const char *fault;
	bool is_truncated;
};

/* All zero before a struct's first field. */
struct thrift_field {
	int16_t id;
	uint8_t type;
	size_t at; /* of the field's header */
};

/* A number that may have to be written anew, and the bytes that hold it (a bool:
 * its field's header).  size 0: the field is absent. */
struct thrift_number {
	int64_t value;
	uint32_t at, size;
};

struct thrift_bytes {
	const uint8_t *data;
	size_t size;
};

/* data: less than 4 GiB. */
void thrift_init(struct thrift *thrift, const void *data, size_t size);

/* Read the next field's header.  false: the struct has ended, or a fault. */
bool thrift_next(struct thrift *thrift, struct thrift_field *field);

/* Read the value of the field; another type than expected is a fault. */
void thrift_read_number(struct thrift *thrift, const struct thrift_field *field,
			enum thrift_type expected, struct thrift_number *number);
void thrift_read_bool(struct thrift *thrift, const struct thrift_field *field,
		      struct thrift_number *number);
void thrift_read_bytes(struct thrift *thrift, const struct thrift_field *field,
		       struct thrift_bytes *bytes);

/* Read a list's header; returns how many elements follow, which are at most as
 * many as bytes are left.  The caller reads each. */
uint32_t thrift_read_list(struct thrift *thrift, const struct thrift_field *field,
			  enum thrift_type element);

/* Step over a field's value, or over an element of a list. */
void thrift_skip(struct thrift *thrift, const struct thrift_field *field);

/* One element of a list of THRIFT_I32 or THRIFT_BINARY. */
int32_t thrift_element_i32(struct thrift *thrift);

/* The caller expected something else of the field. */
void thrift_fail(struct thrift *thrift, const char *fault);

/* Fields of a struct that are numbers: which, and where in object each is kept. */
struct thrift_slot {
	int16_t id;
	uint8_t type; /* THRIFT_TRUE: bool */
	bool is_required;
	size_t slot; /* offsetof a struct thrift_number */
};

/* Read the field if slots name it; false: they do not, and nothing was read. */
bool thrift_take(struct thrift *thrift, const struct thrift_field *field,
		 const struct thrift_slot *slots, size_t count, void *object);

/* After a struct's last field: a required one that did not come is a fault. */
void thrift_require(struct thrift *thrift, const struct thrift_slot *slots, size_t count,
		    const void *object);

#endif
