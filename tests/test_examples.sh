#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The examples, linked with the library as it lies in the build tree: each checks what it
# shows, and ends with a line that starts with its name.
# EMULATOR: what runs programs of another machine, as make check-cross sets it.

output=${TMPDIR:-/tmp}/pagecodec-example-$$
trap 'rm -f "$output"' EXIT
set -- arrow_buffers custom_allocator nanoarrow_hook read_pages threads write_pages
echo 1..$#
count=0
for name; do
	count=$((count + 1))
	if $EMULATOR ./examples/$name >"$output" 2>&1 && tail -n 1 "$output" | grep -q "^$name: "; then
		echo "ok $count - $name"
	else
		echo "not ok $count - $name"
		sed 's/^/# /' "$output"
	fi
done
