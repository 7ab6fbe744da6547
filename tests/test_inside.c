/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_inside.c - what no call reaches, but what must hold all the same
 * Engines are given what the checks before them refuse, as they are where another process
 * changes the input in the meantime; and sizes that only a larger machine's pages have.
 */
#include "internal.h"

#include <stdlib.h>

#include "arena.h"
#include "buffer.h"
#include "codec.h"
#include "coders.h"
#include "error.h"
#include "frame.h"
#include "guard.h"
#include "heap.h"
#include "walk.h"

/* ---- Faults */

static enum pagecodec_status
status_by_group(int fault)
{
	static const struct {
		int last;
		enum pagecodec_status status;
	} groups[] = {
	    {PGC_NO_FAULT, PAGECODEC_OK},
	    {PGC_NOT_ARROW, PAGECODEC_INVALID_ARGUMENT},
	    {PGC_ENGINE_NOT_BUILT, PAGECODEC_NOT_BUILT},
	    {PGC_CODEC_UNKNOWN, PAGECODEC_UNKNOWN_CODEC},
	    {PGC_NO_MEMORY, PAGECODEC_OUT_OF_MEMORY},
	    {PGC_IMPLAUSIBLE, PAGECODEC_TOO_LARGE},
	    {PGC_DST_SHORT, PAGECODEC_DST_TOO_SMALL},
	    {PGC_STREAM_CUT, PAGECODEC_TRUNCATED},
	    {PGC_LENGTH_CHAIN, PAGECODEC_CORRUPT},
	    {PGC_BLOCK_CHECKSUM, PAGECODEC_CHECKSUM_MISMATCH},
	    {PGC_STORED_SIZE_DIFFERS, PAGECODEC_SIZE_MISMATCH},
	    {PGC_TRAILING_BYTES, PAGECODEC_TRAILING_DATA},
	};
	size_t i = 0;

	while (i + 1 < COUNT_OF(groups) && fault > groups[i].last)
		i++;
	return groups[i].status;
}

/* Sizes as long as they get, and all that a message can have, fit in it. */
START_TEST(faults)
{
	enum pgc_fault fault = (enum pgc_fault)(_i + 1);
	enum pagecodec_status want = status_by_group((int)fault);
	struct pgc_failure failure = {.fault = fault,
				      .codec = PAGECODEC_ARROW_LZ4_FRAME,
				      .expected = SIZE_MAX - 1,
				      .actual = SIZE_MAX,
				      .name = "repetition_levels_byte_length",
				      .value = INT32_MIN};
	struct pagecodec_error error;

	ck_assert_int_eq(pgc_fault_status(fault), want);
	assert_fails(pgc_fail(&error, failure), want, &error);
	ck_assert_int_eq(error.codec, PAGECODEC_ARROW_LZ4_FRAME);
	ck_assert_int_eq(error.message[strlen(error.message) - 1], ')');
	ck_assert_int_eq(pgc_fail(NULL, failure), want);
	failure = (struct pgc_failure){.fault = fault,
				       .codec = -1,
				       .value = INT32_MIN,
				       .low = INT32_MIN,
				       .high = INT32_MAX,
				       .name = "libdeflate"};
	assert_fails(pgc_fail(&error, failure), want, &error);
	ck_assert_int_eq(error.message[strlen(error.message) - 1], ')');
}
END_TEST

START_TEST(unknown_fault)
{
	const enum pgc_fault none = (enum pgc_fault)(PGC_TRAILING_BYTES + 1);
	struct pagecodec_error error;

	ck_assert_int_eq(pgc_fault_status(none), PAGECODEC_CORRUPT);
	assert_fails(pgc_fail(&error, (struct pgc_failure){.fault = none, .codec = -1}),
		     PAGECODEC_CORRUPT, &error);
}
END_TEST

/* ---- Sizes */

START_TEST(sizes_that_wrap)
{
	struct heap counter = HEAP_INIT;
	struct pgc_heap heap;
	struct pgc_account account = {.heap = &heap};
	struct pgc_buffer buffer = {0};
	struct pgc_arena arena = {.account = &account};

	pgc_heap_init(&heap, heap_alloc, heap_free, &counter);
	for (size_t less = 0; less < 300; less++) {
		ck_assert_ptr_null(pgc_alloc(&account, SIZE_MAX - less));
		ck_assert_ptr_null(pgc_alloc(&account, PTRDIFF_MAX - less % 16));
		ck_assert_ptr_null(pgc_arena_alloc(&arena, SIZE_MAX - less));
		ck_assert(!pgc_buffer_reserve(&buffer, &account, SIZE_MAX - less));
	}
	ck_assert_uint_eq(counter.calls, 0);
	ck_assert_uint_eq(account.bytes, 0);
	ck_assert_ptr_null(buffer.data);
}
END_TEST

