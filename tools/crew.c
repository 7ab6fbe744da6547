/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crew.c - threads that share out numbered work
 *
 * Work before a failed one still goes on: it may fail too, and is then the one told of.
 */
#include "tools.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "crew.h"

struct member {
	void (*thread)(void *context);
	void *context;
};

static void *
start(void *argument)
{
	const struct member *member = argument;

	member->thread(member->context);
	return NULL;
}

void
crew_init(struct crew *crew)
{
	memset(crew, 0, sizeof(*crew));
	crew->failed = SIZE_MAX;
	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->changed, NULL);
}

void
crew_destroy(struct crew *crew)
{
	pthread_cond_destroy(&crew->changed);
	pthread_mutex_destroy(&crew->lock);
}

bool
crew_run(struct crew *crew, size_t count, size_t thread_count, void (*thread)(void *context),
	 void *context, struct fault *fault)
{
	struct member member = {thread, context};
	pthread_t threads[CREW_THREADS_MAX];
	size_t started = 0;

	crew->count = count;
	while (started + 1 < thread_count && started + 1 < count &&
	       pthread_create(&threads[started], NULL, start, &member) == 0)
		started++;
	thread(context);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	if (crew->failed != SIZE_MAX)
		*fault = crew->fault;
	return crew->failed == SIZE_MAX;
}

bool
crew_take(struct crew *crew, size_t *number)
{
	bool is_taken;

	pthread_mutex_lock(&crew->lock);
	is_taken = crew->next < crew->count && crew->next < crew->failed;
	if (is_taken)
		*number = crew->next++;
	pthread_mutex_unlock(&crew->lock);
	return is_taken;
}

void
crew_fail(struct crew *crew, size_t number, const struct fault *fault)
{
	pthread_mutex_lock(&crew->lock);
	if (number < crew->failed) {
		crew->failed = number;
		crew->fault = *fault;
	}
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
}

bool
crew_is_stopped(struct crew *crew, size_t number)
{
	bool is_stopped;

	pthread_mutex_lock(&crew->lock);
	is_stopped = crew->failed < number;
	pthread_mutex_unlock(&crew->lock);
	return is_stopped;
}

size_t
crew_processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef CPU_COUNT
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		count = CPU_COUNT(&set);
#endif
	return count < 1 ? 1 : count > CREW_THREADS_MAX ? CREW_THREADS_MAX : (size_t)count;
}
