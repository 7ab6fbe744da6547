/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_arena.c - what engines free is kept, and serves the next page
 * A page like one before allocates nothing; pages that grow allocate now and then.
 * The codecs that have an arena are then looked at from outside.
 */
#include "internal.h"

#include <stdlib.h>

#include "arena.h"
#include "coders.h"
#include "heap.h"

#define BLOCKS 64

struct fixture_arena {
	struct heap counter;
	struct pgc_heap heap;
	struct pgc_account account;
	struct pgc_arena arena;
};

static void
set_up(struct fixture_arena *f)
{
	f->counter = (struct heap)HEAP_INIT;
	pgc_heap_init(&f->heap, heap_alloc, heap_free, &f->counter);
	f->account = (struct pgc_account){.heap = &f->heap};
	f->arena = (struct pgc_arena){.account = &f->account};
}

static void
tear_down(struct fixture_arena *f)
{
	pgc_arena_close(&f->arena);
	ck_assert_uint_eq(f->account.bytes, 0);
	heap_check_empty(&f->counter);
}

static void *
take(struct fixture_arena *f, size_t size)
{
	void *block = pgc_arena_alloc(&f->arena, size);

	ck_assert_ptr_nonnull(block);
	ck_assert_uint_eq((uintptr_t)block % _Alignof(max_align_t), 0);
	return block;
}

/* What an engine does with memory for one page: blocks up to `most` bytes, taken and
 * given back in an order that the seed tells, each with its own bytes in it. */
static void
run_page(struct fixture_arena *f, uint64_t seed, size_t most)
{
	unsigned char *blocks[BLOCKS] = {NULL};
	size_t sizes[BLOCKS] = {0};

	pgc_arena_start_page(&f->arena);
	for (int step = 0; step < 400; step++) {
		size_t i = next_random(&seed) % BLOCKS;

		if (blocks[i]) {
			ck_assert_uint_eq(blocks[i][0], i);
			ck_assert_int_eq(memcmp(blocks[i], blocks[i] + 1, sizes[i] - 1), 0);
			pgc_arena_free(&f->arena, blocks[i]);
			blocks[i] = NULL;
			continue;
		}
		sizes[i] =
		    (size_t)next_random(&seed) % ((most >> next_random(&seed) % 12) + 1) + 1;
		blocks[i] = take(f, sizes[i]);
		memset(blocks[i], (int)i, sizes[i]);
	}
	for (size_t i = 0; i < BLOCKS; i++)
		pgc_arena_free(&f->arena, blocks[i]);
}

START_TEST(blocks_do_not_overlap)
{
	struct fixture_arena f;

	set_up(&f);
	for (uint64_t seed = 0; seed < 20; seed++)
		run_page(&f, seed, 5000 * (size_t)(seed + 1));
	tear_down(&f);
}
END_TEST

START_TEST(a_page_seen_before_allocates_nothing)
{
	struct fixture_arena f;

	set_up(&f);
	for (uint64_t seed = 0; seed < 20; seed++) {
		size_t calls;

		run_page(&f, seed, 5000 * (size_t)(seed + 1));
		calls = f.counter.calls;
		run_page(&f, seed, 5000 * (size_t)(seed + 1));
		ck_assert_uint_eq(f.counter.calls, calls);
	}
	tear_down(&f);
}
END_TEST

START_TEST(pages_in_turn_come_to_rest)
{
	struct fixture_arena f;
	size_t calls = 0;

	set_up(&f);
	for (int round = 0; round < 6; round++) {
		if (round == 3)
			calls = f.counter.calls;
		for (uint64_t seed = 0; seed < 5; seed++)
			run_page(&f, seed, 20000 >> 2 * seed);
	}
	ck_assert_uint_eq(f.counter.calls, calls);
	tear_down(&f);
}
END_TEST

START_TEST(growing_pages_allocate_now_and_then)
{
	struct fixture_arena f;
	size_t size = 0;

	set_up(&f);
	for (size = 100000; size < 1000000; size += 1000) {
		void *block;

		pgc_arena_start_page(&f.arena);
		block = take(&f, size);
		pgc_arena_free(&f.arena, take(&f, 100));
		pgc_arena_free(&f.arena, block);
	}
	ck_assert_uint_lt(f.counter.calls, 40);
	ck_assert_uint_lt(f.account.bytes, 2 * size);
	tear_down(&f);
}
END_TEST

