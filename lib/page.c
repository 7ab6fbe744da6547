/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page.c - whole Parquet pages: which bytes of a page are compressed, what its
 * header must say, and what of a header can be believed.  parquet.thrift,
 * PageHeader and DataPageHeaderV2.
 */
#include "internal.h"

#include "compressor.h"
#include "crc32.h"
#include "decompressor.h"

/* ---- Writing ---------------------------------------------------------- */

/* body may be larger than a header can say: a codec can make a page grow. */
static enum pgc_fault
fill_page(const struct pgc_object *object, struct pagecodec_span body, size_t plain_size,
	  struct pagecodec_page *page, struct pgc_failure *failure)
{
	if (body.size > INT32_MAX)
		return pgc_sizes_at_fault(failure, PGC_ABOVE_INT32, INT32_MAX, body.size);
	page->body = body.data;
	page->body_size = body.size;
	page->uncompressed_page_size = (int32_t)plain_size;
	page->compressed_page_size = (int32_t)body.size;
	if (object->page_crc) {
		page->has_crc = 1;
		page->crc = pgc_crc32(0, body.data, body.size);
	}
	return PGC_NO_FAULT;
}

/* What every call that writes a page starts with. */
static enum pgc_fault
start_page(const struct pgc_object *object, struct pagecodec_page *page)
{
	if (!page)
		return PGC_NULL_PAGE;
	memset(page, 0, sizeof(*page));
	return pgc_check_object(object);
}

/* What it ends with: no output after a failure. */
static enum pagecodec_status
end_page(const struct pgc_failure *failure, struct pagecodec_page *page,
	 struct pagecodec_error *error)
{
	if (!failure->fault)
		return PAGECODEC_OK;
	if (page)
		memset(page, 0, sizeof(*page));
	return pgc_fail(error, *failure);
}

enum pagecodec_status
pagecodec_compress_page_v1(struct pagecodec_compressor *compressor,
			   const struct pagecodec_span *parts, size_t part_count, void *dst,
			   size_t dst_capacity, struct pagecodec_page *page,
			   struct pagecodec_error *error)
{
	struct pgc_object *object = (struct pgc_object *)compressor;
	struct pgc_target target = {dst, dst_capacity};
	struct pgc_input input = {parts, part_count, 0};
	struct pgc_failure failure = pgc_failure_of(object, start_page(object, page));
	struct pagecodec_span body = {NULL, 0};

	if (!failure.fault)
		failure.fault =
		    pgc_compress_input(object, &input, INT32_MAX, &target, &body, &failure);
	if (!failure.fault)
		failure.fault = fill_page(object, body, input.size, page, &failure);
	return end_page(&failure, page, error);
}

/* The three inputs of a V2 page, in their order. */
enum { REPETITION, DEFINITION, VALUES, INPUT_COUNT };

static enum pgc_fault
check_inputs(const struct pgc_object *object, struct pgc_input *inputs,
	     const struct pgc_target *target, size_t *page_size, struct pgc_failure *failure)
{
	enum pgc_fault fault = pgc_check_target(target);

	*page_size = 0;
	for (int i = 0; !fault && i < INPUT_COUNT; i++) {
		fault = pgc_check_parts(&inputs[i]);
		if (!fault && !pgc_add(*page_size, inputs[i].size, page_size))
			fault = PGC_ABOVE_SIZE_MAX;
	}
	if (!fault)
		fault = pgc_check_page_size(object, *page_size, inputs[VALUES].size, INT32_MAX,
					    failure);
	for (int i = 0; !fault && i < INPUT_COUNT; i++)
		fault = pgc_check_parts_overlap(object, &inputs[i], target);
	return fault;
}

/* Compressed values where they are smaller, else all as it is. */
static enum pgc_fault
compress_values(struct pgc_object *object, const struct pgc_input *inputs, size_t page_size,
		const struct pgc_target *target, struct pagecodec_span *body, int *is_stored,
		struct pgc_failure *failure)
{
	const struct pgc_input *values = &inputs[VALUES];
	size_t lead = page_size - values->size;
	struct pgc_result result;
	uint8_t *start;

	*is_stored = 1;
	if (values->size == 0 || pgc_stores(object->key.compress))
		return pgc_store_inputs(object, inputs, INPUT_COUNT, target, body, failure);
	result = pgc_compress_behind(object, values, lead, target, &start);
	if (result.fault)
		return result.fault;
	if (result.size >= values->size)
		return pgc_store_inputs(object, inputs, INPUT_COUNT, target, body, failure);
	*is_stored = 0;
	pgc_copy_input(pgc_copy_input(start, &inputs[REPETITION]), &inputs[DEFINITION]);
	return pgc_deliver(start, lead + result.size, target, body, failure);
}

enum pagecodec_status
pagecodec_compress_page_v2(struct pagecodec_compressor *compressor,
			   const struct pagecodec_span *repetition_levels,
			   const struct pagecodec_span *definition_levels,
			   const struct pagecodec_span *value_parts, size_t value_part_count,
			   void *dst, size_t dst_capacity, struct pagecodec_page *page,
			   struct pagecodec_error *error)
{
	struct pgc_object *object = (struct pgc_object *)compressor;
	struct pgc_target target = {dst, dst_capacity};
	struct pgc_input inputs[INPUT_COUNT] = {
	    {repetition_levels, repetition_levels != NULL, 0},
	    {definition_levels, definition_levels != NULL, 0},
	    {value_parts, value_part_count, 0}};
	struct pgc_failure failure = pgc_failure_of(object, start_page(object, page));
	struct pagecodec_span body = {NULL, 0};
	size_t page_size;
	int is_stored;

