/* SPDX-License-Identifier: Apache-2.0 */
/*
 * factory.c - check-out and release of objects, idle ones in a list from newest
 * to oldest.  Objects are made and freed outside the lock: that can take long.
 */
#include "internal.h"

#include <pthread.h>

#include "factory.h"
#include "options.h"

#define DEFAULT_MAX_IDLE_SIZE ((size_t)64 << 20)

struct pagecodec_factory {
	struct pgc_heap heap;
	struct pgc_account account; /* of this struct itself */
	size_t max_page_size, max_idle_size;

	/* 1 for the caller until destroy, and 1 for each object that exists: who
	 * drops the last frees the factory. */
	atomic_size_t references;

	pthread_mutex_t lock; /* guards all that follows */
	bool is_destroyed;
	struct pgc_object *newest, *oldest;
	size_t objects_out, objects_idle, idle_size;
};

static void
drop_reference(struct pagecodec_factory *factory)
{
	struct pgc_heap heap;
	struct pgc_account account;

	if (atomic_fetch_sub(&factory->references, 1) != 1)
		return;
	pthread_mutex_destroy(&factory->lock);
	/* The struct holds the heap that it is freed to. */
	pgc_heap_init(&heap, factory->heap.alloc_func, factory->heap.free_func,
		      factory->heap.opaque);
	account = (struct pgc_account){&heap, factory->account.bytes};
	pgc_free(&account, factory);
}

static void
close_object(struct pgc_object *object)
{
	struct pagecodec_factory *factory = object->factory;

	pgc_object_close(object);
	drop_reference(factory);
}

/* The list is linked by older from here on. */
static void
close_objects(struct pgc_object *object)
{
	while (object) {
		struct pgc_object *next = object->older;

		close_object(object);
		object = next;
	}
}

/* ---- The idle list; the lock is held ---------------------------------- */

static void
unlink_idle(struct pagecodec_factory *factory, struct pgc_object *object)
{
	*(object->newer ? &object->newer->older : &factory->newest) = object->older;
	*(object->older ? &object->older->newer : &factory->oldest) = object->newer;
	object->newer = object->older = NULL;
	factory->objects_idle--;
	factory->idle_size -= object->account.bytes;
	atomic_store_explicit(&object->is_idle, false, memory_order_relaxed);
}

static void
link_newest(struct pagecodec_factory *factory, struct pgc_object *object)
{
	object->newer = NULL;
	object->older = factory->newest;
	*(factory->newest ? &factory->newest->newer : &factory->oldest) = object;
	factory->newest = object;
	factory->objects_idle++;
	factory->idle_size += object->account.bytes;
	atomic_store_explicit(&object->is_idle, true, memory_order_relaxed);
}

static struct pgc_object *
find_idle(struct pagecodec_factory *factory, const struct pgc_object_key *key)
{
	struct pgc_object *object = factory->newest;

	while (object && !pgc_object_key_equal(&object->key, key))
		object = object->older;
	return object;
}

/* The oldest, until the rest is no more than max_size; for close_objects. */
static struct pgc_object *
unlink_beyond(struct pagecodec_factory *factory, size_t max_size)
{
	struct pgc_object *chain = NULL;

	while (factory->oldest && factory->idle_size > max_size) {
		struct pgc_object *object = factory->oldest;

		unlink_idle(factory, object);
		object->older = chain;
		chain = object;
	}
	return chain;
}

/* ---- Check-out and release -------------------------------------------- */

enum pgc_fault
pgc_factory_take(struct pagecodec_factory *factory, const struct pgc_object_key *key,
		 struct pgc_object **object)
{
	enum pgc_fault fault = PGC_NO_FAULT;

	pthread_mutex_lock(&factory->lock);
	*object = find_idle(factory, key);
	if (*object)
		unlink_idle(factory, *object);
	factory->objects_out++;
	pthread_mutex_unlock(&factory->lock);
	if (*object)
		return PGC_NO_FAULT;

	fault = pgc_object_open(&factory->heap, key, object);
	if (fault) {
		pthread_mutex_lock(&factory->lock);
		factory->objects_out--;
		pthread_mutex_unlock(&factory->lock);
		return fault;
	}
	atomic_fetch_add(&factory->references, 1);
	(*object)->factory = factory;
	(*object)->max_page_size = factory->max_page_size;
	return PGC_NO_FAULT;
}

