/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_arrow.c - pagecodec arrow: list and check the compressed buffers of Arrow IPC
 *
 * Sizes of buffers are 64-bit: no limit is set but what so few bytes can become.
 */
#include "tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arrow.h"
#include "text.h"

/* Few and large reads, and small enough to stay in a cache. */
#define READ_AHEAD (512 << 10)

struct check {
	const char *name;
	struct arrow_reader reader;
	struct pagecodec_factory *factory;
	enum tool_exit exit;
	uint64_t message_count, buffer_count, fault_count, not_built_count, plain_count;
	uint64_t compressed_size, uncompressed_size;
};

static const char *
type_name(int64_t type)
{
	static const char *const names[] = {"message",	   "Schema", "DictionaryBatch",
					    "RecordBatch", "Tensor", "SparseTensor"};

	return type >= 0 && (size_t)type < sizeof(names) / sizeof(names[0]) ? names[type]
									    : "message";
}

static void
report(struct check *check, const struct arrow_message *message, const char *where,
       const struct fault *fault)
{
	struct fault located;

	fault_set(&located, fault->exit, "message %u (%s) at offset %jd%s: %s", message->number,
		  type_name(message->type), (intmax_t)message->offset, where, fault->text);
	check->fault_count += fault->exit == TOOL_DAMAGED;
	check->exit = tool_worse(check->exit, fault_report(&located, check->name));
}

static void
report_buffer(struct check *check, const struct arrow_message *message, uint32_t index,
	      int64_t offset, const struct fault *fault)
{
	char where[64];

	snprintf(where, sizeof(where), ", buffer %" PRIu32 " at offset %" PRId64, index,
		 offset);
	report(check, message, where, fault);
}

