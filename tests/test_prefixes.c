/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_prefixes.c - lengths of Hadoop's blocks and of Arrow's buffers that lie
 * In all combinations of values round each limit that they have.  Both ends of both
 * memories are watched.
 */
#include <stdlib.h>

#include "coders.h"
#include "guard.h"

#define PAGE_SIZE 300
#define HALF (PAGE_SIZE / 2)

static void
put_be32(unsigned char *dst, uint64_t value)
{
	for (int i = 0; i < 4; i++)
		dst[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* ---- Hadoop: two blocks of one chunk each */

struct body {
	struct guard src;
	size_t chunk_sizes[2];
};

static struct body
two_blocks(const struct fixture *f)
{
	struct bytes halves[2] = {compress_bytes(f->compressor, f->page, HALF),
				  compress_bytes(f->compressor, f->page + HALF, HALF)};
	struct body body = {.src = guard_new(halves[0].size + halves[1].size, GUARD_AFTER, 0)};

	for (int i = 0; i < 2; i++) {
		memcpy(body.src.data + (i ? halves[0].size : 0), halves[i].data,
		       halves[i].size);
		body.chunk_sizes[i] = halves[i].size - 8;
		free(halves[i].data);
	}
	return body;
}

/* What a length may say in place of the right one: the n-th of these. */
#define LIE_COUNT 10
static uint64_t
lie(size_t n, size_t right, size_t left)
{
	const uint64_t lies[LIE_COUNT] = {right,     0,		right - 1,	    right + 1,
					  3 * right, left,	(uint64_t)left + 1, INT32_MAX,
					  1u << 31,  UINT32_MAX};

	return lies[n];
}

static void
put_lies(const struct body *body, size_t n)
{
	unsigned char *first = body->src.data;
	unsigned char *second = first + 8 + body->chunk_sizes[0];
	size_t left = body->src.size - 8;

	put_be32(first, lie(n % 10, HALF, PAGE_SIZE));
	put_be32(first + 4, lie(n / 10 % 10, body->chunk_sizes[0], left));
	put_be32(second, lie(n / 100 % 10, HALF, body->chunk_sizes[1]));
	put_be32(second + 4, lie(n / 1000, body->chunk_sizes[1], body->chunk_sizes[1] + 1));
}

/* A block of both halves, in whose middle lies a chunk of no bytes: Hadoop's readers
 * take that, too. */
#define OTHER_TRUTH 105

/* Whichever length lies, the page is refused; and the truth is believed. */
START_TEST(hadoop_lengths)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct fixture f;
	struct body body;
	struct guard dst;
	struct pagecodec_span out;

	if (coder->info->codec != PAGECODEC_LZ4 && coder->info->codec != PAGECODEC_LZO)
		return;
	f = fixture_new(coder, PAGE_RANDOM, PAGE_SIZE);
	body = two_blocks(&f);
	dst = guard_new(PAGE_SIZE, GUARD_AFTER, 0);
	for (size_t n = 0; n < 10 * 10 * 10 * 10; n++) {
		enum pagecodec_status status;
		int is_true;

		put_lies(&body, n);
		status = pagecodec_decompress(f.decompressor, body.src.data, body.src.size,
					      PAGE_SIZE, dst.data, dst.size, &out, NULL);
		is_true = n == 0 || n == OTHER_TRUTH;
		require(is_true ? status == PAGECODEC_OK : is_damage(status), "lie %zu: %s", n,
			pagecodec_status_name(status));
		if (is_true)
			check_bytes("page", out.data, f.page, PAGE_SIZE);
		else
			check_no_span(out);
	}
	guard_check(&dst);
	guard_free(&dst);
	guard_free(&body.src);
	fixture_free(&f);
}
END_TEST

/* The first lengths alone, by the status that each deserves. */
START_TEST(first_hadoop_lengths)
{
	static const struct {
		uint64_t raw, chunk;
		enum pagecodec_status status;
	} cases[] = {
	    {PAGE_SIZE + 1, 12, PAGECODEC_SIZE_MISMATCH},
	    {0x0fffffff, 12, PAGECODEC_SIZE_MISMATCH},
	    {1, 13, PAGECODEC_TRUNCATED},
	    {PAGE_SIZE, 13, PAGECODEC_TRUNCATED},
	    {PAGE_SIZE, INT32_MAX, PAGECODEC_TRUNCATED},
	    {PAGE_SIZE, 1u << 31, PAGECODEC_TRUNCATED},
	    {PAGE_SIZE, UINT32_MAX, PAGECODEC_TRUNCATED},
	    {PAGE_SIZE + 1, 13, PAGECODEC_CORRUPT},
	    {UINT32_MAX >> 4, UINT32_MAX, PAGECODEC_CORRUPT},
	    {0, UINT32_MAX, PAGECODEC_SIZE_MISMATCH},
	};
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct fixture f;
	unsigned char src[20] = {0};
	struct pagecodec_span out;

	if (coder->info->codec != PAGECODEC_LZ4 && coder->info->codec != PAGECODEC_LZO)
		return;
	f = fixture_new(coder, PAGE_RANDOM, PAGE_SIZE);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		enum pagecodec_status status;

		put_be32(src, cases[i].raw);
		put_be32(src + 4, cases[i].chunk);
		status = pagecodec_decompress(f.decompressor, src, sizeof(src), PAGE_SIZE, NULL,
					      0, &out, NULL);
		require(status == cases[i].status, "raw size %zu, chunk %zu: %s",
			(size_t)cases[i].raw, (size_t)cases[i].chunk,
			pagecodec_status_name(status));
	}
	fixture_free(&f);
}
END_TEST

