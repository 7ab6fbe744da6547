/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference_lz4.c - blocks and frames of LZ4 by liblz4, and blocks of Hadoop's round LZ4
 * or LZO, which are no library's, read in the simplest way
 */
#include "reference.h"

#ifdef HAVE_LZ4
#include <lz4.h>
#include <lz4frame.h>
#endif
#ifdef HAVE_LZO
#include <lzo/lzo1x.h>
#endif

#if defined(HAVE_LZ4) || defined(HAVE_LZO)
/* A chunk of at most room bytes; -1: it is none. */
typedef int (*read_chunk)(const uint8_t *src, size_t src_size, uint8_t *dst, size_t room);

/* An empty block may be followed by the chunk of an empty page. */
static bool
read_hadoop(struct reference *page, read_chunk read, const uint8_t *empty, size_t empty_size)
{
	do {
		size_t raw_size;

		if (page->left < 4)
			return false;
		raw_size = pgc_load_be32(page->src);
		reference_advance(page, 4, 0);
		if (raw_size == 0 && page->left >= empty_size &&
		    memcmp(page->src, empty, empty_size) == 0)
			reference_advance(page, empty_size, 0);
		if (raw_size > page->capacity - page->made)
			return false;
		while (raw_size > 0) {
			size_t size;
			int made;

			if (page->left < 4)
				return false;
			size = pgc_load_be32(page->src);
			reference_advance(page, 4, 0);
			if (size > page->left)
				return false;
			made = size == 0
				   ? 0
				   : read(page->src, size, page->dst + page->made, raw_size);
			if (made < 0)
				return false;
			raw_size -= (size_t)made;
			reference_advance(page, size, (size_t)made);
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
bool
reference_lz4_block(struct reference *page)
{
	int made = read_lz4_chunk(page->src, page->left, page->dst, page->capacity);

	if (made >= 0)
		made = read_lz4_chunk(page->src, page->left, page->dst, (size_t)made);
	page->made = made < 0 ? 0 : (size_t)made;
	return made >= 0;
}

static bool
read_lz4_frame(struct reference *page, LZ4F_dctx *dctx)
{
	LZ4F_frameInfo_t info;
	size_t used = page->left, hint = LZ4F_getFrameInfo(dctx, &info, page->src, &used);

	if (LZ4F_isError(hint) || info.dictID != 0)
		return false;
	reference_advance(page, used, 0);
	do {
		size_t made = page->capacity - page->made;

		used = page->left;
		hint = LZ4F_decompress(dctx, page->dst + page->made, &made, page->src, &used,
				       NULL);
		if (LZ4F_isError(hint) || (hint != 0 && used == 0 && made == 0))
			return false;
		reference_advance(page, used, made);
	} while (hint != 0);
	return true;
}

/* With a context of its own: one that is reset after a failure remembers the content
 * size that the frame before had stated. */
bool
reference_lz4_frames(struct reference *page)
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

bool
reference_lz4(struct reference *page)
{
	static const uint8_t empty[] = {0, 0, 0, 1, 0};
	struct reference start = *page;

	if (read_hadoop(page, read_lz4_chunk, empty, sizeof(empty)))
		return true;
	*page = start;
	if (page->left >= 4 && pgc_load_le32(page->src) == 0x184d2204)
		return reference_lz4_frames(page);
	/* liblz4 takes a first match of offset 0, which has nothing to copy from. */
	return (page->src[0] >> 4 != 0 || page->left == 1) && reference_lz4_block(page);
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

bool
reference_lzo(struct reference *page)
{
	static const uint8_t empty[] = {0, 0, 0, 3, 0x11, 0, 0};

	return read_hadoop(page, read_lzo_chunk, empty, sizeof(empty));
}
#endif
