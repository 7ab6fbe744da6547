/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reheader.c - a page's header for another body
 *
 * Fields that are not ours to change keep their bytes; those that come or go change
 * the step of the field after them.  Format: parquet.thrift, PageHeader.
 */
#include "tools.h"

#include "recompress.h"

enum {
	FIELD_COMPRESSED_PAGE_SIZE = 3,
	FIELD_CRC = 4,
	FIELD_HEADER_V2 = 8,
	FIELD_IS_COMPRESSED = 7 /* of the last */
};

static void
put_crc(struct bytes *out, int16_t *last_id, const struct pagecodec_page *body)
{
	if (!body->has_crc)
		return;
	thrift_put_field(out, last_id, FIELD_CRC, THRIFT_I32);
	thrift_put_number(out, (int32_t)body->crc);
}

/* Absent means true. */
static void
put_is_compressed(struct bytes *out, int16_t *last_id, const struct parquet_page *page,
		  const struct pagecodec_page *body)
{
	if (page->is_compressed.size || body->is_stored)
		thrift_put_field(out, last_id, FIELD_IS_COMPRESSED,
				 body->is_stored ? THRIFT_FALSE : THRIFT_TRUE);
}

static void
put_header_v2(struct bytes *out, struct thrift *thrift, const struct parquet_page *page,
	      const struct pagecodec_page *body)
{
	struct thrift_field field = {0};
	int16_t last_id = 0;
	bool is_put = false;

	while (thrift_next(thrift, &field)) {
		size_t value = thrift->at;

		thrift_skip(thrift, &field);
		if (!is_put && field.id >= FIELD_IS_COMPRESSED) {
			put_is_compressed(out, &last_id, page, body);
			is_put = true;
		}
		if (field.id == FIELD_IS_COMPRESSED)
			continue;
		thrift_put_field(out, &last_id, field.id, field.type);
		bytes_put(out, thrift->data + value, thrift->at - value);
	}
	if (!is_put)
		put_is_compressed(out, &last_id, page, body);
	bytes_put(out, "", 1);
}

void
reheader(struct bytes *out, const uint8_t *header, const struct parquet_page *page,
	 const struct pagecodec_page *body)
{
	struct thrift_field field = {0};
	struct thrift thrift;
	int16_t last_id = 0;
	bool is_put = false;

	thrift_init(&thrift, header, page->header_size);
	while (thrift_next(&thrift, &field)) {
		size_t value = thrift.at;

		if (!is_put && field.id >= FIELD_CRC) {
			put_crc(out, &last_id, body);
			is_put = true;
		}
		if (field.id == FIELD_CRC) {
			thrift_skip(&thrift, &field);
			continue;
		}
		thrift_put_field(out, &last_id, field.id, field.type);
		if (field.id == FIELD_HEADER_V2 && field.type == THRIFT_STRUCT &&
		    page->type.value == PARQUET_DATA_PAGE_V2) {
			put_header_v2(out, &thrift, page, body);
			continue;
		}
		thrift_skip(&thrift, &field);
		if (field.id == FIELD_COMPRESSED_PAGE_SIZE)
			thrift_put_number(out, body->compressed_page_size);
		else
			bytes_put(out, thrift.data + value, thrift.at - value);
	}
	if (!is_put)
		put_crc(out, &last_id, body);
	bytes_put(out, "", 1);
}
