/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_walk.h - decompress every page of a Parquet file
 *
 * verify needs nothing else; roundtrip looks at each page's plain bytes.
 */
#ifndef PAGE_WALK_H
#define PAGE_WALK_H

#include "parquet.h"

/* Codecs of Parquet's, and one more for numbers that are none. */
#define WALK_CODECS (PAGECODEC_LZ4_RAW + 2)

struct walk {
	/* Set by the caller.  on_page may be NULL; the plain bytes that it gets (levels
	 * left out) are valid until it returns, false stops the walk. */
	const char *name;
	struct parquet_file *file;
	bool (*on_page)(void *context, const struct pagecodec_span *plain, struct fault *fault);
	void *context;
	const bool *leaves;   /* which columns, by leaf; NULL: all */
	size_t max_page_size; /* 0: what the library takes */

	/* What was found; faults have been told on standard error. */
	enum tool_exit exit;
	uint64_t chunk_count, page_count, damaged_count, unreadable_chunk_count;
	uint64_t crc_count;			     /* pages that have a CRC */
	uint64_t read_size;			     /* of all page bodies */
	uint64_t compressed_size, uncompressed_size; /* of those that were decompressed */
	uint64_t pages_of[WALK_CODECS], not_built_of[WALK_CODECS];
	struct pagecodec_factory *factory;
};

/* A fault of one page does not keep the others from being looked at. */
void walk_file(struct walk *walk);

/* "SNAPPY" or, of several, "SNAPPY, ZSTD": the codecs whose count is not 0. */
#define WALK_CODECS_TEXT 128
char *walk_codecs(const uint64_t counts[WALK_CODECS], char text[WALK_CODECS_TEXT]);

#endif
