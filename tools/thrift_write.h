/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thrift_write.h - Thrift's compact protocol, written by copying
 *
 * What a rewriter does not know goes over byte for byte; numbers and fields between
 * that are put anew.
 */
#ifndef THRIFT_WRITE_H
#define THRIFT_WRITE_H

#include "thrift.h"

/* Grows as it is put to.  is_out_of_memory stays, so that callers look once, at the
 * end.  All zero: empty. */
struct bytes {
	uint8_t *data;
	size_t size, capacity;
	bool is_out_of_memory;
};

void bytes_put(struct bytes *bytes, const void *data, size_t size);
void bytes_free(struct bytes *bytes);

/* An i16, i32 or i64. */
void thrift_put_number(struct bytes *bytes, int64_t value);

/* A field's header; *last_id: of the field before, 0 before the first, and set to id. */
void thrift_put_field(struct bytes *bytes, int16_t *last_id, int16_t id, uint8_t type);

/* A copy in which some numbers are others; begin with at 0. */
struct splice {
	const uint8_t *data;
	size_t size, at;
	struct bytes *out;
};

/* Numbers come in the order in which they lie.  One that has the value already stays
 * as it was written; one that is absent stays so. */
void splice_number(struct splice *splice, const struct thrift_number *number, int64_t value);
void splice_rest(struct splice *splice);

#endif
