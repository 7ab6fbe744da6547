/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h - reading the public options structs, which start with their size so
 * that they can grow.
 */
#ifndef PGC_OPTIONS_H
#define PGC_OPTIONS_H

#include "error.h"

/* The size of a struct up to and with a field: what its first version had. */
#define PGC_SIZE_TO(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* Copy given (NULL: all defaults) to options, of full_size bytes; fields that
 * given lacks become 0. */
enum pgc_fault pgc_options_read(void *options, size_t full_size, size_t first_size,
				const void *given);

#endif
