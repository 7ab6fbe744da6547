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

/* dst for a call: the caller's memory, or NULL and 0 for the object's own. */
struct pgc_target {
	uint8_t *dst;
	size_t capacity;
};

/* The rules that every data call checks; inline, since a page pays for each. */
static inline enum pgc_fault
pgc_check_object(const struct pgc_object *object)
{
	if (!object)
		return PGC_NULL_OBJECT;
	if (atomic_load_explicit(&object->is_idle, memory_order_relaxed))
		return PGC_OBJECT_IDLE;
	return PGC_NO_FAULT;
}

static inline enum pgc_fault
pgc_check_target(const struct pgc_target *target)
{
	return !target->dst && target->capacity != 0 ? PGC_CAPACITY_WITHOUT_DST : PGC_NO_FAULT;
}

static inline enum pgc_fault
pgc_check_data(const void *data, size_t size)
{
	if (!data && size != 0)
		return PGC_NULL_WITH_SIZE;
	return size > PTRDIFF_MAX ? PGC_ABOVE_SIZE_MAX : PGC_NO_FAULT;
}

static inline bool
pgc_overlaps(const void *a, size_t a_size, const void *b, size_t b_size)
{
	uintptr_t a_start = (uintptr_t)a, b_start = (uintptr_t)b;

	if (a_size == 0 || b_size == 0)
		return false;
	return a_start < b_start ? b_start - a_start < a_size : a_start - b_start < b_size;
}

/* After all limits, since a lying size may run across anything.  A dst that is an
 * earlier span of the object's would be freed where the buffer grows. */
static inline enum pgc_fault
pgc_check_overlap(const struct pgc_object *object, const void *data, size_t size,
		  const struct pgc_target *target)
{
	const struct pgc_buffer *output = &object->output;

	return pgc_overlaps(data, size, target->dst, target->capacity) ||
		       pgc_overlaps(data, size, output->data, output->capacity) ||
		       pgc_overlaps(target->dst, target->capacity, output->data,
				    output->capacity)
		   ? PGC_OVERLAP
		   : PGC_NO_FAULT;
}

/* The start of a failure's description; object may be NULL. */
static inline struct pgc_failure
pgc_failure_of(const struct pgc_object *object, enum pgc_fault fault)
{
	int32_t codec = object ? object->key.codec->info.codec : -1;

	return (struct pgc_failure){.fault = fault, .codec = codec};
}

/* A span of no bytes, whose data is not NULL. */
struct pagecodec_span pgc_empty_span(void);

/* data, or where it is NULL some other pointer that may be handed to an engine
 * with size 0. */
const uint8_t *pgc_not_null(const void *data);

#endif
