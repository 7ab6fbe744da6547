/* SPDX-License-Identifier: Apache-2.0 */
/*
 * relation.h - tables as Arrow holds them in memory, made batch by batch: what a
 * query engine's cache compresses (after apache/datafusion-comet#6859).
 */
#ifndef RELATION_H
#define RELATION_H

#include <stddef.h>
#include <stdint.h>

enum { BATCH_ROWS = 8192, MAX_BUFFERS = 3 };

struct relation {
	const char *name;
	size_t columns, rows;
	size_t strings; /* so many columns, the last ones, are strings; else int64 */
	int has_nulls;	/* one in ten */
};

/* A column of one batch: validity, offsets and values, as far as it has them. */
struct column {
	struct column_buffer {
		uint8_t *data;
		size_t size;
	} buffers[MAX_BUFFERS];
	size_t count;
};

/* Buffers for batches of any of these columns; free() them. */
void column_open(struct column *column);
void column_close(struct column *column);

/* Values of rows from first_row on, which depend on row and column only. */
void column_fill(struct column *column, const struct relation *relation, size_t index,
		 size_t first_row, size_t rows);

#endif
