/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - Parquet's names of page types, encodings and codecs, and of places
 *
 * Format: the enumerations of parquet.thrift.
 */
#include "tools.h"

#include <inttypes.h>
#include <stdio.h>

#include "parquet.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *
name_of(const char *const *names, size_t count, int64_t number, char text[PARQUET_NAME_MAX])
{
	if (number >= 0 && (uint64_t)number < count && names[number])
		return names[number];
	snprintf(text, PARQUET_NAME_MAX, "%" PRId64, number);
	return text;
}

const char *
parquet_page_type_name(int64_t type, char text[PARQUET_NAME_MAX])
{
	static const char *const names[] = {"DATA_PAGE", "INDEX_PAGE", "DICTIONARY_PAGE",
					    "DATA_PAGE_V2"};

	return name_of(names, COUNT(names), type, text);
}

const char *
parquet_encoding_name(int64_t encoding, char text[PARQUET_NAME_MAX])
{
	static const char *const names[] = {[0] = "PLAIN",
					    [2] = "PLAIN_DICTIONARY",
					    [3] = "RLE",
					    [4] = "BIT_PACKED",
					    [5] = "DELTA_BINARY_PACKED",
					    [6] = "DELTA_LENGTH_BYTE_ARRAY",
					    [7] = "DELTA_BYTE_ARRAY",
					    [8] = "RLE_DICTIONARY",
					    [9] = "BYTE_STREAM_SPLIT"};

	return name_of(names, COUNT(names), encoding, text);
}

const struct pagecodec_codec_info *
parquet_codec(int64_t codec)
{
	if (codec < PAGECODEC_UNCOMPRESSED || codec > PAGECODEC_LZ4_RAW)
		return NULL;
	return pagecodec_find_codec((int32_t)codec);
}

const char *
parquet_codec_name(int64_t codec, char text[PARQUET_NAME_MAX])
{
	static const char *const none[] = {NULL};
	const struct pagecodec_codec_info *info = parquet_codec(codec);

	return info ? info->name : name_of(none, COUNT(none), codec, text);
}

void
parquet_locate(const struct parquet_file *file, size_t row_group, size_t leaf,
	       const struct parquet_page *page, struct fault *fault)
{
	char path[PARQUET_PATH_MAX], type[PARQUET_NAME_MAX], kind[PARQUET_NAME_MAX + 4] = "";
	char where[128] = "";
	struct fault located;

	if (page && page->type.size)
		snprintf(kind, sizeof(kind), " (%s)",
			 parquet_page_type_name(page->type.value, type));
	if (page)
		snprintf(where, sizeof(where), ", page %" PRIu32 "%s at offset %" PRId64,
			 page->number, kind, page->offset);
	fault_set(&located, fault->exit, "row group %zu, column %s%s: %s", row_group,
		  parquet_path(file, leaf, path), where, fault->text);
	*fault = located;
}
