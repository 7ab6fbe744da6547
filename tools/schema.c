/* SPDX-License-Identifier: Apache-2.0 */
/*
 * schema.c - the names of a Parquet file's columns
 *
 * Paths are kept as a name and a parent: a hostile footer could make strings of
 * them that take a million times its own size.
 */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

#include "parquet.h"
#include "text.h"

#define DEPTH_MAX 256

static struct thrift_bytes
read_element(struct thrift *thrift, struct thrift_number *child_count, bool *is_group)
{
	struct thrift_field field = {0};
	struct thrift_bytes name = {0};

	*is_group = true;
	while (thrift_next(thrift, &field)) {
		if (field.id == 4) {
			thrift_read_bytes(thrift, &field, &name);
		} else if (field.id == 5) {
			thrift_read_number(thrift, &field, THRIFT_I32, child_count);
		} else {
			if (field.id == 1)
				*is_group = false;
			thrift_skip(thrift, &field);
		}
	}
	if (child_count->value < 0 || (!*is_group && child_count->value != 0))
		thrift_fail(thrift, "the schema has a wrong number of children");
	return name;
}

/* The list is the tree in depth-first order; open groups are a stack. */
bool
parquet_read_schema(struct parquet_file *file, struct thrift *thrift,
		    const struct thrift_field *field)
{
	struct {
		uint32_t node;
		int64_t left;
	} groups[DEPTH_MAX];
	uint32_t count = thrift_read_list(thrift, field, THRIFT_STRUCT);
	size_t depth = 0;

	for (uint32_t i = 0; i < count && !thrift->fault; i++) {
		struct thrift_number child_count = {0};
		struct parquet_node node = {.parent = 0};
		bool is_group;

		node.name = read_element(thrift, &child_count, &is_group);
		while (depth && groups[depth - 1].left == 0)
			depth--;
		if (i != 0 && depth == 0)
			thrift_fail(thrift, "the schema has elements that no group holds");
		if (thrift->fault)
			break;
		if (depth) {
			groups[depth - 1].left--;
			node.parent = groups[depth - 1].node;
		}
		if (!parquet_grow(&file->nodes, i, sizeof(node)))
			return false;
		file->nodes[file->node_count++] = node;
		if (is_group && child_count.value) {
			if (depth == DEPTH_MAX) {
				thrift_fail(thrift, "the schema is nested too deep");
				break;
			}
			groups[depth].node = i;
			groups[depth++].left = child_count.value;
		} else if (!is_group && i != 0) {
			if (!parquet_grow(&file->leaves, file->leaf_count, sizeof(i)))
				return false;
			file->leaves[file->leaf_count++] = i;
		}
	}
	while (depth && groups[depth - 1].left == 0)
		depth--;
	if (depth || count == 0)
		thrift_fail(thrift, "the schema lacks elements");
	return true;
}

size_t
parquet_path_depth(const struct parquet_file *file, size_t leaf)
{
	size_t depth = 0;

	for (uint32_t node = file->leaves[leaf]; node; node = file->nodes[node].parent)
		depth++;
	return depth;
}

struct thrift_bytes
parquet_path_name(const struct parquet_file *file, size_t leaf, size_t level)
{
	uint32_t node = file->leaves[leaf];

	for (size_t up = parquet_path_depth(file, leaf) - 1 - level; up; up--)
		node = file->nodes[node].parent;
	return file->nodes[node].name;
}

char *
parquet_path(const struct parquet_file *file, size_t leaf, char text[PARQUET_PATH_MAX])
{
	size_t depth = parquet_path_depth(file, leaf), used = 0;

	for (size_t level = 0; level < depth && used + 8 < PARQUET_PATH_MAX; level++) {
		struct thrift_bytes name = parquet_path_name(file, leaf, level);

		if (level)
			text[used++] = '.';
		text_name(text + used, PARQUET_PATH_MAX - used, name.data, name.size);
		used += strlen(text + used);
	}
	text[used] = '\0';
	return text;
}
