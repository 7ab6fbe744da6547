/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame.h - the bytes that stand around and between compressed data, read and
 * written by hand: gzip (RFC 1952), zlib (RFC 1950), zstd frames (RFC 8878),
 * stored brotli (RFC 7932), Hadoop's blocks, LZ4 frames,
 * Arrow's prefix, snappy's length.  No codec library is called here.
 */
#ifndef PGC_FRAME_H
#define PGC_FRAME_H

#include "error.h"

/* What a codec's row calls before memory is taken: see examine in codec.h. */
enum pgc_fault pgc_uncompressed_examine(const uint8_t *src, size_t src_size, size_t dst_size,
					struct pagecodec_span *stored, size_t *actual_size);
enum pgc_fault pgc_snappy_examine(const uint8_t *src, size_t src_size, size_t dst_size,
				  struct pagecodec_span *stored, size_t *actual_size);
enum pgc_fault pgc_zstd_examine(const uint8_t *src, size_t src_size, size_t dst_size,
				struct pagecodec_span *stored, size_t *actual_size);
enum pgc_fault pgc_hadoop_examine(const uint8_t *src, size_t src_size, size_t dst_size,
				  struct pagecodec_span *stored, size_t *actual_size);
enum pgc_fault pgc_lz4_examine(const uint8_t *src, size_t src_size, size_t dst_size,
			       struct pagecodec_span *stored, size_t *actual_size);
enum pgc_fault pgc_lz4_block_examine(const uint8_t *src, size_t src_size, size_t dst_size,
				     struct pagecodec_span *stored, size_t *actual_size);
enum pgc_fault pgc_arrow_lz4_examine(const uint8_t *src, size_t src_size, size_t dst_size,
				     struct pagecodec_span *stored, size_t *actual_size);
enum pgc_fault pgc_arrow_zstd_examine(const uint8_t *src, size_t src_size, size_t dst_size,
				      struct pagecodec_span *stored, size_t *actual_size);

/* See foresee in codec.h. */
enum pgc_fault pgc_lz4_frame_foresee(const uint8_t *src, size_t src_size, size_t dst_size,
				     size_t *actual_size);
enum pgc_fault pgc_arrow_lz4_foresee(const uint8_t *src, size_t src_size, size_t dst_size,
				     size_t *actual_size);

/* The varint that a snappy stream starts with: at most 5 bytes, below 2^32. */
enum pgc_fault pgc_snappy_length(const uint8_t *src, size_t size, size_t *length_size,
				 size_t *length);

/* ---- gzip and zlib ---------------------------------------------------- */

enum {
	PGC_GZIP_HEADER_SIZE = 10, /* as written: without optional fields */
	PGC_GZIP_TRAILER_SIZE = 8,
	PGC_GZIP_FRAME_SIZE = PGC_GZIP_HEADER_SIZE + PGC_GZIP_TRAILER_SIZE,
	PGC_ZLIB_HEADER_SIZE = 2,
	PGC_ZLIB_TRAILER_SIZE = 4
};

void pgc_gzip_write_header(uint8_t *dst, int level);
void pgc_gzip_write_trailer(uint8_t *dst, uint32_t crc, size_t size);

/* src as stored blocks of raw deflate, final one included; returns the bytes
 * written: src_size, and 5 for each 65535 begun (one even if there are none). */
size_t pgc_deflate_store(uint8_t *dst, const uint8_t *src, size_t src_size);

/* A member's header with its optional fields, FHCRC checked; *header_size is
 * where deflate starts. */
enum pgc_fault pgc_gzip_read_header(const uint8_t *src, size_t size, size_t *header_size);

/* The member's bytes against the trailer, which must be whole at src. */
enum pgc_fault pgc_gzip_check_trailer(const uint8_t *src, const uint8_t *data, size_t size);

/* Whether src starts as RFC 1950 says, with a window that deflate can have. */
bool pgc_zlib_starts(const uint8_t *src, size_t size);

/* ---- brotli ----------------------------------------------------------- */

/* src as a brotli stream that stores it; window_log: 0, or the most that it may
 * state.  Returns the bytes written, at most pgc_bound_brotli(src_size). */
