/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_vectors.c - the inputs of data/vectors are read or refused as their index says
 * With every engine, from memory that ends where the input does, on an object that is
 * fresh and on one that has just failed; then cut off at every byte, and with every bit
 * turned.
 */
#include <stdlib.h>

#include "coders.h"
#include "guard.h"

struct vector {
	char id[64];
	const struct pagecodec_codec_info *info;
	size_t size; /* declared */
	char verdict[8];
	struct bytes input;
	struct bytes expect; /* data NULL: there is none */
};

static struct vector vectors[200];
static size_t vector_count;

/* Where the index leaves it open, or the kind of damage cannot be mistaken. */
static const struct {
	const char *id;
	enum pagecodec_status status;
} decisions[] = {
    {"gz_zlib_wrapped", PAGECODEC_OK},
    {"h4_lz4frame_fallback", PAGECODEC_OK},
    {"ipc_lf_skippable_first", PAGECODEC_OK},
    {"ipc_lf_two_frames", PAGECODEC_OK},
    {"gz_raw_deflate", PAGECODEC_CORRUPT},
    {"ipc_lf_dictid", PAGECODEC_CORRUPT},
    {"ipc_lf_trailing_pad8", PAGECODEC_TRAILING_DATA},
    {"zero_bytes_nonzero_size_SNAPPY", PAGECODEC_TRUNCATED},
    {"zero_bytes_nonzero_size_GZIP", PAGECODEC_TRUNCATED},
    {"zero_bytes_nonzero_size_LZO", PAGECODEC_TRUNCATED},
    {"zero_bytes_nonzero_size_BROTLI", PAGECODEC_TRUNCATED},
    {"zero_bytes_nonzero_size_LZ4", PAGECODEC_TRUNCATED},
    {"zero_bytes_nonzero_size_ZSTD", PAGECODEC_TRUNCATED},
    {"zero_bytes_nonzero_size_LZ4_RAW", PAGECODEC_TRUNCATED},
    {"size_plus2_UNCOMPRESSED", PAGECODEC_SIZE_MISMATCH},
    {"size_minus1_UNCOMPRESSED", PAGECODEC_SIZE_MISMATCH},
    {"size_plus2_SNAPPY", PAGECODEC_SIZE_MISMATCH},
    {"size_minus1_SNAPPY", PAGECODEC_SIZE_MISMATCH},
    {"size_plus2_GZIP", PAGECODEC_SIZE_MISMATCH},
    {"size_minus1_GZIP", PAGECODEC_SIZE_MISMATCH},
    {"size_plus2_LZO", PAGECODEC_SIZE_MISMATCH},
    {"size_minus1_LZO", PAGECODEC_SIZE_MISMATCH},
    {"size_plus2_BROTLI", PAGECODEC_SIZE_MISMATCH},
    {"size_minus1_BROTLI", PAGECODEC_SIZE_MISMATCH},
    {"size_plus2_LZ4", PAGECODEC_SIZE_MISMATCH},
    {"size_minus1_LZ4", PAGECODEC_SIZE_MISMATCH},
    {"size_plus2_ZSTD", PAGECODEC_SIZE_MISMATCH},
    {"size_minus1_ZSTD", PAGECODEC_SIZE_MISMATCH},
    {"size_plus2_LZ4_RAW", PAGECODEC_SIZE_MISMATCH},
    {"size_minus1_LZ4_RAW", PAGECODEC_SIZE_MISMATCH},
    {"truncated1_SNAPPY", PAGECODEC_TRUNCATED},
    {"truncated1_GZIP", PAGECODEC_TRUNCATED},
    {"truncated1_BROTLI", PAGECODEC_TRUNCATED},
    {"truncated1_ZSTD", PAGECODEC_TRUNCATED},
    {"truncated1_LZ4_RAW", PAGECODEC_TRUNCATED},
    {"gz_second_member_truncated", PAGECODEC_TRUNCATED},
    {"gz_second_member_header_only", PAGECODEC_TRUNCATED},
    {"gz_footer_cut_1", PAGECODEC_TRUNCATED},
    {"gz_footer_cut_4", PAGECODEC_TRUNCATED},
    {"gz_footer_cut_8", PAGECODEC_TRUNCATED},
    {"gz_bad_crc", PAGECODEC_CHECKSUM_MISMATCH},
    {"gz_bad_isize", PAGECODEC_CHECKSUM_MISMATCH},
    {"gz_bad_crc_in_first_of_two", PAGECODEC_CHECKSUM_MISMATCH},
    {"gz_trailing_half_magic", PAGECODEC_TRAILING_DATA},
    {"h4_declared_empty", PAGECODEC_SIZE_MISMATCH},
    {"gz_bomb_declared_small", PAGECODEC_SIZE_MISMATCH},
    {"sn_self_len_gt_declared", PAGECODEC_SIZE_MISMATCH},
    {"sn_trailing_zeros", PAGECODEC_TRAILING_DATA},
    {"l4_frame_in_lz4raw", PAGECODEC_CORRUPT},
    {"zs_trailing_zero_pad4", PAGECODEC_TRAILING_DATA},
    {"zs_checksum_bad", PAGECODEC_CHECKSUM_MISMATCH},
    {"zs_rle_bomb", PAGECODEC_SIZE_MISMATCH},
    {"zs_fcs_impossible", PAGECODEC_SIZE_MISMATCH},
    {"ipc_lf_bad_cck", PAGECODEC_CHECKSUM_MISMATCH},
    {"ipc_lf_bad_bck", PAGECODEC_CHECKSUM_MISMATCH},
    {"ipc_lf_bad_hc", PAGECODEC_CHECKSUM_MISMATCH},
    {"ipc_lf_no_endmark", PAGECODEC_TRUNCATED},
    {"ipc_lf_version0", PAGECODEC_CORRUPT},
};

