/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrow.c - the messages of an Arrow IPC file or stream, one by one
 *
 * A message's metadata is copied out of the input's window, which then moves over
 * the body.  Format: Message.fbs and File.fbs of apache/arrow.
 */
#include "tools.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "arrow.h"

#define MAGIC "ARROW1"
#define MAGIC_SIZE 6
#define HEAD_SIZE 8		   /* the magic, padded */
#define TAIL_SIZE (4 + MAGIC_SIZE) /* the footer's length, and the magic */
#define BLOCK_SIZE 24		   /* int64 offset, int32 metadata, pad, int64 body */
#define BUFFER_SIZE 16		   /* int64 offset, int64 length */
#define CONTINUATION UINT32_MAX	   /* before the length, since 0.15 */

static bool
damaged(struct fault *fault, const char *text)
{
	return fault_set(fault, TOOL_DAMAGED, "%s", text);
}

static bool
keep(uint8_t **kept, size_t *capacity, const uint8_t *data, size_t size, struct fault *fault)
{
	if (!*kept || size > *capacity) {
		free(*kept);
		*capacity = size;
		*kept = malloc(size ? size : 1);
	}
	if (!*kept)
		return fault_set(fault, TOOL_UNREADABLE, "no memory for %zu bytes", size);
	memcpy(*kept, data, size);
	return true;
}

/* Arrow 0.17 named the codec in the message's key-value pairs. */
static void
read_old_compression(struct flatbuffer *buffer, const struct flat_table *root,
		     struct arrow_message *message)
{
	static const char wanted[] = "ARROW:experimental_compression";
	uint32_t count, sizes[2];
	size_t pairs = flat_vector(root, 4, 4, &count), texts[2];

	for (uint32_t i = 0; i < count; i++) {
		struct flat_table pair = flat_table_from(buffer, pairs + 4 * (size_t)i);

		texts[0] = flat_vector(&pair, 0, 1, &sizes[0]);
		texts[1] = flat_vector(&pair, 1, 1, &sizes[1]);
		if (buffer->is_bad)
			return;
		if (sizes[0] != strlen(wanted) ||
		    memcmp(buffer->data + texts[0], wanted, sizes[0]) != 0)
			continue;
		message->is_compressed = true;
		message->codec = -1;
		if (sizes[1] >= 3 &&
		    strncasecmp((const char *)buffer->data + texts[1], "lz4", 3) == 0)
			message->codec = PAGECODEC_ARROW_LZ4_FRAME;
		if (sizes[1] == 4 &&
		    strncasecmp((const char *)buffer->data + texts[1], "zstd", 4) == 0)
			message->codec = PAGECODEC_ARROW_ZSTD;
	}
}

static void
read_batch(const struct flat_table *batch, struct arrow_message *message)
{
	struct flat_table compression = flat_child(batch, 3);
	int64_t codec = flat_number(&compression, 0, 1, 0);

	message->row_count = flat_number(batch, 0, 8, 0);
	message->buffers_at = flat_vector(batch, 2, BUFFER_SIZE, &message->buffer_count);
	if (compression.at == 0)
		return;
	message->is_compressed = true;
	message->codec = -1;
	/* The method: 0 is one frame per buffer, and the only one. */
	if (flat_number(&compression, 1, 1, 0) == 0 && (codec == 0 || codec == 1))
		message->codec = codec == 0 ? PAGECODEC_ARROW_LZ4_FRAME : PAGECODEC_ARROW_ZSTD;
}

static bool
read_metadata(struct arrow_reader *reader, struct arrow_message *message, struct fault *fault)
{
	struct flatbuffer buffer = {.data = reader->metadata, .size = reader->metadata_size};
	struct flat_table root = flat_root(&buffer);
	struct flat_table header = flat_child(&root, 2), batch;

	message->type = flat_number(&root, 1, 1, 0);
	message->body_length = flat_number(&root, 3, 8, 0);
	if (message->type == ARROW_RECORD_BATCH)
		read_batch(&header, message);
	if (message->type == ARROW_DICTIONARY_BATCH) {
		batch = flat_child(&header, 1);
		read_batch(&batch, message);
	}
	if (message->buffer_count && !message->is_compressed)
		read_old_compression(&buffer, &root, message);
	if (buffer.is_bad || header.at == 0)
		return damaged(fault, "its metadata is damaged");
	if (message->body_length < 0 || message->row_count < 0)
		return damaged(fault, "its metadata has a negative size");
	return true;
}

