/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pagecodec.c - the program: commands, help, and the exit status
 *
 * A command writes to standard output; whether that arrived is looked at here, once.
 */
#include "tools.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct command {
	const char *name;
	enum tool_exit (*run)(const struct arguments *arguments);
	unsigned int options; /* of enum tool_option */
	int most_files;
	const char *usage, *help;
};

static const struct command commands[] = {
    {"inspect", cmd_inspect, OPTION_PAGES | OPTION_JSON, 1, "inspect [--pages] [--json] FILE",
     "Show the column chunks of a Parquet file: codec, pages, encodings, and the bytes of\n"
     "their pages before and after compression.\n\n"
     "  --pages  list each page too, and check its CRC where it has one\n"
     "  --json   write JSON: { file, file_size, version, created_by, num_rows, row_groups:\n"
     "           [ { num_rows, columns: [ { path, codec, is_encrypted, encodings, num_values,\n"
     "           total_uncompressed_size, total_compressed_size, is_readable, page_count,\n"
     "           uncompressed_size, compressed_size, pages: [ { offset, header_size, type,\n"
     "           uncompressed_page_size, compressed_page_size, num_values, encoding, ...,\n"
     "           crc: none, ok or wrong } ] } ] } ] }\n"},
    {"verify", cmd_verify, 0, INT_MAX, "verify FILE...",
     "Decompress every page of Parquet files and check its size, and its CRC where it has\n"
     "one.  Each fault is a line on standard error that says where it is, each file's\n"
     "verdict a line on standard output.\n"},
    {"roundtrip", cmd_roundtrip, 0, 1, "roundtrip FILE",
     "Decompress every page of a Parquet file, compress it with each codec and engine of\n"
     "this build, decompress that, and compare.  Levels of V2 pages are left out, as they\n"
     "are never compressed.  Shows size and speed of each.\n"},
    {"arrow", cmd_arrow, 0, 1, "arrow FILE",
     "Decompress every compressed buffer of an Arrow IPC file or stream, and list them.\n"},
    {"bench", cmd_bench, OPTION_COLUMN | OPTION_JSON, 1, "bench [--column PATH] [--json] FILE",
     "Compress and decompress pages of a Parquet file, some 4 MiB from all over it, with\n"
     "each codec and level: size and speed, and which are the best trade-offs.\n\n"
     "  --column PATH  the pages of this column only\n"
     "  --json         write JSON: { file, column, file_page_count, file_uncompressed_size,\n"
     "                 page_count, uncompressed_size, results: [ { codec, level,\n"
     "                 compressed_size, compress_bytes_per_second,\n"
     "                 decompress_bytes_per_second, is_best_for_writing,\n"
     "                 is_best_for_reading } ] }\n"},
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static const char exit_help[] =
    "Exit status: 0 sound; 1 damaged; 2 a file that cannot be read, or a wrong call;\n"
    "3 pages of codecs that this build lacks, else sound.  Of several: 2, 1, 3, 0.\n";

static int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int
usage_error(const char *format, ...)
{
	va_list arguments;

	fputs("pagecodec: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputs("\nTry 'pagecodec --help'.\n", stderr);
	return TOOL_UNREADABLE;
}

static void
print_help(void)
{
	fputs("Usage: pagecodec COMMAND [OPTION]... FILE...\n"
	      "Look at, check and measure the compressed pages of Parquet and Arrow files.\n\n",
	      stdout);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		printf("  pagecodec %s\n", commands[i].usage);
	printf("\n  pagecodec COMMAND --help   more on a command\n"
	       "  pagecodec --version        version and codecs of this build\n\n%s",
	       exit_help);
}

static void
print_version(void)
{
	printf("pagecodec %s\ncodecs:", pagecodec_version());
	for (int32_t codec = 0; codec <= PAGECODEC_ARROW_ZSTD; codec++) {
		const struct pagecodec_codec_info *info = pagecodec_find_codec(codec);

		if (!info || !info->is_available)
			continue;
		printf(" %s", info->name);
		for (size_t i = 0; info->compress_engines && info->compress_engines[i]; i++)
			printf("%s%s", i ? ", " : " (", info->compress_engines[i]);
		if (info->compress_engines && info->compress_engines[0])
			putchar(')');
	}
	putchar('\n');
}

/* Sorts options out of argv; what is left are files. */
static int
run_command(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = {.files = argv};
	bool takes_options = true;

	for (int i = 0; i < argc; i++) {
		char *word = argv[i];

		if (!takes_options || word[0] != '-' || word[1] == '\0') {
			arguments.files[arguments.file_count++] = word;
		} else if (strcmp(word, "--") == 0) {
			takes_options = false;
		} else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
			printf("Usage: pagecodec %s\n%s\n%s", command->usage, command->help,
			       exit_help);
			return TOOL_SOUND;
		} else if (strcmp(word, "--pages") == 0 && command->options & OPTION_PAGES) {
			arguments.options |= OPTION_PAGES;
		} else if (strcmp(word, "--json") == 0 && command->options & OPTION_JSON) {
			arguments.options |= OPTION_JSON;
		} else if (strcmp(word, "--column") == 0 && command->options & OPTION_COLUMN) {
			if (i + 1 == argc)
				return usage_error("--column needs a PATH");
			arguments.options |= OPTION_COLUMN;
			arguments.column = argv[++i];
		} else {
			return usage_error("%s has no option '%s'", command->name, word);
		}
	}
	if (arguments.file_count == 0)
		return usage_error("%s needs a FILE", command->name);
	if (arguments.file_count > command->most_files)
		return usage_error("%s takes one FILE", command->name);
	return (int)command->run(&arguments);
}

static int
run(int argc, char **argv)
{
	if (argc < 2)
		return usage_error("it needs a command");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		print_help();
		return TOOL_SOUND;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		print_version();
		return TOOL_SOUND;
	}
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return run_command(&commands[i], argc - 2, argv + 2);
	return usage_error("there is no command '%s'", argv[1]);
}

int
main(int argc, char **argv)
{
	int status;

	/* A closed pipe is then an error of the output like any other. */
	signal(SIGPIPE, SIG_IGN);
	status = run(argc, argv);
	errno = 0;
	if (fflush(stdout) != 0 || ferror(stdout)) {
		if (errno != EPIPE)
			fprintf(stderr, "pagecodec: standard output: %s\n",
				errno ? strerror(errno) : "cannot be written");
		return TOOL_UNREADABLE;
	}
	return status;
}