/* As an encoder makes its array of commands larger: each time before the old is freed. */
START_TEST(a_growing_block_costs_a_few_times_its_size)
{
	struct fixture_arena f;
	void *block = NULL;
	size_t size;

	set_up(&f);
	pgc_arena_start_page(&f.arena);
	for (size = 10000; size < 1000000; size += 10000) {
		void *larger = take(&f, size);

		pgc_arena_free(&f.arena, block);
		block = larger;
	}
	ck_assert_uint_lt(f.counter.peak_bytes, 6 * size);
	pgc_arena_free(&f.arena, block);
	tear_down(&f);
}
END_TEST

START_TEST(no_memory_is_told)
{
	struct fixture_arena f;
	unsigned char *kept;

	set_up(&f);
	kept = take(&f, 1000);
	memset(kept, 7, 1000);
	f.counter.fail_from = f.counter.calls + 1;
	f.counter.fail_to = SIZE_MAX;
	ck_assert_ptr_null(pgc_arena_alloc(&f.arena, 100000));
	ck_assert_ptr_null(pgc_arena_alloc(&f.arena, SIZE_MAX));
	ck_assert_ptr_null(pgc_arena_alloc(&f.arena, SIZE_MAX - 64));
	f.counter.fail_from = 0;
	memset(take(&f, 100000), 8, 100000);
	ck_assert_uint_eq(kept[0], 7);
	ck_assert_uint_eq(kept[999], 7);
	pgc_arena_free(&f.arena, NULL);
	tear_down(&f);
}
END_TEST

START_TEST(reset_frees_all_that_is_in_use)
{
	struct fixture_arena f;
	size_t calls;

	set_up(&f);
	for (size_t i = 1; i < 50; i++)
		take(&f, 100 * i);
	calls = f.counter.calls;
	pgc_arena_reset(&f.arena);
	pgc_arena_start_page(&f.arena);
	for (size_t i = 1; i < 50; i++)
		take(&f, 100 * i);
	ck_assert_uint_eq(f.counter.calls, calls);
	tear_down(&f);
}
END_TEST

/* ---- Codecs */

/* A large page, many small ones, and again.  After 128 pages far below the size of its
 * workspace libzstd makes a smaller one. */
START_TEST(large_and_small_pages_in_turn)
{
	const struct coder *coder = &engine_coders(NULL)[_i];
	struct heap counter = HEAP_INIT;
	struct pagecodec_factory *factory = heap_factory(&counter);
	struct pagecodec_compressor *compressor = get_compressor(factory, coder);
	struct pagecodec_decompressor *decompressor =
	    get_decompressor(factory, coder->info->codec, NULL);
	unsigned char *page = new_page(PAGE_TEXT, 1, MIB);
	size_t calls = 0;

	for (int round = 0; round < 3; round++) {
		struct bytes large = compress_bytes(compressor, page, MIB);
		struct bytes small = compress_bytes(compressor, page, KIB);

		if (round == 2)
			calls = counter.calls;
		check_decompresses(decompressor, large, page, MIB);
		for (int i = 0; i < 150; i++) {
			free(small.data);
			small = compress_bytes(compressor, page, KIB);
			check_decompresses(decompressor, small, page, KIB);
		}
		free(large.data);
		free(small.data);
	}
	ck_assert_uint_eq(counter.calls, calls);
	pagecodec_compressor_release(compressor);
	pagecodec_decompressor_release(decompressor);
	pagecodec_factory_destroy(factory);
	heap_check_empty(&counter);
	free(page);
}
END_TEST

int
main(void)
{
	size_t count;

	add_test(blocks_do_not_overlap);
	add_test(a_page_seen_before_allocates_nothing);
	add_test(pages_in_turn_come_to_rest);
	add_test(growing_pages_allocate_now_and_then);
	add_test(a_growing_block_costs_a_few_times_its_size);
	add_test(no_memory_is_told);
	add_test(reset_frees_all_that_is_in_use);
	engine_coders(&count);
	add_loop(large_and_small_pages_in_turn, count);
	return run_tests("arena");
}
