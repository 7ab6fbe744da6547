/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bare_gzip.c - gzip by zlib and by libdeflate themselves, CRC and framing theirs.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "contestants.h"
#include "pagecodec.h"

#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>

struct libdeflate {
	struct libdeflate_compressor *compressor;
	struct libdeflate_decompressor *decompressor;
};

static void *
open_libdeflate(const struct contestant *self, int level)
{
	struct libdeflate *gzip = must_alloc(sizeof(*gzip));

	(void)self;
	gzip->compressor = libdeflate_alloc_compressor(level);
	gzip->decompressor = libdeflate_alloc_decompressor();
	if (!gzip->compressor || !gzip->decompressor)
		die("libdeflate has no memory");
	return gzip;
}

static void
close_libdeflate(void *state)
{
	struct libdeflate *gzip = state;

	libdeflate_free_compressor(gzip->compressor);
	libdeflate_free_decompressor(gzip->decompressor);
	free(gzip);
}

static size_t
compress_libdeflate(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	const struct libdeflate *gzip = state;

	return libdeflate_gzip_compress(gzip->compressor, src, size, dst, capacity);
}

static size_t
decompress_libdeflate(void *state, const uint8_t *src, size_t size, uint8_t *dst,
		      size_t dst_size)
{
	const struct libdeflate *gzip = state;

	return libdeflate_gzip_decompress(gzip->decompressor, src, size, dst, dst_size, NULL) ==
		       LIBDEFLATE_SUCCESS
		   ? dst_size
		   : 0;
}
#endif

#ifdef HAVE_ZLIB
#define ZLIB_CONST
#include <zlib.h>

enum { GZIP_WINDOW_BITS = 15 + 16, MEMORY_LEVEL = 8 };

struct zlib {
	z_stream deflate, inflate;
	int level;
};

static void
start_deflate(struct zlib *zlib)
{
	if (deflateInit2(&zlib->deflate, zlib->level, Z_DEFLATED, GZIP_WINDOW_BITS,
			 MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		die("zlib has no memory");
}

static void
start_inflate(struct zlib *zlib)
{
	if (inflateInit2(&zlib->inflate, GZIP_WINDOW_BITS) != Z_OK)
		die("zlib has no memory");
}

static void *
open_zlib(const struct contestant *self, int level)
{
	struct zlib *zlib = must_alloc(sizeof(*zlib));

	memset(zlib, 0, sizeof(*zlib));
	zlib->level = level;
	if (self->role == KEPT) {
		start_deflate(zlib);
		start_inflate(zlib);
	}
	return zlib;
}

static void
close_kept(void *state)
{
	struct zlib *zlib = state;

	deflateEnd(&zlib->deflate);
	inflateEnd(&zlib->inflate);
	free(zlib);
}

static void
give(z_stream *z, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	z->next_in = src;
	z->avail_in = (uInt)size;
	z->next_out = dst;
	z->avail_out = (uInt)capacity;
}

static size_t
deflate_page(struct zlib *zlib, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	give(&zlib->deflate, src, size, dst, capacity);
	return deflate(&zlib->deflate, Z_FINISH) == Z_STREAM_END ? zlib->deflate.total_out : 0;
}

static size_t
inflate_page(struct zlib *zlib, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	give(&zlib->inflate, src, size, dst, capacity);
	return inflate(&zlib->inflate, Z_FINISH) == Z_STREAM_END ? zlib->inflate.total_out : 0;
}

static size_t
compress_kept(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	struct zlib *zlib = state;

	deflateReset(&zlib->deflate);
	return deflate_page(zlib, src, size, dst, capacity);
}

static size_t
decompress_kept(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t dst_size)
{
	struct zlib *zlib = state;

	inflateReset(&zlib->inflate);
	return inflate_page(zlib, src, size, dst, dst_size);
}

static size_t
compress_once(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	struct zlib *zlib = state;
	size_t made;

	start_deflate(zlib);
	made = deflate_page(zlib, src, size, dst, capacity);
	deflateEnd(&zlib->deflate);
	return made;
}

static size_t
decompress_once(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t dst_size)
{
	struct zlib *zlib = state;
	size_t made;

	start_inflate(zlib);
	made = inflate_page(zlib, src, size, dst, dst_size);
	inflateEnd(&zlib->inflate);
	return made;
}
#endif

const struct contestant bare_gzip[] = {
#ifdef HAVE_LIBDEFLATE
    {PAGECODEC_GZIP, KEPT, "libdeflate kept", NULL, "libdeflate", 12, open_libdeflate,
     close_libdeflate, compress_libdeflate, decompress_libdeflate},
#endif
#ifdef HAVE_ZLIB
    {PAGECODEC_GZIP, KEPT, "zlib kept", NULL, "zlib", 9, open_zlib, close_kept, compress_kept,
     decompress_kept},
    {PAGECODEC_GZIP, ONE_SHOT, "zlib one-shot", NULL, "zlib", 9, open_zlib, free, compress_once,
     decompress_once},
#endif
    {.name = NULL},
};
