/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buffer.h - a kept output or gather buffer: aligned to 64 bytes, readable for
 * 64 bytes beyond its capacity, never cleared, never shrunk.
 */
#ifndef PGC_BUFFER_H
#define PGC_BUFFER_H

#include "memory.h"

enum { PGC_BUFFER_ALIGN = 64, PGC_BUFFER_SLACK = 64 };

/* All zero: empty. */
struct pgc_buffer {
	uint8_t *data;
	size_t capacity;
	void *block;
};

static inline bool
pgc_buffer_holds(const struct pgc_buffer *buffer, size_t size)
{
	return buffer->data && size <= buffer->capacity;
}

/* A buffer of size bytes to take the place of one that is smaller, and that stays
 * as it is.  false: no memory. */
bool pgc_buffer_grow(const struct pgc_buffer *buffer, struct pgc_account *account, size_t size,
		     struct pgc_buffer *grown);

/* Room for size bytes; what the buffer held is lost.  false: no memory, and the
 * buffer is as it was. */
bool pgc_buffer_reserve(struct pgc_buffer *buffer, struct pgc_account *account, size_t size);

void pgc_buffer_free(struct pgc_buffer *buffer, struct pgc_account *account);

#endif
