/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compressor.c - options of compressors, and compression of parts to the
 * caller's memory or the kept buffer.  An engine always gets its codec's bound as
 * capacity: libzstd's output, for one, depends on the room it has.
 */
#include "internal.h"

#include "compressor.h"
#include "factory.h"
#include "options.h"

/* ---- Options ---------------------------------------------------------- */

static const struct pgc_compress_engine *
find_engine(const struct pgc_codec *codec, const char *name)
{
	const struct pgc_compress_engine *const *engine = codec->compressors;

	while (name && *engine && strcmp((*engine)->name, name) != 0)
		engine++;
	return *engine;
}

static struct pgc_failure
check_level(const struct pgc_compress_engine *engine, struct pgc_failure failure,
	    const struct pagecodec_compressor_options *options)
{
	if (!options->has_level) {
		failure.fault = options->level != 0 ? PGC_LEVEL_NOT_MEANT : PGC_NO_FAULT;
	} else if (engine->min_level == engine->max_level) {
		failure.fault = PGC_LEVEL_LACKING;
	} else if (options->level < engine->min_level || options->level > engine->max_level) {
		failure.fault = PGC_LEVEL_RANGE;
		failure.value = options->level;
		failure.low = engine->min_level;
		failure.high = engine->max_level;
	}
	return failure;
}

static struct pgc_failure
check_window(const struct pagecodec_codec_info *info, struct pgc_failure failure,
	     int window_log)
{
	if (window_log == 0)
		return failure;
	if (info->max_window_log == 0) {
		failure.fault = PGC_WINDOW_LACKING;
	} else if (window_log < info->min_window_log || window_log > info->max_window_log) {
		failure.fault = PGC_WINDOW_RANGE;
		failure.value = window_log;
		failure.low = info->min_window_log;
		failure.high = info->max_window_log;
	}
	return failure;
}

static bool
is_flag(int value)
{
	return value == 0 || value == 1;
}

/* The key of the compressor that options ask for, or why there is none. */
static struct pgc_failure
resolve_options(const struct pgc_codec *codec,
		const struct pagecodec_compressor_options *options, struct pgc_object_key *key)
{
	const struct pgc_compress_engine *engine = find_engine(codec, options->engine);
	struct pgc_failure failure = {PGC_NO_FAULT, .codec = codec->info.codec};

	if (options->reserved != 0)
		failure.fault = PGC_RESERVED_SET;
	else if (!is_flag(options->has_level) || !is_flag(options->checksum) ||
		 !is_flag(options->page_crc))
		failure.fault = PGC_FLAG_RANGE;
	else if (options->checksum && !codec->info.has_checksum)
		failure.fault = PGC_CHECKSUM_LACKING;
	if (failure.fault)
		return failure;
	if (!engine) {
		failure.fault = pgc_engine_fault(codec, options->engine);
		return failure;
	}

	failure.name = engine->name;
	failure = check_level(engine, failure, options);
	if (!failure.fault)
		failure = check_window(&codec->info, failure, options->window_log);
	key->codec = codec;
	key->compress = engine;
	key->settings.level = options->has_level ? options->level : codec->info.default_level;
	key->settings.window_log = options->window_log;
	key->settings.checksum = options->checksum;
	return failure;
}

enum pagecodec_status
pagecodec_compressor_get(struct pagecodec_factory *factory, int32_t codec,
			 const struct pagecodec_compressor_options *options,
			 struct pagecodec_compressor **compressor,
			 struct pagecodec_error *error)
{
	const struct pgc_codec *row = pgc_find_codec(codec);
	struct pagecodec_compressor_options o;
	struct pgc_object_key key = {0};
	struct pgc_failure failure = {PGC_NO_FAULT, .codec = row ? codec : -1};
	struct pgc_object *object;

