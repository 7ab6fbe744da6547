#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The header stands alone, as C99 and as C++, without a warning.
echo 1..2
header=${srcdir:-.}/include
source=${TMPDIR:-/tmp}/pagecodec-header-$$.h
trap 'rm -f "$source"' EXIT
echo '#include <pagecodec.h>' >"$source"

check()
{
	name=$1
	shift
	if output=$("$@" -fsyntax-only -pedantic -Wall -Wextra -Werror -I"$header" "$source" 2>&1)
	then echo "ok $name"
	else echo "not ok $name"; echo "$output" | sed 's/^/# /'
	fi
}

check "1 - C99" ${CC:-cc} -x c -std=c99
cxx=${CXX:-c++}
if command -v ${cxx%% *} >/dev/null 2>&1
then check "2 - C++" $cxx -x c++ -std=c++98 -Wno-long-long
else echo "ok 2 - C++ # SKIP no $cxx"
fi
