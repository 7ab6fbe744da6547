/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec_lz4_hadoop.c - the deprecated LZ4 of Parquet: written as Hadoop does, read
 * in each of the three unmarked forms that writers have left.  Wraps liblz4's
 * block engine, and its frame engine.
 */
#include "internal.h"

#include "frame.h"
#include "hadoop.h"
#include "lz4_block.h"

static const uint8_t empty_block[] = {0};

static struct pgc_result
decode_chunk(const uint8_t *src, size_t src_size, uint8_t *dst, size_t capacity)
{
	return pgc_lz4_decode(src, src_size, dst, capacity, 0);
}

static const struct pgc_hadoop_payload chunks = {.encoder = &pgc_lz4_compress,
						 .bound = pgc_bound_lz4_block,
						 .empty = empty_block,
						 .empty_size = sizeof(empty_block),
						 .decode = decode_chunk};

/* Hadoop's blocks, and where the first of their bytes could also be a token with
 * literals (pages of 256 MiB and more) a bare block. */
static struct pgc_result
read_hadoop(const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size)
{
	struct pgc_result result = pgc_hadoop_read(&chunks, src, src_size, dst, dst_size);
	struct pgc_result other;

	if (!result.fault || src[0] >> 4 == 0)
		return result;
	other = pgc_lz4_decompress.decompress(NULL, src, src_size, dst, dst_size);
	return other.fault ? result : other;
}

static struct pgc_result
decompress(void *state, const uint8_t *src, size_t src_size, uint8_t *dst, size_t dst_size)
{
	enum pgc_lz4_form form;
	size_t actual_size = 0;
	enum pgc_fault fault = pgc_lz4_find_form(src, src_size, dst_size, &form, &actual_size);

	if (fault)
		return (struct pgc_result){fault, actual_size};
	switch (form) {
	case PGC_LZ4_HADOOP:
		return read_hadoop(src, src_size, dst, dst_size);
	case PGC_LZ4_FRAME:
		return pgc_lz4_frame_decompress.decompress(state, src, src_size, dst, dst_size);
	case PGC_LZ4_BLOCK:
		break;
	}
	return pgc_lz4_decompress.decompress(state, src, src_size, dst, dst_size);
}

const struct pgc_compress_engine pgc_lz4_hadoop_compress = {.name = "liblz4",
							    .min_level = PGC_LZ4_MIN_LEVEL,
							    .max_level = PGC_LZ4_MAX_LEVEL,
							    .payload = &chunks,
							    .open = pgc_hadoop_open,
							    .close = pgc_hadoop_close,
							    .compress = pgc_hadoop_compress};
const struct pgc_decompress_engine pgc_lz4_hadoop_decompress = {.name = "liblz4",
								.decompress = decompress};
