/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale_objects.c - a thousand objects at once, and whether their memory comes back.
 */
#include "internal.h"

#include <stdio.h>
#include <unistd.h>

#include "scale.h"

enum { OBJECTS = 1000 };

/* Resident pages of the process, in bytes; 0: unknown. */
static double
resident(void)
{
	FILE *statm = fopen("/proc/self/statm", "r");
	long pages = 0;

	if (!statm)
		return 0;
	if (fscanf(statm, "%*d %ld", &pages) != 1)
		pages = 0;
	fclose(statm);
	return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static size_t
factory_bytes(struct pagecodec_factory *factory)
{
	struct pagecodec_memory memory = {.struct_size = sizeof(memory)};

	pagecodec_factory_memory(factory, &memory);
	return memory.bytes;
}

static void
take_all(struct pagecodec_factory *factory, int32_t codec,
	 struct pagecodec_compressor *objects[OBJECTS])
{
	static const char text[1024];
	struct pagecodec_span part = {text, sizeof(text)}, made;

	for (int i = 0; i < OBJECTS; i++) {
		must(pagecodec_compressor_get(factory, codec, NULL, &objects[i], NULL));
		must(pagecodec_compress(objects[i], &part, 1, NULL, 0, &made, NULL));
	}
}

static void
give_all(struct pagecodec_compressor *objects[OBJECTS])
{
	for (int i = 0; i < OBJECTS; i++)
		pagecodec_compressor_release(objects[i]);
}

/* get and release of a warm object */
static double
exchange_ns(struct pagecodec_factory *factory, int32_t codec)
{
	struct pagecodec_compressor *object;
	double start = cpu_ns();

	for (int i = 0; i < OBJECTS; i++) {
		must(pagecodec_compressor_get(factory, codec, NULL, &object, NULL));
		pagecodec_compressor_release(object);
	}
	return (cpu_ns() - start) / OBJECTS;
}

void
scale_objects_title(void)
{
	printf("\n1000 compressors out, released, trimmed: MiB by the factory's count, and "
	       "resident in\nthe process; ns of getting and releasing a warm one\n");
}

void
scale_objects(const struct scale_options *options, int32_t codec)
{
	static struct pagecodec_compressor *objects[OBJECTS];
	struct pagecodec_factory *factory;
	double before = resident(), out, released, trimmed, ns;
	size_t bytes[3];

	must(pagecodec_factory_create(NULL, &factory, NULL));
	take_all(factory, codec, objects);
	out = resident() - before;
	bytes[0] = factory_bytes(factory);
	give_all(objects);
	released = resident() - before;
	bytes[1] = factory_bytes(factory);
	ns = exchange_ns(factory, codec);
	pagecodec_factory_trim(factory);
	trimmed = resident() - before;
	bytes[2] = factory_bytes(factory);
	printf("%-16s %8.1f %8.1f %8.1f   %8.1f %8.1f %8.1f   %6.0f\n",
	       pagecodec_find_codec(codec)->name, (double)bytes[0] / MIB,
	       (double)bytes[1] / MIB, (double)bytes[2] / MIB, out / MIB, released / MIB,
	       trimmed / MIB, ns);
	scale_csv(options, "objects_out_bytes", codec, OBJECTS, (double)bytes[0]);
	scale_csv(options, "objects_released_bytes", codec, OBJECTS, (double)bytes[1]);
	scale_csv(options, "objects_trimmed_bytes", codec, OBJECTS, (double)bytes[2]);
	scale_csv(options, "get_and_release_ns", codec, OBJECTS, ns);
	pagecodec_factory_destroy(factory);
}
