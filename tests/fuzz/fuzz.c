/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz.c - what the fuzz targets share: choices, zones, objects
 * The codec libraries are not instrumented: a page without access stops them where
 * ASan cannot see them.
 */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

/* ---- Choices ---------------------------------------------------------- */

uint8_t
feed_byte(struct feed *feed)
{
	if (feed->size == 0)
		return 0;
	feed->size--;
	return *feed->data++;
}

uint32_t
feed_u32(struct feed *feed)
{
	uint32_t value = 0;

	for (int i = 0; i < 4; i++)
		value |= (uint32_t)feed_byte(feed) << (8 * i);
	return value;
}

size_t
feed_size(struct feed *feed)
{
	return (size_t)(ptrdiff_t)(int32_t)feed_u32(feed);
}

struct feed
feed_bytes(struct feed *feed, size_t size)
{
	struct feed bytes = {feed->data, PGC_MIN(size, feed->size)};

	feed->data += bytes.size;
	feed->size -= bytes.size;
	return bytes;
}

/* ---- Memory ----------------------------------------------------------- */

enum { RED_SIZE = 256, RED = 0xb7 };

static struct place {
	uint8_t *start;	  /* of ZONE_MAX + RED_SIZE bytes; then comes no access */
	struct zone zone; /* at the end of them */
} places[ZONE_COUNT];

static void
open_place(struct place *place)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = ZONE_MAX + page;

	place->start =
	    mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	REQUIRE(place->start != MAP_FAILED);
	REQUIRE(mprotect(place->start + size, page, PROT_NONE) == 0);
	place->zone.data = place->start + size;
	memset(place->start, RED, size);
	ASAN_POISON_MEMORY_REGION(place->start, size);
}

struct zone
zone_new(int number, size_t size)
{
	struct place *place = &places[number];
	uint8_t *end;

	REQUIRE(size <= ZONE_MAX);
	if (!place->start)
		open_place(place);
	end = place->zone.data + place->zone.size;
	memset(place->zone.data, RED, place->zone.size);
	ASAN_POISON_MEMORY_REGION(place->zone.data, place->zone.size);
	place->zone = (struct zone){end - size, size};
	ASAN_UNPOISON_MEMORY_REGION(place->zone.data, size);
	return place->zone;
}

struct zone
zone_copy(int number, const void *data, size_t size)
{
	struct zone zone = zone_new(number, size);

	if (size != 0)
		memcpy(zone.data, data, size);
	return zone;
}

const char *
fuzz_file(const uint8_t *data, size_t size)
{
	static char name[32];
	static FILE *file;

	if (!file) {
		file = tmpfile();
		REQUIRE(file && freopen("/dev/null", "w", stdout));
		snprintf(name, sizeof(name), "/dev/fd/%d", fileno(file));
	}
	/* In this order: ext4 writes to the disk what was cut to nothing. */
	REQUIRE(pwrite(fileno(file), data, size, 0) == (ssize_t)size);
	REQUIRE(ftruncate(fileno(file), (off_t)size) == 0);
	return name;
}

void
zone_check(int number)
{
	const struct place *place = &places[number];
	uint8_t *red;

	if (!place->start)
		return;
	red = place->zone.data - RED_SIZE;
	ASAN_UNPOISON_MEMORY_REGION(red, RED_SIZE);
	for (size_t i = 0; i < RED_SIZE; i++)
		REQUIRE(red[i] == RED);
	ASAN_POISON_MEMORY_REGION(red, RED_SIZE);
}

/* ---- Objects ---------------------------------------------------------- */

enum { CODECS = 10, ENGINES = 2 };

static const int32_t codecs[CODECS] = {0, 1, 2, 3, 4, 5, 6, 7, 100, 101};

/* A page of each codec, and objects, made where they are asked for. */
static struct slot {
	struct pagecodec_decompressor *decompressors[ENGINES];
	uint8_t *known;
	size_t known_size;
} slots[CODECS];

