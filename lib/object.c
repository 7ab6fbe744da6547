/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object.c - making and freeing compressors and decompressors, and the checks
 * that all of their calls begin with.
 */
#include "internal.h"

#include "object.h"

/* As a kept buffer is: aligned, and readable beyond its no bytes. */
static _Alignas(PGC_BUFFER_ALIGN) const uint8_t empty[PGC_BUFFER_SLACK];

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
