/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buffer.c - growth of kept buffers.  The old block is freed after the new one is
 * taken: where there is no memory for a large page, smaller ones go on.
 */
#include "internal.h"

#include "buffer.h"

void
pgc_buffer_free(struct pgc_buffer *buffer, struct pgc_account *account)
{
	pgc_free(account, buffer->block);
	memset(buffer, 0, sizeof(*buffer));
}

static bool
take_block(struct pgc_buffer *buffer, struct pgc_account *account, size_t size)
{
	size_t total;
	uintptr_t misaligned;

	if (!pgc_add(size, PGC_BUFFER_ALIGN - 1 + PGC_BUFFER_SLACK, &total))
		return false;
	buffer->block = pgc_alloc(account, total);
	if (!buffer->block)
		return false;
	misaligned = (uintptr_t)buffer->block % PGC_BUFFER_ALIGN;
	buffer->data = (uint8_t *)buffer->block;
	if (misaligned != 0)
		buffer->data += PGC_BUFFER_ALIGN - misaligned;
	buffer->capacity = size;
	return true;
}

bool
pgc_buffer_grow(const struct pgc_buffer *buffer, struct pgc_account *account, size_t size,
		struct pgc_buffer *grown)
{
	size_t roomy = buffer->capacity + buffer->capacity / 4;

	memset(grown, 0, sizeof(*grown));
	/* Pages that grow a little each time must not allocate each time. */
	return (roomy > size && take_block(grown, account, roomy)) ||
	       take_block(grown, account, size);
}

bool
pgc_buffer_reserve(struct pgc_buffer *buffer, struct pgc_account *account, size_t size)
{
	struct pgc_buffer grown;

	if (pgc_buffer_holds(buffer, size))
		return true;
	if (!pgc_buffer_grow(buffer, account, size, &grown))
		return false;
	pgc_buffer_free(buffer, account);
	*buffer = grown;
	return true;
}
