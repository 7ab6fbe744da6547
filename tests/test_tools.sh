#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# test_tools.sh - the program pagecodec by its command line: exit statuses, what it
# says, damaged files made from sound ones.  With PAGECODEC_SHARED, the files there too.

. "${srcdir:-.}/tests/tap.sh"
snappy=$data/duck_line_snappy_V1.parquet
nulls=$data/rs_nulls_SNAPPY_V2.parquet
stream=$data/ch_line_zstd_arrowcpp.arrows

# le32 NUMBER and le64: little-endian, for printf.
le32()
{
	printf '\\%03o\\%03o\\%03o\\%03o' $(($1 & 255)) $(($1 >> 8 & 255)) \
		$(($1 >> 16 & 255)) $(($1 >> 24 & 255))
}

le64()
{
	printf '%s\\0\\0\\0\\0' "$(le32 "$1")"
}

run 0 --help && says 'pagecodec inspect' && says 'pagecodec verify' &&
	says 'pagecodec roundtrip' && says 'pagecodec arrow' && [ ! -s "$work/err" ]
result 'help names the commands'
run 0 --version && says '^pagecodec [0-9]' && says 'SNAPPY'
result 'version and codecs'
cp "$work/out" "$work/version"
run 0 verify --help && says '^Usage: pagecodec verify'
result 'help on a command'
run 2 && complains 'command' && run 2 nothing && complains "'nothing'" &&
	run 2 verify && complains 'FILE' && run 2 verify --nothing "$nulls" &&
	complains "^pagecodec: verify takes no option '--nothing'" &&
	complains "^Try 'pagecodec verify --help'" && run 2 inspect "$nulls" "$nulls" && [ ! -s "$work/out" ]
result 'wrong calls'

run 0 verify "$snappy" "$nulls" && says 'snappy_V1.parquet: sound: 22 column chunks, 30 pages' &&
	says 'SNAPPY_V2.parquet: sound: 4 column chunks, 8 pages' && [ ! -s "$work/err" ]
result 'verify sound files'
run 0 inspect "$snappy" && says '^  l_orderkey  *SNAPPY  *1  *16807  *4439  *3.79  PLAIN$' &&
	says '2100 rows, 1 row group, 22 columns' && says '^30 pages'
result 'inspect'
run 0 inspect --pages "$nulls" &&
	says '^ *0 *4  DICTIONARY_PAGE *PLAIN *600 *4800 *2411 *yes *none$' &&
	says '^ *1 *2432  DATA_PAGE_V2 *RLE_DICTIONARY *600 *756 *756 *no *none$'
result 'inspect --pages'
run 0 roundtrip "$snappy" && says 'all 30 pages came back identical' &&
	says '^SNAPPY ' && { ! codec ZSTD || says '^ZSTD '; } && says '^UNCOMPRESSED .* 30 '
result 'roundtrip V1'
run 0 roundtrip "$nulls" && says 'all 8 pages came back identical'
result 'roundtrip V2 with empty pages'

run 0 bench "$nulls" && says '^UNCOMPRESSED  *- ' && says '^SNAPPY  *- ' && says 'best for'
result 'bench has a row for each codec and level'
run 0 bench --column id "$nulls" && says 'column id: 2 of 2 pages'
result 'bench --column'
run 2 bench --column nothing "$nulls" && complains "no column 'nothing'" && is_one_line
result 'bench --column of a column that is not there'
run 2 bench "$nulls" --column && complains '--column needs a value'
result 'bench --column without a path'
patch "$snappy" 100 '\377\377\377\377\377\377\377\377' && run 1 bench "$work/bad" && says '^SNAPPY  *- '
result 'bench of a damaged file measures the rest'

# Column and file names that would break a careless writer of JSON.
patch "$nulls" 3607 '\377"' && cp "$work/bad" "$work/a \"b\".parquet"
if python3 -c 'import json' 2>/dev/null; then
	run 0 inspect --json "$snappy" && python3 - "$work/out" <<'END' >"$work/err" 2>&1
import json, sys
file = json.load(open(sys.argv[1], encoding="utf-8"))
column = file["row_groups"][0]["columns"][0]
assert file["num_rows"] == 2100 and len(file["row_groups"][0]["columns"]) == 22
assert column["path"] == "l_orderkey" and column["codec"] == "SNAPPY"
assert column["page_count"] == 1 and column["compressed_size"] == 4439
assert "pages" not in column
END
	result 'inspect --json'
	run 0 inspect --json --pages "$work/a \"b\".parquet" &&
		python3 - "$work/out" <<'END' >"$work/err" 2>&1
import json, sys
file = json.load(open(sys.argv[1], encoding="utf-8"))
column = file["row_groups"][0]["columns"][0]
assert file["file"].endswith('a "b".parquet') and column["path"] == "\ufffd\""
assert [page["type"] for page in column["pages"]] == ["DICTIONARY_PAGE", "DATA_PAGE_V2"]
assert column["pages"][1]["is_compressed"] is False
END
	result 'inspect --json --pages with names that are not UTF-8'
	run 0 bench --json --column sparse "$nulls" && python3 - "$work/out" <<'END' >"$work/err" 2>&1
