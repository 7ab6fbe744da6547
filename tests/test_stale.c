/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_stale.c - no byte of an earlier page is ever given out as one of a later page
 * Memory that results go to holds other bytes each time: what a page says may depend on
 * its own bytes alone.  And copies may not reach back beyond a page's own start.
 */
#include <stdlib.h>

#include "coders.h"

#define PAGE_SIZE 2000

/* ---- Damaged pages of every codec */

struct result {
	enum pagecodec_status status;
	unsigned char data[PAGE_SIZE];
};

static struct result
read_over(const struct fixture *f, struct bytes page, unsigned char filler)
{
	struct result result;
	struct pagecodec_span out;

	memset(result.data, filler, PAGE_SIZE);
	result.status = pagecodec_decompress(f->decompressor, page.data, page.size, PAGE_SIZE,
					     result.data, PAGE_SIZE, &out, NULL);
	return result;
}

/* In the object's own buffer, which holds an earlier page. */
static struct result
read_after(const struct fixture *f, struct bytes page, struct bytes earlier)
{
	struct result result;
	struct pagecodec_span out;

	assert_status(pagecodec_decompress(f->decompressor, earlier.data, earlier.size,
					   PAGE_SIZE, NULL, 0, &out, NULL),
		      PAGECODEC_OK);
	result.status = pagecodec_decompress(f->decompressor, page.data, page.size, PAGE_SIZE,
					     NULL, 0, &out, NULL);
	if (result.status == PAGECODEC_OK)
		memcpy(result.data, out.data, PAGE_SIZE);
	else
		check_no_span(out);
	return result;
}

static void
check_depends_on_nothing(const struct fixture *f, struct bytes page, struct bytes earlier)
{
	struct result want = read_over(f, page, 0);
	struct result got[3] = {read_over(f, page, 0xff), read_over(f, page, 'x'),
				read_after(f, page, earlier)};

	for (size_t i = 0; i < COUNT_OF(got); i++) {
		require(got[i].status == want.status, "%s, then %s",
			pagecodec_status_name(want.status),
			pagecodec_status_name(got[i].status));
		if (want.status == PAGECODEC_OK)
			check_bytes("damaged page", got[i].data, want.data, PAGE_SIZE);
	}
}

START_TEST(flipped_bits)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, PAGE_SIZE);
	unsigned char *other = new_page(PAGE_DOUBLES, 1, PAGE_SIZE);
	struct bytes earlier = compress_fresh(f.coder, other, PAGE_SIZE);
	size_t step = tests_short() ? 29 : 1;

	for (size_t bit = 0; bit < 8 * f.compressed.size; bit += step) {
		f.compressed.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
		check_depends_on_nothing(&f, f.compressed, earlier);
		f.compressed.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	free(earlier.data);
	free(other);
	fixture_free(&f);
}
END_TEST

START_TEST(cut_pages)
{
	struct fixture f = fixture_new(&engine_coders(NULL)[_i], PAGE_TEXT, PAGE_SIZE);
	unsigned char *other = new_page(PAGE_DOUBLES, 1, PAGE_SIZE);
	struct bytes earlier = compress_fresh(f.coder, other, PAGE_SIZE);

	for (size_t size = 0; size < f.compressed.size; size++) {
		struct bytes cut = {f.compressed.data, size};
		struct result result = read_after(&f, cut, earlier);

		require(is_damage(result.status), "%zu of %zu bytes: %s", size,
			f.compressed.size, pagecodec_status_name(result.status));
		result = read_over(&f, cut, 0);
		require(is_damage(result.status), "%zu of %zu bytes: %s", size,
			f.compressed.size, pagecodec_status_name(result.status));
	}
	free(earlier.data);
	free(other);
	fixture_free(&f);
}
END_TEST

/* ---- Copies by hand: literals, a copy, and literals */

struct copy {
	size_t made, length, tail; /* literals, the copy, and literals again */
	uint64_t offset;
};

static size_t
size_of(struct copy copy)
{
	return copy.made + copy.length + copy.tail;
}

static size_t
put_literals(unsigned char *dst, size_t size)
{
	for (size_t i = 0; i < size; i++)
		dst[i] = (unsigned char)('a' + i % 26);
	return size;
}

static size_t
put_snappy_literal(unsigned char *dst, size_t size)
{
	dst[0] = 61 << 2; /* a length of two bytes */
	dst[1] = (unsigned char)(size - 1);
	dst[2] = (unsigned char)((size - 1) >> 8);
	return 3 + put_literals(dst + 3, size);
}

