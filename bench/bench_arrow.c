/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_arrow.c - a cache of Arrow batches: how long it takes to fill, how much it
 * holds, and how long a query reads from it, by codec.
 */
#include "internal.h"

#include <getopt.h>
#include <stdlib.h>

#include "bench.h"
#include "contestants.h"
#include "pagecodec.h"
#include "relation.h"

/* A buffer in the cache. */
struct cached {
	uint8_t *data;
	size_t size, plain_size;
};

enum { CHUNK_SIZE = 64 << 20 };

struct chunk {
	struct chunk *older;
	uint8_t bytes[CHUNK_SIZE];
};

/* One way to hold the relation.  All of it that was read is summed up, so that
 * reading is more than decompressing, and cannot be left out. */
struct cache {
	char name[64];
	struct contestant who;
	void *state;
	struct cached *buffers; /* by batch, column, and place in it */
	struct chunk *newest;	/* where they lie, one after another */
	size_t used;		/* of the newest */
	double ns;		/* of what is being timed */
	uint64_t sum;
};

enum { MAX_CACHES = 12, MAX_READS = 4 };

struct bench {
	const struct relation *relation;
	struct cache *caches;
	size_t cache_count, batch_rows, batches;
	struct column column;
	uint8_t *scratch; /* what a buffer is decompressed to */
};

static struct cached *
cached_buffers(const struct bench *bench, const struct cache *cache, size_t batch,
	       size_t column)
{
	return cache->buffers + (batch * bench->relation->columns + column) * MAX_BUFFERS;
}

/* ---- Filling ----------------------------------------------------------- */

/* Room for a buffer, however it grows; pages that the system has yet to give would
 * be measured with it, so that memory is written to before. */
static uint8_t *
reserve(struct cache *cache, size_t size)
{
	if (!cache->newest || size > CHUNK_SIZE - cache->used) {
		struct chunk *chunk = must_alloc(sizeof(*chunk));

		memset(chunk, 0, sizeof(*chunk));
		chunk->older = cache->newest;
		cache->newest = chunk;
		cache->used = 0;
	}
	return cache->newest->bytes + cache->used;
}

static void
put_buffer(struct cache *cache, const struct column_buffer *plain, struct cached *cached)
{
	size_t room = plain->size * 2 + 1024;
	double start;

	*cached = (struct cached){reserve(cache, room), 0, plain->size};
	if (plain->size == 0)
		return;
	start = cpu_ns();
	cached->size =
	    cache->who.compress(cache->state, plain->data, plain->size, cached->data, room);
	cache->ns += cpu_ns() - start;
	if (cached->size == 0)
		die("%s failed", cache->name);
	cache->used += (cached->size + 63) / 64 * 64;
}

static void
fill_column(struct bench *bench, size_t batch, size_t index)
{
	size_t first = batch * bench->batch_rows;

	column_fill(&bench->column, bench->relation, index, first,
		    PGC_MIN(bench->batch_rows, bench->relation->rows - first));
	for (size_t c = 0; c < bench->cache_count; c++) {
		struct cache *cache = &bench->caches[c];
		struct cached *cached = cached_buffers(bench, cache, batch, index);

		for (size_t i = 0; i < MAX_BUFFERS; i++)
			put_buffer(cache, &bench->column.buffers[i], &cached[i]);
	}
}

static size_t
footprint(const struct bench *bench, const struct cache *cache)
{
	size_t count = bench->batches * bench->relation->columns * MAX_BUFFERS, size = 0;

	for (size_t i = 0; i < count; i++)
		size += cache->buffers[i].size;
	return size;
}

/* ---- Reading ----------------------------------------------------------- */

static uint64_t
sum_words(const uint8_t *data, size_t size)
{
	uint64_t sum = 0, word;

	for (; size >= sizeof(word); data += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, data, sizeof(word));
		sum += word;
	}
	return sum;
}

static void
read_buffer(const struct bench *bench, struct cache *cache, const struct cached *cached)
{
	const uint8_t *plain = cached->data;

	if (cached->plain_size == 0)
		return;
	if (cache->who.role != MACHINE) {
		plain = bench->scratch;
		if (cache->who.decompress(cache->state, cached->data, cached->size,
					  bench->scratch,
					  cached->plain_size) != cached->plain_size)
			die("%s failed", cache->name);
	}
	cache->sum += sum_words(plain, cached->plain_size);
}

