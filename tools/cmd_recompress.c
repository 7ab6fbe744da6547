/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cmd_recompress.c - pagecodec recompress: another codec or level for a file's pages
 *
 * All that is asked for is looked at before anything is written.
 */
#include "tools.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "recompress.h"
#include "text.h"

static bool
wrong(struct fault *fault, const char *option, const char *takes, const char *value)
{
	char text[80];

	text_name(text, sizeof(text), value, strlen(value));
	return fault_set(fault, TOOL_UNREADABLE, "%s takes %s, not '%s'", option, takes, text);
}

static bool
read_int(const char *text, int *number)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < -INT32_MAX || value > INT32_MAX)
		return false;
	*number = (int)value;
	return true;
}

static bool
read_codec(const char *name, int32_t *codec, struct fault *fault)
{
	const struct pagecodec_codec_info *info = pagecodec_find_codec_by_name(name);
	char text[80];

	text_name(text, sizeof(text), name, strlen(name));
	if (!info)
		return fault_set(fault, TOOL_UNREADABLE, "there is no codec '%s'", text);
	if (!parquet_codec(info->codec))
		return fault_set(fault, TOOL_UNREADABLE, "%s is no codec of Parquet's pages",
				 info->name);
	if (!info->is_available)
		return fault_set(fault, TOOL_NOT_BUILT, "%s is not in this build", info->name);
	*codec = info->codec;
	return true;
}

static bool
read_level(const char *option, const char *takes, const char *text, struct target *target,
	   struct fault *fault)
{
	target->has_level = true;
	return read_int(text, &target->level) || wrong(fault, option, takes, text);
}

static bool
is_path(const struct parquet_file *file, size_t leaf, const char *path, size_t size)
{
	size_t depth = parquet_path_depth(file, leaf), at = 0;

	for (size_t level = 0; level < depth; level++) {
		struct thrift_bytes name = parquet_path_name(file, leaf, level);

		if (level && (at == size || path[at++] != '.'))
			return false;
		if (name.size > size - at || memcmp(path + at, name.data, name.size) != 0)
			return false;
		at += name.size;
	}
	return at == size;
}

static const char column_takes[] = "PATH=CODEC or PATH=CODEC:LEVEL";

/* A path may have any sign in it, a codec's name has none. */
static bool
read_column(struct recompress *job, const char *text, struct fault *fault)
{
	struct target target = {.has_codec = true};
	const char *equals = strrchr(text, '=');
	bool is_found = false;
	char name[32], path[80];
	size_t length;

	if (!equals)
		return wrong(fault, "--column", column_takes, text);
	length = strcspn(equals + 1, ":");
	snprintf(name, sizeof(name), "%.*s", length < 31 ? (int)length : 31, equals + 1);
	if (!read_codec(name, &target.codec, fault) ||
	    (equals[1 + length] &&
	     !read_level("--column", column_takes, equals + length + 2, &target, fault)))
		return false;
	for (size_t leaf = 0; leaf < job->in.leaf_count; leaf++) {
		if (!is_path(&job->in, leaf, text, (size_t)(equals - text)))
			continue;
		job->targets[leaf] = target;
		is_found = true;
	}
	text_name(path, sizeof(path), text, (size_t)(equals - text));
	return is_found || fault_set(fault, TOOL_UNREADABLE, "there is no column '%s'", path);
}

static bool
read_threads(struct recompress *job, const char *text, struct fault *fault)
{
	char takes[TEXT_SIZE_MAX];
	int count;

	snprintf(takes, sizeof(takes), "1 to %d", CREW_THREADS_MAX);
	if (!read_int(text, &count) || count < 1 || count > CREW_THREADS_MAX)
		return wrong(fault, "--threads", takes, text);
	job->thread_count = (size_t)count;
	return true;
}

static bool
read_crc(struct recompress *job, const char *text, struct fault *fault)
{
	static const char *const names[] = {
	    [CRC_KEEP] = "keep", [CRC_ADD] = "add", [CRC_DROP] = "drop"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]) != 0)
			continue;
		job->crc = (enum crc_mode)i;
		return true;
	}
	return wrong(fault, "--page-crc", "keep, add or drop", text);
}

/* What is asked of each column that --column does not name. */
static bool
read_settings(struct recompress *job, const struct arguments *arguments, struct target *target,
	      struct fault *fault)
{
	bool is_good = true;

	for (size_t i = 0; i < arguments->setting_count && is_good; i++) {
		const char *value = arguments->settings[i].value;

		if (arguments->settings[i].option == OPTION_CODEC) {
			target->has_codec = true;
			is_good = read_codec(value, &target->codec, fault);
		} else if (arguments->settings[i].option == OPTION_LEVEL) {
			is_good = read_level("--level", "a number", value, target, fault);
		} else if (arguments->settings[i].option == OPTION_THREADS) {
			is_good = read_threads(job, value, fault);
		} else if (arguments->settings[i].option == OPTION_PAGE_CRC) {
			is_good = read_crc(job, value, fault);
		}
	}
	return is_good;
}

static bool
read_targets(struct recompress *job, const struct arguments *arguments,
	     const struct target *target, struct fault *fault)
{
	size_t count = job->in.leaf_count;

	job->targets = calloc(count ? count : 1, sizeof(*job->targets));
	if (!job->targets)
		return fault_set(fault, TOOL_UNREADABLE, "no memory for its columns");
	for (size_t leaf = 0; leaf < count; leaf++)
		job->targets[leaf] = *target;
	for (size_t i = 0; i < arguments->setting_count; i++)
		if (arguments->settings[i].option == OPTION_COLUMN &&
		    !read_column(job, arguments->settings[i].value, fault))
			return false;
	return true;
}

