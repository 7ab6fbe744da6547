/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrow_buffers.c - the body buffers of an Arrow IPC record batch, written and read
 * Codec ARROW_LZ4_FRAME or ARROW_ZSTD puts the int64 size in front, or -1 where bytes are
 * stored because they would not get smaller; an empty buffer is 0 bytes.
 * Build: cc arrow_buffers.c $(pkg-config --cflags --libs pagecodec)
 */
#include <pagecodec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 1000
#define BUFFERS 4

static void
require(int condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "arrow_buffers: %s\n", what);
	exit(1);
}

/* Read one buffer into memory of our own, as an Arrow array needs it. */
static void
read_buffer(struct pagecodec_decompressor *decompressor, struct pagecodec_span stored,
	    const struct pagecodec_span *want)
{
	struct pagecodec_span plain;
	size_t size;
	void *memory;

	/* The only size there is is the one in front; it is checked here, so that what is
	 * allocated for it is no more than so few bytes could become. */
	require(
	    !pagecodec_arrow_buffer_size(decompressor, stored.data, stored.size, &size, NULL),
	    "no size");
	memory = malloc(size + !size);
	require(memory && !pagecodec_decompress(decompressor, stored.data, stored.size, size,
						memory, size, &plain, NULL),
		"not decompressed");
	require(plain.size == want->size &&
		    (!want->size || !memcmp(plain.data, want->data, size)),
		"wrong bytes");
	free(memory);
}

static void
round_trip(struct pagecodec_factory *factory, int32_t codec,
	   const struct pagecodec_span buffers[BUFFERS])
{
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;
	struct pagecodec_span stored;
	size_t before = 0, after = 0;

	require(!pagecodec_compressor_get(factory, codec, NULL, &compressor, NULL) &&
		    !pagecodec_decompressor_get(factory, codec, NULL, &decompressor, NULL),
		"no objects");
	for (size_t i = 0; i < BUFFERS; i++) {
		require(!pagecodec_compress(compressor, &buffers[i], 1, NULL, 0, &stored, NULL),
			"not compressed");
		/* Here a writer appends stored to the message's body, padded to 8 bytes; the
		 * length in its metadata is stored.size, without the padding. */
		read_buffer(decompressor, stored, &buffers[i]);
		before += buffers[i].size;
		after += stored.size;
	}
	pagecodec_compressor_release(compressor);
	pagecodec_decompressor_release(decompressor);
	printf("arrow_buffers: %s, %zu bytes became %zu\n", pagecodec_find_codec(codec)->name,
	       before, after);
	require(after < before, "nothing gained");
}

int
main(void)
{
	static const int32_t codecs[] = {PAGECODEC_ARROW_LZ4_FRAME, PAGECODEC_ARROW_ZSTD};
	static int32_t offsets[ROWS + 1];
	static char text[6 * ROWS];
	static unsigned char noise[100];
	/* A string column without nulls (no validity buffer), and bytes that cannot be
	 * compressed. */
	const struct pagecodec_span buffers[BUFFERS] = {
	    {NULL, 0},
	    {offsets, sizeof(offsets)},
	    {text, sizeof(text)},
	    {noise, sizeof(noise)},
	};
	struct pagecodec_factory *factory;
	uint32_t seed = 1;

	for (int32_t i = 0; i < ROWS; i++) {
		offsets[i + 1] = 6 * (i + 1);
		memcpy(text + 6 * i, "abcdef", 6);
	}
	for (size_t i = 0; i < sizeof(noise); i++) {
		seed = seed * 1664525 + 1013904223;
		noise[i] = (unsigned char)(seed >> 24);
	}
	require(!pagecodec_factory_create(NULL, &factory, NULL), "no factory");
	for (size_t i = 0; i < 2; i++)
		if (pagecodec_find_codec(codecs[i])->is_available)
			round_trip(factory, codecs[i], buffers);
		else
			printf("arrow_buffers: %s is not in this build\n",
			       pagecodec_find_codec(codecs[i])->name);
	pagecodec_factory_destroy(factory);
	return 0;
}
