/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec_gzip.c - gzip members (RFC 1952) framed by hand round a raw-deflate
 * engine, so that both engines write and accept the same; zlib streams (RFC 1950)
 * are read too, since Arrow C++ reads pages that hold them.
 */
#include "internal.h"

#include "codec.h"
#include "crc32.h"
#include "deflate.h"
#include "frame.h"
#include "walk.h"

struct gzip_compressor {
	const struct pgc_deflater *deflater;
	struct pgc_account *account;
	void *state;
	int level;
};

struct gzip_decompressor {
	const struct pgc_inflater *inflater;
	struct pgc_account *account;
	void *state;
};

/* The rest of a page while it is read, and where its bytes go. */
struct reader {
	const struct gzip_decompressor *gzip;
	const uint8_t *src;
	size_t src_left;
	uint8_t *dst;
	size_t dst_size, made;
};

/* ---- Compression ------------------------------------------------------ */

static enum pgc_fault
open_compressor(const struct pgc_compress_engine *self, struct pgc_account *account,
		const struct pgc_settings *settings, void **state)
{
	struct gzip_compressor *gzip = pgc_alloc(account, sizeof(*gzip));

	if (!gzip)
		return PGC_NO_MEMORY;
	gzip->deflater = self->payload;
	gzip->account = account;
	gzip->level = settings->level;
	gzip->state = gzip->deflater->open(account, settings->level);
	if (!gzip->state) {
		pgc_free(account, gzip);
		return PGC_NO_MEMORY;
	}
	*state = gzip;
	return PGC_NO_FAULT;
}

static void
close_compressor(void *state)
{
	struct gzip_compressor *gzip = state;

	gzip->deflater->close(gzip->state);
	pgc_free(gzip->account, gzip);
}

static struct pgc_result
compress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_capacity)
{
	const struct gzip_compressor *gzip = state;
	size_t size =
	    gzip->deflater->deflate(gzip->state, src, src_size, dst + PGC_GZIP_HEADER_SIZE,
				    dst_capacity - PGC_GZIP_FRAME_SIZE);

	/* Some builds of zlib grow a random page beyond any bound we could state. */
	if (size == 0)
		size = pgc_deflate_store(dst + PGC_GZIP_HEADER_SIZE, src, src_size);
	pgc_gzip_write_header(dst, gzip->level);
	pgc_gzip_write_trailer(dst + PGC_GZIP_HEADER_SIZE + size, pgc_crc32(0, src, src_size),
			       src_size);
	return pgc_done(size + PGC_GZIP_FRAME_SIZE);
}

/* ---- Decompression ---------------------------------------------------- */

static enum pgc_fault
open_decompressor(const struct pgc_decompress_engine *self, struct pgc_account *account,
		  void **state)
{
	struct gzip_decompressor *gzip = pgc_alloc(account, sizeof(*gzip));

	if (!gzip)
		return PGC_NO_MEMORY;
	gzip->inflater = self->payload;
	gzip->account = account;
	gzip->state = gzip->inflater->open(account);
	if (!gzip->state) {
		pgc_free(account, gzip);
		return PGC_NO_MEMORY;
	}
	*state = gzip;
	return PGC_NO_FAULT;
}

static void
close_decompressor(void *state)
{
	struct gzip_decompressor *gzip = state;

	gzip->inflater->close(gzip->state);
	pgc_free(gzip->account, gzip);
}

/* Raw deflate at reader->src; what it made is not yet counted. */
static struct pgc_result
inflate_next(struct reader *reader, size_t *made)
{
	const struct gzip_decompressor *gzip = reader->gzip;
	size_t room = reader->dst_size - reader->made, used;
	enum pgc_inflate_status status =
	    gzip->inflater->inflate(gzip->state, reader->src, reader->src_left,
				    reader->dst + reader->made, room, &used, made);

	if (status == PGC_INFLATE_NO_MEMORY)
		return pgc_bad(PGC_NO_MEMORY);
	if (status == PGC_INFLATE_BAD) {
		struct pgc_result why =
		    pgc_explain(pgc_walk_deflate(reader->src, reader->src_left), room);

		if (why.fault == PGC_SIZE_DIFFERS &&
		    !pgc_add(why.size, reader->made, &why.size))
			why.size = SIZE_MAX;
		return why;
	}
	reader->src += used;
	reader->src_left -= used;
	return pgc_done(*made);
}

