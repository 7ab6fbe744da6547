/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.c - what the bare codec library makes of a page, without ours
 * Arrow's prefix, which is no library's, is read here in the simplest way.
 */
#include "reference.h"

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_SNAPPY
#include <snappy-c.h>
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_BROTLI
#include <brotli/decode.h>
#endif

#ifdef HAVE_SNAPPY
static bool
read_snappy(struct reference *page)
{
	size_t size = page->capacity, length;

	if (snappy_uncompressed_length((const char *)page->src, page->left, &length) !=
		SNAPPY_OK ||
	    length > page->capacity ||
	    snappy_uncompress((const char *)page->src, page->left, (char *)page->dst, &size) !=
		SNAPPY_OK)
		return false;
	page->made = size;
	return true;
}
#endif

/* ---- GZIP ------------------------------------------------------------- */

#ifdef HAVE_ZLIB
/* One stream; window_bits as inflateInit2 takes it. */
static int
inflate_stream(struct reference *page, int window_bits)
{
	static z_stream stream;
	int result;

	if (!stream.state)
		REQUIRE(inflateInit2(&stream, window_bits) == Z_OK);
	REQUIRE(inflateReset2(&stream, window_bits) == Z_OK);
	stream.next_in = (Bytef *)(uintptr_t)page->src;
	stream.avail_in = (uInt)page->left;
	stream.next_out = page->dst + page->made;
	stream.avail_out = (uInt)(page->capacity - page->made);
	result = inflate(&stream, Z_FINISH);
	reference_advance(page, page->left - stream.avail_in, stream.total_out);
	return result;
}

static bool
read_gzip(struct reference *page)
{
	if (page->left >= 2 && page->src[0] != 0x1f)
		return inflate_stream(page, 15) == Z_STREAM_END && page->left == 0;
	do {
		if (inflate_stream(page, 15 + 16) != Z_STREAM_END)
			return false;
	} while (page->left > 0 && page->src[0] == 0x1f);
	while (page->left > 0 && page->src[0] == 0)
		reference_advance(page, 1, 0);
	return page->left == 0;
}
#endif

size_t
reference_frame_gzip(const uint8_t *src, size_t src_size, uint8_t *dst)
{
	static const uint8_t header[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255};
	uint8_t *trailer = dst + sizeof(header) + src_size;
	static uint8_t plain[PAGE_MAX];
	struct reference page = {src, src_size, plain, sizeof(plain), 0};

#ifdef HAVE_ZLIB
	inflate_stream(&page, -15);
#endif
	memcpy(dst, header, sizeof(header));
	if (src_size != 0)
		memcpy(dst + sizeof(header), src, src_size);
	pgc_store_le32(trailer, pagecodec_crc32(0, plain, page.made));
	pgc_store_le32(trailer + 4, (uint32_t)page.made);
	return src_size + GZIP_FRAME_SIZE;
}

/* ---- ZSTD, BROTLI ----------------------------------------------------- */

#ifdef HAVE_ZSTD
/* A content size of 2^64 - 1, which libzstd takes for none. */
static bool
states_impossible_size(const uint8_t *frame)
{
	static const uint8_t dictionary_sizes[4] = {0, 1, 2, 4};
	uint8_t descriptor = frame[4];
	size_t window_size = descriptor & 0x20 ? 0 : 1;
	size_t at = 5 + window_size + dictionary_sizes[descriptor & 3];

	return descriptor >> 6 == 3 && pgc_load_le64(frame + at) == UINT64_MAX;
}

static bool
has_plain_frames(struct reference page)
{
	while (page.left > 0) {
		size_t size = ZSTD_findFrameCompressedSize(page.src, page.left);
		uint32_t magic;

		if (ZSTD_isError(size) || size < 4)
			return false;
		magic = pgc_load_le32(page.src);
		if ((magic & ~15u) != 0x184d2a50 &&
		    (magic != 0xfd2fb528 || ZSTD_getDictID_fromFrame(page.src, size) != 0 ||
		     states_impossible_size(page.src)))
			return false;
		reference_advance(&page, size, 0);
	}
	return true;
}

