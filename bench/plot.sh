#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# plot.sh - two SVGs from bench_page's CSV, by gnuplot
#
# usage: plot.sh FOLDER CSV...
# tradeoff.svg: ratio against speed of pages of 64 KiB, a line for each codec, a
# point for each level.  overhead.svg: our speed relative to the bare library's over
# page size, at the default level.  Points are geometric means over the kinds of
# pages.  The CSVs are bench_page's: of all sizes, and with --full --size 64K.
set -eu

: "${2:?usage: plot.sh FOLDER CSV...}"
folder=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Our default engines' lines to files named FIGURE.WAY.CODEC.  CSV columns: 1 codec,
# 2 level, 4 page size, 6 contestant, 7 role, 9 way, 10 ratio, 15 MB/s, 16 of bare.
awk -F, -v work="$work" '
BEGIN {
	normal["GZIP"] = 6; normal["BROTLI"] = 5
	normal["ZSTD"] = normal["ARROW_ZSTD"] = 3
	normal["LZ4_RAW"] = normal["LZ4"] = normal["ARROW_LZ4_FRAME"] = 1
}
$7 != "ours" || $6 ~ / (zlib|libsnappy)$/ || $1 == "UNCOMPRESSED" { next }
$4 >= 65536 && $4 < 66560 && $1 !~ /^(ARROW_.*|LZ4|LZO)$/ {
	key = $9 "." $1 "," $2
	speed[key] += log($15); ratio[key] += log($10); points[key]++
}
$2 == normal[$1] + 0 {
	key = $9 "." $1 "," $4
	of_bare[key] += log($16); sizes[key]++
}
END {
	for (key in points) {
		split(key, part, ",")
		print part[2], exp(speed[key] / points[key]), exp(ratio[key] / points[key]) \
			>(work "/tradeoff." part[1])
	}
	for (key in sizes) {
		split(key, part, ",")
		print part[2] / 1024, exp(of_bare[key] / sizes[key]) >(work "/overhead." part[1])
	}
}' "$@"
for file in "$work"/*; do
	sort -n -o "$file" "$file"
done

# The codecs that have a figure, in one string.
codecs() {
	for codec in SNAPPY LZ4_RAW LZ4 ARROW_LZ4_FRAME LZO ZSTD ARROW_ZSTD GZIP BROTLI; do
		if [ -e "$work/$1.compress.$codec" ]; then
			echo "$codec"
		fi
	done | tr '\n' ' '
}

gnuplot <<END
set terminal svg size 960,420 font "sans,11" background rgb "white"
set grid
set style data linespoints
set pointsize 0.6
set colorsequence podo
name(codec) = system("echo ".codec." | tr _ ' '")

set output "$folder/tradeoff.svg"
set multiplot layout 1,2
set ylabel "plain size / compressed size"
set logscale x
set offsets graph 0.05, graph 0.05, graph 0.08, graph 0.02
do for [way in "compress decompress"] {
	set xlabel way.", MB/s of one core"
	if (way eq "compress") { set key top right } else { unset key }
	plot for [codec in "$(codecs tradeoff)"] "$work/tradeoff.".way.".".codec \
		using 2:3 pointtype 7 title name(codec), \
	     for [codec in "$(codecs tradeoff)"] "$work/tradeoff.".way.".".codec \
		using 2:3:(\$1 == 0 ? "" : sprintf("%d", \$1)) with labels offset 0,-0.8 font "sans,8" notitle
}
unset multiplot

set output "$folder/overhead.svg"
set multiplot layout 1,2
set ylabel "speed; the bare library with kept state: 1"
set xlabel "page, KiB"
set logscale x 2
set yrange [0.8:*]
do for [way in "compress decompress"] {
	set title way
	if (way eq "compress") { unset key } else { set key center right }
	plot for [codec in "$(codecs overhead)"] "$work/overhead.".way.".".codec \
		using 1:2 pointtype 7 title name(codec)
}
unset multiplot
END
echo "$folder/tradeoff.svg $folder/overhead.svg"
