/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json.h - write JSON, valid whatever the names in a file hold
 *
 * key: NULL inside an array.  Format: RFC 8259.
 */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *out;
	int depth;
	bool is_first; /* nothing stands yet in the innermost object or array */
};

void json_open(struct json *json, const char *key, char bracket); /* '{' or '[' */
void json_close(struct json *json, char bracket);		  /* '}' or ']' */
void json_int(struct json *json, const char *key, int64_t value);
void json_double(struct json *json, const char *key, double value); /* a finite one */
void json_bool(struct json *json, const char *key, bool value);
void json_text(struct json *json, const char *key, const char *text);

/* A string of any bytes, by pieces; what is not UTF-8 becomes U+FFFD. */
void json_string_open(struct json *json, const char *key);
void json_string_bytes(struct json *json, const void *bytes, size_t size);
void json_string_close(struct json *json);

#endif
