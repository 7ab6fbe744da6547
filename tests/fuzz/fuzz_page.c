/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_page.c - whole Parquet pages: headers that lie, held against the order of checks
 * that pagecodec.h promises; and pages that are written, read back, and then damaged.
 * The input starts with the codec, flags, and the numbers of a header.
 */
#include "reference.h"

enum flag {
	WRITES = 1,
	IS_STORED = 2,
	HAS_CRC = 4,
	FITS_BODY = 8,	 /* compressed_page_size and the levels are those of the body */
	FITS_PLAIN = 16, /* uncompressed_page_size is what the body holds */
	FITS_CRC = 32,
	OWN_MEMORY = 64,
	IS_V1 = 128
};

enum { HEADER_NUMBERS = 5, LEVELS_MAX = 200 };

struct sample {
	const struct pagecodec_codec_info *info;
	uint8_t flags;
	struct pagecodec_page page;
};

/* ---- Reading ----------------------------------------------------------- */

/* What pagecodec_decompress makes of the rest, with an object that reads no pages. */
static enum pagecodec_status
expect_values(const struct sample *sample, size_t lead, struct pagecodec_span *values)
{
	static struct pagecodec_decompressor *others[PAGECODEC_ARROW_ZSTD + 1];
	struct pagecodec_decompressor **other = &others[sample->info->codec];
	const struct pagecodec_page *page = &sample->page;
	const uint8_t *body = page->body;
	size_t held = (size_t)page->compressed_page_size - lead;
	size_t size = (size_t)page->uncompressed_page_size - lead;

	if (page->is_stored || sample->info->codec == PAGECODEC_UNCOMPRESSED) {
		*values = (struct pagecodec_span){body + lead, size};
		return PAGECODEC_OK;
	}
	if (!*other)
		REQUIRE(!pagecodec_decompressor_get(fuzz_factory(), sample->info->codec, NULL,
						    other, NULL));
	return pagecodec_decompress(*other, body + lead, held, size, NULL, 0, values, NULL);
}

/* The checks in the order that the header states. */
static enum pagecodec_status
expect(const struct sample *sample, size_t *lead, struct pagecodec_span *values)
{
	const struct pagecodec_page *page = &sample->page;
	int64_t repetition = page->repetition_levels_byte_length;
	int64_t definition = page->definition_levels_byte_length;
	int64_t compressed = page->compressed_page_size;
	int64_t uncompressed = page->uncompressed_page_size;
	bool is_stored = page->is_stored || sample->info->codec == PAGECODEC_UNCOMPRESSED;

	*values = (struct pagecodec_span){NULL, 0};
	if (repetition < 0 || definition < 0 || compressed < 0 || uncompressed < 0)
		return PAGECODEC_CORRUPT;
	if ((uint64_t)compressed > page->body_size)
		return PAGECODEC_TRUNCATED;
	if (repetition + definition > PGC_MIN(compressed, uncompressed))
		return PAGECODEC_CORRUPT;
	if (uncompressed > PAGE_MAX)
		return PAGECODEC_TOO_LARGE;
	if (is_stored && compressed != uncompressed)
		return PAGECODEC_SIZE_MISMATCH;
	if (page->has_crc && page->crc != pagecodec_crc32(0, page->body, (size_t)compressed))
		return PAGECODEC_CHECKSUM_MISMATCH;
	*lead = (size_t)(repetition + definition);
	return expect_values(sample, *lead, values);
}

static void
check_result(const struct sample *sample, enum pagecodec_status status, size_t lead,
	     struct pagecodec_span levels, struct pagecodec_span values,
	     struct pagecodec_span expected)
{
	if (status) {
		require_no_span(levels);
		require_no_span(values);
		require_serves(fuzz_decompressor(sample->info, 0), sample->info);
		return;
	}
	REQUIRE(levels.data && levels.size == lead);
	REQUIRE(lead == 0 || levels.data == sample->page.body);
	REQUIRE(values.data && values.size == expected.size);
	REQUIRE(same_bytes(values.data, expected.data, values.size));
}

/* Without values: the checks of the header alone. */
static void
check_header_only(const struct sample *sample, size_t lead, enum pagecodec_status full)
{
	struct pagecodec_decompressor *object = fuzz_decompressor(sample->info, 0);
	struct pagecodec_span levels;
	enum pagecodec_status status =
	    pagecodec_decompress_page(object, &sample->page, NULL, 0, &levels, NULL, NULL);

	if (status) {
		REQUIRE(status == full);
		require_no_span(levels);
	} else {
		REQUIRE(levels.data && (full || levels.size == lead));
	}
}

