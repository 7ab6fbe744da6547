/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.c - what the bare codec library makes of a page, without ours
 * Where a form is nobody's but Hadoop's or Arrow's, it is read here in the simplest way.
 */
#include "reference.h"

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZ4
#include <lz4.h>
#include <lz4frame.h>
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
#ifdef HAVE_LZO
#include <lzo/lzo1x.h>
#endif

/* The rest of a page, and what was made of it. */
struct page {
	const uint8_t *src;
	size_t left;
	uint8_t *dst;
	size_t capacity, made;
};

static void
advance(struct page *page, size_t used, size_t made)
{
	page->src += used;
	page->left -= used;
	page->made += made;
}

#ifdef HAVE_SNAPPY
static bool
read_snappy(struct page *page)
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
inflate_stream(struct page *page, int window_bits)
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
	advance(page, page->left - stream.avail_in, stream.total_out);
	return result;
}

static bool
read_gzip(struct page *page)
{
	if (page->left >= 2 && page->src[0] != 0x1f)
		return inflate_stream(page, 15) == Z_STREAM_END && page->left == 0;
	do {
		if (inflate_stream(page, 15 + 16) != Z_STREAM_END)
			return false;
	} while (page->left > 0 && page->src[0] == 0x1f);
	while (page->left > 0 && page->src[0] == 0)
		advance(page, 1, 0);
	return page->left == 0;
}
#endif

