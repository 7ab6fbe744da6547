/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec_brotli.c - brotli streams (RFC 7932).  libbrotli makes its state anew for
 * each page and cannot reset it: it does so in an arena of the object.
 */
#include "internal.h"

#include <brotli/decode.h>
#include <brotli/encode.h>
#include <setjmp.h>

#include "arena.h"
#include "codec.h"
#include "frame.h"

enum { MIN_LEVEL = 0, MAX_LEVEL = 11, LEAST_WINDOW_LOG = 18, USUAL_WINDOW_LOG = 22 };

/* More than a decoder takes in one piece, but for its window. */
enum { DECODER_BLOCK_MAX = 2 << 20 };

struct brotli {
	struct pgc_arena arena;
	/* Of a compressor. */
	struct pgc_settings settings;
	jmp_buf out_of_memory;
	/* Of a decompressor. */
	size_t block_max;
	bool is_beyond; /* more was asked for */
};

/* The decoder's window is a power of two below twice what has come and what the
 * meta-block says will come: where it is more than the page could need, so is what
 * the meta-block says, and 7 bytes would else take 16 MiB for any page. */
static void
limit_blocks(struct brotli *brotli, size_t dst_size)
{
	enum { WINDOW_MAX = 1 << 24, BEHIND_WINDOW = 64 << 10 };

	brotli->block_max =
	    PGC_MAX(2 * PGC_MIN(dst_size, WINDOW_MAX), DECODER_BLOCK_MAX) + BEHIND_WINDOW;
	brotli->is_beyond = false;
}

static void *
decoder_alloc(void *opaque, size_t size)
{
	struct brotli *brotli = opaque;

	if (size > brotli->block_max) {
		brotli->is_beyond = true;
		return NULL;
	}
	return pgc_arena_alloc(&brotli->arena, size);
}

/* As it is usually built libbrotli's encoder ends the process when it is given no
 * memory: never come back to it.  All that it has lies in the arena. */
static void *
encoder_alloc(void *opaque, size_t size)
{
	struct brotli *brotli = opaque;
	void *address = pgc_arena_alloc(&brotli->arena, size);

	if (!address)
		longjmp(brotli->out_of_memory, 1);
	return address;
}

static void
arena_free(void *opaque, void *address)
{
	struct brotli *brotli = opaque;

	pgc_arena_free(&brotli->arena, address);
}

static struct brotli *
new_state(struct pgc_account *account)
{
	struct brotli *brotli = pgc_alloc(account, sizeof(*brotli));

	if (brotli)
		brotli->arena = (struct pgc_arena){.account = account};
	return brotli;
}

static void
close_state(void *state)
{
	struct brotli *brotli = state;
	struct pgc_account *account = brotli->arena.account;

	pgc_arena_close(&brotli->arena);
	pgc_free(account, brotli);
}

/* ---- Compression ------------------------------------------------------ */

static enum pgc_fault
open_compressor(const struct pgc_compress_engine *self, struct pgc_account *account,
		const struct pgc_settings *settings, void **state)
{
	struct brotli *brotli = new_state(account);

	(void)self;
	if (!brotli)
		return PGC_NO_MEMORY;
	brotli->settings = *settings;
	*state = brotli;
	return PGC_NO_FAULT;
}

/* The least window that holds the page: at quality 5 and pages of 1 KiB to 1 MiB,
 * numbers, text and noise, it gives the same bytes in the same time as one of 4
 * MiB and takes 2.5 MiB for a page of 64 KiB instead of 10.  Not below 18, though:
 * up to 16 libbrotli takes another hasher, which was up to 30 % slower and 0.8 %
 * worse, and 17 is a byte longer in the header. */
static int
window_log(const struct pgc_settings *settings, size_t src_size)
{
	int log = LEAST_WINDOW_LOG;

	if (settings->window_log != 0)
		return settings->window_log;
	while (log < USUAL_WINDOW_LOG && ((size_t)1 << log) - 16 < src_size)
		log++;
	return log;
}

static bool
set_parameters(BrotliEncoderState *encoder, const struct pgc_settings *settings,
	       size_t src_size)
{
	const uint32_t hint_max = 1u << 30;

	return BrotliEncoderSetParameter(encoder, BROTLI_PARAM_QUALITY,
					 (uint32_t)settings->level) &&
	       BrotliEncoderSetParameter(encoder, BROTLI_PARAM_LGWIN,
					 (uint32_t)window_log(settings, src_size)) &&
	       BrotliEncoderSetParameter(encoder, BROTLI_PARAM_SIZE_HINT,
					 (uint32_t)PGC_MIN(src_size, hint_max));
}

