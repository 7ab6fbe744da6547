/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec_zstd.c - zstd frames (RFC 8878) with contexts that are made once: making
 * one costs more than a small page.  One call a page, so that no window is kept.
 */
#include "internal.h"

#define ZSTD_STATIC_LINKING_ONLY /* ZSTD_customMem */
#include <zstd.h>
#include <zstd_errors.h>

#include "codec.h"

#ifdef HAVE_ZSTD_CREATECCTX_ADVANCED
static void *
zstd_alloc(void *opaque, size_t size)
{
	return pgc_alloc(opaque, size);
}

static void
zstd_free(void *opaque, void *address)
{
	pgc_free(opaque, address);
}

static ZSTD_CCtx *
new_cctx(struct pgc_account *account)
{
	return ZSTD_createCCtx_advanced((ZSTD_customMem){zstd_alloc, zstd_free, account});
}

static ZSTD_DCtx *
new_dctx(struct pgc_account *account)
{
	return ZSTD_createDCtx_advanced((ZSTD_customMem){zstd_alloc, zstd_free, account});
}
#else
static ZSTD_CCtx *
new_cctx(struct pgc_account *account)
{
	(void)account;
	return ZSTD_createCCtx();
}

static ZSTD_DCtx *
new_dctx(struct pgc_account *account)
{
	(void)account;
	return ZSTD_createDCtx();
}
#endif

static bool
set_parameters(ZSTD_CCtx *cctx, const struct pgc_settings *settings)
{
	return !ZSTD_isError(
		   ZSTD_CCtx_setParameter(cctx, ZSTD_c_compressionLevel, settings->level)) &&
	       !ZSTD_isError(
		   ZSTD_CCtx_setParameter(cctx, ZSTD_c_checksumFlag, settings->checksum)) &&
	       !ZSTD_isError(
		   ZSTD_CCtx_setParameter(cctx, ZSTD_c_windowLog, settings->window_log));
}

static enum pgc_fault
open_compressor(const struct pgc_compress_engine *self, struct pgc_account *account,
		const struct pgc_settings *settings, void **state)
{
	ZSTD_CCtx *cctx = new_cctx(account);

	(void)self;
	if (!cctx)
		return PGC_NO_MEMORY;
	if (!set_parameters(cctx, settings)) {
		ZSTD_freeCCtx(cctx);
		return PGC_LEVEL_RANGE;
	}
	*state = cctx;
	return PGC_NO_FAULT;
}

static void
close_compressor(void *state)
{
	ZSTD_freeCCtx(state);
}

static struct pgc_result
compress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_capacity)
{
	size_t size = ZSTD_compress2(state, dst, dst_capacity, src, src_size);

	/* Only memory for the match finder can lack: dst has its bound. */
	return ZSTD_isError(size) ? pgc_bad(PGC_NO_MEMORY) : pgc_done(size);
}

static enum pgc_fault
open_decompressor(const struct pgc_decompress_engine *self, struct pgc_account *account,
		  void **state)
{
	(void)self;
	*state = new_dctx(account);
	return *state ? PGC_NO_FAULT : PGC_NO_MEMORY;
}

static void
close_decompressor(void *state)
{
	ZSTD_freeDCtx(state);
}

static struct pgc_result
decompress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size)
{
	size_t size = ZSTD_decompressDCtx(state, dst, dst_size, src, src_size);

	if (!ZSTD_isError(size))
		return size == dst_size ? pgc_done(size) : pgc_size_differs(size);
	switch ((int)ZSTD_getErrorCode(size)) {
	case ZSTD_error_dstSize_tooSmall:
		return pgc_size_differs(0);
	case ZSTD_error_checksum_wrong:
		return pgc_bad(PGC_CONTENT_CHECKSUM);
	case ZSTD_error_memory_allocation:
		return pgc_bad(PGC_NO_MEMORY);
	case ZSTD_error_srcSize_wrong:
		return pgc_bad(PGC_STREAM_CUT);
	default:
		return pgc_bad(PGC_STREAM_CORRUPT);
	}
}

const struct pgc_compress_engine pgc_zstd_compress = {.name = "libzstd",
						      .min_level = -131072,
						      .max_level = 22,
						      .open = open_compressor,
						      .close = close_compressor,
						      .compress = compress};
const struct pgc_decompress_engine pgc_zstd_decompress = {.name = "libzstd",
							  .open = open_decompressor,
							  .close = close_decompressor,
							  .decompress = decompress};
