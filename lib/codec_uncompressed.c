/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codec_uncompressed.c - pages stored as they are.  A real codec, so that readers
 * and writers need no branch; no engine call is ever made.
 */
#include "internal.h"

#include "codec.h"

const struct pgc_compress_engine pgc_uncompressed_compress = {.name = "pagecodec"};
const struct pgc_decompress_engine pgc_uncompressed_decompress = {.name = "pagecodec"};