static void
check_reading(const struct sample *sample)
{
	struct pagecodec_decompressor *object = fuzz_decompressor(sample->info, 0);
	struct pagecodec_span levels, values, expected;
	struct zone dst = {NULL, 0};
	struct pagecodec_error error;
	size_t lead = 0;
	enum pagecodec_status want = expect(sample, &lead, &expected), status;

	REQUIRE(!want || is_damage(want));
	require_serves(object, sample->info);
	if (!(sample->flags & OWN_MEMORY))
		dst = zone_new(ZONE_DST, want ? PAGE_MAX : expected.size);
	status = pagecodec_decompress_page(object, &sample->page, dst.data, dst.size, &levels,
					   &values, &error);
	REQUIRE(status == want);
	if (status)
		require_failure(status, &error);
	zone_check(ZONE_DST);
	zone_check(ZONE_SRC);
	check_result(sample, status, lead, levels, values, expected);
	check_header_only(sample, lead, status);
	if (!status && dst.data && expected.size > 0) {
		dst = zone_new(ZONE_DST, expected.size - 1);
		status = pagecodec_decompress_page(object, &sample->page, dst.data, dst.size,
						   &levels, &values, &error);
		REQUIRE(status == PAGECODEC_DST_TOO_SMALL || dst.size == 0);
		zone_check(ZONE_DST);
	}
}

/* ---- Headers ----------------------------------------------------------- */

/* Levels that are short, sizes that are right: what is left to find is behind them. */
static void
fit_body(struct pagecodec_page *page)
{
	int32_t levels = (int32_t)PGC_MIN(page->body_size, LEVELS_MAX);

	page->compressed_page_size = (int32_t)page->body_size;
	page->repetition_levels_byte_length =
	    levels ? (int32_t)((uint32_t)page->repetition_levels_byte_length % (uint32_t)levels)
		   : 0;
	levels -= page->repetition_levels_byte_length;
	page->definition_levels_byte_length =
	    levels ? (int32_t)((uint32_t)page->definition_levels_byte_length % (uint32_t)levels)
		   : 0;
}

static void
fit_plain(struct sample *sample)
{
	struct pagecodec_page *page = &sample->page;
	int64_t lead =
	    (int64_t)page->repetition_levels_byte_length + page->definition_levels_byte_length;
	struct zone plain = zone_new(ZONE_PLAIN, PAGE_MAX);
	size_t size;

	if (lead < 0 || lead > page->compressed_page_size ||
	    (size_t)page->compressed_page_size > page->body_size)
		return;
	if (page->is_stored)
		page->uncompressed_page_size = page->compressed_page_size;
	else if (reference_has(sample->info->codec) &&
		 reference_decompress(sample->info->codec, (const uint8_t *)page->body + lead,
				      (size_t)page->compressed_page_size - (size_t)lead,
				      plain.data, PAGE_MAX, &size))
		page->uncompressed_page_size = (int32_t)size + (int32_t)lead;
}

static void
read_header(struct sample *sample, struct feed *feed)
{
	struct pagecodec_page *page = &sample->page;

	page->uncompressed_page_size = (int32_t)feed_u32(feed);
	page->compressed_page_size = (int32_t)feed_u32(feed);
	page->repetition_levels_byte_length = (int32_t)feed_u32(feed);
	page->definition_levels_byte_length = (int32_t)feed_u32(feed);
	page->crc = feed_u32(feed);
	page->is_stored = (sample->flags & IS_STORED) != 0;
	page->has_crc = (sample->flags & HAS_CRC) != 0;
}

static void
fit(struct sample *sample)
{
	struct pagecodec_page *page = &sample->page;

	if (sample->flags & FITS_BODY)
		fit_body(page);
	if (sample->flags & FITS_PLAIN)
		fit_plain(sample);
	if (sample->flags & FITS_CRC && page->compressed_page_size >= 0 &&
	    (size_t)page->compressed_page_size <= page->body_size)
		page->crc = pagecodec_crc32(0, page->body, (size_t)page->compressed_page_size);
}

/* ---- Writing ----------------------------------------------------------- */

static enum pagecodec_status
write_page(const struct sample *sample, const struct pagecodec_span spans[4], struct zone dst,
	   struct pagecodec_page *page)
{
	struct pagecodec_compressor_options options = {
	    .struct_size = sizeof(options), .page_crc = (sample->flags & HAS_CRC) != 0};
	struct pagecodec_compressor *compressor;
	enum pagecodec_status status;

