/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_arrow.c - any bytes as an Arrow IPC file or stream, read as `pagecodec arrow`
 * does; each buffer is held against the bare library.
 */
#include "reference.h"

#include "../../tools/arrow.h"

static void
check_buffer(const struct pagecodec_codec_info *info, const uint8_t *data, size_t size)
{
	struct pagecodec_decompressor *object = fuzz_decompressor(info, 0);
	struct zone src = zone_copy(ZONE_SRC, data, size),
		    plain = zone_new(ZONE_PLAIN, PAGE_MAX);
	struct pagecodec_span made = {NULL, 0};
	struct pagecodec_error error;
	size_t stated, plain_size;
	bool is_sound = reference_decompress(info->codec, src.data, size, plain.data, PAGE_MAX,
					     &plain_size);
	enum pagecodec_status status =
	    pagecodec_arrow_buffer_size(object, src.data, size, &stated, &error);

	if (!status)
		status = pagecodec_decompress(object, src.data, size, stated, NULL, 0, &made,
					      &error);
	REQUIRE((status == PAGECODEC_OK) == is_sound);
	zone_check(ZONE_SRC);
	if (is_sound) {
		REQUIRE(made.data && made.size == plain_size);
		REQUIRE(same_bytes(made.data, plain.data, plain_size));
	} else {
		REQUIRE(is_damage(status));
		require_failure(status, &error);
		require_serves(object, info);
	}
}

static void
check_message(struct arrow_reader *reader, struct arrow_message *message)
{
	const struct pagecodec_codec_info *info = pagecodec_find_codec(message->codec);
	struct fault fault;

	REQUIRE(message->body_offset >= 0 && message->body_length >= 0 &&
		message->body_length <= reader->end - message->body_offset);
	for (uint32_t i = 0; i < message->buffer_count; i++) {
		int64_t offset, length;
		const uint8_t *data;

		if (!arrow_buffer(reader, message, i, &offset, &length, &fault))
			continue;
		REQUIRE(offset >= message->body_offset && length >= 0 &&
			offset - message->body_offset + length <= message->body_length);
		if (!message->is_compressed || !info || !info->is_available)
			continue;
		REQUIRE(input_view(&reader->input, offset, (size_t)length, &data, &fault));
		check_buffer(info, data, (size_t)length);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arrow_reader reader;
	struct arrow_message message;
	struct fault fault;
	bool is_last;
	int found;

	if (size > PAGE_MAX)
		return 0;
	if (!arrow_open(&reader, fuzz_file(data, size), &fault)) {
		REQUIRE(fault.exit == TOOL_UNREADABLE && fault.text[0] != '\0');
		return 0;
	}
	while ((found = arrow_next(&reader, &message, &is_last, &fault)) != 0) {
		if (found > 0)
			check_message(&reader, &message);
		else if (is_last)
			break;
	}
	arrow_close(&reader);
	return 0;
}