/* Blocks that overlap would take a small file as long as a huge one. */
static bool
charge(struct arrow_reader *reader, int64_t size, struct fault *fault)
{
	if (size > reader->left)
		return damaged(fault, "the messages have more bytes than the file");
	reader->left -= size;
	return true;
}

/* 1, 0 where the stream says that it ends, -1. */
static int
read_message(struct arrow_reader *reader, int64_t offset, struct arrow_message *message,
	     struct fault *fault)
{
	int64_t left = reader->end - offset;
	const uint8_t *data;
	uint32_t length;
	size_t prefix = 4;

	memset(message, 0, sizeof(*message));
	message->offset = offset;
	message->codec = -1;
	message->number = reader->message_count;
	if (left < 4) {
		damaged(fault, "it is cut off");
		return -1;
	}
	if (!input_view(&reader->input, offset, left < 8 ? 4 : 8, &data, fault))
		return -1;
	length = (uint32_t)flat_load(data, 4);
	if (length == CONTINUATION && left >= 8) {
		length = (uint32_t)flat_load(data + 4, 4);
		prefix = 8;
	}
	if (length == 0)
		return 0;
	if (length > INT32_MAX || length > left - (int64_t)prefix) {
		fault_set(fault, TOOL_DAMAGED, "its metadata would have %u bytes, %jd are left",
			  length, (intmax_t)(left - (int64_t)prefix));
		return -1;
	}
	if (!charge(reader, (int64_t)prefix + length, fault) ||
	    !input_view(&reader->input, offset + (int64_t)prefix, length, &data, fault) ||
	    !keep(&reader->metadata, &reader->metadata_capacity, data, length, fault))
		return -1;
	reader->metadata_size = length;
	if (!read_metadata(reader, message, fault))
		return -1;
	message->body_offset = offset + (int64_t)prefix + length;
	if (message->body_length > reader->end - message->body_offset) {
		fault_set(fault, TOOL_DAMAGED, "its body would have %jd bytes, %jd are left",
			  (intmax_t)message->body_length,
			  (intmax_t)(reader->end - message->body_offset));
		return -1;
	}
	if (!charge(reader, message->body_length, fault))
		return -1;
	message->left = message->body_length;
	reader->message_count++;
	return 1;
}

static bool
open_file(struct arrow_reader *reader, struct fault *fault)
{
	struct input *input = &reader->input;
	struct flatbuffer footer;
	struct flat_table root;
	const uint8_t *data;
	size_t capacity = 0;
	uint32_t size;

	reader->is_file = true;
	if (input->size < HEAD_SIZE + TAIL_SIZE)
		return fault_set(fault, TOOL_UNREADABLE, "an Arrow file that is cut off");
	if (!input_view(input, input->size - TAIL_SIZE, TAIL_SIZE, &data, fault))
		return false;
	size = (uint32_t)flat_load(data, 4);
	if (memcmp(data + 4, MAGIC, MAGIC_SIZE) != 0)
		return fault_set(fault, TOOL_UNREADABLE,
				 "an Arrow file that is cut off: it does not end in " MAGIC);
	if (size > input->size - HEAD_SIZE - TAIL_SIZE)
		return fault_set(fault, TOOL_UNREADABLE,
				 "its footer would have %u bytes, the file has %jd", size,
				 (intmax_t)input->size);
	reader->end = input->size - TAIL_SIZE - size;
	reader->left = reader->end;
	if (!input_view(input, reader->end, size, &data, fault) ||
	    !keep(&reader->footer, &capacity, data, size, fault))
		return false;
	footer = (struct flatbuffer){.data = reader->footer, .size = size};
	root = flat_root(&footer);
	for (unsigned int i = 0; i < 2; i++)
		reader->blocks_at[i] =
		    flat_vector(&root, 2 + i, BLOCK_SIZE, &reader->block_counts[i]);
	if (footer.is_bad)
		return fault_set(fault, TOOL_UNREADABLE, "its footer is damaged");
	return true;
}

