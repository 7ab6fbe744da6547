/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.h - sizes, names and progress as people read them
 *
 * Names come out of hostile files: none reaches a terminal as it is.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "1.2 MiB"; returns text. */
#define TEXT_SIZE_MAX 32
char *text_size(char text[TEXT_SIZE_MAX], uint64_t bytes);

/* "2.27" for 227 bytes that became 100, "-" where after is 0; returns text. */
char *text_ratio(char text[TEXT_SIZE_MAX], uint64_t before, uint64_t after);

/* Copy as valid UTF-8 without control characters (each bad byte becomes '?'),
 * cut with "..." to what fits; returns text. */
char *text_name(char *text, size_t capacity, const void *name, size_t size);

/* Length of the valid UTF-8 sequence at p, 0: none. */
size_t text_utf8_length(const unsigned char *p, size_t size);

/* "s" unless count is 1. */
const char *text_plural(uint64_t count);

/* A line on standard error that is drawn over and over, if that is a terminal. */
void progress_show(const char *file, uint64_t done, uint64_t total);
void progress_clear(void);

#endif
