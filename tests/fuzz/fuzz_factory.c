/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_factory.c - factories and their objects in any order of calls that pagecodec.h
 * allows, with any options, and with allocations that fail; held against a model of
 * what is out, what options mean, and what was allocated.  Each byte or few of the input
 * are a call.
 */
#include "model.h"

enum { FACTORIES = 2, OBJECTS = 6, CALLS_MAX = 60 };

static struct home {
	struct pagecodec_factory *factory; /* NULL: destroyed, or never made */
	struct heap *heap;
	size_t max_page_size;
	size_t max_idle_size;
	size_t out;
	bool has_gzip;	      /* whose engine takes memory that the factory does not tell of */
} homes[FACTORIES + OBJECTS]; /* a slot more for each that is destroyed in use */

static struct object {
	struct home *home; /* NULL: no object */
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;
	const struct pagecodec_codec_info *info;
} objects[OBJECTS];

/* ---- Memory ------------------------------------------------------------ */

static struct pagecodec_memory
memory_of(const struct home *home)
{
	struct pagecodec_memory memory = {.struct_size = sizeof(memory)};

	pagecodec_factory_memory(home->factory, &memory);
	return memory;
}

/* A failure that was asked for, and nothing else, may be OUT_OF_MEMORY. */
static bool
is_out_of_memory(const struct home *home, size_t failed_before, enum pagecodec_status status)
{
	REQUIRE(status != PAGECODEC_OUT_OF_MEMORY || home->heap->failed > failed_before);
	return status == PAGECODEC_OUT_OF_MEMORY;
}

static void
check_home(const struct home *home)
{
	struct pagecodec_memory memory;

	if (!home->factory)
		return;
	memory = memory_of(home);
	REQUIRE(memory.objects_out == home->out);
	REQUIRE(memory.bytes == home->heap->live_bytes && memory.peak_bytes >= memory.bytes);
	REQUIRE(home->max_idle_size != 1 || memory.objects_idle == 0);
}

/* ---- Factories --------------------------------------------------------- */

/* When the factory and its last object are gone, so is all memory. */
static void
leave(struct home *home)
{
	if (home->factory || home->out != 0 || !home->heap)
		return;
	REQUIRE(home->heap->live_count == 0 && home->heap->live_bytes == 0);
	free(home->heap);
	home->heap = NULL;
}

static void
create(struct home *home, struct feed *feed)
{
	static const size_t idle_sizes[] = {0, 1, 40000, 400000, SIZE_MAX};
	static const size_t page_sizes[] = {0, 1, 1000, 70000, SIZE_MAX};
	uint8_t choice = feed_byte(feed), shape = feed_byte(feed);
	struct {
		struct pagecodec_factory_options options;
		size_t beyond;
	} given = {.options = {.struct_size = sizeof(given.options)}};
	struct pagecodec_factory_options *options = &given.options;
	bool is_valid = true;
	enum pagecodec_status status;
	struct pagecodec_error error;

	home->heap = calloc(1, sizeof(*home->heap));
	REQUIRE(home->heap);
	home->heap->fail_in = shape >> 6 == 1;
	options->alloc_func = heap_alloc;
	options->free_func = heap_free;
	options->opaque = home->heap;
	options->max_page_size = page_sizes[choice % COUNT_OF(page_sizes)];
	options->max_idle_size = idle_sizes[choice / 8 % COUNT_OF(idle_sizes)];
	home->max_page_size = options->max_page_size ? options->max_page_size : INT32_MAX;
	home->max_idle_size = options->max_idle_size;
	home->has_gzip = false;
	switch (shape % 8) {
	case 1:
		options->struct_size = feed_byte(feed) % sizeof(*options);
		is_valid = false;
		break;
	case 2:
		options->struct_size = sizeof(given);
		given.beyond = feed_byte(feed);
		is_valid = given.beyond == 0;
		break;
	case 3:
		options->free_func = NULL;
		is_valid = false;
		break;
	default:
		break;
	}
	status = pagecodec_factory_create(options, &home->factory, &error);
	if (status) {
		require_failure(status, &error);
		REQUIRE(!home->factory);
		REQUIRE(is_out_of_memory(home, 0, status) ||
			(!is_valid && status == PAGECODEC_INVALID_ARGUMENT));
	} else {
		REQUIRE(is_valid && home->factory);
	}
	leave(home);
}

