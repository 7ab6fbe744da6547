/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault.c - faults as values, and the exit status that each one means
 *
 * One place decides what counts as damaged, unreadable or not built.
 */
#include "tools.h"

#include <stdarg.h>
#include <stdio.h>

#include "text.h"

enum tool_exit
tool_worse(enum tool_exit a, enum tool_exit b)
{
	static const unsigned char rank[] = {
	    [TOOL_SOUND] = 0, [TOOL_NOT_BUILT] = 1, [TOOL_DAMAGED] = 2, [TOOL_UNREADABLE] = 3};

	return rank[a] >= rank[b] ? a : b;
}

const char *
tool_verdict(enum tool_exit exit)
{
	static const char *const verdicts[] = {[TOOL_SOUND] = "sound",
					       [TOOL_DAMAGED] = "damaged",
					       [TOOL_UNREADABLE] = "not readable",
					       [TOOL_NOT_BUILT] = "not all checked"};

	return verdicts[exit];
}

enum tool_exit
tool_exit_of(enum pagecodec_status status)
{
	switch (status) {
	case PAGECODEC_OK:
		return TOOL_SOUND;
	case PAGECODEC_NOT_BUILT:
	case PAGECODEC_UNKNOWN_CODEC:
		return TOOL_NOT_BUILT;
	case PAGECODEC_TOO_LARGE:
	case PAGECODEC_TRUNCATED:
	case PAGECODEC_CORRUPT:
	case PAGECODEC_CHECKSUM_MISMATCH:
	case PAGECODEC_SIZE_MISMATCH:
	case PAGECODEC_TRAILING_DATA:
		return TOOL_DAMAGED;
	case PAGECODEC_INVALID_ARGUMENT:
	case PAGECODEC_OUT_OF_MEMORY:
	case PAGECODEC_DST_TOO_SMALL:
		break;
	}
	return TOOL_UNREADABLE;
}

bool
fault_set(struct fault *fault, enum tool_exit exit, const char *format, ...)
{
	va_list arguments;

	fault->exit = exit;
	va_start(arguments, format);
	vsnprintf(fault->text, sizeof(fault->text), format, arguments);
	va_end(arguments);
	return false;
}

bool
fault_of_library(struct fault *fault, const struct pagecodec_error *error)
{
	return fault_set(fault, tool_exit_of(error->status), "%s: %s",
			 pagecodec_status_name(error->status), error->message);
}

enum tool_exit
fault_report(const struct fault *fault, const char *file)
{
	progress_clear();
	fflush(stdout);
	fprintf(stderr, "pagecodec: %s: %s\n", file, fault->text);
	return fault->exit;
}