static bool
check_level(const struct target *target, int32_t codec, struct fault *fault)
{
	const struct pagecodec_codec_info *info = parquet_codec(codec);

	if (!target->has_level || !info)
		return true;
	if (!info->has_levels)
		return fault_set(fault, TOOL_UNREADABLE, "%s has no levels", info->name);
	return (target->level >= info->min_level && target->level <= info->max_level) ||
	       fault_set(fault, TOOL_UNREADABLE, "%s has levels %d to %d, not %d", info->name,
			 info->min_level, info->max_level, target->level);
}

static bool
check_levels(const struct recompress *job, const struct target *target, struct fault *fault)
{
	bool is_good = !target->has_codec || check_level(target, target->codec, fault);

	for (size_t i = 0; is_good && i < job->in.column_count; i++) {
		is_good = check_level(&job->chunks[i].target, job->chunks[i].codec, fault);
		if (!is_good)
			parquet_locate(&job->in, job->chunks[i].row_group, job->chunks[i].leaf,
				       NULL, fault);
	}
	return is_good;
}

struct result {
	const char *out_name;
	bool is_verified, is_written;
	double seconds;
};

static double
mega_per_second(const struct recompress *job, const struct result *result)
{
	return result->seconds > 0 ? (double)job->uncompressed_size / result->seconds / 1e6 : 0;
}

static void
print_json(FILE *out, const struct recompress *job, const struct result *result)
{
	struct json json = {.out = out, .is_first = true};
	int64_t before = job->in.input.size, after = job->out.size;

	json_open(&json, NULL, '{');
	json_text(&json, "in", job->in_name);
	json_text(&json, "out", result->out_name);
	json_int(&json, "column_chunks", (int64_t)job->in.column_count);
	json_int(&json, "pages", (int64_t)job->page_count);
	json_int(&json, "uncompressed_size", (int64_t)job->uncompressed_size);
	json_int(&json, "before", before);
	json_int(&json, "after", after);
	json_double(&json, "ratio", (double)before / (double)after);
	json_int(&json, "left_out", job->left_out);
	json_bool(&json, "is_verified", result->is_verified);
	json_double(&json, "seconds", result->seconds);
	json_double(&json, "mb_per_second", mega_per_second(job, result));
	json_close(&json, '}');
}

static void
print_text(FILE *out, const struct recompress *job, const struct result *result)
{
	char sizes[2][TEXT_SIZE_MAX], ratio[TEXT_SIZE_MAX];

	fprintf(out,
		"%s: %zu column chunk%s, %ju page%s; %s before, %s after, ratio %s; %.2f s, "
		"%.0f MB/s%s\n",
		result->out_name, job->in.column_count, text_plural(job->in.column_count),
		(uintmax_t)job->page_count, text_plural(job->page_count),
		text_size(sizes[0], (uint64_t)job->in.input.size),
		text_size(sizes[1], (uint64_t)job->out.size),
		text_ratio(ratio, (uint64_t)job->in.input.size, (uint64_t)job->out.size),
		result->seconds, mega_per_second(job, result),
		result->is_verified ? "; every page compared" : "");
	if (job->left_out)
		fprintf(out, "left out: %jd byte%s that the footer does not name\n",
			(intmax_t)job->left_out, text_plural((uint64_t)job->left_out));
}

static bool
write_out(struct recompress *job, const struct arguments *arguments, struct result *result,
	  struct fault *fault)
{
	unsigned int flags = arguments->options & OPTION_FORCE ? OUTPUT_MAY_REPLACE : 0;
	bool is_good;

	if (!output_open(&job->out, result->out_name, job->in.input.fd, flags, fault))
		return false;
	result->is_verified = arguments->options & OPTION_VERIFY;
	if (job->out.is_stream && result->is_verified)
		is_good = fault_set(fault, TOOL_UNREADABLE,
				    "--verify needs a file that can be read back");
	else
		is_good = (result->is_written = rewrite_run(job, fault)) &&
			  (!result->is_verified || compare_files(job, fault)) &&
			  output_publish(&job->out, fault);
	output_close(&job->out);
	return is_good;
}

static bool
recompress(struct recompress *job, const struct arguments *arguments,
	   const struct target *target, struct result *result, struct fault *fault)
{
	struct timespec start, end;

	clock_gettime(CLOCK_MONOTONIC, &start);
	if (!parquet_open(&job->in, job->in_name, fault) ||
	    !read_targets(job, arguments, target, fault) || !rewrite_plan(job, fault) ||
	    !check_levels(job, target, fault) || !write_out(job, arguments, result, fault))
		return false;
	clock_gettime(CLOCK_MONOTONIC, &end);
	result->seconds =
	    (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
	return true;
}

enum tool_exit
cmd_recompress(const struct arguments *arguments)
{
	struct result result = {.out_name = arguments->files[1]};
	struct recompress job = {.in_name = arguments->files[0],
				 .in.input.fd = -1,
				 .thread_count = crew_processors(),
				 .is_unchecked = arguments->options & OPTION_NO_CHECK};
	struct target target = {0};
	enum tool_exit exit = TOOL_SOUND;
	struct fault fault;
	FILE *out;

	if (!read_settings(&job, arguments, &target, &fault)) {
		exit = fault_report(&fault, "recompress");
	} else if (!recompress(&job, arguments, &target, &result, &fault)) {
		exit = fault_report(&fault, job.out.has_failed || result.is_written
						? result.out_name
						: job.in_name);
	} else {
		/* The file itself may have gone to standard output. */
		out = job.out.is_stream ? stderr : stdout;
		if (arguments->options & OPTION_JSON)
			print_json(out, &job, &result);
		else
			print_text(out, &job, &result);
	}
	rewrite_free(&job);
	free(job.targets);
	parquet_close(&job.in);
	return exit;
}
