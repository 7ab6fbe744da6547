/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codecs.c - the table of codecs: names, levels, limits and engines.  The one
 * place that knows what this build has; a new codec adds its row here.
 */
#include "internal.h"

#include "codec.h"
#include "frame.h"

/* clang-format off */

/* An engine that was left out expands to nothing. */
#ifdef HAVE_SNAPPY
#  define IF_LIBSNAPPY(engine) engine,
#else
#  define IF_LIBSNAPPY(engine)
#endif
#ifdef HAVE_LIBDEFLATE
#  define IF_LIBDEFLATE(engine) engine,
#  define GZIP_MAX_LEVEL 12
#else
#  define IF_LIBDEFLATE(engine)
#  define GZIP_MAX_LEVEL 9
#endif
#ifdef HAVE_ZLIB
#  define IF_ZLIB(engine) engine,
#else
#  define IF_ZLIB(engine)
#endif
#ifdef HAVE_BROTLI
#  define IF_LIBBROTLI(engine) engine,
#else
#  define IF_LIBBROTLI(engine)
#endif
#ifdef HAVE_ZSTD
#  define IF_LIBZSTD(engine) engine,
#else
#  define IF_LIBZSTD(engine)
#endif
#ifdef HAVE_LZ4
#  define IF_LIBLZ4(engine) engine,
#else
#  define IF_LIBLZ4(engine)
#endif

#ifdef HAVE_LZO
#  define IF_LIBLZO2(engine) engine,
#else
#  define IF_LIBLZO2(engine)
#endif

/* Each codec's engines, default first: E(vtable, name). */
#define UNCOMPRESSED_ENGINES(E) E(uncompressed, "pagecodec"),
#define SNAPPY_ENGINES(E) E(snappy, "pagecodec"), IF_LIBSNAPPY(E(libsnappy, "libsnappy"))
#define GZIP_ENGINES(E) IF_LIBDEFLATE(E(gzip_libdeflate, "libdeflate")) IF_ZLIB(E(gzip_zlib, "zlib"))
#define BROTLI_ENGINES(E) IF_LIBBROTLI(E(brotli, "libbrotli"))
#define ZSTD_ENGINES(E) IF_LIBZSTD(E(zstd, "libzstd"))
#define LZ4_RAW_ENGINES(E) IF_LIBLZ4(E(lz4, "liblz4"))
#define LZ4_HADOOP_ENGINES(E) IF_LIBLZ4(E(lz4_hadoop, "liblz4"))
#define LZO_ENGINES(E) IF_LIBLZO2(E(lzo, "liblzo2"))
#define ARROW_LZ4_ENGINES(E) IF_LIBLZ4(E(arrow_lz4, "liblz4"))
#define ARROW_ZSTD_ENGINES(E) IF_LIBZSTD(E(arrow_zstd, "libzstd"))

#define NAME(vtable, name) name
#define COMPRESSOR(vtable, name) &pgc_##vtable##_compress
#define DECOMPRESSOR(vtable, name) &pgc_##vtable##_decompress
#define LISTS(codec, ENGINES)                                                                   \
	static const char *const codec##_names[] = { ENGINES(NAME) NULL };                      \
	static const struct pgc_compress_engine *const codec##_compressors[] = {                \
		ENGINES(COMPRESSOR) NULL };                                                     \
	static const struct pgc_decompress_engine *const codec##_decompressors[] = {            \
		ENGINES(DECOMPRESSOR) NULL }

LISTS(uncompressed, UNCOMPRESSED_ENGINES);
LISTS(snappy, SNAPPY_ENGINES);
LISTS(gzip, GZIP_ENGINES);
LISTS(brotli, BROTLI_ENGINES);
LISTS(zstd, ZSTD_ENGINES);
LISTS(lz4_raw, LZ4_RAW_ENGINES);
LISTS(lz4_hadoop, LZ4_HADOOP_ENGINES);
LISTS(lzo, LZO_ENGINES);
LISTS(arrow_lz4, ARROW_LZ4_ENGINES);
LISTS(arrow_zstd, ARROW_ZSTD_ENGINES);

