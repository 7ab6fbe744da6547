/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_frame.c - the bytes round compressed data, by hand: gzip headers, stored brotli
 * Every optional field of a gzip header, cut everywhere; the page behind it with every engine.
 */
#include "internal.h"

#include <stdlib.h>

#include "coders.h"
#include "crc32.h"
#include "frame.h"
#include "guard.h"

enum { FTEXT = 1, FHCRC = 2, FEXTRA = 4, FNAME = 8, FCOMMENT = 16, ALL_FLAGS = 31 };

#define HEADER_MAX 100

/* A header with these fields; returns its size. */
static size_t
put_gzip_header(uint8_t *header, int flags)
{
	static const uint8_t start[] = {0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 2, 3};
	static const uint8_t extra[] = {5, 0, 'A', 'p', 1, 0, 'x'};
	static const char name[] = "page.bin", comment[] = "one page";
	size_t size = sizeof(start);
	uint32_t crc;

	memcpy(header, start, size);
	header[3] = (uint8_t)flags;
	if (flags & FEXTRA) {
		memcpy(header + size, extra, sizeof(extra));
		size += sizeof(extra);
	}
	if (flags & FNAME) {
		memcpy(header + size, name, sizeof(name));
		size += sizeof(name);
	}
	if (flags & FCOMMENT) {
		memcpy(header + size, comment, sizeof(comment));
		size += sizeof(comment);
	}
	if (flags & FHCRC) {
		crc = pgc_crc32(0, header, size);
		header[size++] = (uint8_t)crc;
		header[size++] = (uint8_t)(crc >> 8);
	}
	return size;
}

static enum pgc_fault
read_gzip_header(const uint8_t *header, size_t size, size_t *header_size)
{
	struct guard guard = guard_copy(header, size, GUARD_AFTER);
	enum pgc_fault fault = pgc_gzip_read_header(guard.data, size, header_size);

	guard_free(&guard);
	return fault;
}

START_TEST(gzip_header_fields)
{
	uint8_t header[HEADER_MAX] = {0};
	size_t size = put_gzip_header(header, _i), found = 0;

	ck_assert_int_eq(read_gzip_header(header, size, &found), PGC_NO_FAULT);
	ck_assert_uint_eq(found, size);
	ck_assert_int_eq(read_gzip_header(header, HEADER_MAX, &found), PGC_NO_FAULT);
	ck_assert_uint_eq(found, size);
	for (size_t cut = 0; cut < size; cut++)
		ck_assert_int_eq(read_gzip_header(header, cut, &found), PGC_HEADER_CUT);
}
END_TEST

START_TEST(gzip_header_checksum)
{
	uint8_t header[HEADER_MAX] = {0};
	size_t size = put_gzip_header(header, _i | FHCRC), found;

	/* MTIME, XFL, OS: fields that mean nothing to us, but the checksum covers. */
	for (size_t at = 4; at < PGC_GZIP_HEADER_SIZE; at++) {
		header[at] ^= 1;
		ck_assert_int_eq(read_gzip_header(header, size, &found), PGC_HEADER_CHECKSUM);
		header[at] ^= 1;
	}
	for (size_t at = size - 2; at < size; at++) {
		header[at] ^= 0x80;
		ck_assert_int_eq(read_gzip_header(header, size, &found), PGC_HEADER_CHECKSUM);
		header[at] ^= 0x80;
	}
}
END_TEST

START_TEST(gzip_header_damage)
{
	uint8_t header[HEADER_MAX] = {0};
	size_t size = put_gzip_header(header, FEXTRA), found;

	/* The extra field is said to be longer than what is there. */
	header[PGC_GZIP_HEADER_SIZE] = 6;
	ck_assert_int_eq(read_gzip_header(header, size, &found), PGC_HEADER_CUT);
	header[PGC_GZIP_HEADER_SIZE + 1] = 0xff;
	ck_assert_int_eq(read_gzip_header(header, size, &found), PGC_HEADER_CUT);

	size = put_gzip_header(header, 0);
	for (int flag = 0x20; flag <= 0x80; flag <<= 1) {
		header[3] = (uint8_t)flag;
		ck_assert_int_eq(read_gzip_header(header, size, &found), PGC_GZIP_FLAGS);
	}
	header[2] = 7;
	ck_assert_int_eq(read_gzip_header(header, size, &found), PGC_GZIP_METHOD);
	header[1] = 0x8c;
	ck_assert_int_eq(read_gzip_header(header, size, &found), PGC_MAGIC);
}
END_TEST

