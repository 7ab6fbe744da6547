/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guard.h - memory of an exact size whose neighbours cannot be touched unnoticed
 * One end lies flush against a page without access, where a stray access faults;
 * the slack at the other end holds a pattern that guard_check looks at.
 */
#ifndef GUARD_H
#define GUARD_H

#include <stddef.h>

enum guard_side {
	GUARD_AFTER, /* the first byte after the data faults */
	GUARD_BEFORE /* the byte before the data faults */
};

struct guard {
	unsigned char *data;
	size_t size;
	unsigned char *pages; /* those that can be written to */
	size_t pages_size;
};

/* skew: bytes of slack between the data and the page without access. */
struct guard guard_new(size_t size, enum guard_side side, size_t skew);
/* As guard_new without skew, filled with a copy and then made read-only. */
struct guard guard_copy(const void *data, size_t size, enum guard_side side);
void guard_seal(const struct guard *guard);
void guard_check(const struct guard *guard);
/* guard_check, then give the memory back. */
void guard_free(struct guard *guard);

#endif
