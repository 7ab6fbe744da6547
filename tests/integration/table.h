/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.h - the two columns that write_parquet writes, page by page
 *
 * Readers must find these values: table.js and pyarrow_files.py say them again.
 */
#ifndef TABLE_H
#define TABLE_H

#include "../thrift_put.h"

/* Row groups; pages in each of a column; rows of a page; words of the dictionary. */
#define GROUPS 2
#define PAGES 3
#define ROWS 1000
#define WORDS 5

/* An int64 without nulls, and text with some. */
enum column { ID, WORD, COLUMNS };

/* As in parquet.thrift. */
enum encoding { PLAIN = 0, RLE = 3, RLE_DICTIONARY = 8 };

struct table_page {
	enum column column;
	enum encoding encoding;
	uint64_t row; /* the first */
	unsigned int nulls;
	struct bytes levels, values; /* of a column without nulls: no levels */
};

/* Make nulls, levels and values of the rest; free with table_free. */
void table_fill(struct table_page *page);
void table_free(struct table_page *page);

/* A word as PLAIN has it, by its index in the dictionary. */
void table_put_word(struct bytes *bytes, unsigned int word);

#endif
