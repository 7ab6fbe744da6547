/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_page.c - pages through every codec, engine and level, beside the bare
 * libraries on the same pages in the same run.
 */
#include "internal.h"

#include <getopt.h>
#include <stdlib.h>

#include "report.h"

enum { MAX_SIZES = 16, SET_SIZE = 1 << 20, FILE_SET_SIZE = 4 << 20 };

struct options {
	const char *codecs, *engines, *kinds, *file, *csv;
	size_t sizes[MAX_SIZES], size_count;
	bool has_level, is_full;
	int level;
	struct race_plan plan;
};

static const char help[] = "bench_page: pages through every codec, beside the bare libraries\n"
			   "  --codec NAME,...   these only, by their names in parquet.thrift\n"
			   "  --engine NAME,...  pagecodec with these engines only\n"
			   "  --level N          this level instead of the default one\n"
			   "  --size N,...       bytes of a page (1K,8K,64K,128K,256K,1M)\n"
			   "  --kind NAME,...    these kinds of pages only:\n";
static const char more_help[] =
    "  --file FILE        pages of this Parquet file instead\n"
    "  --runs N           runs of each (11), whose median counts\n"
    "  --seconds X        how long a run should take, about (0.003)\n"
    "  --full             a low, the default and a high level: takes much longer\n"
    "  --csv FILE         all figures, each kind of pages apart\n"
    "Columns: ratio of sizes; /bare: speed against the same library's bare call with\n"
    "kept state; +ns: a page's time beyond that call's; ours/: speed of pagecodec's\n"
    "default engine against this line's; alloc: calls to malloc a page.  Lines are\n"
    "geometric means over the kinds of pages, of medians over the runs.\n";

static void
print_help(void)
{
	fputs(help, stdout);
	for (const struct value_kind *kind = value_kinds; kind->name; kind++)
		printf("                       %-14s %s\n", kind->name, kind->text);
	fputs(more_help, stdout);
}

static void
read_options(struct options *options, int argc, char **argv)
{
	enum { CODEC, ENGINE, LEVEL, SIZE, KIND, IN_FILE, RUNS, SECONDS, FULL, CSV, HELP };
	static const struct option names[] = {
	    {"codec", 1, NULL, CODEC}, {"engine", 1, NULL, ENGINE},
	    {"level", 1, NULL, LEVEL}, {"size", 1, NULL, SIZE},
	    {"kind", 1, NULL, KIND},   {"runs", 1, NULL, RUNS},
	    {"full", 0, NULL, FULL},   {"seconds", 1, NULL, SECONDS},
	    {"csv", 1, NULL, CSV},     {"file", 1, NULL, IN_FILE},
	    {"help", 0, NULL, HELP},   {NULL, 0, NULL, 0}};
	const char *sizes = "1K,8K,64K,128K,256K,1M";
	int option;

	*options = (struct options){.plan = {.runs = 11, .seconds = 0.003}};
	while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (option) {
		case CODEC:
			options->codecs = optarg;
			break;
		case ENGINE:
			options->engines = optarg;
			break;
		case LEVEL:
			options->has_level = true;
			options->level = parse_int(optarg);
			break;
		case SIZE:
			sizes = optarg;
			break;
		case KIND:
			options->kinds = optarg;
			break;
		case IN_FILE:
			options->file = optarg;
			break;
		case RUNS:
			options->plan.runs = parse_size(optarg);
			break;
		case SECONDS:
			options->plan.seconds = parse_seconds(optarg);
			break;
		case FULL:
			options->is_full = true;
			break;
		case CSV:
			options->csv = optarg;
			break;
		case HELP:
			print_help();
			exit(0);
		default:
			die("see --help");
		}
	}
	options->size_count = parse_sizes(sizes, options->sizes, MAX_SIZES);
	if (optind < argc || options->plan.runs == 0)
		die("see --help");
}

static void
print_summary(const struct summary *summary, const struct field *field, const char *pages)
{
	const struct pagecodec_codec_info *info = pagecodec_find_codec(field->codec);
	char title[256];

	if (info->has_levels)
		snprintf(title, sizeof(title), "%s level %d, pages of %s", info->name,
			 field->level, pages);
	else
		snprintf(title, sizeof(title), "%s, pages of %s", info->name, pages);
	report_print(summary, field, title);
}

static void
bench_size(struct field *field, const struct options *options, size_t size, FILE *csv)
{
	struct summary summary = {0};
	char text[SIZE_TEXT_MAX];

	for (const struct value_kind *kind = value_kinds; kind->name; kind++) {
		struct page_set pages;

		if (!listed(options->kinds, kind->name))
			continue;
		page_set_make(&pages, kind, size, SET_SIZE);
		field_measure(field, &pages, &options->plan);
		report_add(&summary, field, &pages, csv);
		page_set_free(&pages);
	}
	print_summary(&summary, field, size_text(size, text));
}

static void
bench_file(struct field *field, const struct options *options, FILE *csv)
{
	struct summary summary = {0};
	struct page_set pages;

	page_set_read(&pages, options->file, FILE_SET_SIZE);
	field_measure(field, &pages, &options->plan);
	report_add(&summary, field, &pages, csv);
	print_summary(&summary, field, pages.name);
	page_set_free(&pages);
}

static void
bench_level(int32_t codec, int level, const struct options *options, FILE *csv)
{
	struct field field;

	field_open(&field, codec, level, options->engines);
	if (options->file)
		bench_file(&field, options, csv);
	for (size_t i = 0; !options->file && i < options->size_count; i++)
		bench_size(&field, options, options->sizes[i], csv);
	field_close(&field);
}

static void
bench_codec(const struct pagecodec_codec_info *info, const struct options *options, FILE *csv)
{
	int levels[3] = {info->default_level};
	size_t count = 1;

	if (options->has_level && info->has_levels)
		levels[0] = options->level;
	else if (options->is_full)
		count = levels_of(info->codec, levels);
	for (size_t i = 0; i < count; i++)
		bench_level(info->codec, levels[i], options, csv);
}

int
main(int argc, char **argv)
{
	static const int32_t codecs[] = {
	    PAGECODEC_UNCOMPRESSED, PAGECODEC_SNAPPY, PAGECODEC_LZ4_RAW,
	    PAGECODEC_LZ4,	    PAGECODEC_ZSTD,   PAGECODEC_GZIP,
	    PAGECODEC_BROTLI,	    PAGECODEC_LZO,    PAGECODEC_ARROW_LZ4_FRAME,
	    PAGECODEC_ARROW_ZSTD};
	struct options options;
	FILE *csv;

	read_options(&options, argc, argv);
	csv = open_csv(options.csv, REPORT_CSV_HEADER);
	print_machine(stdout, pin_to_core());
	for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++) {
		const struct pagecodec_codec_info *info = pagecodec_find_codec(codecs[i]);

		if (info->is_available && listed(options.codecs, info->name))
			bench_codec(info, &options, csv);
	}
	close_csv(csv);
	return 0;
}
