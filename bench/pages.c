/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pages.c - kinds of pages: the mixed runs of parquet-java's CompressionBenchmark
 * (apache/parquet-java#3555), and typed columns as in its later form (#3570).
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "pages.h"

/* ---- java.util.Random -------------------------------------------------- */

#define SEED_MASK (((uint64_t)1 << 48) - 1)
#define MULTIPLIER 0x5DEECE66D
#define INCREMENT 0xB

static void
seed(struct random_source *random, uint64_t value)
{
	memset(random, 0, sizeof(*random));
	random->seed = (value ^ MULTIPLIER) & SEED_MASK;
}

static uint32_t
next_bits(struct random_source *random, int bits)
{
	random->seed = (random->seed * MULTIPLIER + INCREMENT) & SEED_MASK;
	return (uint32_t)(random->seed >> (48 - bits));
}

/* 0 to bound - 1.  Values of the last, incomplete stretch of bound are drawn anew;
 * Java finds them by an overflow to negative. */
static uint32_t
next_below(struct random_source *random, uint32_t bound)
{
	uint32_t bits, value;

	if ((bound & (bound - 1)) == 0)
		return (uint32_t)((uint64_t)bound * next_bits(random, 31) >> 31);
	do {
		bits = next_bits(random, 31);
		value = bits % bound;
	} while (bits - value + (bound - 1) > INT32_MAX);
	return value;
}

static double
next_double(struct random_source *random)
{
	uint64_t high = (uint64_t)next_bits(random, 26) << 27;

	return (double)(high + next_bits(random, 27)) * 0x1p-53;
}

/* The polar method: two values at a time. */
static double
next_gaussian(struct random_source *random)
{
	double a, b, square, scale;

	if (random->has_spare_gaussian) {
		random->has_spare_gaussian = 0;
		return random->spare_gaussian;
	}
	do {
		a = 2 * next_double(random) - 1;
		b = 2 * next_double(random) - 1;
		square = a * a + b * b;
	} while (square >= 1 || square == 0);
	scale = sqrt(-2 * log(square) / square);
	random->spare_gaussian = b * scale;
	random->has_spare_gaussian = 1;
	return a * scale;
}

static void
next_bytes(struct random_source *random, uint8_t *place, size_t size)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < size; i++) {
		bits = i % 4 == 0 ? next_bits(random, 32) : bits >> 8;
		place[i] = (uint8_t)bits;
	}
}

/* ---- Values ------------------------------------------------------------ */

static size_t
put_le(uint8_t *place, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		place[i] = (uint8_t)(value >> 8 * i);
	return size;
}

/* A run of 64 to 319 bytes of one of four kinds, cut off by the page's end. */
static size_t
put_run(struct random_source *random, uint8_t *place, size_t left)
{
	uint32_t kind = next_below(random, 4);
	size_t size = next_below(random, 256) + 64;

	if (size > left)
		size = left;
	if (kind == 0)
		for (size_t i = 0; i < size; i++)
			place[i] = (uint8_t)i;
	else if (kind == 1)
		memset(place, (int)next_below(random, 256), size);
	else if (kind == 2)
		for (size_t i = 0; i < size; i++)
			place[i] = (uint8_t)next_below(random, 16);
	else
		next_bytes(random, place, size);
	return size;
}

static size_t
put_int32_id(struct random_source *random, uint8_t *place, size_t left)
{
	(void)left;
	return put_le(place, next_bits(random, 32), 4);
}

/* A reading of about 15 in steps of 0.1.  In float each operation is rounded, also
 * where the machine could multiply and add in one: hence volatile. */
static size_t
put_float_measure(struct random_source *random, uint8_t *place, size_t left)
{
	volatile float deviation = (float)next_gaussian(random) * 8.0F;
	volatile float tenths = (15.0F + deviation) * 10.0F;
	float value = floorf(tenths + 0.5F) / 10.0F;
	uint32_t bits;

	(void)left;
	memcpy(&bits, &value, sizeof(bits));
	return put_le(place, bits, 4);
}

static size_t
put_double_measure(struct random_source *random, uint8_t *place, size_t left)
{
	volatile double deviation = next_gaussian(random) * 8.0;
	volatile double tenths = (15.0 + deviation) * 10.0;
	double value = floor(tenths + 0.5) / 10.0;
	uint64_t bits;

	(void)left;
	memcpy(&bits, &value, sizeof(bits));
	return put_le(place, bits, 8);
}

/* A price in cents, as 16 bytes big-endian. */
static size_t
put_decimal(struct random_source *random, uint8_t *place, size_t left)
{
	uint64_t cents = (uint64_t)(next_double(random) * 1e8);

	(void)left;
	for (size_t i = 0; i < 16; i++)
		place[15 - i] = (uint8_t)(i < 8 ? cents >> 8 * i : 0);
	return 16;
}

static size_t
put_token(struct random_source *random, uint8_t *place, size_t left)
{
	uint32_t length = 4 + next_below(random, 13);

	(void)left;
	put_le(place, length, 4);
	for (uint32_t i = 0; i < length; i++)
		place[4 + i] = (uint8_t)('A' + next_below(random, 26));
	return 4 + length;
}

/* The words that the check values of this kind were made of. */
static const char words[20][12] = {"the",	  "quick",    "brown",	"fox",	   "jumps",
				   "over",	  "lazy",     "dog",	"parquet", "column",
				   "data",	  "value",    "record", "field",   "schema",
				   "compression", "encoding", "page",	"row",	   "group"};

static size_t
put_sentence(struct random_source *random, uint8_t *place, size_t left)
{
	uint32_t count = 6 + next_below(random, 7);
	size_t end = 4;

	(void)left;
	for (uint32_t i = 0; i < count; i++) {
		const char *word = words[next_below(random, 20)];
		size_t length = strlen(word);

		if (i > 0)
			place[end++] = ' ';
		memcpy(place + end, word, length);
		end += length;
	}
	put_le(place, end - 4, 4);
	return end;
}

/* ---- Kinds ------------------------------------------------------------- */

/* clang-format off */
const struct value_kind value_kinds[] = {
	{ "mixed-runs", "counting, equal, small and random bytes in runs", put_run },
	{ "int32-id", "random int32: does not compress", put_int32_id },
	{ "float-measure", "float readings in steps of 0.1", put_float_measure },
	{ "double-measure", "double readings in steps of 0.1", put_double_measure },
	{ "decimal", "prices as 16-byte decimals", put_decimal },
	{ "dictionary", "a dictionary page of random words", put_token },
	{ "text", "sentences of 20 words", put_sentence },
	{ NULL, NULL, NULL },
};
/* clang-format on */

const struct value_kind *
value_kind_find(const char *name)
{
	const struct value_kind *kind = value_kinds;

	while (kind->name && strcmp(kind->name, name) != 0)
		kind++;
	return kind->name ? kind : NULL;
}

size_t
page_make(const struct value_kind *kind, uint8_t *page, size_t size)
{
	struct random_source random;
	size_t end = 0;

	seed(&random, 42);
	while (end < size)
		end += kind->put(&random, page + end, size - end);
	return end;
}