static bool
check_buffer(struct check *check, struct pagecodec_decompressor *decompressor, uint32_t index,
	     int64_t offset, int64_t length, struct fault *fault)
{
	static const uint8_t stored[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	char ratio[TEXT_SIZE_MAX];
	struct pagecodec_error error;
	struct pagecodec_span plain;
	const char *kind = ratio;
	const uint8_t *data;
	size_t size;

	if ((uint64_t)length > SIZE_MAX)
		return fault_set(fault, TOOL_UNREADABLE, "too large for this machine");
	if (!input_view(&check->reader.input, offset, (size_t)length, &data, fault))
		return false;
	if (pagecodec_arrow_buffer_size(decompressor, data, (size_t)length, &size, &error) !=
		PAGECODEC_OK ||
	    pagecodec_decompress(decompressor, data, (size_t)length, size, NULL, 0, &plain,
				 &error) != PAGECODEC_OK)
		return fault_of_library(fault, &error);
	check->compressed_size += (uint64_t)length;
	check->uncompressed_size += plain.size;
	text_ratio(ratio, plain.size, (uint64_t)length);
	if (plain.size == 0)
		kind = "empty";
	else if (memcmp(data, stored, sizeof(stored)) == 0)
		kind = "stored";
	printf("    %6u %12" PRId64 " %13zu %13" PRId64 "  %6s\n", index, offset, plain.size,
	       length, kind);
	return true;
}

static void
check_buffers(struct check *check, struct arrow_message *message,
	      struct pagecodec_decompressor *decompressor)
{
	struct fault fault;

	printf("    %6s %12s %13s %13s  %6s\n", "buffer", "offset", "uncompressed",
	       "compressed", "ratio");
	for (uint32_t i = 0; i < message->buffer_count; i++) {
		int64_t offset, length;

		check->buffer_count++;
		if (!arrow_buffer(&check->reader, message, i, &offset, &length, &fault) ||
		    !check_buffer(check, decompressor, i, offset, length, &fault))
			report_buffer(check, message, i, offset, &fault);
		progress_show(check->name, (uint64_t)offset, (uint64_t)check->reader.end);
	}
}

/* They lie in the body as they are: only that they do can be checked. */
static void
check_plain_buffers(struct check *check, struct arrow_message *message)
{
	int64_t offset, length;
	struct fault fault;

	check->plain_count += message->buffer_count;
	for (uint32_t i = 0; i < message->buffer_count; i++)
		if (!arrow_buffer(&check->reader, message, i, &offset, &length, &fault))
			report_buffer(check, message, i, offset, &fault);
}

static void
check_message(struct check *check, struct arrow_message *message)
{
	const struct pagecodec_codec_info *codec = pagecodec_find_codec(message->codec);
	struct pagecodec_decompressor *decompressor;
	struct pagecodec_error error;
	struct fault fault;

	check->message_count++;
	printf("\nmessage %u at offset %" PRId64 ": %s", message->number, message->offset,
	       type_name(message->type));
	if (message->type == ARROW_RECORD_BATCH || message->type == ARROW_DICTIONARY_BATCH)
		printf(", %" PRId64 " row%s, %u buffer%s, %s", message->row_count,
		       text_plural((uint64_t)message->row_count), message->buffer_count,
		       text_plural(message->buffer_count),
		       !message->is_compressed ? "not compressed"
		       : codec		       ? codec->name
					       : "unknown codec");
	putchar('\n');
	if (!message->is_compressed) {
		check_plain_buffers(check, message);
		return;
	}
	if (!codec || !codec->is_available) {
		check->not_built_count += message->buffer_count;
		check->exit = tool_worse(check->exit, TOOL_NOT_BUILT);
		return;
	}
	if (pagecodec_decompressor_get(check->factory, message->codec, NULL, &decompressor,
				       &error) != PAGECODEC_OK) {
		fault_of_library(&fault, &error);
		report(check, message, "", &fault);
		return;
	}
	check_buffers(check, message, decompressor);
	pagecodec_decompressor_release(decompressor);
}

static void
print_verdict(const struct check *check)
{
	char sizes[2][TEXT_SIZE_MAX];

	printf("\n%s: %" PRIu64 " message%s, %" PRIu64
	       " compressed buffer%s, %s decompressed to %s",
	       tool_verdict(check->exit), check->message_count,
	       text_plural(check->message_count), check->buffer_count,
	       text_plural(check->buffer_count), text_size(sizes[0], check->compressed_size),
	       text_size(sizes[1], check->uncompressed_size));
	if (check->plain_count)
		printf("; %" PRIu64 " buffer%s not compressed", check->plain_count,
		       text_plural(check->plain_count));
	if (check->fault_count)
		printf("; %" PRIu64 " fault%s", check->fault_count,
		       text_plural(check->fault_count));
	if (check->not_built_count)
		printf("; %" PRIu64 " buffer%s not checked, of codecs not in this build",
		       check->not_built_count, text_plural(check->not_built_count));
	putchar('\n');
}

static void
check_messages(struct check *check)
{
	struct arrow_message message;
	struct fault fault;
	bool is_last;
	int found;

	printf("%s: Arrow IPC %s\n", check->name, check->reader.is_file ? "file" : "stream");
	while ((found = arrow_next(&check->reader, &message, &is_last, &fault)) != 0) {
		if (found > 0)
			check_message(check, &message);
		else
			report(check, &message, "", &fault);
		if (found < 0 && is_last)
			break;
	}
	progress_clear();
	print_verdict(check);
}

enum tool_exit
cmd_arrow(const struct arguments *arguments)
{
	struct pagecodec_factory_options options = {.struct_size = sizeof(options),
						    .max_page_size = PTRDIFF_MAX};
	struct check check = {.name = arguments->files[0]};
	struct pagecodec_error error;
	struct fault fault;

	if (!arrow_open(&check.reader, check.name, &fault))
		return fault_report(&fault, check.name);
	check.reader.input.read_ahead = READ_AHEAD;
	if (pagecodec_factory_create(&options, &check.factory, &error) != PAGECODEC_OK) {
		fault_of_library(&fault, &error);
		check.exit = fault_report(&fault, check.name);
	} else {
		check_messages(&check);
	}
	pagecodec_factory_destroy(check.factory);
	arrow_close(&check.reader);
	return check.exit;
}
