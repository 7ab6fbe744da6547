/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error.h - what can go wrong, finer than the public status: each fault has one
 * status and one line of text, both in error.c and nowhere else.
 */
#ifndef PGC_ERROR_H
#define PGC_ERROR_H

#include "internal.h"

enum pgc_fault {
	PGC_NO_FAULT = 0,

	/* INVALID_ARGUMENT */
	PGC_NULL_FACTORY,
	PGC_NULL_OBJECT,
	PGC_NULL_RESULT,
	PGC_NULL_PARTS,
	PGC_NULL_PAGE,
	PGC_NULL_WITH_SIZE,
	PGC_CAPACITY_WITHOUT_DST,
	PGC_OVERLAP,
	PGC_OBJECT_IDLE,
	PGC_STRUCT_SHORT,
	PGC_STRUCT_BEYOND,
	PGC_RESERVED_SET,
	PGC_FLAG_RANGE,
	PGC_ALLOC_WITHOUT_FREE,
	PGC_LEVEL_NOT_MEANT,
	PGC_LEVEL_LACKING,
	PGC_LEVEL_RANGE,
	PGC_WINDOW_LACKING,
	PGC_WINDOW_RANGE,
	PGC_CHECKSUM_LACKING,
	PGC_ENGINE_UNKNOWN,
	PGC_NOT_ARROW,

	PGC_CODEC_NOT_BUILT,
	PGC_ENGINE_NOT_BUILT,
	PGC_CODEC_UNKNOWN,
	PGC_NO_MEMORY,

	/* TOO_LARGE */
	PGC_ABOVE_MAX_PAGE_SIZE,
	PGC_ABOVE_CODEC_LIMIT,
	PGC_ABOVE_INT32,
	PGC_ABOVE_SIZE_MAX,
	PGC_IMPLAUSIBLE,

	PGC_DST_SHORT,

	/* TRUNCATED */
	PGC_NO_INPUT,
	PGC_BODY_SHORT,
	PGC_HEADER_CUT,
	PGC_TRAILER_CUT,
	PGC_STREAM_CUT,

	/* CORRUPT */
	PGC_FIELD_NEGATIVE,
	PGC_PREFIX_NEGATIVE,
	PGC_LEVELS_RANGE,
	PGC_STREAM_CORRUPT,
	PGC_MAGIC,
	PGC_GZIP_METHOD,
	PGC_GZIP_FLAGS,
	PGC_DICTIONARY,
	PGC_HEADER_CORRUPT,
	PGC_SNAPPY_LENGTH,
	PGC_LENGTH_CHAIN,

	/* CHECKSUM_MISMATCH */
	PGC_PAGE_CRC,
	PGC_GZIP_CRC,
	PGC_GZIP_ISIZE,
	PGC_HEADER_CHECKSUM,
	PGC_ADLER,
	PGC_CONTENT_CHECKSUM,
	PGC_BLOCK_CHECKSUM,

	/* SIZE_MISMATCH */
	PGC_SIZE_DIFFERS,
	PGC_SIZE_BEYOND,
	PGC_STORED_SIZE_DIFFERS,

	PGC_TRAILING_BYTES
};

/* What a codec answers.  size: bytes written; with PGC_SIZE_DIFFERS the bytes that
 * the stream holds, which are more than declared and not known with
 * PGC_SIZE_BEYOND. */
struct pgc_result {
	enum pgc_fault fault;
	size_t size;
};

static inline struct pgc_result
pgc_done(size_t size)
{
	return (struct pgc_result){PGC_NO_FAULT, size};
}

static inline struct pgc_result
pgc_bad(enum pgc_fault fault)
{
	return (struct pgc_result){fault, 0};
}

static inline struct pgc_result
pgc_size_differs(size_t actual)
{
	return (struct pgc_result){PGC_SIZE_DIFFERS, actual};
}

/* A call that failed, as the caller is told of it.  Fields that do not apply
 * stay 0; codec is -1 where none is at fault.  It is made once in a public call;
 * the steps of that call return a fault, and note in it what else there is to say:
 * returned by value it would cost small pages more than all checks. */
struct pgc_failure {
	enum pgc_fault fault;
	int32_t codec;
	size_t src_size, dst_size; /* for the message */
	size_t expected, actual;   /* sizes at fault */
	int value, low, high;	   /* an option out of its range, or a header's field */
	const char *name;	   /* of the engine or the field; never the caller's */
};

/* Note the sizes at fault; returns fault. */
static inline enum pgc_fault
pgc_sizes_at_fault(struct pgc_failure *failure, enum pgc_fault fault, size_t expected,
		   size_t actual)
{
	failure->expected = expected;
	failure->actual = actual;
	return fault;
}

enum pagecodec_status pgc_fault_status(enum pgc_fault fault);

/* Fill in error, which may be NULL; returns the fault's status. */
enum pagecodec_status pgc_fail(struct pagecodec_error *error, struct pgc_failure failure);

#endif