	REQUIRE(!pagecodec_compressor_get(fuzz_factory(), sample->info->codec, &options,
					  &compressor, NULL));
	if (sample->flags & IS_V1)
		status = pagecodec_compress_page_v1(compressor, spans, 4, dst.data, dst.size,
						    page, NULL);
	else
		status = pagecodec_compress_page_v2(compressor, &spans[0], &spans[1], &spans[2],
						    2, dst.data, dst.size, page, NULL);
	pagecodec_compressor_release(compressor);
	return status;
}

/* What the header of a page that was written must say. */
static void
check_written(const struct sample *sample, const struct pagecodec_span spans[4], size_t size)
{
	const struct pagecodec_page *page = &sample->page;
	size_t lead = spans[0].size + spans[1].size;

	REQUIRE(page->body && (size_t)page->compressed_page_size == page->body_size);
	REQUIRE((size_t)page->uncompressed_page_size == size);
	REQUIRE(page->has_crc == ((sample->flags & HAS_CRC) != 0));
	REQUIRE(!page->has_crc || page->crc == pagecodec_crc32(0, page->body, page->body_size));
	if (sample->flags & IS_V1) {
		REQUIRE(page->repetition_levels_byte_length == 0 &&
			page->definition_levels_byte_length == 0 && !page->is_stored);
		return;
	}
	REQUIRE((size_t)page->repetition_levels_byte_length == spans[0].size);
	REQUIRE((size_t)page->definition_levels_byte_length == spans[1].size);
	REQUIRE(page->is_stored ? page->body_size == size : page->body_size < size);
	REQUIRE(same_bytes(page->body, spans[0].data, spans[0].size));
	REQUIRE(same_bytes((const uint8_t *)page->body + spans[0].size, spans[1].data,
			   spans[1].size));
	REQUIRE(lead <= page->body_size);
}

/* The parts of the input are the page's; numbers say how long the levels are. */
static void
check_writing(struct sample *sample, struct feed feed)
{
	struct pagecodec_page lies = sample->page;
	struct zone plain = zone_copy(ZONE_OTHER, feed.data, feed.size), body, dst;
	struct pagecodec_span spans[4];
	size_t at = 0, bound,
	       sizes[3] = {(uint32_t)lies.repetition_levels_byte_length % 64,
			   (uint32_t)lies.definition_levels_byte_length % 64,
			   (uint32_t)lies.uncompressed_page_size % (feed.size + 1)};

	for (int i = 0; i < 4; i++) {
		size_t left = plain.size - at;

		spans[i].data = plain.data + at;
		spans[i].size = i == 3 ? left : PGC_MIN(sizes[i], left);
		at += spans[i].size;
	}
	/* V2 never takes more than what it is made of. */
	bound = sample->flags & IS_V1
		    ? pagecodec_compress_bound(sample->info->codec, plain.size)
		    : plain.size;
	dst = zone_new(ZONE_DST, bound);
	REQUIRE(!write_page(sample, spans,
			    sample->flags & OWN_MEMORY ? (struct zone){NULL, 0} : dst,
			    &sample->page));
	zone_check(ZONE_DST);
	check_written(sample, spans, plain.size);
	body = zone_copy(ZONE_SRC, sample->page.body, sample->page.body_size);
	sample->page.body = body.data;
	check_reading(sample);

	/* Now what a header may say wrongly, one number at a time. */
	for (int i = 0; i < HEADER_NUMBERS; i++) {
		struct sample lying = *sample;
		int32_t *numbers[HEADER_NUMBERS - 1] = {
		    &lying.page.uncompressed_page_size, &lying.page.compressed_page_size,
		    &lying.page.repetition_levels_byte_length,
		    &lying.page.definition_levels_byte_length};
		const int32_t lie[HEADER_NUMBERS - 1] = {
		    lies.uncompressed_page_size, lies.compressed_page_size,
		    lies.repetition_levels_byte_length, lies.definition_levels_byte_length};

		if (i == HEADER_NUMBERS - 1)
			lying.page.crc = lies.crc;
		else
			*numbers[i] = lie[i];
		check_reading(&lying);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed feed = {data, size};
	struct sample sample = {.info = fuzz_codec(feed_byte(&feed))};
	struct zone body;

	sample.flags = feed_byte(&feed);
	read_header(&sample, &feed);
	if (!sample.info || feed.size > PAGE_MAX)
		return 0;
	if (sample.flags & WRITES) {
		check_writing(&sample, feed);
		return 0;
	}
	body = zone_copy(ZONE_SRC, feed.data, feed.size);
	sample.page.body = body.data;
	sample.page.body_size = body.size;
	fit(&sample);
	check_reading(&sample);
	return 0;
}
