/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recompress.h - the parts of pagecodec recompress
 *
 * regions.c finds the parts of a file, rewrite.c writes each in its turn, rechunk.c a
 * column chunk's pages, reheader.c their headers, refooter.c the footer; compare.c reads
 * back what was written.
 */
#ifndef RECOMPRESS_H
#define RECOMPRESS_H

#include "crew.h"
#include "output.h"
#include "parquet.h"
#include "thrift_write.h"

enum crc_mode { CRC_KEEP, CRC_ADD, CRC_DROP };

/* What becomes of a column; neither codec nor level: its pages stay as they are. */
struct target {
	bool has_codec, has_level; /* without a codec: each chunk's own */
	int32_t codec;
	int level;
};

/* Where a page was in IN, and is in OUT, counted from its chunk's first byte. */
struct page_move {
	int64_t from, to;
};

struct chunk {
	const struct parquet_column *column;
	size_t row_group, leaf;
	struct target target;
	int32_t codec;	    /* that its pages will have */
	size_t number;	    /* its place among the chunks */
	size_t region;	    /* and among all parts of the file */
	bool is_done;	    /* under the crew's lock */
	struct bytes early; /* of a chunk whose turn has not come */
	/* In OUT; pages, and one more for their end, are kept for an offset index. */
	int64_t start, size, uncompressed_size;
	int64_t read_end; /* in IN, so far */
	struct page_move *pages;
	uint64_t page_count;
	int64_t data_page_offset, index_page_offset, dictionary_page_offset, file_offset;
	int64_t bloom_filter_offset, column_index_offset;
	int64_t offset_index_offset, offset_index_length;
};

/* A part of IN that goes to OUT. */
struct region {
	enum region_kind { REGION_CHUNK, REGION_COPY, REGION_OFFSET_INDEX } kind;
	int64_t from, size;
	struct chunk *chunk;
	int64_t *offset; /* where to keep its place in OUT */
};

struct recompress {
	struct parquet_file in;
	const char *in_name;
	struct target *targets; /* by leaf */
	enum crc_mode crc;
	bool is_unchecked;
	size_t thread_count;
	struct output out;
	struct pagecodec_factory *factory;

	struct chunk *chunks; /* as in->columns */
	struct region *regions;
	struct chunk **order; /* chunks by their place in the file */
	size_t region_count;
	int64_t left_out; /* bytes of IN that nothing in its footer names */

	struct crew crew;
	/* Under its lock: the region whose turn it is, and bytes that wait for theirs. */
	size_t turn, early_size;
	uint64_t page_count, uncompressed_size;
};

/* Find all parts of IN, or what keeps it from being rewritten (regions.c). */
bool rewrite_plan(struct recompress *job, struct fault *fault);

/* Write all of OUT but its name. */
bool rewrite_run(struct recompress *job, struct fault *fault);
void rewrite_free(struct recompress *job);

/* Bytes of the chunk, in order, from the one thread that works on it. */
bool rewrite_put(struct recompress *job, struct chunk *chunk,
		 const struct pagecodec_span *parts, size_t count, struct fault *fault);

/* A thread's own place in IN, and memory. */
struct worker {
	struct recompress *job;
	struct parquet_file in;
	struct bytes header;
};

/* Make all pages of the chunk anew, and find its numbers but start. */
bool rechunk(struct worker *worker, struct chunk *chunk, struct fault *fault);

/* The page's header as it must be for this body.  has_crc of the body says whether it
 * gets one. */
void reheader(struct bytes *out, const uint8_t *header, const struct parquet_page *page,
	      const struct pagecodec_page *body);

/* The offset index with the places that pages have now; pages: of the chunk, and one
 * more for their end; start: of the chunk in OUT. */
bool refooter_offset_index(struct bytes *out, const uint8_t *data, size_t size,
			   const struct page_move *pages, uint64_t page_count, int64_t start,
			   struct fault *fault);

/* The footer for what was written. */
void refooter(struct bytes *out, const struct recompress *job);

/* Read back what was written, before it has its name; every page must hold the same
 * bytes as in IN, and every offset index fit. */
bool compare_files(struct recompress *job, struct fault *fault);

#endif
