#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# test_program_recompress.sh - pagecodec recompress by its command line: every codec there and
# back, wrong calls, damage, a full disk, an end by signal.  With PAGECODEC_SHARED, the
# files there too.

. "${srcdir:-.}/tests/tap.sh"
snappy=$data/duck_line_snappy_V1.parquet
nulls=$data/rs_nulls_SNAPPY_V2.parquet
out=$work/folder/out
mkdir "$work/folder"
names='UNCOMPRESSED SNAPPY GZIP LZO BROTLI LZ4 ZSTD LZ4_RAW'
codecs=
for name in $names; do
	codec $name && codecs="$codecs $name"
done

# Is there nothing beside OUT, nor OUT itself?
is_empty()
{
	[ -z "$(ls -A "$work/folder")" ]
}

# refused STATUS WORDS ARGUMENT...: one line with these words, and nothing written
refused()
{
	refused_status=$1 refused_words=$2
	shift 2
	run "$refused_status" recompress "$@" && complains "$refused_words" && is_one_line && is_empty
}

run 0 recompress --help && says '^Usage: pagecodec recompress' && says '--page-crc add'
result 'help'
run 2 recompress && complains 'IN and OUT' && run 2 recompress "$snappy" && complains 'IN and OUT' &&
	run 2 recompress "$snappy" "$out" more && run 2 recompress "$snappy" "$out" --codec &&
	run 2 recompress --pages "$snappy" "$out" && run 2 recompress --force=yes "$snappy" "$out" &&
	is_empty
result 'wrong calls'
refused 2 "^pagecodec: recompress: there is no codec 'nothing'" "$snappy" "$out" --codec nothing &&
	refused 2 'no codec of Parquet' "$snappy" "$out" --codec arrow_zstd &&
	refused 2 "no codec 'nothing'" "$snappy" "$out" --column l_orderkey=nothing
result 'codecs that are none'
refused 2 "no column 'nothing'" "$snappy" "$out" --column nothing=snappy &&
	refused 2 "no column ''" "$snappy" "$out" --column =snappy &&
	refused 2 "no column 'l_orderkey.'" "$snappy" "$out" --column l_orderkey.=snappy &&
	refused 2 "'l_orderkey'" "$snappy" "$out" --column l_orderkey
result 'columns that are none'
refused 2 'SNAPPY has no levels' "$snappy" "$out" --codec snappy --level 1 &&
	refused 2 'SNAPPY has no levels' "$snappy" "$out" --level 1 &&
	refused 2 'SNAPPY has no levels' "$snappy" "$out" --column l_orderkey=snappy:1 &&
	refused 2 "'1x'" "$snappy" "$out" --codec snappy --level 1x &&
	refused 2 "''" "$snappy" "$out" --level= &&
	refused 2 "'99999999999'" "$snappy" "$out" --level 99999999999
