/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec_lzo.c - LZO1X by liblzo2, as hadoop-lzo wrote it: wraps the block encoder
 * below in Hadoop's framing.  liblzo2 is under the GPL.
 */
#include "internal.h"

#include <lzo/lzo1x.h>

#include "hadoop.h"

struct block_encoder {
	struct pgc_account *account;
	void *work;
};

/* Nothing in it but checks that header and library agree; any thread. */
static enum pgc_fault
init_library(void)
{
	return lzo_init() == LZO_E_OK ? PGC_NO_FAULT : PGC_ENGINE_NOT_BUILT;
}

static enum pgc_fault
open_encoder(const struct pgc_compress_engine *self, struct pgc_account *account,
	     const struct pgc_settings *settings, void **state)
{
	struct block_encoder *lzo;
	enum pgc_fault fault = init_library();

	(void)self;
	(void)settings;
	if (fault)
		return fault;
	lzo = pgc_alloc(account, sizeof(*lzo));
	if (!lzo)
		return PGC_NO_MEMORY;
	lzo->account = account;
	lzo->work = pgc_alloc(account, LZO1X_1_MEM_COMPRESS);
	if (!lzo->work) {
		pgc_free(account, lzo);
		return PGC_NO_MEMORY;
	}
	*state = lzo;
	return PGC_NO_FAULT;
}

static void
close_encoder(void *state)
{
	struct block_encoder *lzo = state;

	pgc_free(lzo->account, lzo->work);
	pgc_free(lzo->account, lzo);
}

/* dst_capacity is pgc_bound_lzo_chunk(src_size), which liblzo2 relies on. */
static struct pgc_result
encode(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_capacity)
{
	const struct block_encoder *lzo = state;
	lzo_uint size = dst_capacity;

	if (lzo1x_1_compress(src, src_size, dst, &size, lzo->work) != LZO_E_OK)
		return pgc_bad(PGC_NO_MEMORY);
	return pgc_done(size);
}

static struct pgc_result
decode(const uint8_t *src, size_t src_size, uint8_t *dst, size_t capacity)
{
	lzo_uint size = capacity;

	switch (lzo1x_decompress_safe(src, src_size, dst, &size, NULL)) {
	case LZO_E_OK:
		return pgc_done(size);
	case LZO_E_INPUT_OVERRUN:
	case LZO_E_EOF_NOT_FOUND:
		return pgc_bad(PGC_STREAM_CUT);
	case LZO_E_OUTPUT_OVERRUN:
		return pgc_size_differs(0);
	default:
		return pgc_bad(PGC_STREAM_CORRUPT);
	}
}

static const struct pgc_compress_engine block_encoder = {
    .name = "liblzo2", .open = open_encoder, .close = close_encoder, .compress = encode};
static const uint8_t empty_chunk[] = {0x11, 0, 0}; /* liblzo2's end of a stream */

static const struct pgc_hadoop_payload chunks = {.encoder = &block_encoder,
						 .bound = pgc_bound_lzo_chunk,
						 .empty = empty_chunk,
						 .empty_size = sizeof(empty_chunk),
						 .decode = decode};

static enum pgc_fault
open_decompressor(const struct pgc_decompress_engine *self, struct pgc_account *account,
		  void **state)
{
	(void)self;
	(void)account;
	*state = NULL;
	return init_library();
}

static void
close_decompressor(void *state)
{
	(void)state;
}

static struct pgc_result
decompress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size)
{
	(void)state;
	return pgc_hadoop_read(&chunks, src, src_size, dst, dst_size);
}

const struct pgc_compress_engine pgc_lzo_compress = {.name = "liblzo2",
						     .payload = &chunks,
						     .open = pgc_hadoop_open,
						     .close = pgc_hadoop_close,
						     .compress = pgc_hadoop_compress};
const struct pgc_decompress_engine pgc_lzo_decompress = {.name = "liblzo2",
							 .open = open_decompressor,
							 .close = close_decompressor,
							 .decompress = decompress};