static bool
open_stream(struct arrow_reader *reader, struct fault *fault)
{
	struct arrow_message message;
	struct fault inner;
	int found;

	reader->end = reader->input.size;
	reader->left = reader->end;
	found = read_message(reader, 0, &message, &inner);
	reader->left = reader->end;
	reader->message_count = 0;
	if (found < 0 && inner.exit == TOOL_UNREADABLE)
		return fault_set(fault, inner.exit, "%s", inner.text);
	if (found <= 0 || message.type != ARROW_SCHEMA)
		return fault_set(fault, TOOL_UNREADABLE, "not an Arrow IPC file or stream");
	return true;
}

bool
arrow_open(struct arrow_reader *reader, const char *name, struct fault *fault)
{
	const uint8_t *data = NULL;
	bool is_good;

	memset(reader, 0, sizeof(*reader));
	if (!input_open(&reader->input, name, fault))
		return false;
	is_good = reader->input.size < MAGIC_SIZE ||
		  input_view(&reader->input, 0, MAGIC_SIZE, &data, fault);
	if (is_good && data && memcmp(data, MAGIC, MAGIC_SIZE) == 0)
		is_good = open_file(reader, fault);
	else if (is_good)
		is_good = open_stream(reader, fault);
	if (!is_good)
		arrow_close(reader);
	return is_good;
}

void
arrow_close(struct arrow_reader *reader)
{
	input_close(&reader->input);
	free(reader->metadata);
	free(reader->footer);
	reader->metadata = NULL;
	reader->footer = NULL;
}

static int
next_of_file(struct arrow_reader *reader, struct arrow_message *message, bool *is_last,
	     struct fault *fault)
{
	uint32_t block = reader->block, kind = block >= reader->block_counts[0];
	const uint8_t *at;
	int64_t offset;
	int found;

	*is_last = false;
	if (kind)
		block -= reader->block_counts[0];
	if (kind && block >= reader->block_counts[1])
		return 0;
	reader->block++;
	at = reader->footer + reader->blocks_at[kind] + (size_t)block * BLOCK_SIZE;
	offset = flat_load(at, 8);
	if (offset < HEAD_SIZE || offset > reader->end) {
		memset(message, 0, sizeof(*message));
		message->offset = offset;
		message->number = reader->message_count;
		damaged(fault, "the footer puts it outside the file");
		return -1;
	}
	found = read_message(reader, offset, message, fault);
	if (found > 0 && message->body_length == flat_load(at + 16, 8) &&
	    message->type == (kind ? ARROW_RECORD_BATCH : ARROW_DICTIONARY_BATCH))
		return 1;
	if (found >= 0)
		damaged(fault, "it is not what the footer says of it");
	return -1;
}

int
arrow_next(struct arrow_reader *reader, struct arrow_message *message, bool *is_last,
	   struct fault *fault)
{
	int found;

	if (reader->is_file)
		return next_of_file(reader, message, is_last, fault);
	*is_last = true;
	/* The mark at a stream's end may be missing. */
	if (reader->offset == reader->end)
		return 0;
	found = read_message(reader, reader->offset, message, fault);
	if (found > 0)
		reader->offset = message->body_offset + message->body_length;
	return found;
}

bool
arrow_buffer(const struct arrow_reader *reader, struct arrow_message *message, uint32_t index,
	     int64_t *offset, int64_t *length, struct fault *fault)
{
	const uint8_t *at =
	    reader->metadata + message->buffers_at + (size_t)index * BUFFER_SIZE;
	int64_t start = flat_load(at, 8);

	*length = flat_load(at + 8, 8);
	*offset = message->body_offset;
	if (start < 0 || *length < 0 || start > message->body_length ||
	    *length > message->body_length - start)
		return fault_set(fault, TOOL_DAMAGED,
				 "offset %jd and length %jd are outside a body of %jd bytes",
				 (intmax_t)start, (intmax_t)*length,
				 (intmax_t)message->body_length);
	*offset += start;
	if (!message->is_compressed)
		return true;
	if (*length > message->left)
		return damaged(fault, "the buffers have more bytes than the body");
	message->left -= *length;
	return true;
}
