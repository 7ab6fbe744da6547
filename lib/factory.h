/* SPDX-License-Identifier: Apache-2.0 */
/*
 * factory.h - where objects come from and go back to.  The one lock of the
 * library is in here; no data call takes it.
 */
#ifndef PGC_FACTORY_H
#define PGC_FACTORY_H

#include "object.h"

/* An idle object that equals key, the one released last, or a new one. */
enum pgc_fault pgc_factory_take(struct pagecodec_factory *factory,
				const struct pgc_object_key *key, struct pgc_object **object);

/* Back to its factory, which keeps or frees it.  Already idle: no-op. */
void pgc_factory_give(struct pgc_object *object);

#endif
