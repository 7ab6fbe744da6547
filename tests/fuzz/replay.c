/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay.c - runs a fuzz target over files and folders of inputs, in the place of
 * libFuzzer: make check replays the corpus with any compiler.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

/* Targets with a mutator of their own refer to it. */
size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity)
{
	(void)data;
	(void)capacity;
	return size;
}

static size_t input_count;

static void
die(const char *name)
{
	perror(name);
	exit(99);
}

static void
replay_file(const char *name, size_t size)
{
	uint8_t *data = malloc(size ? size : 1);
	FILE *file = fopen(name, "rb");

	if (!data || !file || fread(data, 1, size, file) != size)
		die(name);
	fclose(file);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	input_count++;
}

static void
replay(const char *name)
{
	struct stat status;
	struct dirent *entry;
	DIR *folder;

	if (stat(name, &status) != 0)
		die(name);
	if (!S_ISDIR(status.st_mode)) {
		replay_file(name, (size_t)status.st_size);
		return;
	}
	folder = opendir(name);
	if (!folder)
		die(name);
	while ((entry = readdir(folder)) != NULL) {
		char path[4096];

		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", name, entry->d_name);
		replay(path);
	}
	closedir(folder);
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		replay(argv[i]);
	fprintf(stderr, "%zu inputs\n", input_count);
	return input_count ? 0 : 1;
}
