/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_hadoop.c - Hadoop's blocks of chunks, cut in every way, and the forms of LZ4
 * How many chunks a block has is nowhere said; no writer need be the one we know.
 */
#include "internal.h"

#include <stdlib.h>

#include "coders.h"
#include "frame.h"
#include "guard.h"

#define PAGE_SIZE 16
#define MAX_CHUNKS 5
#define BODY_MAX 1000

static const int32_t framed_codecs[] = {PAGECODEC_LZ4, PAGECODEC_LZO};

static const struct coder *
find_coder(int32_t codec)
{
	size_t count;
	const struct coder *coders = engine_coders(&count);

	for (size_t i = 0; i < count; i++)
		if (coders[i].info->codec == codec)
			return &coders[i];
	return NULL;
}

/* A page, each of its parts as a chunk, and a body that is being put together. */
struct hadoop {
	unsigned char page[PAGE_SIZE];
	struct bytes chunks[PAGE_SIZE + 1][PAGE_SIZE + 1]; /* by start and end */
	struct pagecodec_factory *factory;
	struct pagecodec_decompressor *decompressor;
	unsigned char body[BODY_MAX];
	size_t size;
};

/* false: not built. */
static int
set_up(struct hadoop *h, int32_t codec)
{
	const struct coder *coder = find_coder(codec);
	struct pagecodec_compressor *compressor;

	if (!coder)
		return 0;
	fill_page(PAGE_TEXT, 3, h->page, PAGE_SIZE);
	h->factory = new_factory();
	h->decompressor = get_decompressor(h->factory, codec, NULL);
	compressor = get_compressor(h->factory, coder);
	for (size_t start = 0; start <= PAGE_SIZE; start++)
		for (size_t end = start; end <= PAGE_SIZE; end++)
			h->chunks[start][end] =
			    compress_bytes(compressor, h->page + start, end - start);
	pagecodec_compressor_release(compressor);
	return 1;
}

static void
tear_down(struct hadoop *h)
{
	for (size_t start = 0; start <= PAGE_SIZE; start++)
		for (size_t end = start; end <= PAGE_SIZE; end++)
			free(h->chunks[start][end].data);
	pagecodec_decompressor_release(h->decompressor);
	pagecodec_factory_destroy(h->factory);
}

static void
put_length(struct hadoop *h, size_t length)
{
	pgc_store_be32(h->body + h->size, (uint32_t)length);
	h->size += 4;
}

/* The chunk of page[start, end), its own length before it. */
static void
put_chunk(struct hadoop *h, size_t start, size_t end)
{
	struct bytes block = h->chunks[start][end];

	memcpy(h->body + h->size, block.data + 4, block.size - 4);
	h->size += block.size - 4;
}

static enum pagecodec_status
read_body(struct hadoop *h, size_t size, size_t declared)
{
	struct guard src = guard_copy(h->body, size, GUARD_AFTER);
	struct guard dst = guard_new(declared, GUARD_AFTER, 0);
	struct pagecodec_span out;
	enum pagecodec_status status = pagecodec_decompress(
	    h->decompressor, src.data, size, declared, dst.data, declared, &out, NULL);

	guard_check(&dst);
	if (status == PAGECODEC_OK)
		check_bytes("page", out.data, h->page, PGC_MIN(declared, PAGE_SIZE));
	guard_free(&dst);
	guard_free(&src);
	return status;
}

/* Chunks end at the bits of `ends` (and at the page's end), blocks at those of them that are
 * in `blocks` too.  filler: lengths 0 go in between, as empty chunks and blocks. */
static void
put_body(struct hadoop *h, unsigned ends, unsigned blocks, int filler)
{
	size_t start = 0, block_end = 0;

	h->size = 0;
	for (size_t end = 1; end <= PAGE_SIZE; end++) {
		if (end < PAGE_SIZE && !(ends >> end & 1))
			continue;
		if (start == block_end) {
			block_end++;
			while (block_end < PAGE_SIZE && !(ends & blocks & 1u << block_end))
				block_end++;
			/* Not before a block of one byte: its first five bytes are what an
			 * empty block's chunk looks like, and are taken for that. */
			if (filler && block_end - start > 1)
				put_length(h, 0);
			put_length(h, block_end - start);
		}
		if (filler)
			put_length(h, 0);
		put_chunk(h, start, end);
		start = end;
	}
	if (filler)
		put_length(h, 0);
}

static int
count_bits(unsigned value)
{
	int count = 0;

	for (; value; value &= value - 1)
		count++;
	return count;
}

