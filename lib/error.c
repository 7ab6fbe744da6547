/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error.c - the status and the text of every fault, and the message a caller
 * sees.  A switch without default: the compiler names a fault left out.
 */
#include "internal.h"

#include <stdio.h>

#include "codec.h"
#include "error.h"

const char *
pagecodec_status_name(enum pagecodec_status status)
{
	switch (status) {
	case PAGECODEC_OK:
		return "OK";
	case PAGECODEC_INVALID_ARGUMENT:
		return "INVALID_ARGUMENT";
	case PAGECODEC_NOT_BUILT:
		return "NOT_BUILT";
	case PAGECODEC_UNKNOWN_CODEC:
		return "UNKNOWN_CODEC";
	case PAGECODEC_OUT_OF_MEMORY:
		return "OUT_OF_MEMORY";
	case PAGECODEC_TOO_LARGE:
		return "TOO_LARGE";
	case PAGECODEC_DST_TOO_SMALL:
		return "DST_TOO_SMALL";
	case PAGECODEC_TRUNCATED:
		return "TRUNCATED";
	case PAGECODEC_CORRUPT:
		return "CORRUPT";
	case PAGECODEC_CHECKSUM_MISMATCH:
		return "CHECKSUM_MISMATCH";
	case PAGECODEC_SIZE_MISMATCH:
		return "SIZE_MISMATCH";
	case PAGECODEC_TRAILING_DATA:
		return "TRAILING_DATA";
	}
	return "UNKNOWN";
}

struct fault_row {
	enum pagecodec_status status;
	const char *text;
};

