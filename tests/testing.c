/* SPDX-License-Identifier: Apache-2.0 */
/*
 * testing.c - what the tests share: pages, and checks of bytes and errors
 * Kinds of page are those that columns hold: constant, strings, counters, measurements, hashes.
 * Every page is made from a kind and a seed, so that a failure can be had again.
 */
#include "testing.h"

#include <stdlib.h>

int
tests_short(void)
{
	const char *value = getenv("TESTS_SHORT");

	return value && *value && strcmp(value, "0") != 0;
}

const char *const page_kind_names[PAGE_KINDS] = {"zeros", "text", "steps", "doubles", "random"};

/* splitmix64 */
uint64_t
next_random(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static size_t
next_word(char *word, uint64_t *state)
{
	static const char *const words[] = {"page ",  "column ", "of ",	   "the ",  "row ",
					    "group ", "a ",	 "value",  "1998 ", "\n",
					    "in ",    "level ",	 "Zürich", "null, "};
	uint64_t pick = next_random(state);

	if (pick % 16 < COUNT_OF(words))
		return (size_t)sprintf(word, "%s", words[pick % 16]);
	return (size_t)sprintf(word, "%u,", (unsigned)(pick >> 40) % 100000);
}

/* The next few bytes of a page; at most 32. */
static size_t
next_bytes(enum page_kind kind, uint64_t *state, uint64_t *last, unsigned char *bytes)
{
	double value;

	switch (kind) {
	case PAGE_TEXT:
		return next_word((char *)bytes, state);
	case PAGE_STEPS:
		*last += next_random(state) % 16;
		memcpy(bytes, last, 8);
		return 8;
	case PAGE_DOUBLES:
		*last += next_random(state) % 201;
		value = ((double)*last - 100) / 100;
		memcpy(bytes, &value, 8);
		return 8;
	case PAGE_RANDOM:
		*last = next_random(state);
		memcpy(bytes, last, 8);
		return 8;
	case PAGE_ZEROS:
	case PAGE_KINDS:
		break;
	}
	memset(bytes, 0, 32);
	return 32;
}

void
fill_page(enum page_kind kind, uint64_t seed, void *page, size_t size)
{
	unsigned char bytes[32];
	uint64_t state = seed + (uint64_t)kind * 1000003;
	uint64_t last = 0;
	size_t made;

	for (size_t at = 0; at < size; at += made) {
		made = next_bytes(kind, &state, &last, bytes);
		if (made > size - at)
			made = size - at;
		memcpy((unsigned char *)page + at, bytes, made);
	}
}

unsigned char *
new_page(enum page_kind kind, uint64_t seed, size_t size)
{
	unsigned char *page = malloc(size + !size);

	ck_assert_ptr_nonnull(page);
	fill_page(kind, seed, page, size);
	return page;
}

void
cut_page(const void *page, size_t size, struct pagecodec_span *parts, size_t part_count)
{
	uint64_t state = size;
	size_t at = 0;

	for (size_t i = 0; i < part_count; i++) {
		size_t take = size - at;

		if (i + 1 < part_count)
			take = i % 3 == 1 ? 0 : (size_t)(next_random(&state) % (take / 2 + 1));
		parts[i].data = (const unsigned char *)page + at;
		parts[i].size = take;
		at += take;
	}
}

void
poison_error(struct pagecodec_error *error)
{
	memset(error, 0x5a, sizeof(*error));
	error->message[sizeof(error->message) - 1] = '\0';
}

void
check_untouched(const struct pagecodec_error *error)
{
	struct pagecodec_error poisoned;

	poison_error(&poisoned);
	require(memcmp(error, &poisoned, sizeof(poisoned)) == 0,
		"the error struct was written to on success");
}

/* One line of ASCII that names the codec and the sizes. */
void
check_error(const struct pagecodec_error *error, enum pagecodec_status want)
{
	const char *message = error->message;
	const struct pagecodec_codec_info *info = pagecodec_find_codec(error->codec);
	size_t length = strnlen(message, sizeof(error->message));
	char number[24];

	require(error->status == want, "the error says %s, not %s",
		pagecodec_status_name(error->status), pagecodec_status_name(want));
	require(length > 0 && length < sizeof(error->message), "%zu bytes of message", length);
	for (size_t i = 0; i < length; i++)
		require(message[i] >= ' ' && message[i] <= '~', "byte 0x%02x in \"%s\"",
			(unsigned)(unsigned char)message[i], message);
	if (info)
		require(strstr(message, info->name) != NULL, "no \"%s\" in \"%s\"", info->name,
			message);
	snprintf(number, sizeof(number), "%zu", error->expected_size);
	require(!error->expected_size || strstr(message, number), "no %s in \"%s\"", number,
		message);
	snprintf(number, sizeof(number), "%zu", error->actual_size);
	require(!error->actual_size || strstr(message, number), "no %s in \"%s\"", number,
		message);
}

void
check_bytes(const char *what, const void *got, const void *want, size_t size)
{
	const unsigned char *a = got;
	const unsigned char *b = want;
	size_t at = 0;

	if (size == 0 || memcmp(got, want, size) == 0)
		return;
	while (a[at] == b[at])
		at++;
	ck_abort_msg("%s: byte %zu of %zu is 0x%02x, not 0x%02x", what, at, size,
		     (unsigned)a[at], (unsigned)b[at]);
}

void
check_no_span(struct pagecodec_span span)
{
	require(!span.data && !span.size, "%zu bytes are given out after a failure", span.size);
}

int
is_damage(enum pagecodec_status status)
{
	return status == PAGECODEC_TOO_LARGE || status == PAGECODEC_TRUNCATED ||
	       status == PAGECODEC_CORRUPT || status == PAGECODEC_CHECKSUM_MISMATCH ||
	       status == PAGECODEC_SIZE_MISMATCH || status == PAGECODEC_TRAILING_DATA;
}

/* check has a level between suite and test, of which each program has one. */
static TCase *
tests(void)
{
	static TCase *only;

	if (!only)
		only = tcase_create("tests");
	return only;
}

void
add_test(const TTest *test)
{
	tcase_add_test(tests(), test);
}

void
add_loop(const TTest *test, size_t runs)
{
	tcase_add_loop_test(tests(), test, 0, (int)runs);
}

void
add_fixture(void (*set_up)(void), void (*tear_down)(void))
{
	tcase_add_checked_fixture(tests(), set_up, tear_down);
}

void
set_timeout(double seconds)
{
	tcase_set_timeout(tests(), seconds);
}

int
run_tests(const char *name)
{
	Suite *suite = suite_create(name);
	SRunner *runner = srunner_create(suite);
	int failed;

	suite_add_tcase(suite, tests());
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
