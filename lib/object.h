/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object.h - what compressors and decompressors have in common: an engine's
 * state, kept buffers, and the memory account that both are drawn from.
 */
#ifndef PGC_OBJECT_H
#define PGC_OBJECT_H

#include "buffer.h"
#include "codec.h"

/* What makes two objects interchangeable.  One of the engines is NULL: it tells
 * the direction. */
struct pgc_object_key {
	const struct pgc_codec *codec;
	const struct pgc_compress_engine *compress;
	const struct pgc_decompress_engine *decompress;
	struct pgc_settings settings;
};

struct pgc_object {
	struct pagecodec_factory *factory;
	struct pgc_object_key key;
	struct pgc_account account;
	void *state;
	struct pgc_buffer output; /* what is returned where dst is NULL */
	struct pgc_buffer gather; /* parts in one piece */
	int page_crc;
	size_t max_page_size;

	/* While idle; the factory's lock guards the list. */
	atomic_bool is_idle;
	struct pgc_object *newer, *older;
};

struct pagecodec_compressor {
	struct pgc_object object;
};

struct pagecodec_decompressor {
	struct pgc_object object;
};

bool pgc_object_key_equal(const struct pgc_object_key *a, const struct pgc_object_key *b);

/* *object is NULL after a fault. */
enum pgc_fault pgc_object_open(struct pgc_heap *heap, const struct pgc_object_key *key,
			       struct pgc_object **object);
void pgc_object_close(struct pgc_object *object);

/* dst for a call: the caller's memory, or NULL and 0 for the object's own.  The
 * rules that every data call checks: overlap after all limits, since a lying size
 * may run across anything. */
struct pgc_target {
	uint8_t *dst;
	size_t capacity;
};
enum pgc_fault pgc_check_object(const struct pgc_object *object);
enum pgc_fault pgc_check_target(const struct pgc_target *target);
enum pgc_fault pgc_check_data(const void *data, size_t size);
enum pgc_fault pgc_check_overlap(const struct pgc_object *object, const void *data, size_t size,
				 const struct pgc_target *target);

/* The start of a failure's description; object may be NULL. */
struct pgc_failure pgc_failure_of(const struct pgc_object *object, enum pgc_fault fault);

/* A span of no bytes, whose data is not NULL. */
struct pagecodec_span pgc_empty_span(void);

/* data, or where it is NULL some other pointer that may be handed to an engine
 * with size 0. */
const uint8_t *pgc_not_null(const void *data);

#endif
