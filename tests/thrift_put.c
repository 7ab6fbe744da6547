/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thrift_put.c - Thrift's compact protocol, written field by field
 *
 * Format: thrift-compact-protocol.md of Apache Thrift.
 */
#include "../tools/tools.h"

#include <string.h>

#include "thrift_put.h"

void
put_number(struct bytes *bytes, int16_t *last, int16_t id, uint8_t type, int64_t value)
{
	thrift_put_field(bytes, last, id, type);
	thrift_put_number(bytes, value);
}

void
put_text(struct bytes *bytes, int16_t *last, int16_t id, const char *text)
{
	thrift_put_field(bytes, last, id, THRIFT_BINARY);
	bytes_put(bytes, &(uint8_t){(uint8_t)strlen(text)}, 1);
	bytes_put(bytes, text, strlen(text));
}

void
put_list(struct bytes *bytes, int16_t *last, int16_t id, uint8_t type, unsigned int count)
{
	thrift_put_field(bytes, last, id, THRIFT_LIST);
	bytes_put(bytes, &(uint8_t){(uint8_t)(count << 4 | type)}, 1);
}

void
put_stop(struct bytes *bytes)
{
	bytes_put(bytes, "", 1);
}

void
put_little(struct bytes *bytes, uint64_t value, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		bytes_put(bytes, &(uint8_t){(uint8_t)(value >> (8 * i))}, 1);
}
