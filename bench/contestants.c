/* SPDX-License-Identifier: Apache-2.0 */
/*
 * contestants.c - pagecodec as a contestant, memcpy as another, and who meets whom.
 */
#include "internal.h"

#include <stdlib.h>

#include "bench.h"
#include "contestants.h"

/* ---- pagecodec --------------------------------------------------------- */

struct ours {
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;
};

static void *
open_ours(const struct contestant *self, int level)
{
	const struct pagecodec_codec_info *info = pagecodec_find_codec(self->codec);
	struct pagecodec_compressor_options to = {.struct_size = sizeof(to),
						  .has_level = info->has_levels,
						  .level = info->has_levels ? level : 0,
						  .engine = self->engine};
	struct pagecodec_decompressor_options from = {.struct_size = sizeof(from),
						      .engine = self->engine};
	struct ours *ours = must_alloc(sizeof(*ours));
	struct pagecodec_error error;

	if (pagecodec_factory_create(NULL, &ours->factory, &error) ||
	    pagecodec_compressor_get(ours->factory, self->codec, &to, &ours->compressor,
				     &error) ||
	    pagecodec_decompressor_get(ours->factory, self->codec, &from, &ours->decompressor,
				       &error))
		die("%s", error.message);
	return ours;
}

static void
close_ours(void *state)
{
	struct ours *ours = state;

	pagecodec_compressor_release(ours->compressor);
	pagecodec_decompressor_release(ours->decompressor);
	pagecodec_factory_destroy(ours->factory);
	free(ours);
}

static size_t
compress_ours(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	const struct ours *ours = state;
	struct pagecodec_span part = {src, size}, page;

	if (pagecodec_compress(ours->compressor, &part, 1, dst, capacity, &page, NULL))
		return 0;
	return page.size;
}

static size_t
decompress_ours(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t dst_size)
{
	const struct ours *ours = state;
	struct pagecodec_span page;

	if (pagecodec_decompress(ours->decompressor, src, size, dst_size, dst, dst_size, &page,
				 NULL))
		return 0;
	return page.size;
}

/* The library that an engine is measured against. */
static const char *
library_of(int32_t codec, const char *engine)
{
	if (strcmp(engine, "pagecodec") != 0)
		return engine;
	return codec == PAGECODEC_SNAPPY ? "libsnappy" : "memcpy";
}

static const struct contestant ours = {.role = OURS,
				       .name = "pagecodec",
				       .open = open_ours,
				       .close = close_ours,
				       .compress = compress_ours,
				       .decompress = decompress_ours};

/* ---- memcpy ------------------------------------------------------------ */

static void *
open_nothing(const struct contestant *self, int level)
{
	(void)self;
	(void)level;
	return NULL;
}

static void
close_nothing(void *state)
{
	(void)state;
}

static size_t
copy_page(void *state, const uint8_t *src, size_t size, uint8_t *dst, size_t capacity)
{
	(void)state;
	(void)capacity;
	memcpy(dst, src, size);
	return size;
}

static const struct contestant machine = {.role = MACHINE,
					  .name = "memcpy",
					  .backend = "memcpy",
					  .open = open_nothing,
					  .close = close_nothing,
					  .compress = copy_page,
					  .decompress = copy_page};

/* ---- Arrow's prefix ---------------------------------------------------- */

size_t
arrow_finish(uint8_t *dst, size_t frame, const uint8_t *src, size_t size)
{
	if (ARROW_PREFIX_SIZE + frame < size) {
		pgc_store_le64(dst, size);
		return ARROW_PREFIX_SIZE + frame;
	}
	pgc_store_le64(dst, UINT64_MAX);
	memcpy(dst + ARROW_PREFIX_SIZE, src, size);
	return ARROW_PREFIX_SIZE + size;
}

bool
arrow_is_stored(const uint8_t *src)
{
	return pgc_load_le64(src) == UINT64_MAX;
}

/* ---- Who meets whom ---------------------------------------------------- */

static const struct contestant *
bare_of(int32_t codec)
{
	switch (codec) {
	case PAGECODEC_SNAPPY:
		return bare_snappy;
	case PAGECODEC_GZIP:
		return bare_gzip;
	case PAGECODEC_LZO:
		return bare_lzo;
	case PAGECODEC_BROTLI:
		return bare_brotli;
	case PAGECODEC_LZ4:
	case PAGECODEC_LZ4_RAW:
	case PAGECODEC_ARROW_LZ4_FRAME:
		return bare_lz4;
	case PAGECODEC_ZSTD:
	case PAGECODEC_ARROW_ZSTD:
		return bare_zstd;
	default:
		return NULL;
	}
}

static size_t
add_ours(int32_t codec, const char *engine, int level, struct contestant *entry)
{
	*entry = ours;
	entry->codec = codec;
	entry->engine = engine;
	entry->backend = library_of(codec, engine);
	if (strcmp(engine, "zlib") == 0)
		entry->max_level = 9;
	return entry->max_level == 0 || level <= entry->max_level;
}

size_t
contestants_of(int32_t codec, int level, const char *engine,
	       struct contestant list[MAX_CONTESTANTS])
{
	const struct pagecodec_codec_info *info = pagecodec_find_codec(codec);
	const struct contestant *bare = bare_of(codec);
	size_t count = 0;

	for (size_t i = 0; info->compress_engines[i] && count < MAX_CONTESTANTS; i++)
		if (listed(engine, info->compress_engines[i]))
			count +=
			    add_ours(codec, info->compress_engines[i], level, &list[count]);
	for (; bare && bare->name && count < MAX_CONTESTANTS - 1; bare++)
		if (bare->codec == codec && (bare->max_level == 0 || level <= bare->max_level))
			list[count++] = *bare;
	list[count++] = machine;
	return count;
}

size_t
levels_of(int32_t codec, int levels[3])
{
	static const struct {
		int32_t codec;
		int levels[3];
	} known[] = {
	    {PAGECODEC_GZIP, {1, 6, 9}},
	    {PAGECODEC_BROTLI, {1, 5, 11}},
	    {PAGECODEC_ZSTD, {1, 3, 19}},
	    {PAGECODEC_ARROW_ZSTD, {1, 3, 19}},
	    {PAGECODEC_LZ4, {-8, 1, 9}},
	    {PAGECODEC_LZ4_RAW, {-8, 1, 9}},
	    {PAGECODEC_ARROW_LZ4_FRAME, {-8, 1, 9}},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].codec == codec) {
			memcpy(levels, known[i].levels, sizeof(known[i].levels));
			return 3;
		}
	}
	levels[0] = 0;
	return 1;
}
