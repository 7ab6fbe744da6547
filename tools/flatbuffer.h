/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flatbuffer.h - a bounded reader of flatbuffers
 *
 * Arrow's messages are written in it.  Every offset is held against the bytes that
 * are there where it is used; nothing recurses, nothing needs alignment.
 */
#ifndef FLATBUFFER_H
#define FLATBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A fault stays; readers yield the default from then on, and callers look at the end. */
struct flatbuffer {
	const uint8_t *data;
	size_t size;
	bool is_bad;
};

/* at 0: there is no such table; its fields then all have their defaults. */
struct flat_table {
	struct flatbuffer *buffer;
	size_t at, size;
	size_t vtable_at, vtable_size;
};

struct flat_table flat_root(struct flatbuffer *buffer);

/* Fields by their id, which counts from 0 (a union has two: its type and its table). */
int64_t flat_number(const struct flat_table *table, unsigned int id, unsigned int width,
		    int64_t absent);
struct flat_table flat_child(const struct flat_table *table, unsigned int id);

/* First byte and count of a vector of structs, bytes or offsets; 0: none. */
size_t flat_vector(const struct flat_table *table, unsigned int id, size_t element_size,
		   uint32_t *count);

/* The table that the offset at this place (an element of a vector) leads to. */
struct flat_table flat_table_from(struct flatbuffer *buffer, size_t at);

/* A little-endian number of width bytes, with its sign; the bytes must be there. */
int64_t flat_load(const uint8_t *p, unsigned int width);

#endif