import json, sys
bench = json.load(open(sys.argv[1], encoding="utf-8"))
assert bench["column"] == "sparse"
assert bench["page_count"] == bench["file_page_count"] > 0
points = bench["results"]
assert len({(point["codec"], point.get("level")) for point in points}) == len(points)
for point in points:
    if point["codec"] == "UNCOMPRESSED":
        assert point["compressed_size"] == bench["uncompressed_size"]
for key in ("is_best_for_writing", "is_best_for_reading"):
    assert any(point[key] for point in points)
END
	result 'bench --json'
else
	skip 'inspect --json' 'no python3'
	skip 'inspect --json --pages with names that are not UTF-8' 'no python3'
	skip 'bench --json' 'no python3'
fi

# Page 0 of column id begins at 4, its first tag lies at 23; that of sparse at 3306 and 3321.
patch "$nulls" 23 '\1' && run 1 verify "$work/bad" && says '8 pages.* 1 fault$' &&
	complains 'column id, page 0 (DICTIONARY_PAGE) at offset 4: CORRUPT: SNAPPY' &&
	patch "$work/bad" 3321 '\1' && run 1 verify "$work/bad" && says 'damaged: .* 2 faults$' &&
	complains 'column sparse, page 0 (DICTIONARY_PAGE) at offset 3306: CORRUPT'
result 'a damaged page is named, the others are verified'
run 1 roundtrip "$work/bad" && says '6 of 8 pages came back identical'
result 'roundtrip of a damaged file'
patch "$nulls" 4 '\0' && run 1 verify "$work/bad" && says '6 pages.* 1 fault$' &&
	complains 'column id, page 0 at offset 4: its header is damaged' &&
	run 1 inspect "$work/bad" && complains 'its header is damaged'
result 'a damaged page header'
patch "$nulls" 3670 '\052' && run 3 verify "$work/bad" &&
	says 'not all checked: .* 2 pages not checked' && [ ! -s "$work/err" ] &&
	run 0 inspect "$work/bad" && says '^  id  *21  *2 '
result 'a codec that is none'
cp "$work/bad" "$work/unknown"

patch "$nulls" 4474 PARE && run 2 verify "$work/bad" && complains 'encrypted' && is_one_line
result 'an encrypted footer'
patch "$nulls" 4474 PAR2 && run 2 verify "$work/bad" && is_one_line &&
	run 2 inspect "$work/bad" && is_one_line && run 2 roundtrip "$work/bad" && is_one_line
result 'not a Parquet file'
patch "$nulls" 0 PAR2 && run 2 verify "$work/bad" && is_one_line
result 'not the magic in front'
patch "$nulls" 4470 "$(le32 5000)" && run 2 verify "$work/bad" && complains '5000 bytes' &&
	is_one_line && patch "$nulls" 4470 '\377\377\377\377' && run 2 verify "$work/bad" &&
	is_one_line && patch "$nulls" 4470 "$(le32 800)" && run 2 verify "$work/bad" && is_one_line
result 'a footer length that is none'
: >"$work/empty"
run 2 verify "$work/empty" && is_one_line && run 2 verify "$work" && complains directory &&
	is_one_line && run 2 verify "$work/absent" && is_one_line
result 'empty, directory, absent'
bad=0
for size in 4 11 12 100 3580 4300 4469 4477; do
	head -c $size "$nulls" >"$work/cut"
	run 2 verify "$work/cut" && is_one_line || bad=1
done
[ $bad -eq 0 ]
result 'cut off files'

patch "$nulls" 23 '\1' && run 1 verify "$work/bad" "$nulls" && says 'SNAPPY_V2.parquet: sound' &&
	run 1 verify "$work/unknown" "$work/bad" && run 3 verify "$nulls" "$work/unknown" &&
	run 2 verify "$work/bad" "$work/empty" "$nulls" &&
	run 2 verify "$work/empty" "$work/unknown" && says 'unknown: not all checked'
result 'of several statuses the worst'

if [ -c /dev/full ]; then
	"$program" inspect "$nulls" >/dev/full 2>"$work/err"
	[ $? -eq 2 ] && complains 'standard output'
	result 'full disk'
else
	skip 'full disk' 'no /dev/full'
fi
# The reader closes its end before the program writes.
mkfifo "$work/gate"
{
	read -r go <"$work/gate"
	"$program" inspect "$nulls" 2>"$work/err"
	echo $? >"$work/out"
} | {
	exec </dev/null
	echo go >"$work/gate"
}
says '^2$' && [ ! -s "$work/err" ]
result 'closed pipe'

