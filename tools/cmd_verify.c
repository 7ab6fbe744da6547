/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_verify.c - pagecodec verify: is every page of these files sound?
 *
 * Faults go to standard error as they are found, a verdict per file to standard output.
 */
#include "tools.h"

#include <inttypes.h>
#include <stdio.h>

#include "page_walk.h"
#include "text.h"

static void
print_verdict(const struct walk *walk)
{
	char sizes[2][TEXT_SIZE_MAX], codecs[WALK_CODECS_TEXT];
	uint64_t not_built = 0;

	for (size_t i = 0; i < WALK_CODECS; i++)
		not_built += walk->not_built_of[i];
	printf("%s: %s: %" PRIu64 " column chunk%s, %" PRIu64 " page%s (%" PRIu64
	       " with a CRC), %s decompressed to %s",
	       walk->name, tool_verdict(walk->exit), walk->chunk_count,
	       text_plural(walk->chunk_count), walk->page_count, text_plural(walk->page_count),
	       walk->crc_count, text_size(sizes[0], walk->compressed_size),
	       text_size(sizes[1], walk->uncompressed_size));
	if (walk->damaged_count)
		printf("; %" PRIu64 " fault%s", walk->damaged_count,
		       text_plural(walk->damaged_count));
	if (not_built)
		printf("; %" PRIu64 " page%s not checked, of codecs not in this build: %s",
		       not_built, text_plural(not_built),
		       walk_codecs(walk->not_built_of, codecs));
	if (walk->unreadable_chunk_count)
		printf("; %" PRIu64 " column chunk%s not readable",
		       walk->unreadable_chunk_count, text_plural(walk->unreadable_chunk_count));
	putchar('\n');
}

static enum tool_exit
verify(const char *name)
{
	struct parquet_file file;
	struct walk walk = {.name = name, .file = &file};
	struct fault fault;

	if (!parquet_open(&file, name, &fault))
		return fault_report(&fault, name);
	walk_file(&walk);
	print_verdict(&walk);
	parquet_close(&file);
	return walk.exit;
}

enum tool_exit
cmd_verify(const struct arguments *arguments)
{
	enum tool_exit exit = TOOL_SOUND;

	for (int i = 0; i < arguments->file_count; i++)
		exit = tool_worse(exit, verify(arguments->files[i]));
	return exit;
}
