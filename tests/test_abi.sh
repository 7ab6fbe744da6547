#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# test_abi.sh - what programs are linked against is what tests/abi/x86-64.txt lists: names,
# versions, soname, declarations, numbers, layouts.  With --list, print such a list.

LC_ALL=C
export LC_ALL
top=${srcdir:-.}
header=$top/include/pagecodec.h
so=lib/.libs/libpagecodec.so
archive=lib/.libs/libpagecodec.a
readelf=${READELF:-readelf}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# Each on one line, single spaces; a declaration may break anywhere.
declarations()
{
	sed 's|/\*.*\*/||' "$header" | awk '
		/^PAGECODEC_API/ { on = 1; text = "" }
		on { text = text " " $0 }
		on && /;/ { sub(/.*PAGECODEC_API/, "declare", text); gsub(/[ \t]+/, " ", text); print text; on = 0 }' |
		sort
}

enumerators()
{
	sed -n 's/^[[:blank:]]*\(PAGECODEC_[A-Z0-9_]*\) = \([0-9]*\).*/enum \1 \2/p' "$header"
}

exports()
{
	$readelf -W --dyn-syms "$so" |
		awk '$4 == "FUNC" && $7 != "UND" { print "export", $8 }' | sort
	$readelf -d "$so" | sed -n 's/.*(SONAME).*\[\(.*\)\].*/soname \1/p'
}

# Fails with 77 on another architecture.
layouts()
{
	# Of another machine, it could not be run here.
	case $(${CC:-cc} -dumpmachine) in
	x86_64-*) ;;
	*) return 77 ;;
	esac
	${CC:-cc} -I"$top/include" "$top/tests/abi/layout.c" -o "$work/layout" && "$work/layout"
}

if [ "$1" = --list ]; then
	echo '# What test_abi.sh compares: the ABI on x86-64 (LP64).  make abi-update writes it.'
	exports
	declarations
	enumerators
	layouts
	exit
fi

# compare NUMBER NAME WANT HAVE: two files, line by line
compare()
{
	if diff "$3" "$4" >"$work/diff"; then
		echo "ok $1 - $2"
	else
		echo "not ok $1 - $2"
		sed 's/^/# /' "$work/diff"
	fi
}

# listed WORD...: these lines of the list
listed()
{
	for word; do
		grep "^$word " "$top/tests/abi/x86-64.txt"
	done
}

echo 1..6
sed -n 's/^[[:blank:]]*\(pagecodec_[a-z0-9_]*\);$/\1/p' "$top/lib/pagecodec.map" | sort >"$work/map"
declarations | sed 's/ \{0,1\}(.*//; s/.*[ *]//' | sort >"$work/names"
compare 1 'the map lists what the header declares' "$work/names" "$work/map"

declarations >"$work/have"
listed declare >"$work/want"
compare 2 'declarations' "$work/want" "$work/have"
enumerators >"$work/have"
listed enum >"$work/want"
compare 3 'enumerators' "$work/want" "$work/have"

if ! [ -e "$so" ] || ! command -v "$readelf" >/dev/null; then
	echo 'ok 4 - exports and soname # SKIP no ELF shared library in this build, or no readelf'
else
	exports >"$work/have"
	listed export soname >"$work/want"
	compare 4 'exports and soname' "$work/want" "$work/have"
fi

layouts >"$work/have" 2>"$work/errors"
case $? in
0)
	listed layout >"$work/want"
	compare 5 'layouts' "$work/want" "$work/have"
	;;
77) echo 'ok 5 - layouts # SKIP not x86-64' ;;
*)
	echo 'not ok 5 - layouts'
	sed 's/^/# /' "$work/errors"
	;;
esac

# Sanitizers and coverage add names with two underscores.
if [ -e "$archive" ]; then
	: >"$work/want"
	${NM:-nm} -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' |
		grep -v '^pagecodec_\|^pgc_\|^__' >"$work/have"
	compare 6 'the static library defines pagecodec_ and pgc_ only' "$work/want" "$work/have"
else
	echo 'ok 6 - names # SKIP no static library in this build'
fi