	if (compressor)
		*compressor = NULL;
	if (!factory || !compressor)
		failure.fault = factory ? PGC_NULL_RESULT : PGC_NULL_FACTORY;
	else
		failure.fault = pgc_options_read(
		    &o, sizeof(o), PGC_SIZE_TO(struct pagecodec_compressor_options, engine),
		    options);
	if (!failure.fault && !row)
		failure = (struct pgc_failure){PGC_CODEC_UNKNOWN, .codec = codec};
	if (!failure.fault)
		failure = resolve_options(row, &o, &key);
	if (!failure.fault)
		failure.fault = pgc_factory_take(factory, &key, &object);
	if (failure.fault)
		return pgc_fail(error, failure);
	object->page_crc = o.page_crc;
	*compressor = (struct pagecodec_compressor *)object;
	return PAGECODEC_OK;
}

void
pagecodec_compressor_release(struct pagecodec_compressor *compressor)
{
	if (compressor)
		pgc_factory_give(&compressor->object);
}

/* ---- Checks ----------------------------------------------------------- */

enum pgc_fault
pgc_check_parts(struct pgc_input *input)
{
	input->size = 0;
	if (!input->parts && input->count != 0)
		return PGC_NULL_PARTS;
	for (size_t i = 0; i < input->count; i++) {
		const struct pagecodec_span *part = &input->parts[i];
		enum pgc_fault fault = pgc_check_data(part->data, part->size);

		if (!fault && !pgc_add(input->size, part->size, &input->size))
			fault = PGC_ABOVE_SIZE_MAX;
		if (fault)
			return fault;
	}
	return PGC_NO_FAULT;
}

enum pgc_fault
pgc_check_parts_overlap(const struct pgc_object *object, const struct pgc_input *input,
			const struct pgc_target *target)
{
	enum pgc_fault fault = pgc_check_overlap(object, NULL, 0, target);

	for (size_t i = 0; !fault && i < input->count; i++)
		fault = pgc_check_overlap(object, input->parts[i].data, input->parts[i].size,
					  target);
	return fault;
}

enum pgc_fault
pgc_check_page_size(const struct pgc_object *object, size_t page_size, size_t value_size,
		    size_t call_limit, struct pgc_failure *failure)
{
	size_t codec_limit = object->key.codec->info.max_input_size;

	if (page_size > object->max_page_size)
		return pgc_sizes_at_fault(failure, PGC_ABOVE_MAX_PAGE_SIZE,
					  object->max_page_size, page_size);
	if (page_size > call_limit)
		return pgc_sizes_at_fault(failure, PGC_ABOVE_INT32, call_limit, page_size);
	if (value_size > codec_limit)
		return pgc_sizes_at_fault(failure, PGC_ABOVE_CODEC_LIMIT, codec_limit,
					  page_size);
	return PGC_NO_FAULT;
}

/* ---- Work ------------------------------------------------------------- */

uint8_t *
pgc_copy_input(uint8_t *dst, const struct pgc_input *input)
{
	for (size_t i = 0; i < input->count; i++) {
		size_t size = input->parts[i].size;

		if (size != 0)
			memcpy(dst, input->parts[i].data, size);
		dst += size;
	}
	return dst;
}

/* The one part that holds bytes; empty: none; data NULL: several do. */
static struct pagecodec_span
only_part(const struct pgc_input *inputs, size_t count)
{
	struct pagecodec_span only = pgc_empty_span();

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < inputs[i].count; j++) {
			if (inputs[i].parts[j].size == 0)
				continue;
			if (only.size != 0)
				return (struct pagecodec_span){NULL, 0};
			only = inputs[i].parts[j];
		}
	}
	return only;
}

/* The input in one piece, gathered if it has to be; NULL: no memory. */
static const uint8_t *
one_piece(struct pgc_object *object, const struct pgc_input *input)
{
	struct pagecodec_span only = only_part(input, 1);

	if (only.data)
		return only.data;
	if (!pgc_buffer_reserve(&object->gather, &object->account, input->size))
		return NULL;
	pgc_copy_input(object->gather.data, input);
	return object->gather.data;
}

