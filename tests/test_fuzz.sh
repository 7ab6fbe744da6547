#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Replays each fuzz target's corpus, which is in the folder of the target's name.
# EMULATOR: what runs programs of another machine, as make check-cross sets it.
set -- "$srcdir"/tests/fuzz/corpus/*
echo "1..$#"
n=0
for corpus; do
	n=$((n + 1))
	name=${corpus##*/}
	if [ ! -x tests/fuzz/fuzz_"$name" ]; then
		echo "ok $n - fuzz_$name # SKIP not in this build"
		continue
	fi
	# libFuzzer, where that is the target's main, takes -runs=0 for a replay.
	flag=$FUZZ_REPLAY_FLAG
	if $EMULATOR tests/fuzz/fuzz_"$name" $flag "$corpus" >fuzz_"$name".log 2>&1; then
		echo "ok $n - fuzz_$name"
		rm -f fuzz_"$name".log
	else
		echo "not ok $n - fuzz_$name"
		tail -n 60 fuzz_"$name".log | sed 's/^/# /'
	fi
done
