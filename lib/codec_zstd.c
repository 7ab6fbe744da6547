/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec_zstd.c - zstd frames (RFC 8878) with contexts that are made once: making
 * one costs more than a small page.  One call a page, so that no window is kept.
 */
#include "internal.h"

#define ZSTD_STATIC_LINKING_ONLY /* ZSTD_customMem */
#include <zstd.h>
#include <zstd_errors.h>

#include "arena.h"
#include "codec.h"

#ifdef HAVE_ZSTD_CREATECCTX_ADVANCED
static void *
arena_alloc(void *opaque, size_t size)
{
	return pgc_arena_alloc(opaque, size);
}

static void
arena_free(void *opaque, void *address)
{
	pgc_arena_free(opaque, address);
}

static void *
account_alloc(void *opaque, size_t size)
{
	return pgc_alloc(opaque, size);
}

static void
account_free(void *opaque, void *address)
{
	pgc_free(opaque, address);
}

/* libzstd makes its workspace anew when it has been far too large for 128 pages
 * in a row: the arena keeps the larger one for the next large page. */
static ZSTD_CCtx *
new_cctx(struct pgc_arena *arena)
{
	return ZSTD_createCCtx_advanced((ZSTD_customMem){arena_alloc, arena_free, arena});
}

static ZSTD_DCtx *
new_dctx(struct pgc_account *account)
{
	return ZSTD_createDCtx_advanced((ZSTD_customMem){account_alloc, account_free, account});
}
#else
static ZSTD_CCtx *
new_cctx(struct pgc_arena *arena)
{
	(void)arena;
	return ZSTD_createCCtx();
}

static ZSTD_DCtx *
new_dctx(struct pgc_account *account)
{
	(void)account;
	return ZSTD_createDCtx();
}
#endif

struct zstd_compressor {
	struct pgc_arena arena;
	ZSTD_CCtx *cctx;
};

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

static void
close_compressor(void *state)
{
	struct zstd_compressor *zstd = state;
	struct pgc_account *account = zstd->arena.account;

	ZSTD_freeCCtx(zstd->cctx);
	pgc_arena_close(&zstd->arena);
	pgc_free(account, zstd);
}

static enum pgc_fault
open_compressor(const struct pgc_compress_engine *self, struct pgc_account *account,
		const struct pgc_settings *settings, void **state)
{
	struct zstd_compressor *zstd = pgc_alloc(account, sizeof(*zstd));
	enum pgc_fault fault = PGC_NO_FAULT;

	(void)self;
	if (!zstd)
		return PGC_NO_MEMORY;
	zstd->arena = (struct pgc_arena){.account = account};
	zstd->cctx = new_cctx(&zstd->arena);
	if (!zstd->cctx)
		fault = PGC_NO_MEMORY;
	else if (!set_parameters(zstd->cctx, settings))
		fault = PGC_LEVEL_RANGE;
	if (fault) {
		close_compressor(zstd);
		return fault;
	}
	*state = zstd;
	return PGC_NO_FAULT;
}

static struct pgc_result
compress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_capacity)
{
	struct zstd_compressor *zstd = state;
	size_t size;

	pgc_arena_start_page(&zstd->arena);
	size = ZSTD_compress2(zstd->cctx, dst, dst_capacity, src, src_size);
	if (!ZSTD_isError(size))
		return pgc_done(size);
	/* Only ARROW_ZSTD gives less room than the bound; else memory for the match
	 * finder is all that can lack. */
	return pgc_bad(ZSTD_getErrorCode(size) == ZSTD_error_dstSize_tooSmall ? PGC_DST_SHORT
									      : PGC_NO_MEMORY);
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
		return pgc_bad(PGC_SIZE_BEYOND);
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
						      .min_level = PGC_ZSTD_MIN_LEVEL,
						      .max_level = PGC_ZSTD_MAX_LEVEL,
						      .open = open_compressor,
						      .close = close_compressor,
						      .compress = compress};
const struct pgc_decompress_engine pgc_zstd_decompress = {.name = "libzstd",
							  .open = open_decompressor,
							  .close = close_decompressor,
							  .decompress = decompress};