# A build without the codec says so: 3.
arrow_status=3
grep -q ARROW_ZSTD "$work/version" && arrow_status=0
run $arrow_status arrow "$stream" && says 'message 1 at offset 1272: RecordBatch, 2100 rows, 50 buffers'
result 'arrow stream'
size=$(wc -c <"$stream")
length=$(od -An -td4 -j1276 -N4 "$stream")
body=$((size - 1280 - length - 8))
{
	# A footer of one record batch: its table at 16, the vector of blocks at 24.
	printf 'ARROW1\0\0'
	cat "$stream"
	printf '\020\0\0\0\014\0\010\0\0\0\0\0\0\0\004\0\014\0\0\0\004\0\0\0\001\0\0\0'
	printf "$(le64 1280)$(le32 $((length + 8)))\\0\\0\\0\\0$(le64 $body)"
	printf "$(le32 52)ARROW1"
} >"$work/file"
run $arrow_status arrow "$work/file" && says 'Arrow IPC file' &&
	says 'message 0 at offset 1280: RecordBatch, 2100 rows, 50 buffers'
result 'arrow file'
patch "$work/file" $((8 + size + 28)) "$(le64 1288)" && run 1 arrow "$work/bad" &&
	patch "$work/file" $((8 + size + 28)) "$(le64 99999999)" && run 1 arrow "$work/bad" &&
	complains 'outside the file' && patch "$work/file" $((8 + size + 24)) "$(le32 9)" &&
	run 2 arrow "$work/bad" && is_one_line
result 'arrow file with a footer that lies'
# Two blocks that are one message; two buffers that are one (their list begins at 1384).
{
	head -c $((8 + size + 24)) "$work/file"
	printf '\002\0\0\0'
	for i in 1 2; do
		printf "$(le64 1280)$(le32 $((length + 8)))\\0\\0\\0\\0$(le64 $body)"
	done
	printf "$(le32 76)ARROW1"
} >"$work/bad"
run 1 arrow "$work/bad" && says '1 message, .* 1 fault\(;.*not in this build\)*$' &&
	complains 'at offset 1280: the messages have more bytes than the file'
result 'arrow file whose blocks overlap'
if [ $arrow_status -eq 0 ]; then
	dd if="$stream" of="$work/entry" bs=1 skip=$((1384 + 49 * 16)) count=16 2>/dev/null
	patch "$stream" 1384 '' && dd if="$work/entry" of="$work/bad" bs=1 \
		seek=$((1384 + 48 * 16)) conv=notrunc 2>/dev/null
	run 1 arrow "$work/bad" && says ' 1 fault$' &&
		complains 'buffer 49 at offset .*: the buffers have more bytes than the body'
	result 'arrow buffers that overlap'
else
	skip 'arrow buffers that overlap' 'no ARROW_ZSTD'
fi
head -c 50000 "$stream" >"$work/cut"
run 1 arrow "$work/cut" && complains 'message 1 (RecordBatch) at offset 1272: its body would have' &&
	head -c 1275 "$stream" >"$work/cut" && run 1 arrow "$work/cut" && complains 'cut off' &&
	head -c 900 "$stream" >"$work/cut" && run 2 arrow "$work/cut" && is_one_line &&
	run 2 arrow "$work/empty" && is_one_line && run 2 arrow "$nulls" && is_one_line
result 'arrow streams that are none or cut off'
# The framing before 0.15 had no continuation mark.
{
	dd if="$stream" bs=1 skip=4 count=1268 2>/dev/null
	tail -c +1277 "$stream" | head -c $((size - 1276 - 8))
	printf '\0\0\0\0'
} >"$work/old"
run $arrow_status arrow "$work/old" &&
	says 'message 1 at offset 1268: RecordBatch, 2100 rows, 50 buffers'
result 'arrow stream in the old framing'

for file in "$PAGECODEC_SHARED"/data/parquet/*.parquet "$PAGECODEC_SHARED"/data/clients/*.parquet; do
	[ -f "$file" ] || continue
	name=${file##*/}
	case $name in
	*corrupt*)
		run 1 verify "$file" && complains 'column a, page 0 (DATA_PAGE) at offset 4: CHECKSUM_MISMATCH' &&
			complains 'column b, page 1 (DATA_PAGE) at offset 30808: CHECKSUM_MISMATCH' &&
			says '4 pages' && run 1 inspect --pages "$file" && says 'wrong$'
		result "verify $name"
		continue
		;;
	esac
	"$program" verify "$file" >"$work/out" 2>"$work/err"
	case $? in
	0) says ': sound: ' ;;
	3) says 'of codecs not in this build' ;;
	*) false ;;
	esac
	result "verify $name"
	wanted=0
	says 'of codecs not in this build' && wanted=3
	run $wanted roundtrip "$file"
	result "roundtrip $name"
done
for file in "$PAGECODEC_SHARED"/data/arrow/*.arrows "$PAGECODEC_SHARED"/data/arrow/*.stream; do
	[ -f "$file" ] || continue
	wanted=0
	case ${file##*/} in
	*zstd*) grep -q ARROW_ZSTD "$work/version" || wanted=3 ;;
	*) grep -q ARROW_LZ4_FRAME "$work/version" || wanted=3 ;;
	esac
	run $wanted arrow "$file"
	result "arrow ${file##*/}"
done
[ -d "$PAGECODEC_SHARED" ] || skip 'shared files' 'PAGECODEC_SHARED is not set'
echo "1..$count"
