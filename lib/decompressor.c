/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decompressor.c - decompression to exactly the declared size.  The declared size
 * is believed only after what the input itself says, and could hold, agrees.
 */
#include "internal.h"

#include "decompressor.h"
#include "factory.h"
#include "options.h"

static const struct pgc_decompress_engine *
find_engine(const struct pgc_codec *codec, const char *name)
{
	const struct pgc_decompress_engine *const *engine = codec->decompressors;

	while (name && *engine && strcmp((*engine)->name, name) != 0)
		engine++;
	return *engine;
}

enum pagecodec_status
pagecodec_decompressor_get(struct pagecodec_factory *factory, int32_t codec,
			   const struct pagecodec_decompressor_options *options,
			   struct pagecodec_decompressor **decompressor,
			   struct pagecodec_error *error)
{
	const struct pgc_codec *row = pgc_find_codec(codec);
	struct pagecodec_decompressor_options o;
	struct pgc_object_key key = {.codec = row};
	struct pgc_failure failure = {PGC_NO_FAULT, .codec = row ? codec : -1};
	struct pgc_object *object;

	if (decompressor)
		*decompressor = NULL;
	if (!factory || !decompressor)
		failure.fault = factory ? PGC_NULL_RESULT : PGC_NULL_FACTORY;
	else
		failure.fault = pgc_options_read(
		    &o, sizeof(o), PGC_SIZE_TO(struct pagecodec_decompressor_options, engine),
		    options);
	if (!failure.fault && !row)
		failure = (struct pgc_failure){PGC_CODEC_UNKNOWN, .codec = codec};
	if (!failure.fault) {
		key.decompress = find_engine(row, o.engine);
		if (!key.decompress)
			failure.fault = pgc_engine_fault(row, o.engine);
	}
	if (!failure.fault)
		failure.fault = pgc_factory_take(factory, &key, &object);
	if (failure.fault)
		return pgc_fail(error, failure);
	*decompressor = (struct pagecodec_decompressor *)object;
	return PAGECODEC_OK;
}

void
pagecodec_decompressor_release(struct pagecodec_decompressor *decompressor)
{
	if (decompressor)
		pgc_factory_give(&decompressor->object);
}

enum pgc_fault
pgc_check_declared_size(const struct pgc_object *object, size_t size,
			struct pgc_failure *failure)
{
	if (size > object->max_page_size)
		return pgc_sizes_at_fault(failure, PGC_ABOVE_MAX_PAGE_SIZE,
					  object->max_page_size, size);
	return PGC_NO_FAULT;
}

static enum pgc_fault
check_capacity(const struct pgc_target *target, size_t size, struct pgc_failure *failure)
{
	if (target->dst && target->capacity < size)
		return pgc_sizes_at_fault(failure, PGC_DST_SHORT, size, target->capacity);
	return PGC_NO_FAULT;
}

enum pgc_fault
pgc_deliver_stored(const void *src, size_t size, const struct pgc_target *target,
		   struct pagecodec_span *plain, struct pgc_failure *failure)
{
	enum pgc_fault fault = check_capacity(target, size, failure);

	if (fault)
		return fault;
	if (target->dst && size != 0)
		memcpy(target->dst, src, size);
	*plain = (struct pagecodec_span){target->dst ? target->dst : pgc_not_null(src), size};
	return PGC_NO_FAULT;
}

static struct pgc_result
decode(struct pgc_object *object, const uint8_t *src, size_t src_size, uint8_t *dst,
       size_t dst_size)
{
	return object->key.decompress->decompress(object->state, src, src_size, dst, dst_size);
}

/* To the object's own buffer, which has to be larger, and becomes so only with the
 * page: else a size that nothing came of would be kept for ever. */
static struct pgc_result
decode_and_grow(struct pgc_object *object, const uint8_t *src, size_t src_size, size_t size)
{
	struct pgc_buffer *output = &object->output, grown;
	struct pgc_result result;

	if (!pgc_buffer_grow(output, &object->account, size, &grown))
		return pgc_bad(PGC_NO_MEMORY);
	result = decode(object, src, src_size, grown.data, size);
	if (result.fault) {
		pgc_buffer_free(&grown, &object->account);
	} else {
		pgc_buffer_free(output, &object->account);
		*output = grown;
	}
	return result;
}

static struct pgc_result
foresee(const struct pgc_object *object, const uint8_t *src, size_t src_size, size_t size,
	struct pgc_result otherwise)
{
	const struct pgc_codec *codec = object->key.codec;
	struct pgc_result result = otherwise;

	if (codec->foresee)
		result.fault = codec->foresee(src, src_size, size, &result.size);
	return result.fault ? result : otherwise;
}

