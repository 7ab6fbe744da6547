/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_bombs.c - few bytes that ask for much: memory, or work
 * A page is believed only as far as its codec could go.  Streams of nothing but empty
 * members, frames and blocks are read to their end, and cost no memory.
 */
#include <stdlib.h>

#include "objects.h"

/* ---- Memory */

/* Brotli is the codec that makes so much of so little: what it can make, it may. */
START_TEST(brotli_makes_what_it_says)
{
	const size_t size = 64 * MIB;
	struct objects o;
	struct bytes bomb;
	unsigned char *page;
	struct pagecodec_span out;
	size_t before;

	open_objects(&o, _i, 0);
	if (is_codec(&o, PAGECODEC_BROTLI)) {
		page = calloc(1, size);
		ck_assert_ptr_nonnull(page);
		bomb = compress_fresh(o.coder, page, size);
		ck_assert_uint_lt(bomb.size, 200);
		before = o.heap.live_bytes;
		/* 30 of them: memory is taken for the page, and given back. */
		assert_status(pagecodec_decompress(o.decompressor, bomb.data, 30, size, NULL, 0,
						   &out, NULL),
			      PAGECODEC_TRUNCATED);
		ck_assert_uint_ge(o.heap.peak_bytes, size);
		ck_assert_uint_lt(o.heap.live_bytes, before + 32 * MIB);
		/* 2 GiB are beyond them all the same. */
		refuse_memory(&o);
		assert_status(pagecodec_decompress(o.decompressor, bomb.data, 30, INT32_MAX,
						   NULL, 0, &out, NULL),
			      PAGECODEC_TOO_LARGE);
		ck_assert_uint_eq(o.heap.failed, 0);
		allow_memory(&o);
		check_decompresses(o.decompressor, bomb, page, size);
		free(bomb.data);
		free(page);
	}
	close_objects(&o);
}
END_TEST

/* A window of 16 MiB, and a meta-block that would fill it: what comes after them, or
 * has come before them, does not make a small page need it. */
START_TEST(brotli_window_is_no_larger)
{
	static const unsigned char alone[] = {0xcf, 0xff, 0xff, 0xff};
	static const unsigned char behind[] = {0x0f, 0, 0x80, 'a', 0xfc, 0xff, 0xff, 0x0f};
	const struct bytes bombs[] = {{(unsigned char *)(uintptr_t)alone, sizeof(alone)},
				      {(unsigned char *)(uintptr_t)behind, sizeof(behind)}};
	const size_t sizes[] = {1, 1000, 64 * KIB, 1 * MIB};
	struct objects o;
	struct pagecodec_span out;

	open_objects(&o, _i, 0);
	for (size_t i = 0; i < COUNT_OF(bombs) * COUNT_OF(sizes); i++) {
		struct bytes bomb = bombs[i / COUNT_OF(sizes)];

		if (!is_codec(&o, PAGECODEC_BROTLI))
			continue;
		assert_status(pagecodec_decompress(o.decompressor, bomb.data, bomb.size,
						   sizes[i % COUNT_OF(sizes)], NULL, 0, &out,
						   NULL),
			      PAGECODEC_SIZE_MISMATCH);
		ck_assert_uint_lt(o.heap.peak_bytes, 8 * MIB);
	}
	close_objects(&o);
}
END_TEST

/* Where pages are known to be small: to the byte, and without memory. */
START_TEST(max_page_size_stops_bombs)
{
	struct objects o;
	unsigned char *page = calloc(1, 2 * MIB);
	struct bytes bomb = compress_fresh(&engine_coders(NULL)[_i], page, 2 * MIB);
	struct pagecodec_span out;

	open_objects(&o, _i, 2 * MIB - 1);
	refuse_memory(&o);
	assert_status(pagecodec_decompress(o.decompressor, bomb.data, bomb.size, 2 * MIB, NULL,
					   0, &out, NULL),
		      PAGECODEC_TOO_LARGE);
	ck_assert_uint_eq(o.heap.failed, 0);
	close_objects(&o);
	free(bomb.data);
	free(page);
}
END_TEST

