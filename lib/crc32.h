/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crc32.h - the two checksums that pages need, by the fastest routine of this
 * build: CRC-32 (RFC 1952, section 8) and Adler-32 (RFC 1950, section 8.2).
 */
#ifndef PGC_CRC32_H
#define PGC_CRC32_H

#include "internal.h"

/* Start with crc 0; data may be NULL if size is 0. */
uint32_t pgc_crc32(uint32_t crc, const void *data, size_t size);

/* Of all bytes at once. */
uint32_t pgc_adler32(const void *data, size_t size);

#endif
