/* SPDX-License-Identifier: Apache-2.0 */
/*
 * xxh32.c - xxHash by its specification (doc/xxhash_spec.md of Cyan4973/xxHash);
 * liblz4 has it too, but does not export it.
 */
#include "internal.h"

#include "xxh32.h"

#define PRIME_1 0x9e3779b1u
#define PRIME_2 0x85ebca77u
#define PRIME_3 0xc2b2ae3du
#define PRIME_4 0x27d4eb2fu
#define PRIME_5 0x165667b1u

enum { LANES = 4, STRIPE = 16 };

static uint32_t
rotate(uint32_t value, unsigned count)
{
	return value << count | value >> (32 - count);
}

/* The stripes of data, mixed into one word. */
static uint32_t
mix_stripes(const uint8_t *data, size_t count)
{
	uint32_t lanes[LANES] = {PRIME_1 + PRIME_2, PRIME_2, 0, 0u - PRIME_1};

	for (; count > 0; count--, data += STRIPE)
		for (size_t i = 0; i < LANES; i++) {
			lanes[i] += pgc_load_le32(data + 4 * i) * PRIME_2;
			lanes[i] = rotate(lanes[i], 13) * PRIME_1;
		}
	return rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) +
	       rotate(lanes[3], 18);
}

uint32_t
pgc_xxh32(const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size;
	uint32_t hash = size < STRIPE ? PRIME_5 : mix_stripes(data, size / STRIPE);

	data += size / STRIPE * STRIPE;
	hash += (uint32_t)size;
	for (; end - data >= 4; data += 4)
		hash = rotate(hash + pgc_load_le32(data) * PRIME_3, 17) * PRIME_4;
	for (; data < end; data++)
		hash = rotate(hash + *data * PRIME_5, 11) * PRIME_1;
	hash = (hash ^ hash >> 15) * PRIME_2;
	hash = (hash ^ hash >> 13) * PRIME_3;
	return hash ^ hash >> 16;
}
