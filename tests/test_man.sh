#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# test_man.sh - the man pages know every function, status, option field and codec of the
# header and every command and option of --help, no others, and are well-formed.

LC_ALL=C
export LC_ALL
top=${srcdir:-.}
header=$top/include/pagecodec.h
page3=$top/man/pagecodec.3
page1=$top/man/pagecodec.1
program=${PAGECODEC:-./pagecodec}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# same NUMBER NAME: are $work/want and $work/have the same sets of lines?
same()
{
	sort -u "$work/want" >"$work/want.sorted"
	sort -u "$work/have" >"$work/have.sorted"
	if [ -s "$work/want.sorted" ] && diff "$work/want.sorted" "$work/have.sorted" >"$work/diff"; then
		echo "ok $1 - $2"
	else
		echo "not ok $1 - $2"
		sed 's/^/# /' "$work/diff"
	fi
}

# silent NUMBER NAME COMMAND...: a checker that the machine has finds nothing
silent()
{
	silent_name="$1 - $2"
	shift 2
	if ! command -v "$1" >/dev/null; then
		echo "ok $silent_name # SKIP no $1"
	elif "$@" >"$work/out" 2>&1 && ! [ -s "$work/out" ]; then
		echo "ok $silent_name"
	else
		echo "not ok $silent_name"
		sed 's/^/# /' "$work/out"
	fi
}

echo 1..9
sed -n 's/^[[:blank:]]*\(pagecodec_[a-z0-9_]*\);$/\1/p' "$top/lib/pagecodec.map" >"$work/want"
sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/s/^\.F[no] \(pagecodec_[a-z0-9_]*\).*/\1/p' "$page3" >"$work/have"
same 1 'the synopsis has every function'
sed -n '/^\.Sh DESCRIPTION/,$s/^\.Fn \(pagecodec_[a-z0-9_]*\).*/\1/p' "$page3" >"$work/have"
same 2 'every function is described'
sed -n 's/^[[:blank:]]\(PAGECODEC_[A-Z0-9_]*\) = \([0-9]*\).*/\1/p' "$header" >"$work/want"
sed -n 's/^\.It Dv \(PAGECODEC_[A-Z0-9_]*\).*/\1/p; s/^\.Dv \(PAGECODEC_OK\).*/\1/p' "$page3" >"$work/have"
same 3 'every codec and status'
# Fields of the structs that the caller fills in or reads: of what stands between commas,
# and of a function pointer's name, the last word.
awk '/^struct pagecodec_[a-z_]*(options|page|memory|error) \{/ { on = 1; next }
	/^};/ { on = 0 }
	{ sub(/^[ \t]*\/?\*.*|\/\*.*/, ""); sub(/\[.*\]/, ""); sub(/\)\(.*\);/, ";"); gsub(/[*(]/, " ") }
	on && sub(/;.*/, "") {
		count = split($0, parts, ",")
		for (i = 1; i <= count; i++) { words = split(parts[i], word, " "); print word[words] }
	}' "$header" >"$work/want"
sed -n 's/^\.\(It \)\{0,1\}V[at] //p' "$page3" | tr ' ,' '\n\n' | grep -Fx -f "$work/want" >"$work/have"
same 4 'every field of a struct'

if ! [ -x "$program" ]; then
	for number in 5 6 7; do
		echo "ok $number - pagecodec(1) # SKIP the program is not built"
	done
else
	"$program" --help | sed -n 's/^  pagecodec \([a-z]*\) .*/\1/p' >"$work/want"
	sed -n 's/^\.Ss \([a-z]*\)$/\1/p' "$page1" >"$work/have"
	same 5 'every command'
	for command in $(cat "$work/want"); do
		"$program" "$command" --help | grep -o -e ' \[\{0,1\}--[a-z][a-z-]*' |
			sed "s/.*--/$command --/"
	done >"$work/options"
	cp "$work/options" "$work/want"
	awk '/^\.S[hs]/ { command = $2 } /^\.It Fl -/ { print command, "-" $3 }' "$page1" |
		grep -v '^Without' >"$work/have"
	same 6 'every option is described at its command'
	awk '/^\.Sh DESCRIPTION/ { exit } /^\.Cm/ { command = $2 } /^\.Op Fl -/ { print command, "-" $3 }' \
		"$page1" >"$work/have"
	same 7 'the synopsis has every option'
fi

silent 8 'mandoc finds nothing' mandoc -T lint -W warning "$page1" "$page3"
silent 9 'groff finds nothing' groff -mdoc -ww -z -Tutf8 "$page1" "$page3"