/* offset_size: 1, 2 or 4 bytes, as far as it goes */
static struct bytes
put_snappy(unsigned char *dst, struct copy copy, size_t offset_size)
{
	size_t size = size_of(copy), at = 2;

	dst[0] = (unsigned char)(size | 0x80);
	dst[1] = (unsigned char)(size >> 7);
	if (copy.made)
		at += put_snappy_literal(dst + at, copy.made);
	if (offset_size == 1)
		dst[at++] = (unsigned char)(1 | (copy.length - 4) << 2 | copy.offset >> 8 << 5);
	else
		dst[at++] =
		    (unsigned char)((offset_size == 2 ? 2 : 3) | (copy.length - 1) << 2);
	for (size_t i = 0; i < offset_size; i++)
		dst[at++] = (unsigned char)(copy.offset >> 8 * i);
	at += put_snappy_literal(dst + at, copy.tail);
	return (struct bytes){dst, at};
}

/* What of a length does not fit in its half of a token. */
static size_t
put_lz4_length(unsigned char *dst, size_t length)
{
	size_t at = 0;

	if (length < 15)
		return 0;
	for (length -= 15; length >= 255; length -= 255)
		dst[at++] = 255;
	dst[at++] = (unsigned char)length;
	return at;
}

static struct bytes
put_lz4(unsigned char *dst, struct copy copy)
{
	size_t match = copy.length - 4, at = 1;

	dst[0] = (unsigned char)((copy.made < 15 ? copy.made : 15) << 4);
	dst[0] = (unsigned char)(dst[0] | (match < 15 ? match : 15));
	at += put_lz4_length(dst + at, copy.made);
	at += put_literals(dst + at, copy.made);
	dst[at++] = (unsigned char)copy.offset;
	dst[at++] = (unsigned char)(copy.offset >> 8);
	at += put_lz4_length(dst + at, match);
	dst[at++] = (unsigned char)((copy.tail < 15 ? copy.tail : 15) << 4);
	at += put_lz4_length(dst + at, copy.tail);
	at += put_literals(dst + at, copy.tail);
	return (struct bytes){dst, at};
}

/* liblz4 takes an offset of 0, which the format forbids, for bytes of 0. */
static unsigned char
copied_byte(struct copy copy, size_t i)
{
	if (copy.offset == 0)
		return 0;
	return (unsigned char)('a' + (copy.made - copy.offset + i % copy.offset) % 26);
}

static int
may_be_sound(int32_t codec, struct copy copy)
{
	return copy.offset <= copy.made && (copy.offset > 0 || codec == PAGECODEC_LZ4_RAW);
}

/* To memory before and in which there are other bytes than the page's. */
static void
check_copy(struct pagecodec_decompressor *decompressor, int32_t codec, struct bytes page,
	   struct copy copy)
{
	static unsigned char memory[80000];
	unsigned char *dst = memory + 70000;
	struct pagecodec_span out;

	memset(memory, 'S', sizeof(memory));
	for (int own = 0; own < 2; own++) {
		enum pagecodec_status status =
		    pagecodec_decompress(decompressor, page.data, page.size, size_of(copy),
					 own ? NULL : dst, own ? 0 : size_of(copy), &out, NULL);

		require(status == PAGECODEC_CORRUPT ||
			    (status == PAGECODEC_OK && may_be_sound(codec, copy)),
			"offset %zu behind %zu bytes: %s", (size_t)copy.offset, copy.made,
			pagecodec_status_name(status));
		require(status == PAGECODEC_OK || copy.offset == 0 || copy.offset > copy.made,
			"offset %zu behind %zu bytes is refused", (size_t)copy.offset,
			copy.made);
		for (size_t i = 0; status == PAGECODEC_OK && i < copy.length; i++)
			require(((const unsigned char *)out.data)[copy.made + i] ==
				    copied_byte(copy, i),
				"offset %zu behind %zu bytes: byte %zu is %u",
				(size_t)copy.offset, copy.made, i,
				((const unsigned char *)out.data)[copy.made + i]);
	}
}

/* Each way in which the codec can say it. */
static void
check_copies(struct pagecodec_decompressor *decompressor, int32_t codec, struct copy copy)
{
	static const size_t lengths[] = {8, 11, 18, 19, 40, 64, 300};
	static const size_t tails[] = {12, 100};
	static unsigned char src[10000];

	for (size_t i = 0; i < COUNT_OF(lengths) * COUNT_OF(tails); i++) {
		copy.length = lengths[i / 2];
		copy.tail = tails[i % 2];
		if (codec == PAGECODEC_LZ4_RAW && copy.offset < 65536)
			check_copy(decompressor, codec, put_lz4(src, copy), copy);
		if (codec != PAGECODEC_SNAPPY || copy.length > 64)
			continue;
		if (copy.offset < 2048 && copy.length < 12)
			check_copy(decompressor, codec, put_snappy(src, copy, 1), copy);
		if (copy.offset < 65536)
			check_copy(decompressor, codec, put_snappy(src, copy, 2), copy);
		check_copy(decompressor, codec, put_snappy(src, copy, 4), copy);
	}
}

