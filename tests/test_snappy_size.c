/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_snappy_size.c - our own SNAPPY engine makes pages of words at most 1 % larger than
 * libsnappy's.  Their size tells how far matches are looked for: where that is less far,
 * some of them grow by 3 to 20 %.
 */
#include <stdlib.h>

#include "coders.h"

/* libsnappys: bytes that libsnappy 1.1.9 makes of it. */
static const struct {
	size_t words, size, libsnappys;
} pages[] = {
    {300, 64 * KIB, 24651}, {1000, 8 * KIB, 5824},   {1000, 64 * KIB, 31045},
    {1500, 8 * KIB, 6488},  {1500, 64 * KIB, 33833}, {2000, 64 * KIB, 35811},
    {300, MIB, 393468},	    {1000, MIB, 495428},
};

/* Words of 1 to 10 letters, the first ones more often. */
static unsigned char *
new_text(size_t size, size_t word_count)
{
	static char words[2000][12];
	unsigned char *page = malloc(size + sizeof(words[0]));
	uint64_t state = 1;
	size_t end = 0;

	ck_assert_ptr_nonnull(page);
	ck_assert_uint_gt(word_count, 0);
	ck_assert_uint_le(word_count, COUNT_OF(words));
	for (size_t i = 0; i < word_count; i++) {
		size_t length = (size_t)(1 + next_random(&state) % 10);

		for (size_t j = 0; j < length; j++)
			words[i][j] = (char)('a' + next_random(&state) % 26);
		words[i][length] = ' ';
	}
	while (end < size) {
		size_t first = (size_t)(1 + next_random(&state) % word_count);
		const char *letter = words[next_random(&state) % first];

		do
			page[end++] = (unsigned char)*letter;
		while (*letter++ != ' ');
	}
	return page;
}

START_TEST(words_are_no_larger_than_libsnappys)
{
	const struct coder coder = {pagecodec_find_codec(PAGECODEC_SNAPPY), "pagecodec", 0, 0};
	unsigned char *page = new_text(pages[_i].size, pages[_i].words);
	struct bytes ours = compress_fresh(&coder, page, pages[_i].size);

	ck_assert_uint_le(ours.size * 100, pages[_i].libsnappys * 101);
	free(ours.data);
	free(page);
}
END_TEST

int
main(void)
{
	add_loop(words_are_no_larger_than_libsnappys, COUNT_OF(pages));
	return run_tests("snappy_size");
}
