/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.c - first fit within chunks, oldest first.  Chunks are only added at the
 * end: a page that asks for the same as one before finds each block where that one
 * did, so that it never lacks memory.
 */
#include "internal.h"

#include "arena.h"

/* Stands before its bytes; the next one begins behind them. */
union block {
	struct {
		size_t size; /* of the bytes, a multiple of the union's */
		bool is_used;
	} head;
	max_align_t align;
};

struct pgc_arena_chunk {
	struct pgc_arena_chunk *next;
	uint64_t page; /* the last that used it */
	size_t size;   /* of the blocks with their heads */
	union block blocks[];
};

static union block *
next_block(union block *block)
{
	return block + 1 + block->head.size / sizeof(*block);
}

static union block *
end_of(struct pgc_arena_chunk *chunk)
{
	return chunk->blocks + chunk->size / sizeof(union block);
}

/* One free block over all of it. */
static void
make_unused(struct pgc_arena_chunk *chunk)
{
	chunk->blocks->head.size = chunk->size - sizeof(union block);
	chunk->blocks->head.is_used = false;
}

static void
merge_free(struct pgc_arena_chunk *chunk, union block *block)
{
	union block *next = next_block(block);

	while (next != end_of(chunk) && !next->head.is_used) {
		block->head.size += sizeof(*next) + next->head.size;
		next = next_block(block);
	}
}

static void
split(union block *block, size_t size)
{
	size_t rest = block->head.size - size;

	if (rest < 2 * sizeof(*block))
		return;
	block->head.size = size;
	next_block(block)->head.size = rest - sizeof(*block);
	next_block(block)->head.is_used = false;
}

/* NULL: no free block of the chunk is so large. */
static union block *
find_block(struct pgc_arena_chunk *chunk, size_t size)
{
	union block *block = chunk->blocks;

	for (; block != end_of(chunk); block = next_block(block)) {
		if (block->head.is_used)
			continue;
		merge_free(chunk, block);
		if (block->head.size >= size)
			return block;
	}
	return NULL;
}

static bool
is_unused(struct pgc_arena_chunk *chunk)
{
	union block *block = chunk->blocks;

	if (block->head.is_used)
		return false;
	merge_free(chunk, block);
	return next_block(block) == end_of(chunk);
}

/* Unused chunks that are too small for size bytes.  Not those that this page has
 * used: the next one will look for its blocks there. */
static void
free_small(struct pgc_arena *arena, size_t size)
{
	struct pgc_arena_chunk **link = &arena->chunks;

	while (*link) {
		struct pgc_arena_chunk *chunk = *link;

		if (chunk->page == arena->page || chunk->size > size || !is_unused(chunk)) {
			link = &chunk->next;
			continue;
		}
		*link = chunk->next;
		arena->size -= chunk->size;
		pgc_free(arena->account, chunk);
	}
}

/* At the end, so that all stays where it was for those who look from the start. */
static void
append(struct pgc_arena *arena, struct pgc_arena_chunk *chunk)
{
	struct pgc_arena_chunk **link = &arena->chunks;

	while (*link)
		link = &(*link)->next;
	chunk->next = NULL;
	*link = chunk;
	arena->size += chunk->size;
}

/* Chunks grow: an encoder makes some of its arrays larger time and again, and what
 * it gives up must be of use for other blocks.  And pages that grow a little each
 * time must not allocate each time. */
static struct pgc_arena_chunk *
add_chunk(struct pgc_arena *arena, size_t size)
{
	struct pgc_arena_chunk *chunk;
	size_t had = arena->size, total;

	free_small(arena, size);
	had = PGC_MAX(had / 2, (had - arena->size) / 4 * 5);
	size = PGC_MAX(size, had - had % sizeof(union block));
	if (!pgc_add(size, sizeof(*chunk) + sizeof(union block), &total))
		return NULL;
	chunk = pgc_alloc(arena->account, total);
	if (!chunk)
		return NULL;
	chunk->size = size + sizeof(union block);
	make_unused(chunk);
	append(arena, chunk);
	return chunk;
}

void
pgc_arena_start_page(struct pgc_arena *arena)
{
	arena->page++;
}

void *
pgc_arena_alloc(struct pgc_arena *arena, size_t size)
{
	struct pgc_arena_chunk *chunk = arena->chunks;
	union block *block = NULL;
	size_t rounded;

	if (!pgc_add(size, sizeof(*block) - 1, &rounded))
		return NULL;
	rounded -= rounded % sizeof(*block);
	for (; chunk; chunk = chunk->next) {
		block = find_block(chunk, rounded);
		if (block)
			break;
	}
	if (!chunk) {
		chunk = add_chunk(arena, rounded);
		if (!chunk)
			return NULL;
		block = chunk->blocks;
	}
	split(block, rounded);
	block->head.is_used = true;
	chunk->page = arena->page;
	return block + 1;
}

void
pgc_arena_free(struct pgc_arena *arena, void *ptr)
{
	(void)arena;
	if (ptr)
		((union block *)ptr - 1)->head.is_used = false;
}

void
pgc_arena_reset(struct pgc_arena *arena)
{
	for (struct pgc_arena_chunk *chunk = arena->chunks; chunk; chunk = chunk->next)
		make_unused(chunk);
}

void
pgc_arena_close(struct pgc_arena *arena)
{
	while (arena->chunks) {
		struct pgc_arena_chunk *next = arena->chunks->next;

		pgc_free(arena->account, arena->chunks);
		arena->chunks = next;
	}
	arena->size = 0;
}
