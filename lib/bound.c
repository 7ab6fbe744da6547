/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bound.c - how much a page can grow, by format.  Not taken from the libraries:
 * the answer must not depend on what a build has, and the tests compare.
 */
#include "internal.h"

#include "codec.h"
#include "frame.h"

size_t
pgc_bound_uncompressed(size_t size)
{
	return size;
}

/* One literal tag for each 60 bytes would be n / 60; the encoders also copy in
 * blocks ahead of what they have checked, and n / 6 is what they ask for. */
size_t
pgc_bound_snappy(size_t size)
{
	return 32 + size + size / 6;
}

/* Stored blocks of deflate hold up to 65535 bytes for 5 of header, but encoders
 * may end blocks from 5000 bytes on; 9 is what libdeflate wants as slack. */
size_t
pgc_bound_gzip(size_t size)
{
	return PGC_GZIP_FRAME_SIZE + size + 5 * (size / 5000 + 1) + 9;
}

/* What pgc_brotli_store makes where the encoder would make more: 4 bytes for each
 * meta-block of 16 MiB begun, one for the end, and up to 7 bits for the window. */
size_t
pgc_bound_brotli(size_t size)
{
	return size + 4 * pgc_divide_up(size, (size_t)1 << 24) + 2;
}

/* 3 bytes for each block of at most 128 KiB, and encoders ask for 1/256 and a
 * little more on small pages. */
size_t
pgc_bound_zstd(size_t size)
{
	size_t small = (size_t)128 << 10;

	return size + (size >> 8) + (size < small ? (small - size) >> 11 : 0);
}

/* A literal run of any length costs a byte for each 255. */
size_t
pgc_bound_lz4_block(size_t size)
{
	return size + size / 255 + 16;
}

/* The lengths of a Hadoop block, and its one chunk; even the empty page has one. */
static size_t
hadoop_blocks(size_t size)
{
	return PGC_MAX(pgc_divide_up(size, PGC_HADOOP_BLOCK_MAX), 1);
}

/* Blocks with floor(b / 255) and 16 each are no more than floor(n / 255) together. */
size_t
pgc_bound_lz4_hadoop(size_t size)
{
	return size + size / 255 + (8 + 16) * hadoop_blocks(size);
}

/* A literal run of any length costs 1 for each 255, but the encoder starts anew
 * every 48 KiB and asks for this. */
size_t
pgc_bound_lzo_chunk(size_t size)
{
	return size + size / 16 + 64 + 3;
}

size_t
pgc_bound_lzo(size_t size)
{
	return size + size / 16 + (8 + 64 + 3) * hadoop_blocks(size);
}

/* What would not become smaller is stored behind the prefix. */
size_t
pgc_bound_arrow(size_t size)
{
	return size == 0 ? 0 : PGC_ARROW_PREFIX_SIZE + size;
}

size_t
pagecodec_compress_bound(int32_t codec, size_t src_size)
{
	const struct pgc_codec *row = pgc_find_codec(codec);

	if (!row || src_size > row->info.max_input_size)
		return 0;
	return row->bound(src_size);
}
