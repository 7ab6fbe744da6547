/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk_deflate.c - the symbols of a raw deflate stream, one bit at a time, with no
 * tables to set up and no output: only ever run on input that was refused.
 * RFC 1951.
 */
#include "internal.h"

#include "walk.h"

enum {
	MAX_BITS = 15,
	LITERAL_CODES = 288, /* 286 and 287 have codes but no meaning */
	DISTANCE_CODES = 30,
	LENGTH_CODES = 19,
	END_OF_BLOCK = 256
};

/* A canonical Huffman code: how many codes of each length, and the symbols in
 * the order of their codes. */
struct code {
	uint16_t counts[MAX_BITS + 1];
	uint16_t symbols[LITERAL_CODES];
};

struct walk {
	const uint8_t *src;
	size_t src_size, at;
	uint32_t bits;
	unsigned bit_count;
	uint64_t made;
	/* Of fixed blocks, made for the first: a block can be ten bits, and a page
	 * millions of them. */
	bool has_fixed;
	struct code literals, distances;
};

static bool
take_bits(struct walk *walk, unsigned count, unsigned *value)
{
	while (walk->bit_count < count) {
		if (walk->at == walk->src_size)
			return false;
		walk->bits |= (uint32_t)walk->src[walk->at++] << walk->bit_count;
		walk->bit_count += 8;
	}
	*value = walk->bits & ((1u << count) - 1);
	walk->bits >>= count;
	walk->bit_count -= count;
	return true;
}

/* How many codes are unused: negative where lengths ask for more than there are. */
static int
build_code(struct code *code, const uint8_t *lengths, unsigned count)
{
	uint16_t offsets[MAX_BITS + 1] = {0};
	int left = 1;

	memset(code->counts, 0, sizeof(code->counts));
	for (unsigned i = 0; i < count; i++)
		code->counts[lengths[i]]++;
	for (unsigned bits = 1; bits <= MAX_BITS; bits++) {
		left = left * 2 - code->counts[bits];
		if (left < 0)
			return left;
		if (bits < MAX_BITS)
			offsets[bits + 1] = (uint16_t)(offsets[bits] + code->counts[bits]);
	}
	for (unsigned i = 0; i < count; i++)
		if (lengths[i] != 0)
			code->symbols[offsets[lengths[i]]++] = (uint16_t)i;
	return left;
}

/* A sound code is complete, or (of literals and distances) has one symbol of one
 * bit, or (of distances) none at all. */
static bool
is_sound_code(const struct code *code, int left, unsigned count)
{
	unsigned unused = code->counts[0];

	return left == 0 ||
	       (left > 0 && count - unused <= 1 && code->counts[1] == count - unused);
}

static enum pgc_fault
take_symbol(struct walk *walk, const struct code *code, unsigned *symbol)
{
	unsigned value = 0, first = 0, index = 0;

	for (unsigned bits = 1; bits <= MAX_BITS; bits++) {
		unsigned bit;

		if (!take_bits(walk, 1, &bit))
			return PGC_STREAM_CUT;
		value |= bit;
		if (value - first < code->counts[bits]) {
			*symbol = code->symbols[index + value - first];
			return PGC_NO_FAULT;
		}
		index += code->counts[bits];
		first = (first + code->counts[bits]) << 1;
		value <<= 1;
	}
	return PGC_STREAM_CORRUPT;
}

static enum pgc_fault
walk_match(struct walk *walk, const struct code *distances, unsigned symbol)
{
	unsigned length, distance, extra, extra_bits;
	enum pgc_fault fault;

	if (symbol > 285)
		return PGC_STREAM_CORRUPT;
	if (symbol < 265 || symbol == 285) {
		length = symbol == 285 ? 258 : symbol - 257 + 3;
	} else {
		extra_bits = (symbol - 261) / 4;
		if (!take_bits(walk, extra_bits, &extra))
			return PGC_STREAM_CUT;
		length = ((4 + (symbol - 265) % 4) << extra_bits) + 3 + extra;
	}
	fault = take_symbol(walk, distances, &symbol);
	if (fault)
		return fault;
	if (symbol >= DISTANCE_CODES)
		return PGC_STREAM_CORRUPT;
	if (symbol < 4) {
		distance = symbol + 1;
	} else {
		extra_bits = symbol / 2 - 1;
		if (!take_bits(walk, extra_bits, &extra))
			return PGC_STREAM_CUT;
		distance = ((2 + symbol % 2) << extra_bits) + 1 + extra;
	}
	if (distance > walk->made)
		return PGC_STREAM_CORRUPT;
	walk->made += length;
	return PGC_NO_FAULT;
}

static enum pgc_fault
walk_symbols(struct walk *walk, const struct code *literals, const struct code *distances)
{
	for (;;) {
		unsigned symbol;
		enum pgc_fault fault = take_symbol(walk, literals, &symbol);

		if (!fault && symbol == END_OF_BLOCK)
			return PGC_NO_FAULT;
		if (!fault && symbol > END_OF_BLOCK)
			fault = walk_match(walk, distances, symbol);
		else if (!fault)
			walk->made++;
		if (fault)
			return fault;
	}
}

