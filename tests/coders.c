/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coders.c - codecs with their engines and levels, and objects made for them
 * Level ranges in pagecodec_codec_info are the default engine's; what another engine
 * takes is said here once.
 */
#include "coders.h"

#include <stdlib.h>

const int32_t all_codecs[] = {0, 1, 2, 3, 4, 5, 6, 7, 100, 101};
const size_t all_codec_count = COUNT_OF(all_codecs);

/* zlib's deflate ends at 9 where libdeflate's goes on to 12. */
int
engine_max_level(const struct pagecodec_codec_info *info, const char *engine)
{
	return strcmp(engine, "zlib") == 0 ? 9 : info->max_level;
}

struct coder_list {
	struct coder coders[64];
	size_t count;
};

static void
add_coder(struct coder_list *list, const struct pagecodec_codec_info *info, const char *engine,
	  int has_level, int level)
{
	if (list->count == COUNT_OF(list->coders))
		abort(); /* no test is running: main lists coders */
	list->coders[list->count++] = (struct coder){info, engine, has_level, level};
}

static void
list_coders(struct coder_list *list, int each_level)
{
	for (size_t i = 0; i < all_codec_count; i++) {
		const struct pagecodec_codec_info *info = pagecodec_find_codec(all_codecs[i]);

		for (size_t e = 0; info->is_available && info->compress_engines[e]; e++) {
			const char *engine = info->compress_engines[e];

			if (!each_level || !info->has_levels) {
				add_coder(list, info, engine, 0, 0);
				continue;
			}
			add_coder(list, info, engine, 1, info->min_level);
			add_coder(list, info, engine, 1, info->default_level);
			add_coder(list, info, engine, 1, engine_max_level(info, engine));
		}
	}
}

const struct coder *
engine_coders(size_t *count)
{
	static struct coder_list list;

	if (!list.count)
		list_coders(&list, 0);
	if (count)
		*count = list.count;
	return list.coders;
}

const struct coder *
level_coders(size_t *count)
{
	static struct coder_list list;

	if (!list.count)
		list_coders(&list, 1);
	if (count)
		*count = list.count;
	return list.coders;
}

const struct coder *
page_coders(size_t *count)
{
	size_t pages = 0;
	const struct coder *coders = engine_coders(count);

	while (count && pages < *count && !is_arrow(coders[pages].info->codec))
		pages++;
	if (count)
		*count = pages;
	return coders;
}

const char *
coder_name(const struct coder *coder)
{
	static char name[64];

	if (coder->has_level)
		snprintf(name, sizeof(name), "%s:%s:%d", coder->info->name, coder->engine,
			 coder->level);
	else
		snprintf(name, sizeof(name), "%s:%s", coder->info->name, coder->engine);
	return name;
}

int
is_uncompressed(const struct coder *coder)
{
	return coder->info->codec == PAGECODEC_UNCOMPRESSED;
}

int
is_arrow(int32_t codec)
{
	return codec == PAGECODEC_ARROW_LZ4_FRAME || codec == PAGECODEC_ARROW_ZSTD;
}

struct pagecodec_factory *
new_factory(void)
{
	struct pagecodec_factory *factory = NULL;
	struct pagecodec_error error;

	assert_ok(pagecodec_factory_create(NULL, &factory, &error), &error);
	ck_assert_ptr_nonnull(factory);
	return factory;
}

struct pagecodec_compressor *
get_compressor(struct pagecodec_factory *factory, const struct coder *coder)
{
	struct pagecodec_compressor_options options = {
	    .struct_size = sizeof(options),
	    .has_level = coder->has_level,
	    .level = coder->level,
	    .engine = coder->engine,
	};
	struct pagecodec_compressor *compressor = NULL;
	struct pagecodec_error error;

	assert_ok(pagecodec_compressor_get(factory, coder->info->codec, &options, &compressor,
					   &error),
		  &error);
	ck_assert_ptr_nonnull(compressor);
	return compressor;
}

struct pagecodec_decompressor *
get_decompressor(struct pagecodec_factory *factory, int32_t codec, const char *engine)
{
	struct pagecodec_decompressor_options options = {
	    .struct_size = sizeof(options),
	    .engine = engine,
	};
	struct pagecodec_decompressor *decompressor = NULL;
	struct pagecodec_error error;

	assert_ok(pagecodec_decompressor_get(factory, codec, &options, &decompressor, &error),
		  &error);
	ck_assert_ptr_nonnull(decompressor);
	return decompressor;
}

