/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_lz4_frame.c - LZ4 frames of liblz4's frame API with all flags, and damaged ones
 * What it writes we read, as codec 5 and behind Arrow's prefix; what we write it reads.
 */
#include "internal.h"

#include <lz4frame.h>
#include <stdlib.h>

#include "coders.h"
#include "frame.h"
#include "guard.h"
#include "lz4_block.h"
#include "xxh32.h"

/* ---- Checksums */

START_TEST(xxh32_of_known_bytes)
{
	static const char text[] = "Nobody inspects the spammish repetition";
	unsigned char *page = new_page(PAGE_RANDOM, 1, 100);
	uint32_t sum = 0;

	ck_assert_uint_eq(pgc_xxh32((const uint8_t *)"", 0), 0x02cc5d05);
	ck_assert_uint_eq(pgc_xxh32((const uint8_t *)"a", 1), 0x550d7456);
	ck_assert_uint_eq(pgc_xxh32((const uint8_t *)"abc", 3), 0x32d153ff);
	ck_assert_uint_eq(pgc_xxh32((const uint8_t *)text, sizeof(text) - 1), 0xe2293b2f);
	for (size_t size = 0; size <= 100; size++) {
		struct guard guard = guard_copy(page, size, GUARD_AFTER);
		uint32_t next = pgc_xxh32(guard.data, size);

		ck_assert_uint_ne(next, sum);
		sum = next;
		guard_free(&guard);
	}
	free(page);
}
END_TEST

/* ---- Frames of liblz4 */

struct reader {
	struct pagecodec_factory *factory;
	struct pagecodec_decompressor *lz4, *arrow;
};

static struct reader
new_reader(void)
{
	struct pagecodec_factory *factory = new_factory();

	return (struct reader){factory, get_decompressor(factory, PAGECODEC_LZ4, NULL),
			       get_decompressor(factory, PAGECODEC_ARROW_LZ4_FRAME, NULL)};
}

static void
free_reader(struct reader *reader)
{
	pagecodec_decompressor_release(reader->lz4);
	pagecodec_decompressor_release(reader->arrow);
	pagecodec_factory_destroy(reader->factory);
}

/* The frame behind Arrow's prefix: the page, or the status. */
static enum pagecodec_status
read_arrow(struct reader *reader, struct bytes frame, const void *page, size_t size)
{
	size_t buffer_size = PGC_ARROW_PREFIX_SIZE + frame.size;
	struct guard src = guard_new(buffer_size, GUARD_AFTER, 0);
	struct guard dst = guard_new(size, GUARD_AFTER, 0);
	struct pagecodec_span out;
	enum pagecodec_status status;

	pgc_store_le64(src.data, size);
	memcpy(src.data + PGC_ARROW_PREFIX_SIZE, frame.data, frame.size);
	guard_seal(&src);
	status = pagecodec_decompress(reader->arrow, src.data, buffer_size, size, dst.data,
				      size, &out, NULL);
	guard_check(&dst);
	if (status == PAGECODEC_OK && page)
		check_bytes("page", out.data, page, size);
	guard_free(&dst);
	guard_free(&src);
	return status;
}

enum { COMBINATIONS = 4 * 2 * 2 * 2 * 2 };

/* Each of the flags that the API knows by a bit of `combination`. */
static LZ4F_preferences_t
preferences(int combination, size_t size)
{
	LZ4F_preferences_t p;

	memset(&p, 0, sizeof(p));
	p.frameInfo.blockSizeID = (LZ4F_blockSizeID_t)(LZ4F_max64KB + (combination & 3));
	p.frameInfo.blockMode = combination & 4 ? LZ4F_blockIndependent : LZ4F_blockLinked;
	p.frameInfo.contentChecksumFlag =
	    combination & 8 ? LZ4F_contentChecksumEnabled : LZ4F_noContentChecksum;
	p.frameInfo.blockChecksumFlag =
	    combination & 16 ? LZ4F_blockChecksumEnabled : LZ4F_noBlockChecksum;
	p.frameInfo.contentSize = combination & 32 ? size : 0;
	return p;
}

static struct bytes
frame_of(const LZ4F_preferences_t *p, const void *page, size_t size)
{
	size_t bound = LZ4F_compressFrameBound(size, p);
	struct bytes frame = {malloc(bound), 0};

	ck_assert_ptr_nonnull(frame.data);
	frame.size = LZ4F_compressFrame(frame.data, bound, page, size, p);
	ck_assert_msg(!LZ4F_isError(frame.size), "%s", LZ4F_getErrorName(frame.size));
	return frame;
}