static enum pgc_fault
walk_stored(struct walk *walk)
{
	size_t length;

	walk->bits = 0;
	walk->bit_count = 0;
	if (walk->src_size - walk->at < 4)
		return PGC_STREAM_CUT;
	length = pgc_load_le16(walk->src + walk->at);
	if ((length ^ 0xffff) != pgc_load_le16(walk->src + walk->at + 2))
		return PGC_STREAM_CORRUPT;
	walk->at += 4;
	if (walk->src_size - walk->at < length)
		return PGC_STREAM_CUT;
	walk->at += length;
	walk->made += length;
	return PGC_NO_FAULT;
}

static void
build_fixed(struct walk *walk)
{
	uint8_t lengths[LITERAL_CODES];

	memset(lengths, 8, 144);
	memset(lengths + 144, 9, 112);
	memset(lengths + 256, 7, 24);
	memset(lengths + 280, 8, 8);
	build_code(&walk->literals, lengths, LITERAL_CODES);
	memset(lengths, 5, 32);
	build_code(&walk->distances, lengths, 32);
	walk->has_fixed = true;
}

static enum pgc_fault
walk_fixed(struct walk *walk)
{
	if (!walk->has_fixed)
		build_fixed(walk);
	return walk_symbols(walk, &walk->literals, &walk->distances);
}

/* The code lengths of both codes, themselves coded, with runs. */
static enum pgc_fault
take_lengths(struct walk *walk, const struct code *code, uint8_t *lengths, unsigned count)
{
	unsigned i = 0;

	while (i < count) {
		unsigned symbol, run;
		uint8_t value = 0;
		enum pgc_fault fault = take_symbol(walk, code, &symbol);

		if (fault)
			return fault;
		if (symbol < 16) {
			lengths[i++] = (uint8_t)symbol;
			continue;
		}
		if (!take_bits(walk, symbol == 16 ? 2 : symbol == 17 ? 3 : 7, &run))
			return PGC_STREAM_CUT;
		run += symbol == 18 ? 11 : 3;
		if ((symbol == 16 && i == 0) || run > count - i)
			return PGC_STREAM_CORRUPT;
		if (symbol == 16)
			value = lengths[i - 1];
		memset(lengths + i, value, run);
		i += run;
	}
	return PGC_NO_FAULT;
}

static enum pgc_fault
walk_dynamic(struct walk *walk)
{
	static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
						    11, 4,  12, 3, 13, 2, 14, 1, 15};
	struct code literals, distances;
	uint8_t lengths[LITERAL_CODES + 32] = {0};
	unsigned literal_count, distance_count, length_count, length;
	enum pgc_fault fault;

	if (!take_bits(walk, 5, &literal_count) || !take_bits(walk, 5, &distance_count) ||
	    !take_bits(walk, 4, &length_count))
		return PGC_STREAM_CUT;
	literal_count += 257;
	distance_count += 1;
	length_count += 4;
	if (literal_count > 286)
		return PGC_STREAM_CORRUPT;
	for (unsigned i = 0; i < length_count; i++) {
		if (!take_bits(walk, 3, &length))
			return PGC_STREAM_CUT;
		lengths[order[i]] = (uint8_t)length;
	}
	if (build_code(&literals, lengths, LENGTH_CODES) != 0)
		return PGC_STREAM_CORRUPT;
	fault = take_lengths(walk, &literals, lengths, literal_count + distance_count);
	if (fault)
		return fault;

	if (lengths[END_OF_BLOCK] == 0 ||
	    !is_sound_code(&literals, build_code(&literals, lengths, literal_count),
			   literal_count) ||
	    !is_sound_code(&distances,
			   build_code(&distances, lengths + literal_count, distance_count),
			   distance_count))
		return PGC_STREAM_CORRUPT;
	return walk_symbols(walk, &literals, &distances);
}

struct pgc_result
pgc_walk_deflate(const uint8_t *src, size_t src_size)
{
	struct walk walk = {.src = src, .src_size = src_size};
	unsigned is_final = 0, type;
	enum pgc_fault fault = PGC_NO_FAULT;

	while (!fault && !is_final) {
		if (!take_bits(&walk, 1, &is_final) || !take_bits(&walk, 2, &type))
			return pgc_bad(PGC_STREAM_CUT);
		if (type == 0)
			fault = walk_stored(&walk);
		else if (type == 1)
			fault = walk_fixed(&walk);
		else
			fault = type == 2 ? walk_dynamic(&walk) : PGC_STREAM_CORRUPT;
	}
	if (fault)
		return pgc_bad(fault);
	return pgc_done((size_t)PGC_MIN(walk.made, SIZE_MAX));
}
