/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output.c - a file that appears only when it is whole
 *
 * open(2), O_TMPFILE: linkat gives a file its name, but cannot replace one, so that
 * replacing goes by a second name and rename.
 */
#include "tools.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "output.h"

#define BUFFER_SIZE (256 << 10)
#define DISK_STEP (8 << 20)
#define NAME_TRIES 100

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

/* The name to remove when a signal ends the program. */
static char *volatile doomed;

static void
remove_doomed(int signal_number)
{
	if (doomed)
		unlink(doomed);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void
catch_signals(void)
{
	struct sigaction action;

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		/* What nohup ignores stays ignored. */
		if (sigaction(signals[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN)
			continue;
		memset(&action, 0, sizeof(action));
		action.sa_handler = remove_doomed;
		sigaction(signals[i], &action, NULL);
	}
}

static bool
fail(struct output *output, struct fault *fault, const char *text)
{
	output->has_failed = true;
	return fault_set(fault, TOOL_UNREADABLE, "%s", text);
}

/* Length of the part of path that is its folder, 0: the current one. */
static size_t
folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* ".OUT.XXXXXX.tmp" beside path; a long name is cut so that this one is not too long. */
static char *
temporary_name(const char *path)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	static uint64_t state;
	size_t folder = folder_length(path), size = strlen(path) + 16;
	char *name = malloc(size), random[7] = "";
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	state += (uint64_t)time.tv_nsec * 2654435761u + (uint64_t)getpid() * 40503u;
	for (size_t i = 0; i < 6; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		random[i] = letters[(state >> 33) % (sizeof(letters) - 1)];
	}
	if (name)
		snprintf(name, size, "%.*s.%.200s.%s.tmp", (int)folder, path, path + folder,
			 random);
	return name;
}

/* Call make for names until one is free. */
static int
with_temporary(struct output *output, int (*make)(struct output *output))
{
	int result = -1;

	catch_signals();
	for (int i = 0; i < NAME_TRIES; i++) {
		free(output->temporary);
		output->temporary = temporary_name(output->path);
		if (!output->temporary) {
			errno = ENOMEM;
			return -1;
		}
		/* A signal that comes before its return must find the name. */
		doomed = output->temporary;
		result = make(output);
		if (result >= 0)
			return result;
		doomed = NULL;
		if (errno != EEXIST)
			break;
	}
	free(output->temporary);
	output->temporary = NULL;
	return result;
}

static int
make_named(struct output *output)
{
	return open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

/* How linkat finds a file without a name. */
#define FD_PATH_SIZE 40

static char *
fd_path(const struct output *output, char text[FD_PATH_SIZE])
{
	snprintf(text, FD_PATH_SIZE, "/proc/self/fd/%d", output->fd);
	return text;
}

static int
link_named(struct output *output)
{
	char from[FD_PATH_SIZE];

	return linkat(AT_FDCWD, fd_path(output, from), AT_FDCWD, output->temporary,
		      AT_SYMLINK_FOLLOW);
}

static int
open_unnamed(const struct output *output)
{
#ifdef O_TMPFILE
	size_t length = folder_length(output->path);
	char *folder = length ? strndup(output->path, length) : strdup(".");
	int fd = -1;

	if (folder && access("/proc/self/fd", X_OK) == 0)
		fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	free(folder);
	return fd;
#else
	(void)output;
	return -1;
#endif
}

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool
open_stream(struct output *output, const char *name, const struct stat *in, struct fault *fault)
{
	struct stat status;

	output->is_stream = true;
	output->fd = name ? open(name, O_WRONLY | O_CLOEXEC) : dup(STDOUT_FILENO);
	if (output->fd < 0 || fstat(output->fd, &status) != 0)
		return fail(output, fault, strerror(errno));
	if (isatty(output->fd))
		return fail(output, fault, "a terminal is no place for a Parquet file");
	if (is_same(&status, in))
		return fail(output, fault, "it is the file to be read");
	/* Offsets in a Parquet file count from the file's first byte. */
	if (S_ISREG(status.st_mode) &&
	    (lseek(output->fd, 0, SEEK_CUR) > 0 ||
	     (fcntl(output->fd, F_GETFL) & O_APPEND && status.st_size)))
		return fail(output, fault, "the file would not begin where it does");
	return true;
}

static bool
open_file(struct output *output, const char *name, const struct stat *in, unsigned int flags,
	  struct fault *fault)
{
	struct stat *replaced = &output->replaced;

	output->may_replace = flags & OUTPUT_MAY_REPLACE;
	/* A link stays a link: what it leads to is replaced. */
	output->path = realpath(name, NULL);
	if (!output->path)
		output->path = strdup(name);
	if (!output->path)
		return fail(output, fault, strerror(ENOMEM));
	output->is_replacing = lstat(output->path, replaced) == 0;
	if (output->is_replacing && !output->may_replace)
		return fail(output, fault,
			    is_same(replaced, in)
				? "it is the file to be read; --force replaces it"
				: "it exists; --force replaces it");
	output->fd = flags & OUTPUT_NAMED ? -1 : open_unnamed(output);
	if (output->fd < 0)
		output->fd = with_temporary(output, make_named);
	return output->fd >= 0 || fail(output, fault, strerror(errno));
}

bool
output_open(struct output *output, const char *name, int in, unsigned int flags,
	    struct fault *fault)
{
	bool is_there, is_open;
	struct stat status, in_status;

	memset(output, 0, sizeof(*output));
	output->fd = -1;
	if (fstat(in, &in_status) != 0)
		return fail(output, fault, strerror(errno));
	output->buffer = malloc(BUFFER_SIZE);
	if (!output->buffer)
		return fail(output, fault, strerror(ENOMEM));
	is_there = strcmp(name, "-") != 0 && stat(name, &status) == 0;
	if (is_there && S_ISDIR(status.st_mode))
		is_open = fail(output, fault, strerror(EISDIR));
	else if (is_there && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)))
		is_open = open_stream(output, name, &in_status, fault);
	else if (is_there && !S_ISREG(status.st_mode))
		is_open = fail(output, fault, "not a regular file");
	else if (strcmp(name, "-") == 0)
		is_open = open_stream(output, NULL, &in_status, fault);
	else
		is_open = open_file(output, name, &in_status, flags, fault);
	if (!is_open)
		output_close(output);
	return is_open;
}

