/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parquet.c - the footer of a Parquet file
 *
 * Reads what pages need; what it does not know stays untouched in file->footer.
 * Format: parquet.thrift of apache/parquet-format, FileMetaData.
 */
#include "tools.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parquet.h"
#include "text.h"

#define MAGIC_SIZE 4
#define TAIL_SIZE (4 + MAGIC_SIZE) /* the footer's length, little-endian, and the magic */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define SLOT(id, type, is_required, object, name)                                              \
	{                                                                                      \
		id, type, is_required, offsetof(struct object, name)                           \
	}

/* clang-format off */
static const struct thrift_slot file_slots[] = {
	SLOT(1, THRIFT_I32, true, parquet_file, version),
	SLOT(3, THRIFT_I64, true, parquet_file, num_rows),
};

static const struct thrift_slot row_group_slots[] = {
	SLOT(2, THRIFT_I64, true, parquet_row_group, total_byte_size),
	SLOT(3, THRIFT_I64, true, parquet_row_group, num_rows),
	SLOT(5, THRIFT_I64, false, parquet_row_group, file_offset),
	SLOT(6, THRIFT_I64, false, parquet_row_group, total_compressed_size),
};

static const struct thrift_slot chunk_slots[] = {
	SLOT(2, THRIFT_I64, false, parquet_column, file_offset),
	SLOT(4, THRIFT_I64, false, parquet_column, offset_index_offset),
	SLOT(5, THRIFT_I32, false, parquet_column, offset_index_length),
	SLOT(6, THRIFT_I64, false, parquet_column, column_index_offset),
	SLOT(7, THRIFT_I32, false, parquet_column, column_index_length),
};

static const struct thrift_slot meta_slots[] = {
	SLOT(1, THRIFT_I32, true, parquet_column, type),
	SLOT(4, THRIFT_I32, true, parquet_column, codec),
	SLOT(5, THRIFT_I64, true, parquet_column, num_values),
	SLOT(6, THRIFT_I64, true, parquet_column, total_uncompressed_size),
	SLOT(7, THRIFT_I64, true, parquet_column, total_compressed_size),
	SLOT(9, THRIFT_I64, true, parquet_column, data_page_offset),
	SLOT(10, THRIFT_I64, false, parquet_column, index_page_offset),
	SLOT(11, THRIFT_I64, false, parquet_column, dictionary_page_offset),
	SLOT(14, THRIFT_I64, false, parquet_column, bloom_filter_offset),
	SLOT(15, THRIFT_I32, false, parquet_column, bloom_filter_length),
};
/* clang-format on */

bool
parquet_grow(void *array, size_t count, size_t element_size)
{
	void *old, *grown;

	/* Powers of two are the sizes; each is left when it is full. */
	if (count & (count - 1))
		return true;
	memcpy(&old, array, sizeof(old));
	grown = reallocarray(old, count ? 2 * count : 1, element_size);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof(grown));
	return true;
}

static void
read_column_meta(struct thrift *thrift, struct parquet_column *column)
{
	struct thrift_field field = {0};

	while (thrift_next(thrift, &field)) {
		if (field.id == 2 && field.type == THRIFT_LIST)
			column->encodings_at = (uint32_t)thrift->at;
		if (!thrift_take(thrift, &field, meta_slots, COUNT(meta_slots), column))
			thrift_skip(thrift, &field);
	}
	thrift_require(thrift, meta_slots, COUNT(meta_slots), column);
}

size_t
parquet_encodings(const struct parquet_file *file, const struct parquet_column *column,
		  int32_t encodings[PARQUET_ENCODINGS_MAX])
{
	static const struct thrift_field field = {.type = THRIFT_LIST};
	struct thrift thrift;
	uint32_t count;

	thrift_init(&thrift, file->footer, file->footer_size);
	thrift.at = column->encodings_at;
	count = thrift.at ? thrift_read_list(&thrift, &field, THRIFT_I32) : 0;
	if (count > PARQUET_ENCODINGS_MAX)
		count = PARQUET_ENCODINGS_MAX;
	for (uint32_t i = 0; i < count; i++)
		encodings[i] = thrift_element_i32(&thrift);
	return thrift.fault ? 0 : count;
}

