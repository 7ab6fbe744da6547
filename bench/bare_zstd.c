/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bare_zstd.c - zstd by libzstd itself, as a page and as an Arrow buffer.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "contestants.h"
#include "pagecodec.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

struct zstd {
	ZSTD_CCtx *cctx;
	ZSTD_DCtx *dctx;
	int level;
};

static void *
open_zstd(const struct contestant *self, int level)
{
	struct zstd *zstd = must_alloc(sizeof(*zstd));

	(void)self;
	zstd->cctx = ZSTD_createCCtx();
	zstd->dctx = ZSTD_createDCtx();
	zstd->level = level;
	if (!zstd->cctx || !zstd->dctx ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(zstd->cctx, ZSTD_c_compressionLevel, level)))
		die("libzstd has no memory");
	return zstd;
}

static void
close_zstd(void *state)
{
	struct zstd *zstd = state;

	ZSTD_freeCCtx(zstd->cctx);
	ZSTD_freeDCtx(zstd->dctx);
	free(zstd);
}

static size_t
checked(size_t size)
{
	return ZSTD_isError(size) ? 0 : size;
}

static size_t
compress_kept(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	const struct zstd *zstd = state;

	return checked(ZSTD_compress2(zstd->cctx, dst, capacity, src, size));
}

static size_t
decompress_kept(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t dst_size)
{
	const struct zstd *zstd = state;

	return checked(ZSTD_decompressDCtx(zstd->dctx, dst, dst_size, src, size));
}

static size_t
compress_once(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	const struct zstd *zstd = state;

	return checked(ZSTD_compress(dst, capacity, src, size, zstd->level));
}

static size_t
decompress_once(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t dst_size)
{
	(void)state;
	return checked(ZSTD_decompress(dst, dst_size, src, size));
}

/* ---- Arrow buffers ----------------------------------------------------- */

typedef size_t coder(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t room);

static size_t
to_buffer(coder *compress, void *state, const uint8_t *src, size_t size, uint8_t *dst,
	  size_t capacity)
{
	size_t frame =
	    compress(state, src, size, dst + ARROW_PREFIX_SIZE, capacity - ARROW_PREFIX_SIZE);

	return frame ? arrow_finish(dst, frame, src, size) : 0;
}

static size_t
from_buffer(coder *decompress, void *state, const uint8_t *src, size_t size, uint8_t *dst,
	    size_t dst_size)
{
	if (arrow_is_stored(src)) {
		memcpy(dst, src + ARROW_PREFIX_SIZE, dst_size);
		return dst_size;
	}
	return decompress(state, src + ARROW_PREFIX_SIZE, size - ARROW_PREFIX_SIZE, dst,
			  dst_size);
}

static size_t
compress_kept_arrow(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	return to_buffer(compress_kept, state, src, size, dst, capacity);
}

static size_t
decompress_kept_arrow(void *state, const uint8_t *src, size_t size, uint8_t *dst,
		      size_t dst_size)
{
	return from_buffer(decompress_kept, state, src, size, dst, dst_size);
}

static size_t
compress_once_arrow(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	return to_buffer(compress_once, state, src, size, dst, capacity);
}

static size_t
decompress_once_arrow(void *state, const uint8_t *src, size_t size, uint8_t *dst,
		      size_t dst_size)
{
	return from_buffer(decompress_once, state, src, size, dst, dst_size);
}
#endif

const struct contestant bare_zstd[] = {
#ifdef HAVE_ZSTD
    {PAGECODEC_ZSTD, KEPT, "libzstd kept", NULL, "libzstd", 0, open_zstd, close_zstd,
     compress_kept, decompress_kept},
    {PAGECODEC_ZSTD, ONE_SHOT, "libzstd one-shot", NULL, "libzstd", 0, open_zstd, close_zstd,
     compress_once, decompress_once},
    {PAGECODEC_ARROW_ZSTD, KEPT, "libzstd kept", NULL, "libzstd", 0, open_zstd, close_zstd,
     compress_kept_arrow, decompress_kept_arrow},
    {PAGECODEC_ARROW_ZSTD, ONE_SHOT, "libzstd one-shot", NULL, "libzstd", 0, open_zstd,
     close_zstd, compress_once_arrow, decompress_once_arrow},
#endif
    {.name = NULL},
};
