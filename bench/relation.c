/* SPDX-License-Identifier: Apache-2.0 */
/*
 * relation.c - values of cached tables: keys that count, numbers of a small range,
 * names out of a thousand, words out of twenty, codes that never repeat.
 */
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "relation.h"

enum { MAX_STRING = 32 };
static const size_t room[MAX_BUFFERS] = {(BATCH_ROWS + 7) / 8, (size_t)4 * (BATCH_ROWS + 1),
					 (size_t)BATCH_ROWS *MAX_STRING};

void
column_open(struct column *column)
{
	for (size_t i = 0; i < MAX_BUFFERS; i++)
		column->buffers[i].data = must_alloc(room[i]);
}

void
column_close(struct column *column)
{
	for (size_t i = 0; i < MAX_BUFFERS; i++)
		free(column->buffers[i].data);
}

/* Bits that look random, the same for the same place (splitmix64). */
static uint64_t
noise(size_t row, size_t index)
{
	uint64_t bits = row * 0x9e3779b97f4a7c15 + index * 0xd1b54a32d192ed03;

	bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
	bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
	return bits ^ bits >> 31;
}

static uint64_t
number(size_t row, size_t index)
{
	switch (index % 3) {
	case 0:
		return row;
	case 1:
		return noise(row, index) % 1000;
	default:
		return 1600000000000 + row * 1000 + noise(row, index) % 5000;
	}
}

static size_t
string(char text[MAX_STRING], size_t row, size_t index)
{
	static const char *const words[] = {"amber", "birch",	"cedar", "dune",   "elm",
					    "fern",  "granite", "heath", "iris",   "juniper",
					    "kelp",  "larch",	"moss",	 "nettle", "oak",
					    "pine",  "quartz",	"reed",	 "slate",  "thorn"};
	uint64_t bits = noise(row, index);

	switch (index % 3) {
	case 0:
		return (size_t)snprintf(text, MAX_STRING, "name_%" PRIu64, bits % 1000);
	case 1:
		return (size_t)snprintf(text, MAX_STRING, "%s", words[bits % 20]);
	default:
		return (size_t)snprintf(text, MAX_STRING, "%016" PRIx64, bits);
	}
}

static void
fill_strings(struct column *column, size_t index, size_t first_row, size_t rows)
{
	struct column_buffer *offsets = &column->buffers[1], *values = &column->buffers[2];

	offsets->size = 4 * (rows + 1);
	values->size = 0;
	for (size_t i = 0; i < rows; i++) {
		char text[MAX_STRING];
		size_t size = string(text, first_row + i, index);

		pgc_store_le32(offsets->data + 4 * i, (uint32_t)values->size);
		memcpy(values->data + values->size, text, size);
		values->size += size;
	}
	pgc_store_le32(offsets->data + 4 * rows, (uint32_t)values->size);
}

static void
fill_numbers(struct column *column, size_t index, size_t first_row, size_t rows)
{
	column->buffers[1].size = 0;
	column->buffers[2].size = 8 * rows;
	for (size_t i = 0; i < rows; i++)
		pgc_store_le64(column->buffers[2].data + 8 * i, number(first_row + i, index));
}

/* One bit a row; nulls have the value 0. */
static void
fill_nulls(struct column *column, size_t index, size_t first_row, size_t rows)
{
	struct column_buffer *validity = &column->buffers[0];

	validity->size = (rows + 7) / 8;
	memset(validity->data, 0, validity->size);
	for (size_t i = 0; i < rows; i++) {
		if (noise(first_row + i, index + 1000000) % 10 != 0)
			validity->data[i / 8] |= (uint8_t)(1 << i % 8);
		else
			pgc_store_le64(column->buffers[2].data + 8 * i, 0);
	}
}

void
column_fill(struct column *column, const struct relation *relation, size_t index,
	    size_t first_row, size_t rows)
{
	column->buffers[0].size = 0;
	if (index >= relation->columns - relation->strings)
		fill_strings(column, index, first_row, rows);
	else
		fill_numbers(column, index, first_row, rows);
	if (relation->has_nulls)
		fill_nulls(column, index, first_row, rows);
}
