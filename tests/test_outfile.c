/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_outfile.c - a file that appears only when it is whole
 *
 * Both ways of writing it: without a name, and under one beside it.
 */
#include "../tools/tools.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tools/output.h"
#include "testing.h"

static char folder[64], in_name[80], out_name[80];
static int in;

static void
write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void
check_file(const char *name, const char *want)
{
	FILE *file = fopen(name, "r");
	char text[64] = "";

	ck_assert_ptr_nonnull(file);
	ck_assert(fgets(text, sizeof(text), file) || !*want);
	fclose(file);
	ck_assert_str_eq(text, want);
}

/* But for the two that are always there. */
static size_t
count_files(void)
{
	DIR *directory = opendir(folder);
	size_t count = 0;

	ck_assert_ptr_nonnull(directory);
	while (readdir(directory))
		count++;
	closedir(directory);
	return count - 2;
}

static void
set_up(void)
{
	strcpy(folder, "/tmp/test_outfile.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(in_name, sizeof(in_name), "%s/in", folder);
	snprintf(out_name, sizeof(out_name), "%s/out", folder);
	write_file(in_name, "input");
	in = open(in_name, O_RDONLY);
	ck_assert_int_ge(in, 0);
}

static void
tear_down(void)
{
	close(in);
	unlink(in_name);
	unlink(out_name);
	ck_assert_int_eq(rmdir(folder), 0);
}

static void
open_output(struct output *output, const char *name, unsigned int flags)
{
	struct fault fault = {.text = ""};

	ck_assert_msg(output_open(output, name, in, flags, &fault), "%s", fault.text);
	ck_assert(output_put(output, "whole", 5, &fault));
}

static void
check_refused(const char *name, unsigned int flags, const char *want)
{
	struct output output;
	struct fault fault = {.text = ""};

	ck_assert(!output_open(&output, name, in, flags, &fault));
	ck_assert(output.has_failed);
	ck_assert_int_eq(fault.exit, TOOL_UNREADABLE);
	ck_assert_msg(strstr(fault.text, want), "%s", fault.text);
}

static const unsigned int ways[] = {0, OUTPUT_NAMED};

START_TEST(appears_when_published)
{
	struct output output;
	struct fault fault = {.text = ""};

	open_output(&output, out_name, ways[_i]);
	ck_assert(output_flush(&output, &fault));
	ck_assert_int_ne(access(out_name, F_OK), 0);
	ck_assert_uint_eq(count_files(), _i ? 2 : 1);
	ck_assert_msg(output_publish(&output, &fault), "%s", fault.text);
	output_close(&output);
	ck_assert_uint_eq(count_files(), 2);
	check_file(out_name, "whole");
}
END_TEST

START_TEST(is_gone_when_not_published)
{
	struct output output;

	open_output(&output, out_name, ways[_i]);
	output_close(&output);
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(has_the_mode_that_umask_leaves)
{
	mode_t old = umask(027);
	struct output output;
	struct fault fault;
	struct stat status;

	open_output(&output, out_name, ways[_i]);
	ck_assert(output_publish(&output, &fault));
	output_close(&output);
	umask(old);
	ck_assert_int_eq(stat(out_name, &status), 0);
	ck_assert_uint_eq(status.st_mode & 07777, 0640);
}
END_TEST

START_TEST(replaces_only_when_told_to)
{
	struct output output;
	struct fault fault = {.text = ""};
	struct stat status;

	write_file(out_name, "old");
	ck_assert_int_eq(chmod(out_name, 0604), 0);
	check_refused(out_name, ways[_i], "it exists");
	open_output(&output, out_name, ways[_i] | OUTPUT_MAY_REPLACE);
	ck_assert(output_flush(&output, &fault));
	check_file(out_name, "old");
	ck_assert_msg(output_publish(&output, &fault), "%s", fault.text);
	output_close(&output);
	check_file(out_name, "whole");
	ck_assert_int_eq(stat(out_name, &status), 0);
	ck_assert_uint_eq(status.st_mode & 07777, 0604);
	ck_assert_uint_eq(count_files(), 2);
}
END_TEST

START_TEST(does_not_replace_what_came_meanwhile)
{
	struct output output;
	struct fault fault = {.text = ""};

	open_output(&output, out_name, ways[_i]);
	write_file(out_name, "other");
	ck_assert(!output_publish(&output, &fault));
	ck_assert_msg(strstr(fault.text, "it exists"), "%s", fault.text);
	output_close(&output);
	check_file(out_name, "other");
	open_output(&output, out_name, ways[_i] | OUTPUT_MAY_REPLACE);
	ck_assert_int_eq(unlink(out_name), 0);
	write_file(out_name, "other");
	ck_assert_msg(output_publish(&output, &fault), "%s", fault.text);
	output_close(&output);
	check_file(out_name, "whole");
	ck_assert_uint_eq(count_files(), 2);
}
END_TEST

START_TEST(input_may_be_the_output)
{
	struct output output;
	struct fault fault = {.text = ""};
	char text[8] = "";

	check_refused(in_name, ways[_i], "the file to be read");
	open_output(&output, in_name, ways[_i] | OUTPUT_MAY_REPLACE);
	ck_assert_msg(output_publish(&output, &fault), "%s", fault.text);
	output_close(&output);
	check_file(in_name, "whole");
	ck_assert_int_eq(pread(in, text, sizeof(text), 0), 5);
	ck_assert_str_eq(text, "input");
}
END_TEST

START_TEST(a_link_stays_a_link)
{
	struct output output;
	struct fault fault = {.text = ""};
	char target[100];
	struct stat status;

	snprintf(target, sizeof(target), "%s/target", folder);
	write_file(target, "old");
	ck_assert_int_eq(symlink("target", out_name), 0);
	check_refused(out_name, ways[_i], "it exists");
	open_output(&output, out_name, ways[_i] | OUTPUT_MAY_REPLACE);
	ck_assert_msg(output_publish(&output, &fault), "%s", fault.text);
	output_close(&output);
	ck_assert_int_eq(lstat(out_name, &status), 0);
	ck_assert(S_ISLNK(status.st_mode));
	check_file(target, "whole");
	ck_assert_int_eq(unlink(target), 0);
	/* One that leads nowhere is something that exists. */
	check_refused(out_name, ways[_i], "it exists");
}
END_TEST

START_TEST(a_signal_leaves_nothing)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

	for (size_t i = 0; i < COUNT_OF(signals); i++) {
		struct output output;
		struct fault fault;
		int status;
		pid_t child = fork();

		ck_assert_int_ge(child, 0);
		if (child == 0) {
			signal(signals[i], SIG_DFL);
			if (output_open(&output, out_name, in, ways[_i], &fault) &&
			    output_put(&output, "part", 4, &fault) &&
			    output_flush(&output, &fault))
				raise(signals[i]);
			_exit(1);
		}
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert(WIFSIGNALED(status));
		ck_assert_int_eq(WTERMSIG(status), signals[i]);
		ck_assert_uint_eq(count_files(), 1);
	}
}
END_TEST

START_TEST(places_that_cannot_be)
{
	char name[400];

	check_refused(folder, ways[_i], strerror(EISDIR));
	snprintf(name, sizeof(name), "%s/absent/out", folder);
	check_refused(name, ways[_i], strerror(ENOENT));
	snprintf(name, sizeof(name), "%s/out", in_name);
	check_refused(name, ways[_i], strerror(ENOTDIR));
}
END_TEST

START_TEST(a_long_name_fits)
{
	char name[400];
	struct output output;
	struct fault fault = {.text = ""};

	snprintf(name, sizeof(name), "%s/%0255d", folder, 7);
	open_output(&output, name, ways[_i]);
	ck_assert_msg(output_publish(&output, &fault), "%s", fault.text);
	output_close(&output);
	open_output(&output, name, ways[_i] | OUTPUT_MAY_REPLACE);
	ck_assert_msg(output_publish(&output, &fault), "%s", fault.text);
	output_close(&output);
	ck_assert_int_eq(unlink(name), 0);
}
END_TEST

START_TEST(streams)
{
	struct output output;
	struct fault fault = {.text = ""};

	open_output(&output, "/dev/null", 0);
	ck_assert(output.is_stream);
	ck_assert_msg(output_publish(&output, &fault), "%s", fault.text);
	output_close(&output);
	if (access("/dev/full", W_OK) != 0)
		return;
	open_output(&output, "/dev/full", 0);
	ck_assert(!output_publish(&output, &fault));
	ck_assert(output.has_failed);
	ck_assert_str_eq(fault.text, strerror(ENOSPC));
	output_close(&output);
}
END_TEST

START_TEST(large_and_small_pieces_keep_their_order)
{
	static const size_t sizes[] = {1, 256 * KIB, 0, 5, 300 * KIB, 256 * KIB - 1, 2, 100000};
	unsigned char *page = new_page(PAGE_RANDOM, 9, 2 * MIB), *back = malloc(2 * MIB);
	struct output output;
	struct fault fault;
	size_t size = 0;

	ck_assert_ptr_nonnull(back);
	ck_assert(output_open(&output, out_name, in, 0, &fault));
	for (size_t i = 0; i < COUNT_OF(sizes); size += sizes[i++])
		ck_assert(output_put(&output, page + size, sizes[i], &fault));
	ck_assert_int_eq(output.size, (int64_t)size);
	ck_assert(output_flush(&output, &fault));
	ck_assert_int_eq(pread(output.fd, back, 2 * MIB, 0), (ssize_t)size);
	check_bytes("file", back, page, size);
	output_close(&output);
	free(page);
	free(back);
}
END_TEST

int
main(void)
{
	size_t count = COUNT_OF(ways);

	add_fixture(set_up, tear_down);
	add_loop(appears_when_published, count);
	add_loop(is_gone_when_not_published, count);
	add_loop(has_the_mode_that_umask_leaves, count);
	add_loop(replaces_only_when_told_to, count);
	add_loop(does_not_replace_what_came_meanwhile, count);
	add_loop(input_may_be_the_output, count);
	add_loop(a_link_stays_a_link, count);
	add_loop(a_signal_leaves_nothing, count);
	add_loop(places_that_cannot_be, count);
	add_loop(a_long_name_fits, count);
	add_test(streams);
	add_test(large_and_small_pieces_keep_their_order);
	return run_tests("outfile");
}
