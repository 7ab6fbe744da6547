/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.c - a coder's two objects in a factory whose memory is counted and refused
 * An object that has no kept buffer yet overlaps with nothing, whatever sizes lie.
 */
#include "objects.h"

const size_t large_sizes[] = {
    (size_t)INT32_MAX,
    (size_t)INT32_MAX + 1,
    (size_t)UINT32_MAX,
#if SIZE_MAX > UINT32_MAX
    ((size_t)1 << 32) + 10,
    SIZE_MAX / 2,
    SIZE_MAX / 2 + 1,
#endif
    SIZE_MAX,
};

const size_t large_size_count = COUNT_OF(large_sizes);

void
open_objects(struct objects *o, int index, size_t max_page_size)
{
	struct pagecodec_factory_options options;
	struct pagecodec_error error;

	o->coder = &engine_coders(NULL)[index];
	o->heap = (struct heap)HEAP_INIT;
	options = heap_options(&o->heap);
	options.max_page_size = max_page_size;
	assert_ok(pagecodec_factory_create(&options, &o->factory, &error), &error);
	o->compressor = get_compressor(o->factory, o->coder);
	o->decompressor = get_decompressor(o->factory, o->coder->info->codec, o->coder->engine);
}

void
close_objects(struct objects *o)
{
	pagecodec_compressor_release(o->compressor);
	pagecodec_decompressor_release(o->decompressor);
	pagecodec_factory_destroy(o->factory);
	heap_check_empty(&o->heap);
}

void
refuse_memory(struct objects *o)
{
	o->heap.fail_from = o->heap.calls + 1;
	o->heap.fail_to = SIZE_MAX;
}

void
allow_memory(struct objects *o)
{
	o->heap.fail_from = 0;
}

int
is_codec(const struct objects *o, int32_t codec)
{
	return o->coder->info->codec == codec;
}

void
declare_size(unsigned char *src, int32_t codec, uint64_t size)
{
	for (int i = 0; i < 8 && is_arrow(codec); i++)
		src[i] = (unsigned char)(size >> 8 * i);
}
