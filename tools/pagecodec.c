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
#include <stdlib.h>
#include <string.h>

struct command {
	const char *name;
	enum tool_exit (*run)(const struct arguments *arguments);
	unsigned int options; /* of enum tool_option */
	int least_files, most_files;
	const char *usage, *help;
};

static const struct command commands[] = {
    {"inspect", cmd_inspect, OPTION_PAGES | OPTION_JSON, 1, 1,
     "inspect [--pages] [--json] FILE",
     "Show the column chunks of a Parquet file: codec, pages, encodings, and the bytes of\n"
     "their pages before and after compression.\n\n"
     "  --pages  list each page too, and check its CRC where it has one\n"
     "  --json   write JSON: { file, file_size, version, created_by, num_rows, row_groups:\n"
     "           [ { num_rows, columns: [ { path, codec, is_encrypted, encodings, num_values,\n"
     "           total_uncompressed_size, total_compressed_size, is_readable, page_count,\n"
     "           uncompressed_size, compressed_size, pages: [ { offset, header_size, type,\n"
     "           uncompressed_page_size, compressed_page_size, num_values, encoding, ...,\n"
     "           crc: none, ok or wrong } ] } ] } ] }\n"},
    {"verify", cmd_verify, 0, 1, INT_MAX, "verify FILE...",
     "Decompress every page of Parquet files and check its size, and its CRC where it has\n"
     "one.  Each fault is a line on standard error that says where it is, each file's\n"
     "verdict a line on standard output.  Damage that only a checksum could show is not\n"
     "seen in pages without a CRC, unless their codec has one of its own (GZIP).\n"},
    {"recompress", cmd_recompress,
     OPTION_CODEC | OPTION_LEVEL | OPTION_COLUMN | OPTION_THREADS | OPTION_PAGE_CRC |
	 OPTION_VERIFY | OPTION_NO_CHECK | OPTION_FORCE | OPTION_JSON,
     2, 2, "recompress [OPTION]... IN OUT",
     "Write the Parquet file IN to OUT with its pages in another codec or level.  Page\n"
     "boundaries, encodings, statistics, indexes, bloom filters and metadata stay as they\n"
     "are.  OUT appears only when it is whole; '-' is standard output.\n\n"
     "  --codec NAME       of all pages; without it each column keeps its own\n"
     "  --level N          of the codec; without it the codec's default\n"
     "  --column PATH=NAME[:LEVEL]\n"
     "                     of one column; can be repeated, and goes before --codec\n"
     "  --threads N        column chunks at a time; without it as many as there are cores\n"
     "  --page-crc keep    pages that have a CRC get a new one (the default)\n"
     "  --page-crc add     every page gets one\n"
     "  --page-crc drop    no page has one\n"
     "  --no-check         do not check the CRCs of IN's pages\n"
     "  --verify           read OUT back and compare every page with IN's before it appears\n"
     "  --force            replace OUT if it is there, even if it is IN\n"
     "  --json             write the summary as JSON: { in, out, column_chunks, pages,\n"
     "                     uncompressed_size, before, after, ratio, left_out, is_verified,\n"
     "                     seconds, mb_per_second }\n\n"
     "Columns with neither codec nor level are copied.  Bytes that the footer does not name\n"
     "are left out, and counted.  Encrypted files, and files whose pages lie in other files,\n"
     "are refused.\n"},
    {"roundtrip", cmd_roundtrip, 0, 1, 1, "roundtrip FILE",
     "Decompress every page of a Parquet file, compress it with each codec and engine of\n"
     "this build, decompress that, and compare.  Levels of V2 pages are left out, as they\n"
     "are never compressed.  Shows size and speed of each.\n"},
    {"arrow", cmd_arrow, 0, 1, 1, "arrow FILE",
     "Decompress every compressed buffer of an Arrow IPC file or stream, and list them.\n"},
    {"bench", cmd_bench, OPTION_COLUMN | OPTION_JSON, 1, 1,
     "bench [--column PATH] [--json] FILE",
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
    "Exit status: 0 sound; 1 damaged; 2 a file that cannot be read, output that cannot\n"
    "be written, or a wrong call; 3 pages of codecs that this build lacks, else sound.\n"
    "Of several: 2, 1, 3, 0.\n";

static int usage_error(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* command: NULL where it is not known which */
static int
usage_error(const struct command *command, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "pagecodec: %s%s", command ? command->name : "", command ? " " : "");
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\nTry 'pagecodec %s%s--help'.\n", command ? command->name : "",
		command ? " " : "");
	return TOOL_UNREADABLE;
}

static void
print_help(void)
{
	fputs("Usage: pagecodec COMMAND [OPTION]... FILE...\n"
	      "Look at, check, measure and change the compressed pages of Parquet and Arrow "
	      "files.\n\n",
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

static const struct option {
	const char *name;
	enum tool_option option;
	bool has_value;
} options[] = {
    {"pages", OPTION_PAGES, false},    {"json", OPTION_JSON, false},
    {"verify", OPTION_VERIFY, false},  {"no-check", OPTION_NO_CHECK, false},
    {"force", OPTION_FORCE, false},    {"codec", OPTION_CODEC, true},
    {"level", OPTION_LEVEL, true},     {"column", OPTION_COLUMN, true},
    {"threads", OPTION_THREADS, true}, {"page-crc", OPTION_PAGE_CRC, true},
};

/* "--name", "--name=value", or "--name" and next; returns how many words it was, 0: no
 * such option, or a value where it takes none, -1: no value where it needs one. */
static int
take_option(const struct command *command, struct arguments *arguments, const char *word,
	    const char *next)
{
	size_t length = strcspn(word, "=");
	const char *value = word[length] ? word + length + 1 : NULL;

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const struct option *option = &options[i];

		if (!(command->options & option->option) || length < 2 ||
		    strncmp(word, "--", 2) != 0 || strlen(option->name) != length - 2 ||
		    strncmp(word + 2, option->name, length - 2) != 0)
			continue;
		arguments->options |= option->option;
		if (!option->has_value)
			return !value;
		if (!value && !next)
			return -1;
		arguments->settings[arguments->setting_count++] =
		    (struct setting){option->option, value ? value : next};
		return value ? 1 : 2;
	}
	return 0;
}

/* Sorts options out of argv; what is left are files.  true: nothing is left to do, as
 * *status says. */
static bool
take_arguments(const struct command *command, struct arguments *arguments, int argc,
	       char **argv, int *status)
{
	bool takes_options = true;
	int count;

	for (int i = 0; i < argc; i++) {
		char *word = argv[i];

		if (!takes_options || word[0] != '-' || word[1] == '\0') {
			arguments->files[arguments->file_count++] = word;
		} else if (strcmp(word, "--") == 0) {
			takes_options = false;
		} else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
			printf("Usage: pagecodec %s\n%s\n%s", command->usage, command->help,
			       exit_help);
			*status = TOOL_SOUND;
			return true;
		} else {
			count = take_option(command, arguments, word,
					    i + 1 < argc ? argv[i + 1] : NULL);
			if (count < 0) {
				*status = usage_error(command, "%s needs a value", word);
				return true;
			}
			if (count == 0) {
				*status = usage_error(command, "takes no option '%s'", word);
				return true;
			}
			i += count - 1;
		}
	}
	return false;
}

static int
run_command(const struct command *command, int argc, char **argv)
{
	struct arguments arguments = {.files = argv};
	int status;

	arguments.settings = calloc((size_t)argc + 1, sizeof(*arguments.settings));
	if (!arguments.settings)
		return usage_error(command, "has no memory");
	if (take_arguments(command, &arguments, argc, argv, &status))
		;
	else if (arguments.file_count < command->least_files)
		status = usage_error(command, command->least_files == 1 ? "needs a FILE"
									: "needs IN and OUT");
	else if (arguments.file_count > command->most_files)
		status = usage_error(command, command->most_files == 1 ? "takes one FILE"
								       : "takes IN and OUT");
	else
		status = (int)command->run(&arguments);
	free(arguments.settings);
	return status;
}

static int
run(int argc, char **argv)
{
	if (argc < 2)
		return usage_error(NULL, "a command is missing");
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
	return usage_error(NULL, "there is no command '%s'", argv[1]);
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