/* Objects that are out keep a home of their own. */
static void
destroy(struct home *home)
{
	struct home *other = &homes[FACTORIES];

	pagecodec_factory_destroy(home->factory);
	home->factory = NULL;
	if (home->out == 0) {
		leave(home);
		return;
	}
	while (other->heap)
		other++;
	*other = *home;
	for (size_t i = 0; i < OBJECTS; i++)
		if (objects[i].home == home)
			objects[i].home = other;
	*home = (struct home){0};
}

/* ---- Objects ----------------------------------------------------------- */

/* A codec's number, known or not. */
static int32_t
choose_codec(struct feed *feed)
{
	uint8_t choice = feed_byte(feed);

	return choice < 200 ? choice % 10 + (choice % 10 > 7 ? 92 : 0)
			    : (int32_t)feed_u32(feed);
}

/* The right one, a strange one, or the default. */
static const char *
choose_engine(const struct pagecodec_codec_info *info, uint8_t choice)
{
	static const char *const names[] = {"zlib", "libdeflate", "libsnappy", "", "LIBZSTD"};

	if (choice < 128 || !info)
		return NULL;
	if (choice >= 240)
		return names[choice % 5];
	return info->is_available ? info->compress_engines[choice % 2] : NULL;
}

static void
check_got(struct object *object, const struct pagecodec_codec_info *info, bool is_valid,
	  enum pagecodec_status status, size_t failed_before)
{
	bool is_made = object->compressor || object->decompressor;

	REQUIRE(is_made == (status == PAGECODEC_OK));
	if (is_out_of_memory(object->home, failed_before, status))
		REQUIRE(is_valid);
	else if (is_valid)
		REQUIRE(status == PAGECODEC_OK);
	else
		REQUIRE(status == PAGECODEC_INVALID_ARGUMENT ||
			status == (info ? PAGECODEC_NOT_BUILT : PAGECODEC_UNKNOWN_CODEC));
	object->info = info;
	if (is_made) {
		object->home->out++;
		object->home->has_gzip |= info->codec == PAGECODEC_GZIP;
	} else {
		*object = (struct object){0};
	}
}

static void
get_compressor(struct object *object, struct home *home, struct feed *feed)
{
	int32_t codec = choose_codec(feed);
	const struct pagecodec_codec_info *info = pagecodec_find_codec(codec);
	struct pagecodec_compressor_options options = {.struct_size = sizeof(options)};
	uint8_t shape = feed_byte(feed);
	size_t failed = home->heap->failed;
	enum pagecodec_status status;

	options.engine = choose_engine(info, feed_byte(feed));
	options.page_crc = shape >> 5 & 1;
	if (shape & 1)
		options.has_level = 1;
	if (shape & 2)
		options.level = (int8_t)feed_byte(feed);
	if (shape & 4)
		options.window_log = feed_byte(feed) % 32;
	if (shape & 8)
		options.checksum = feed_byte(feed) % 4;
	if (shape & 16)
		options.struct_size -= feed_byte(feed) % 32;
	if (shape >> 6 == 3)
		options.reserved = feed_byte(feed);
	object->home = home;
	status =
	    pagecodec_compressor_get(home->factory, codec, &options, &object->compressor, NULL);
	check_got(object, info, info && are_options_valid(info, &options), status, failed);
}

static void
get_decompressor(struct object *object, struct home *home, struct feed *feed)
{
	int32_t codec = choose_codec(feed);
	const struct pagecodec_codec_info *info = pagecodec_find_codec(codec);
	struct pagecodec_decompressor_options options = {.struct_size = sizeof(options)};
	size_t failed = home->heap->failed;
	enum pagecodec_status status;

	options.engine = choose_engine(info, feed_byte(feed));
	object->home = home;
	status = pagecodec_decompressor_get(home->factory, codec, &options,
					    &object->decompressor, NULL);
	check_got(object, info, info && has_engine(info, options.engine), status, failed);
}

static enum pagecodec_status
compress(const struct object *object, struct zone page, struct pagecodec_span *made)
{
	struct pagecodec_span part = {page.data, page.size};

	return pagecodec_compress(object->compressor, &part, 1, NULL, 0, made, NULL);
}

