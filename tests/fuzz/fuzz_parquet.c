/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_parquet.c - any bytes as a Parquet file, read as `pagecodec verify` and `inspect`
 * do.  Files are mutated where it matters: the footer, with its length made true, or the
 * pages, in their places.
 */
#include "fuzz.h"

#include "../../tools/page_walk.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned int seed);

enum { HEAD = 4, TAIL = 8 };

static bool
count_page(void *context, const struct pagecodec_span *plain, struct fault *fault)
{
	uint64_t *size = context;

	(void)fault;
	REQUIRE(plain->data && plain->size <= PAGE_MAX);
	*size += plain->size;
	return true;
}

static enum tool_exit
verify(const char *name)
{
	struct parquet_file file;
	uint64_t size = 0;
	struct walk walk = {.name = name,
			    .file = &file,
			    .on_page = count_page,
			    .context = &size,
			    .max_page_size = PAGE_MAX};
	struct fault fault;

	if (!parquet_open(&file, name, &fault)) {
		REQUIRE(fault.exit == TOOL_UNREADABLE && fault.text[0] != '\0');
		return fault.exit;
	}
	walk_file(&walk);
	REQUIRE(walk.damaged_count == 0 || walk.exit != TOOL_SOUND);
	REQUIRE(walk.read_size <= (uint64_t)file.footer_offset);
	REQUIRE(size <= walk.uncompressed_size);
	parquet_close(&file);
	return walk.exit;
}

static enum tool_exit
inspect(const char *name, unsigned int options)
{
	char text[32];
	char *files[] = {text};
	struct arguments arguments = {.files = files, .file_count = 1, .options = options};

	memcpy(text, name, strlen(name) + 1);
	return cmd_inspect(&arguments);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *name = fuzz_file(data, size);
	enum tool_exit verdict = verify(name);
	enum tool_exit seen = inspect(name, OPTION_PAGES | (size % 2 ? OPTION_JSON : 0));

	/* What can be checked to its last byte can be listed. */
	REQUIRE(verdict != TOOL_SOUND || seen == TOOL_SOUND);
	return 0;
}

/* The footer's length, if data ends in one. */
static size_t
footer_size(const uint8_t *data, size_t size)
{
	size_t footer;

	if (size < HEAD + TAIL)
		return 0;
	footer = pgc_load_le32(data + size - TAIL);
	return footer <= size - HEAD - TAIL ? footer : 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned int seed)
{
	size_t footer = footer_size(data, size), pages = size - footer - TAIL;

	if (footer == 0 || seed % 8 == 0)
		return LLVMFuzzerMutate(data, size, capacity);
	if (seed % 8 < 4) {
		LLVMFuzzerMutate(data + HEAD, pages - HEAD, pages - HEAD);
		return size;
	}
	footer = LLVMFuzzerMutate(data + pages, footer, capacity - pages - TAIL);
	pgc_store_le32(data + pages + footer, (uint32_t)footer);
	memcpy(data + pages + footer + 4, "PAR1", 4);
	return pages + footer + TAIL;
}