/* clang-format off */
static struct fault_row
fault_row(enum pgc_fault fault)
{
#define ROW(fault, status, text) case fault: return (struct fault_row){ PAGECODEC_##status, text }
	switch (fault) {
	ROW(PGC_NO_FAULT, OK, "no fault");
	ROW(PGC_NULL_FACTORY, INVALID_ARGUMENT, "factory is NULL");
	ROW(PGC_NULL_OBJECT, INVALID_ARGUMENT, "the compressor or decompressor is NULL");
	ROW(PGC_NULL_RESULT, INVALID_ARGUMENT, "the pointer to the result is NULL");
	ROW(PGC_NULL_PARTS, INVALID_ARGUMENT, "parts are NULL though their count is not 0");
	ROW(PGC_NULL_PAGE, INVALID_ARGUMENT, "page is NULL");
	ROW(PGC_NULL_WITH_SIZE, INVALID_ARGUMENT, "data is NULL though its size is not 0");
	ROW(PGC_CAPACITY_WITHOUT_DST, INVALID_ARGUMENT, "dst is NULL though dst_capacity is not 0");
	ROW(PGC_OVERLAP, INVALID_ARGUMENT, "the input, dst and the object's own buffer overlap");
	ROW(PGC_OBJECT_IDLE, INVALID_ARGUMENT, "the object has been released");
	ROW(PGC_STRUCT_SHORT, INVALID_ARGUMENT, "struct_size is not set to the size of the options");
	ROW(PGC_STRUCT_BEYOND, INVALID_ARGUMENT, "an option is set that this version does not know");
	ROW(PGC_RESERVED_SET, INVALID_ARGUMENT, "a reserved field is not 0");
	ROW(PGC_FLAG_RANGE, INVALID_ARGUMENT, "has_level, checksum and page_crc must be 0 or 1");
	ROW(PGC_ALLOC_WITHOUT_FREE, INVALID_ARGUMENT, "alloc_func and free_func go together");
	ROW(PGC_LEVEL_NOT_MEANT, INVALID_ARGUMENT, "level is set though has_level is 0");
	ROW(PGC_LEVEL_LACKING, INVALID_ARGUMENT, "the codec has no levels");
	ROW(PGC_LEVEL_RANGE, INVALID_ARGUMENT, "level is out of range");
	ROW(PGC_WINDOW_LACKING, INVALID_ARGUMENT, "the codec takes no window_log");
	ROW(PGC_WINDOW_RANGE, INVALID_ARGUMENT, "window_log is out of range");
	ROW(PGC_CHECKSUM_LACKING, INVALID_ARGUMENT, "the codec has no checksum to add");
	ROW(PGC_ENGINE_UNKNOWN, INVALID_ARGUMENT, "the codec has no engine of this name, but");
	ROW(PGC_NOT_ARROW, INVALID_ARGUMENT, "only ARROW_ buffers say their own size");
	ROW(PGC_CODEC_NOT_BUILT, NOT_BUILT, "the codec was left out of this build");
	ROW(PGC_ENGINE_NOT_BUILT, NOT_BUILT, "the engine was left out of this build, which has");
	ROW(PGC_CODEC_UNKNOWN, UNKNOWN_CODEC, "no codec has this number");
	ROW(PGC_NO_MEMORY, OUT_OF_MEMORY, "out of memory");
	ROW(PGC_ABOVE_MAX_PAGE_SIZE, TOO_LARGE, "the page is larger than max_page_size");
	ROW(PGC_ABOVE_CODEC_LIMIT, TOO_LARGE, "the page is larger than the codec can take");
	ROW(PGC_ABOVE_INT32, TOO_LARGE, "the page is larger than a page header can say");
	ROW(PGC_ABOVE_SIZE_MAX, TOO_LARGE, "the size does not fit in memory");
	ROW(PGC_IMPLAUSIBLE, TOO_LARGE, "so few bytes can never become so many");
	ROW(PGC_DST_SHORT, DST_TOO_SMALL, "dst_capacity is too small");
	ROW(PGC_NO_INPUT, TRUNCATED, "there are no bytes to decompress");
	ROW(PGC_BODY_SHORT, TRUNCATED, "body_size is less than compressed_page_size");
	ROW(PGC_HEADER_CUT, TRUNCATED, "the input ends within a header");
	ROW(PGC_TRAILER_CUT, TRUNCATED, "the input ends within a trailer");
	ROW(PGC_STREAM_CUT, TRUNCATED, "the input ends before its stream does");
	ROW(PGC_FIELD_NEGATIVE, CORRUPT, "a size in the page header is negative");
	ROW(PGC_PREFIX_NEGATIVE, CORRUPT, "the size in front of the buffer is negative");
	ROW(PGC_LEVELS_RANGE, CORRUPT, "the levels are longer than the page");
	ROW(PGC_STREAM_CORRUPT, CORRUPT, "the stream is damaged");
	ROW(PGC_MAGIC, CORRUPT, "the input does not start as this codec's streams do");
	ROW(PGC_GZIP_METHOD, CORRUPT, "the compression method is not deflate");
	ROW(PGC_GZIP_FLAGS, CORRUPT, "reserved header flags are set");
	ROW(PGC_DICTIONARY, CORRUPT, "the stream needs a dictionary");
	ROW(PGC_HEADER_CORRUPT, CORRUPT, "a header is damaged");
	ROW(PGC_SNAPPY_LENGTH, CORRUPT, "the length at the start is damaged");
	ROW(PGC_LENGTH_CHAIN, CORRUPT, "the lengths of blocks and chunks contradict each other");
	ROW(PGC_PAGE_CRC, CHECKSUM_MISMATCH, "the page's CRC-32 differs from its header's");
	ROW(PGC_GZIP_CRC, CHECKSUM_MISMATCH, "the CRC-32 of a gzip member differs");
	ROW(PGC_GZIP_ISIZE, CHECKSUM_MISMATCH, "the ISIZE of a gzip member differs");
	ROW(PGC_HEADER_CHECKSUM, CHECKSUM_MISMATCH, "a header checksum differs");
	ROW(PGC_ADLER, CHECKSUM_MISMATCH, "the Adler-32 differs");
	ROW(PGC_CONTENT_CHECKSUM, CHECKSUM_MISMATCH, "a content checksum differs");
	ROW(PGC_BLOCK_CHECKSUM, CHECKSUM_MISMATCH, "a block checksum differs");
	ROW(PGC_SIZE_DIFFERS, SIZE_MISMATCH, "the stream holds another size than declared");
	ROW(PGC_SIZE_BEYOND, SIZE_MISMATCH, "the stream holds more than declared");
	ROW(PGC_STORED_SIZE_DIFFERS, SIZE_MISMATCH, "the page is stored, but its two sizes differ");
	ROW(PGC_TRAILING_BYTES, TRAILING_DATA, "bytes follow the end of the stream");
	}
#undef ROW
	return (struct fault_row){ PAGECODEC_CORRUPT, "unknown fault" };
}
/* clang-format on */

