/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rewrite.c - the parts of a Parquet file, each in its turn
 *
 * Threads make column chunks anew; the one whose chunk's turn it is writes it as it
 * goes, and then what others have finished after it.  So the bytes do not depend on
 * how many there are, and one thread alone keeps nothing in memory.
 */
#include "tools.h"

#include <stdlib.h>
#include <string.h>

#include "recompress.h"
#include "text.h"

#define READ_AHEAD (512 << 10)

/* Of chunks whose turn has not come, for each thread. */
#define EARLY_MAX (16 << 20)

static bool
no_memory(struct fault *fault)
{
	return fault_set(fault, TOOL_UNREADABLE, "no memory");
}

static bool
write_copy(struct recompress *job, struct worker *worker, const struct region *region,
	   struct fault *fault)
{
	const uint8_t *data;

	for (int64_t at = 0; at < region->size;) {
		int64_t size = region->size - at < READ_AHEAD ? region->size - at : READ_AHEAD;

		if (!input_view(&worker->in.input, region->from + at, (size_t)size, &data,
				fault) ||
		    !output_put(&job->out, data, (size_t)size, fault))
			return false;
		at += size;
	}
	return true;
}

static bool
write_offset_index(struct recompress *job, struct worker *worker, const struct region *region,
		   struct fault *fault)
{
	struct chunk *chunk = region->chunk;
	struct bytes bytes = {0};
	const uint8_t *data;
	bool is_good;

	is_good =
	    input_view(&worker->in.input, region->from, (size_t)region->size, &data, fault) &&
	    refooter_offset_index(&bytes, data, (size_t)region->size, chunk->pages,
				  chunk->page_count, chunk->start, fault);
	if (!is_good)
		parquet_locate(&job->in, chunk->row_group, chunk->leaf, NULL, fault);
	chunk->offset_index_length = (int64_t)bytes.size;
	free(chunk->pages);
	chunk->pages = NULL;
	is_good = is_good && output_put(&job->out, bytes.data, bytes.size, fault);
	bytes_free(&bytes);
	return is_good;
}

static bool
write_region(struct recompress *job, struct worker *worker, const struct region *region,
	     struct fault *fault)
{
	struct chunk *chunk = region->chunk;

	switch (region->kind) {
	case REGION_COPY:
		return write_copy(job, worker, region, fault);
	case REGION_OFFSET_INDEX:
		return write_offset_index(job, worker, region, fault);
	case REGION_CHUNK:
		break;
	}
	/* Old writers said too little of a chunk with a dictionary. */
	if (chunk->page_count)
		job->left_out -= chunk->read_end - (region->from + region->size);
	job->page_count += chunk->page_count;
	job->uncompressed_size += (uint64_t)chunk->uncompressed_size;
	return rewrite_put(job, chunk, NULL, 0, fault);
}

/* Where a region begins is known once all before it is written. */
static void
begin_turn(struct recompress *job, size_t turn)
{
	job->turn = turn;
	if (turn < job->region_count)
		*job->regions[turn].offset = job->out.size;
}

/* Write what is ready, from the region whose turn it is. */
static bool
go_on(struct recompress *job, struct worker *worker, struct fault *fault)
{
	struct crew *crew = &job->crew;
	bool is_good = true;

	pthread_mutex_lock(&crew->lock);
	while (job->turn < job->region_count) {
		struct region *region = &job->regions[job->turn];

		if (region->kind == REGION_CHUNK && !region->chunk->is_done)
			break;
		/* Nobody else writes: it is not their turn. */
		pthread_mutex_unlock(&crew->lock);
		is_good = write_region(job, worker, region, fault);
		pthread_mutex_lock(&crew->lock);
		if (!is_good)
			break;
		begin_turn(job, job->turn + 1);
	}
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
	return is_good;
}

/* Has its turn come?  If not, wait while too much is early already. */
static bool
is_in_turn(struct recompress *job, struct chunk *chunk, size_t size)
{
	struct crew *crew = &job->crew;
	size_t most = EARLY_MAX * job->thread_count;
	bool is_in_turn;

	pthread_mutex_lock(&crew->lock);
	while (job->turn != chunk->region && crew->failed > chunk->number &&
	       job->early_size + size > most)
		pthread_cond_wait(&crew->changed, &crew->lock);
	is_in_turn = job->turn == chunk->region;
	if (!is_in_turn)
		job->early_size += size;
	pthread_mutex_unlock(&crew->lock);
	return is_in_turn;
}