struct pgc_result
pgc_compress_behind(struct pgc_object *object, const struct pgc_input *input, size_t lead,
		    const struct pgc_target *target, uint8_t **page)
{
	const struct pgc_compress_engine *engine = object->key.compress;
	size_t bound = object->key.codec->bound(input->size);
	const uint8_t *src;
	size_t needed;

	if (!pgc_add(lead, bound, &needed))
		return pgc_bad(PGC_ABOVE_SIZE_MAX);
	if (target->dst && target->capacity >= needed) {
		*page = target->dst;
	} else {
		if (!pgc_buffer_reserve(&object->output, &object->account, needed))
			return pgc_bad(PGC_NO_MEMORY);
		*page = object->output.data;
	}
	if (engine->compress_parts)
		return engine->compress_parts(object->state, input, *page + lead, bound);
	src = one_piece(object, input);
	if (!src)
		return pgc_bad(PGC_NO_MEMORY);
	return engine->compress(object->state, src, input->size, *page + lead, bound);
}

enum pgc_fault
pgc_deliver(const uint8_t *page, size_t size, const struct pgc_target *target,
	    struct pagecodec_span *delivered, struct pgc_failure *failure)
{
	if (target->dst && page != target->dst) {
		if (size > target->capacity)
			return pgc_sizes_at_fault(failure, PGC_DST_SHORT, size,
						  target->capacity);
		memcpy(target->dst, page, size);
		page = target->dst;
	}
	*delivered = (struct pagecodec_span){page, size};
	return PGC_NO_FAULT;
}

enum pgc_fault
pgc_store_inputs(struct pgc_object *object, const struct pgc_input *inputs, size_t count,
		 const struct pgc_target *target, struct pagecodec_span *stored,
		 struct pgc_failure *failure)
{
	struct pagecodec_span only = only_part(inputs, count);
	uint8_t *dst = target->dst, *end;
	size_t size = 0;

	if (only.data)
		return pgc_deliver(only.data, only.size, target, stored, failure);
	for (size_t i = 0; i < count; i++)
		size += inputs[i].size;
	if (dst && size > target->capacity)
		return pgc_sizes_at_fault(failure, PGC_DST_SHORT, size, target->capacity);
	if (!dst) {
		if (!pgc_buffer_reserve(&object->output, &object->account, size))
			return PGC_NO_MEMORY;
		dst = object->output.data;
	}
	end = dst;
	for (size_t i = 0; i < count; i++)
		end = pgc_copy_input(end, &inputs[i]);
	*stored = (struct pagecodec_span){dst, size};
	return PGC_NO_FAULT;
}

enum pgc_fault
pgc_compress_input(struct pgc_object *object, struct pgc_input *input, size_t call_limit,
		   const struct pgc_target *target, struct pagecodec_span *compressed,
		   struct pgc_failure *failure)
{
	enum pgc_fault fault = pgc_check_target(target);
	struct pgc_result result;
	uint8_t *page;

	if (!fault)
		fault = pgc_check_parts(input);
	if (!fault)
		fault =
		    pgc_check_page_size(object, input->size, input->size, call_limit, failure);
	if (!fault)
		fault = pgc_check_parts_overlap(object, input, target);
	if (fault)
		return fault;
	if (pgc_stores(object->key.compress))
		return pgc_store_inputs(object, input, 1, target, compressed, failure);

	result = pgc_compress_behind(object, input, 0, target, &page);
	if (result.fault)
		return result.fault;
	return pgc_deliver(page, result.size, target, compressed, failure);
}

enum pagecodec_status
pagecodec_compress(struct pagecodec_compressor *compressor, const struct pagecodec_span *parts,
		   size_t part_count, void *dst, size_t dst_capacity,
		   struct pagecodec_span *compressed, struct pagecodec_error *error)
{
	struct pgc_object *object = (struct pgc_object *)compressor;
	struct pgc_target target = {dst, dst_capacity};
	struct pgc_input input = {parts, part_count, 0};
	struct pgc_failure failure = pgc_failure_of(object, pgc_check_object(object));
	struct pagecodec_span page = {NULL, 0};

	if (!compressed)
		failure.fault = PGC_NULL_RESULT;
	if (!failure.fault)
		failure.fault =
		    pgc_compress_input(object, &input, SIZE_MAX, &target, &page, &failure);
	/* Not before: it may be one of the parts. */
	if (compressed)
		*compressed = page;
	return failure.fault ? pgc_fail(error, failure) : PAGECODEC_OK;
}
