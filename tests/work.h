/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work.h - everything that one coder does with memory, from its factory to its end
 * Each call may lack memory: then it must say so, and give out nothing; other calls
 * go on. What comes out is compared with what was made when there was enough.
 */
#ifndef WORK_H
#define WORK_H

#include "coders.h"

#define WORK_PAGE_SIZE 10000

/* A coder and the options that it is used with. */
struct variant {
	struct coder coder;
	int window_log, checksum;
};

/* One per engine and each of least, default and greatest level, window_log and checksum;
 * with TESTS_SHORT=1 one per engine.  Static. */
const struct variant *work_variants(size_t *count);
const char *variant_name(const struct variant *variant);

struct work {
	const struct variant *variant;
	const struct pagecodec_factory_options *options; /* NULL: malloc and free */
	const size_t *refused;		     /* allocations that got NULL, up to now */
	void (*enter)(void), (*leave)(void); /* called around each call; or NULL */

	unsigned char *page;
	struct pagecodec_span parts[2];
	struct bytes compressed;
	struct pagecodec_factory *factory;
	struct pagecodec_compressor *compressor;
	struct pagecodec_decompressor *decompressor;
	size_t failures; /* calls that lacked memory */
};

struct work work_new(const struct variant *variant);
void work_free(struct work *work);

/* Whether it was done. */
int work_create(struct work *work);
int work_get(struct work *work);
void work_use(struct work *work);
/* Release, trim, and get again. */
int work_renew(struct work *work);
void work_release(struct work *work);
void work_destroy(struct work *work);

#endif
