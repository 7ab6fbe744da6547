/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk.h - a second reading of input that an engine refused, token by token and
 * without output: was it cut off, damaged, or sound but of another size?
 * Engines answer the same for all three.
 */
#ifndef PGC_WALK_H
#define PGC_WALK_H

#include "error.h"

/* No fault: the stream is sound as far as its tokens tell, and size is what it
 * holds (saturated).  Otherwise STREAM_CUT, STREAM_CORRUPT or TRAILING_BYTES. */

/* One LZ4 block, all of src, that may copy from so many bytes before its own. */
struct pgc_result pgc_walk_lz4(const uint8_t *src, size_t src_size, size_t history);

/* The elements of a snappy stream behind its length, and that length. */
struct pgc_result pgc_walk_snappy(const uint8_t *src, size_t src_size, size_t length);

/* Raw deflate from the start of src; bytes after its final block are ignored. */
struct pgc_result pgc_walk_deflate(const uint8_t *src, size_t src_size);

/* What it means that an engine refused a stream though it had room for capacity
 * bytes, given a walk over the stream. */
struct pgc_result pgc_explain(struct pgc_result walk, size_t capacity);

#endif