#define IDENTITY(id, name_text, lists)                                                          \
	.info.name = name_text,                                                                 \
	.info.codec = id,                                                                       \
	.info.is_available = sizeof(lists##_names) > sizeof(char *),                            \
	.info.compress_engines = lists##_names,                                                 \
	.info.decompress_engines = lists##_names,                                               \
	.compressors = lists##_compressors,                                                     \
	.decompressors = lists##_decompressors
#define LEVELS(low, high, normal)                                                               \
	.info.has_levels = 1,                                                                   \
	.info.min_level = low, .info.max_level = high, .info.default_level = normal
#define WINDOW(low, high) .info.min_window_log = low, .info.max_window_log = high
#define LZ4_LEVELS LEVELS(PGC_LZ4_MIN_LEVEL, PGC_LZ4_MAX_LEVEL, 1)
#define ZSTD_OPTIONS                                                                            \
	LEVELS(PGC_ZSTD_MIN_LEVEL, PGC_ZSTD_MAX_LEVEL, 3), WINDOW(10, 27), .info.has_checksum = 1
#define NAMES(...) .engine_names = (const char *const[]){ __VA_ARGS__, NULL }

/* Levels that the libraries state by a function (ZSTD_minCLevel) stand here as
 * numbers; the tests compare. */
static const struct pgc_codec codecs[] = {
	{ IDENTITY(PAGECODEC_UNCOMPRESSED, "UNCOMPRESSED", uncompressed), NAMES("pagecodec"),
	  .info.max_input_size = PGC_MAX_MEMORY,
	  .bound = pgc_bound_uncompressed, .examine = pgc_uncompressed_examine },

	{ IDENTITY(PAGECODEC_SNAPPY, "SNAPPY", snappy), NAMES("pagecodec", "libsnappy"),
	  .info.max_input_size = PGC_MAX_SNAPPY,
	  .bound = pgc_bound_snappy, .most = 22, .per = 1, .examine = pgc_snappy_examine },

	{ IDENTITY(PAGECODEC_GZIP, "GZIP", gzip), NAMES("libdeflate", "zlib"),
	  LEVELS(0, GZIP_MAX_LEVEL, 6), .info.max_input_size = PGC_MAX_MEMORY,
	  .bound = pgc_bound_gzip, .most = 1032, .per = 1 },

	{ IDENTITY(PAGECODEC_LZO, "LZO", lzo), NAMES("liblzo2"),
	  .info.max_input_size = PGC_MAX_MEMORY,
	  .bound = pgc_bound_lzo, .most = 255, .per = 1, .examine = pgc_hadoop_examine },

	{ IDENTITY(PAGECODEC_BROTLI, "BROTLI", brotli), NAMES("libbrotli"),
	  LEVELS(0, 11, 5), WINDOW(10, 24), .info.max_input_size = PGC_MAX_MEMORY,
	  .bound = pgc_bound_brotli, .most = 16 << 20, .per = 3 },

	{ IDENTITY(PAGECODEC_LZ4, "LZ4", lz4_hadoop), NAMES("liblz4"),
	  LZ4_LEVELS, .info.max_input_size = PGC_MAX_MEMORY,
	  .bound = pgc_bound_lz4_hadoop, .most = PGC_LZ4_MOST, .per = PGC_LZ4_PER,
	  .examine = pgc_lz4_examine },

	{ IDENTITY(PAGECODEC_ZSTD, "ZSTD", zstd), NAMES("libzstd"),
	  ZSTD_OPTIONS, .info.max_input_size = PGC_MAX_MEMORY,
	  .bound = pgc_bound_zstd, .most = PGC_ZSTD_MOST, .per = PGC_ZSTD_PER,
	  .examine = pgc_zstd_examine },

	{ IDENTITY(PAGECODEC_LZ4_RAW, "LZ4_RAW", lz4_raw), NAMES("liblz4"),
	  LZ4_LEVELS, .info.max_input_size = PGC_MAX_LZ4,
	  .bound = pgc_bound_lz4_block, .most = PGC_LZ4_MOST, .per = PGC_LZ4_PER,
	  .examine = pgc_lz4_block_examine },

	/* What so few bytes can become is a matter of those behind the prefix. */
	{ IDENTITY(PAGECODEC_ARROW_LZ4_FRAME, "ARROW_LZ4_FRAME", arrow_lz4), NAMES("liblz4"),
	  LZ4_LEVELS, .info.max_input_size = PGC_MAX_MEMORY,
	  .bound = pgc_bound_arrow, .examine = pgc_arrow_lz4_examine,
	  .foresee = pgc_arrow_lz4_foresee, .stated_size = pgc_arrow_lz4_size },

	{ IDENTITY(PAGECODEC_ARROW_ZSTD, "ARROW_ZSTD", arrow_zstd), NAMES("libzstd"),
	  ZSTD_OPTIONS, .info.max_input_size = PGC_MAX_MEMORY,
	  .bound = pgc_bound_arrow, .examine = pgc_arrow_zstd_examine,
	  .stated_size = pgc_arrow_zstd_size },
};
/* clang-format on */

enum { CODEC_COUNT = sizeof(codecs) / sizeof(codecs[0]) };

const struct pgc_codec *
pgc_find_codec(int32_t codec)
{
	for (size_t i = 0; i < CODEC_COUNT; i++)
		if (codecs[i].info.codec == codec)
			return &codecs[i];
	return NULL;
}

const struct pagecodec_codec_info *
pagecodec_find_codec(int32_t codec)
{
	const struct pgc_codec *row = pgc_find_codec(codec);

	return row ? &row->info : NULL;
}

static int
upper(char c)
{
	return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

static bool
same_name(const char *a, const char *b)
{
	while (*a && upper(*a) == upper(*b)) {
		a++;
		b++;
	}
	return *a == *b;
}

const struct pagecodec_codec_info *
pagecodec_find_codec_by_name(const char *name)
{
	if (!name)
		return NULL;
	for (size_t i = 0; i < CODEC_COUNT; i++)
		if (same_name(codecs[i].info.name, name))
			return &codecs[i].info;
	return NULL;
}

enum pgc_fault
pgc_engine_fault(const struct pgc_codec *codec, const char *name)
{
	if (!codec->info.is_available)
		return PGC_CODEC_NOT_BUILT;
	for (const char *const *known = codec->engine_names; name && *known; known++)
		if (strcmp(*known, name) == 0)
			return PGC_ENGINE_NOT_BUILT;
	return PGC_ENGINE_UNKNOWN;
}
