/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interpose.h - malloc and its kin, put in the place of the C library's
 * So that what codec libraries take is seen too.  Only in builds without a sanitizer,
 * which has its own.
 */
#ifndef INTERPOSE_H
#define INTERPOSE_H

#include <stdatomic.h>
#include <stddef.h>

/* 0: this C library's cannot be replaced, or a checker has replaced them, and nothing
 * below happens. */
int interpose_works(void);

/* Of anything that takes memory from the system, at any time. */
extern atomic_size_t interposed_calls;

/* Between the two, calls are numbered from 1 on, and blocks are counted. */
void interpose_enter(void);
void interpose_leave(void);

/* Numbers begin anew; the calls from .. to inclusive get NULL. */
void interpose_start(size_t from, size_t to);
extern size_t interpose_refused; /* such calls since then */
extern ptrdiff_t interpose_live; /* blocks taken since then and not given back */

#endif