/* All of these, in a buffer of exact size but without a mapping for each. */
static void
check_split(struct hadoop *h, unsigned ends, unsigned blocks, int filler)
{
	struct pagecodec_span out;
	unsigned char *body;
	struct pagecodec_error error;

	put_body(h, ends, blocks, filler);
	body = malloc(h->size);
	ck_assert_ptr_nonnull(body);
	memcpy(body, h->body, h->size);
	assert_ok(pagecodec_decompress(h->decompressor, body, h->size, PAGE_SIZE, NULL, 0, &out,
				       &error),
		  &error);
	check_bytes("page", out.data, h->page, PAGE_SIZE);
	free(body);
}

START_TEST(every_split_into_chunks_and_blocks)
{
	static struct hadoop h;

	if (!set_up(&h, framed_codecs[_i]))
		return;
	for (unsigned ends = 0; ends < 1u << PAGE_SIZE; ends += 2) {
		if (count_bits(ends) >= MAX_CHUNKS)
			continue;
		/* Each subset of the ends, down to the empty one. */
		for (unsigned blocks = ends;; blocks = (blocks - 1) & ends) {
			check_split(&h, ends, blocks, 0);
			check_split(&h, ends, blocks, 1);
			if (blocks == 0)
				break;
		}
	}
	tear_down(&h);
}
END_TEST

START_TEST(prefixes_of_splits_fail)
{
	static struct hadoop h;

	if (!set_up(&h, framed_codecs[_i]))
		return;
	for (unsigned blocks = 0; blocks < 4; blocks++) {
		put_body(&h, 1u << 3 | 1u << 9, (blocks & 1) << 3 | (blocks >> 1) << 9, 0);
		for (size_t size = 0; size < h.size; size++) {
			enum pagecodec_status status = read_body(&h, size, PAGE_SIZE);

			/* Between two blocks it is a sound page of another size. */
			ck_assert_msg(status == PAGECODEC_TRUNCATED ||
					  status == PAGECODEC_SIZE_MISMATCH,
				      "%zu of %zu bytes: %s", size, h.size,
				      pagecodec_status_name(status));
		}
	}
	tear_down(&h);
}
END_TEST

START_TEST(lengths_that_contradict)
{
	static struct hadoop h;

	if (!set_up(&h, framed_codecs[_i]))
		return;
	put_body(&h, 1u << 5, 0, 0);
	ck_assert_int_eq(read_body(&h, h.size, PAGE_SIZE), PAGECODEC_OK);
	ck_assert_int_eq(read_body(&h, h.size, PAGE_SIZE - 1), PAGECODEC_SIZE_MISMATCH);
	ck_assert_int_eq(read_body(&h, h.size, PAGE_SIZE + 1), PAGECODEC_SIZE_MISMATCH);

	/* The block is said to end within its second chunk, or beyond it. */
	pgc_store_be32(h.body, 7);
	ck_assert_int_eq(read_body(&h, h.size, PAGE_SIZE), PAGECODEC_CORRUPT);
	pgc_store_be32(h.body, PAGE_SIZE + 1);
	ck_assert_int_eq(read_body(&h, h.size, PAGE_SIZE + 1), PAGECODEC_TRUNCATED);
	/* Or with its first: the next length is a block's, and too large. */
	pgc_store_be32(h.body, 5);
	ck_assert(is_damage(read_body(&h, h.size, PAGE_SIZE)));
	pgc_store_be32(h.body, 0xffffffff);
	ck_assert(is_damage(read_body(&h, h.size, PAGE_SIZE)));

	/* The first chunk is said to end elsewhere. */
	pgc_store_be32(h.body, PAGE_SIZE);
	for (uint32_t length = 0; length < 40; length++) {
		if (length == pgc_load_be32(h.chunks[0][5].data + 4))
			continue;
		pgc_store_be32(h.body + 4, length);
		ck_assert_msg(is_damage(read_body(&h, h.size, PAGE_SIZE)), "length %u", length);
	}
	pgc_store_be32(h.body + 4, 0xffffffff);
	ck_assert(is_damage(read_body(&h, h.size, PAGE_SIZE)));
	tear_down(&h);
}
END_TEST

START_TEST(bytes_behind_the_last_block)
{
	static struct hadoop h;

	if (!set_up(&h, framed_codecs[_i]))
		return;
	put_body(&h, 0, 0, 0);
	for (size_t extra = 1; extra < 4; extra++) {
		memset(h.body + h.size, 0, extra);
		ck_assert_int_eq(read_body(&h, h.size + extra, PAGE_SIZE),
				 PAGECODEC_TRAILING_DATA);
	}
	memset(h.body + h.size, 0xee, 8);
	ck_assert_int_eq(read_body(&h, h.size + 8, PAGE_SIZE), PAGECODEC_TRAILING_DATA);
	/* Another whole block. */
	put_length(&h, 4);
	put_chunk(&h, 0, 4);
	ck_assert_int_eq(read_body(&h, h.size, PAGE_SIZE), PAGECODEC_SIZE_MISMATCH);
	tear_down(&h);
}
END_TEST

