/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json.c - write JSON, valid whatever the names in a file hold
 *
 * Format: RFC 8259.
 */
#include "tools.h"

#include <inttypes.h>
#include <string.h>

#include "json.h"
#include "text.h"

static void
begin(struct json *json, const char *key)
{
	if (!json->is_first)
		putc(',', json->out);
	if (json->depth)
		fprintf(json->out, "\n%*s", 2 * json->depth, "");
	json->is_first = false;
	if (key)
		fprintf(json->out, "\"%s\": ", key);
}

void
json_open(struct json *json, const char *key, char bracket)
{
	begin(json, key);
	putc(bracket, json->out);
	json->depth++;
	json->is_first = true;
}

void
json_close(struct json *json, char bracket)
{
	json->depth--;
	if (!json->is_first)
		fprintf(json->out, "\n%*s", 2 * json->depth, "");
	putc(bracket, json->out);
	json->is_first = false;
	if (json->depth == 0)
		putc('\n', json->out);
}

void
json_int(struct json *json, const char *key, int64_t value)
{
	begin(json, key);
	fprintf(json->out, "%" PRId64, value);
}

void
json_double(struct json *json, const char *key, double value)
{
	begin(json, key);
	fprintf(json->out, "%.6f", value);
}

void
json_bool(struct json *json, const char *key, bool value)
{
	begin(json, key);
	fputs(value ? "true" : "false", json->out);
}

void
json_text(struct json *json, const char *key, const char *text)
{
	json_string_open(json, key);
	json_string_bytes(json, text, strlen(text));
	json_string_close(json);
}

void
json_string_open(struct json *json, const char *key)
{
	begin(json, key);
	putc('"', json->out);
}

void
json_string_bytes(struct json *json, const void *bytes, size_t size)
{
	const unsigned char *p = bytes;
	size_t length;

	for (size_t at = 0; at < size; at += length ? length : 1) {
		length = text_utf8_length(p + at, size - at);
		if (length == 0)
			fputs("\\ufffd", json->out);
		else if (p[at] == '"' || p[at] == '\\')
			fprintf(json->out, "\\%c", p[at]);
		else if (p[at] < 0x20 || p[at] == 0x7f)
			fprintf(json->out, "\\u%04x", p[at]);
		else
			fwrite(p + at, 1, length, json->out);
	}
}

void
json_string_close(struct json *json)
{
	putc('"', json->out);
}