static struct pgc_result
encode(struct brotli *brotli, const uint8_t *src, size_t src_size, uint8_t *dst,
       size_t dst_capacity)
{
	BrotliEncoderState *encoder =
	    BrotliEncoderCreateInstance(encoder_alloc, arena_free, brotli);
	size_t src_left = src_size, dst_left = dst_capacity;
	const uint8_t *next_in = src;
	uint8_t *next_out = dst;
	bool is_sound, is_finished;

	if (!encoder)
		return pgc_bad(PGC_NO_MEMORY);
	is_sound = set_parameters(encoder, &brotli->settings, src_size) &&
		   BrotliEncoderCompressStream(encoder, BROTLI_OPERATION_FINISH, &src_left,
					       &next_in, &dst_left, &next_out, NULL);
	is_finished = BrotliEncoderIsFinished(encoder);
	BrotliEncoderDestroyInstance(encoder);
	if (!is_sound)
		return pgc_bad(PGC_NO_MEMORY);
	if (is_finished)
		return pgc_done(dst_capacity - dst_left);
	/* The page grew beyond the bound, as random ones do, most at quality 0 and 1. */
	return pgc_done(pgc_brotli_store(dst, src, src_size, brotli->settings.window_log));
}

static struct pgc_result
compress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_capacity)
{
	struct brotli *brotli = state;

	pgc_arena_start_page(&brotli->arena);
	if (setjmp(brotli->out_of_memory) != 0) {
		pgc_arena_reset(&brotli->arena);
		return pgc_bad(PGC_NO_MEMORY);
	}
	return encode(brotli, src, src_size, dst, dst_capacity);
}

/* ---- Decompression ---------------------------------------------------- */

static enum pgc_fault
open_decompressor(const struct pgc_decompress_engine *self, struct pgc_account *account,
		  void **state)
{
	(void)self;
	*state = new_state(account);
	return *state ? PGC_NO_FAULT : PGC_NO_MEMORY;
}

static bool
is_memory_error(BrotliDecoderErrorCode code)
{
	return code <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
	       code >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES;
}

static struct pgc_result
decompress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size)
{
	struct brotli *brotli = state;
	BrotliDecoderState *decoder;
	size_t src_left = src_size, dst_left = dst_size;
	const uint8_t *next_in = src;
	uint8_t *next_out = dst;
	BrotliDecoderResult result;
	BrotliDecoderErrorCode code;

	pgc_arena_start_page(&brotli->arena);
	limit_blocks(brotli, dst_size);
	decoder = BrotliDecoderCreateInstance(decoder_alloc, arena_free, brotli);
	if (!decoder)
		return pgc_bad(PGC_NO_MEMORY);
	result = BrotliDecoderDecompressStream(decoder, &src_left, &next_in, &dst_left,
					       &next_out, NULL);
	code = BrotliDecoderGetErrorCode(decoder);
	BrotliDecoderDestroyInstance(decoder);

	if (brotli->is_beyond)
		return pgc_bad(PGC_SIZE_BEYOND);
	switch (result) {
	case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
		return pgc_bad(PGC_STREAM_CUT);
	case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
		return pgc_bad(PGC_SIZE_BEYOND);
	case BROTLI_DECODER_RESULT_ERROR:
		return pgc_bad(is_memory_error(code) ? PGC_NO_MEMORY : PGC_STREAM_CORRUPT);
	case BROTLI_DECODER_RESULT_SUCCESS:
		break;
	}
	if (src_left > 0)
		return pgc_bad(PGC_TRAILING_BYTES);
	return dst_left == 0 ? pgc_done(dst_size) : pgc_size_differs(dst_size - dst_left);
}

const struct pgc_compress_engine pgc_brotli_compress = {.name = "libbrotli",
							.min_level = MIN_LEVEL,
							.max_level = MAX_LEVEL,
							.open = open_compressor,
							.close = close_state,
							.compress = compress};
const struct pgc_decompress_engine pgc_brotli_decompress = {.name = "libbrotli",
							    .open = open_decompressor,
							    .close = close_state,
							    .decompress = decompress};