/* A checksum over the uncompressed bytes catches every bit that is turned. */
static int
has_checksum(const struct vector *vector)
{
	return (vector->info->codec == PAGECODEC_GZIP && vector->input.size) ||
	       strcmp(vector->id, "zs_checksum_ok") == 0 ||
	       strcmp(vector->id, "ipc_lf_csize_cck_bck") == 0;
}

/* -1: one of the statuses of damaged input. */
static int
wanted_status(const struct vector *vector)
{
	for (size_t i = 0; i < COUNT_OF(decisions); i++)
		if (strcmp(decisions[i].id, vector->id) == 0)
			return (int)decisions[i].status;
	if (strcmp(vector->verdict, "ok") == 0)
		return PAGECODEC_OK;
	require(strcmp(vector->verdict, "err") == 0, "%s: nothing is decided", vector->id);
	return -1;
}

static FILE *
open_data(const char *name, const char *suffix)
{
	const char *srcdir = getenv("srcdir");
	char path[1000];

	snprintf(path, sizeof(path), "%s/tests/data/vectors/%s%s", srcdir ? srcdir : ".", name,
		 suffix);
	return fopen(path, "rb");
}

static struct bytes
read_data(const char *name, const char *suffix)
{
	struct bytes bytes = {NULL, 0};
	FILE *file = open_data(name, suffix);

	if (!file)
		return bytes;
	fseek(file, 0, SEEK_END);
	bytes.size = (size_t)ftell(file);
	rewind(file);
	bytes.data = malloc(bytes.size + !bytes.size);
	if (bytes.data && fread(bytes.data, 1, bytes.size, file) != bytes.size)
		bytes.size = 0;
	fclose(file);
	return bytes;
}

static void
read_vectors(void)
{
	FILE *index = open_data("index", ".tsv");
	char line[200], codec[32];

	while (index && fgets(line, sizeof(line), index)) {
		struct vector *vector = &vectors[vector_count];

		if (line[0] == '#' || vector_count == COUNT_OF(vectors) ||
		    sscanf(line, "%63s %31s %zu %7s", vector->id, codec, &vector->size,
			   vector->verdict) != 4)
			continue;
		vector->info = pagecodec_find_codec_by_name(codec);
		vector->input = read_data(vector->id, ".bin");
		vector->expect = read_data(vector->id, ".expect");
		if (vector->info && vector->input.data)
			vector_count++;
	}
	if (index)
		fclose(index);
}

