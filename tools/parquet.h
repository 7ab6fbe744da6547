/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parquet.h - a Parquet file: footer, column chunks, and their pages one by one
 *
 * Numbers that a rewriter must change know their bytes in the footer or header.
 * Format: parquet.thrift of apache/parquet-format.
 */
#ifndef PARQUET_H
#define PARQUET_H

#include "input.h"
#include "thrift.h"

struct parquet_column {
	struct thrift_number file_offset, offset_index_offset, offset_index_length;
	struct thrift_number column_index_offset, column_index_length;
	/* ColumnMetaData */
	struct thrift_number type, codec, num_values;
	struct thrift_number total_uncompressed_size, total_compressed_size;
	struct thrift_number data_page_offset, index_page_offset, dictionary_page_offset;
	struct thrift_number bloom_filter_offset, bloom_filter_length;
	uint32_t encodings_at; /* where in the footer the list of encodings lies */
	bool is_encrypted;
	bool is_external; /* its pages lie in another file */
};

struct parquet_row_group {
	struct thrift_number total_byte_size, num_rows, file_offset, total_compressed_size;
	size_t first_column; /* its column chunks: as many as the schema has leaves */
};

/* A column's path is its node's name and those of its parents; node 0 is the root. */
struct parquet_node {
	struct thrift_bytes name;
	uint32_t parent;
};

struct parquet_file {
	struct input input;
	uint8_t *footer;
	size_t footer_size;
	int64_t footer_offset;
	struct thrift_number version, num_rows;
	struct thrift_bytes created_by;
	struct parquet_node *nodes;
	uint32_t *leaves;
	struct parquet_row_group *row_groups;
	struct parquet_column *columns;
	size_t node_count, leaf_count, row_group_count, column_count;
	bool writes_short_chunks; /* total_compressed_size lacks the dictionary's header */
	bool denies_compression;  /* is_compressed says false of compressed values */
	bool is_encrypted;	  /* in part, or its footer is signed */
};

/* Reads the whole footer.  A file that failed to open is closed already. */
bool parquet_open(struct parquet_file *file, const char *name, struct fault *fault);
void parquet_close(struct parquet_file *file);

/* A file that is open already; fd stays the caller's. */
bool parquet_open_fd(struct parquet_file *file, int fd, struct fault *fault);

/* For another thread: what was read of the file is shared, the place is its own.  The
 * file must stay open. */
void parquet_share(struct parquet_file *view, const struct parquet_file *file);
void parquet_unshare(struct parquet_file *view);

/* "a.b.c" of the index-th column; a fixed size suits a message, a loop over the
 * names any path.  depth: how many names there are; level 0 is the outermost. */
#define PARQUET_PATH_MAX 160
char *parquet_path(const struct parquet_file *file, size_t leaf, char text[PARQUET_PATH_MAX]);
size_t parquet_path_depth(const struct parquet_file *file, size_t leaf);
struct thrift_bytes parquet_path_name(const struct parquet_file *file, size_t leaf,
				      size_t level);

/* The encodings that ColumnMetaData lists, as many as fit; returns how many. */
#define PARQUET_ENCODINGS_MAX 16
size_t parquet_encodings(const struct parquet_file *file, const struct parquet_column *column,
			 int32_t encodings[PARQUET_ENCODINGS_MAX]);

enum parquet_page_type {
	PARQUET_DATA_PAGE = 0,
	PARQUET_INDEX_PAGE = 1,
	PARQUET_DICTIONARY_PAGE = 2,
	PARQUET_DATA_PAGE_V2 = 3
};

struct parquet_page {
	int64_t offset; /* of its header in the file */
	uint32_t header_size;
	uint32_t number; /* in its column chunk, from 0 */
	/* PageHeader; at counts from the header's first byte */
	struct thrift_number type, uncompressed_page_size, compressed_page_size, crc;
	/* of the header that its type has */
	struct thrift_number num_values, encoding, num_nulls, num_rows;
	struct thrift_number definition_levels_byte_length, repetition_levels_byte_length;
	struct thrift_number is_compressed;
};

/* Walks the pages of one column chunk. */
struct parquet_cursor {
	struct parquet_file *file;
	const struct parquet_column *column;
	int64_t offset, start, end;
	int64_t num_values; /* of the data pages so far */
	uint32_t page_count;
};

/* A chunk that lies outside the file, or in another, or is encrypted, is a fault. */
bool parquet_cursor_open(struct parquet_cursor *cursor, struct parquet_file *file,
			 const struct parquet_column *column, struct fault *fault);

/* 1: *page is the next page; 0: the chunk has ended; -1: a fault, and no further
 * page can be found. */
int parquet_cursor_next(struct parquet_cursor *cursor, struct parquet_page *page,
			struct fault *fault);

/* After the last page: do their sizes and values add up to what the footer says? */
bool parquet_cursor_check(const struct parquet_cursor *cursor, struct fault *fault);

/* Read the page's body; body is valid until the file is read again. */
bool parquet_page_body(struct parquet_file *file, const struct parquet_page *page,
		       struct pagecodec_page *body, struct fault *fault);

/* Has the body the CRC that its header has, if it has one?  The library does this too,
 * of pages that it decompresses. */
bool parquet_check_crc(const struct pagecodec_page *body, struct fault *fault);

/* Nobody has seen an index page.  If its sizes are equal it is taken for not compressed;
 * else as compressed as a data page V1 would be. */
bool parquet_is_plain_index(const struct parquet_page *page);

bool parquet_page_has_data(const struct parquet_page *page); /* V1, V2 or dictionary */

/* Names as in parquet.thrift; a number that has none is written as a number. */
#define PARQUET_NAME_MAX 32
const char *parquet_page_type_name(int64_t type, char text[PARQUET_NAME_MAX]);
const char *parquet_encoding_name(int64_t encoding, char text[PARQUET_NAME_MAX]);
const char *parquet_codec_name(int64_t codec, char text[PARQUET_NAME_MAX]);

/* NULL: not a codec of Parquet's (the library's own numbers are none). */
const struct pagecodec_codec_info *parquet_codec(int64_t codec);

/* Put where it is before a fault's text; page: NULL, or one whose header was read
 * at least in part. */
void parquet_locate(const struct parquet_file *file, size_t row_group, size_t leaf,
		    const struct parquet_page *page, struct fault *fault);

/* For parquet.c: nodes and leaves from FileMetaData.schema. */
bool parquet_read_schema(struct parquet_file *file, struct thrift *thrift,
			 const struct thrift_field *field);

/* Make room for one element more; false: no memory. */
bool parquet_grow(void *array, size_t count, size_t element_size);

#endif