/* A bare block of so many bytes can begin as Hadoop's lengths do: it is tried as both. */
START_TEST(block_that_begins_as_hadoop)
{
	static const unsigned char start[] = {0x10, 0, 1, 0, 0x00, 1, 0, 0x0f, 1, 0};
	static const unsigned char end[] = {0x50, 0, 0, 0, 0, 0};
	const size_t count = 1052690, size = 5 + 4 + 4 + 15 + 255 * count + 5;
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct bytes page = {malloc(sizeof(start) + count + 1 + sizeof(end)), sizeof(start)};
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, coder->info->codec, NULL);
	struct pagecodec_span out;

	ck_assert_uint_ge(size, 0x10000100); /* as the first four bytes would have it */
	memcpy(page.data, start, page.size);
	memset(page.data + page.size, 255, count);
	page.size += count;
	page.data[page.size++] = 0;
	memcpy(page.data + page.size, end, sizeof(end));
	page.size += sizeof(end);
	if (coder->info->codec == PAGECODEC_LZ4 && !tests_short()) {
		assert_status(pagecodec_decompress(decompressor, page.data, page.size - 1, size,
						   NULL, 0, &out, NULL),
			      PAGECODEC_CORRUPT);
		assert_status(pagecodec_decompress(decompressor, page.data, page.size, size,
						   NULL, 0, &out, NULL),
			      PAGECODEC_OK);
		ck_assert(memcmp(out.data, (const char *)out.data + 1, size - 1) == 0);
	}
	free(page.data);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
}
END_TEST

/* ---- Arrow: one prefix, and a frame of PAGE_SIZE bytes, or some of it */

static enum pagecodec_status
want_arrow(int64_t prefix, size_t payload_size, size_t frame_size, size_t declared, size_t per,
	   size_t most)
{
	size_t says = prefix == -1 ? payload_size : (size_t)prefix;

	if (prefix < -1)
		return PAGECODEC_CORRUPT;
	if (prefix >= 0 && payload_size == 0 && prefix > 0)
		return PAGECODEC_TRUNCATED;
	if (prefix > 0 && (uint64_t)prefix > (uint64_t)((payload_size + per - 1) / per) * most)
		return PAGECODEC_TOO_LARGE;
	if (says != declared)
		return PAGECODEC_SIZE_MISMATCH;
	if (prefix == -1 || (prefix == 0 && payload_size == 0))
		return PAGECODEC_OK;
	if (payload_size < frame_size)
		return PAGECODEC_TRUNCATED;
	return declared == PAGE_SIZE ? PAGECODEC_OK : PAGECODEC_SIZE_MISMATCH;
}

static void
check_arrow(const struct fixture *f, const struct guard *src, int64_t prefix, size_t declared)
{
	size_t payload_size = src->size - 8;
	int is_zstd = f->coder->info->codec == PAGECODEC_ARROW_ZSTD;
	enum pagecodec_status status,
	    want = want_arrow(prefix, payload_size, f->compressed.size - 8, declared,
			      is_zstd ? 4 : 1, is_zstd ? 128 * KIB : 255);
	struct guard dst = guard_new(declared, GUARD_AFTER, 0);
	struct pagecodec_span out;

	for (int i = 0; i < 8; i++)
		src->data[i] = (unsigned char)((uint64_t)prefix >> 8 * i);
	status = pagecodec_decompress(f->decompressor, src->data, src->size, declared, dst.data,
				      declared, &out, NULL);
	require(status == want, "prefix %lld, %zu bytes behind it, %zu declared: %s, not %s",
		(long long)prefix, payload_size, declared, pagecodec_status_name(status),
		pagecodec_status_name(want));
	if (status == PAGECODEC_OK)
		check_bytes("buffer", out.data, prefix == -1 ? src->data + 8 : f->page,
			    declared);
	guard_free(&dst);
}

START_TEST(arrow_prefixes)
{
	static const int64_t prefixes[] = {INT64_MIN,
					   (int64_t)INT32_MIN - 1,
					   -2,
					   -1,
					   0,
					   1,
					   PAGE_SIZE - 1,
					   PAGE_SIZE,
					   PAGE_SIZE + 1,
					   INT32_MAX,
					   (int64_t)UINT32_MAX + 1 + PAGE_SIZE,
					   INT64_MAX};
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct fixture f;

	if (!is_arrow(coder->info->codec))
		return;
	f = fixture_new(coder, PAGE_ZEROS, PAGE_SIZE);
	for (size_t size = 8; size <= f.compressed.size; size++) {
		struct guard src = guard_new(size, GUARD_AFTER, 0);

		memcpy(src.data, f.compressed.data, size);
		for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
			check_arrow(&f, &src, prefixes[i], PAGE_SIZE);
			check_arrow(&f, &src, prefixes[i], PAGE_SIZE - 1);
			check_arrow(&f, &src, prefixes[i], PAGE_SIZE + 1);
			check_arrow(&f, &src, prefixes[i], 0);
			check_arrow(&f, &src, prefixes[i], size - 8);
		}
		guard_free(&src);
	}
	fixture_free(&f);
}
END_TEST

int
main(void)
{
	size_t count;

	engine_coders(&count);
	add_loop(hadoop_lengths, count);
	add_loop(first_hadoop_lengths, count);
	add_loop(block_that_begins_as_hadoop, count);
	add_loop(arrow_prefixes, count);
	return run_tests("prefixes");
}