size_t pgc_brotli_store(uint8_t *dst, const uint8_t *src, size_t src_size, int window_log);

/* ---- Hadoop blocks, and the three forms of LZ4 ------------------------ */

#define PGC_HADOOP_BLOCK_MAX ((size_t)256 << 10) /* as written: Hadoop's buffer */

enum pgc_lz4_form { PGC_LZ4_HADOOP, PGC_LZ4_FRAME, PGC_LZ4_BLOCK };

/* Which of them src is.  A fault: none can be, and it is that of the likeliest. */
enum pgc_fault pgc_lz4_find_form(const uint8_t *src, size_t src_size, size_t dst_size,
				 enum pgc_lz4_form *form, size_t *actual_size);

/* ---- LZ4 frames ------------------------------------------------------- */

enum {
	PGC_LZ4_FRAME_MIN = 11, /* as written: header and end mark */
	PGC_LZ4_BLOCK_HEAD_SIZE = 4,
	PGC_LZ4_CHECKSUM_SIZE = 4
};

#define PGC_LZ4_STORED_BIT 0x80000000u	    /* of a block's size */
#define PGC_LZ4_BLOCK_MAX ((size_t)4 << 20) /* as written */

struct pgc_lz4_frame {
	bool is_skippable; /* header_size is then that of the whole frame */
	bool is_linked, has_block_checksums, has_content_checksum, has_content_size;
	size_t header_size, block_max;
	uint64_t content_size;
};

struct pgc_lz4_block {
	bool is_end, is_stored;
	size_t size;	   /* as it lies behind its head, without its checksum */
	size_t total_size; /* with both; of the end mark with the content checksum */
};

/* Whether src starts with the magic of a frame with content. */
bool pgc_lz4_frame_starts(const uint8_t *src, size_t size);

/* The header, its own checksum checked.  PGC_MAGIC: no frame begins here. */
enum pgc_fault pgc_lz4_read_frame_header(const uint8_t *src, size_t size,
					 struct pgc_lz4_frame *frame);

/* A block, or the end mark: all of total_size is there if there is no fault. */
static inline enum pgc_fault
pgc_lz4_read_block_head(const uint8_t *src, size_t size, const struct pgc_lz4_frame *frame,
			struct pgc_lz4_block *block)
{
	uint32_t word;
	size_t checksum = frame->has_block_checksums ? PGC_LZ4_CHECKSUM_SIZE : 0;

	if (size < PGC_LZ4_BLOCK_HEAD_SIZE)
		return PGC_STREAM_CUT;
	word = pgc_load_le32(src);
	block->is_end = word == 0;
	block->is_stored = word & PGC_LZ4_STORED_BIT;
	block->size = word & ~PGC_LZ4_STORED_BIT;
	if (block->is_end)
		checksum = frame->has_content_checksum ? PGC_LZ4_CHECKSUM_SIZE : 0;
	if (block->size > frame->block_max)
		return PGC_STREAM_CORRUPT;
	if (size - PGC_LZ4_BLOCK_HEAD_SIZE < block->size + checksum)
		return block->is_end ? PGC_TRAILER_CUT : PGC_STREAM_CUT;
	block->total_size = PGC_LZ4_BLOCK_HEAD_SIZE + block->size + checksum;
	return PGC_NO_FAULT;
}

/* Returns the header's size. */
size_t pgc_lz4_write_frame_header(uint8_t *dst);

/* PGC_LZ4_BLOCK_HEAD_SIZE bytes; size 0: the end mark. */
void pgc_lz4_write_block_size(uint8_t *dst, size_t size, bool is_stored);

/* ---- Arrow ------------------------------------------------------------ */

enum { PGC_ARROW_PREFIX_SIZE = 8 };

/* What a buffer says of its size, and its payload could hold: see stated_size in
 * codec.h. */
enum pgc_fault pgc_arrow_lz4_size(const uint8_t *src, size_t src_size, size_t *size);
enum pgc_fault pgc_arrow_zstd_size(const uint8_t *src, size_t src_size, size_t *size);

void pgc_arrow_write_prefix(uint8_t *dst, size_t size, bool is_stored);

#endif
