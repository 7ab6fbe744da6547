/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale_sizes.c - the time of a byte, which must not grow with the page.
 */
#include "internal.h"

#include <stdlib.h>

#include "page_set.h"
#include "scale.h"

static const size_t sizes[] = {1 << 10, 8 << 10,  64 << 10, 512 << 10,
			       4 << 20, 16 << 20, 64 << 20};
enum { SIZE_COUNT = sizeof(sizes) / sizeof(sizes[0]) };

struct sized {
	const struct contestant *who;
	void *state;
	const struct page_set *pages;
	uint8_t *dst;
	size_t room;
};

static void
compress_pages(void *self, size_t turns)
{
	const struct sized *sized = self;

	for (size_t i = 0; i < turns; i++) {
		const struct bench_page *page = &sized->pages->pages[i % sized->pages->count];

		if (!sized->who->compress(sized->state, page->plain, page->size, sized->dst,
					  sized->room))
			die("%s failed", sized->who->name);
	}
}

static void
decompress_pages(void *self, size_t turns)
{
	const struct sized *sized = self;

	for (size_t i = 0; i < turns; i++) {
		const struct bench_page *page = &sized->pages->pages[i % sized->pages->count];

		if (!sized->who->decompress(sized->state, page->packed, page->packed_size,
					    sized->dst, page->size))
			die("%s failed", sized->who->name);
	}
}

/* ns a KiB, compress and decompress */
static void
time_size(const struct scale_options *options, const struct contestant *who, void *state,
	  size_t size)
{
	struct race_plan plan = {.runs = options->runs, .seconds = options->seconds / 4};
	struct page_set pages;
	struct sized sized = {who, state, &pages, NULL, page_room(size)};
	struct runner runner = {.self = &sized};
	double ns[2];

	page_set_make(&pages, &value_kinds[0], size, 4 * (size_t)MIB);
	sized.dst = must_alloc(sized.room);
	page_set_pack(&pages, who, state);
	runner.work = compress_pages;
	race(&runner, 1, &plan);
	ns[0] = runner.ns / (double)size * 1024;
	runner.work = decompress_pages;
	race(&runner, 1, &plan);
	ns[1] = runner.ns / (double)size * 1024;
	printf(" %7.0f/%-5.0f", ns[0], ns[1]);
	fflush(stdout);
	scale_csv(options, "compress_ns_per_kib", who->codec, size, ns[0]);
	scale_csv(options, "decompress_ns_per_kib", who->codec, size, ns[1]);
	free(sized.dst);
	page_set_free(&pages);
}

void
scale_sizes_title(void)
{
	printf("\nns a KiB, compress/decompress, by page size\n%-16s", "");
	for (size_t i = 0; i < SIZE_COUNT; i++) {
		char text[SIZE_TEXT_MAX];

		printf(" %13s", size_text(sizes[i], text));
	}
	printf("\n");
}

void
scale_sizes(const struct scale_options *options, int32_t codec)
{
	const struct pagecodec_codec_info *info = pagecodec_find_codec(codec);
	struct contestant list[MAX_CONTESTANTS];
	void *state;

	contestants_of(codec, info->default_level, NULL, list);
	state = list[0].open(&list[0], info->default_level);
	printf("%-16s", info->name);
	for (size_t i = 0; i < SIZE_COUNT; i++)
		time_size(options, &list[0], state, sizes[i]);
	printf("\n");
	list[0].close(state);
}
