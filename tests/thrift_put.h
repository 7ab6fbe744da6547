/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thrift_put.h - Thrift's compact protocol, written field by field
 *
 * As thrift_write.h, but whole structs, which tests make and the program never does.
 */
#ifndef THRIFT_PUT_H
#define THRIFT_PUT_H

#include "../tools/thrift_write.h"

/* A field with its value; *last as in thrift_put_field. */
void put_number(struct bytes *bytes, int16_t *last, int16_t id, uint8_t type, int64_t value);

/* text: shorter than 128 bytes. */
void put_text(struct bytes *bytes, int16_t *last, int16_t id, const char *text);

/* The header of a list of fewer than 15 elements, which the caller puts. */
void put_list(struct bytes *bytes, int16_t *last, int16_t id, uint8_t type, unsigned int count);

/* The end of a struct. */
void put_stop(struct bytes *bytes);

/* size: of 1 to 8 bytes, little-endian. */
void put_little(struct bytes *bytes, uint64_t value, unsigned int size);

#endif
