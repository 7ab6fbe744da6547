/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz.h - what the fuzz targets share: choices read from an input, memory of exact
 * sizes between red zones, and objects that must serve a page after each failure
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "internal.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A finding. */
#define REQUIRE(condition)                                                                     \
	do {                                                                                   \
		if (!(condition)) {                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);        \
			abort();                                                               \
		}                                                                              \
	} while (0)

/* The targets themselves, of which each program has one, and what libFuzzer has. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

/* ---- Choices ---------------------------------------------------------- */

/* The rest of an input; beyond its end it is 0. */
struct feed {
	const uint8_t *data;
	size_t size;
};

uint8_t feed_byte(struct feed *feed);
uint32_t feed_u32(struct feed *feed); /* little-endian */
/* As feed_u32; what is negative becomes a size that no memory has. */
size_t feed_size(struct feed *feed);
/* The next size bytes, or all that is left. */
struct feed feed_bytes(struct feed *feed, size_t size);

/* ---- Memory ----------------------------------------------------------- */

/* Each is one place in memory, which the next zone_new of its number takes anew. */
enum { ZONE_SRC, ZONE_DST, ZONE_PLAIN, ZONE_OTHER, ZONE_COUNT };

/* Most bytes that a zone may have. */
enum { ZONE_MAX = 1 << 20 };

/* The byte after the last cannot be touched; those before the first are looked at by
 * zone_check, and known to ASan. */
struct zone {
	uint8_t *data;
	size_t size;
};

/* Filled with some pattern. */
struct zone zone_new(int number, size_t size);
struct zone zone_copy(int number, const void *data, size_t size);
void zone_check(int number);

/* The name of a file of these bytes.  What then goes to standard output is lost. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* ---- Objects ---------------------------------------------------------- */

/* max_page_size of the factory below: what keeps a run short. */
enum { PAGE_MAX = 256 << 10 };

/* The one factory that lives as long as the program. */
struct pagecodec_factory *fuzz_factory(void);

/* What the byte says; NULL: not in this build. */
const struct pagecodec_codec_info *fuzz_codec(uint8_t choice);

/* Kept from input to input, as a reader keeps it. */
struct pagecodec_decompressor *fuzz_decompressor(const struct pagecodec_codec_info *info,
						 size_t engine);

/* That the object still decompresses a page that is known, of so many bytes. */
enum { KNOWN_PAGE_SIZE = 100 };
void require_serves(struct pagecodec_decompressor *decompressor,
		    const struct pagecodec_codec_info *info);

/* That a failed call left no output, and an error as the header describes it. */
void require_failure(enum pagecodec_status status, const struct pagecodec_error *error);
void require_no_span(struct pagecodec_span span);

/* One of the statuses that damaged input may have. */
bool is_damage(enum pagecodec_status status);

/* Whether libsnappy may take src where the format, and we, do not: it reads a literal
 * whose 4-byte length field is ffffffff for an empty one. */
bool has_wrapped_literal(struct zone src);

bool same_bytes(const void *a, const void *b, size_t size);

#endif