static const size_t frame_sizes[] = {0, 1, 1000, 65536, 65537, 300000};

START_TEST(frames_with_all_flags)
{
	struct reader reader = new_reader();

	for (size_t i = 0; i < COUNT_OF(frame_sizes); i++) {
		/* Several blocks, of whatever size. */
		size_t size =
		    frame_sizes[i]
		    << (i + 1 == COUNT_OF(frame_sizes) ? PGC_MIN(2 * (_i & 3), 4) : 0);
		enum page_kind kind = (enum page_kind)((size_t)_i % PAGE_KINDS);
		unsigned char *page = new_page(kind, 1, size);
		LZ4F_preferences_t p = preferences(_i, size);

		for (p.compressionLevel = 0; p.compressionLevel <= 4; p.compressionLevel += 4) {
			struct bytes frame = frame_of(&p, page, size);

			check_decompresses(reader.lz4, frame, page, size);
			assert_status(read_arrow(&reader, frame, page, size), PAGECODEC_OK);
			free(frame.data);
		}
		free(page);
	}
	free_reader(&reader);
}
END_TEST

START_TEST(cut_frames)
{
	struct reader reader = new_reader();
	size_t size = 1000;
	unsigned char *page = new_page(PAGE_TEXT, 1, size);
	LZ4F_preferences_t p = preferences(_i, size);
	struct bytes frame = frame_of(&p, page, size);

	/* So few bytes that they could not hold the page whatever follows: TOO_LARGE. */
	for (size_t cut = 0; cut < frame.size; cut++)
		assert_status(read_arrow(&reader, (struct bytes){frame.data, cut}, page, size),
			      cut > 0 && 255 * cut < size ? PAGECODEC_TOO_LARGE
							  : PAGECODEC_TRUNCATED);
	assert_status(read_arrow(&reader, frame, NULL, size - 1), PAGECODEC_SIZE_MISMATCH);
	assert_status(read_arrow(&reader, frame, NULL, size + 1), PAGECODEC_SIZE_MISMATCH);
	free(frame.data);
	free(page);
	free_reader(&reader);
}
END_TEST

