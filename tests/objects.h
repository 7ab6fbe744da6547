/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.h - a coder's two objects in a factory whose memory is counted and refused
 * And sizes that no page has, for tests of what is refused before memory is taken.
 */
#ifndef OBJECTS_H
#define OBJECTS_H

#include "coders.h"
#include "heap.h"

/* INT32_MAX, one more, 2^32 and more, and those round SIZE_MAX. */
extern const size_t large_sizes[];
extern const size_t large_size_count;

struct objects {
	const struct coder *coder;
	struct heap heap;
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;
};

/* engine_coders()[index], both ways; max_page_size 0: the default. */
void open_objects(struct objects *o, int index, size_t max_page_size);
/* From here on there is no memory, or (again) as much as they like. */
void refuse_memory(struct objects *o);
void allow_memory(struct objects *o);
/* That all was given back. */
void close_objects(struct objects *o);

int is_codec(const struct objects *o, int32_t codec);
/* An Arrow buffer has to say of itself what is declared; other codecs' bytes stay. */
void declare_size(unsigned char *src, int32_t codec, uint64_t size);

#endif
