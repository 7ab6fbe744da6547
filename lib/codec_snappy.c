/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec_snappy.c - raw snappy by libsnappy's C interface.  Its encoder allocates
 * in every call, and cannot be told not to.
 */
#include "internal.h"

#include <snappy-c.h>

#include "codec.h"
#include "frame.h"
#include "walk.h"

static struct pgc_result
compress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_capacity)
{
	size_t size = dst_capacity;

	(void)state;
	if (snappy_compress((const char *)src, src_size, (char *)dst, &size) != SNAPPY_OK)
		return pgc_bad(PGC_NO_MEMORY);
	return pgc_done(size);
}

static struct pgc_result
decompress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size)
{
	size_t length_size, length, size = dst_size;
	enum pgc_fault fault = pgc_snappy_length(src, src_size, &length_size, &length);

	(void)state;
	/* The length was examined, but libsnappy reads it again and believes it. */
	if (fault)
		return pgc_bad(fault);
	if (snappy_uncompress((const char *)src, src_size, (char *)dst, &size) == SNAPPY_OK)
		return size == dst_size ? pgc_done(size) : pgc_size_differs(size);
	return pgc_explain(pgc_walk_snappy(src + length_size, src_size - length_size, length),
			   dst_size);
}

const struct pgc_compress_engine pgc_libsnappy_compress = {.name = "libsnappy",
							   .compress = compress};
const struct pgc_decompress_engine pgc_libsnappy_decompress = {.name = "libsnappy",
							       .decompress = decompress};
