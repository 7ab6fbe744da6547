/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cell.c - checks, counts and races.  Everyone gets the same pages, the same
 * memory to write to, and decompresses the same bytes: what our default engine
 * made.
 */
#include "internal.h"

#include <assert.h>
#include <stdlib.h>

#include "cell.h"

/* An entrant at work in one direction. */
struct worker {
	const struct entrant *entrant;
	const struct page_set *pages;
	enum direction direction;
	uint8_t *dst;
	size_t room;
};

void
field_open(struct field *field, int32_t codec, int level, const char *engine)
{
	struct contestant list[MAX_CONTESTANTS];

	memset(field, 0, sizeof(*field));
	field->codec = codec;
	field->level = level;
	field->count = contestants_of(codec, level, engine, list);
	for (size_t i = 0; i < field->count; i++) {
		field->entrants[i].who = list[i];
		field->entrants[i].state = list[i].open(&list[i], level);
	}
}

void
field_close(struct field *field)
{
	for (size_t i = 0; i < field->count; i++)
		field->entrants[i].who.close(field->entrants[i].state);
}

const struct entrant *
field_bare(const struct field *field, const struct entrant *entrant)
{
	for (size_t i = 0; i < field->count; i++) {
		const struct contestant *who = &field->entrants[i].who;

		if ((who->role == KEPT || who->role == MACHINE) &&
		    strcmp(who->backend, entrant->who.backend) == 0)
			return &field->entrants[i];
	}
	return NULL;
}

/* ---- Work -------------------------------------------------------------- */

static size_t
do_page(const struct worker *worker, const struct bench_page *page)
{
	const struct entrant *entrant = worker->entrant;

	if (worker->direction == COMPRESS)
		return entrant->who.compress(entrant->state, page->plain, page->size,
					     worker->dst, worker->room);
	if (entrant->who.role == MACHINE)
		return entrant->who.decompress(NULL, page->plain, page->size, worker->dst,
					       page->size);
	return entrant->who.decompress(entrant->state, page->packed, page->packed_size,
				       worker->dst, page->size);
}

static void
do_turns(void *self, size_t turns)
{
	const struct worker *worker = self;
	const struct bench_page *page = worker->pages->pages;
	const struct bench_page *end = page + worker->pages->count;

	while (turns-- > 0) {
		if (do_page(worker, page) == 0)
			die("%s failed on a page of %s", worker->entrant->who.name,
			    worker->pages->name);
		if (++page == end)
			page = worker->pages->pages;
	}
}

/* Compress a page and let our default engine read it; or decompress it. */
static size_t
check_page(const struct worker *worker, const struct field *field,
	   const struct bench_page *page, uint8_t *plain)
{
	const struct entrant *reader = &field->entrants[0];
	size_t size = do_page(worker, page);
	const uint8_t *result = worker->dst;

	if (worker->direction == COMPRESS && worker->entrant->who.role != MACHINE) {
		if (size == 0 || reader->who.decompress(reader->state, worker->dst, size, plain,
							page->size) != page->size)
			die("what %s made of a page of %s cannot be read",
			    worker->entrant->who.name, worker->pages->name);
		result = plain;
	}
	if (memcmp(result, page->plain, page->size) != 0)
		die("%s does not give back a page of %s", worker->entrant->who.name,
		    worker->pages->name);
	return size;
}

/* All pages, which also warms up. */
static size_t
check_pages(const struct worker *worker, const struct field *field, uint8_t *plain)
{
	size_t total = 0;

	for (size_t i = 0; i < worker->pages->count; i++)
		total += check_page(worker, field, &worker->pages->pages[i], plain);
	return total;
}

static double
count_allocations(struct worker *worker)
{
	long count;

	allocations_start();
	do_turns(worker, worker->pages->count);
	count = allocations_stop();
	return count < 0 ? -1 : (double)count / (double)worker->pages->count;
}

static void
measure(struct field *field, struct worker *workers, enum direction direction, uint8_t *plain,
	const struct race_plan *plan)
{
	struct runner runners[MAX_CONTESTANTS];

	for (size_t i = 0; i < field->count; i++) {
		struct entrant *entrant = &field->entrants[i];
		size_t total;

		workers[i].direction = direction;
		total = check_pages(&workers[i], field, plain);
		if (direction == COMPRESS)
			entrant->packed_size = total;
		entrant->allocations[direction] = count_allocations(&workers[i]);
		runners[i] = (struct runner){.work = do_turns, .self = &workers[i]};
	}
	race(runners, field->count, plan);
	for (size_t i = 0; i < field->count; i++) {
		field->entrants[i].ns[direction] = runners[i].ns;
		field->entrants[i].low[direction] = runners[i].low;
		field->entrants[i].high[direction] = runners[i].high;
	}
}

/* As many pages as can be compressed in half a second, and one at least. */
static void
leave_out_pages(struct page_set *pages, const struct worker *worker)
{
	double start = cpu_ns();
	size_t count = 0;

	while (count < pages->count && cpu_ns() - start < 0.5e9)
		do_page(worker, &pages->pages[count++]);
	pages->count = count;
}

void
field_measure(struct field *field, struct page_set *pages, const struct race_plan *plan)
{
	size_t largest = page_set_largest(pages), room = page_room(largest);
	uint8_t *dst = must_alloc(room), *plain = must_alloc(largest);
	struct worker workers[MAX_CONTESTANTS];
	struct race_plan whole = *plan;

	assert(field->count > 0); /* memcpy is always there */
	for (size_t i = 0; i < field->count; i++)
		workers[i] = (struct worker){&field->entrants[i], pages, COMPRESS, dst, room};
	leave_out_pages(pages, &workers[0]);
	page_set_pack(pages, &field->entrants[0].who, field->entrants[0].state);
	if (!pages->is_even)
		whole.step = pages->count;
	measure(field, workers, COMPRESS, plain, &whole);
	measure(field, workers, DECOMPRESS, plain, &whole);
	free(dst);
	free(plain);
}