START_TEST(copies_before_the_start)
{
	static const size_t mades[] = {0, 1, 7, 8, 15, 16, 17, 63, 64, 65, 500, 2000, 9000};
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, coder->info->codec, coder->engine);

	for (size_t i = 0; i < COUNT_OF(mades); i++) {
		size_t made = mades[i];
		const uint64_t offsets[] = {0,	   1,	     2,		8,     made / 2,
					    made,  made + 1, 2047,	60000, 65535,
					    65536, 1u << 31, UINT32_MAX};

		for (size_t k = 0; k < COUNT_OF(offsets); k++)
			check_copies(decompressor, coder->info->codec,
				     (struct copy){.made = made, .offset = offsets[k]});
	}
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
}
END_TEST

/* ---- Blocks, frames and members that copy from the one before */

/* clang-format off */
#define LZ4_START "\x04\x22\x4d\x18\x60\x70\x73"
#define LZ4_LINKED "\x04\x22\x4d\x18\x40\x70\xdf"
#define EIGHT "\x80" "abcdefgh"		   /* an LZ4 block */
#define COPY_8 "\x04\x08\x00\x80" "abcdefgh" /* 8 bytes from 8 before, and 8 more */
#define GZIP_START "\x1f\x8b\x08\0\0\0\0\0\0\xff"
/* CRC-32 of 8 letters and of the last one thrice: only the copy itself is at fault. */
#define GZIP_8 GZIP_START "\x01\x08\0\xf7\xff" "abcdefgh" "\x50\x2a\xef\xae" "\x08\0\0\0"
#define GZIP_COPY GZIP_START "\x03\x02\0" "\x4f\x4b\xc8\x57" "\x03\0\0\0"
/* clang-format on */

static const struct crossing {
	const char *name;
	int32_t codec;
	enum pagecodec_status status;
	size_t page_size, size;
	const char *bytes;
} crossings[] = {
#define ROW(name, codec, status, page_size, bytes)                                             \
	{                                                                                      \
		name, codec, status, page_size, sizeof(bytes) - 1, bytes                       \
	}
    ROW("Hadoop blocks", PAGECODEC_LZ4, PAGECODEC_CORRUPT, 24,
	"\0\0\0\x08\0\0\0\x09" EIGHT "\0\0\0\x10\0\0\0\x0c" COPY_8),
    ROW("Hadoop chunks", PAGECODEC_LZ4, PAGECODEC_CORRUPT, 24,
	"\0\0\0\x18\0\0\0\x09" EIGHT "\0\0\0\x0c" COPY_8),
    ROW("independent blocks", PAGECODEC_ARROW_LZ4_FRAME, PAGECODEC_CORRUPT, 24,
	"\x18\0\0\0\0\0\0\0" LZ4_START "\x09\0\0\0" EIGHT "\x0c\0\0\0" COPY_8 "\0\0\0\0"),
    ROW("linked blocks", PAGECODEC_ARROW_LZ4_FRAME, PAGECODEC_OK, 24,
	"\x18\0\0\0\0\0\0\0" LZ4_LINKED "\x09\0\0\0" EIGHT "\x0c\0\0\0" COPY_8 "\0\0\0\0"),
    ROW("frames", PAGECODEC_ARROW_LZ4_FRAME, PAGECODEC_CORRUPT, 24,
	"\x18\0\0\0\0\0\0\0" LZ4_LINKED "\x09\0\0\0" EIGHT "\0\0\0\0" LZ4_LINKED
	"\x0c\0\0\0" COPY_8 "\0\0\0\0"),
    ROW("members", PAGECODEC_GZIP, PAGECODEC_OK, 16, GZIP_8 GZIP_8),
    ROW("members", PAGECODEC_GZIP, PAGECODEC_CORRUPT, 11, GZIP_8 GZIP_COPY),
};

START_TEST(copies_from_the_one_before)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, coder->info->codec, coder->engine);
	struct pagecodec_span out;

	for (size_t i = 0; i < COUNT_OF(crossings); i++) {
		const struct crossing *c = &crossings[i];
		enum pagecodec_status status;

		if (c->codec != coder->info->codec)
			continue;
		status = pagecodec_decompress(decompressor, c->bytes, c->size, c->page_size,
					      NULL, 0, &out, NULL);
		require(status == c->status, "%s: %s, not %s", c->name,
			pagecodec_status_name(status), pagecodec_status_name(c->status));
		for (size_t at = 0; status == PAGECODEC_OK && at < out.size; at += 8)
			check_bytes(c->name, (const char *)out.data + at, "abcdefgh", 8);
	}
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_loop(flipped_bits, count);
	add_loop(cut_pages, count);
	add_loop(copies_before_the_start, count);
	add_loop(copies_from_the_one_before, count);
	return run_tests("stale");
}