static bool
put_early(struct recompress *job, struct chunk *chunk, struct fault *fault)
{
	struct bytes *early = &chunk->early;

	if (early->size == 0)
		return true;
	if (!output_put(&job->out, early->data, early->size, fault))
		return false;
	pthread_mutex_lock(&job->crew.lock);
	job->early_size -= early->size;
	pthread_cond_broadcast(&job->crew.changed);
	pthread_mutex_unlock(&job->crew.lock);
	bytes_free(early);
	return true;
}

bool
rewrite_put(struct recompress *job, struct chunk *chunk, const struct pagecodec_span *parts,
	    size_t count, struct fault *fault)
{
	size_t size = 0;

	for (size_t i = 0; i < count; i++)
		size += parts[i].size;
	if (is_in_turn(job, chunk, size)) {
		if (!put_early(job, chunk, fault))
			return false;
		progress_show(job->in_name, (uint64_t)chunk->read_end,
			      (uint64_t)job->in.footer_offset);
		for (size_t i = 0; i < count; i++)
			if (!output_put(&job->out, parts[i].data, parts[i].size, fault))
				return false;
		return true;
	}
	/* What this says is not told: the fault before it is. */
	if (crew_is_stopped(&job->crew, chunk->number))
		return fault_set(fault, TOOL_UNREADABLE, "stopped");
	for (size_t i = 0; i < count; i++)
		bytes_put(&chunk->early, parts[i].data, parts[i].size);
	return !chunk->early.is_out_of_memory || no_memory(fault);
}

static bool
remake(struct recompress *job, struct worker *worker, struct chunk *chunk, struct fault *fault)
{
	bool is_in_turn;

	if (!rechunk(worker, chunk, fault))
		return false;
	pthread_mutex_lock(&job->crew.lock);
	chunk->is_done = true;
	is_in_turn = job->turn == chunk->region;
	pthread_mutex_unlock(&job->crew.lock);
	return !is_in_turn || go_on(job, worker, fault);
}

static void
run_thread(void *context)
{
	struct recompress *job = context;
	struct worker worker = {.job = job};
	struct fault fault;
	size_t number;

	parquet_share(&worker.in, &job->in);
	worker.in.input.read_ahead = READ_AHEAD;
	while (crew_take(&job->crew, &number))
		if (!remake(job, &worker, job->order[number], &fault))
			crew_fail(&job->crew, number, &fault);
	parquet_unshare(&worker.in);
	bytes_free(&worker.header);
}

static bool
write_footer(struct recompress *job, struct fault *fault)
{
	struct bytes footer = {0};
	uint8_t tail[8] = {0, 0, 0, 0, 'P', 'A', 'R', '1'};
	bool is_good;

	refooter(&footer, job);
	for (unsigned int i = 0; i < 4; i++)
		tail[i] = (uint8_t)(footer.size >> (8 * i));
	is_good = !footer.is_out_of_memory || no_memory(fault);
	if (footer.size > UINT32_MAX)
		is_good = fault_set(fault, TOOL_UNREADABLE, "its footer would be too large");
	is_good = is_good && output_put(&job->out, footer.data, footer.size, fault) &&
		  output_put(&job->out, tail, sizeof(tail), fault);
	bytes_free(&footer);
	return is_good;
}

static bool
write_parts(struct recompress *job, struct fault *fault)
{
	struct worker worker = {.job = job};
	bool is_good;

	/* What lies before the first chunk; the crew does the rest. */
	begin_turn(job, 0);
	parquet_share(&worker.in, &job->in);
	is_good = go_on(job, &worker, fault);
	parquet_unshare(&worker.in);
	return is_good && crew_run(&job->crew, job->in.column_count, job->thread_count,
				   run_thread, job, fault);
}

bool
rewrite_run(struct recompress *job, struct fault *fault)
{
	struct pagecodec_error error;
	bool is_good;

	if (pagecodec_factory_create(NULL, &job->factory, &error) != PAGECODEC_OK)
		return fault_of_library(fault, &error);
	crew_init(&job->crew);
	is_good = output_put(&job->out, "PAR1", 4, fault) && write_parts(job, fault) &&
		  write_footer(job, fault) && output_flush(&job->out, fault);
	crew_destroy(&job->crew);
	pagecodec_factory_destroy(job->factory);
	job->factory = NULL;
	progress_clear();
	return is_good;
}

void
rewrite_free(struct recompress *job)
{
	for (size_t i = 0; job->chunks && i < job->in.column_count; i++) {
		free(job->chunks[i].pages);
		bytes_free(&job->chunks[i].early);
	}
	free(job->chunks);
	free(job->regions);
	free(job->order);
}