static struct slot *
slot_of(const struct pagecodec_codec_info *info)
{
	size_t i = 0;

	while (codecs[i] != info->codec)
		i++;
	return &slots[i];
}

struct pagecodec_factory *
fuzz_factory(void)
{
	static struct pagecodec_factory *factory;
	struct pagecodec_factory_options options = {.struct_size = sizeof(options),
						    .max_page_size = PAGE_MAX};

	if (!factory)
		REQUIRE(!pagecodec_factory_create(&options, &factory, NULL));
	return factory;
}

const struct pagecodec_codec_info *
fuzz_codec(uint8_t choice)
{
	const struct pagecodec_codec_info *info = pagecodec_find_codec(codecs[choice % CODECS]);

	return info->is_available ? info : NULL;
}

struct pagecodec_decompressor *
fuzz_decompressor(const struct pagecodec_codec_info *info, size_t engine)
{
	struct pagecodec_decompressor_options options = {
	    .struct_size = sizeof(options), .engine = info->decompress_engines[engine]};
	struct slot *slot = slot_of(info);

	if (!slot->decompressors[engine])
		REQUIRE(!pagecodec_decompressor_get(fuzz_factory(), info->codec, &options,
						    &slot->decompressors[engine], NULL));
	return slot->decompressors[engine];
}

static void
make_known(struct slot *slot, const struct pagecodec_codec_info *info, const uint8_t *page)
{
	struct pagecodec_span part = {page, KNOWN_PAGE_SIZE}, made;
	struct pagecodec_compressor *compressor;

	REQUIRE(
	    !pagecodec_compressor_get(fuzz_factory(), info->codec, NULL, &compressor, NULL));
	REQUIRE(!pagecodec_compress(compressor, &part, 1, NULL, 0, &made, NULL));
	slot->known = malloc(made.size);
	REQUIRE(slot->known);
	memcpy(slot->known, made.data, made.size);
	slot->known_size = made.size;
	pagecodec_compressor_release(compressor);
}

void
require_serves(struct pagecodec_decompressor *decompressor,
	       const struct pagecodec_codec_info *info)
{
	struct slot *slot = slot_of(info);
	struct pagecodec_span made;
	uint8_t page[KNOWN_PAGE_SIZE];

	for (size_t i = 0; i < KNOWN_PAGE_SIZE; i++)
		page[i] = (uint8_t)(0xe0 + i % 11 + i / 50);
	if (!slot->known)
		make_known(slot, info, page);
	REQUIRE(!pagecodec_decompress(decompressor, slot->known, slot->known_size,
				      KNOWN_PAGE_SIZE, NULL, 0, &made, NULL));
	REQUIRE(made.size == KNOWN_PAGE_SIZE && same_bytes(made.data, page, KNOWN_PAGE_SIZE));
}

void
require_failure(enum pagecodec_status status, const struct pagecodec_error *error)
{
	REQUIRE(status != PAGECODEC_OK && error->status == status);
	REQUIRE(error->message[0] != '\0' &&
		memchr(error->message, '\0', sizeof(error->message)) != NULL);
	for (const char *c = error->message; *c; c++)
		REQUIRE(*c >= ' ' && *c <= '~');
}

void
require_no_span(struct pagecodec_span span)
{
	REQUIRE(!span.data && span.size == 0);
}

bool
is_damage(enum pagecodec_status status)
{
	return status >= PAGECODEC_TOO_LARGE && status <= PAGECODEC_TRAILING_DATA &&
	       status != PAGECODEC_DST_TOO_SMALL;
}

bool
has_wrapped_literal(struct zone src)
{
	static const uint8_t wrapped[5] = {0xfc, 0xff, 0xff, 0xff, 0xff};

	for (size_t i = 0; i + sizeof(wrapped) <= src.size; i++)
		if (memcmp(src.data + i, wrapped, sizeof(wrapped)) == 0)
			return true;
	return false;
}

bool
same_bytes(const void *a, const void *b, size_t size)
{
	return size == 0 || memcmp(a, b, size) == 0;
}
