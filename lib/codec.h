/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec.h - what a codec is: a row of the table in codecs.c, and for each
 * direction the engines that can do its work, default first.
 */
#ifndef PGC_CODEC_H
#define PGC_CODEC_H

#include "error.h"
#include "memory.h"

/* A compressor's options, resolved: what an idle one must equal. */
struct pgc_settings {
	int level, window_log, checksum;
};

/* The parts of a page, in order; any of them may be empty. */
struct pgc_input {
	const struct pagecodec_span *parts;
	size_t count;
	size_t size; /* their sum, in bytes */
};

/* src is one piece of src_size > 0 bytes or an empty one; never NULL; nor dst.
 * Engines without state have no open, and get NULL. */
struct pgc_compress_engine {
	const char *name;
	int min_level, max_level; /* 0 and 0: none */
	const void *payload;	  /* the engine that a framing codec wraps */

	enum pgc_fault (*open)(const struct pgc_compress_engine *self,
			       struct pgc_account *account, const struct pgc_settings *settings,
			       void **state);
	void (*close)(void *state);

	/* dst_capacity is at least the codec's bound of the size.  An engine has one
	 * of the two: parts are gathered for the first.  Neither: the bytes are
	 * stored as they are. */
	struct pgc_result (*compress)(void *state, const uint8_t *src, size_t src_size,
				      uint8_t *dst, size_t dst_capacity);
	struct pgc_result (*compress_parts)(void *state, const struct pgc_input *input,
					    uint8_t *dst, size_t dst_capacity);
};

struct pgc_decompress_engine {
	const char *name;
	const void *payload;

	enum pgc_fault (*open)(const struct pgc_decompress_engine *self,
			       struct pgc_account *account, void **state);
	void (*close)(void *state);

	/* All of src (src_size > 0) to exactly dst_size bytes, else a fault; after
	 * which the state serves the next page.  NULL: see examine. */
	struct pgc_result (*decompress)(void *state, const uint8_t *src, size_t src_size,
					uint8_t *dst, size_t dst_size);
};

struct pgc_codec {
	struct pagecodec_codec_info info;
	const char *const *engine_names; /* of all builds; NULL-terminated */
	const struct pgc_compress_engine *const *compressors; /* of this build, as in info */
	const struct pgc_decompress_engine *const *decompressors;

	/* Most bytes that src_size <= info.max_input_size bytes become. */
	size_t (*bound)(size_t src_size);

	/* No input of n bytes makes more than ceil(n / per) * most.  0: no limit. */
	size_t most, per;

	/* What src itself says, before memory is taken for dst_size bytes; src_size
	 * > 0.  May be NULL.  Bytes that lie in src as they are: *stored is set to
	 * them, and no engine is called. */
	enum pgc_fault (*examine)(const uint8_t *src, size_t src_size, size_t dst_size,
				  struct pagecodec_span *stored, size_t *actual_size);

	/* The same for what the engine finds out too: called before it only where memory
	 * has to be taken, and after it where it refuses, to say why.  May be NULL. */
	enum pgc_fault (*foresee)(const uint8_t *src, size_t src_size, size_t dst_size,
				  size_t *actual_size);

	/* What src (src_size may be 0) says of its size, checked as far as src goes.
	 * NULL: it does not say. */
	enum pgc_fault (*stated_size)(const uint8_t *src, size_t src_size, size_t *size);
};

/* Whether n bytes could become size bytes, with most and per as above. */
static inline bool
pgc_is_plausible(size_t n, size_t size, size_t most, size_t per)
{
	/* True of nearly every page, without a division; the products fit. */
	if (n <= UINT32_MAX && size <= UINT32_MAX && (uint64_t)n * most >= (uint64_t)size * per)
		return true;
	return most == 0 || pgc_divide_up(size, most) <= pgc_divide_up(n, per);
}

static inline bool
pgc_stores(const struct pgc_compress_engine *engine)
{
	return !engine->compress && !engine->compress_parts;
}

/* NULL: unknown. */
const struct pgc_codec *pgc_find_codec(int32_t codec);

/* Why this build has no engine of that name (NULL: the default) for codec. */
enum pgc_fault pgc_engine_fault(const struct pgc_codec *codec, const char *name);

/* bound.c: one for each format, whether built or not.  size at most the
 * max_input_size beside it, so that no sum overflows. */
#define PGC_MAX_MEMORY (SIZE_MAX / 2)
#define PGC_MAX_SNAPPY PGC_MIN(UINT32_MAX, PGC_MAX_MEMORY)
#define PGC_MAX_LZ4 ((size_t)0x7E000000)

/* Codecs that share an engine share what it can do, too. */
enum {
	PGC_LZ4_MIN_LEVEL = -100,
	PGC_LZ4_MAX_LEVEL = 12,
	PGC_LZ4_MOST = 255,
	PGC_LZ4_PER = 1,
	PGC_ZSTD_MIN_LEVEL = -131072,
	PGC_ZSTD_MAX_LEVEL = 22,
	PGC_ZSTD_MOST = 128 << 10,
	PGC_ZSTD_PER = 4
};

size_t pgc_bound_uncompressed(size_t size);
size_t pgc_bound_snappy(size_t size);
size_t pgc_bound_gzip(size_t size);
size_t pgc_bound_brotli(size_t size);
size_t pgc_bound_zstd(size_t size);
size_t pgc_bound_lz4_block(size_t size);
size_t pgc_bound_lz4_hadoop(size_t size);
size_t pgc_bound_lzo_chunk(size_t size);
size_t pgc_bound_lzo(size_t size);
size_t pgc_bound_arrow(size_t size);

/* The engines, each in its codec's file. */
extern const struct pgc_compress_engine pgc_uncompressed_compress;
extern const struct pgc_decompress_engine pgc_uncompressed_decompress;
extern const struct pgc_compress_engine pgc_snappy_compress, pgc_libsnappy_compress;
extern const struct pgc_decompress_engine pgc_snappy_decompress, pgc_libsnappy_decompress;
extern const struct pgc_compress_engine pgc_gzip_libdeflate_compress, pgc_gzip_zlib_compress;
extern const struct pgc_decompress_engine pgc_gzip_libdeflate_decompress,
    pgc_gzip_zlib_decompress;
extern const struct pgc_compress_engine pgc_lzo_compress;
extern const struct pgc_decompress_engine pgc_lzo_decompress;
extern const struct pgc_compress_engine pgc_arrow_lz4_compress, pgc_arrow_zstd_compress;
extern const struct pgc_decompress_engine pgc_arrow_lz4_decompress, pgc_arrow_zstd_decompress;
extern const struct pgc_compress_engine pgc_brotli_compress;
extern const struct pgc_decompress_engine pgc_brotli_decompress;
extern const struct pgc_compress_engine pgc_zstd_compress;
extern const struct pgc_decompress_engine pgc_zstd_decompress;
extern const struct pgc_compress_engine pgc_lz4_compress, pgc_lz4_hadoop_compress;
extern const struct pgc_decompress_engine pgc_lz4_decompress, pgc_lz4_hadoop_decompress;

#endif
