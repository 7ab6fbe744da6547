/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_snappy.c - our snappy coder against libsnappy: the same verdict and the
 * same bytes on any input, and what it writes is read by both.  The first byte
 * chooses: odd, compress the rest in two parts; even, decompress it.
 */
#include "fuzz.h"

#include <snappy-c.h>

#include "codec.h"
#include "frame.h"
#include "snappy.h"

/* An allocation of its exact size, so that a sanitizer sees the byte beyond. */
static uint8_t *
exact_copy(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	REQUIRE(copy);
	if (size != 0)
		memcpy(copy, data, size);
	return copy;
}

static void
check_decoder(const uint8_t *data, size_t size)
{
	struct zone src = zone_copy(ZONE_SRC, data, size), ours, theirs;
	size_t length_size = 0, length = 0, their_size = 0;
	bool is_length =
	    pgc_snappy_length(src.data, size, &length_size, &length) == PGC_NO_FAULT;
	bool is_theirs =
	    snappy_uncompressed_length((const char *)src.data, size, &their_size) == SNAPPY_OK;
	bool is_sound;

	REQUIRE(is_length == is_theirs && (!is_length || length == their_size));
	if (!is_length || length > ZONE_MAX)
		return;
	ours = zone_new(ZONE_DST, length);
	theirs = zone_new(ZONE_OTHER, length);
	is_theirs = snappy_uncompress((const char *)src.data, size, (char *)theirs.data,
				      &their_size) == SNAPPY_OK;
	is_sound =
	    pgc_snappy_decode(src.data + length_size, size - length_size, ours.data, length);
	zone_check(ZONE_DST);
	REQUIRE(is_sound == is_theirs || has_wrapped_literal(src));
	REQUIRE(!is_sound || same_bytes(ours.data, theirs.data, length));
	/* Any other declared size is refused. */
	if (is_sound && length > 0) {
		ours = zone_new(ZONE_DST, length - 1);
		REQUIRE(!pgc_snappy_decode(src.data + length_size, size - length_size,
					   ours.data, length - 1));
		zone_check(ZONE_DST);
	}
}

/* The stream of data, cut into parts at cut. */
static size_t
encode(const uint8_t *data, size_t size, size_t cut, uint8_t *dst, void *state)
{
	uint8_t *first = exact_copy(data, cut), *second = exact_copy(data + cut, size - cut);
	struct pagecodec_span parts[2] = {{first, cut}, {second, size - cut}};
	struct pgc_input input = {parts, 2, size};
	struct pgc_result result =
	    pgc_snappy_compress.compress_parts(state, &input, dst, pgc_bound_snappy(size));

	REQUIRE(!result.fault && result.size <= pgc_bound_snappy(size));
	free(first);
	free(second);
	return result.size;
}

static void
check_encoder(const uint8_t *data, size_t size, void *state)
{
	size_t bound = pgc_bound_snappy(size), plain_size = size, length_size, length,
	       stream_size;
	uint8_t *dst = malloc(bound), *other = malloc(bound), *plain = malloc(size ? size : 1);
	uint8_t *stream;

	REQUIRE(dst && other && plain);
	stream_size = encode(data, size, 0, dst, state);
	REQUIRE(encode(data, size, size / 3, other, state) == stream_size);
	REQUIRE(memcmp(dst, other, stream_size) == 0);
	stream = exact_copy(dst, stream_size);

	REQUIRE(snappy_uncompress((const char *)stream, stream_size, (char *)plain,
				  &plain_size) == SNAPPY_OK);
	REQUIRE(plain_size == size && (size == 0 || memcmp(plain, data, size) == 0));
	REQUIRE(pgc_snappy_length(stream, stream_size, &length_size, &length) == PGC_NO_FAULT);
	REQUIRE(length == size);
	memset(plain, 0x5a, size);
	REQUIRE(
	    pgc_snappy_decode(stream + length_size, stream_size - length_size, plain, size));
	REQUIRE(size == 0 || memcmp(plain, data, size) == 0);
	/* Every truncation is refused. */
	if (stream_size < 512) {
		for (size_t cut = length_size; cut < stream_size; cut++) {
			uint8_t *short_stream =
			    exact_copy(stream + length_size, cut - length_size);

			REQUIRE(
			    !pgc_snappy_decode(short_stream, cut - length_size, plain, size));
			free(short_stream);
		}
	}
	free(stream);
	free(dst);
	free(other);
	free(plain);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct pgc_heap heap;
	static struct pgc_account account;
	static void *state;

	if (!state) {
		struct pgc_settings settings = {0, 0, 0};

		pgc_heap_init(&heap, NULL, NULL, NULL);
		account.heap = &heap;
		REQUIRE(!pgc_snappy_compress.open(&pgc_snappy_compress, &account, &settings,
						  &state));
	}
	if (size == 0)
		return 0;
	if (data[0] & 1)
		check_encoder(data + 1, size - 1, state);
	else
		check_decoder(data + 1, size - 1);
	return 0;
}