static void
read_column(struct thrift *thrift, struct parquet_column *column)
{
	struct thrift_field field = {0};
	struct thrift_bytes path = {0};
	bool has_meta = false;

	while (thrift_next(thrift, &field)) {
		if (thrift_take(thrift, &field, chunk_slots, COUNT(chunk_slots), column))
			continue;
		if (field.id == 3 && field.type == THRIFT_STRUCT) {
			read_column_meta(thrift, column);
			has_meta = true;
		} else if (field.id == 1) {
			thrift_read_bytes(thrift, &field, &path);
		} else {
			/* crypto_metadata, encrypted_column_metadata */
			if (field.id == 8 || field.id == 9)
				column->is_encrypted = true;
			thrift_skip(thrift, &field);
		}
	}
	column->is_external = path.size != 0;
	if (!has_meta && !column->is_encrypted)
		thrift_fail(thrift, "a column chunk has no metadata");
}

static void
read_row_group(struct parquet_file *file, struct thrift *thrift,
	       struct parquet_row_group *group)
{
	struct thrift_field field = {0};
	uint32_t count;

	group->first_column = file->column_count;
	while (thrift_next(thrift, &field)) {
		if (thrift_take(thrift, &field, row_group_slots, COUNT(row_group_slots), group))
			continue;
		if (field.id != 1) {
			thrift_skip(thrift, &field);
			continue;
		}
		count = thrift_read_list(thrift, &field, THRIFT_STRUCT);
		for (uint32_t i = 0; i < count && !thrift->fault; i++) {
			struct parquet_column column = {0};

			read_column(thrift, &column);
			if (!parquet_grow(&file->columns, file->column_count, sizeof(column))) {
				thrift_fail(thrift, "it is too large for the memory");
				return;
			}
			file->columns[file->column_count++] = column;
		}
	}
	thrift_require(thrift, row_group_slots, COUNT(row_group_slots), group);
}

static void
read_row_groups(struct parquet_file *file, struct thrift *thrift,
		const struct thrift_field *field)
{
	uint32_t count = thrift_read_list(thrift, field, THRIFT_STRUCT);

	for (uint32_t i = 0; i < count && !thrift->fault; i++) {
		struct parquet_row_group group = {0};

		read_row_group(file, thrift, &group);
		if (!parquet_grow(&file->row_groups, i, sizeof(group))) {
			thrift_fail(thrift, "it is too large for the memory");
			return;
		}
		file->row_groups[file->row_group_count++] = group;
	}
}

/* The schema may come after the row groups. */
static void
check_row_groups(const struct parquet_file *file, struct thrift *thrift)
{
	for (size_t i = 0; i < file->row_group_count; i++) {
		size_t end = i + 1 < file->row_group_count
				 ? file->row_groups[i + 1].first_column
				 : file->column_count;

		if (end - file->row_groups[i].first_column != file->leaf_count)
			thrift_fail(thrift,
				    "a row group has not a column chunk for each column");
	}
}

/* Was the file written by application in a version before major.minor.patch? */
static bool
is_written_before(const struct parquet_file *file, const char *application, int major,
		  int minor, int patch)
{
	char text[64], name[33];
	int is[3] = {0, 0, 0};

	text_name(text, sizeof(text), file->created_by.data, file->created_by.size);
	if (sscanf(text, "%32s version %9d.%9d.%9d", name, &is[0], &is[1], &is[2]) < 1 ||
	    strcmp(name, application) != 0)
		return false;
	if (is[0] != major)
		return is[0] < major;
	return is[1] != minor ? is[1] < minor : is[2] < patch;
}