static bool
read_zstd(struct reference *page)
{
	static ZSTD_DCtx *dctx;

	if (!has_plain_frames(*page))
		return false;
	if (!dctx)
		dctx = ZSTD_createDCtx();
	page->made =
	    ZSTD_decompressDCtx(dctx, page->dst, page->capacity, page->src, page->left);
	return !ZSTD_isError(page->made);
}
#endif

#ifdef HAVE_BROTLI
static bool
read_brotli(struct reference *page)
{
	BrotliDecoderState *decoder = BrotliDecoderCreateInstance(NULL, NULL, NULL);
	size_t room = page->capacity;
	uint8_t *dst = page->dst;
	BrotliDecoderResult result;

	REQUIRE(decoder);
	result =
	    BrotliDecoderDecompressStream(decoder, &page->left, &page->src, &room, &dst, NULL);
	BrotliDecoderDestroyInstance(decoder);
	page->made = page->capacity - room;
	return result == BROTLI_DECODER_RESULT_SUCCESS && page->left == 0;
}
#endif

/* ---- All of them ------------------------------------------------------ */

static bool
read_stored(struct reference *page)
{
	if (page->left > page->capacity)
		return false;
	if (page->left != 0)
		memcpy(page->dst, page->src, page->left);
	page->made = page->left;
	return true;
}

/* A prefix round frames. */
#if defined(HAVE_LZ4) || defined(HAVE_ZSTD)
static bool
read_arrow(struct reference *page, bool (*read)(struct reference *page))
{
	uint64_t stated;

	if (page->left < 8)
		return false;
	stated = pgc_load_le64(page->src);
	reference_advance(page, 8, 0);
	if (stated == UINT64_MAX)
		return read_stored(page);
	if (page->left == 0)
		return stated == 0;
	return read(page) && page->made == stated;
}
#endif

static bool
read_page(int32_t codec, struct reference *page)
{
	switch (codec) {
	case PAGECODEC_UNCOMPRESSED:
		return read_stored(page);
#ifdef HAVE_SNAPPY
	case PAGECODEC_SNAPPY:
		return read_snappy(page);
#endif
#ifdef HAVE_ZLIB
	case PAGECODEC_GZIP:
		return read_gzip(page);
#endif
#ifdef HAVE_LZO
	case PAGECODEC_LZO:
		return reference_lzo(page);
#endif
#ifdef HAVE_BROTLI
	case PAGECODEC_BROTLI:
		return read_brotli(page);
#endif
#ifdef HAVE_LZ4
	case PAGECODEC_LZ4:
		return reference_lz4(page);
	case PAGECODEC_LZ4_RAW:
		return reference_lz4_block(page);
	case PAGECODEC_ARROW_LZ4_FRAME:
		return read_arrow(page, reference_lz4_frames);
#endif
#ifdef HAVE_ZSTD
	case PAGECODEC_ZSTD:
		return read_zstd(page);
	case PAGECODEC_ARROW_ZSTD:
		return read_arrow(page, read_zstd);
#endif
	default:
		return false;
	}
}

bool
reference_has(int32_t codec)
{
#ifndef HAVE_SNAPPY
	if (codec == PAGECODEC_SNAPPY)
		return false;
#endif
#ifndef HAVE_ZLIB
	if (codec == PAGECODEC_GZIP)
		return false;
#endif
	return pagecodec_find_codec(codec)->is_available;
}

bool
reference_decompress(int32_t codec, const uint8_t *src, size_t src_size, uint8_t *dst,
		     size_t capacity, size_t *size)
{
	struct reference page = {src, src_size, dst, capacity, 0};
	bool is_sound = src_size == 0 || read_page(codec, &page);

	*size = is_sound ? page.made : 0;
	return is_sound;
}
