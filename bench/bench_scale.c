/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_scale.c - what must stay flat: a thread's speed as others join it at one
 * factory, the time of a byte as pages grow; and what must come back: memory.
 */
#include "internal.h"

#include <getopt.h>
#include <stdlib.h>
#include <unistd.h>

#include "scale.h"

void
must(enum pagecodec_status status)
{
	if (status)
		die("%s", pagecodec_status_name(status));
}

void
scale_csv(const struct scale_options *options, const char *what, int32_t codec, size_t x,
	  double y)
{
	if (options->csv)
		fprintf(options->csv, "%s,%s,%zu,%.4f\n", what,
			pagecodec_find_codec(codec)->name, x, y);
}

static const char help[] =
    "bench_scale: threads, page sizes, many objects\n"
    "  --codec NAME,...  these only\n"
    "  --threads N       1, 2, 4, ... N threads (as many as there are processors)\n"
    "  --runs N          runs of each, whose median counts (5)\n"
    "  --seconds X       how long a run of a thread should take, about (0.2)\n"
    "  --csv FILE        the same figures\n";

/* Returns the name of the CSV file, or NULL. */
static const char *
read_options(struct scale_options *options, int argc, char **argv)
{
	enum { CODEC, THREADS, RUNS, SECONDS, CSV, HELP };
	static const struct option names[] = {
	    {"codec", 1, NULL, CODEC}, {"threads", 1, NULL, THREADS}, {"runs", 1, NULL, RUNS},
	    {"csv", 1, NULL, CSV},     {"seconds", 1, NULL, SECONDS}, {"help", 0, NULL, HELP},
	    {NULL, 0, NULL, 0}};
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	const char *csv = NULL;
	int option;

	*options = (struct scale_options){.runs = 5, .seconds = 0.2};
	options->threads = PGC_MIN((size_t)PGC_MAX(processors, 1), (size_t)MAX_THREADS);
	while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (option == CODEC)
			options->codecs = optarg;
		else if (option == THREADS)
			options->threads = parse_size(optarg);
		else if (option == RUNS)
			options->runs = parse_size(optarg);
		else if (option == SECONDS)
			options->seconds = parse_seconds(optarg);
		else if (option == CSV)
			csv = optarg;
		else if (option == HELP)
			exit(fputs(help, stdout) < 0);
		else
			die("see --help");
	}
	if (optind < argc || !options->runs || options->threads - 1 >= MAX_THREADS)
		die("see --help");
	return csv;
}

static void
each_codec(const struct scale_options *options,
	   void (*line)(const struct scale_options *options, int32_t codec))
{
	static const int32_t codecs[] = {PAGECODEC_SNAPPY,
					 PAGECODEC_LZ4_RAW,
					 PAGECODEC_LZ4,
					 PAGECODEC_ZSTD,
					 PAGECODEC_GZIP,
					 PAGECODEC_BROTLI,
					 PAGECODEC_ARROW_LZ4_FRAME,
					 PAGECODEC_ARROW_ZSTD};

	for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++) {
		const struct pagecodec_codec_info *info = pagecodec_find_codec(codecs[i]);

		if (info->is_available && listed(options->codecs, info->name))
			line(options, codecs[i]);
	}
}

int
main(int argc, char **argv)
{
	struct scale_options options;
	const char *csv = read_options(&options, argc, argv);

	options.csv = open_csv(csv, "figure,codec,x,y");
	print_machine(stdout, -1);
	scale_objects_title();
	each_codec(&options, scale_objects);
	scale_threads_title();
	each_codec(&options, scale_threads);
	pin_to_core();
	scale_sizes_title();
	each_codec(&options, scale_sizes);
	close_csv(options.csv);
	return 0;
}
