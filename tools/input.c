/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.c - a file, read by pieces into memory of our own
 *
 * The library forbids input that changes under it, so files are not mapped.
 */
#include "tools.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"

#define READ_AHEAD_GROWTH 8

bool
input_open(struct input *input, const char *name, struct fault *fault)
{
	/* Without O_NONBLOCK a fifo would hold us until somebody writes to it. */
	return input_attach(input, open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK), fault);
}

bool
input_attach(struct input *input, int fd, struct fault *fault)
{
	struct stat status;

	memset(input, 0, sizeof(*input));
	input->fd = fd;
	if (input->fd < 0)
		return fault_set(fault, TOOL_UNREADABLE, "%s", strerror(errno));
	if (fstat(input->fd, &status) != 0)
		fault_set(fault, TOOL_UNREADABLE, "%s", strerror(errno));
	else if (S_ISDIR(status.st_mode))
		fault_set(fault, TOOL_UNREADABLE, "%s", strerror(EISDIR));
	else if (!S_ISREG(status.st_mode))
		fault_set(fault, TOOL_UNREADABLE, "not a regular file");
	else {
		input->size = status.st_size;
		return true;
	}
	input_close(input);
	return false;
}

void
input_close(struct input *input)
{
	if (input->fd >= 0)
		close(input->fd);
	free(input->window);
	input->fd = -1;
	input->window = NULL;
}

static bool
fill(struct input *input, int64_t offset, size_t size, struct fault *fault)
{
	input->start = offset;
	for (input->filled = 0; input->filled < size;) {
		ssize_t got = pread(input->fd, input->window + input->filled,
				    size - input->filled, offset + (int64_t)input->filled);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fault_set(fault, TOOL_UNREADABLE, "%s", strerror(errno));
		if (got == 0)
			return fault_set(fault, TOOL_UNREADABLE,
					 "became shorter while it was read");
		input->filled += (size_t)got;
	}
	return true;
}

/* Reading that goes on where it was takes ever larger pieces.  A file that makes us
 * jump about gets no more than it asks for. */
static size_t
piece(const struct input *input, int64_t offset, size_t size)
{
	bool goes_on = input->filled && offset >= input->start &&
		       offset - input->start <= (int64_t)input->filled;
	size_t want = goes_on ? READ_AHEAD_GROWTH * input->filled : 0;

	if (want > input->read_ahead)
		want = input->read_ahead;
	if (want < size)
		want = size;
	return want > (uint64_t)(input->size - offset) ? (size_t)(input->size - offset) : want;
}

bool
input_view(struct input *input, int64_t offset, size_t size, const uint8_t **data,
	   struct fault *fault)
{
	size_t want;

	if (offset < 0 || offset > input->size || size > (uint64_t)(input->size - offset))
		return fault_set(fault, TOOL_UNREADABLE,
				 "%zu bytes at offset %jd are beyond its end", size,
				 (intmax_t)offset);
	if (offset < input->start || offset - input->start > (int64_t)input->filled ||
	    size > input->filled - (size_t)(offset - input->start)) {
		want = piece(input, offset, size);
		if (want > input->capacity || !input->window) {
			free(input->window);
			input->filled = 0;
			input->capacity = want;
			input->window = malloc(want ? want : 1);
		}
		if (!input->window)
			return fault_set(fault, TOOL_UNREADABLE, "no memory for %zu bytes",
					 want);
		if (!fill(input, offset, want, fault))
			return false;
	}
	*data = input->window + (offset - input->start);
	return true;
}
