/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.h - what pagecodec.h says of memory and of options, once more and simply
 */
#ifndef MODEL_H
#define MODEL_H

#include "fuzz.h"

/* What a factory draws from; outlives it while objects of its are out. */
struct heap {
	size_t live_count, live_bytes;
	size_t fail_in, failed; /* the how many-th call from now; calls that did */
};

/* alloc_func and free_func; opaque is a struct heap. */
void *heap_alloc(void *opaque, size_t size);
void heap_free(void *opaque, void *ptr, size_t size);

/* engine NULL: any. */
bool has_engine(const struct pagecodec_codec_info *info, const char *engine);

/* struct_size is no larger than that of the struct. */
bool are_options_valid(const struct pagecodec_codec_info *info,
		       const struct pagecodec_compressor_options *options);

#endif
