/* SPDX-License-Identifier: Apache-2.0 */
/*
 * maker.h - a Parquet file, put together field by field
 *
 * Two row groups of three columns, and what few writers write: index pages, unknown
 * fields, statistics in page headers, bloom filters of unknown length.
 */
#ifndef MAKER_H
#define MAKER_H

#include "../tools/tools.h"

#include "../tools/thrift_write.h"

#define GROUPS 2
#define COLUMNS 3
#define PAGES 3 /* of data in a chunk */
#define ALL_PAGES (GROUPS * (COLUMNS * PAGES + 2))

/* What these parts of the file are. */
extern const char maker_column_index[24], maker_bloom_bits[24];

/* What is not as it should be. */
enum lie {
	LIE_NONE,
	LIE_OVERLAP,	   /* the second chunk's pages are the first's */
	LIE_PLACE,	   /* an offset index says where no page is */
	LIE_INDEX_SIZE,	   /* a column index is longer than the file */
	LIE_BLOOM,	   /* a bloom filter's header is cut off by the footer */
	LIE_DATA_PAGE,	   /* data_page_offset is in a page's middle */
	LIE_VALUES,	   /* one value more than the pages have */
	LIE_PAGE_TYPE,	   /* a page of a type that nobody knows */
	LIE_SIGNED_FOOTER, /* encryption_algorithm */
	LIE_ENCRYPTED,	   /* a column's crypto_metadata */
	LIE_EXTERNAL,	   /* file_path */
	LIE_EARLY_INDEX,   /* an offset index lies before its pages */
};

struct recipe {
	int32_t codec;
	enum lie lie;
	const char *created_by;
	int64_t gap; /* bytes between chunks that belong to nothing */
	bool has_bad_crc;
};

/* Write it. */
void make_file(const struct recipe *recipe, const char *name);

struct bytes read_file(const char *name);

#endif