static struct pgc_result
decompress_to(struct pgc_object *object, const uint8_t *src, size_t src_size, size_t size,
	      const struct pgc_target *target, struct pagecodec_span *plain)
{
	uint8_t *dst = target->dst;
	struct pgc_result result = {PGC_NO_FAULT, 0};

	if (!dst && pgc_buffer_holds(&object->output, size))
		dst = object->output.data;
	if (dst) {
		result = decode(object, src, src_size, dst, size);
		if (result.fault && result.fault != PGC_NO_MEMORY)
			result = foresee(object, src, src_size, size, result);
	} else {
		result = foresee(object, src, src_size, size, result);
		if (!result.fault)
			result = decode_and_grow(object, src, src_size, size);
		dst = object->output.data;
	}
	if (!result.fault)
		*plain = (struct pagecodec_span){dst, size};
	return result;
}

/* The sizes at fault, and those for the message. */
static enum pgc_fault
stream_fault(struct pgc_result result, size_t src_size, size_t size,
	     struct pgc_failure *failure)
{
	failure->src_size = src_size;
	failure->dst_size = size;
	if (pgc_fault_status(result.fault) == PAGECODEC_SIZE_MISMATCH)
		return pgc_sizes_at_fault(failure, result.fault, size, result.size);
	return result.fault;
}

enum pgc_fault
pgc_decompress_bytes(struct pgc_object *object, const void *src, size_t src_size, size_t size,
		     const struct pgc_target *target, struct pagecodec_span *plain,
		     struct pgc_failure *failure)
{
	const struct pgc_codec *codec = object->key.codec;
	struct pagecodec_span stored = {NULL, 0};
	enum pgc_fault fault = check_capacity(target, size, failure);
	struct pgc_result result = {PGC_NO_FAULT, 0};

	if (fault)
		return fault;
	if (src_size == 0 && size == 0)
		return pgc_deliver_stored(NULL, 0, target, plain, failure);
	if (src_size == 0)
		result.fault = PGC_NO_INPUT;
	else if (!pgc_is_plausible(src_size, size, codec->most, codec->per))
		result.fault = PGC_IMPLAUSIBLE;
	else if (codec->examine)
		result.fault = codec->examine(src, src_size, size, &stored, &result.size);
	if (!result.fault && stored.data)
		return pgc_deliver_stored(stored.data, stored.size, target, plain, failure);
	if (!result.fault)
		result = decompress_to(object, src, src_size, size, target, plain);
	return result.fault ? stream_fault(result, src_size, size, failure) : PGC_NO_FAULT;
}

enum pagecodec_status
pagecodec_decompress(struct pagecodec_decompressor *decompressor, const void *src,
		     size_t src_size, size_t uncompressed_size, void *dst, size_t dst_capacity,
		     struct pagecodec_span *uncompressed, struct pagecodec_error *error)
{
	struct pgc_object *object = (struct pgc_object *)decompressor;
	struct pgc_target target = {dst, dst_capacity};
	struct pgc_failure failure = pgc_failure_of(object, pgc_check_object(object));

	if (uncompressed)
		*uncompressed = (struct pagecodec_span){NULL, 0};
	else
		failure.fault = PGC_NULL_RESULT;
	if (!failure.fault)
		failure.fault = pgc_check_target(&target);
	if (!failure.fault)
		failure.fault = pgc_check_data(src, src_size);
	if (!failure.fault)
		failure.fault = pgc_check_declared_size(object, uncompressed_size, &failure);
	if (!failure.fault)
		failure.fault = pgc_check_overlap(object, src, src_size, &target);
	if (!failure.fault)
		failure.fault = pgc_decompress_bytes(object, src, src_size, uncompressed_size,
						     &target, uncompressed, &failure);
	return failure.fault ? pgc_fail(error, failure) : PAGECODEC_OK;
}

static enum pgc_fault
arrow_buffer_size(const struct pgc_object *object, const void *src, size_t src_size,
		  size_t *size, struct pgc_failure *failure)
{
	enum pgc_fault fault;
	size_t stated = 0;

	if (!object->key.codec->stated_size)
		return PGC_NOT_ARROW;
	fault = pgc_check_data(src, src_size);
	if (fault)
		return fault;
	failure->src_size = src_size;
	fault = object->key.codec->stated_size(pgc_not_null(src), src_size, &stated);
	if (!fault)
		fault = pgc_check_declared_size(object, stated, failure);
	if (!fault)
		*size = stated;
	return fault;
}

enum pagecodec_status
pagecodec_arrow_buffer_size(struct pagecodec_decompressor *decompressor, const void *src,
			    size_t src_size, size_t *uncompressed_size,
			    struct pagecodec_error *error)
{
	struct pgc_object *object = (struct pgc_object *)decompressor;
	struct pgc_failure failure = pgc_failure_of(object, pgc_check_object(object));

	if (uncompressed_size)
		*uncompressed_size = 0;
	else
		failure.fault = PGC_NULL_RESULT;
	if (!failure.fault)
		failure.fault =
		    arrow_buffer_size(object, src, src_size, uncompressed_size, &failure);
	return failure.fault ? pgc_fail(error, failure) : PAGECODEC_OK;
}