/* With a checksum of the content, bytes that come back are the right ones. */
START_TEST(flipped_bits)
{
	struct reader reader = new_reader();
	size_t size = 200;
	unsigned char *page = new_page(PAGE_TEXT, 1, size);
	LZ4F_preferences_t p = preferences(4 * _i, size);
	struct bytes frame = frame_of(&p, page, size);
	int is_covered = p.frameInfo.contentChecksumFlag == LZ4F_contentChecksumEnabled;

	for (size_t bit = 0; bit < 8 * frame.size; bit++) {
		enum pagecodec_status status;

		frame.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
		status = read_arrow(&reader, frame, is_covered ? page : NULL, size);
		ck_assert(status == PAGECODEC_OK || is_damage(status));
		frame.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	free(frame.data);
	free(page);
	free_reader(&reader);
}
END_TEST

START_TEST(written_frames)
{
	const int sizes[] = {1000, 70000, 4 << 20, (4 << 20) + 1, 9000000};
	size_t size = (size_t)sizes[_i];
	unsigned char *page = new_page(PAGE_TEXT, 1, size), *back = malloc(size);
	struct pagecodec_factory *factory = new_factory();
	struct coder coder = {.info = pagecodec_find_codec(PAGECODEC_ARROW_LZ4_FRAME)};
	struct bytes buffer;
	LZ4F_dctx *dctx;
	size_t left = size, used, hint;

	/* The middle of it is a block that is stored. */
	if (size > 8 * MIB)
		fill_page(PAGE_RANDOM, 1, page + 4 * MIB, 4 * MIB);
	coder.engine = coder.info->compress_engines[0];
	buffer = compress_fresh(&coder, page, size);
	ck_assert_uint_lt(buffer.size, size);
	ck_assert_uint_eq(pgc_load_le64(buffer.data), size);
	ck_assert_int_eq(memcmp(buffer.data + 8, "\x04\x22\x4d\x18\x60\x70\x73", 7), 0);
	ck_assert(!LZ4F_isError(LZ4F_createDecompressionContext(&dctx, LZ4F_VERSION)));
	used = buffer.size - 8;
	hint = LZ4F_decompress(dctx, back, &left, buffer.data + 8, &used, NULL);
	ck_assert_uint_eq(hint, 0);
	ck_assert_uint_eq(left, size);
	ck_assert_uint_eq(used, buffer.size - 8);
	check_bytes("page", back, page, size);
	LZ4F_freeDecompressionContext(dctx);
	pagecodec_factory_destroy(factory);
	free(buffer.data);
	free(back);
	free(page);
}
END_TEST

/* ---- Frames by hand */

#define BLOCK                                                                                  \
	"\x0a\0\0\x80"                                                                         \
	"0123456789" /* stored */
#define END "\0\0\0\0"
#define MAGIC "\x04\x22\x4d\x18"

/* ?: the header's checksum, put in where it stands. */
struct hand_made {
	const char *name;
	const char *bytes;
	size_t size;
	enum pagecodec_status status; /* of 10 bytes declared */
};
#define FRAME(name, bytes, status)                                                             \
	{                                                                                      \
		name, bytes, sizeof(bytes) - 1, PAGECODEC_##status                             \
	}

/* clang-format off */
static const struct hand_made hand_made[] = {
	FRAME("plain", MAGIC "\x60\x40?" BLOCK END, OK),
	FRAME("linked", MAGIC "\x40\x40?" BLOCK END, OK),
	FRAME("content size", MAGIC "\x68\x40\x0a\0\0\0\0\0\0\0?" BLOCK END, OK),
	FRAME("dictionary id 0", MAGIC "\x61\x40\0\0\0\0?" BLOCK END, OK),
	FRAME("an empty stored block", MAGIC "\x60\x40?" "\0\0\0\x80" BLOCK END, OK),
	FRAME("an empty block", MAGIC "\x60\x40?" "\x01\0\0\0\0" BLOCK "\x01\0\0\0\0" END, OK),
	FRAME("skippable first", "\x5f\x2a\x4d\x18\x02\0\0\0ab" MAGIC "\x60\x40?" BLOCK END, OK),
	FRAME("skippable last", MAGIC "\x60\x40?" BLOCK END "\x50\x2a\x4d\x18\0\0\0\0", OK),
	FRAME("an empty frame first", MAGIC "\x60\x40?" END MAGIC "\x60\x40?" BLOCK END, OK),

	FRAME("dictionary id", MAGIC "\x61\x40\x01\0\0\0?" BLOCK END, CORRUPT),
	FRAME("version 0", MAGIC "\x20\x40?" BLOCK END, CORRUPT),
	FRAME("version 2", MAGIC "\xa0\x40?" BLOCK END, CORRUPT),
	FRAME("reserved flag", MAGIC "\x62\x40?" BLOCK END, CORRUPT),
	FRAME("reserved bit 7", MAGIC "\x60\xc0?" BLOCK END, CORRUPT),
	FRAME("reserved bit 0", MAGIC "\x60\x41?" BLOCK END, CORRUPT),
	FRAME("block size 3", MAGIC "\x60\x30?" BLOCK END, CORRUPT),
	FRAME("header checksum", MAGIC "\x60\x40\x83" BLOCK END, CHECKSUM_MISMATCH),
	FRAME("legacy", "\x02\x21\x4c\x18\x0b\0\0\0\xa0" "0123456789", CORRUPT),
	FRAME("no magic", "0123456789", CORRUPT),
	FRAME("block above its maximum", MAGIC "\x60\x40?" "\x01\0\x01\x80" BLOCK END, CORRUPT),
	FRAME("damaged block", MAGIC "\x60\x40?" "\x05\0\0\0\x10" "a\x09\0\0" BLOCK END, CORRUPT),
	FRAME("content size too large", MAGIC "\x68\x40\x0b\0\0\0\0\0\0\0?" BLOCK END, SIZE_MISMATCH),
	FRAME("content size too small", MAGIC "\x68\x40\x09\0\0\0\0\0\0\0?" BLOCK END, SIZE_MISMATCH),
	FRAME("content sizes that lie, with the right sum",
	      MAGIC "\x68\x40\x04\0\0\0\0\0\0\0?" BLOCK END MAGIC "\x68\x40\x06\0\0\0\0\0\0\0?" END, CORRUPT),
	FRAME("content sizes that overflow",
	      MAGIC "\x68\x40\xff\xff\xff\xff\xff\xff\xff\xff?" BLOCK END
	      MAGIC "\x68\x40\x0b\0\0\0\0\0\0\0?" END, CORRUPT),
	FRAME("no end mark", MAGIC "\x60\x40?" BLOCK, TRUNCATED),
	FRAME("skippable cut", MAGIC "\x60\x40?" BLOCK END "\x50\x2a\x4d\x18\x01\0\0\0", TRUNCATED),
	FRAME("no content checksum", MAGIC "\x64\x40?" BLOCK END, TRUNCATED),
	FRAME("content checksum", MAGIC "\x64\x40?" BLOCK END "abcd", CHECKSUM_MISMATCH),
	FRAME("block checksum", MAGIC "\x70\x40?" BLOCK "abcd" END, CHECKSUM_MISMATCH),
	FRAME("another block", MAGIC "\x60\x40?" BLOCK BLOCK END, SIZE_MISMATCH),
	FRAME("another frame", MAGIC "\x60\x40?" BLOCK END MAGIC "\x60\x40?" BLOCK END, SIZE_MISMATCH),
	FRAME("nothing in it", MAGIC "\x60\x40?" END, TOO_LARGE),
	FRAME("skippable only", "\x50\x2a\x4d\x18\0\0\0\0", SIZE_MISMATCH),
	FRAME("a NUL behind", MAGIC "\x60\x40?" BLOCK END "\0", TRAILING_DATA),
	FRAME("bytes behind", MAGIC "\x60\x40?" BLOCK END "abcdefgh", TRAILING_DATA),
};
/* clang-format on */

/* Where a header's checksum is left open it is made to be right. */
static void
close_headers(struct bytes frame)
{
	for (size_t at = 0; at + 6 < frame.size; at++) {
		size_t end = at + 6;

		if (memcmp(frame.data + at, MAGIC, 4) != 0)
			continue;
		end += frame.data[at + 4] & 0x08 ? 8 : 0;
		end += frame.data[at + 4] & 0x01 ? 4 : 0;
		if (end < frame.size && frame.data[end] == '?')
			frame.data[end] =
			    (uint8_t)(pgc_xxh32(frame.data + at + 4, end - at - 4) >> 8);
	}
}

START_TEST(frames_by_hand)
{
	const struct hand_made *c = &hand_made[_i];
	struct bytes frame = {malloc(c->size), c->size};
	struct reader reader = new_reader();
	enum pagecodec_status status;

	ck_assert_ptr_nonnull(frame.data);
	memcpy(frame.data, c->bytes, c->size);
	close_headers(frame);
	status = read_arrow(&reader, frame, "0123456789", 10);
	ck_assert_msg(status == c->status, "%s: %s", c->name, pagecodec_status_name(status));
	free(frame.data);
	free_reader(&reader);
}
END_TEST

/* A block that copies four bytes from the one before it. */
START_TEST(linked_blocks)
{
	static const char bytes[] = MAGIC "\x40\x40?"
					  "\x06\0\0\x80"
					  "012345"
					  "\x0c\0\0\0\0\x04\0\x80"
					  "abcdefgh" END;
	struct bytes frame = {malloc(sizeof(bytes) - 1), sizeof(bytes) - 1};
	struct reader reader = new_reader();

	ck_assert_ptr_nonnull(frame.data);
	memcpy(frame.data, bytes, frame.size);
	close_headers(frame);
	assert_status(read_arrow(&reader, frame, "0123452345abcdefgh", 18), PAGECODEC_OK);
	/* From before the frame's first byte. */
	frame.data[22] = 7;
	assert_status(read_arrow(&reader, frame, NULL, 18), PAGECODEC_CORRUPT);
	/* Where blocks do not know of each other. */
	memcpy(frame.data, bytes, frame.size);
	frame.data[4] = 0x60;
	close_headers(frame);
	assert_status(read_arrow(&reader, frame, NULL, 18), PAGECODEC_CORRUPT);
	free(frame.data);
	free_reader(&reader);
}
END_TEST

int
main(void)
{
	add_test(xxh32_of_known_bytes);
	add_loop(frames_with_all_flags, COMBINATIONS);
	add_loop(cut_frames, COMBINATIONS);
	add_loop(flipped_bits, COMBINATIONS / 4);
	add_loop(written_frames, 5);
	add_loop(frames_by_hand, COUNT_OF(hand_made));
	add_test(linked_blocks);
	return run_tests("lz4_frame");
}
