/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output.h - a file that appears only when it is whole
 *
 * It is written without a name, or under one beside it that a signal removes.  A pipe
 * or a device is written as it comes.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <sys/stat.h>

#include "tools.h"

struct output {
	int fd;
	int64_t size;		/* put so far */
	int64_t written, begun; /* to the file, and on their way to the disk */
	bool has_failed;
	bool is_stream; /* standard output, a pipe, a device: cannot be read back */
	bool may_replace, is_replacing;
	char *path, *temporary;
	struct stat replaced;
	uint8_t *buffer;
	size_t filled;
};

enum output_flag {
	OUTPUT_MAY_REPLACE = 1,
	OUTPUT_NAMED = 2 /* as where the file system has no files without a name */
};

/* name "-": standard output.  in: what is read meanwhile, and so only with
 * OUTPUT_MAY_REPLACE may be the same file; a stream never may. */
bool output_open(struct output *output, const char *name, int in, unsigned int flags,
		 struct fault *fault);

bool output_put(struct output *output, const void *data, size_t size, struct fault *fault);

/* Write what is still in memory; the file can then be read through fd. */
bool output_flush(struct output *output, struct fault *fault);

/* Bring all of it to the disk and give it its name. */
bool output_publish(struct output *output, struct fault *fault);

/* Once, whatever came before.  What was not published is gone. */
void output_close(struct output *output);

#endif
