/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_walk.c - the second walk over refused input: cut, damaged, or of another size
 * Streams are the codecs' own, without their frames, and some written by hand.
 */
#include "internal.h"

#include <stdlib.h>

#include "coders.h"
#include "frame.h"
#include "guard.h"
#include "walk.h"

#define PAGE_SIZE 1000

/* One of the walks over src, a stream of declared bytes. */
typedef struct pgc_result walk_func(const uint8_t *src, size_t src_size, size_t declared);

static struct pgc_result
walk_lz4(const uint8_t *src, size_t src_size, size_t declared)
{
	(void)declared;
	return pgc_walk_lz4(src, src_size, 0);
}

static struct pgc_result
walk_deflate(const uint8_t *src, size_t src_size, size_t declared)
{
	(void)declared;
	return pgc_walk_deflate(src, src_size);
}

/* Where a codec's stream lies in its page. */
struct stream_kind {
	int32_t codec;
	size_t header_size, trailer_size;
	walk_func *walk;
};

static const struct stream_kind kinds[] = {
    {PAGECODEC_SNAPPY, 2, 0, pgc_walk_snappy}, /* a varint of two bytes */
    {PAGECODEC_GZIP, PGC_GZIP_HEADER_SIZE, PGC_GZIP_TRAILER_SIZE, walk_deflate},
    {PAGECODEC_LZ4_RAW, 0, 0, walk_lz4},
};

struct stream {
	const struct stream_kind *kind;
	struct bytes page; /* compressed */
	const uint8_t *data;
	size_t size;
};

/* false: the coder's stream has no walk. */
static int
make_stream(const struct coder *coder, enum page_kind page_kind, struct stream *stream)
{
	unsigned char *page;

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (kinds[i].codec != coder->info->codec)
			continue;
		page = new_page(page_kind, 5, PAGE_SIZE);
		stream->kind = &kinds[i];
		stream->page = compress_fresh(coder, page, PAGE_SIZE);
		stream->data = stream->page.data + kinds[i].header_size;
		stream->size = stream->page.size - kinds[i].header_size - kinds[i].trailer_size;
		free(page);
		return 1;
	}
	return 0;
}

START_TEST(a_whole_stream_is_sound)
{
	for (enum page_kind kind = 0; kind < PAGE_KINDS; kind++) {
		struct stream stream;
		struct pgc_result result;

		if (!make_stream(&level_coders(NULL)[_i], kind, &stream))
			return;
		result = stream.kind->walk(stream.data, stream.size, PAGE_SIZE);
		ck_assert_int_eq(result.fault, PGC_NO_FAULT);
		ck_assert_uint_eq(result.size, PAGE_SIZE);
		free(stream.page.data);
	}
}
END_TEST

/* A block of LZ4 does not say where it ends: cut behind literals it is another. */
START_TEST(a_prefix_is_cut)
{
	for (enum page_kind kind = 0; kind < PAGE_KINDS; kind++) {
		struct stream stream;

		if (!make_stream(&engine_coders(NULL)[_i], kind, &stream))
			return;
		for (size_t size = 0; size < stream.size; size++) {
			struct guard guard = guard_copy(stream.data, size, GUARD_AFTER);
			struct pgc_result result =
			    stream.kind->walk(guard.data, size, PAGE_SIZE);

			if (stream.kind->codec == PAGECODEC_LZ4_RAW && !result.fault)
				ck_assert_uint_lt(result.size, PAGE_SIZE);
			else
				ck_assert_msg(result.fault == PGC_STREAM_CUT,
					      "%zu of %zu bytes: fault %d", size, stream.size,
					      (int)result.fault);
			guard_free(&guard);
		}
		free(stream.page.data);
	}
}
END_TEST

START_TEST(flipped_bits_are_walked_within_bounds)
{
	for (enum page_kind kind = 0; kind < PAGE_KINDS; kind++) {
		struct stream stream;
		struct guard guard;

		if (!make_stream(&engine_coders(NULL)[_i], kind, &stream))
			return;
		guard = guard_new(stream.size, GUARD_AFTER, 0);
		memcpy(guard.data, stream.data, stream.size);
		for (size_t bit = 0; bit < 8 * stream.size; bit++) {
			struct pgc_result result;

			guard.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
			result = stream.kind->walk(guard.data, stream.size, PAGE_SIZE);
			ck_assert(result.fault == PGC_NO_FAULT ||
				  result.fault == PGC_STREAM_CUT ||
				  result.fault == PGC_STREAM_CORRUPT ||
				  result.fault == PGC_TRAILING_BYTES);
			guard.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
		}
		guard_free(&guard);
		free(stream.page.data);
	}
}
END_TEST