/* The first so many columns of all batches. */
static void
read_columns(struct bench *bench, size_t columns)
{
	for (size_t c = 0; c < bench->cache_count; c++) {
		bench->caches[c].ns = 0;
		bench->caches[c].sum = 0;
	}
	for (size_t batch = 0; batch < bench->batches; batch++) {
		for (size_t c = 0; c < bench->cache_count; c++) {
			struct cache *cache = &bench->caches[c];
			const struct cached *cached = cached_buffers(bench, cache, batch, 0);
			double start = cpu_ns();

			for (size_t i = 0; i < columns * MAX_BUFFERS; i++)
				read_buffer(bench, cache, &cached[i]);
			cache->ns += cpu_ns() - start;
		}
	}
	for (size_t c = 1; c < bench->cache_count; c++)
		if (bench->caches[c].sum != bench->caches[0].sum)
			die("%s gave back other bytes", bench->caches[c].name);
}

/* ---- Caches ------------------------------------------------------------ */

static void
add_cache(struct bench *bench, const struct contestant *who, int level)
{
	struct cache *cache = &bench->caches[bench->cache_count++];
	size_t count = bench->batches * bench->relation->columns * MAX_BUFFERS;
	const struct pagecodec_codec_info *info = pagecodec_find_codec(who->codec);

	memset(cache, 0, sizeof(*cache));
	cache->who = *who;
	cache->state = who->open(&cache->who, level);
	cache->buffers = must_alloc(count * sizeof(*cache->buffers));
	if (who->role == MACHINE)
		snprintf(cache->name, sizeof(cache->name), "none");
	else
		snprintf(cache->name, sizeof(cache->name), "%s %s", info->name, who->name);
}

static void
add_codec(struct bench *bench, int32_t codec, const char *codecs)
{
	const struct pagecodec_codec_info *info = pagecodec_find_codec(codec);
	struct contestant list[MAX_CONTESTANTS];
	size_t count;

	if (!info->is_available || !listed(codecs, info->name))
		return;
	count = contestants_of(codec, info->default_level, NULL, list);
	for (size_t i = 0; i < count; i++)
		if (list[i].role != MACHINE && bench->cache_count < MAX_CACHES)
			add_cache(bench, &list[i], info->default_level);
}

static void
open_bench(struct bench *bench, const struct relation *relation, const char *codecs)
{
	struct contestant list[MAX_CONTESTANTS];
	size_t count = contestants_of(PAGECODEC_UNCOMPRESSED, 0, NULL, list);

	memset(bench, 0, sizeof(*bench));
	bench->relation = relation;
	bench->batch_rows = PGC_MIN(relation->rows, (size_t)BATCH_ROWS);
	bench->batches = pgc_divide_up(relation->rows, bench->batch_rows);
	bench->caches = must_alloc(MAX_CACHES * sizeof(*bench->caches));
	bench->scratch = must_alloc(1 << 20);
	column_open(&bench->column);
	add_cache(bench, &list[count - 1], 0);
	add_codec(bench, PAGECODEC_ARROW_LZ4_FRAME, codecs);
	add_codec(bench, PAGECODEC_ARROW_ZSTD, codecs);
}

static void
close_bench(struct bench *bench)
{
	for (size_t c = 0; c < bench->cache_count; c++) {
		struct cache *cache = &bench->caches[c];

		cache->who.close(cache->state);
		free(cache->buffers);
		while (cache->newest) {
			struct chunk *chunk = cache->newest;

			cache->newest = chunk->older;
			free(chunk);
		}
	}
	column_close(&bench->column);
	free(bench->scratch);
	free(bench->caches);
}

/* ---- Table ------------------------------------------------------------- */

struct row {
	double fill_ns, read_ns[MAX_READS];
};

static void
print_time(double ns, double none_ns)
{
	printf(" %9.0f %5.2f", ns / 1e6, ns / none_ns);
}

static void
print_table(const struct bench *bench, const struct row *rows, const size_t *reads,
	    size_t read_count, FILE *csv)
{
	const struct relation *relation = bench->relation;

	printf("\n%s, %zu rows; ms of processor time, and times none's\n%-34s %15s %8s",
	       relation->name, relation->rows, "", "materialize", "MiB");
	for (size_t r = 0; r < read_count; r++)
		printf("   read %4zu/%-4zu", reads[r], relation->columns);
	printf("\n");
	for (size_t c = 0; c < bench->cache_count; c++) {
		const struct cache *cache = &bench->caches[c];
		double mib = (double)footprint(bench, cache) / (1 << 20);

		printf("%-34s", cache->name);
		print_time(rows[c].fill_ns, rows[0].fill_ns);
		printf(" %8.1f", mib);
		for (size_t r = 0; r < read_count; r++)
			print_time(rows[c].read_ns[r], rows[0].read_ns[r]);
		printf("\n");
		for (size_t r = 0; csv && r < read_count; r++)
			fprintf(csv, "%s,%zu,%s,%.3f,%.2f,%zu,%.3f\n", relation->name,
				relation->rows, cache->name, rows[c].fill_ns / 1e6, mib,
				reads[r], rows[c].read_ns[r] / 1e6);
	}
	fflush(stdout);
}