result 'levels that are none'
for pair in GZIP:13 GZIP:-1 BROTLI:12 ZSTD:23 ZSTD:-131073 LZ4:13 LZ4_RAW:-101; do
	codec ${pair%:*} || continue
	refused 2 "${pair%:*} has levels .*, not ${pair#*:}" "$snappy" "$out" \
		--codec ${pair%:*} --level ${pair#*:} &&
		refused 2 "column l_tax: ${pair%:*} has levels" "$snappy" "$out" --column l_tax=$pair ||
		break
done
result 'levels out of range'
for threads in 0 many 1025; do
	refused 2 "^pagecodec: recompress: --threads takes 1 to 1024, not '$threads'" \
		"$snappy" "$out" --threads $threads || break
done && refused 2 "--page-crc takes keep, add or drop, not 'sometimes'" \
	"$snappy" "$out" --page-crc sometimes &&
	refused 2 'read back' "$snappy" - --verify
result 'other options out of range'
refused 2 'No such file' "$work/absent" "$out" && refused 2 'directory' "$work" "$out" &&
	refused 2 'not a Parquet file' "$program" "$out" &&
	refused 2 'No such file' "$snappy" "$work/absent/out" && refused 2 'directory' "$snappy" "$work"
result 'files that are none'
for name in $names; do
	codec $name || { refused 3 'not in this build' "$snappy" "$out" --codec $name || break; }
done
result 'codecs that are not in this build'

run 0 recompress "$snappy" "$out" --codec=uncompressed && [ ! -s "$work/err" ] &&
	says '/out: 22 column chunks, 30 pages; 144.2 KiB before, .* after, ratio 0\.[0-9]*; .* s, ' &&
	run 0 verify "$out" && run 2 recompress "$snappy" "$out" && complains 'exists; --force' &&
	is_one_line && run 0 inspect "$out" && says '^  l_orderkey  *UNCOMPRESSED '
result 'summary; an output that exists'
cp "$out" "$work/plain"
run 0 recompress "$snappy" "$out" --force --verify && says 'every page compared' &&
	run 0 inspect "$out" && says '^  l_orderkey  *SNAPPY ' && cmp "$snappy" "$out" >"$work/err"
result 'force; without a codec pages are copied'
run 2 recompress "$out" "$out" --codec uncompressed && complains 'file to be read; --force' &&
	cmp "$snappy" "$out" >"$work/err" && run 0 recompress "$out" "$out" --codec uncompressed --force &&
	cmp "$work/plain" "$out" >"$work/err"
result 'in place'
run 0 recompress "$work/plain" "$out" --force --codec snappy --column l_tax=uncompressed \
	--column 'l_comment=Snappy' && run 0 inspect "$out" && says '^  l_orderkey  *SNAPPY ' &&
	says '^  l_tax  *UNCOMPRESSED ' && says '^  l_comment  *SNAPPY '
result 'codec per column'
if codec ZSTD && codec GZIP; then
	run 0 recompress "$work/plain" "$work/high" --codec zstd --level 19 --column l_tax=gzip:1 &&
		run 0 recompress "$work/plain" "$work/low" --codec zstd --level -50 &&
		[ "$(wc -c <"$work/high")" -lt "$(wc -c <"$work/low")" ] &&
		run 0 recompress "$work/high" "$work/low" --force --level 1 && run 0 inspect "$work/low" &&
		says '^  l_tax  *GZIP ' && says '^  l_orderkey  *ZSTD '
	result 'levels'
else
	skip 'levels' 'no ZSTD or GZIP'
fi
for threads in 1 2 5; do
	run 0 recompress "$snappy" "$work/threads$threads" --codec uncompressed --threads $threads
done
cmp "$work/plain" "$work/threads1" && cmp "$work/plain" "$work/threads2" &&
	cmp "$work/plain" "$work/threads5"
result 'threads write the same'
if python3 -c 'import json' 2>/dev/null; then
	run 0 recompress "$snappy" "$out" --force --json --codec uncompressed --verify &&
		python3 - "$work/out" "$snappy" "$out" <<'END_OF_PROGRAM' >"$work/err" 2>&1
import json, os, sys
said = json.load(open(sys.argv[1]))
assert said["in"] == sys.argv[2] and said["out"] == sys.argv[3]
assert said["before"] == os.path.getsize(sys.argv[2])
assert said["after"] == os.path.getsize(sys.argv[3])
assert abs(said["ratio"] - said["before"] / said["after"]) < 1e-5
assert said["column_chunks"] == 22 and said["pages"] == 30 and said["left_out"] == 0
assert said["is_verified"] is True and said["seconds"] > 0 and said["mb_per_second"] > 0
END_OF_PROGRAM
	result 'summary as JSON'
else
	skip 'summary as JSON' 'no python3'
fi

"$program" recompress "$snappy" - --codec uncompressed 2>"$work/err" | cat >"$work/out"
complains '^-: 22 column chunks' && cmp "$work/plain" "$work/out" &&
	"$program" recompress "$snappy" - --codec uncompressed >"$work/out" 2>"$work/err" &&
	cmp "$work/plain" "$work/out"
result 'standard output'
echo before >"$work/out"
"$program" recompress "$snappy" - >>"$work/out" 2>"$work/err"
[ $? -eq 2 ] && complains 'would not begin' && [ "$(cat "$work/out")" = before ] &&
	cp "$snappy" "$work/copy" && { "$program" recompress "$work/copy" - 1<>"$work/copy" 2>"$work/err"
	[ $? -eq 2 ]; } && complains 'file to be read' && cmp "$snappy" "$work/copy"
result 'standard output where it cannot work'
if [ -c /dev/full ]; then
	run 2 recompress "$snappy" /dev/full && complains '/dev/full: No space left' && is_one_line &&
		[ -c /dev/full ]
	result 'full device'
else
	skip 'full device' 'no /dev/full'
fi
# A file system with 64 KiB left, if one can be mounted here.
mkdir "$work/small"
if unshare -m sh -c "mount -t tmpfs -o size=64k none '$work/small'" 2>/dev/null; then
	unshare -m sh -c "mount -t tmpfs -o size=64k none '$work/small' &&
		'$program' recompress '$snappy' '$work/small/out' 2>'$work/err'
		[ \$? -eq 2 ] && [ -z \"\$(ls -A '$work/small')\" ]" && complains 'small/out: No space left'
	result 'full disk'
else
	skip 'full disk' 'no file system can be mounted'
fi
rm -f "$out"
(
	trap '' XFSZ
	ulimit -f 64
	run 2 recompress "$snappy" "$out"
) && complains '/out: File too large' && is_one_line && is_empty
result 'a file that may not grow'
if [ "$(id -u)" -ne 0 ]; then
	chmod u-w "$work/folder"
	refused 2 'Permission denied' "$snappy" "$out"
	result 'a folder that must not be written to'
	chmod u+w "$work/folder"
fi

# Page 0 of column id begins at 4, its first tag lies at 23; its codec at 3670.
patch "$nulls" 3670 '\052' && refused 3 'UNKNOWN_CODEC' "$work/bad" "$out" --codec snappy &&
	run 0 recompress "$work/bad" "$out" --verify && cmp "$work/bad" "$out" >"$work/err"
result 'pages of a codec that is none can be copied'
rm -f "$out"
patch "$nulls" 23 '\1' && refused 1 'column id, page 0 (DICTIONARY_PAGE) at offset 4: CORRUPT' \
	"$work/bad" "$out" --codec snappy &&
	refused 1 'column id, page 0' "$work/bad" "$out" --codec snappy --threads 4 &&
	run 0 recompress "$work/bad" "$out" && cmp "$work/bad" "$out" >"$work/err"
result 'a damaged page'
rm -f "$out"
run 0 recompress "$snappy" "$work/crc" --page-crc add && run 0 inspect --pages "$work/crc" &&
	says ' ok$' && run 0 verify "$work/crc" &&
	patch "$work/crc" 200 '\377\0\377' && refused 1 'CHECKSUM_MISMATCH' "$work/bad" "$out" &&
	refused 1 'CHECKSUM_MISMATCH' "$work/bad" "$out" --page-crc drop &&
	run 0 recompress "$work/bad" "$out" --no-check && run 0 recompress "$work/crc" "$out" --force \
	--page-crc drop && cmp "$snappy" "$out" >"$work/err"
result 'page CRCs are added, checked, dropped'
rm -f "$out"

# Ended at many moments: IN is whole, OUT is absent or whole, and nothing else is there.
# A signal may come before the program has begun, when a shell's traps are still set in its
# child: they would swallow it, or remove the folder.
trap - TERM EXIT
cp "$snappy" "$work/in"
slow='--codec uncompressed'
codec BROTLI && slow='--codec brotli --level 11'
codec ZSTD && slow='--codec zstd --level 22'
rounds=20
[ -n "$TESTS_SHORT" ] && rounds=5

# ended SIGNAL ROUND IN OUT: the status of a run that gets the signal after a while
ended()
{
	"$program" recompress --force "$3" "$4" $slow >/dev/null 2>&1 &
	i=0
	while [ $i -lt $(($2 * $2 * 250)) ]; do i=$((i + 1)); done
	kill -$1 $!
	wait $!
}

for signal in KILL TERM; do
	bad=0 count_ended=0
	for round in $(seq $rounds); do
		ended $signal $round "$work/in" "$out"
		[ $? -gt 128 ] && count_ended=$((count_ended + 1))
		cmp "$snappy" "$work/in" || bad=1
		if [ -f "$out" ]; then
			run 0 verify "$out" || bad=1
			rm "$out"
		fi
		[ $signal = TERM ] || rm -f "$work"/folder/.out.*.tmp
		is_empty || bad=1
	done 2>/dev/null
	echo "# ended early: $count_ended of $rounds"
	[ $bad -eq 0 ]
	result "ended by SIG$signal"
done
bad=0
for round in $(seq $rounds); do
	ended KILL $round "$work/in" "$work/in"
	run 0 verify "$work/in" || bad=1
	rm -f "$work"/.in.*.tmp
done 2>/dev/null
[ $bad -eq 0 ]
result 'ended while a file is replaced'
set_traps

# there FILE: to every codec and back to SNAPPY, which then is what it is at once
there()
{
	run 0 recompress "$1" "$work/want" --codec snappy --force || return
	for there_codec in $codecs; do
		run 0 recompress "$1" "$work/there" --codec $there_codec --force --verify &&
			run 0 verify "$work/there" &&
			run 0 recompress "$work/there" "$work/back" --codec snappy --force &&
			cmp "$work/want" "$work/back" >"$work/err" 2>&1 || {
			echo "# $there_codec"
			return 1
		}
	done
}

for file in "$snappy" "$nulls" "$PAGECODEC_SHARED"/data/parquet/*.parquet \
	"$PAGECODEC_SHARED"/data/clients/*.parquet; do
	[ -f "$file" ] || continue
	name="every codec: ${file##*/}"
	"$program" verify "$file" >"$work/out" 2>"$work/err"
	case $? in
	0)
		there "$file"
		result "$name"
		;;
	1)
		refused 1 'CHECKSUM_MISMATCH' "$file" "$out" --codec snappy &&
			run 0 recompress "$file" "$out" --codec snappy --no-check && run 0 verify "$out"
		result "$name"
		rm -f "$out"
		;;
	*) skip "$name" "$(tail -n 1 "$work/out")" ;;
	esac
done
[ -d "$PAGECODEC_SHARED" ] || skip 'shared files' 'PAGECODEC_SHARED is not set'
echo "1..$count"
