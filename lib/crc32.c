/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crc32.c - CRC-32 and Adler-32 by libdeflate, else zlib, else by table: a build
 * without both still checks pages.
 */
#include "internal.h"

#include "crc32.h"

#if defined(HAVE_LIBDEFLATE)

#include <libdeflate.h>

static uint32_t
crc32_of(uint32_t crc, const uint8_t *data, size_t size)
{
	return libdeflate_crc32(crc, data, size);
}

static uint32_t
adler32_of(const uint8_t *data, size_t size)
{
	return libdeflate_adler32(1, data, size);
}

#elif defined(HAVE_ZLIB)

#include <zlib.h>

static uint32_t
crc32_of(uint32_t crc, const uint8_t *data, size_t size)
{
	return (uint32_t)crc32_z(crc, data, size);
}

static uint32_t
adler32_of(const uint8_t *data, size_t size)
{
	return (uint32_t)adler32_z(1, data, size);
}

#else

/* The remainders of the 16 values of four bits. */
static const uint32_t crc32_table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
					 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
					 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
					 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

static uint32_t
crc32_of(uint32_t crc, const uint8_t *data, size_t size)
{
	crc = ~crc;
	for (size_t i = 0; i < size; i++) {
		crc ^= data[i];
		crc = crc >> 4 ^ crc32_table[crc & 15];
		crc = crc >> 4 ^ crc32_table[crc & 15];
	}
	return ~crc;
}

static uint32_t
adler32_of(const uint8_t *data, size_t size)
{
	enum { MODULUS = 65521, UNREDUCED = 5552 }; /* bytes that cannot overflow */
	uint32_t a = 1, b = 0;

	for (size_t i = 0; i < size; i++) {
		a += data[i];
		b += a;
		if (i % UNREDUCED == UNREDUCED - 1) {
			a %= MODULUS;
			b %= MODULUS;
		}
	}
	return b % MODULUS << 16 | a % MODULUS;
}

#endif

uint32_t
pgc_crc32(uint32_t crc, const void *data, size_t size)
{
	return size == 0 ? crc : crc32_of(crc, data, size);
}

uint32_t
pgc_adler32(const void *data, size_t size)
{
	return size == 0 ? 1 : adler32_of(data, size);
}

uint32_t
pagecodec_crc32(uint32_t crc, const void *data, size_t size)
{
	return data ? pgc_crc32(crc, data, size) : crc;
}
