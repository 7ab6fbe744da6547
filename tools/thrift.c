/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thrift.c - a bounded reader of Thrift's compact protocol
 *
 * Format: thrift-compact-protocol.md of Apache Thrift.
 */
#include "tools.h"

#include <string.h>

#include "thrift.h"

/* parquet.thrift nests about 8 deep. */
#define DEPTH_MAX 64

void
thrift_init(struct thrift *thrift, const void *data, size_t size)
{
	memset(thrift, 0, sizeof(*thrift));
	thrift->data = data;
	thrift->size = size;
}

void
thrift_fail(struct thrift *thrift, const char *fault)
{
	if (!thrift->fault)
		thrift->fault = fault;
}

static bool
advance(struct thrift *thrift, size_t size)
{
	if (thrift->fault)
		return false;
	if (size > thrift->size - thrift->at) {
		thrift->is_truncated = true;
		thrift_fail(thrift, "it ends too early");
		return false;
	}
	thrift->at += size;
	return true;
}

static uint8_t
read_byte(struct thrift *thrift)
{
	return advance(thrift, 1) ? thrift->data[thrift->at - 1] : 0;
}

static uint64_t
read_varint(struct thrift *thrift)
{
	uint64_t value = 0;
	uint8_t byte;

	for (unsigned int shift = 0; shift < 64; shift += 7) {
		byte = read_byte(thrift);
		if (shift == 63 && byte > 1)
			break;
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
	thrift_fail(thrift, "a number is longer than 64 bits");
	return 0;
}

static int64_t
read_zigzag(struct thrift *thrift, int64_t least, int64_t most)
{
	uint64_t coded = read_varint(thrift);
	int64_t value = (int64_t)(coded >> 1) ^ -(int64_t)(coded & 1);

	if (value >= least && value <= most)
		return value;
	thrift_fail(thrift, "a number is out of range");
	return 0;
}

bool
thrift_next(struct thrift *thrift, struct thrift_field *field)
{
	int64_t id;
	uint8_t head;

	field->at = thrift->at;
	head = read_byte(thrift);
	if (thrift->fault || head == 0)
		return false;
	field->type = head & 15;
	if (head >> 4)
		id = field->id + (head >> 4);
	else
		id = read_zigzag(thrift, INT16_MIN, INT16_MAX);
	if (id > INT16_MAX)
		thrift_fail(thrift, "a field's number is out of range");
	else
		field->id = (int16_t)id;
	if (field->type == 0 || field->type > THRIFT_UUID)
		thrift_fail(thrift, "a field has no known type");
	return !thrift->fault;
}

static void
expect(struct thrift *thrift, const struct thrift_field *field, enum thrift_type expected)
{
	if (field->type != expected)
		thrift_fail(thrift, "a field has another type than it must have");
}

void
thrift_read_number(struct thrift *thrift, const struct thrift_field *field,
		   enum thrift_type expected, struct thrift_number *number)
{
	size_t at = thrift->at;

	expect(thrift, field, expected);
	if (expected == THRIFT_I64)
		number->value = read_zigzag(thrift, INT64_MIN, INT64_MAX);
	else if (expected == THRIFT_I32)
		number->value = read_zigzag(thrift, INT32_MIN, INT32_MAX);
	else
		number->value = read_zigzag(thrift, INT16_MIN, INT16_MAX);
	number->at = (uint32_t)at;
	number->size = (uint32_t)(thrift->at - at);
}

void
thrift_read_bool(struct thrift *thrift, const struct thrift_field *field,
		 struct thrift_number *number)
{
	if (field->type != THRIFT_FALSE)
		expect(thrift, field, THRIFT_TRUE);
	number->value = field->type == THRIFT_TRUE;
	number->at = (uint32_t)field->at;
	number->size = (uint32_t)(thrift->at - field->at);
}

void
thrift_read_bytes(struct thrift *thrift, const struct thrift_field *field,
		  struct thrift_bytes *bytes)
{
	uint64_t size;

	expect(thrift, field, THRIFT_BINARY);
	size = read_varint(thrift);
	if (size > UINT32_MAX)
		thrift_fail(thrift, "a text is longer than 4 GiB");
	if (!advance(thrift, (size_t)size))
		return;
	bytes->data = thrift->data + thrift->at - size;
	bytes->size = (size_t)size;
}

static uint64_t
read_count(struct thrift *thrift, uint64_t count)
{
	/* Every element takes a byte at least. */
	if (!thrift->fault && count > thrift->size - thrift->at) {
		thrift->is_truncated = true;
		thrift_fail(thrift, "a list is longer than the bytes that are left");
	}
	return thrift->fault ? 0 : count;
}

static uint64_t
read_list_head(struct thrift *thrift, uint8_t *element)
{
	uint8_t head = read_byte(thrift);
	uint64_t count = head >> 4;

	*element = head & 15;
	if (count == 15)
		count = read_varint(thrift);
	if (count && (*element == 0 || *element > THRIFT_UUID))
		thrift_fail(thrift, "a list's elements have no known type");
	return read_count(thrift, count);
}

uint32_t
thrift_read_list(struct thrift *thrift, const struct thrift_field *field,
		 enum thrift_type element)
{
	uint8_t type = 0;
	uint64_t count;

	expect(thrift, field, THRIFT_LIST);
	count = read_list_head(thrift, &type);
	/* Some writers give an empty list no type. */
	if (count && type != element)
		thrift_fail(thrift, "a list's elements have another type than they must have");
	return thrift->fault ? 0 : (uint32_t)count;
}

int32_t
thrift_element_i32(struct thrift *thrift)
{
	return (int32_t)read_zigzag(thrift, INT32_MIN, INT32_MAX);
}

/* A container that is being skipped: a struct, or left elements of types that
 * take turns (a map's keys and values). */
struct level {
	bool is_struct;
	uint64_t left;
	uint8_t types[2];
	struct thrift_field field;
};

/* Step over a scalar, or say which level a container opens: true. */
static bool
skip_one(struct thrift *thrift, uint8_t type, struct level *level)
{
	struct thrift_bytes bytes;
	uint8_t types;

	memset(level, 0, sizeof(*level));
	switch (type) {
	case THRIFT_TRUE:
	case THRIFT_FALSE:
		return false;
	case THRIFT_I8:
		advance(thrift, 1);
		return false;
	case THRIFT_I16:
	case THRIFT_I32:
	case THRIFT_I64:
		read_varint(thrift);
		return false;
	case THRIFT_DOUBLE:
		advance(thrift, 8);
		return false;
	case THRIFT_UUID:
		advance(thrift, 16);
		return false;
	case THRIFT_BINARY:
		thrift_read_bytes(thrift, &(struct thrift_field){.type = type}, &bytes);
		return false;
	case THRIFT_LIST:
	case THRIFT_SET:
		level->left = read_list_head(thrift, &level->types[0]);
		level->types[1] = level->types[0];
		return true;
	case THRIFT_MAP:
		level->left = 2 * read_count(thrift, read_varint(thrift));
		if (level->left) {
			types = read_byte(thrift);
			level->types[1] = types >> 4;
			level->types[0] = types & 15;
		}
		return true;
	case THRIFT_STRUCT:
		level->is_struct = true;
		return true;
	default:
		thrift_fail(thrift, "a value has no known type");
		return false;
	}
}

/* The type of what comes next in a container; 0: it has ended. */
static uint8_t
next_type(struct thrift *thrift, struct level *level)
{
	uint8_t type;

	if (level->is_struct)
		return thrift_next(thrift, &level->field) ? level->field.type : 0;
	if (level->left == 0)
		return 0;
	level->left--;
	type = level->types[level->left & 1];
	/* Outside a field's header a bool takes a byte. */
	if (type == THRIFT_TRUE || type == THRIFT_FALSE)
		return THRIFT_I8;
	if (type == 0)
		thrift_fail(thrift, "a map's elements have no known type");
	return type;
}

void
thrift_skip(struct thrift *thrift, const struct thrift_field *field)
{
	struct level levels[DEPTH_MAX];
	uint8_t type = field->type;
	size_t depth = 0;

	for (;;) {
		if (skip_one(thrift, type, &levels[depth]) && ++depth == DEPTH_MAX)
			thrift_fail(thrift, "it is nested too deep");
		for (type = 0; type == 0;) {
			if (thrift->fault || depth == 0)
				return;
			type = next_type(thrift, &levels[depth - 1]);
			depth -= type == 0;
		}
	}
}

static struct thrift_number *
slot_of(const struct thrift_slot *slot, const void *object)
{
	return (struct thrift_number *)((uintptr_t)object + slot->slot);
}

bool
thrift_take(struct thrift *thrift, const struct thrift_field *field,
	    const struct thrift_slot *slots, size_t count, void *object)
{
	for (size_t i = 0; i < count; i++) {
		if (slots[i].id != field->id)
			continue;
		if (slots[i].type == THRIFT_TRUE)
			thrift_read_bool(thrift, field, slot_of(&slots[i], object));
		else
			thrift_read_number(thrift, field, slots[i].type,
					   slot_of(&slots[i], object));
		return true;
	}
	return false;
}

void
thrift_require(struct thrift *thrift, const struct thrift_slot *slots, size_t count,
	       const void *object)
{
	for (size_t i = 0; i < count; i++)
		if (slots[i].is_required && slot_of(&slots[i], object)->size == 0)
			thrift_fail(thrift, "a required field is missing");
}
