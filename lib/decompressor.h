/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decompressor.h - the one way from compressed to plain bytes, used by every call
 * that decompresses.
 */
#ifndef PGC_DECOMPRESSOR_H
#define PGC_DECOMPRESSOR_H

#include "object.h"

/* The factory's limit. */
enum pgc_fault pgc_check_declared_size(const struct pgc_object *object, size_t size,
				       struct pgc_failure *failure);

/* src, checked here, to exactly size bytes, a size already checked. */
enum pgc_fault pgc_decompress_bytes(struct pgc_object *object, const void *src, size_t src_size,
				    size_t size, const struct pgc_target *target,
				    struct pagecodec_span *plain, struct pgc_failure *failure);

/* src as it is. */
enum pgc_fault pgc_deliver_stored(const void *src, size_t size, const struct pgc_target *target,
				  struct pagecodec_span *plain, struct pgc_failure *failure);

#endif
