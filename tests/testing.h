/* SPDX-License-Identifier: Apache-2.0 */
/*
 * testing.h - what the tests share: pages, and checks of bytes and errors
 * Assertions are those of the check framework, and name what differs.
 * A test program's main adds its tests, and ends in run_tests.
 */
#ifndef TESTING_H
#define TESTING_H

#include <check.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "pagecodec.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define KIB ((size_t)1024)
#define MIB (1024 * KIB)

/* True with TESTS_SHORT=1 in the environment: fewer rounds, for slow checkers. */
int tests_short(void);

/* ---- Pages */

enum page_kind {
	PAGE_ZEROS,
	PAGE_TEXT,
	PAGE_STEPS,   /* int64 that grow by small steps */
	PAGE_DOUBLES, /* a random walk in cents */
	PAGE_RANDOM,
	PAGE_KINDS
};
extern const char *const page_kind_names[PAGE_KINDS];

uint64_t next_random(uint64_t *state);
void fill_page(enum page_kind kind, uint64_t seed, void *page, size_t size);
/* malloc'd; never NULL. */
unsigned char *new_page(enum page_kind kind, uint64_t seed, size_t size);

/* Cut a page into exactly part_count parts of uneven size, some of them empty. */
void cut_page(const void *page, size_t size, struct pagecodec_span *parts, size_t part_count);

/* ---- Assertions */

/* As ck_assert_msg, but silent when it holds: check writes a note of every assertion that
 * was met, and takes quadratic time to read them all. */
#define require(condition, ...)                                                                \
	do {                                                                                   \
		if (!(condition))                                                              \
			ck_abort_msg(__VA_ARGS__);                                             \
	} while (0)

#define assert_status(call, want)                                                              \
	do {                                                                                   \
		enum pagecodec_status status_ = (call);                                        \
		require(status_ == (want), "%s gives %s, not %s", #call,                       \
			pagecodec_status_name(status_), pagecodec_status_name(want));          \
	} while (0)

/* As assert_status, and the error struct is as the header promises. */
#define assert_fails(call, want, error)                                                        \
	do {                                                                                   \
		poison_error(error);                                                           \
		assert_status(call, want);                                                     \
		check_error(error, want);                                                      \
	} while (0)

#define assert_ok(call, error)                                                                 \
	do {                                                                                   \
		poison_error(error);                                                           \
		enum pagecodec_status status_ = (call);                                        \
		require(status_ == PAGECODEC_OK, "%s gives %s: %s", #call,                     \
			pagecodec_status_name(status_), (error)->message);                     \
		check_untouched(error);                                                        \
	} while (0)

void poison_error(struct pagecodec_error *error);
void check_untouched(const struct pagecodec_error *error);
void check_error(const struct pagecodec_error *error, enum pagecodec_status want);
void check_bytes(const char *what, const void *got, const void *want, size_t size);
void check_no_span(struct pagecodec_span span);
/* One of the statuses that damaged input may have. */
int is_damage(enum pagecodec_status status);

/* ---- Running */

/* Each run of a test is one of its own; _i counts from 0 in those that are looped. */
void add_test(const TTest *test);
void add_loop(const TTest *test, size_t runs);
/* For all tests of the program: around each run, and seconds that one may take. */
void add_fixture(void (*set_up)(void), void (*tear_down)(void));
void set_timeout(double seconds);

/* What main returns. */
int run_tests(const char *name);

#endif
