/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_roundtrip.c - any page through any compressor and back: the same stream however
 * the page is cut and wherever it goes, and every decoder makes the page of it.  The
 * input starts with the codec and the options.
 */
#include "reference.h"

enum flag {
	IS_REPEATED = 1, /* the page is longer than its bytes here */
	HAS_LEVEL = 2,
	HAS_WINDOW = 4,
	HAS_CHECKSUM = 8,
	OTHER_ENGINE = 16,
	IS_NOISE = 32 /* nothing makes the page smaller */
};

/* A page of several blocks of snappy, and longer than deflate's window. */
enum { REPEATED_MAX = 70000 };

struct sample {
	const struct pagecodec_codec_info *info;
	struct pagecodec_compressor_options options;
	struct pagecodec_compressor *compressor;
	struct zone page;
	struct zone stream; /* a copy of what the page became */
};

/* ---- The sample -------------------------------------------------------- */

static int
within(int low, int high, uint32_t choice)
{
	return low + (int)(choice % (uint32_t)(high - low + 1));
}

/* Every level that has a name of its own, and of the negative ones a few. */
static int
choose_level(const struct pagecodec_codec_info *info, const char *engine, uint8_t choice)
{
	int high = strcmp(engine, "zlib") == 0 ? 9 : info->max_level;

	if (choice & 0x80 && info->min_level < 0)
		return -(1 << choice % 18) < info->min_level ? info->min_level
							     : -(1 << choice % 18);
	return within(PGC_MAX(info->min_level, 0), high, choice);
}

static void
choose_options(struct sample *sample, uint8_t flags, uint8_t level, uint8_t window)
{
	const struct pagecodec_codec_info *info = sample->info;
	struct pagecodec_compressor_options *options = &sample->options;
	bool is_other = flags & OTHER_ENGINE && info->compress_engines[1];

	options->struct_size = sizeof(*options);
	options->engine = info->compress_engines[is_other ? 1 : 0];
	options->has_level = info->has_levels && flags & HAS_LEVEL;
	if (options->has_level)
		options->level = choose_level(info, options->engine, level);
	/* Large windows take memory and time by the megabyte, whatever the page. */
	if (info->max_window_log != 0 && flags & HAS_WINDOW)
		options->window_log = within(info->min_window_log, 20, window);
	options->checksum = info->has_checksum && flags & HAS_CHECKSUM;
}

/* Over and over, with a difference now and then, or everywhere. */
static struct zone
choose_page(struct feed feed, uint8_t flags)
{
	size_t size = feed.size;
	uint32_t noise = 1;
	struct zone page;

	if (flags & IS_REPEATED && size > 0)
		size = PGC_MIN(size * (1 + (size_t)feed.data[0] % 64), REPEATED_MAX);
	page = zone_new(ZONE_SRC, size);
	for (size_t i = 0; i < size; i++) {
		page.data[i] = (uint8_t)(feed.data[i % feed.size] + i / 7000);
		noise = noise * 1664525 + 1013904223;
		if (flags & IS_NOISE)
			page.data[i] ^= (uint8_t)(noise >> 24);
	}
	return page;
}

/* ---- There ------------------------------------------------------------- */

static enum pagecodec_status
compress(const struct sample *sample, const struct pagecodec_span *parts, size_t count,
	 struct zone dst, struct pagecodec_span *made, struct pagecodec_error *error)
{
	enum pagecodec_status status = pagecodec_compress(sample->compressor, parts, count,
							  dst.data, dst.size, made, error);

	zone_check(ZONE_SRC);
	if (status) {
		require_failure(status, error);
		require_no_span(*made);
	}
	return status;
}

static void
require_same(const struct sample *sample, struct pagecodec_span made)
{
	REQUIRE(made.data && made.size == sample->stream.size);
	REQUIRE(same_bytes(made.data, sample->stream.data, made.size));
}

/* In as many parts as there are cuts, some of them empty. */
static void
check_parts(const struct sample *sample, struct feed cuts)
{
	enum { PARTS = 6 };
	struct pagecodec_span parts[PARTS], made;
	size_t left = sample->page.size, at = 0;
	struct pagecodec_error error;

	for (size_t i = 0; i < PARTS; i++) {
		size_t size = i == PARTS - 1 ? left : left * feed_byte(&cuts) / 255;

		parts[i] = (struct pagecodec_span){size ? sample->page.data + at : NULL, size};
		at += size;
		left -= size;
	}
	REQUIRE(!compress(sample, parts, PARTS, (struct zone){NULL, 0}, &made, &error));
	require_same(sample, made);
}

