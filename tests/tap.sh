# SPDX-License-Identifier: Apache-2.0
#
# tap.sh - what the tests of the program's command line share: lines of TAP, a folder
# $work that goes away, and what the program said

LC_ALL=C
export LC_ALL
program=${PAGECODEC:-./pagecodec}
data=${srcdir:-.}/tests/data
work=$(mktemp -d) || exit 99
count=0

set_traps()
{
	trap 'rm -rf "$work"' EXIT
	trap 'exit 99' HUP INT TERM
}
set_traps

# result NAME: a line of TAP, by the status of the command before.
result()
{
	result_status=$?
	count=$((count + 1))
	if [ $result_status -eq 0 ]; then
		echo "ok $count $1"
	else
		echo "not ok $count $1"
		sed 's/^/# /' "$work/out" "$work/err" | head -20
	fi
}

skip()
{
	count=$((count + 1))
	echo "ok $count $1 # SKIP $2"
}

# run STATUS ARGUMENT...: does the program end with this status?
run()
{
	run_want=$1
	shift
	"$program" "$@" >"$work/out" 2>"$work/err"
	run_got=$?
	[ $run_got -eq "$run_want" ] || {
		echo "# status $run_got instead of $run_want: $*"
		return 1
	}
}

says()
{
	grep -q -e "$1" "$work/out"
}

complains()
{
	grep -q -e "$1" "$work/err"
}

is_one_line()
{
	[ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ]
}

# patch FROM OFFSET BYTES: a copy in $work/bad with these bytes (printf's octal) there.
patch()
{
	[ "$1" = "$work/bad" ] || cp "$1" "$work/bad"
	chmod u+w "$work/bad"
	printf "$3" | dd of="$work/bad" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# codec NAME: is it in this build?
codec()
{
	"$program" --version | grep -Eq "^codecs:.* $1( |\$)"
}