/* A member with such a header, then another; then each byte of the first header cut out. */
START_TEST(gzip_members_with_fields)
{
	size_t count, size = 1000;
	const struct coder *coders = engine_coders(&count);
	unsigned char *page = new_page(PAGE_TEXT, 2, 2 * size);

	for (size_t i = 0; i < count; i++) {
		struct fixture f;
		struct bytes members;
		uint8_t *at;

		if (coders[i].info->codec != PAGECODEC_GZIP)
			continue;
		f = fixture_new(&coders[i], PAGE_TEXT, size);
		free(f.page);
		f.page = page;
		free(f.compressed.data);
		f.compressed = compress_bytes(f.compressor, page, size);
		at = members.data = malloc(HEADER_MAX + 3 * size);
		ck_assert_ptr_nonnull(at);
		at += put_gzip_header(at, _i);
		memcpy(at, f.compressed.data + PGC_GZIP_HEADER_SIZE,
		       f.compressed.size - PGC_GZIP_HEADER_SIZE);
		at += f.compressed.size - PGC_GZIP_HEADER_SIZE;
		free(f.compressed.data);
		f.compressed = compress_bytes(f.compressor, page + size, size);
		memcpy(at, f.compressed.data, f.compressed.size);
		members.size = (size_t)(at - members.data) + f.compressed.size;
		check_decompresses(f.decompressor, members, page, 2 * size);
		free(members.data);
		f.page = NULL;
		fixture_free(&f);
	}
	free(page);
}
END_TEST

START_TEST(zlib_starts)
{
	ck_assert(pgc_zlib_starts((const uint8_t *)"\x78\x9c", 2));
	ck_assert(pgc_zlib_starts((const uint8_t *)"\x08\x1d", 2));
	ck_assert(!pgc_zlib_starts((const uint8_t *)"\x78", 1));
	ck_assert(!pgc_zlib_starts((const uint8_t *)"\x78\x9d", 2));
	ck_assert(!pgc_zlib_starts((const uint8_t *)"\x88\x1c", 2)); /* a window of 64 KiB */
	ck_assert(!pgc_zlib_starts((const uint8_t *)"\x1f\x8b", 2));
}
END_TEST

/* ---- brotli */

static const size_t stored_sizes[] = {
    0,	     1,	      2,	1000,	  65535,    65536,	     65537,
    1048576, 1048577, 16777215, 16777216, 16777217, 2 * 16777216 + 1};

START_TEST(stored_brotli)
{
	static const int windows[] = {0, 10, 11, 15, 16, 17, 24};
	size_t size = stored_sizes[_i],
	       bound = pagecodec_compress_bound(PAGECODEC_BROTLI, size);
	unsigned char *page = new_page(PAGE_RANDOM, 1, size);
	struct pagecodec_factory *factory = new_factory();

	for (size_t i = 0; i < COUNT_OF(windows); i++) {
		struct guard dst = guard_new(bound, GUARD_AFTER, 0);
		size_t made = pgc_brotli_store(dst.data, page, size, windows[i]);

		ck_assert_uint_gt(made, size);
		ck_assert_uint_le(made, bound);
		if (pagecodec_find_codec(PAGECODEC_BROTLI)->is_available) {
			struct pagecodec_decompressor *decompressor =
			    get_decompressor(factory, PAGECODEC_BROTLI, NULL);

			check_decompresses(decompressor, (struct bytes){dst.data, made}, page,
					   size);
			pagecodec_decompressor_release(decompressor);
		}
		guard_check(&dst);
		guard_free(&dst);
	}
	pagecodec_factory_destroy(factory);
	free(page);
}
END_TEST

int
main(void)
{
	add_loop(gzip_header_fields, ALL_FLAGS + 1);
	add_loop(gzip_header_checksum, ALL_FLAGS + 1);
	add_test(gzip_header_damage);
	add_loop(gzip_members_with_fields, ALL_FLAGS + 1);
	add_test(zlib_starts);
	add_loop(stored_brotli, COUNT_OF(stored_sizes));
	return run_tests("frame");
}