/* As each codec's streams start, and then 2 GiB by its own account. */
static const struct bomb {
	int32_t codec;
	unsigned char bytes[30];
} bombs[] = {
    /* the length */
    {PAGECODEC_SNAPPY, {0xff, 0xff, 0xff, 0xff, 0x07, 0x00, 'a', 0xfe, 0x01}},
    {PAGECODEC_GZIP, {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 0x63, 0x60}},
    /* raw size and chunk */
    {PAGECODEC_LZO, {0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 22, 0x12, 'a'}},
    {PAGECODEC_LZ4, {0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 22, 0x1f, 'a', 1, 0, 255}},
    /* content size of a frame */
    {PAGECODEC_LZ4,
     {0x04, 0x22, 0x4d, 0x18, 0x68, 0x70, 0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0, 0x73, 4}},
    {PAGECODEC_LZ4_RAW, {0x1f, 'a', 1, 0, 255, 255, 255, 255}},
    /* content size, then a block of one byte repeated */
    {PAGECODEC_ZSTD,
     {0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0xff, 0xff, 0xff, 0x7f, 0x02, 0x00, 0x10, 0, 0x02, 0,
      0x10}},
    /* an uncompressed meta-block */
    {PAGECODEC_BROTLI, {0x4c, 0xff, 0xff, 0xff, 0x01}},
};

START_TEST(streams_that_say_2_gib)
{
	struct pagecodec_span out;
	struct pagecodec_error error;
	struct objects o;

	open_objects(&o, _i, 0);
	refuse_memory(&o);
	for (size_t i = 0; i < COUNT_OF(bombs); i++) {
		if (!is_codec(&o, bombs[i].codec))
			continue;
		assert_fails(pagecodec_decompress(o.decompressor, bombs[i].bytes, 30, INT32_MAX,
						  NULL, 0, &out, &error),
			     PAGECODEC_TOO_LARGE, &error);
		check_no_span(out);
	}
	ck_assert_uint_eq(o.heap.failed, 0);
	close_objects(&o);
}
END_TEST

/* ---- Work */

/* A stream that holds nothing: start, then as many units as go in, then end. */
struct nothing {
	const char *name;
	int32_t codec;
	size_t start_size, unit_size, end_size;
	const char *start, *unit, *end;
};

#define GZIP_START "\x1f\x8b\x08\0\0\0\0\0\0\xff"
#define GZIP_END "\0\0\0\0\0\0\0\0"
#define PREFIX_0 "\0\0\0\0\0\0\0\0"
#define LZ4_START "\x04\x22\x4d\x18\x60\x70\x73"
#define ZSTD_START "\x28\xb5\x2f\xfd\0\0"
#define NOTHING(name, codec, start, unit, end)                                                 \
	{                                                                                      \
		name, codec, sizeof(start) - 1, sizeof(unit) - 1, sizeof(end) - 1, start,      \
		    unit, end                                                                  \
	}

