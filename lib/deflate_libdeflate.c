/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deflate_libdeflate.c - raw deflate by libdeflate.  Its allocator can only be set
 * for the whole process, which a library must not do: memory comes from malloc.
 */
#include "internal.h"

#include <libdeflate.h>

#include "deflate.h"

/* As measured with 1.14, which has no call that says it. */
static size_t
compressor_size(int level)
{
	if (level == 0)
		return (size_t)8 << 10;
	if (level == 1)
		return (size_t)200 << 10;
	return (size_t)(level <= 9 ? 656 : 8800) << 10;
}

enum { DECOMPRESSOR_SIZE = 12 << 10 };

static void *
open_compressor(struct pgc_account *account, int level)
{
	void *compressor = libdeflate_alloc_compressor(level);

	if (compressor)
		pgc_charge(account, compressor_size(level));
	return compressor;
}

static void
close_compressor(void *state)
{
	libdeflate_free_compressor(state);
}

static size_t
compress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t capacity)
{
	return libdeflate_deflate_compress(state, src, src_size, dst, capacity);
}

static void *
open_decompressor(struct pgc_account *account)
{
	void *decompressor = libdeflate_alloc_decompressor();

	if (decompressor)
		pgc_charge(account, DECOMPRESSOR_SIZE);
	return decompressor;
}

static void
close_decompressor(void *state)
{
	libdeflate_free_decompressor(state);
}

static enum pgc_inflate_status
decompress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t capacity,
	   size_t *used, size_t *made)
{
	enum libdeflate_result result =
	    libdeflate_deflate_decompress_ex(state, src, src_size, dst, capacity, used, made);

	return result == LIBDEFLATE_SUCCESS ? PGC_INFLATE_DONE : PGC_INFLATE_BAD;
}

const struct pgc_deflater pgc_libdeflate_deflater = {open_compressor, close_compressor,
						     compress};
const struct pgc_inflater pgc_libdeflate_inflater = {open_decompressor, close_decompressor,
						     decompress};
