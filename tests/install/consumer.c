/* SPDX-License-Identifier: Apache-2.0 */
/*
 * consumer.c - a program of a user: built against what was installed, as C and as C++
 * A page goes out and comes back with every codec that is built.
 * It takes nothing from the source tree.
 */
#include <pagecodec.h>
#include <stdio.h>
#include <string.h>

static int
round_trip(struct pagecodec_factory *factory, int32_t codec, struct pagecodec_error *error)
{
	static const char page[1000] = "a page that is mostly zeros";
	struct pagecodec_compressor *compressor = NULL;
	struct pagecodec_decompressor *decompressor = NULL;
	struct pagecodec_span part, compressed, plain;
	int failed;

	part.data = page;
	part.size = sizeof(page);
	failed = pagecodec_compressor_get(factory, codec, NULL, &compressor, error) ||
		 pagecodec_decompressor_get(factory, codec, NULL, &decompressor, error) ||
		 pagecodec_compress(compressor, &part, 1, NULL, 0, &compressed, error) ||
		 pagecodec_decompress(decompressor, compressed.data, compressed.size,
				      sizeof(page), NULL, 0, &plain, error) ||
		 memcmp(plain.data, page, sizeof(page)) != 0;
	pagecodec_compressor_release(compressor);
	pagecodec_decompressor_release(decompressor);
	return failed;
}

int
main(void)
{
	struct pagecodec_factory *factory = NULL;
	struct pagecodec_error error;
	int codecs = 0;

	memset(&error, 0, sizeof(error));
	if (strcmp(pagecodec_version(), PAGECODEC_VERSION_STRING) != 0) {
		fprintf(stderr, "header of %s, library of %s\n", PAGECODEC_VERSION_STRING,
			pagecodec_version());
		return 1;
	}
	if (pagecodec_factory_create(NULL, &factory, &error))
		return 1;
	for (int32_t codec = 0; codec <= PAGECODEC_ARROW_ZSTD; codec++) {
		const struct pagecodec_codec_info *info = pagecodec_find_codec(codec);

		if (!info || !info->is_available)
			continue;
		codecs++;
		if (round_trip(factory, codec, &error)) {
			fprintf(stderr, "%s: %s\n", info->name, error.message);
			return 1;
		}
	}
	pagecodec_factory_destroy(factory);
	printf("pagecodec %s: a page came back with each of %d codecs\n", pagecodec_version(),
	       codecs);
	return codecs == 0;
}
