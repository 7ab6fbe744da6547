/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buffer.c - growth of kept buffers.  The old block is freed before the new one
 * is taken: its bytes are not needed, and the peak stays one buffer.
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
pgc_buffer_reserve(struct pgc_buffer *buffer, struct pgc_account *account, size_t size)
{
	size_t roomy = buffer->capacity + buffer->capacity / 4;

	if (buffer->data && size <= buffer->capacity)
		return true;
	pgc_buffer_free(buffer, account);
	/* Pages that grow a little each time must not allocate each time. */
	if (roomy > size && take_block(buffer, account, roomy))
		return true;
	return take_block(buffer, account, size);
}