enum pagecodec_status
pgc_fault_status(enum pgc_fault fault)
{
	return fault_row(fault).status;
}

/* What the sizes at fault are to each other */
static const char *
relation(enum pgc_fault fault)
{
	if (fault == PGC_LEVELS_RANGE || pgc_fault_status(fault) == PAGECODEC_TOO_LARGE)
		return "at most";
	if (fault == PGC_DST_SHORT || fault == PGC_BODY_SHORT)
		return "at least";
	return "expected";
}

/* snprintf that appends, and cuts what does not fit */
#define APPEND(...)                                                                            \
	do {                                                                                   \
		size_t used = strlen(text);                                                    \
		(void)snprintf(text + used, size - used, __VA_ARGS__);                         \
	} while (0)

static void
write_message(char *text, size_t size, const struct pgc_failure *failure, const char *what)
{
	const struct pagecodec_codec_info *codec = pagecodec_find_codec(failure->codec);
	bool is_mismatch, is_stream, has_sizes;

	text[0] = '\0';
	if (codec)
		APPEND("%s: ", codec->name);
	else if (failure->fault == PGC_CODEC_UNKNOWN)
		APPEND("codec %ld: ", (long)failure->codec);
	APPEND("%s", what);
	if (codec &&
	    (failure->fault == PGC_ENGINE_UNKNOWN || failure->fault == PGC_ENGINE_NOT_BUILT))
		for (const char *const *engine = codec->compress_engines; *engine; engine++)
			APPEND(" \"%s\"", *engine);
	if (failure->low != failure->high)
		APPEND(" (%d is not within %d..%d of engine %s)", failure->value, failure->low,
		       failure->high, failure->name);
	if (failure->fault == PGC_FIELD_NEGATIVE)
		APPEND(" (%s is %d)", failure->name, failure->value);
	is_mismatch = pgc_fault_status(failure->fault) == PAGECODEC_SIZE_MISMATCH;
	is_stream = failure->src_size != 0 || failure->dst_size != 0;
	has_sizes = failure->expected != 0 || failure->actual != 0;
	if (is_stream && (is_mismatch || !has_sizes)) {
		APPEND(" (%zu compressed bytes, %zu declared", failure->src_size,
		       failure->dst_size);
		if (is_mismatch && failure->fault != PGC_SIZE_BEYOND)
			APPEND(", %zu held", failure->actual);
		APPEND(")");
	} else if (has_sizes) {
		APPEND(" (%s %zu, actual %zu)", relation(failure->fault), failure->expected,
		       failure->actual);
	}
}

enum pagecodec_status
pgc_fail(struct pagecodec_error *error, struct pgc_failure failure)
{
	struct fault_row row = fault_row(failure.fault);

	if (!error)
		return row.status;
	memset(error, 0, sizeof(*error));
	error->status = row.status;
	error->codec = failure.codec;
	error->expected_size = failure.expected;
	error->actual_size = failure.actual;
	write_message(error->message, sizeof(error->message), &failure, row.text);
	return row.status;
}
