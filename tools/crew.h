/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crew.h - threads that share out numbered work
 *
 * The fault that is kept is that of the lowest number: what is reported does not
 * depend on how many threads there were.
 */
#ifndef CREW_H
#define CREW_H

#include <pthread.h>

#include "tools.h"

#define CREW_THREADS_MAX 1024

struct crew {
	pthread_mutex_t lock;	/* for the work's own state too */
	pthread_cond_t changed; /* told of each failure */
	size_t count, next;	/* of the work */
	size_t failed;		/* the lowest number that failed; SIZE_MAX: none */
	struct fault fault;
};

void crew_init(struct crew *crew);
void crew_destroy(struct crew *crew);

/* Run thread(context) in thread_count threads, this one among them, or as many as the
 * system gives.  Each takes work until there is none.  false: a fault. */
bool crew_run(struct crew *crew, size_t count, size_t thread_count,
	      void (*thread)(void *context), void *context, struct fault *fault);

/* The next number; false: none is left, or one before it failed. */
bool crew_take(struct crew *crew, size_t *number);

void crew_fail(struct crew *crew, size_t number, const struct fault *fault);

/* Has one before it failed?  Then this one need not go on. */
bool crew_is_stopped(struct crew *crew, size_t number);

/* The processors that this process may use. */
size_t crew_processors(void);

#endif
