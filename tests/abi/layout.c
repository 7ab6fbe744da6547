/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layout.c - prints where the fields of each public struct lie: part of the ABI
 * tests/test_abi.sh compiles it and compares; it takes only pagecodec.h.
 * A new field here, then the new list: make abi-update.
 */
#include <pagecodec.h>
#include <stdio.h>

#define SIZE(type) printf("layout %s size %zu\n", #type, sizeof(type))
#define FIELD(type, field)                                                                     \
	printf("layout %s.%s offset %zu size %zu\n", #type, #field, offsetof(type, field),     \
	       sizeof(((type *)0)->field))

static void
print_what_tells(void)
{
	SIZE(enum pagecodec_status);
	SIZE(struct pagecodec_error);
	FIELD(struct pagecodec_error, status);
	FIELD(struct pagecodec_error, codec);
	FIELD(struct pagecodec_error, expected_size);
	FIELD(struct pagecodec_error, actual_size);
	FIELD(struct pagecodec_error, message);
	SIZE(struct pagecodec_codec_info);
	FIELD(struct pagecodec_codec_info, name);
	FIELD(struct pagecodec_codec_info, codec);
	FIELD(struct pagecodec_codec_info, is_available);
	FIELD(struct pagecodec_codec_info, has_levels);
	FIELD(struct pagecodec_codec_info, min_level);
	FIELD(struct pagecodec_codec_info, max_level);
	FIELD(struct pagecodec_codec_info, default_level);
	FIELD(struct pagecodec_codec_info, min_window_log);
	FIELD(struct pagecodec_codec_info, max_window_log);
	FIELD(struct pagecodec_codec_info, has_checksum);
	FIELD(struct pagecodec_codec_info, max_input_size);
	FIELD(struct pagecodec_codec_info, compress_engines);
	FIELD(struct pagecodec_codec_info, decompress_engines);
	SIZE(struct pagecodec_memory);
	FIELD(struct pagecodec_memory, struct_size);
	FIELD(struct pagecodec_memory, objects_out);
	FIELD(struct pagecodec_memory, objects_idle);
	FIELD(struct pagecodec_memory, bytes);
	FIELD(struct pagecodec_memory, peak_bytes);
}

static void
print_options(void)
{
	SIZE(struct pagecodec_factory_options);
	FIELD(struct pagecodec_factory_options, struct_size);
	FIELD(struct pagecodec_factory_options, alloc_func);
	FIELD(struct pagecodec_factory_options, free_func);
	FIELD(struct pagecodec_factory_options, opaque);
	FIELD(struct pagecodec_factory_options, max_page_size);
	FIELD(struct pagecodec_factory_options, max_idle_size);
	SIZE(struct pagecodec_compressor_options);
	FIELD(struct pagecodec_compressor_options, struct_size);
	FIELD(struct pagecodec_compressor_options, has_level);
	FIELD(struct pagecodec_compressor_options, level);
	FIELD(struct pagecodec_compressor_options, window_log);
	FIELD(struct pagecodec_compressor_options, checksum);
	FIELD(struct pagecodec_compressor_options, page_crc);
	FIELD(struct pagecodec_compressor_options, reserved);
	FIELD(struct pagecodec_compressor_options, engine);
	SIZE(struct pagecodec_decompressor_options);
	FIELD(struct pagecodec_decompressor_options, struct_size);
	FIELD(struct pagecodec_decompressor_options, engine);
}

static void
print_pages(void)
{
	SIZE(struct pagecodec_span);
	FIELD(struct pagecodec_span, data);
	FIELD(struct pagecodec_span, size);
	SIZE(struct pagecodec_page);
	FIELD(struct pagecodec_page, body);
	FIELD(struct pagecodec_page, body_size);
	FIELD(struct pagecodec_page, uncompressed_page_size);
	FIELD(struct pagecodec_page, compressed_page_size);
	FIELD(struct pagecodec_page, repetition_levels_byte_length);
	FIELD(struct pagecodec_page, definition_levels_byte_length);
	FIELD(struct pagecodec_page, is_stored);
	FIELD(struct pagecodec_page, has_crc);
	FIELD(struct pagecodec_page, crc);
	FIELD(struct pagecodec_page, reserved);
}

int
main(void)
{
#if defined(__x86_64__) && defined(__LP64__)
	print_what_tells();
	print_options();
	print_pages();
	return 0;
#else
	/* The list is of this architecture. */
	(void)print_what_tells;
	(void)print_options;
	(void)print_pages;
	return 77;
#endif
}