size_t
reference_frame_gzip(const uint8_t *src, size_t src_size, uint8_t *dst)
{
	static const uint8_t header[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255};
	uint8_t *trailer = dst + sizeof(header) + src_size;
	static uint8_t plain[PAGE_MAX];
	struct page page = {src, src_size, plain, sizeof(plain), 0};

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
static bool
has_plain_frames(struct page page)
{
	while (page.left > 0) {
		size_t size = ZSTD_findFrameCompressedSize(page.src, page.left);
		uint32_t magic;

		if (ZSTD_isError(size) || size < 4)
			return false;
		magic = pgc_load_le32(page.src);
		if ((magic & ~15u) != 0x184d2a50 &&
		    (magic != 0xfd2fb528 || ZSTD_getDictID_fromFrame(page.src, size) != 0))
			return false;
		advance(&page, size, 0);
	}
	return true;
}

static bool
read_zstd(struct page *page)
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
read_brotli(struct page *page)
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

/* ---- LZ4 and LZO ------------------------------------------------------ */

#if defined(HAVE_LZ4) || defined(HAVE_LZO)
/* A chunk of at most room bytes; -1: it is none. */
typedef int (*read_chunk)(const uint8_t *src, size_t src_size, uint8_t *dst, size_t room);

/* An empty block may be followed by the chunk of an empty page. */
static bool
read_hadoop(struct page *page, read_chunk read, const uint8_t *empty, size_t empty_size)
{
	do {
		size_t raw_size;

		if (page->left < 4)
			return false;
		raw_size = pgc_load_be32(page->src);
		advance(page, 4, 0);
		if (raw_size == 0 && page->left >= empty_size &&
		    memcmp(page->src, empty, empty_size) == 0)
			advance(page, empty_size, 0);
		if (raw_size > page->capacity - page->made)
			return false;
		while (raw_size > 0) {
			size_t size;
			int made;

			if (page->left < 4)
				return false;
			size = pgc_load_be32(page->src);
			advance(page, 4, 0);
			if (size > page->left)
				return false;
			made = size == 0
				   ? 0
				   : read(page->src, size, page->dst + page->made, raw_size);
			if (made < 0)
				return false;
			raw_size -= (size_t)made;
			advance(page, size, (size_t)made);
		}
	} while (page->left > 0);
	return true;
}
#endif

#ifdef HAVE_LZ4
static int
read_lz4_chunk(const uint8_t *src, size_t src_size, uint8_t *dst, size_t room)
{
	return LZ4_decompress_safe((const char *)src, (char *)dst, (int)src_size, (int)room);
}

/* As a page is read, to a place of its very size: given more, liblz4 takes other tokens
 * than 0 for an empty block. */
static bool
read_lz4_block(struct page *page)
{
	int made = read_lz4_chunk(page->src, page->left, page->dst, page->capacity);

	if (made >= 0)
		made = read_lz4_chunk(page->src, page->left, page->dst, (size_t)made);
	page->made = made < 0 ? 0 : (size_t)made;
	return made >= 0;
}

static bool
read_lz4_frame(struct page *page, LZ4F_dctx *dctx)
{
	LZ4F_frameInfo_t info;
	size_t used = page->left, hint = LZ4F_getFrameInfo(dctx, &info, page->src, &used);

	if (LZ4F_isError(hint) || info.dictID != 0)
		return false;
	advance(page, used, 0);
	do {
		size_t made = page->capacity - page->made;

		used = page->left;
		hint = LZ4F_decompress(dctx, page->dst + page->made, &made, page->src, &used,
				       NULL);
		if (LZ4F_isError(hint) || (hint != 0 && used == 0 && made == 0))
			return false;
		advance(page, used, made);
	} while (hint != 0);
	return true;
}

/* With a context of its own: one that is reset after a failure remembers the content
 * size that the frame before had stated. */
static bool
read_lz4_frames(struct page *page)
{
	bool is_sound = true;

	while (is_sound && page->left > 0) {
		LZ4F_dctx *dctx;

		REQUIRE(!LZ4F_isError(LZ4F_createDecompressionContext(&dctx, LZ4F_VERSION)));
		is_sound = read_lz4_frame(page, dctx);
		LZ4F_freeDecompressionContext(dctx);
	}
	return is_sound;
}

static bool
read_lz4(struct page *page)
{
	static const uint8_t empty[] = {0, 0, 0, 1, 0};
	struct page start = *page;

	if (read_hadoop(page, read_lz4_chunk, empty, sizeof(empty)))
		return true;
	*page = start;
	if (page->left >= 4 && pgc_load_le32(page->src) == 0x184d2204)
		return read_lz4_frames(page);
	/* liblz4 takes a first match of offset 0, which has nothing to copy from. */
	return (page->src[0] >> 4 != 0 || page->left == 1) && read_lz4_block(page);
}
#endif

#ifdef HAVE_LZO
static int
read_lzo_chunk(const uint8_t *src, size_t src_size, uint8_t *dst, size_t room)
{
	lzo_uint made = room;

	return lzo1x_decompress_safe(src, src_size, dst, &made, NULL) == LZO_E_OK ? (int)made
										  : -1;
}

static bool
read_lzo(struct page *page)
{
	static const uint8_t empty[] = {0, 0, 0, 3, 0x11, 0, 0};

	return read_hadoop(page, read_lzo_chunk, empty, sizeof(empty));
}
#endif

/* ---- All of them ------------------------------------------------------ */

static bool
read_stored(struct page *page)
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
read_arrow(struct page *page, bool (*read)(struct page *page))
{
	uint64_t stated;

	if (page->left < 8)
		return false;
	stated = pgc_load_le64(page->src);
	advance(page, 8, 0);
	if (stated == UINT64_MAX)
		return read_stored(page);
	if (page->left == 0)
		return stated == 0;
	return read(page) && page->made == stated;
}
#endif

static bool
read_page(int32_t codec, struct page *page)
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
		return read_lzo(page);
#endif
#ifdef HAVE_BROTLI
	case PAGECODEC_BROTLI:
		return read_brotli(page);
#endif
#ifdef HAVE_LZ4
	case PAGECODEC_LZ4:
		return read_lz4(page);
	case PAGECODEC_LZ4_RAW:
		return read_lz4_block(page);
	case PAGECODEC_ARROW_LZ4_FRAME:
		return read_arrow(page, read_lz4_frames);
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
	struct page page = {src, src_size, dst, capacity, 0};
	bool is_sound = src_size == 0 || read_page(codec, &page);

	*size = is_sound ? page.made : 0;
	return is_sound;
}
