/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_decompress.c - any bytes as a page of any codec: the verdict and the bytes are
 * those of the bare library, of every engine, into any memory.  The input starts with
 * the codec, flags, and the size that a page header would declare.
 */
#include "reference.h"

enum flag {
	FRAME_GZIP = 1,	  /* what follows is raw deflate */
	ROOM_BEYOND = 2,  /* dst is larger than the page */
	ROOM_LACKING = 4, /* and then dst is smaller, too */
};

struct sample {
	const struct pagecodec_codec_info *info;
	struct zone src;
	uint8_t flags;

	/* The reference's verdict, if there is one. */
	bool is_known, is_sound;
	struct zone plain;
};

/* README names what engines take that the reference does not, or the other way. */
static bool
may_differ(const struct sample *sample, const char *engine)
{
	return (strcmp(engine, "libdeflate") == 0 && !sample->is_sound) ||
	       (sample->info->codec == PAGECODEC_SNAPPY && strcmp(engine, "pagecodec") == 0 &&
		has_wrapped_literal(sample->src));
}

static void
check_verdict(const struct sample *sample, const char *engine, size_t declared,
	      enum pagecodec_status status, struct pagecodec_span made)
{
	bool is_right = sample->is_sound && sample->plain.size == declared;

	if (declared > PAGE_MAX) {
		REQUIRE(status == PAGECODEC_TOO_LARGE);
		return;
	}
	if (status == PAGECODEC_OK)
		REQUIRE(made.data && made.size == declared);
	else
		REQUIRE(is_damage(status));
	if (!sample->is_known || may_differ(sample, engine))
		return;
	REQUIRE((status == PAGECODEC_OK) == is_right);
	REQUIRE(!is_right || same_bytes(made.data, sample->plain.data, declared));
}

static enum pagecodec_status
decompress(const struct sample *sample, size_t engine, size_t declared, struct zone dst,
	   struct pagecodec_span *made)
{
	struct pagecodec_decompressor *object = fuzz_decompressor(sample->info, engine);
	struct pagecodec_error error;
	enum pagecodec_status status =
	    pagecodec_decompress(object, sample->src.data, sample->src.size, declared, dst.data,
				 dst.size, made, &error);

	zone_check(ZONE_SRC);
	if (status) {
		require_failure(status, &error);
		require_no_span(*made);
		REQUIRE(status != PAGECODEC_DST_TOO_SMALL || error.expected_size == declared);
	}
	return status;
}

/* To the object's own memory, in which a page lay that is known; then to ours. */
static void
check_engine(const struct sample *sample, size_t engine, size_t declared)
{
	const char *name = sample->info->decompress_engines[engine];
	struct pagecodec_decompressor *object = fuzz_decompressor(sample->info, engine);
	size_t capacity =
	    PGC_MIN(declared, PAGE_MAX) + (sample->flags & ROOM_BEYOND ? sample->flags : 0);
	enum pagecodec_status own, given;
	struct pagecodec_span made;
	struct zone dst;

	require_serves(object, sample->info);
	own = decompress(sample, engine, declared, (struct zone){NULL, 0}, &made);
	check_verdict(sample, name, declared, own, made);
	if (own)
		require_serves(object, sample->info);

	dst = zone_new(ZONE_DST, capacity);
	given = decompress(sample, engine, declared, dst, &made);
	REQUIRE(given == own && (given || made.data == dst.data));
	check_verdict(sample, name, declared, given, made);
	zone_check(ZONE_DST);
	if (sample->flags & ROOM_LACKING && capacity > 0 && declared <= PAGE_MAX &&
	    capacity == declared) {
		dst = zone_new(ZONE_DST, capacity - 1);
		REQUIRE(decompress(sample, engine, declared, dst, &made) ==
			PAGECODEC_DST_TOO_SMALL);
		zone_check(ZONE_DST);
	}
}

/* Engines have the same verdict among them, too, where nothing better is known. */
static void
check_sample(const struct sample *sample, size_t declared)
{
	struct pagecodec_span made[2];
	enum pagecodec_status status[2];
	size_t engine = 0;

	for (; sample->info->decompress_engines[engine]; engine++) {
		REQUIRE(engine < COUNT_OF(made));
		check_engine(sample, engine, declared);
		status[engine] =
		    decompress(sample, engine, declared, (struct zone){NULL, 0}, &made[engine]);
	}
	if (engine == 2 && !status[0] && !status[1])
		REQUIRE(same_bytes(made[0].data, made[1].data, declared));
}

/* That an Arrow buffer says of itself is what it is decompressed to. */
static void
check_stated_size(const struct sample *sample)
{
	struct pagecodec_error error;
	size_t size;
	enum pagecodec_status status =
	    pagecodec_arrow_buffer_size(fuzz_decompressor(sample->info, 0), sample->src.data,
					sample->src.size, &size, &error);

	if (status) {
		require_failure(status, &error);
		REQUIRE(size == 0);
		REQUIRE(!sample->is_sound || status == PAGECODEC_INVALID_ARGUMENT);
		return;
	}
	REQUIRE(!sample->is_sound || size == sample->plain.size);
	check_sample(sample, size);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed feed = {data, size};
	struct sample sample = {.info = fuzz_codec(feed_byte(&feed))};
	size_t declared, plain_size;

	sample.flags = feed_byte(&feed);
	declared = feed_size(&feed);
	if (!sample.info || feed.size > PAGE_MAX)
		return 0;
	if (sample.info->codec == PAGECODEC_GZIP && sample.flags & FRAME_GZIP) {
		sample.src = zone_new(ZONE_SRC, feed.size + GZIP_FRAME_SIZE);
		reference_frame_gzip(feed.data, feed.size, sample.src.data);
	} else {
		sample.src = zone_copy(ZONE_SRC, feed.data, feed.size);
	}
	sample.is_known = reference_has(sample.info->codec);
	sample.plain = zone_new(ZONE_PLAIN, PAGE_MAX);
	sample.is_sound =
	    sample.is_known &&
	    reference_decompress(sample.info->codec, sample.src.data, sample.src.size,
				 sample.plain.data, PAGE_MAX, &plain_size);
	sample.plain.size = sample.is_sound ? plain_size : 0;

	check_sample(&sample, declared);
	check_stated_size(&sample);
	if (sample.is_sound) {
		check_sample(&sample, plain_size);
		check_sample(&sample, plain_size + 1);
	}
	return 0;
}