/* ---- By hand */

struct hand_made {
	const char *name;
	const char *bytes;
	size_t size, history;
	enum pgc_fault fault;
	size_t holds;
};

static const struct hand_made lz4_blocks[] = {
    {"nothing", "", 0, 0, PGC_STREAM_CUT, 0},
    {"empty", "\x00", 1, 0, PGC_NO_FAULT, 0},
    {"literals",
     "\x30"
     "abc",
     4, 0, PGC_NO_FAULT, 3},
    {"offset 0",
     "\x10"
     "a\x00\x00\x00",
     5, 0, PGC_STREAM_CORRUPT, 0},
    {"offset beyond",
     "\x10"
     "a\x02\x00\x00",
     5, 0, PGC_STREAM_CORRUPT, 0},
    {"offset into history",
     "\x10"
     "a\x02\x00\x00",
     5, 1, PGC_NO_FAULT, 5},
    {"offset beyond history",
     "\x10"
     "a\x03\x00\x00",
     5, 1, PGC_STREAM_CORRUPT, 0},
    {"ends in a match",
     "\x10"
     "a\x01\x00",
     4, 0, PGC_STREAM_CUT, 0},
    {"half an offset",
     "\x10"
     "a\x01",
     3, 0, PGC_STREAM_CUT, 0},
    {"long match",
     "\x1f"
     "a\x01\x00\xff\x05\x00",
     7, 0, PGC_NO_FAULT, 1 + 15 + 255 + 5 + 4},
    {"endless length", "\xf0\xff\xff\xff", 4, 0, PGC_STREAM_CUT, 0},
};

static const struct hand_made deflate_streams[] = {
    {"nothing", "", 0, 0, PGC_STREAM_CUT, 0},
    {"reserved type", "\x07", 1, 0, PGC_STREAM_CORRUPT, 0},
    {"stored",
     "\x01\x02\x00\xfd\xff"
     "ab",
     7, 0, PGC_NO_FAULT, 2},
    {"stored, lengths differ",
     "\x01\x02\x00\xfe\xff"
     "ab",
     7, 0, PGC_STREAM_CORRUPT, 0},
    {"stored, cut",
     "\x01\x02\x00\xfd\xff"
     "a",
     6, 0, PGC_STREAM_CUT, 0},
    {"not the final block", "\x00\x00\x00\xff\xff", 5, 0, PGC_STREAM_CUT, 0},
    {"fixed, empty", "\x03\x00", 2, 0, PGC_NO_FAULT, 0},
    {"bytes behind it", "\x03\x00xyz", 5, 0, PGC_NO_FAULT, 0},
};

static void
check_hand_made(const struct hand_made *stream, struct pgc_result result)
{
	ck_assert_msg(result.fault == stream->fault && result.size == stream->holds,
		      "%s: fault %d, %zu bytes", stream->name, (int)result.fault, result.size);
}

START_TEST(lz4_blocks_by_hand)
{
	for (size_t i = 0; i < COUNT_OF(lz4_blocks); i++) {
		const struct hand_made *block = &lz4_blocks[i];

		check_hand_made(block, pgc_walk_lz4((const uint8_t *)block->bytes, block->size,
						    block->history));
	}
}
END_TEST

START_TEST(deflate_streams_by_hand)
{
	for (size_t i = 0; i < COUNT_OF(deflate_streams); i++) {
		const struct hand_made *stream = &deflate_streams[i];

		check_hand_made(stream,
				pgc_walk_deflate((const uint8_t *)stream->bytes, stream->size));
	}
}
END_TEST

START_TEST(refusals_are_explained)
{
	struct pgc_result cut = pgc_bad(PGC_STREAM_CUT), sound = pgc_done(100);

	ck_assert_int_eq(pgc_explain(cut, 100).fault, PGC_STREAM_CUT);
	ck_assert_int_eq(pgc_explain(sound, 99).fault, PGC_SIZE_DIFFERS);
	ck_assert_uint_eq(pgc_explain(sound, 99).size, 100);
	ck_assert_int_eq(pgc_explain(sound, 100).fault, PGC_STREAM_CORRUPT);
}
END_TEST

int
main(void)
{
	size_t engines, levels;

	engine_coders(&engines);
	level_coders(&levels);
	add_loop(a_whole_stream_is_sound, levels);
	add_loop(a_prefix_is_cut, engines);
	add_loop(flipped_bits_are_walked_within_bounds, engines);
	add_test(lz4_blocks_by_hand);
	add_test(deflate_streams_by_hand);
	add_test(refusals_are_explained);
	return run_tests("walk");
}