/* Into just enough memory, or into less: which says what would do. */
static void
check_capacity(const struct sample *sample, size_t choice)
{
	struct pagecodec_span part = {sample->page.data, sample->page.size}, made;
	size_t size = sample->stream.size, capacity = choice & 1 && size ? choice % size : size;
	struct pagecodec_error error;
	struct zone dst = zone_new(ZONE_DST, capacity);

	if (capacity == size) {
		REQUIRE(!compress(sample, &part, 1, dst, &made, &error));
		require_same(sample, made);
		REQUIRE(made.data == dst.data);
	} else {
		REQUIRE(compress(sample, &part, 1, dst, &made, &error) ==
			PAGECODEC_DST_TOO_SMALL);
		REQUIRE(error.expected_size == size && error.actual_size == capacity);
	}
	zone_check(ZONE_DST);
}

static void
make_stream(struct sample *sample)
{
	struct pagecodec_span part = {sample->page.data, sample->page.size}, made;
	size_t bound = pagecodec_compress_bound(sample->info->codec, part.size);
	struct pagecodec_error error;
	struct zone dst = zone_new(ZONE_DST, bound);

	REQUIRE(!compress(sample, &part, 1, dst, &made, &error));
	REQUIRE(made.data && made.size <= bound);
	zone_check(ZONE_DST);
	sample->stream = zone_copy(ZONE_OTHER, made.data, made.size);
}

/* An object that served others before makes the same of it as a new one. */
static void
check_new_object(const struct sample *sample)
{
	struct pagecodec_span part = {sample->page.data, sample->page.size}, made;
	struct pagecodec_compressor *compressor;
	struct pagecodec_factory *factory;

	REQUIRE(!pagecodec_factory_create(NULL, &factory, NULL));
	REQUIRE(!pagecodec_compressor_get(factory, sample->info->codec, &sample->options,
					  &compressor, NULL));
	REQUIRE(!pagecodec_compress(compressor, &part, 1, NULL, 0, &made, NULL));
	require_same(sample, made);
	pagecodec_factory_destroy(factory);
	pagecodec_compressor_release(compressor);
}

/* ---- And back ---------------------------------------------------------- */

static enum pagecodec_status
decompress(const struct sample *sample, size_t engine, size_t size, size_t declared)
{
	struct pagecodec_decompressor *object = fuzz_decompressor(sample->info, engine);
	struct pagecodec_span made;
	struct pagecodec_error error;
	struct zone dst = zone_new(ZONE_DST, declared);
	enum pagecodec_status status =
	    pagecodec_decompress(object, sample->stream.data, size, declared,
				 declared ? dst.data : NULL, dst.size, &made, &error);

	zone_check(ZONE_DST);
	zone_check(ZONE_OTHER);
	if (status) {
		require_failure(status, &error);
		require_no_span(made);
		require_serves(object, sample->info);
	} else {
		REQUIRE(made.size == declared);
		REQUIRE(same_bytes(made.data, sample->page.data,
				   PGC_MIN(declared, sample->page.size)));
	}
	return status;
}

static void
check_decoders(const struct sample *sample, size_t choice)
{
	size_t size = sample->stream.size, declared = sample->page.size;
	size_t cut = size ? choice % size : 0, made;
	struct zone plain;

	for (size_t i = 0; sample->info->decompress_engines[i]; i++) {
		REQUIRE(!decompress(sample, i, size, declared));
		REQUIRE(is_damage(decompress(sample, i, size, declared + 1)));
		REQUIRE(declared == 0 || is_damage(decompress(sample, i, size, declared - 1)));
		/* What is left of an empty page may be one, too. */
		REQUIRE(size == 0 || declared == 0 ||
			is_damage(decompress(sample, i, cut, declared)));
	}
	if (!reference_has(sample->info->codec))
		return;
	plain = zone_new(ZONE_PLAIN, declared);
	REQUIRE(reference_decompress(sample->info->codec, sample->stream.data, size, plain.data,
				     declared, &made));
	REQUIRE(made == declared && same_bytes(plain.data, sample->page.data, declared));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed feed = {data, size};
	struct sample sample = {.info = fuzz_codec(feed_byte(&feed))};
	uint8_t flags = feed_byte(&feed), level = feed_byte(&feed), window = feed_byte(&feed);
	size_t choice = feed_u32(&feed);

	if (!sample.info || feed.size > REPEATED_MAX)
		return 0;
	choose_options(&sample, flags, level, window);
	sample.page = choose_page(feed, flags);
	REQUIRE(!pagecodec_compressor_get(fuzz_factory(), sample.info->codec, &sample.options,
					  &sample.compressor, NULL));
	make_stream(&sample);
	check_parts(&sample, feed);
	check_capacity(&sample, choice);
	if (choice % 8 < 2)
		check_new_object(&sample);
	check_decoders(&sample, choice);
	pagecodec_compressor_release(sample.compressor);
	return 0;
}
