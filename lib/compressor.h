/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compressor.h - the steps of a compress call, which page.c puts together anew:
 * inputs are checked, then compressed behind some room, or stored as they are.
 */
#ifndef PGC_COMPRESSOR_H
#define PGC_COMPRESSOR_H

#include "object.h"

/* Pointers; sets input->size.  No byte is read. */
enum pgc_fault pgc_check_parts(struct pgc_input *input);
enum pgc_fault pgc_check_parts_overlap(const struct pgc_object *object,
				       const struct pgc_input *input,
				       const struct pgc_target *target);

/* A page of page_size bytes, value_size of which the codec is to take, in a call
 * that takes call_limit. */
enum pgc_fault pgc_check_page_size(const struct pgc_object *object, size_t page_size,
				   size_t value_size, size_t call_limit,
				   struct pgc_failure *failure);

/* Compress input into target, or into the object's own buffer where target has
 * no dst or not surely enough room, and leave `lead` bytes free before it.
 * *page is where these begin; the result's size is without them. */
struct pgc_result pgc_compress_behind(struct pgc_object *object, const struct pgc_input *input,
				      size_t lead, const struct pgc_target *target,
				      uint8_t **page);

/* page, of size bytes, in target or in the object's own buffer, to the caller. */
enum pgc_fault pgc_deliver(const uint8_t *page, size_t size, const struct pgc_target *target,
			   struct pagecodec_span *delivered, struct pgc_failure *failure);

/* The inputs one after another as they are; not copied where target has no dst
 * and one part holds all bytes. */
enum pgc_fault pgc_store_inputs(struct pgc_object *object, const struct pgc_input *inputs,
				size_t count, const struct pgc_target *target,
				struct pagecodec_span *stored, struct pgc_failure *failure);

/* Bytes of input to dst; returns the place behind them. */
uint8_t *pgc_copy_input(uint8_t *dst, const struct pgc_input *input);

/* All of that for one input: a checked compress call. */
enum pgc_fault pgc_compress_input(struct pgc_object *object, struct pgc_input *input,
				  size_t call_limit, const struct pgc_target *target,
				  struct pagecodec_span *compressed,
				  struct pgc_failure *failure);

#endif
