/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - first include of every .c: configuration, the public header,
 * checked arithmetic, and loads and stores of a stated byte order.
 */
#ifndef PGC_INTERNAL_H
#define PGC_INTERNAL_H

#include "config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pagecodec.h"

#define PGC_MIN(a, b) ((a) < (b) ? (a) : (b))
#define PGC_MAX(a, b) ((a) > (b) ? (a) : (b))

/* false, and *sum untouched: a + b does not fit. */
static inline bool
pgc_add(size_t a, size_t b, size_t *sum)
{
	if (b > SIZE_MAX - a)
		return false;
	*sum = a + b;
	return true;
}

/* ceil(n / per), for per > 0 */
static inline size_t
pgc_divide_up(size_t n, size_t per)
{
	return n / per + (n % per != 0);
}

static inline uint16_t
pgc_load_le16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t
pgc_load_le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

static inline uint64_t
pgc_load_le64(const uint8_t *p)
{
	return (uint64_t)pgc_load_le32(p) | (uint64_t)pgc_load_le32(p + 4) << 32;
}

static inline uint32_t
pgc_load_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
	       (uint32_t)p[3];
}

static inline void
pgc_store_le32(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)value;
	p[1] = (uint8_t)(value >> 8);
	p[2] = (uint8_t)(value >> 16);
	p[3] = (uint8_t)(value >> 24);
}

static inline void
pgc_store_le64(uint8_t *p, uint64_t value)
{
	pgc_store_le32(p, (uint32_t)value);
	pgc_store_le32(p + 4, (uint32_t)(value >> 32));
}

static inline void
pgc_store_be32(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 24);
	p[1] = (uint8_t)(value >> 16);
	p[2] = (uint8_t)(value >> 8);
	p[3] = (uint8_t)value;
}

#endif
