/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sample.c - plain bytes of a Parquet file's pages, in memory
 *
 * A page is kept as long as no larger part of the bytes seen was kept than may be of
 * all: so the pages lie evenly over the file.
 */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

#include "page_walk.h"
#include "sample.h"

struct sampler {
	struct sample *sample;
	size_t limit;
	uint64_t expected; /* bytes of all pages, as the footer says */
};

static bool
add_page(struct sampler *sampler, const struct pagecodec_span *plain, struct fault *fault)
{
	struct sample *sample = sampler->sample;
	uint8_t *copy;

	if (!parquet_grow(&sample->pages, sample->page_count, sizeof(*sample->pages)))
		return fault_set(fault, TOOL_UNREADABLE, "no memory for the pages");
	copy = malloc(plain->size);
	if (!copy)
		return fault_set(fault, TOOL_UNREADABLE, "no memory for %zu bytes",
				 plain->size);
	memcpy(copy, plain->data, plain->size);
	sample->pages[sample->page_count++] = (struct pagecodec_span){copy, plain->size};
	sample->size += plain->size;
	return true;
}

/* What a footer says is only believed in part: never more than twice the limit. */
static bool
is_due(const struct sampler *sampler, size_t size)
{
	const struct sample *sample = sampler->sample;

	if (sample->page_count == 0)
		return true;
	if (size > sampler->limit || sample->size > 2 * sampler->limit - size)
		return false;
	return (double)sample->size * (double)sampler->expected <=
	       (double)sample->file_size * (double)sampler->limit;
}

static bool
on_page(void *context, const struct pagecodec_span *plain, struct fault *fault)
{
	struct sampler *sampler = context;
	bool is_kept = plain->size > 0 && is_due(sampler, plain->size);

	sampler->sample->file_page_count++;
	sampler->sample->file_size += plain->size;
	return !is_kept || add_page(sampler, plain, fault);
}

/* The leaves of that path; NULL: no memory. */
static bool *
find_leaves(const struct parquet_file *file, const char *column, bool *is_found)
{
	bool *leaves = calloc(file->leaf_count + 1, sizeof(*leaves));

	*is_found = false;
	for (size_t leaf = 0; leaves && leaf < file->leaf_count; leaf++) {
		char path[PARQUET_PATH_MAX];

		leaves[leaf] = !column || strcmp(parquet_path(file, leaf, path), column) == 0;
		*is_found |= leaves[leaf];
	}
	return leaves;
}

static uint64_t
expected_size(const struct parquet_file *file, const bool *leaves)
{
	uint64_t size = 0;

	for (size_t group = 0; group < file->row_group_count; group++) {
		const struct parquet_column *columns =
		    file->columns + file->row_groups[group].first_column;

		for (size_t leaf = 0; leaf < file->leaf_count; leaf++)
			if (leaves[leaf])
				size += (uint64_t)columns[leaf].total_uncompressed_size.value;
	}
	return size;
}

static enum tool_exit
read_pages(struct sampler *sampler, struct parquet_file *file, const char *name,
	   const char *column)
{
	struct walk walk = {.name = name, .file = file, .on_page = on_page, .context = sampler};
	struct fault fault;
	bool is_found;
	bool *leaves = find_leaves(file, column, &is_found);

	if (!leaves)
		fault_set(&fault, TOOL_UNREADABLE, "no memory for its columns");
	else if (column && !is_found)
		fault_set(&fault, TOOL_UNREADABLE, "it has no column '%.200s'", column);
	if (!leaves || (column && !is_found)) {
		free(leaves);
		return fault_report(&fault, name);
	}
	sampler->expected = expected_size(file, leaves);
	walk.leaves = leaves;
	walk_file(&walk);
	free(leaves);
	return walk.exit;
}

enum tool_exit
sample_read(struct sample *sample, const char *name, const char *column, size_t limit)
{
	struct sampler sampler = {.sample = sample, .limit = limit};
	struct parquet_file file;
	struct fault fault;
	enum tool_exit exit;

	memset(sample, 0, sizeof(*sample));
	if (!parquet_open(&file, name, &fault))
		return fault_report(&fault, name);
	exit = read_pages(&sampler, &file, name, column);
	parquet_close(&file);
	return exit;
}

void
sample_free(struct sample *sample)
{
	for (size_t i = 0; i < sample->page_count; i++)
		free((void *)(uintptr_t)sample->pages[i].data);
	free(sample->pages);
	memset(sample, 0, sizeof(*sample));
}