static struct pgc_result
read_member(struct reader *reader)
{
	struct pgc_result result;
	size_t header_size, made;
	enum pgc_fault fault =
	    pgc_gzip_read_header(reader->src, reader->src_left, &header_size);

	if (fault)
		return pgc_bad(fault);
	reader->src += header_size;
	reader->src_left -= header_size;
	result = inflate_next(reader, &made);
	if (result.fault)
		return result;
	if (reader->src_left < PGC_GZIP_TRAILER_SIZE)
		return pgc_bad(PGC_TRAILER_CUT);
	fault = pgc_gzip_check_trailer(reader->src, reader->dst + reader->made, made);
	if (fault)
		return pgc_bad(fault);
	reader->src += PGC_GZIP_TRAILER_SIZE;
	reader->src_left -= PGC_GZIP_TRAILER_SIZE;
	reader->made += made;
	return pgc_done(reader->made);
}

static bool
is_all_zero(const uint8_t *p, size_t size)
{
	return size == 0 || (p[0] == 0 && memcmp(p, p + 1, size - 1) == 0);
}

/* Another member, or after the last one nothing but NULs. */
static bool
has_member(const struct reader *reader)
{
	return reader->src_left > 0 && reader->src[0] == 0x1f &&
	       (reader->src_left == 1 || reader->src[1] == 0x8b);
}

static struct pgc_result
read_members(struct reader *reader)
{
	struct pgc_result result = read_member(reader);

	while (!result.fault && has_member(reader))
		result = read_member(reader);
	if (result.fault)
		return result;
	if (!is_all_zero(reader->src, reader->src_left))
		return pgc_bad(PGC_TRAILING_BYTES);
	return reader->made == reader->dst_size ? result : pgc_size_differs(reader->made);
}

/* One stream; its Adler-32 is big-endian. */
static struct pgc_result
read_zlib(struct reader *reader)
{
	enum { FDICT = 0x20 };
	struct pgc_result result;
	size_t made;

	if (reader->src[1] & FDICT)
		return pgc_bad(PGC_DICTIONARY);
	reader->src += PGC_ZLIB_HEADER_SIZE;
	reader->src_left -= PGC_ZLIB_HEADER_SIZE;
	result = inflate_next(reader, &made);
	if (result.fault)
		return result;
	if (reader->src_left < PGC_ZLIB_TRAILER_SIZE)
		return pgc_bad(PGC_TRAILER_CUT);
	if (pgc_load_be32(reader->src) != pgc_adler32(reader->dst, made))
		return pgc_bad(PGC_ADLER);
	if (reader->src_left > PGC_ZLIB_TRAILER_SIZE)
		return pgc_bad(PGC_TRAILING_BYTES);
	return made == reader->dst_size ? result : pgc_size_differs(made);
}

static struct pgc_result
decompress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size)
{
	struct reader reader = {state, src, src_size, dst, dst_size, 0};

	if (pgc_zlib_starts(src, src_size))
		return read_zlib(&reader);
	return read_members(&reader);
}

#define COMPRESS_ENGINE(text, high, deflater)                                                  \
	{                                                                                      \
		.name = text, .min_level = 0, .max_level = high, .payload = deflater,          \
		.open = open_compressor, .close = close_compressor, .compress = compress       \
	}
#define DECOMPRESS_ENGINE(text, inflater)                                                      \
	{                                                                                      \
		.name = text, .payload = inflater, .open = open_decompressor,                  \
		.close = close_decompressor, .decompress = decompress                          \
	}

#ifdef HAVE_LIBDEFLATE
const struct pgc_compress_engine pgc_gzip_libdeflate_compress =
    COMPRESS_ENGINE("libdeflate", 12, &pgc_libdeflate_deflater);
const struct pgc_decompress_engine pgc_gzip_libdeflate_decompress =
    DECOMPRESS_ENGINE("libdeflate", &pgc_libdeflate_inflater);
#endif
#ifdef HAVE_ZLIB
const struct pgc_compress_engine pgc_gzip_zlib_compress =
    COMPRESS_ENGINE("zlib", 9, &pgc_zlib_deflater);
const struct pgc_decompress_engine pgc_gzip_zlib_decompress =
    DECOMPRESS_ENGINE("zlib", &pgc_zlib_inflater);
#endif