static const struct nothing nothings[] = {
    NOTHING("gzip members", PAGECODEC_GZIP, "", GZIP_START "\x03\0" GZIP_END, ""),
    NOTHING("stored deflate blocks", PAGECODEC_GZIP, GZIP_START, "\0\0\0\xff\xff",
	    "\x03\0" GZIP_END),
    NOTHING("fixed deflate blocks", PAGECODEC_GZIP, GZIP_START, "\x02\x08\x20\x80\x00",
	    "\x03\0" GZIP_END),
    NOTHING("NULs behind gzip", PAGECODEC_GZIP, GZIP_START "\x03\0" GZIP_END, "\0", ""),
    NOTHING("Hadoop blocks", PAGECODEC_LZ4, "", "\0\0\0\0", ""),
    NOTHING("Hadoop blocks with a chunk", PAGECODEC_LZ4, "", "\0\0\0\0\0\0\0\1\0", ""),
    NOTHING("Hadoop blocks", PAGECODEC_LZO, "", "\0\0\0\0", ""),
    NOTHING("Hadoop blocks with a chunk", PAGECODEC_LZO, "", "\0\0\0\0\0\0\0\3\x11\0\0", ""),
    NOTHING("LZ4 frames", PAGECODEC_LZ4, "", LZ4_START "\0\0\0\0", ""),
    NOTHING("LZ4 frames", PAGECODEC_ARROW_LZ4_FRAME, PREFIX_0, LZ4_START "\0\0\0\0", ""),
    NOTHING("stored LZ4 blocks", PAGECODEC_ARROW_LZ4_FRAME, PREFIX_0 LZ4_START, "\0\0\0\x80",
	    "\0\0\0\0"),
    NOTHING("LZ4 blocks", PAGECODEC_ARROW_LZ4_FRAME, PREFIX_0 LZ4_START, "\1\0\0\0\0",
	    "\0\0\0\0"),
    NOTHING("skippable LZ4 frames", PAGECODEC_ARROW_LZ4_FRAME, PREFIX_0,
	    "\x50\x2a\x4d\x18\0\0\0\0", ""),
    NOTHING("zstd frames", PAGECODEC_ZSTD, "", ZSTD_START "\1\0\0", ""),
    NOTHING("raw zstd blocks", PAGECODEC_ZSTD, ZSTD_START, "\0\0\0", "\1\0\0"),
    NOTHING("repeating zstd blocks", PAGECODEC_ZSTD, ZSTD_START, "\2\0\0a", "\1\0\0"),
    NOTHING("skippable zstd frames", PAGECODEC_ZSTD, "", "\x50\x2a\x4d\x18\0\0\0\0", ""),
    NOTHING("zstd frames", PAGECODEC_ARROW_ZSTD, PREFIX_0, ZSTD_START "\1\0\0", ""),
    NOTHING("metadata in brotli", PAGECODEC_BROTLI, "\x0c", "\x06", "\x03"),
};

static struct bytes
make_nothing(const struct nothing *nothing, size_t size)
{
	struct bytes bytes = {malloc(size), nothing->start_size};

	ck_assert_ptr_nonnull(bytes.data);
	memcpy(bytes.data, nothing->start, nothing->start_size);
	while (bytes.size + nothing->unit_size + nothing->end_size <= size) {
		memcpy(bytes.data + bytes.size, nothing->unit, nothing->unit_size);
		bytes.size += nothing->unit_size;
	}
	memcpy(bytes.data + bytes.size, nothing->end, nothing->end_size);
	bytes.size += nothing->end_size;
	return bytes;
}

static void
check_nothing(const struct objects *o, const struct nothing *nothing, size_t size)
{
	struct bytes bytes = make_nothing(nothing, size);
	struct pagecodec_span out;
	enum pagecodec_status status = pagecodec_decompress(o->decompressor, bytes.data,
							    bytes.size, 0, NULL, 0, &out, NULL);

	require(status == PAGECODEC_OK && out.data && out.size == 0, "%s: %s", nothing->name,
		pagecodec_status_name(status));
	/* And so is one that is cut, or followed by what it cannot be. */
	status = pagecodec_decompress(o->decompressor, bytes.data, bytes.size - 1, 0, NULL, 0,
				      &out, NULL);
	require(nothing->unit_size == 1 && nothing->end_size == 0 ? status == PAGECODEC_OK
								  : is_damage(status),
		"%s, cut: %s", nothing->name, pagecodec_status_name(status));
	bytes.data[bytes.size - 1] ^= 0x55;
	status = pagecodec_decompress(o->decompressor, bytes.data, bytes.size, 0, NULL, 0, &out,
				      NULL);
	require(is_damage(status), "%s, damaged: %s", nothing->name,
		pagecodec_status_name(status));
	free(bytes.data);
}

START_TEST(streams_of_nothing)
{
	struct objects o;
	size_t calls;

	open_objects(&o, _i, 0);
	for (size_t i = 0; i < COUNT_OF(nothings); i++) {
		if (!is_codec(&o, nothings[i].codec))
			continue;
		check_nothing(&o, &nothings[i], 1 * KIB);
		calls = o.heap.calls;
		check_nothing(&o, &nothings[i], 64 * KIB);
		check_nothing(&o, &nothings[i], 1 * MIB);
		ck_assert_uint_eq(o.heap.calls, calls);
	}
	close_objects(&o);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_loop(brotli_makes_what_it_says, count);
	add_loop(brotli_window_is_no_larger, count);
	add_loop(max_page_size_stops_bombs, count);
	add_loop(streams_that_say_2_gib, count);
	add_loop(streams_of_nothing, count);
	return run_tests("bombs");
}
