/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.c - what pagecodec.h says of memory and of options, once more and simply
 * A size is kept before each block, as free_func must be told it.
 */
#include "model.h"

/* ---- Memory ------------------------------------------------------------ */

enum { BLOCK_HEAD = 16 };

void *
heap_alloc(void *opaque, size_t size)
{
	struct heap *heap = opaque;
	uint8_t *block;

	if (heap->fail_in != 0 && --heap->fail_in == 0) {
		heap->failed++;
		return NULL;
	}
	block = malloc(size + BLOCK_HEAD);
	REQUIRE(block);
	memcpy(block, &size, sizeof(size));
	heap->live_count++;
	heap->live_bytes += size;
	return block + BLOCK_HEAD;
}

void
heap_free(void *opaque, void *ptr, size_t size)
{
	struct heap *heap = opaque;
	uint8_t *block = (uint8_t *)ptr - BLOCK_HEAD;

	REQUIRE(same_bytes(block, &size, sizeof(size)));
	heap->live_count--;
	heap->live_bytes -= size;
	free(block);
}

/* ---- Options ----------------------------------------------------------- */

bool
has_engine(const struct pagecodec_codec_info *info, const char *engine)
{
	for (size_t i = 0; info->compress_engines[i]; i++)
		if (!engine || strcmp(info->compress_engines[i], engine) == 0)
			return true;
	return false;
}

static bool
is_level_valid(const struct pagecodec_codec_info *info,
	       const struct pagecodec_compressor_options *options)
{
	bool is_zlib =
	    strcmp(options->engine ? options->engine : info->compress_engines[0], "zlib") == 0;

	if (!options->has_level)
		return options->level == 0;
	return info->has_levels && options->level >= info->min_level &&
	       options->level <= (is_zlib ? 9 : info->max_level);
}

/* What pagecodec.h says of options. */
bool
are_options_valid(const struct pagecodec_codec_info *info,
		  const struct pagecodec_compressor_options *options)
{
	return options->struct_size == sizeof(*options) && options->reserved == 0 &&
	       (options->has_level | options->checksum | options->page_crc | 1) == 1 &&
	       has_engine(info, options->engine) && is_level_valid(info, options) &&
	       (!options->checksum || info->has_checksum) &&
	       (options->window_log == 0 ||
		(info->max_window_log != 0 && options->window_log >= info->min_window_log &&
		 options->window_log <= info->max_window_log));
}
