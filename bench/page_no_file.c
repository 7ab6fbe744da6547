/* SPDX-License-Identifier: Apache-2.0 */
/*
 * page_no_file.c - in place of page_file.c where tools/, which reads Parquet files,
 * is not built.
 */
#include "internal.h"

#include "bench.h"
#include "page_set.h"

void
page_set_read(struct page_set *set, const char *file, size_t total)
{
	(void)set;
	(void)total;
	die("%s: configured with --disable-tools, which read Parquet files", file);
}