void
expect_get(const struct pagecodec_codec_info *info, struct pagecodec_compressor_options options,
	   enum pagecodec_status want)
{
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_compressor *compressor = (struct pagecodec_compressor *)factory;
	struct pagecodec_error error;
	enum pagecodec_status status;

	options.struct_size = sizeof(options);
	poison_error(&error);
	status = pagecodec_compressor_get(factory, info->codec, &options, &compressor, &error);
	require(status == want, "%s engine %s level %d (%d) window %d checksum %d: %s, not %s",
		info->name, options.engine ? options.engine : "-", options.level,
		options.has_level, options.window_log, options.checksum,
		pagecodec_status_name(status), pagecodec_status_name(want));
	if (want == PAGECODEC_OK) {
		ck_assert_ptr_nonnull(compressor);
		check_untouched(&error);
	} else {
		ck_assert_ptr_null(compressor);
		check_error(&error, want);
		ck_assert_int_eq(error.codec, info->codec);
		compressor = (struct pagecodec_compressor *)factory;
		assert_status(
		    pagecodec_compressor_get(factory, info->codec, &options, &compressor, NULL),
		    want);
		ck_assert_ptr_null(compressor);
	}
	pagecodec_compressor_release(compressor);
	pagecodec_factory_destroy(factory);
}

struct bytes
compress_bytes(struct pagecodec_compressor *compressor, const void *page, size_t size)
{
	struct pagecodec_span part = {page, size};
	struct pagecodec_span out;
	struct pagecodec_error error;
	struct bytes bytes;

	assert_ok(pagecodec_compress(compressor, &part, 1, NULL, 0, &out, &error), &error);
	bytes.data = malloc(out.size + !out.size);
	bytes.size = out.size;
	ck_assert_ptr_nonnull(bytes.data);
	memcpy(bytes.data, out.data, out.size);
	return bytes;
}

struct bytes
compress_fresh(const struct coder *coder, const void *page, size_t size)
{
	struct pagecodec_factory *factory = new_factory();
	struct pagecodec_compressor *compressor = get_compressor(factory, coder);
	struct bytes bytes = compress_bytes(compressor, page, size);

	pagecodec_compressor_release(compressor);
	pagecodec_factory_destroy(factory);
	return bytes;
}

void
check_decompresses(struct pagecodec_decompressor *decompressor, struct bytes compressed,
		   const void *page, size_t size)
{
	struct pagecodec_span out;
	struct pagecodec_error error;

	assert_ok(pagecodec_decompress(decompressor, compressed.data, compressed.size, size,
				       NULL, 0, &out, &error),
		  &error);
	require(out.size == size && out.data, "%zu bytes come back of %zu", out.size, size);
	check_bytes("decompressed page", out.data, page, size);
}

struct pagecodec_memory
memory_of(struct pagecodec_factory *factory)
{
	struct pagecodec_memory memory = {.struct_size = sizeof(memory)};

	pagecodec_factory_memory(factory, &memory);
	ck_assert_uint_eq(memory.struct_size, sizeof(memory));
	return memory;
}

void
check_objects(struct pagecodec_factory *factory, size_t out, size_t idle)
{
	struct pagecodec_memory memory = memory_of(factory);

	ck_assert_uint_eq(memory.objects_out, out);
	ck_assert_uint_eq(memory.objects_idle, idle);
}

void
fill_object(struct pagecodec_compressor *compressor, size_t size)
{
	unsigned char *page = new_page(PAGE_RANDOM, 1, size);
	struct pagecodec_span parts[2] = {{page, size / 2}, {page + size / 2, size - size / 2}};
	struct pagecodec_span out;
	struct pagecodec_error error;

	assert_ok(pagecodec_compress(compressor, parts, 2, NULL, 0, &out, &error), &error);
	free(page);
}

struct fixture
fixture_new(const struct coder *coder, enum page_kind kind, size_t size)
{
	struct fixture f = {.coder = coder, .size = size};

	f.factory = new_factory();
	f.compressor = get_compressor(f.factory, coder);
	f.decompressor = get_decompressor(f.factory, coder->info->codec, NULL);
	f.page = new_page(kind, 7, size);
	f.compressed = compress_fresh(coder, f.page, size);
	return f;
}

void
fixture_free(struct fixture *f)
{
	free(f->page);
	free(f->compressed.data);
	pagecodec_compressor_release(f->compressor);
	pagecodec_decompressor_release(f->decompressor);
	pagecodec_factory_destroy(f->factory);
}

void
check_compressed(const struct fixture *f, struct pagecodec_span out)
{
	ck_assert_uint_eq(out.size, f->compressed.size);
	check_bytes(coder_name(f->coder), out.data, f->compressed.data, out.size);
}
