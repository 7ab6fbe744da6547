/* SPDX-License-Identifier: Apache-2.0 */
/*
 * version.c - the version of the library that was linked, which may not be that
 * of the header that was compiled with.
 */
#include "internal.h"

const char *
pagecodec_version(void)
{
	return PAGECODEC_VERSION_STRING;
}
