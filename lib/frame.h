/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame.h - the bytes that stand around and between compressed data, read and
 * written by hand: gzip (RFC 1952), zlib (RFC 1950), zstd frames (RFC 8878),
 * stored brotli (RFC 7932), snappy's length.  No codec library is called here.
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

#endif
