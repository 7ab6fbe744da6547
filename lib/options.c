/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c - one rule for all options structs: a smaller one lacks fields, a
 * larger one may only hold zeros where we know of no field.
 */
#include "internal.h"

#include "options.h"

enum pgc_fault
pgc_options_read(void *options, size_t full_size, size_t first_size, const void *given)
{
	const uint8_t *bytes = given;
	size_t given_size;

	memset(options, 0, full_size);
	if (!given)
		return PGC_NO_FAULT;
	memcpy(&given_size, given, sizeof(given_size));
	if (given_size < first_size)
		return PGC_STRUCT_SHORT;
	for (size_t i = full_size; i < given_size; i++)
		if (bytes[i] != 0)
			return PGC_STRUCT_BEYOND;
	memcpy(options, given, PGC_MIN(given_size, full_size));
	return PGC_NO_FAULT;
}
