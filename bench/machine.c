/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine.c - what figures depend on: processor, compiler, and the libraries that
 * are really loaded, which their headers need not match.
 */
#include "config.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

#include "bench.h"
#include "pagecodec.h"

int
pin_to_core(void)
{
#ifdef __linux__
	int core = sched_getcpu();
	cpu_set_t set;

	if (core < 0)
		return -1;
	CPU_ZERO(&set);
	CPU_SET((size_t)core, &set);
	return sched_setaffinity(0, sizeof(set), &set) == 0 ? core : -1;
#else
	return -1;
#endif
}

/* The first "model name : text" of /proc/cpuinfo. */
static void
print_processor(FILE *out)
{
	FILE *info = fopen("/proc/cpuinfo", "r");
	char line[256];
	const char *name = NULL;

	while (info && !name && fgets(line, sizeof(line), info))
		if (strncmp(line, "model name", 10) == 0 && strchr(line, ':'))
			name = strchr(line, ':') + 2;
	fprintf(out, "processor  %s", name ? name : "unknown\n");
	if (info)
		fclose(info);
}

/* The name of the file that a function comes from: libsnappy.so.1.1.9. */
static void
print_library(FILE *out, const char *symbol)
{
	void *address = dlsym(RTLD_DEFAULT, symbol);
	char path[PATH_MAX];
	Dl_info info;
	const char *name;

	if (!address || !dladdr(address, &info) || !realpath(info.dli_fname, path))
		return;
	name = strrchr(path, '/');
	fprintf(out, " %s", name ? name + 1 : path);
}

void
print_machine(FILE *out, int core)
{
	static const char *const symbols[] = {
	    "pagecodec_version",    "snappy_compress", "deflate",
	    "libdeflate_crc32",	    "ZSTD_compress2",  "LZ4_versionString",
	    "BrotliEncoderVersion", "lzo_version"};

	print_processor(out);
	fprintf(out, "cores      %ld", sysconf(_SC_NPROCESSORS_ONLN));
	if (core >= 0)
		fprintf(out, ", pinned to %d\n", core);
	else
		fputs(", not pinned\n", out);
#ifdef __VERSION__
	fprintf(out, "compiler   %s\n", __VERSION__);
#endif
	fprintf(out, "pagecodec  %s\n", pagecodec_version());
	fputs("libraries ", out);
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++)
		print_library(out, symbols[i]);
#ifdef HAVE_LIBDEFLATE
	fputs(" (libdeflate " LIBDEFLATE_VERSION_STRING ")", out);
#endif
	fputs("\n", out);
}
