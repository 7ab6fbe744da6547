/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thrift_write.c - Thrift's compact protocol, written by copying
 *
 * Format: thrift-compact-protocol.md of Apache Thrift.
 */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

#include "thrift_write.h"

static bool
reserve(struct bytes *bytes, size_t size)
{
	size_t capacity = bytes->capacity ? bytes->capacity : 256;
	uint8_t *data;

	if (size <= bytes->capacity - bytes->size)
		return true;
	while (capacity - bytes->size < size && capacity <= SIZE_MAX / 2)
		capacity *= 2;
	data = capacity - bytes->size < size ? NULL : realloc(bytes->data, capacity);
	if (!data)
		return false;
	bytes->data = data;
	bytes->capacity = capacity;
	return true;
}

void
bytes_put(struct bytes *bytes, const void *data, size_t size)
{
	if (size == 0 || bytes->is_out_of_memory)
		return;
	if (!reserve(bytes, size)) {
		bytes->is_out_of_memory = true;
		return;
	}
	memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

void
bytes_free(struct bytes *bytes)
{
	free(bytes->data);
	memset(bytes, 0, sizeof(*bytes));
}

void
thrift_put_number(struct bytes *bytes, int64_t value)
{
	uint64_t zigzag = (uint64_t)value << 1 ^ (0 - (uint64_t)(value < 0));
	uint8_t text[10];
	size_t size = 0;

	for (; zigzag >= 0x80; zigzag >>= 7)
		text[size++] = (uint8_t)(zigzag | 0x80);
	text[size++] = (uint8_t)zigzag;
	bytes_put(bytes, text, size);
}

void
thrift_put_field(struct bytes *bytes, int16_t *last_id, int16_t id, uint8_t type)
{
	int step = id - *last_id;
	uint8_t head = type;

	if (step > 0 && step <= 15)
		head |= (uint8_t)(step << 4);
	bytes_put(bytes, &head, 1);
	if (head == type)
		thrift_put_number(bytes, id);
	*last_id = id;
}

void
splice_number(struct splice *splice, const struct thrift_number *number, int64_t value)
{
	if (number->size == 0 || number->value == value)
		return;
	bytes_put(splice->out, splice->data + splice->at, number->at - splice->at);
	thrift_put_number(splice->out, value);
	splice->at = number->at + number->size;
}

void
splice_rest(struct splice *splice)
{
	bytes_put(splice->out, splice->data + splice->at, splice->size - splice->at);
	splice->at = splice->size;
}
