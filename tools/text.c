/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - sizes, names and progress as people read them
 *
 * Names come out of hostile files: none reaches a terminal as it is.
 */
#include "tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

char *
text_size(char text[TEXT_SIZE_MAX], uint64_t bytes)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double size = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 1024) {
		snprintf(text, TEXT_SIZE_MAX, "%" PRIu64 " bytes", bytes);
		return text;
	}
	for (; size >= 1024; unit++)
		size /= 1024;
	snprintf(text, TEXT_SIZE_MAX, "%.1f %s", size, units[unit]);
	return text;
}

char *
text_ratio(char text[TEXT_SIZE_MAX], uint64_t before, uint64_t after)
{
	if (after)
		snprintf(text, TEXT_SIZE_MAX, "%.2f", (double)before / (double)after);
	else
		snprintf(text, TEXT_SIZE_MAX, "-");
	return text;
}

size_t
text_utf8_length(const unsigned char *p, size_t size)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length;
	uint32_t point;

	if (p[0] < 0x80)
		return 1;
	length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	if (p[0] < 0xc2 || p[0] > 0xf4 || length > size)
		return 0;
	point = p[0] & (0xffu >> (length + 1));
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (p[i] & 0x3f);
	}
	if (point < least[length] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000))
		return 0;
	return length;
}

char *
text_name(char *text, size_t capacity, const void *name, size_t size)
{
	const unsigned char *p = name;
	size_t used = 0, safe = 0, length;

	for (size_t at = 0; at < size; at += length) {
		bool is_good;

		length = text_utf8_length(p + at, size - at);
		/* C0, DEL, and C1, which is c2 80..9f. */
		is_good = length && p[at] >= 0x20 && p[at] != 0x7f &&
			  !(p[at] == 0xc2 && p[at + 1] < 0xa0);
		length = length ? length : 1;
		if (used + length + 1 > capacity) {
			memcpy(text + safe, "...", 4);
			return text;
		}
		if (is_good)
			memcpy(text + used, p + at, length);
		else
			memset(text + used, '?', length);
		used += length;
		if (used + 4 <= capacity)
			safe = used;
	}
	text[used] = '\0';
	return text;
}

const char *
text_plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static bool progress_is_shown;

void
progress_show(const char *file, uint64_t done, uint64_t total)
{
	static struct timespec last;
	struct timespec now;
	char sizes[2][TEXT_SIZE_MAX];

	if (!isatty(STDERR_FILENO) || clock_gettime(CLOCK_MONOTONIC, &now) != 0)
		return;
	if ((now.tv_sec - last.tv_sec) * 10 + (now.tv_nsec - last.tv_nsec) / 100000000 < 2)
		return;
	/* Quick work ends before its first line is due. */
	if (last.tv_sec != 0) {
		fprintf(stderr, "\r\033[K%.60s: %s of %s", file, text_size(sizes[0], done),
			text_size(sizes[1], total));
		progress_is_shown = true;
	}
	last = now;
}

void
progress_clear(void)
{
	if (progress_is_shown)
		fputs("\r\033[K", stderr);
	progress_is_shown = false;
}