	if (!failure.fault)
		failure.fault = check_inputs(object, inputs, &target, &page_size, &failure);
	if (!failure.fault)
		failure.fault = compress_values(object, inputs, page_size, &target, &body,
						&is_stored, &failure);
	if (!failure.fault)
		failure.fault = fill_page(object, body, page_size, page, &failure);
	if (!failure.fault) {
		page->repetition_levels_byte_length = (int32_t)inputs[REPETITION].size;
		page->definition_levels_byte_length = (int32_t)inputs[DEFINITION].size;
		page->is_stored = is_stored;
	}
	return end_page(&failure, page, error);
}

/* ---- Reading ---------------------------------------------------------- */

static bool
is_stored_page(const struct pgc_object *object, const struct pagecodec_page *page)
{
	return page->is_stored || object->key.codec->info.codec == PAGECODEC_UNCOMPRESSED;
}

/* Which it is; one of them is. */
static enum pgc_fault
negative_field(const struct pagecodec_page *page, struct pgc_failure *failure)
{
	const struct field {
		const char *name;
		int32_t value;
	} fields[] = {
	    {"uncompressed_page_size", page->uncompressed_page_size},
	    {"compressed_page_size", page->compressed_page_size},
	    {"repetition_levels_byte_length", page->repetition_levels_byte_length},
	    {"definition_levels_byte_length", page->definition_levels_byte_length},
	};
	const struct field *field = fields;

	while (field->value >= 0)
		field++;
	failure->name = field->name;
	failure->value = field->value;
	return PGC_FIELD_NEGATIVE;
}

/* Sizes of a page header, none of which can be believed.  *levels_size is set
 * where there is no fault. */
static enum pgc_fault
check_header(const struct pgc_object *object, const struct pagecodec_page *page,
	     size_t *levels_size, struct pgc_failure *failure)
{
	int64_t levels =
	    (int64_t)page->repetition_levels_byte_length + page->definition_levels_byte_length;
	int32_t compressed = page->compressed_page_size;
	int32_t uncompressed = page->uncompressed_page_size;
	enum pgc_fault fault;

	if (compressed < 0 || uncompressed < 0 || page->repetition_levels_byte_length < 0 ||
	    page->definition_levels_byte_length < 0)
		return negative_field(page, failure);
	if ((size_t)compressed > page->body_size)
		return pgc_sizes_at_fault(failure, PGC_BODY_SHORT, (size_t)compressed,
					  page->body_size);
	if (levels > compressed || levels > uncompressed)
		return pgc_sizes_at_fault(failure, PGC_LEVELS_RANGE,
					  (size_t)PGC_MIN(compressed, uncompressed),
					  (size_t)PGC_MIN((uint64_t)levels, SIZE_MAX));
	fault = pgc_check_declared_size(object, (size_t)uncompressed, failure);
	if (fault)
		return fault;
	if (is_stored_page(object, page) && compressed != uncompressed)
		return pgc_sizes_at_fault(failure, PGC_STORED_SIZE_DIFFERS,
					  (size_t)uncompressed, (size_t)compressed);
	*levels_size = (size_t)levels;
	return PGC_NO_FAULT;
}

static enum pgc_fault
check_arguments(const struct pgc_object *object, const struct pagecodec_page *page,
		const struct pgc_target *target)
{
	enum pgc_fault fault = pgc_check_object(object);

	if (!fault && !page)
		fault = PGC_NULL_PAGE;
	if (!fault && page->reserved != 0)
		fault = PGC_RESERVED_SET;
	if (!fault)
		fault = pgc_check_target(target);
	if (!fault && !page->body && page->body_size != 0)
		fault = PGC_NULL_WITH_SIZE;
	if (fault || page->compressed_page_size <= 0)
		return fault;
	return pgc_check_overlap(object, page->body,
				 PGC_MIN(page->body_size, (size_t)page->compressed_page_size),
				 target);
}

static enum pgc_fault
decompress_page(struct pgc_object *object, const struct pagecodec_page *page,
		const struct pgc_target *target, struct pagecodec_span *levels,
		struct pagecodec_span *values, struct pgc_failure *failure)
{
	const uint8_t *body = pgc_not_null(page->body);
	size_t levels_size = 0, body_size, plain_size;
	enum pgc_fault fault = check_header(object, page, &levels_size, failure);

	if (fault)
		return fault;
	body_size = (size_t)page->compressed_page_size;
	plain_size = (size_t)page->uncompressed_page_size;
	if (page->has_crc && page->crc != pgc_crc32(0, body, body_size))
		return PGC_PAGE_CRC;

	*levels = (struct pagecodec_span){body, levels_size};
	if (!values)
		return PGC_NO_FAULT;
	if (is_stored_page(object, page))
		return pgc_deliver_stored(body + levels_size, plain_size - levels_size, target,
					  values, failure);
	return pgc_decompress_bytes(object, body + levels_size, body_size - levels_size,
				    plain_size - levels_size, target, values, failure);
}

enum pagecodec_status
pagecodec_decompress_page(struct pagecodec_decompressor *decompressor,
			  const struct pagecodec_page *page, void *dst, size_t dst_capacity,
			  struct pagecodec_span *levels, struct pagecodec_span *values,
			  struct pagecodec_error *error)
{
	struct pgc_object *object = (struct pgc_object *)decompressor;
	struct pgc_target target = {dst, dst_capacity};
	struct pagecodec_span found = {NULL, 0};
	struct pgc_failure failure;

	if (levels)
		*levels = found;
	if (values)
		*values = found;
	failure = pgc_failure_of(object, check_arguments(object, page, &target));
	if (!failure.fault)
		failure.fault =
		    decompress_page(object, page, &target, &found, values, &failure);
	if (failure.fault)
		return pgc_fail(error, failure);
	if (levels)
		*levels = found;
	return PAGECODEC_OK;
}