START_TEST(vectors_were_found)
{
	ck_assert_uint_eq(vector_count, 119);
	for (size_t i = 0; i < vector_count; i++)
		if (wanted_status(&vectors[i]) == PAGECODEC_OK) {
			require(vectors[i].expect.data != NULL, "no %s.expect", vectors[i].id);
			ck_assert_uint_eq(vectors[i].expect.size, vectors[i].size);
		}
}
END_TEST

/* Into the object's own buffer; a result must be the vector's where it is exact. */
static enum pagecodec_status
decompress(struct pagecodec_decompressor *decompressor, const struct vector *vector,
	   const void *input, size_t input_size, int exact)
{
	struct pagecodec_span out = {vector, 1};
	struct pagecodec_error error;
	enum pagecodec_status status;

	poison_error(&error);
	status = pagecodec_decompress(decompressor, input, input_size, vector->size, NULL, 0,
				      &out, &error);
	if (status != PAGECODEC_OK) {
		check_error(&error, status);
		require(error.codec == vector->info->codec, "codec %d is at fault",
			(int)error.codec);
		check_no_span(out);
		return status;
	}
	check_untouched(&error);
	require(out.size == vector->size && out.data, "%zu bytes come back of %zu", out.size,
		vector->size);
	if (exact)
		check_bytes(vector->id, out.data, vector->expect.data, vector->size);
	return status;
}

static void
check_verdict(struct pagecodec_decompressor *decompressor, const struct vector *vector,
	      const struct guard *input)
{
	int want = wanted_status(vector);
	enum pagecodec_status status =
	    decompress(decompressor, vector, input->data, input->size, want == 0);

	require(want >= 0 ? status == (enum pagecodec_status)want : is_damage(status),
		"%s gives %s, not %s", vector->id, pagecodec_status_name(status),
		want >= 0 ? pagecodec_status_name((enum pagecodec_status)want)
			  : "an error of damaged input");
}

/* Into memory of exactly the declared size. */
static void
check_into_guard(struct pagecodec_decompressor *decompressor, const struct vector *vector,
		 const struct guard *input)
{
	struct guard dst = guard_new(vector->size, GUARD_AFTER, 0);
	struct pagecodec_span out;
	enum pagecodec_status status =
	    pagecodec_decompress(decompressor, input->data, input->size, vector->size, dst.data,
				 dst.size, &out, NULL);

	ck_assert_int_eq(status == PAGECODEC_OK, wanted_status(vector) == PAGECODEC_OK);
	if (status == PAGECODEC_OK)
		check_bytes(vector->id, dst.data, vector->expect.data, vector->size);
	guard_free(&dst);
}

/* Leave the object as a failure leaves it. */
static void
fail_page(struct pagecodec_decompressor *decompressor, const struct vector *vector)
{
	struct pagecodec_span out;

	ck_assert_int_ne(pagecodec_decompress(decompressor, vector->input.data,
					      vector->input.size, vector->size + 1000, NULL, 0,
					      &out, NULL),
			 PAGECODEC_OK);
}

START_TEST(verdict)
{
	const struct vector *vector = &vectors[_i];
	struct pagecodec_factory *factory = new_factory();
	struct guard input = guard_copy(vector->input.data, vector->input.size, GUARD_AFTER);
	struct guard before = guard_copy(vector->input.data, vector->input.size, GUARD_BEFORE);

	fprintf(stderr, "%s\n", vector->id);
	for (size_t e = 0; vector->info->decompress_engines[e]; e++) {
		const char *engine = vector->info->decompress_engines[e];
		struct pagecodec_decompressor *decompressor =
		    get_decompressor(factory, vector->info->codec, engine);

		check_verdict(decompressor, vector, &input);
		fail_page(decompressor, vector);
		check_verdict(decompressor, vector, &before);
		check_into_guard(decompressor, vector, &input);
		check_verdict(decompressor, vector, &input);
		pagecodec_decompressor_release(decompressor);
	}
	guard_free(&input);
	guard_free(&before);
	pagecodec_factory_destroy(factory);
}
END_TEST