/* Let the disk begin, so that fsync has little left to wait for. */
static void
begin_disk(struct output *output, size_t size)
{
	output->written += (int64_t)size;
#ifdef SYNC_FILE_RANGE_WRITE
	if (output->is_stream || output->written - output->begun < DISK_STEP)
		return;
	/* A hint: where it does not work, fsync does it all. */
	if (sync_file_range(output->fd, output->begun, output->written - output->begun,
			    SYNC_FILE_RANGE_WRITE) == 0)
		output->begun = output->written;
#endif
}

static bool
write_all(struct output *output, const uint8_t *data, size_t size, struct fault *fault)
{
	while (size) {
		ssize_t written = write(output->fd, data, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return fail(output, fault, strerror(written ? errno : EIO));
		data += written;
		size -= (size_t)written;
		begin_disk(output, (size_t)written);
	}
	return true;
}

bool
output_flush(struct output *output, struct fault *fault)
{
	size_t filled = output->filled;

	output->filled = 0;
	return write_all(output, output->buffer, filled, fault);
}

bool
output_put(struct output *output, const void *data, size_t size, struct fault *fault)
{
	output->size += (int64_t)size;
	if (size > BUFFER_SIZE - output->filled && !output_flush(output, fault))
		return false;
	if (size > BUFFER_SIZE)
		return write_all(output, data, size, fault);
	if (size)
		memcpy(output->buffer + output->filled, data, size);
	output->filled += size;
	return true;
}

/* The new file is whose the old one was, as far as we may. */
static void
take_over(const struct output *output)
{
	const struct stat *replaced = &output->replaced;

	if (fchown(output->fd, replaced->st_uid, replaced->st_gid) != 0 &&
	    fchown(output->fd, (uid_t)-1, replaced->st_gid) != 0)
		errno = 0;
	fchmod(output->fd, replaced->st_mode & 07777);
}

static int
replace(struct output *output)
{
	if (!output->temporary && with_temporary(output, link_named) < 0)
		return -1;
	if (rename(output->temporary, output->path) != 0)
		return -1;
	doomed = NULL;
	free(output->temporary);
	output->temporary = NULL;
	return 0;
}

/* Not over a file that came meanwhile. */
static int
add(struct output *output)
{
	char text[FD_PATH_SIZE];
	const char *from = output->temporary ? output->temporary : fd_path(output, text);
	struct stat status;

	if (linkat(AT_FDCWD, from, AT_FDCWD, output->path, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	/* Where there are no links, renaming does, a moment less sure. */
	if (errno != EEXIST && output->temporary && lstat(output->path, &status) != 0 &&
	    errno == ENOENT)
		return replace(output);
	return -1;
}

static int
sync_folder(const struct output *output)
{
	size_t length = folder_length(output->path);
	char *folder = length ? strndup(output->path, length) : strdup(".");
	int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int result = fd < 0 ? -1 : fsync(fd);

	free(folder);
	if (fd >= 0)
		close(fd);
	return result;
}

bool
output_publish(struct output *output, struct fault *fault)
{
	int result;

	if (!output_flush(output, fault))
		return false;
	if (output->is_stream)
		return fsync(output->fd) == 0 || errno == EINVAL || errno == ENOTSUP ||
		       fail(output, fault, strerror(errno));
	if (output->is_replacing)
		take_over(output);
	if (fsync(output->fd) != 0)
		return fail(output, fault, strerror(errno));
	result = output->is_replacing ? replace(output) : add(output);
	if (result != 0 && errno == EEXIST && output->may_replace)
		result = replace(output);
	if (result != 0)
		return fail(output, fault,
			    errno == EEXIST ? "it exists; --force replaces it"
					    : strerror(errno));
	/* Not every file system knows how; the file is there all the same. */
	sync_folder(output);
	return true;
}

void
output_close(struct output *output)
{
	if (output->temporary)
		unlink(output->temporary);
	doomed = NULL;
	if (output->fd >= 0)
		close(output->fd);
	free(output->temporary);
	free(output->path);
	free(output->buffer);
	output->temporary = output->path = NULL;
	output->buffer = NULL;
	output->fd = -1;
}
