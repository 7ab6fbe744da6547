/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frame_arrow.c - the prefix of compressed Arrow IPC body buffers: an int64
 * little-endian size, or -1 where the bytes follow as they are.  Columnar format,
 * "Compression".
 */
#include "internal.h"

#include "codec.h"
#include "frame.h"

/* What a buffer's prefix says, checked against the bytes behind it. */
struct prefix {
	size_t size;
	bool is_stored; /* they are the buffer as it is */
};

struct limits {
	size_t most, per; /* as in struct pgc_codec, of the payload */
};

static const struct limits lz4_limits = {PGC_LZ4_MOST, PGC_LZ4_PER};
static const struct limits zstd_limits = {PGC_ZSTD_MOST, PGC_ZSTD_PER};

static inline enum pgc_fault
read_prefix(const uint8_t *src, size_t src_size, struct limits limits, struct prefix *prefix)
{
	uint64_t stated;
	size_t payload_size;

	if (src_size < PGC_ARROW_PREFIX_SIZE)
		return PGC_HEADER_CUT;
	stated = pgc_load_le64(src);
	payload_size = src_size - PGC_ARROW_PREFIX_SIZE;
	prefix->is_stored = stated == UINT64_MAX || (stated == 0 && payload_size == 0);
	if (prefix->is_stored) {
		prefix->size = payload_size;
		return PGC_NO_FAULT;
	}
	if (stated > INT64_MAX)
		return PGC_PREFIX_NEGATIVE;
	if (payload_size == 0)
		return PGC_NO_INPUT;
	if (stated > SIZE_MAX)
		return PGC_ABOVE_SIZE_MAX;
	prefix->size = (size_t)stated;
	if (!pgc_is_plausible(payload_size, prefix->size, limits.most, limits.per))
		return PGC_IMPLAUSIBLE;
	return PGC_NO_FAULT;
}

static inline enum pgc_fault
examine_prefix(const uint8_t *src, size_t src_size, size_t dst_size, struct limits limits,
	       struct pagecodec_span *stored, size_t *actual_size)
{
	struct prefix prefix;
	enum pgc_fault fault = read_prefix(src, src_size, limits, &prefix);

	if (fault)
		return fault;
	*actual_size = prefix.size;
	if (prefix.size != dst_size)
		return prefix.is_stored ? PGC_STORED_SIZE_DIFFERS : PGC_SIZE_DIFFERS;
	if (prefix.is_stored)
		*stored = (struct pagecodec_span){src + PGC_ARROW_PREFIX_SIZE, prefix.size};
	return PGC_NO_FAULT;
}

enum pgc_fault
pgc_arrow_lz4_examine(const uint8_t *src, size_t src_size, size_t dst_size,
		      struct pagecodec_span *stored, size_t *actual_size)
{
	return examine_prefix(src, src_size, dst_size, lz4_limits, stored, actual_size);
}

enum pgc_fault
pgc_arrow_lz4_foresee(const uint8_t *src, size_t src_size, size_t dst_size, size_t *actual_size)
{
	return pgc_lz4_frame_foresee(src + PGC_ARROW_PREFIX_SIZE,
				     src_size - PGC_ARROW_PREFIX_SIZE, dst_size, actual_size);
}

enum pgc_fault
pgc_arrow_zstd_examine(const uint8_t *src, size_t src_size, size_t dst_size,
		       struct pagecodec_span *stored, size_t *actual_size)
{
	enum pgc_fault fault =
	    examine_prefix(src, src_size, dst_size, zstd_limits, stored, actual_size);

	if (fault || stored->data)
		return fault;
	return pgc_zstd_examine(src + PGC_ARROW_PREFIX_SIZE, src_size - PGC_ARROW_PREFIX_SIZE,
				dst_size, stored, actual_size);
}

static enum pgc_fault
stated_size(const uint8_t *src, size_t src_size, struct limits limits, size_t *size)
{
	struct prefix prefix = {0};
	enum pgc_fault fault =
	    src_size == 0 ? PGC_NO_FAULT : read_prefix(src, src_size, limits, &prefix);

	*size = prefix.size;
	return fault;
}

enum pgc_fault
pgc_arrow_lz4_size(const uint8_t *src, size_t src_size, size_t *size)
{
	return stated_size(src, src_size, lz4_limits, size);
}

enum pgc_fault
pgc_arrow_zstd_size(const uint8_t *src, size_t src_size, size_t *size)
{
	return stated_size(src, src_size, zstd_limits, size);
}

void
pgc_arrow_write_prefix(uint8_t *dst, size_t size, bool is_stored)
{
	pgc_store_le64(dst, is_stored ? UINT64_MAX : (uint64_t)size);
}
