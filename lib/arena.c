/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena.c - first fit within chunks, free neighbours merged while looking.  An
 * engine has a few dozen blocks at a time, so that no faster search pays.
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
	size_t size; /* of the blocks with their heads */
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

/* Bytes that one block in place of the unused chunks would have. */
static size_t
free_unused(struct pgc_arena *arena)
{
	struct pgc_arena_chunk **link = &arena->chunks;
	size_t size = 0;

	while (*link) {
		struct pgc_arena_chunk *chunk = *link;

		if (!is_unused(chunk)) {
			link = &chunk->next;
			continue;
		}
		*link = chunk->next;
		size += chunk->size; /* they lay in memory together: no overflow */
		pgc_free(arena->account, chunk);
	}
	return size;
}

/* A chunk with one block. */
static struct pgc_arena_chunk *
add_chunk(struct pgc_arena *arena, size_t size)
{
	struct pgc_arena_chunk *chunk;
	size_t total;

	if (!pgc_add(size, sizeof(*chunk) + sizeof(union block), &total))
		return NULL;
	chunk = pgc_alloc(arena->account, total);
	if (!chunk)
		return NULL;
	chunk->size = size + sizeof(union block);
	make_unused(chunk);
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	return chunk;
}

/* In one piece what lies in several: a page that has run once then fits.  And a
 * quarter more, so that pages which grow a little do not allocate each time. */
static union block *
grow(struct pgc_arena *arena, size_t size)
{
	size_t kept = free_unused(arena), roomy = kept + kept / 4;
	struct pgc_arena_chunk *chunk = NULL;

	roomy -= roomy % sizeof(union block);
	if (roomy > size)
		chunk = add_chunk(arena, roomy);
	if (!chunk)
		chunk = add_chunk(arena, size);
	return chunk ? chunk->blocks : NULL;
}

void *
pgc_arena_alloc(struct pgc_arena *arena, size_t size)
{
	union block *block = NULL;
	size_t rounded;

	if (!pgc_add(size, sizeof(*block) - 1, &rounded))
		return NULL;
	rounded -= rounded % sizeof(*block);
	/* Between pages: several chunks become one. */
	if (arena->used_blocks > 0 || !arena->chunks || !arena->chunks->next)
		for (struct pgc_arena_chunk *chunk = arena->chunks; chunk && !block;
		     chunk = chunk->next)
			block = find_block(chunk, rounded);
	if (!block)
		block = grow(arena, rounded);
	if (!block)
		return NULL;
	split(block, rounded);
	block->head.is_used = true;
	arena->used_blocks++;
	return block + 1;
}

void
pgc_arena_free(struct pgc_arena *arena, void *ptr)
{
	if (!ptr)
		return;
	((union block *)ptr - 1)->head.is_used = false;
	arena->used_blocks--;
}

void
pgc_arena_reset(struct pgc_arena *arena)
{
	for (struct pgc_arena_chunk *chunk = arena->chunks; chunk; chunk = chunk->next)
		make_unused(chunk);
	arena->used_blocks = 0;
}

void
pgc_arena_close(struct pgc_arena *arena)
{
	while (arena->chunks) {
		struct pgc_arena_chunk *next = arena->chunks->next;

		pgc_free(arena->account, arena->chunks);
		arena->chunks = next;
	}
	arena->used_blocks = 0;
}