static bool
read_file_meta(struct parquet_file *file, struct fault *fault)
{
	struct thrift_field field = {0};
	bool has_schema = false, has_row_groups = false;
	struct thrift thrift;

	thrift_init(&thrift, file->footer, file->footer_size);
	while (thrift_next(&thrift, &field)) {
		if (thrift_take(&thrift, &field, file_slots, COUNT(file_slots), file))
			continue;
		if (field.id == 2 && !has_schema) {
			has_schema = true;
			if (!parquet_read_schema(file, &thrift, &field))
				thrift_fail(&thrift, "it is too large for the memory");
		} else if (field.id == 4 && !has_row_groups) {
			has_row_groups = true;
			read_row_groups(file, &thrift, &field);
		} else if (field.id == 6) {
			thrift_read_bytes(&thrift, &field, &file->created_by);
		} else {
			/* encryption_algorithm */
			file->is_encrypted |= field.id == 8;
			thrift_skip(&thrift, &field);
		}
	}
	thrift_require(&thrift, file_slots, COUNT(file_slots), file);
	check_row_groups(file, &thrift);
	if (!has_schema || !has_row_groups)
		thrift_fail(&thrift, "a required field is missing");
	if (thrift.fault)
		return fault_set(fault, TOOL_UNREADABLE,
				 "its footer is damaged at byte %zu: %s", thrift.at,
				 thrift.fault);
	/* PARQUET-816, and a writer of Arrow's that never said true. */
	file->writes_short_chunks = is_written_before(file, "parquet-mr", 1, 2, 9);
	file->denies_compression = is_written_before(file, "parquet-cpp", 3, 0, 0) ||
				   is_written_before(file, "parquet-cpp-arrow", 3, 0, 0);
	return true;
}

static bool
read_footer(struct parquet_file *file, struct fault *fault)
{
	struct input *input = &file->input;
	const uint8_t *tail, *head;
	uint64_t size;

	if (input->size < MAGIC_SIZE + TAIL_SIZE)
		return fault_set(fault, TOOL_UNREADABLE, "not a Parquet file: it has %jd bytes",
				 (intmax_t)input->size);
	if (!input_view(input, input->size - TAIL_SIZE, TAIL_SIZE, &tail, fault))
		return false;
	if (memcmp(tail + 4, "PARE", MAGIC_SIZE) == 0)
		return fault_set(fault, TOOL_UNREADABLE, "its footer is encrypted");
	if (memcmp(tail + 4, "PAR1", MAGIC_SIZE) != 0)
		return fault_set(fault, TOOL_UNREADABLE,
				 "not a Parquet file, or cut off: it does not end in PAR1");
	size = (uint64_t)tail[0] | (uint64_t)tail[1] << 8 | (uint64_t)tail[2] << 16 |
	       (uint64_t)tail[3] << 24;
	if (size > (uint64_t)input->size - MAGIC_SIZE - TAIL_SIZE)
		return fault_set(fault, TOOL_UNREADABLE,
				 "its footer would have %ju bytes, the file has %jd",
				 (uintmax_t)size, (intmax_t)input->size);
	if (!input_view(input, 0, MAGIC_SIZE, &head, fault))
		return false;
	if (memcmp(head, "PAR1", MAGIC_SIZE) != 0)
		return fault_set(fault, TOOL_UNREADABLE,
				 "not a Parquet file: it does not begin with PAR1");
	file->footer_size = (size_t)size;
	file->footer_offset = input->size - TAIL_SIZE - (int64_t)size;
	if (!input_view(input, file->footer_offset, file->footer_size, &head, fault))
		return false;
	/* The window becomes the footer; the pages get another. */
	file->footer = input->window;
	input->window = NULL;
	input->filled = 0;
	return read_file_meta(file, fault);
}

static bool
open_input(struct parquet_file *file, struct fault *fault)
{
	if (read_footer(file, fault))
		return true;
	parquet_close(file);
	return false;
}

bool
parquet_open(struct parquet_file *file, const char *name, struct fault *fault)
{
	memset(file, 0, sizeof(*file));
	return input_open(&file->input, name, fault) && open_input(file, fault);
}

bool
parquet_open_fd(struct parquet_file *file, int fd, struct fault *fault)
{
	memset(file, 0, sizeof(*file));
	return input_attach(&file->input, fcntl(fd, F_DUPFD_CLOEXEC, 0), fault) &&
	       open_input(file, fault);
}

void
parquet_close(struct parquet_file *file)
{
	input_close(&file->input);
	free(file->footer);
	free(file->nodes);
	free(file->leaves);
	free(file->row_groups);
	free(file->columns);
	memset(file, 0, sizeof(*file));
	file->input.fd = -1;
}

void
parquet_share(struct parquet_file *view, const struct parquet_file *file)
{
	*view = *file;
	view->input.window = NULL;
	view->input.capacity = view->input.filled = 0;
}

void
parquet_unshare(struct parquet_file *view)
{
	free(view->input.window);
	view->input.window = NULL;
}
