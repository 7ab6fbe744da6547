/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_programs.c - streams that gzip, brotli, lz4 and zstd made, where these are installed
 * Each with the options that change a stream's form; a missing program's are skipped.
 */
#include <stdlib.h>

#include "coders.h"

#define PAGE_SIZE 200000
#define FILE_NAME "test_programs.tmp"

/* One stream, or several one after another: a shell command, IN being the page's file. */
struct stream {
	const char *program;
	const char *command;
	int32_t codec;
	int times; /* the page that it holds is so many pages */
	int is_refused;
};

/* clang-format off */
static const struct stream streams[] = {
	{"gzip", "gzip -1 <IN", PAGECODEC_GZIP, 1, 0},
	{"gzip", "gzip -9 <IN", PAGECODEC_GZIP, 1, 0},
	{"gzip", "gzip -cN IN", PAGECODEC_GZIP, 1, 0},
	{"gzip", "gzip -c IN; gzip -cN IN", PAGECODEC_GZIP, 2, 0},
	{"gzip", "gzip -c IN; gzip </dev/null; dd if=/dev/zero bs=512 count=1 2>/dev/null", PAGECODEC_GZIP, 1, 0},
	{"gzip", "gzip -c IN; echo", PAGECODEC_GZIP, 1, 1},
	{"brotli", "brotli -c -q 0 IN", PAGECODEC_BROTLI, 1, 0},
	{"brotli", "brotli -c -q 1 IN", PAGECODEC_BROTLI, 1, 0},
	{"brotli", "brotli -c -q 4 -w 10 IN", PAGECODEC_BROTLI, 1, 0},
	{"brotli", "brotli -c -q 5 -w 16 IN", PAGECODEC_BROTLI, 1, 0},
	{"brotli", "brotli -c -q 9 -w 17 IN", PAGECODEC_BROTLI, 1, 0},
	{"brotli", "brotli -c -q 9 -w 24 <IN", PAGECODEC_BROTLI, 1, 0},
	{"brotli", "brotli -c -q 11 -w 18 IN", PAGECODEC_BROTLI, 1, 0},
	{"brotli", "brotli -c -q 5 --large_window=28 IN", PAGECODEC_BROTLI, 1, 1},
	{"brotli", "brotli -c IN; brotli -c IN", PAGECODEC_BROTLI, 1, 1},
	{"zstd", "zstd -q -c IN", PAGECODEC_ZSTD, 1, 0},
	{"zstd", "zstd -q -c -1 --no-check IN", PAGECODEC_ZSTD, 1, 0},
	{"zstd", "zstd -q -c -19 --check IN", PAGECODEC_ZSTD, 1, 0},
	{"zstd", "zstd -q -c --fast=5 <IN", PAGECODEC_ZSTD, 1, 0},
	{"zstd", "zstd -q -c --no-content-size IN", PAGECODEC_ZSTD, 1, 0},
	{"zstd", "zstd -q -c --long=27 <IN", PAGECODEC_ZSTD, 1, 0},
	{"zstd", "zstd -q -c --long=27 <IN; zstd -q -c IN", PAGECODEC_ZSTD, 2, 0},
	{"zstd", "zstd -q -c IN; printf 'P*M\\030\\003\\000\\000\\000abc'", PAGECODEC_ZSTD, 1, 0},
	{"lz4", "lz4 -q -c IN; printf 'P*M\\030\\003\\000\\000\\000abc'", PAGECODEC_LZ4, 1, 0},
	{"lz4", "lz4 -q -c IN; lz4 -q -c -9 -BD IN", PAGECODEC_LZ4, 2, 0},
	{"lz4", "lz4 -q -c -l IN", PAGECODEC_LZ4, 1, 1}, /* the legacy frame */
};
/* clang-format on */

static int
has_program(const char *program)
{
	char command[64];

	snprintf(command, sizeof(command), "command -v %s >/dev/null 2>&1", program);
	if (system(command) == 0)
		return 1;
	printf("# skipped: no program %s\n", program);
	return 0;
}

static void
write_file(const void *data, size_t size)
{
	FILE *file = fopen(FILE_NAME, "wb");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(data, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

/* What a shell command writes, with FILE_NAME for each IN. */
static struct bytes
output_of(const char *command)
{
	struct bytes out = {malloc(8 * PAGE_SIZE), 0};
	char line[400] = "";
	const char *in;
	FILE *pipe;

	ck_assert_ptr_nonnull(out.data);
	while ((in = strstr(command, "IN"))) {
		strncat(line, command, (size_t)(in - command));
		strcat(line, FILE_NAME);
		command = in + 2;
	}
	strcat(line, command);
	pipe = popen(line, "r");
	ck_assert_ptr_nonnull(pipe);
	out.size = fread(out.data, 1, 8 * PAGE_SIZE, pipe);
	ck_assert_int_eq(pclose(pipe), 0);
	ck_assert_uint_gt(out.size, 0);
	return out;
}

/* With each engine of the codec. */
static void
check_stream(const struct stream *stream, struct bytes bytes, const void *pages)
{
	const struct pagecodec_codec_info *info = pagecodec_find_codec(stream->codec);
	struct pagecodec_factory *factory = new_factory();
	size_t size = (size_t)stream->times * PAGE_SIZE;

	for (const char *const *engine = info->decompress_engines; *engine; engine++) {
		struct pagecodec_decompressor *decompressor =
		    get_decompressor(factory, stream->codec, *engine);
		struct pagecodec_span out;
		enum pagecodec_status status = pagecodec_decompress(
		    decompressor, bytes.data, bytes.size, size, NULL, 0, &out, NULL);

		ck_assert_msg(stream->is_refused ? is_damage(status) : status == PAGECODEC_OK,
			      "%s: %s", stream->command, pagecodec_status_name(status));
		if (status == PAGECODEC_OK)
			check_bytes(stream->command, out.data, pages, size);
		pagecodec_decompressor_release(decompressor);
	}
	pagecodec_factory_destroy(factory);
}

static void
check_command(const struct stream *stream, enum page_kind kind)
{
	unsigned char *pages;
	struct bytes bytes;

	if (!pagecodec_find_codec(stream->codec)->is_available || !has_program(stream->program))
		return;
	pages = new_page(kind, 1, 2 * PAGE_SIZE);
	memcpy(pages + PAGE_SIZE, pages, PAGE_SIZE);
	write_file(pages, PAGE_SIZE);
	bytes = output_of(stream->command);
	check_stream(stream, bytes, pages);
	ck_assert_int_eq(remove(FILE_NAME), 0);
	free(bytes.data);
	free(pages);
}

START_TEST(streams_of_programs)
{
	check_command(&streams[_i], PAGE_TEXT);
	check_command(&streams[_i], PAGE_RANDOM);
}
END_TEST

enum { LZ4_COMBINATIONS = 4 * 2 * 2 * 2 * 2 };

START_TEST(frames_of_lz4)
{
	char command[200];
	const struct stream stream = {"lz4", command, PAGECODEC_LZ4, 1, 0};

	snprintf(command, sizeof(command), "lz4 -q -c -B%d %s %s %s %s IN", 4 + (_i & 3),
		 _i & 4 ? "-BD" : "-BI", _i & 8 ? "-BX" : "", _i & 16 ? "--content-size" : "",
		 _i & 32 ? "--no-frame-crc" : "");
	check_command(&stream, PAGE_DOUBLES);
}
END_TEST

int
main(void)
{
	add_loop(streams_of_programs, COUNT_OF(streams));
	add_loop(frames_of_lz4, LZ4_COMBINATIONS);
	return run_tests("programs");
}