/* A raw size of 0, with the chunk of an empty page or without. */
START_TEST(empty_blocks)
{
	static struct hadoop h;

	if (!set_up(&h, framed_codecs[_i]))
		return;
	for (int with_chunk = 0; with_chunk < 2; with_chunk++) {
		h.size = 0;
		put_length(&h, 0);
		if (with_chunk)
			put_chunk(&h, 0, 0);
		ck_assert_int_eq(read_body(&h, h.size, 0), PAGECODEC_OK);
		put_length(&h, PAGE_SIZE);
		put_chunk(&h, 0, PAGE_SIZE);
		put_length(&h, 0);
		if (with_chunk)
			put_chunk(&h, 0, 0);
		ck_assert_int_eq(read_body(&h, h.size, PAGE_SIZE), PAGECODEC_OK);
	}
	tear_down(&h);
}
END_TEST

/* Blocks of at most 256 KiB, one chunk each, whatever reads them. */
START_TEST(written_blocks)
{
	const struct coder *coder = find_coder(framed_codecs[_i]);
	size_t size = 600 * KIB, at = 0, total = 0;
	unsigned char *page = new_page(PAGE_DOUBLES, 1, size);
	struct bytes body;

	if (coder) {
		body = compress_fresh(coder, page, size);
		while (at < body.size) {
			size_t raw_size = pgc_load_be32(body.data + at);

			ck_assert_uint_eq(raw_size, PGC_MIN(size - total, 256 * KIB));
			total += raw_size;
			at += 8 + pgc_load_be32(body.data + at + 4);
		}
		ck_assert_uint_eq(at, body.size);
		ck_assert_uint_eq(total, size);
		free(body.data);
	}
	free(page);
}
END_TEST

/* ---- Which of the three forms a body of LZ4 is */

struct form_case {
	const char *bytes;
	size_t size, declared;
	enum pgc_fault fault;
	enum pgc_lz4_form form;
};

static const struct form_case forms[] = {
    {"\0\0\0\x0a\0\0\0\x01?", 9, 10, PGC_NO_FAULT, PGC_LZ4_HADOOP},
    {"\0\0\0\x0a\0\0\0\x01?", 9, 9, PGC_SIZE_DIFFERS, 0},
    {"\0\0\0\x0a\0\0\0\x02?", 9, 10, PGC_STREAM_CUT, 0},
    {"\0\0\0\x0a\0\0\0\x02?", 9, 9, PGC_LENGTH_CHAIN, 0},
    {"\0\0\0\x0a\0\0", 6, 10, PGC_HEADER_CUT, 0},
    {"\0\0", 2, 10, PGC_HEADER_CUT, 0},
    {"\0\0\0\0", 4, 10, PGC_NO_FAULT, PGC_LZ4_HADOOP},
    {"\0", 1, 0, PGC_NO_FAULT, PGC_LZ4_BLOCK},
    {"\xa0\0\0\0\0\0\0\0\0\0\0", 11, 10, PGC_NO_FAULT, PGC_LZ4_BLOCK},
    {"\x10\0\0\0\0\0\0\0", 8, 100, PGC_NO_FAULT, PGC_LZ4_BLOCK},
    {"\x10\0\0\0\0\0\0\0", 8, 0x10000000, PGC_NO_FAULT, PGC_LZ4_HADOOP},
    {"\x04\x22\x4d\x18\x60\x70\x73\0\0\0\0", 11, 10, PGC_NO_FAULT, PGC_LZ4_FRAME},
    {"\x04\x22\x4d\x18\x60\x70\x73\0\0\0\0", 11, 0x05000000, PGC_NO_FAULT, PGC_LZ4_FRAME},
    {"\x04\x22\x4d\x18\0\0\0\0", 8, 0x05000000, PGC_NO_FAULT, PGC_LZ4_HADOOP},
};

START_TEST(forms_of_lz4)
{
	const struct form_case *c = &forms[_i];
	struct guard src = guard_copy(c->bytes, c->size, GUARD_AFTER);
	enum pgc_lz4_form form;
	size_t actual_size = 0;

	ck_assert_int_eq(pgc_lz4_find_form(src.data, c->size, c->declared, &form, &actual_size),
			 c->fault);
	if (!c->fault)
		ck_assert_int_eq(form, c->form);
	if (c->fault == PGC_SIZE_DIFFERS)
		ck_assert_uint_eq(actual_size, 10);
	guard_free(&src);
}
END_TEST

int
main(void)
{
	size_t count = COUNT_OF(framed_codecs);

	add_loop(every_split_into_chunks_and_blocks, count);
	add_loop(prefixes_of_splits_fail, count);
	add_loop(lengths_that_contradict, count);
	add_loop(bytes_behind_the_last_block, count);
	add_loop(empty_blocks, count);
	add_loop(written_blocks, count);
	add_loop(forms_of_lz4, COUNT_OF(forms));
	return run_tests("hadoop");
}
