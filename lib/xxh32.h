/* SPDX-License-Identifier: Apache-2.0 */
/*
 * xxh32.h - xxHash, 32 bits, seed 0: the checksum of LZ4 frames.  All that they
 * cover lies in one piece, so that nothing need be kept between calls.
 */
#ifndef PGC_XXH32_H
#define PGC_XXH32_H

#include "internal.h"

uint32_t pgc_xxh32(const uint8_t *data, size_t size);

#endif
