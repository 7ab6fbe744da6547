/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.h - a file, read by pieces into memory of our own
 *
 * The library forbids input that changes under it, so files are not mapped.
 */
#ifndef INPUT_H
#define INPUT_H

#include "tools.h"

struct input {
	int fd;
	int64_t size;
	size_t read_ahead; /* most bytes per read, unless more are asked for */
	uint8_t *window;
	size_t capacity, filled;
	int64_t start;
};

/* A regular file only; any other is a fault. */
bool input_open(struct input *input, const char *name, struct fault *fault);

/* fd is the input's from then on, and closed if this fails. */
bool input_attach(struct input *input, int fd, struct fault *fault);

void input_close(struct input *input);

/* The bytes of the file, valid until the next call.  Asking for bytes that the
 * file has not is a fault and takes no memory. */
bool input_view(struct input *input, int64_t offset, size_t size, const uint8_t **data,
		struct fault *fault);

#endif
