/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tools.h - what all parts of the program pagecodec share
 *
 * First include of every file in tools/.  Exit statuses, and faults as values:
 * a function that fails fills in a fault and returns false; main's callees print it.
 */
#ifndef TOOLS_H
#define TOOLS_H

#include <config.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pagecodec.h>

enum tool_exit {
	TOOL_SOUND = 0,
	TOOL_DAMAGED = 1,
	TOOL_UNREADABLE = 2, /* the file, the output, or how the program was called */
	TOOL_NOT_BUILT = 3   /* pages of codecs that this build lacks, else sound */
};

/* The one to report of two: the first in the order 2, 1, 3, 0. */
enum tool_exit tool_worse(enum tool_exit a, enum tool_exit b);

/* "sound", "damaged", "not readable" or "not all checked". */
const char *tool_verdict(enum tool_exit exit);

/* What a failed library call means for the file. */
enum tool_exit tool_exit_of(enum pagecodec_status status);

/* text is one line without control characters of the file's in it. */
struct fault {
	enum tool_exit exit;
	char text[400];
};

/* Always false, so that a function can end in "return fault_set(...)". */
bool fault_set(struct fault *fault, enum tool_exit exit, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "SIZE_MISMATCH: what the library says of it". */
bool fault_of_library(struct fault *fault, const struct pagecodec_error *error);

/* Print "pagecodec: FILE: text" to standard error and return the exit status. */
enum tool_exit fault_report(const struct fault *fault, const char *file);

enum tool_option {
	OPTION_PAGES = 1,
	OPTION_JSON = 2,
	OPTION_VERIFY = 4,
	OPTION_NO_CHECK = 8,
	OPTION_FORCE = 16,
	/* with a value */
	OPTION_CODEC = 32,
	OPTION_LEVEL = 64,
	OPTION_COLUMN = 128,
	OPTION_THREADS = 256,
	OPTION_PAGE_CRC = 512
};

struct setting {
	enum tool_option option;
	const char *value;
};

/* What stood behind a command's name: as many files as it takes, and options that
 * it has. */
struct arguments {
	char **files;
	int file_count;
	unsigned int options;	  /* of enum tool_option */
	struct setting *settings; /* as they were given */
	size_t setting_count;
};

enum tool_exit cmd_inspect(const struct arguments *arguments);
enum tool_exit cmd_verify(const struct arguments *arguments);
enum tool_exit cmd_recompress(const struct arguments *arguments);
enum tool_exit cmd_roundtrip(const struct arguments *arguments);
enum tool_exit cmd_arrow(const struct arguments *arguments);
enum tool_exit cmd_bench(const struct arguments *arguments);

#endif
