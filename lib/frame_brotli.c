/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame_brotli.c - a brotli stream (RFC 7932, section 9) of uncompressed
 * meta-blocks, for pages that an encoder makes larger than the bound.
 */
#include "internal.h"

#include "frame.h"

enum { BLOCK_MAX = 1 << 24, PLAIN_WINDOW_LOG = 16, MIN_NIBBLES = 4 };

/* Bits that wait for a whole byte, the first in the lowest place. */
struct bits {
	uint8_t *dst;
	uint64_t value;
	unsigned count;
};

static void
put(struct bits *bits, uint64_t value, unsigned count)
{
	bits->value |= value << bits->count;
	bits->count += count;
}

/* Up to the next byte, with zeros. */
static void
flush(struct bits *bits)
{
	for (; bits->count > 0; bits->count -= PGC_MIN(bits->count, 8u)) {
		*bits->dst++ = (uint8_t)bits->value;
		bits->value >>= 8;
	}
}

/* ISLAST 0, MNIBBLES, MLEN - 1 in as few nibbles as it takes, ISUNCOMPRESSED 1 */
static void
put_block_header(struct bits *bits, size_t size)
{
	unsigned nibbles = MIN_NIBBLES;

	while ((size - 1) >> (4 * nibbles) != 0)
		nibbles++;
	put(bits, 0, 1);
	put(bits, nibbles - MIN_NIBBLES, 2);
	put(bits, size - 1, 4 * nibbles);
	put(bits, 1, 1);
}

size_t
pgc_brotli_store(uint8_t *dst, const uint8_t *src, size_t src_size, int window_log)
{
	struct bits bits = {.dst = dst};

	/* A window of 64 KiB is a single bit; smaller ones take seven. */
	if (window_log == 0 || window_log >= PLAIN_WINDOW_LOG)
		put(&bits, 0, 1);
	else
		put(&bits, (uint64_t)(window_log - 8) << 4 | 1, 7);
	while (src_size > 0) {
		size_t size = PGC_MIN(src_size, BLOCK_MAX);

		put_block_header(&bits, size);
		flush(&bits);
		memcpy(bits.dst, src, size);
		bits.dst += size;
		src += size;
		src_size -= size;
	}
	/* ISLAST 1, ISLASTEMPTY 1 */
	put(&bits, 3, 2);
	flush(&bits);
	return (size_t)(bits.dst - dst);
}