/* Where there is no memory for room to spare, there is for the page. */
START_TEST(buffer_grows_by_what_it_can)
{
	struct heap counter = HEAP_INIT;
	struct pgc_heap heap;
	struct pgc_account account = {.heap = &heap};
	struct pgc_buffer buffer = {0};

	pgc_heap_init(&heap, heap_alloc, heap_free, &counter);
	ck_assert(pgc_buffer_reserve(&buffer, &account, 1000));
	ck_assert(pgc_buffer_reserve(&buffer, &account, 1001));
	ck_assert_uint_eq(buffer.capacity, 1250);
	counter.fail_from = counter.fail_to = counter.calls + 1;
	ck_assert(pgc_buffer_reserve(&buffer, &account, 1251));
	ck_assert_uint_eq(buffer.capacity, 1251);
	counter.fail_from = counter.calls + 1;
	counter.fail_to = SIZE_MAX;
	ck_assert(!pgc_buffer_reserve(&buffer, &account, 1252));
	ck_assert_uint_eq(buffer.capacity, 1251);
	pgc_buffer_free(&buffer, &account);
	ck_assert_uint_eq(account.bytes, 0);
	heap_check_empty(&counter);
}
END_TEST

/* ---- Engines, past the checks */

struct changed {
	const char *name;
	const char *bytes;
	size_t size, declared;
	enum pgc_fault fault;
};

#define CHANGED(name, bytes, declared, fault)                                                  \
	{                                                                                      \
		name, bytes, sizeof(bytes) - 1, declared, fault                                \
	}

/* clang-format off */
static const struct changed snappy_pages[] = {
    CHANGED("no length", "\xff\xff\xff", 4, PGC_HEADER_CUT),
    CHANGED("a length beyond 2^32", "\xff\xff\xff\xff\x1f", 4, PGC_SNAPPY_LENGTH),
    CHANGED("another length", "\x03\x08" "abc", 4, PGC_STREAM_CUT),
    CHANGED("sound", "\x03\x08" "abc", 3, PGC_NO_FAULT),
};
static const struct changed libsnappy_pages[] = {
    CHANGED("no length", "\xff\xff\xff", 4, PGC_HEADER_CUT),
    CHANGED("another length", "\x03\x08" "abc", 4, PGC_SIZE_DIFFERS),
    CHANGED("sound", "\x03\x08" "abc", 3, PGC_NO_FAULT),
};
static const struct changed lz4_pages[] = {
    CHANGED("a raw size beyond the page", "\0\0\0\4\0\0\0\1\0", 3, PGC_SIZE_DIFFERS),
    CHANGED("no chunk", "\0\0\0\3\0\0\0\1", 3, PGC_STREAM_CUT),
    CHANGED("sound", "\0\0\0\3\0\0\0\4\x30" "abc", 3, PGC_NO_FAULT),
};
static const struct changed lzo_pages[] = {
    CHANGED("a raw size beyond the page", "\0\0\0\4\0\0\0\1\0", 3, PGC_SIZE_DIFFERS),
    CHANGED("cut", "\0\0", 3, PGC_HEADER_CUT),
};
static const struct changed zstd_pages[] = {
    CHANGED("magic", "\x28\xb5\x2f\xfc\x20\0\1\0\0", 0, PGC_STREAM_CORRUPT),
    CHANGED("cut", "\x28\xb5\x2f\xfd\x20\3\x19\0\0" "ab", 3, PGC_STREAM_CUT),
    CHANGED("more", "\x28\xb5\x2f\xfd\x20\3\x19\0\0" "abc", 2, PGC_SIZE_BEYOND),
    CHANGED("less", "\x28\xb5\x2f\xfd\x20\3\x19\0\0" "abc", 4, PGC_SIZE_DIFFERS),
    CHANGED("checksum", "\x28\xb5\x2f\xfd\x24\3\x19\0\0" "abcdefg", 3, PGC_CONTENT_CHECKSUM),
    CHANGED("sound", "\x28\xb5\x2f\xfd\x20\3\x19\0\0" "abc", 3, PGC_NO_FAULT),
};

