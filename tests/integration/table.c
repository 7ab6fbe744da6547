/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.c - the two columns that write_parquet writes, page by page
 *
 * Format: Encodings.md of apache/parquet-format.
 */
#include "../../tools/tools.h"

#include "table.h"

#include <string.h>

static const char *const words[WORDS] = {"", "page", "dictionary", "gr\303\266\303\237e", "a"};

/* Steps, and in every other page noise, which is not worth compressing. */
static uint64_t
id_of(uint64_t row)
{
	return row / ROWS % 2 ? row * 0x9e3779b97f4a7c15 : row * 7 - 3;
}

/* A page of nulls has no values at all. */
static bool
is_null(uint64_t row)
{
	return row / ROWS % PAGES == 2 || row % 5 == 0;
}

static unsigned int
word_of(uint64_t row)
{
	return (unsigned int)(row % 7 % WORDS);
}

void
table_put_word(struct bytes *bytes, unsigned int word)
{
	put_little(bytes, strlen(words[word]), 4);
	bytes_put(bytes, words[word], strlen(words[word]));
}

/* One bit-packed run of numbers below 1 << width; count: a multiple of 8. */
static void
put_run(struct bytes *bytes, const uint8_t *numbers, size_t count, unsigned int width)
{
	/* the number of eights shifted by 1, and 1: a varint, which zigzag would double */
	uint64_t head = count / 8 << 1 | 1;

	for (; head >= 0x80; head >>= 7)
		put_little(bytes, head | 0x80, 1);
	put_little(bytes, head, 1);
	for (size_t i = 0; i < count; i += 8) {
		uint64_t eight = 0;

		for (unsigned int k = 0; k < 8; k++)
			eight |= (uint64_t)numbers[i + k] << (k * width);
		put_little(bytes, eight, width);
	}
}

static void
fill_id(struct table_page *page)
{
	for (uint64_t row = page->row; row < page->row + ROWS; row++)
		put_little(&page->values, id_of(row), 8);
}

static void
fill_word(struct table_page *page)
{
	uint8_t present[ROWS], indexes[ROWS + 8] = {0};
	size_t count = 0;

	for (unsigned int i = 0; i < ROWS; i++) {
		present[i] = !is_null(page->row + i);
		if (!present[i])
			continue;
		indexes[count++] = (uint8_t)word_of(page->row + i);
		if (page->encoding == PLAIN)
			table_put_word(&page->values, word_of(page->row + i));
	}
	page->nulls = (unsigned int)(ROWS - count);
	put_run(&page->levels, present, ROWS, 1);
	if (page->encoding == RLE_DICTIONARY) {
		put_little(&page->values, 3, 1);
		put_run(&page->values, indexes, (count + 7) / 8 * 8, 3);
	}
}

void
table_fill(struct table_page *page)
{
	if (page->column == ID)
		fill_id(page);
	else
		fill_word(page);
}

void
table_free(struct table_page *page)
{
	bytes_free(&page->levels);
	bytes_free(&page->values);
}
