/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deflate_zlib.c - raw deflate by zlib.  The z_stream is made once and reset; its
 * counters are unsigned int, so that large pages are passed in pieces.
 */
#include "internal.h"

#include <limits.h>
#define ZLIB_CONST /* next_in points to const */
#include <zlib.h>

#include "deflate.h"

enum { RAW_WINDOW_BITS = -15, MEMORY_LEVEL = 8 };

struct stream {
	z_stream z;
	struct pgc_account *account;
};

static voidpf
zlib_alloc(voidpf opaque, uInt items, uInt size)
{
	if (size != 0 && items > SIZE_MAX / size)
		return NULL;
	return pgc_alloc(opaque, (size_t)items * size);
}

static void
zlib_free(voidpf opaque, voidpf address)
{
	pgc_free(opaque, address);
}

static struct stream *
new_stream(struct pgc_account *account)
{
	struct stream *stream = pgc_alloc(account, sizeof(*stream));

	if (!stream)
		return NULL;
	memset(stream, 0, sizeof(*stream));
	stream->account = account;
	stream->z.zalloc = zlib_alloc;
	stream->z.zfree = zlib_free;
	stream->z.opaque = account;
	return stream;
}

static uInt
piece(size_t left)
{
	return (uInt)PGC_MIN(left, UINT_MAX);
}

/* Give the stream what it has used up of src and dst, of which so many bytes are
 * left. */
static void
refill(z_stream *z, size_t *src_left, size_t *dst_left)
{
	uInt more_in = piece(*src_left), more_out = piece(*dst_left);

	if (z->avail_in == 0) {
		z->avail_in = more_in;
		*src_left -= more_in;
	}
	if (z->avail_out == 0) {
		z->avail_out = more_out;
		*dst_left -= more_out;
	}
}

static void
start(z_stream *z, const uint8_t *src, uint8_t *dst)
{
	z->next_in = src;
	z->next_out = dst;
	z->avail_in = 0;
	z->avail_out = 0;
}

static void *
open_deflate(struct pgc_account *account, int level)
{
	struct stream *stream = new_stream(account);

	if (stream && deflateInit2(&stream->z, level, Z_DEFLATED, RAW_WINDOW_BITS, MEMORY_LEVEL,
				   Z_DEFAULT_STRATEGY) != Z_OK) {
		pgc_free(account, stream);
		return NULL;
	}
	return stream;
}

static void
close_deflate(void *state)
{
	struct stream *stream = state;

	deflateEnd(&stream->z);
	pgc_free(stream->account, stream);
}

static size_t
deflate_page(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t capacity)
{
	z_stream *z = &((struct stream *)state)->z;
	size_t src_left = src_size, dst_left = capacity;
	int status;

	deflateReset(z);
	start(z, src, dst);
	do {
		refill(z, &src_left, &dst_left);
		status = deflate(z, src_left == 0 ? Z_FINISH : Z_NO_FLUSH);
	} while (status == Z_OK && (z->avail_out != 0 || dst_left != 0));
	return status == Z_STREAM_END ? (size_t)(z->next_out - dst) : 0;
}

static void
close_inflate(void *state)
{
	struct stream *stream = state;

	inflateEnd(&stream->z);
	pgc_free(stream->account, stream);
}

/* zlib takes the memory for its window when a stream first ends early.  Pages need
 * none, but a damaged one would: a dictionary makes zlib take it now. */
static void *
open_inflate(struct pgc_account *account)
{
	static const Bytef dictionary[1];
	struct stream *stream = new_stream(account);

	if (!stream)
		return NULL;
	if (inflateInit2(&stream->z, RAW_WINDOW_BITS) != Z_OK) {
		pgc_free(account, stream);
		return NULL;
	}
	if (inflateSetDictionary(&stream->z, dictionary, sizeof(dictionary)) != Z_OK) {
		close_inflate(stream);
		return NULL;
	}
	return stream;
}

static enum pgc_inflate_status
inflate_page(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t capacity,
	     size_t *used, size_t *made)
{
	z_stream *z = &((struct stream *)state)->z;
	size_t src_left = src_size, dst_left = capacity;
	int status;

	inflateReset(z);
	start(z, src, dst);
	do {
		refill(z, &src_left, &dst_left);
		status = inflate(z, Z_FINISH);
		/* Z_BUF_ERROR: one of the pieces is used up, or both ends are met. */
	} while ((status == Z_OK || status == Z_BUF_ERROR) &&
		 ((z->avail_in == 0 && src_left != 0) || (z->avail_out == 0 && dst_left != 0)));
	*used = (size_t)(z->next_in - src);
	*made = (size_t)(z->next_out - dst);
	if (status == Z_MEM_ERROR)
		return PGC_INFLATE_NO_MEMORY;
	return status == Z_STREAM_END ? PGC_INFLATE_DONE : PGC_INFLATE_BAD;
}

const struct pgc_deflater pgc_zlib_deflater = {open_deflate, close_deflate, deflate_page};
const struct pgc_inflater pgc_zlib_inflater = {open_inflate, close_inflate, inflate_page};
