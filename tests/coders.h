/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coders.h - codecs with their engines and levels, and objects made for them
 * The lists come from the library: a codec or engine is tested where it is built.
 * Each object here is had without errors, or the test ends.
 */
#ifndef CODERS_H
#define CODERS_H

#include "testing.h"

/* Numbers that pagecodec_find_codec knows. */
extern const int32_t all_codecs[];
extern const size_t all_codec_count;

/* An available codec with a compress engine, and a level if it has any. */
struct coder {
	const struct pagecodec_codec_info *info;
	const char *engine;
	int has_level;
	int level;
};

/* One per engine, without a level, or one per engine and each of least, default
 * and greatest level.  Static; *count may be NULL. */
const struct coder *engine_coders(size_t *count);
const struct coder *level_coders(size_t *count);
/* As engine_coders, without the codecs that no Parquet page has. */
const struct coder *page_coders(size_t *count);
const char *coder_name(const struct coder *coder);
int is_uncompressed(const struct coder *coder);
int is_arrow(int32_t codec);
/* info speaks of the default engine only. */
int engine_max_level(const struct pagecodec_codec_info *info, const char *engine);

struct pagecodec_factory *new_factory(void);
struct pagecodec_compressor *get_compressor(struct pagecodec_factory *factory,
					    const struct coder *coder);
/* engine NULL: the default. */
struct pagecodec_decompressor *get_decompressor(struct pagecodec_factory *factory,
						int32_t codec, const char *engine);

/* That a compressor with these options is handed out, or refused with this status. */
void expect_get(const struct pagecodec_codec_info *info,
		struct pagecodec_compressor_options options, enum pagecodec_status want);

struct bytes {
	unsigned char *data; /* malloc'd */
	size_t size;
};

/* A copy of what the object made of one part in its own buffer. */
struct bytes compress_bytes(struct pagecodec_compressor *compressor, const void *page,
			    size_t size);
/* With a factory and a compressor of its own. */
struct bytes compress_fresh(const struct coder *coder, const void *page, size_t size);
/* That the object makes these bytes of it, in its own buffer. */
void check_decompresses(struct pagecodec_decompressor *decompressor, struct bytes compressed,
			const void *page, size_t size);

struct pagecodec_memory memory_of(struct pagecodec_factory *factory);
void check_objects(struct pagecodec_factory *factory, size_t out, size_t idle);
/* Compress two parts of random bytes, so that the object has memory for as many. */
void fill_object(struct pagecodec_compressor *compressor, size_t size);

/* A factory with both objects of a coder, a page, and its bytes as a fresh object makes them.
 */
struct fixture {
	const struct coder *coder;
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;
	unsigned char *page;
	size_t size;
	struct bytes compressed;
};

struct fixture fixture_new(const struct coder *coder, enum page_kind kind, size_t size);
void fixture_free(struct fixture *f);
/* That the fixture's page was compressed to this. */
void check_compressed(const struct fixture *f, struct pagecodec_span out);

#endif
