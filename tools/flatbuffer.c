/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flatbuffer.c - a bounded reader of flatbuffers
 *
 * Format: the flatbuffers internals page, "FlatBuffer Binary Format".
 */
#include "tools.h"

#include "flatbuffer.h"

int64_t
flat_load(const uint8_t *p, unsigned int width)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < width; i++)
		value |= (uint64_t)p[i] << (8 * i);
	if (width < 8 && p[width - 1] & 0x80)
		value |= UINT64_MAX << (8 * width);
	return (int64_t)value;
}

/* Offsets are unsigned, whatever the loaded sign is. */
static uint32_t
load_u32(const struct flatbuffer *buffer, size_t at)
{
	return (uint32_t)flat_load(buffer->data + at, 4);
}

static uint16_t
load_u16(const struct flatbuffer *buffer, size_t at)
{
	return (uint16_t)flat_load(buffer->data + at, 2);
}

static bool
has(struct flatbuffer *buffer, size_t at, uint64_t size)
{
	if (at > buffer->size || size > buffer->size - at)
		buffer->is_bad = true;
	return !buffer->is_bad;
}

static struct flat_table
table_at(struct flatbuffer *buffer, size_t at)
{
	struct flat_table none = {.buffer = buffer}, table = {.buffer = buffer, .at = at};
	int64_t vtable;

	if (!has(buffer, at, 4))
		return none;
	vtable = (int64_t)at - flat_load(buffer->data + at, 4);
	if (vtable < 0 || !has(buffer, (size_t)vtable, 4)) {
		buffer->is_bad = true;
		return none;
	}
	table.vtable_at = (size_t)vtable;
	table.vtable_size = load_u16(buffer, table.vtable_at);
	table.size = load_u16(buffer, table.vtable_at + 2);
	if (table.vtable_size < 4 || !has(buffer, table.vtable_at, table.vtable_size) ||
	    !has(buffer, at, table.size)) {
		buffer->is_bad = true;
		return none;
	}
	return table;
}

struct flat_table
flat_table_from(struct flatbuffer *buffer, size_t at)
{
	uint64_t target;

	if (!has(buffer, at, 4))
		return (struct flat_table){.buffer = buffer};
	target = (uint64_t)at + load_u32(buffer, at);
	if (target == 0 || target >= buffer->size) {
		buffer->is_bad = true;
		return (struct flat_table){.buffer = buffer};
	}
	return table_at(buffer, (size_t)target);
}

struct flat_table
flat_root(struct flatbuffer *buffer)
{
	return flat_table_from(buffer, 0);
}

/* Where the field lies; 0: it is absent. */
static size_t
field_at(const struct flat_table *table, unsigned int id, unsigned int width)
{
	size_t slot = 4 + 2 * (size_t)id, offset;

	if (table->at == 0 || table->buffer->is_bad || slot + 2 > table->vtable_size)
		return 0;
	offset = load_u16(table->buffer, table->vtable_at + slot);
	if (offset == 0)
		return 0;
	if (offset < 4 || offset + width > table->size) {
		table->buffer->is_bad = true;
		return 0;
	}
	return table->at + offset;
}

int64_t
flat_number(const struct flat_table *table, unsigned int id, unsigned int width, int64_t absent)
{
	size_t at = field_at(table, id, width);

	return at ? flat_load(table->buffer->data + at, width) : absent;
}

struct flat_table
flat_child(const struct flat_table *table, unsigned int id)
{
	size_t at = field_at(table, id, 4);

	return at ? flat_table_from(table->buffer, at)
		  : (struct flat_table){.buffer = table->buffer};
}

size_t
flat_vector(const struct flat_table *table, unsigned int id, size_t element_size,
	    uint32_t *count)
{
	struct flatbuffer *buffer = table->buffer;
	size_t at = field_at(table, id, 4);

	*count = 0;
	if (at == 0)
		return 0;
	at += load_u32(buffer, at);
	if (!has(buffer, at, 4) ||
	    !has(buffer, at + 4, (uint64_t)load_u32(buffer, at) * element_size))
		return 0;
	*count = load_u32(buffer, at);
	return at + 4;
}
