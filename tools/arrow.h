/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arrow.h - the messages of an Arrow IPC file or stream, one by one
 *
 * Format: Message.fbs, Schema.fbs and File.fbs of apache/arrow.
 */
#ifndef ARROW_H
#define ARROW_H

#include "flatbuffer.h"
#include "input.h"

enum arrow_type { ARROW_SCHEMA = 1, ARROW_DICTIONARY_BATCH = 2, ARROW_RECORD_BATCH = 3 };

struct arrow_message {
	int64_t offset, body_offset, body_length;
	int64_t type;	   /* of enum arrow_type, or another number */
	int64_t row_count; /* of batches */
	int64_t left;	   /* bytes of the body that no compressed buffer has had yet */
	uint32_t number, buffer_count;
	size_t buffers_at; /* in the reader's metadata */
	bool is_compressed;
	int32_t codec; /* one of PAGECODEC_ARROW_*; -1: no codec that is known */
};

struct arrow_reader {
	struct input input;
	bool is_file; /* has a footer; else a stream */
	uint8_t *metadata, *footer;
	size_t metadata_size, metadata_capacity, footer_size;
	int64_t offset, end; /* a stream's next message; where messages end */
	int64_t left;	     /* bytes of the file that no message has had yet */
	size_t blocks_at[2]; /* of dictionaries and record batches in the footer */
	uint32_t block_counts[2], block;
	uint32_t message_count;
};

/* A file that failed to open is closed already. */
bool arrow_open(struct arrow_reader *reader, const char *name, struct fault *fault);
void arrow_close(struct arrow_reader *reader);

/* 1: *message is the next one; 0: they have ended; -1: a fault. is_last tells whether
 * none can be found after it.  A file's schema, being in its footer, does not come. */
int arrow_next(struct arrow_reader *reader, struct arrow_message *message, bool *is_last,
	       struct fault *fault);

/* Where in the file the index-th buffer of the last message lies.  Ask once for each:
 * compressed ones may not have more bytes in all than the body. */
bool arrow_buffer(const struct arrow_reader *reader, struct arrow_message *message,
		  uint32_t index, int64_t *offset, int64_t *length, struct fault *fault);

#endif