/* Of several passes over the columns the median counts. */
static void
time_reads(struct bench *bench, struct row *rows, size_t read, size_t columns, size_t runs)
{
	double *samples = must_alloc(runs * bench->cache_count * sizeof(*samples));

	for (size_t run = 0; run < runs; run++) {
		read_columns(bench, columns);
		for (size_t c = 0; c < bench->cache_count; c++)
			samples[c * runs + run] = bench->caches[c].ns;
	}
	for (size_t c = 0; c < bench->cache_count; c++)
		rows[c].read_ns[read] = median(samples + c * runs, runs);
	free(samples);
}

static void
bench_relation(const struct relation *relation, const size_t *reads, size_t read_count,
	       const char *codecs, size_t runs, FILE *csv)
{
	struct bench bench;
	struct row rows[MAX_CACHES];

	open_bench(&bench, relation, codecs);
	for (size_t batch = 0; batch < bench.batches; batch++)
		for (size_t i = 0; i < relation->columns; i++)
			fill_column(&bench, batch, i);
	for (size_t c = 0; c < bench.cache_count; c++)
		rows[c].fill_ns = bench.caches[c].ns;
	for (size_t r = 0; r < read_count; r++)
		time_reads(&bench, rows, r, reads[r], runs);
	print_table(&bench, rows, reads, read_count, csv);
	close_bench(&bench);
}

/* ---- Options ----------------------------------------------------------- */

static const char help[] =
    "bench_arrow: a cache of Arrow batches, by codec\n"
    "  --codec NAME,...  ARROW_LZ4_FRAME, ARROW_ZSTD\n"
    "  --rows N          rows of the table of three long and three string columns (5000000)\n"
    "  --values N        values of the tables of many columns (10000000)\n"
    "  --runs N          reads of each, whose median counts (3)\n"
    "  --csv FILE        the same figures\n";

struct options {
	const char *codecs, *csv;
	size_t rows, values, runs;
};

static void
read_options(struct options *options, int argc, char **argv)
{
	enum { CODEC, ROWS, VALUES, RUNS, CSV, HELP };
	static const struct option names[] = {
	    {"codec", 1, NULL, CODEC}, {"rows", 1, NULL, ROWS}, {"values", 1, NULL, VALUES},
	    {"runs", 1, NULL, RUNS},   {"csv", 1, NULL, CSV},	{"help", 0, NULL, HELP},
	    {NULL, 0, NULL, 0}};
	int option;

	*options = (struct options){.rows = 5000000, .values = 10000000, .runs = 3};
	while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (option == CODEC)
			options->codecs = optarg;
		else if (option == ROWS)
			options->rows = parse_size(optarg);
		else if (option == VALUES)
			options->values = parse_size(optarg);
		else if (option == RUNS)
			options->runs = parse_size(optarg);
		else if (option == CSV)
			options->csv = optarg;
		else if (option == HELP)
			exit(fputs(help, stdout) < 0);
		else
			die("see --help");
	}
	if (optind < argc || !options->runs || !options->rows || !options->values)
		die("see --help");
}

int
main(int argc, char **argv)
{
	static const size_t widths[] = {100, 200, 1500}, narrow_reads[] = {1, 3, 6};
	struct options options;
	struct relation relation = {"3 long and 3 string columns", 6, 0, 3, 0};
	FILE *csv;

	read_options(&options, argc, argv);
	csv = open_csv(options.csv,
		       "relation,rows,codec,materialize_ms,mib,columns_read,read_ms");
	print_machine(stdout, pin_to_core());
	relation.rows = options.rows;
	bench_relation(&relation, narrow_reads, 3, options.codecs, options.runs, csv);
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		char name[64];
		size_t all = widths[i];

		snprintf(name, sizeof(name), "%zu nullable long columns", all);
		relation =
		    (struct relation){name, all, pgc_divide_up(options.values, all), 0, 1};
		bench_relation(&relation, &all, 1, options.codecs, options.runs, csv);
	}
	close_csv(csv);
	return 0;
}
