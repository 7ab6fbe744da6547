/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object.c - making and freeing compressors and decompressors, and the checks
 * that all of their calls begin with.
 */
#include "internal.h"

#include "object.h"

static const uint8_t empty[1];

bool
pgc_object_key_equal(const struct pgc_object_key *a, const struct pgc_object_key *b)
{
	return a->codec == b->codec && a->compress == b->compress &&
	       a->decompress == b->decompress && a->settings.level == b->settings.level &&
	       a->settings.window_log == b->settings.window_log &&
	       a->settings.checksum == b->settings.checksum;
}

static enum pgc_fault
open_state(struct pgc_object *object)
{
	const struct pgc_object_key *key = &object->key;

	if (key->compress && key->compress->open)
		return key->compress->open(key->compress, &object->account, &key->settings,
					   &object->state);
	if (key->decompress && key->decompress->open)
		return key->decompress->open(key->decompress, &object->account, &object->state);
	return PGC_NO_FAULT;
}

static void
free_object(struct pgc_object *object)
{
	struct pgc_account account = object->account;

	pgc_free(&account, object);
}

enum pgc_fault
pgc_object_open(struct pgc_heap *heap, const struct pgc_object_key *key,
		struct pgc_object **object)
{
	struct pgc_account account = {heap, 0};
	struct pgc_object *made = pgc_alloc(&account, sizeof(*made));
	enum pgc_fault fault;

	*object = NULL;
	if (!made)
		return PGC_NO_MEMORY;
	memset(made, 0, sizeof(*made));
	made->account = account;
	made->key = *key;
	atomic_init(&made->is_idle, false);
	fault = open_state(made);
	if (fault) {
		free_object(made);
		return fault;
	}
	*object = made;
	return PGC_NO_FAULT;
}

void
pgc_object_close(struct pgc_object *object)
{
	const struct pgc_object_key *key = &object->key;

	if (key->compress && key->compress->close)
		key->compress->close(object->state);
	if (key->decompress && key->decompress->close)
		key->decompress->close(object->state);
	pgc_buffer_free(&object->output, &object->account);
	pgc_buffer_free(&object->gather, &object->account);
	free_object(object);
}

enum pgc_fault
pgc_check_object(const struct pgc_object *object)
{
	if (!object)
		return PGC_NULL_POINTER;
	if (atomic_load_explicit(&object->is_idle, memory_order_relaxed))
		return PGC_OBJECT_IDLE;
	return PGC_NO_FAULT;
}

enum pgc_fault
pgc_check_target(const struct pgc_target *target)
{
	return !target->dst && target->capacity != 0 ? PGC_CAPACITY_WITHOUT_DST : PGC_NO_FAULT;
}

static bool
overlaps(const void *a, size_t a_size, const void *b, size_t b_size)
{
	uintptr_t a_start = (uintptr_t)a, b_start = (uintptr_t)b;

	if (a_size == 0 || b_size == 0)
		return false;
	return a_start < b_start ? b_start - a_start < a_size : a_start - b_start < b_size;
}

enum pgc_fault
pgc_check_data(const void *data, size_t size)
{
	if (!data && size != 0)
		return PGC_NULL_WITH_SIZE;
	return size > PTRDIFF_MAX ? PGC_ABOVE_SIZE_MAX : PGC_NO_FAULT;
}

enum pgc_fault
pgc_check_overlap(const struct pgc_object *object, const void *data, size_t size,
		  const struct pgc_target *target)
{
	const struct pgc_buffer *output = &object->output;

	return overlaps(data, size, target->dst, target->capacity) ||
		       overlaps(data, size, output->data, output->capacity)
		   ? PGC_OVERLAP
		   : PGC_NO_FAULT;
}

struct pgc_failure
pgc_failure_of(const struct pgc_object *object, enum pgc_fault fault)
{
	int32_t codec = object ? object->key.codec->info.codec : -1;

	return (struct pgc_failure){.fault = fault, .codec = codec};
}

struct pagecodec_span
pgc_empty_span(void)
{
	return (struct pagecodec_span){empty, 0};
}

const uint8_t *
pgc_not_null(const void *data)
{
	return data ? data : empty;
}