/* clang-format on */

static const struct {
	int32_t codec;
	const char *engine;
	const struct changed *pages;
	size_t count;
} engines[] = {
    {PAGECODEC_SNAPPY, "pagecodec", snappy_pages, COUNT_OF(snappy_pages)},
    {PAGECODEC_SNAPPY, "libsnappy", libsnappy_pages, COUNT_OF(libsnappy_pages)},
    {PAGECODEC_LZ4, "liblz4", lz4_pages, COUNT_OF(lz4_pages)},
    {PAGECODEC_LZO, "liblzo2", lzo_pages, COUNT_OF(lzo_pages)},
    {PAGECODEC_ZSTD, "libzstd", zstd_pages, COUNT_OF(zstd_pages)},
};

static const struct pgc_decompress_engine *
find_engine(int32_t codec, const char *name)
{
	const struct pgc_decompress_engine *const *engine =
	    pgc_find_codec(codec)->decompressors;

	while (*engine && strcmp((*engine)->name, name) != 0)
		engine++;
	return *engine;
}

START_TEST(input_that_changed_after_the_checks)
{
	const struct pgc_decompress_engine *engine =
	    find_engine(engines[_i].codec, engines[_i].engine);
	struct pgc_heap heap;
	struct pgc_account account = {.heap = &heap};
	void *state = NULL;

	if (!engine)
		return;
	pgc_heap_init(&heap, NULL, NULL, NULL);
	if (engine->open)
		ck_assert_int_eq(engine->open(engine, &account, &state), PGC_NO_FAULT);
	for (size_t i = 0; i < engines[_i].count; i++) {
		const struct changed *page = &engines[_i].pages[i];
		struct guard dst = guard_new(page->declared, GUARD_AFTER, 0);
		struct guard src = guard_copy(page->bytes, page->size, GUARD_AFTER);
		struct pgc_result result =
		    engine->decompress(state, src.data, src.size, dst.data, dst.size);

		require(result.fault == page->fault, "%s, %s: fault %d, not %d",
			engines[_i].engine, page->name, (int)result.fault, (int)page->fault);
		guard_free(&dst);
		guard_free(&src);
	}
	if (engine->close)
		engine->close(state);
	ck_assert_uint_eq(account.bytes, 0);
}
END_TEST

/* ---- What stands in for encoders */

/* For builds of zlib that grow a page beyond the bound. */
START_TEST(stored_deflate)
{
	static const size_t sizes[] = {0, 1, 65534, 65535, 65536, 131070, 131071, 300000};
	size_t size = sizes[_i];
	unsigned char *page = new_page(PAGE_RANDOM, 1, size);
	struct guard dst =
	    guard_new(pagecodec_compress_bound(PAGECODEC_GZIP, size), GUARD_AFTER, 0);
	size_t made = pgc_deflate_store(dst.data + PGC_GZIP_HEADER_SIZE, page, size);
	struct pagecodec_factory *factory = new_factory();
	const struct pagecodec_codec_info *gzip = pagecodec_find_codec(PAGECODEC_GZIP);

	ck_assert_uint_eq(made, size + 5 * (size ? (size + 65534) / 65535 : 1));
	pgc_gzip_write_header(dst.data, 0);
	pgc_gzip_write_trailer(dst.data + PGC_GZIP_HEADER_SIZE + made,
			       pagecodec_crc32(0, page, size), size);
	for (size_t e = 0; gzip->decompress_engines[e]; e++) {
		struct pagecodec_decompressor *decompressor =
		    get_decompressor(factory, PAGECODEC_GZIP, gzip->decompress_engines[e]);

		check_decompresses(decompressor,
				   (struct bytes){dst.data, made + PGC_GZIP_FRAME_SIZE}, page,
				   size);
		pagecodec_decompressor_release(decompressor);
	}
	ck_assert_uint_eq(pgc_walk_deflate(dst.data + PGC_GZIP_HEADER_SIZE, made).size, size);
	guard_free(&dst);
	pagecodec_factory_destroy(factory);
	free(page);
}
END_TEST

int
main(void)
{
	add_loop(faults, PGC_TRAILING_BYTES);
	add_test(unknown_fault);
	add_test(sizes_that_wrap);
	add_test(buffer_grows_by_what_it_can);
	add_loop(input_that_changed_after_the_checks, COUNT_OF(engines));
	add_loop(stored_deflate, 8);
	return run_tests("inside");
}