/* What it makes of a page is right, or it says why there is nothing. */
static void
use(const struct object *object, struct feed *feed)
{
	size_t size = (size_t)feed_byte(feed) << (feed_byte(feed) % 8);
	struct zone page = zone_new(ZONE_SRC, size);
	struct home *home = object->home;
	size_t failed = home->heap->failed;
	enum pagecodec_status status;
	struct pagecodec_span made;

	for (size_t i = 0; i < size; i++)
		page.data[i] = (uint8_t)(i * i >> 7);
	if (object->decompressor) {
		if (home->heap->fail_in == 0 && home->max_page_size >= KNOWN_PAGE_SIZE)
			require_serves(object->decompressor, object->info);
		return;
	}
	status = compress(object, page, &made);
	if (status)
		require_no_span(made);
	if (size > home->max_page_size) {
		REQUIRE(status == PAGECODEC_TOO_LARGE);
		return;
	}
	if (is_out_of_memory(home, failed, status)) {
		home->heap->fail_in = 0;
		status = compress(object, page, &made);
	}
	REQUIRE(!status);
	page = zone_copy(ZONE_OTHER, page.data, size);
	REQUIRE(!pagecodec_decompress(fuzz_decompressor(object->info, 0), made.data, made.size,
				      size, NULL, 0, &made, NULL));
	REQUIRE(made.size == size && same_bytes(made.data, page.data, size));
}

/* What is less in all than may be kept is kept. */
static bool
must_keep(const struct home *home)
{
	size_t most = home->max_idle_size ? home->max_idle_size : (size_t)64 << 20;

	return !home->has_gzip && memory_of(home).bytes <= most;
}

/* An idle object says so, and a second release of it is none. */
static void
check_idle(const struct object *object)
{
	struct pagecodec_span made;

	if (object->compressor) {
		REQUIRE(pagecodec_compress(object->compressor, NULL, 0, NULL, 0, &made, NULL) ==
			PAGECODEC_INVALID_ARGUMENT);
		pagecodec_compressor_release(object->compressor);
	} else {
		REQUIRE(pagecodec_decompress(object->decompressor, NULL, 0, 0, NULL, 0, &made,
					     NULL) == PAGECODEC_INVALID_ARGUMENT);
		pagecodec_decompressor_release(object->decompressor);
	}
}

static void
release(struct object *object)
{
	struct home *home = object->home;
	size_t idle = home->factory ? memory_of(home).objects_idle : 0;
	bool is_kept = home->factory && must_keep(home);

	pagecodec_compressor_release(object->compressor);
	pagecodec_decompressor_release(object->decompressor);
	home->out--;
	REQUIRE(!is_kept || memory_of(home).objects_idle == idle + 1);
	if (home->factory && memory_of(home).objects_idle == idle + 1)
		check_idle(object);
	*object = (struct object){0};
	leave(home);
}

/* ---- Calls ------------------------------------------------------------- */

static void
call(struct feed *feed)
{
	uint8_t choice = feed_byte(feed);
	struct home *home = &homes[choice / 8 % FACTORIES];
	struct object *object = &objects[choice / 16 % OBJECTS];

	if (choice % 8 == 0 && !home->factory)
		create(home, feed);
	else if (choice % 8 == 0 && choice >= 192)
		destroy(home);
	else if (choice % 8 <= 2 && home->factory && !object->home)
		get_compressor(object, home, feed);
	else if (choice % 8 == 3 && home->factory && !object->home)
		get_decompressor(object, home, feed);
	else if (choice % 8 <= 5 && object->home)
		use(object, feed);
	else if (choice % 8 == 6 && object->home)
		release(object);
	else if (home->factory && choice % 8 == 7 && choice & 8) {
		pagecodec_factory_trim(home->factory);
		REQUIRE(memory_of(home).objects_idle == 0);
	} else if (home->factory && choice % 8 == 7)
		home->heap->fail_in = feed_byte(feed) % 16;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct feed feed = {data, size};

	for (int i = 0; i < CALLS_MAX && feed.size > 0; i++) {
		call(&feed);
		for (size_t f = 0; f < FACTORIES; f++)
			check_home(&homes[f]);
	}
	/* Objects first or factories first. */
	for (size_t f = 0; f < FACTORIES && size & 1; f++)
		destroy(&homes[f]);
	for (size_t i = 0; i < OBJECTS; i++)
		if (objects[i].home)
			release(&objects[i]);
	for (size_t f = 0; f < FACTORIES; f++)
		destroy(&homes[f]);
	for (size_t f = 0; f < COUNT_OF(homes); f++)
		REQUIRE(!homes[f].heap);
	return 0;
}
