/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec_arrow.c - compressed body buffers of Arrow IPC: a prefix round the LZ4
 * frame engine or the zstd engine, as the engine's payload says.
 */
#include "internal.h"

#include "frame.h"
#include "lz4_block.h"

struct arrow_compressor {
	const struct pgc_compress_engine *payload;
	struct pgc_account *account;
	void *state;
};

struct arrow_decompressor {
	const struct pgc_decompress_engine *payload;
	struct pgc_account *account;
	void *state;
};

/* ---- Compression ------------------------------------------------------ */

static enum pgc_fault
open_compressor(const struct pgc_compress_engine *self, struct pgc_account *account,
		const struct pgc_settings *settings, void **state)
{
	struct arrow_compressor *arrow = pgc_alloc(account, sizeof(*arrow));
	enum pgc_fault fault;

	if (!arrow)
		return PGC_NO_MEMORY;
	arrow->payload = self->payload;
	arrow->account = account;
	fault = arrow->payload->open(arrow->payload, account, settings, &arrow->state);
	if (fault) {
		pgc_free(account, arrow);
		return fault;
	}
	*state = arrow;
	return PGC_NO_FAULT;
}

static void
close_compressor(void *state)
{
	struct arrow_compressor *arrow = state;

	arrow->payload->close(arrow->state);
	pgc_free(arrow->account, arrow);
}

static struct pgc_result
compress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_capacity)
{
	const struct arrow_compressor *arrow = state;
	uint8_t *body = dst + PGC_ARROW_PREFIX_SIZE;
	struct pgc_result result = pgc_bad(PGC_DST_SHORT);

	(void)dst_capacity;
	if (src_size == 0)
		return pgc_done(0);
	/* Prefix and frame are to be smaller than the buffer, or it is stored. */
	if (src_size > PGC_ARROW_PREFIX_SIZE + 1)
		result = arrow->payload->compress(arrow->state, src, src_size, body,
						  src_size - PGC_ARROW_PREFIX_SIZE - 1);
	if (result.fault && result.fault != PGC_DST_SHORT)
		return result;
	pgc_arrow_write_prefix(dst, src_size, result.fault == PGC_DST_SHORT);
	if (result.fault) {
		memcpy(body, src, src_size);
		result = pgc_done(src_size);
	}
	return pgc_done(PGC_ARROW_PREFIX_SIZE + result.size);
}

/* ---- Decompression ---------------------------------------------------- */

static enum pgc_fault
open_decompressor(const struct pgc_decompress_engine *self, struct pgc_account *account,
		  void **state)
{
	struct arrow_decompressor *arrow = pgc_alloc(account, sizeof(*arrow));
	enum pgc_fault fault = PGC_NO_FAULT;

	if (!arrow)
		return PGC_NO_MEMORY;
	arrow->payload = self->payload;
	arrow->account = account;
	arrow->state = NULL;
	if (arrow->payload->open)
		fault = arrow->payload->open(arrow->payload, account, &arrow->state);
	if (fault) {
		pgc_free(account, arrow);
		return fault;
	}
	*state = arrow;
	return PGC_NO_FAULT;
}

static void
close_decompressor(void *state)
{
	struct arrow_decompressor *arrow = state;

	if (arrow->payload->close)
		arrow->payload->close(arrow->state);
	pgc_free(arrow->account, arrow);
}

/* The prefix was examined, and is not read again. */
static struct pgc_result
decompress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size)
{
	const struct arrow_decompressor *arrow = state;

	return arrow->payload->decompress(arrow->state, src + PGC_ARROW_PREFIX_SIZE,
					  src_size - PGC_ARROW_PREFIX_SIZE, dst, dst_size);
}

#define COMPRESS_ENGINE(text, low, high, engine)                                               \
	{                                                                                      \
		.name = text, .min_level = low, .max_level = high, .payload = engine,          \
		.open = open_compressor, .close = close_compressor, .compress = compress       \
	}
#define DECOMPRESS_ENGINE(text, engine)                                                        \
	{                                                                                      \
		.name = text, .payload = engine, .open = open_decompressor,                    \
		.close = close_decompressor, .decompress = decompress                          \
	}

#ifdef HAVE_LZ4
const struct pgc_compress_engine pgc_arrow_lz4_compress =
    COMPRESS_ENGINE("liblz4", PGC_LZ4_MIN_LEVEL, PGC_LZ4_MAX_LEVEL, &pgc_lz4_frame_compress);
const struct pgc_decompress_engine pgc_arrow_lz4_decompress =
    DECOMPRESS_ENGINE("liblz4", &pgc_lz4_frame_decompress);
#endif
#ifdef HAVE_ZSTD
const struct pgc_compress_engine pgc_arrow_zstd_compress =
    COMPRESS_ENGINE("libzstd", PGC_ZSTD_MIN_LEVEL, PGC_ZSTD_MAX_LEVEL, &pgc_zstd_compress);
const struct pgc_decompress_engine pgc_arrow_zstd_decompress =
    DECOMPRESS_ENGINE("libzstd", &pgc_zstd_decompress);
#endif
