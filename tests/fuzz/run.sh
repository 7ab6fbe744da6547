#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SECONDS TARGET...: fuzz with each in turn, from a copy of its corpus to which
# it adds.  What it finds is written beside that copy, and makes the exit status 1.
seconds=$1 status=0
shift
for target; do
	name=${target##*/fuzz_}
	corpus=fuzz-corpus/$name
	mkdir -p "$corpus" || exit
	cp -f "$srcdir/tests/fuzz/corpus/$name"/* "$corpus" || exit
	case $name in
	decompress | page) dict=codecs ;;
	arrow | parquet) dict=$name ;;
	*) dict= ;;
	esac
	echo "$name: $seconds s, $corpus"
	# Standard error is libFuzzer's and the sanitizers' alone.
	"$target" -max_total_time="$seconds" -rss_limit_mb=2048 -close_fd_mask=3 \
		-artifact_prefix="fuzz-corpus/$name-" -print_final_stats=1 \
		${dict:+-dict="$srcdir/tests/fuzz/$dict.dict"} "$corpus" >fuzz-corpus/"$name".log 2>&1
	if [ $? -ne 0 ]; then
		status=1
		grep -A 40 -e 'ERROR:' -e 'runtime error:' fuzz-corpus/"$name".log
	fi
	grep -e '^stat::number' -e '^stat::average' fuzz-corpus/"$name".log
done
exit $status
