#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The shared library exports what the map lists, the map lists what the header
# declares, and the static library claims no names but ours.
echo 1..3
top=${srcdir:-.}
nm=${NM:-nm}

compare()
{
	if test "$2" = "$3"; then
		echo "ok $1"
	else
		echo "not ok $1"
		printf '%s\n' "want:" "$2" "have:" "$3" | sed 's/^/# /'
	fi
}

map=$(sed -n 's/^[[:blank:]]*\(pagecodec_[a-z0-9_]*\);$/\1/p' "$top/lib/pagecodec.map" | sort)
# A declaration may break the line before the name; it never does behind it.
header=$(sed -n 's/^\(PAGECODEC_API.*[ *]\)\{0,1\}\(pagecodec_[a-z0-9_]*\)(.*/\2/p' \
	"$top/include/pagecodec.h" | sort)
compare "1 - the map lists what the header declares" "$header" "$map"

so=lib/.libs/libpagecodec.so
if test -e "$so"; then
	have=$($nm -D --defined-only "$so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort)
	compare "2 - the shared library exports what the map lists" "$map" "$have"
else
	echo "ok 2 - exports # SKIP no shared library in this build"
fi

# Sanitizers and coverage add names with two underscores.
archive=lib/.libs/libpagecodec.a
if test -e "$archive"; then
	other=$($nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' |
		grep -v '^pagecodec_\|^pgc_\|^__' | sort)
	compare "3 - the static library defines pagecodec_ and pgc_ only" "" "$other"
else
	echo "ok 3 - names # SKIP no static library in this build"
fi
