/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bare_other.c - snappy, brotli and LZO by their libraries, which have one call a
 * page and keep no state between pages (LZO: its work memory).
 */
#include "internal.h"

#include <stdlib.h>

#include "bench.h"
#include "contestants.h"

#if defined(HAVE_SNAPPY) || defined(HAVE_BROTLI)
static void *
open_level(const struct contestant *self, int level)
{
	int *state = must_alloc(sizeof(*state));

	(void)self;
	*state = level;
	return state;
}
#endif

#ifdef HAVE_SNAPPY
#include <snappy-c.h>

static size_t
compress_snappy(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	size_t made = capacity;

	(void)state;
	return snappy_compress((const char *)src, size, (char *)dst, &made) == SNAPPY_OK ? made
											 : 0;
}

static size_t
decompress_snappy(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t dst_size)
{
	size_t made = dst_size;

	(void)state;
	return snappy_uncompress((const char *)src, size, (char *)dst, &made) == SNAPPY_OK
		   ? made
		   : 0;
}
#endif

const struct contestant bare_snappy[] = {
#ifdef HAVE_SNAPPY
    {PAGECODEC_SNAPPY, KEPT, "libsnappy", NULL, "libsnappy", 0, open_level, free,
     compress_snappy, decompress_snappy},
#endif
    {.name = NULL},
};

#ifdef HAVE_BROTLI
#include <brotli/decode.h>
#include <brotli/encode.h>

static size_t
compress_brotli(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	size_t made = capacity;

	return BrotliEncoderCompress(*(const int *)state, BROTLI_DEFAULT_WINDOW,
				     BROTLI_DEFAULT_MODE, size, src, &made, dst)
		   ? made
		   : 0;
}

static size_t
decompress_brotli(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t dst_size)
{
	size_t made = dst_size;

	(void)state;
	return BrotliDecoderDecompress(size, src, &made, dst) == BROTLI_DECODER_RESULT_SUCCESS
		   ? made
		   : 0;
}
#endif

const struct contestant bare_brotli[] = {
#ifdef HAVE_BROTLI
    {PAGECODEC_BROTLI, KEPT, "libbrotli one-call", NULL, "libbrotli", 0, open_level, free,
     compress_brotli, decompress_brotli},
#endif
    {.name = NULL},
};

#ifdef HAVE_LZO
#include <lzo/lzo1x.h>

enum { LZO_BLOCK = 256 << 10, LZO_HEADER = 8 };

static void *
open_lzo(const struct contestant *self, int level)
{
	(void)self;
	(void)level;
	if (lzo_init() != LZO_E_OK)
		die("liblzo2 does not fit its header");
	return must_alloc(LZO1X_1_MEM_COMPRESS);
}

static size_t
compress_lzo(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	size_t end = 0;

	(void)capacity;
	for (size_t at = 0; at < size; at += LZO_BLOCK) {
		size_t plain = size - at < LZO_BLOCK ? size - at : LZO_BLOCK;
		lzo_uint made = 0;

		lzo1x_1_compress(src + at, plain, dst + end + LZO_HEADER, &made, state);
		pgc_store_be32(dst + end, (uint32_t)plain);
		pgc_store_be32(dst + end + 4, (uint32_t)made);
		end += LZO_HEADER + made;
	}
	return end;
}

static size_t
decompress_lzo(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t dst_size)
{
	size_t end = 0;

	(void)state;
	for (size_t at = 0; at < size;) {
		size_t packed = pgc_load_be32(src + at + 4);
		lzo_uint made = dst_size - end;

		at += LZO_HEADER;
		if (packed > size - at ||
		    lzo1x_decompress_safe(src + at, packed, dst + end, &made, NULL) != LZO_E_OK)
			return 0;
		at += packed;
		end += made;
	}
	return end;
}
#endif

const struct contestant bare_lzo[] = {
#ifdef HAVE_LZO
    {PAGECODEC_LZO, KEPT, "liblzo2 kept", NULL, "liblzo2", 0, open_lzo, free, compress_lzo,
     decompress_lzo},
#endif
    {.name = NULL},
};
