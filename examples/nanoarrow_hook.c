/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nanoarrow_hook.c - decompression functions for nanoarrow's IPC reader
 * Take what stands above main() as it is.  nanoarrow's own make a context per buffer.
 * Build: cc nanoarrow_hook.c ... -pthread; with nanoarrow: -DUSE_NANOARROW and its library
 */
#include <errno.h>
#include <pagecodec.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef USE_NANOARROW
#include <nanoarrow/nanoarrow_ipc.h>
#else
/* As much of its headers as the functions need. */
struct ArrowBufferView {
	union {
		const void *data;
	} data;
	int64_t size_bytes;
};
struct ArrowError {
	char message[1024];
};
typedef int (*ArrowIpcDecompressFunction)(struct ArrowBufferView src, uint8_t *dst,
					  int64_t dst_size, struct ArrowError *error);
#endif

static struct pagecodec_factory *factory;
static pthread_once_t factory_once = PTHREAD_ONCE_INIT;

static void
make_factory(void)
{
	pagecodec_factory_create(NULL, &factory, NULL);
}

static int
fail(int code, struct ArrowError *error, const char *message)
{
	if (error)
		snprintf(error->message, sizeof(error->message), "pagecodec: %s", message);
	return code;
}

/* src is what lies behind the int64 size, which nanoarrow has read: a bare frame.  The
 * factory keeps decompressors warm between calls, for every thread. */
static int
decompress(int32_t codec, struct ArrowBufferView src, uint8_t *dst, int64_t dst_size,
	   struct ArrowError *error)
{
	struct pagecodec_decompressor *decompressor;
	struct pagecodec_span out;
	struct pagecodec_error why;
	enum pagecodec_status status;

	pthread_once(&factory_once, make_factory);
	if (!factory)
		return fail(ENOMEM, error, "no factory");
	if (src.size_bytes < 0 || dst_size < 0)
		return fail(EINVAL, error, "a negative size");
	status = pagecodec_decompressor_get(factory, codec, NULL, &decompressor, &why);
	if (status == PAGECODEC_OK) {
		status =
		    pagecodec_decompress(decompressor, src.data.data, (size_t)src.size_bytes,
					 (size_t)dst_size, dst, (size_t)dst_size, &out, &why);
		pagecodec_decompressor_release(decompressor);
	}
	if (status == PAGECODEC_OK)
		return 0;
	return fail(status == PAGECODEC_OUT_OF_MEMORY ? ENOMEM
		    : status == PAGECODEC_NOT_BUILT   ? ENOTSUP
						      : EIO,
		    error, why.message);
}

static int
decompress_zstd(struct ArrowBufferView src, uint8_t *dst, int64_t dst_size,
		struct ArrowError *error)
{
	return decompress(PAGECODEC_ZSTD, src, dst, dst_size, error);
}

/* Parquet's codec LZ4 reads frames too, and knows them by this magic.  What has another is
 * no frame, and would be read as a bare block. */
static int
decompress_lz4(struct ArrowBufferView src, uint8_t *dst, int64_t dst_size,
	       struct ArrowError *error)
{
	if (src.size_bytes < 4 || memcmp(src.data.data, "\x04\x22\x4d\x18", 4) != 0)
		return fail(EIO, error, "this is no LZ4 frame");
	return decompress(PAGECODEC_LZ4, src, dst, dst_size, error);
}

/* What it takes in a program; the decoder then owns the decompressor:
 *	ArrowIpcSerialDecompressor(&decompressor);
 *	ArrowIpcSerialDecompressorSetFunction(&decompressor,
 *		NANOARROW_IPC_COMPRESSION_TYPE_ZSTD, decompress_zstd);
 *	ArrowIpcSerialDecompressorSetFunction(&decompressor,
 *		NANOARROW_IPC_COMPRESSION_TYPE_LZ4_FRAME, decompress_lz4);
 *	ArrowIpcDecoderSetDecompressor(&decoder, &decompressor);
 */
static int
run_hook(int32_t codec, struct ArrowBufferView src, uint8_t *dst, int64_t dst_size,
	 struct ArrowError *error)
{
	int is_zstd = codec == PAGECODEC_ARROW_ZSTD;
	ArrowIpcDecompressFunction function = is_zstd ? decompress_zstd : decompress_lz4;
#ifdef USE_NANOARROW
	enum ArrowIpcCompressionType type = is_zstd ? NANOARROW_IPC_COMPRESSION_TYPE_ZSTD
						    : NANOARROW_IPC_COMPRESSION_TYPE_LZ4_FRAME;
	struct ArrowIpcDecompressor serial;
	int code;

	if (ArrowIpcSerialDecompressor(&serial) != NANOARROW_OK)
		return ENOMEM;
	code = ArrowIpcSerialDecompressorSetFunction(&serial, type, function);
	if (code == NANOARROW_OK)
		code = serial.decompress_add(&serial, type, src, dst, dst_size, error);
	if (code == NANOARROW_OK)
		code = serial.decompress_wait(&serial, -1, error);
	serial.release(&serial);
	return code;
#else
	return function(src, dst, dst_size, error);
#endif
}

static int
try_codec(struct pagecodec_factory *writers, int32_t codec)
{
	static unsigned char page[10000], out[10000];
	struct pagecodec_compressor *compressor;
	struct pagecodec_span part = {page, sizeof(page)}, buffer;
	struct ArrowBufferView view;
	struct ArrowError error = {""};
	int is_right;

	memset(page, codec, sizeof(page));
	if (pagecodec_compressor_get(writers, codec, NULL, &compressor, NULL) ||
	    pagecodec_compress(compressor, &part, 1, NULL, 0, &buffer, NULL))
		return 0;
	view.data.data = (const char *)buffer.data + sizeof(int64_t);
	view.size_bytes = (int64_t)(buffer.size - sizeof(int64_t));
	is_right = run_hook(codec, view, out, sizeof(out), &error) == 0 &&
		   memcmp(page, out, sizeof(out)) == 0;
	view.size_bytes--;
	is_right = is_right && run_hook(codec, view, out, sizeof(out), &error) == EIO;
	printf("nanoarrow_hook: %s came back; cut off it says \"%s\"\n",
	       pagecodec_find_codec(codec)->name, error.message);
	pagecodec_compressor_release(compressor);
	return is_right;
}

int
main(void)
{
	static const int32_t codecs[] = {PAGECODEC_ARROW_LZ4_FRAME, PAGECODEC_ARROW_ZSTD};
	struct pagecodec_factory *writers;
	int is_right = 1;

	if (pagecodec_factory_create(NULL, &writers, NULL))
		return 1;
	for (size_t i = 0; i < 2; i++)
		if (pagecodec_find_codec(codecs[i])->is_available)
			is_right = try_codec(writers, codecs[i]) && is_right;
		else
			printf("nanoarrow_hook: %s is not in this build\n",
			       pagecodec_find_codec(codecs[i])->name);
	pagecodec_factory_destroy(writers);
	pagecodec_factory_destroy(factory);
	return !is_right;
}