static int
is_sound(const struct vector *vector)
{
	return vector->info->is_available && wanted_status(vector) == PAGECODEC_OK;
}

/* What is cut off is refused, unless it is sound in itself and says the same.  Large inputs
 * are literals but for their ends. */
static void
check_prefixes(struct pagecodec_decompressor *decompressor, const struct vector *vector)
{
	struct guard guard = guard_new(vector->input.size, GUARD_AFTER, 0);
	size_t step = 1;

	for (size_t cut = 0; cut < guard.size; cut += step) {
		unsigned char *input = guard.data + guard.size - cut;
		enum pagecodec_status status;

		step = cut < 500 || cut + 500 > guard.size ? 1 : 1 + guard.size / 500;
		if (cut)
			memcpy(input, vector->input.data, cut);
		status = decompress(decompressor, vector, input, cut, 1);
		require(status == PAGECODEC_OK || is_damage(status),
			"%s cut at byte %zu gives %s", vector->id, cut,
			pagecodec_status_name(status));
	}
	guard_free(&guard);
}

START_TEST(prefixes)
{
	const struct vector *vector = &vectors[_i];
	struct pagecodec_factory *factory = new_factory();

	fprintf(stderr, "%s\n", vector->id);
	for (size_t e = 0; is_sound(vector) && vector->info->decompress_engines[e]; e++) {
		struct pagecodec_decompressor *decompressor = get_decompressor(
		    factory, vector->info->codec, vector->info->decompress_engines[e]);

		check_prefixes(decompressor, vector);
		pagecodec_decompressor_release(decompressor);
	}
	pagecodec_factory_destroy(factory);
}
END_TEST

/* An error, or as many bytes as declared; the right ones where a checksum is over them. */
static void
check_flips(struct pagecodec_decompressor *decompressor, const struct vector *vector)
{
	struct guard input = guard_new(vector->input.size, GUARD_AFTER, 0);

	memcpy(input.data, vector->input.data, input.size);
	for (size_t bit = 0; bit < 8 * input.size; bit++) {
		enum pagecodec_status status;

		input.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
		status = decompress(decompressor, vector, input.data, input.size,
				    has_checksum(vector));
		require(status == PAGECODEC_OK || is_damage(status),
			"%s with bit %zu turned gives %s", vector->id, bit,
			pagecodec_status_name(status));
		input.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	ck_assert_int_eq(decompress(decompressor, vector, input.data, input.size, 1),
			 PAGECODEC_OK);
	guard_free(&input);
}

START_TEST(flips)
{
	const struct vector *vector = &vectors[_i];
	struct pagecodec_factory *factory = new_factory();

	fprintf(stderr, "%s\n", vector->id);
	for (size_t e = 0; is_sound(vector) && vector->input.size <= 4 * KIB &&
			   vector->info->decompress_engines[e];
	     e++) {
		struct pagecodec_decompressor *decompressor = get_decompressor(
		    factory, vector->info->codec, vector->info->decompress_engines[e]);

		check_flips(decompressor, vector);
		pagecodec_decompressor_release(decompressor);
	}
	pagecodec_factory_destroy(factory);
}
END_TEST

/* check has no way to skip a test: a line for each codec that is not built. */
static void
tell_left_out(void)
{
	for (size_t i = 0; i < all_codec_count; i++) {
		size_t count = 0;

		for (size_t v = 0; v < vector_count; v++)
			count += vectors[v].info->codec == all_codecs[i];
		if (!pagecodec_find_codec(all_codecs[i])->is_available)
			printf("# %zu vectors skipped: no %s in this build\n", count,
			       pagecodec_find_codec(all_codecs[i])->name);
	}
	fflush(stdout);
}

int
main(void)
{
	read_vectors();
	tell_left_out();
	add_test(vectors_were_found);
	add_loop(verdict, vector_count);
	add_loop(prefixes, vector_count);
	add_loop(flips, vector_count);
	return run_tests("vectors");
}
