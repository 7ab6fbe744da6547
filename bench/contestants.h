/* SPDX-License-Identifier: Apache-2.0 */
/*
 * contestants.h - who compresses and decompresses in the benches: pagecodec with
 * each of its engines, and the bare libraries, all behind the same calls.
 */
#ifndef CONTESTANTS_H
#define CONTESTANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum role {
	OURS,	  /* pagecodec */
	KEPT,	  /* the library's own call with state that is kept: the limit */
	ONE_SHOT, /* its call that makes and frees state for each page */
	MACHINE	  /* memcpy */
};

struct contestant {
	int32_t codec;
	enum role role;
	const char *name;
	const char *engine;  /* OURS: what to ask for */
	const char *backend; /* the one behind it, or that it stands in for */
	int max_level;	     /* 0: any that the codec has */

	void *(*open)(const struct contestant *self, int level);
	void (*close)(void *state);

	/* One page; how many bytes came of it, 0: it failed.  dst has room for all that
	 * any encoder may ask for; when decompressing it is of the page's exact size. */
	size_t (*compress)(void *state, const uint8_t *src, size_t size, uint8_t *dst,
			   size_t capacity);
	size_t (*decompress)(void *state, const uint8_t *src, size_t size, uint8_t *dst,
			     size_t dst_size);
};

/* All for one codec and level, the default engine first, memcpy last; as many as
 * max.  engine: NULL, or only this one and what it competes with. */
enum { MAX_CONTESTANTS = 8 };
size_t contestants_of(int32_t codec, int level, const char *engine,
		      struct contestant list[MAX_CONTESTANTS]);

/* The levels that are worth a line: low, default, high. */
size_t levels_of(int32_t codec, int levels[3]);

/* The bare libraries, by codec; each list ends with a contestant without name. */
extern const struct contestant bare_brotli[], bare_gzip[], bare_lz4[], bare_lzo[],
    bare_snappy[], bare_zstd[];

/* An Arrow buffer's prefix; frame: how many bytes follow it.  Where that is not fewer
 * than size, the plain bytes follow instead.  Returns the buffer's size. */
enum { ARROW_PREFIX_SIZE = 8 };
size_t arrow_finish(uint8_t *dst, size_t frame, const uint8_t *src, size_t size);

/* Whether the bytes behind the prefix lie there as they are. */
bool arrow_is_stored(const uint8_t *src);

#endif