void
pgc_factory_give(struct pgc_object *object)
{
	struct pagecodec_factory *factory = object->factory;
	struct pgc_object *surplus = NULL;

	pthread_mutex_lock(&factory->lock);
	if (!atomic_load_explicit(&object->is_idle, memory_order_relaxed)) {
		factory->objects_out--;
		/* What is alone beyond the limit must not push out all others. */
		if (factory->is_destroyed || object->account.bytes > factory->max_idle_size) {
			surplus = object;
			object->older = NULL;
		} else {
			link_newest(factory, object);
			surplus = unlink_beyond(factory, factory->max_idle_size);
		}
	}
	pthread_mutex_unlock(&factory->lock);
	close_objects(surplus);
}

/* ---- Public ----------------------------------------------------------- */

enum pagecodec_status
pagecodec_factory_create(const struct pagecodec_factory_options *options,
			 struct pagecodec_factory **factory, struct pagecodec_error *error)
{
	struct pagecodec_factory_options o;
	struct pgc_heap heap;
	struct pgc_account account = {&heap, 0};
	struct pagecodec_factory *made;
	enum pgc_fault fault;

	if (!factory)
		return pgc_fail(error, (struct pgc_failure){PGC_NULL_RESULT, .codec = -1});
	*factory = NULL;
	fault = pgc_options_read(&o, sizeof(o),
				 PGC_SIZE_TO(struct pagecodec_factory_options, max_idle_size),
				 options);
	if (!fault && !o.alloc_func != !o.free_func)
		fault = PGC_ALLOC_WITHOUT_FREE;
	if (fault)
		return pgc_fail(error, (struct pgc_failure){fault, .codec = -1});

	pgc_heap_init(&heap, o.alloc_func, o.free_func, o.opaque);
	made = pgc_alloc(&account, sizeof(*made));
	if (!made)
		return pgc_fail(error, (struct pgc_failure){PGC_NO_MEMORY, .codec = -1});
	memset(made, 0, sizeof(*made));
	if (pthread_mutex_init(&made->lock, NULL) != 0) {
		pgc_free(&account, made);
		return pgc_fail(error, (struct pgc_failure){PGC_NO_MEMORY, .codec = -1});
	}
	pgc_heap_init(&made->heap, o.alloc_func, o.free_func, o.opaque);
	atomic_init(&made->heap.bytes, account.bytes);
	atomic_init(&made->heap.peak_bytes, account.bytes);
	made->account = (struct pgc_account){&made->heap, account.bytes};
	made->max_page_size = o.max_page_size ? o.max_page_size : INT32_MAX;
	made->max_idle_size = o.max_idle_size ? o.max_idle_size : DEFAULT_MAX_IDLE_SIZE;
	atomic_init(&made->references, 1);
	*factory = made;
	return PAGECODEC_OK;
}

void
pagecodec_factory_trim(struct pagecodec_factory *factory)
{
	struct pgc_object *idle;

	if (!factory)
		return;
	pthread_mutex_lock(&factory->lock);
	idle = unlink_beyond(factory, 0);
	pthread_mutex_unlock(&factory->lock);
	close_objects(idle);
}

void
pagecodec_factory_destroy(struct pagecodec_factory *factory)
{
	struct pgc_object *idle;

	if (!factory)
		return;
	pthread_mutex_lock(&factory->lock);
	factory->is_destroyed = true;
	idle = unlink_beyond(factory, 0);
	pthread_mutex_unlock(&factory->lock);
	close_objects(idle);
	drop_reference(factory);
}

void
pagecodec_factory_memory(struct pagecodec_factory *factory, struct pagecodec_memory *memory)
{
	struct pagecodec_memory now = {0};
	size_t size = memory ? memory->struct_size : 0;

	if (!factory || size < sizeof(now.struct_size))
		return;
	pthread_mutex_lock(&factory->lock);
	now.objects_out = factory->objects_out;
	now.objects_idle = factory->objects_idle;
	pthread_mutex_unlock(&factory->lock);
	now.bytes = atomic_load_explicit(&factory->heap.bytes, memory_order_relaxed);
	/* Another thread may have raised the first, and not yet the second. */
	now.peak_bytes = PGC_MAX(
	    now.bytes, atomic_load_explicit(&factory->heap.peak_bytes, memory_order_relaxed));
	now.struct_size = size;
	memcpy(memory, &now, PGC_MIN(size, sizeof(now)));
	if (size > sizeof(now))
		memset((uint8_t *)memory + sizeof(now), 0, size - sizeof(now));
}
