/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame.c - gzip members, the zlib header and snappy's length.  Every length is
 * checked against what is left before it is used.
 */
#include "internal.h"

#include "crc32.h"
#include "frame.h"

enum gzip_flag { FTEXT = 1, FHCRC = 2, FEXTRA = 4, FNAME = 8, FCOMMENT = 16, FRESERVED = 0xe0 };

enum { METHOD_DEFLATE = 8, OS_UNKNOWN = 255, XFL_BEST = 2, XFL_FASTEST = 4 };

enum pgc_fault
pgc_uncompressed_examine(const uint8_t *src, size_t src_size, size_t dst_size,
			 struct pagecodec_span *stored, size_t *actual_size)
{
	*stored = (struct pagecodec_span){src, src_size};
	*actual_size = src_size;
	return src_size == dst_size ? PGC_NO_FAULT : PGC_STORED_SIZE_DIFFERS;
}

enum pgc_fault
pgc_snappy_length(const uint8_t *src, size_t size, size_t *length_size, size_t *length)
{
	uint64_t value = 0;

	for (size_t i = 0; i < 5; i++) {
		if (i == size)
			return PGC_HEADER_CUT;
		value |= (uint64_t)(src[i] & 0x7f) << (7 * i);
		if (src[i] < 0x80) {
			if (value > UINT32_MAX)
				return PGC_SNAPPY_LENGTH;
			if (value > SIZE_MAX)
				return PGC_ABOVE_SIZE_MAX;
			*length_size = i + 1;
			*length = (size_t)value;
			return PGC_NO_FAULT;
		}
	}
	return PGC_SNAPPY_LENGTH;
}

enum pgc_fault
pgc_snappy_examine(const uint8_t *src, size_t src_size, size_t dst_size,
		   struct pagecodec_span *stored, size_t *actual_size)
{
	size_t length_size;
	enum pgc_fault fault = pgc_snappy_length(src, src_size, &length_size, actual_size);

	(void)stored;
	if (fault)
		return fault;
	return *actual_size == dst_size ? PGC_NO_FAULT : PGC_SIZE_DIFFERS;
}

/* ID1 ID2 CM FLG MTIME[4] XFL OS */
void
pgc_gzip_write_header(uint8_t *dst, int level)
{
	static const uint8_t header[PGC_GZIP_HEADER_SIZE] = {0x1f, 0x8b, METHOD_DEFLATE};

	memcpy(dst, header, sizeof(header));
	dst[8] = level <= 1 ? XFL_FASTEST : level >= 9 ? XFL_BEST : 0;
	dst[9] = OS_UNKNOWN;
}

/* CRC-32, then ISIZE: the size modulo 2^32 */
void
pgc_gzip_write_trailer(uint8_t *dst, uint32_t crc, size_t size)
{
	pgc_store_le32(dst, crc);
	pgc_store_le32(dst + 4, (uint32_t)size);
}

/* BFINAL and BTYPE 00 in a byte of their own, LEN, NLEN */
size_t
pgc_deflate_store(uint8_t *dst, const uint8_t *src, size_t src_size)
{
	enum { BLOCK_MAX = 65535 };
	uint8_t *start = dst;
	size_t size;

	do {
		size = PGC_MIN(src_size, BLOCK_MAX);
		src_size -= size;
		*dst++ = src_size == 0;
		pgc_store_le32(dst, (uint32_t)size | (uint32_t)(size ^ BLOCK_MAX) << 16);
		dst += 4;
		memcpy(dst, src, size);
		dst += size;
		src += size;
	} while (src_size > 0);
	return (size_t)(dst - start);
}

/* The field is text that ends in a NUL; *at moves behind that. */
static bool
skip_text(const uint8_t *src, size_t size, size_t *at)
{
	const uint8_t *nul = *at < size ? memchr(src + *at, 0, size - *at) : NULL;

	if (!nul)
		return false;
	*at = (size_t)(nul - src) + 1;
	return true;
}

static bool
skip_extra(const uint8_t *src, size_t size, size_t *at)
{
	size_t length;

	if (size - *at < 2)
		return false;
	length = pgc_load_le16(src + *at);
	if (size - *at - 2 < length)
		return false;
	*at += 2 + length;
	return true;
}

enum pgc_fault
pgc_gzip_read_header(const uint8_t *src, size_t size, size_t *header_size)
{
	size_t at = PGC_GZIP_HEADER_SIZE;
	uint8_t flags;

	if ((size > 0 && src[0] != 0x1f) || (size > 1 && src[1] != 0x8b))
		return PGC_MAGIC;
	if (size > 2 && src[2] != METHOD_DEFLATE)
		return PGC_GZIP_METHOD;
	if (size > 3 && src[3] & FRESERVED)
		return PGC_GZIP_FLAGS;
	if (size < PGC_GZIP_HEADER_SIZE)
		return PGC_HEADER_CUT;

	flags = src[3];
	if (flags & FEXTRA && !skip_extra(src, size, &at))
		return PGC_HEADER_CUT;
	if (flags & FNAME && !skip_text(src, size, &at))
		return PGC_HEADER_CUT;
	if (flags & FCOMMENT && !skip_text(src, size, &at))
		return PGC_HEADER_CUT;
	if (flags & FHCRC) {
		if (size - at < 2)
			return PGC_HEADER_CUT;
		if (pgc_load_le16(src + at) != (pgc_crc32(0, src, at) & 0xffff))
			return PGC_HEADER_CHECKSUM;
		at += 2;
	}
	*header_size = at;
	return PGC_NO_FAULT;
}

enum pgc_fault
pgc_gzip_check_trailer(const uint8_t *src, const uint8_t *data, size_t size)
{
	if (pgc_load_le32(src + 4) != (uint32_t)size)
		return PGC_GZIP_ISIZE;
	if (pgc_load_le32(src) != pgc_crc32(0, data, size))
		return PGC_GZIP_CRC;
	return PGC_NO_FAULT;
}

/* CMF: method, and window 2^8..2^15; FLG: makes CMF FLG a multiple of 31 */
bool
pgc_zlib_starts(const uint8_t *src, size_t size)
{
	return size >= PGC_ZLIB_HEADER_SIZE && (src[0] & 0x0f) == METHOD_DEFLATE &&
	       src[0] >> 4 <= 7 && (src[0] << 8 | src[1]) % 31 == 0;
}
