# SPDX-License-Identifier: Apache-2.0
#
# pyarrow_files.py - the values of files as pyarrow reads them, and files that it writes
#
# "write FOLDER" prints the names of what it wrote; "read", of the names on standard
# input, a line of JSON for each: a hash per column of row numbers and values; "compare"
# the same where the file has the values of write_parquet's table, else an error.

import hashlib
import json
import os
import sys

import pyarrow
import pyarrow.parquet


def text_of(column):
    try:
        return "".join(f"{row}:{value!r}\n" for row, value in enumerate(column.to_pylist()))
    except (OverflowError, ValueError):
        # Python has no dates before year 1; Arrow itself has.
        return column.combine_chunks().to_string(window=len(column) + 1)


def hashes(table):
    result = {}
    for number, name in enumerate(table.column_names):
        column = table.column(number)
        text = text_of(column).encode("utf-8", "backslashreplace")
        digest = hashlib.sha256(text).hexdigest()
        result[f"{number} {name}"] = f"{len(column)} rows, {digest}"
    return result


def written_table():
    """What table.c fills pages with."""
    words = ["", "page", "dictionary", "größe", "a"]
    ids = [row * 0x9E3779B97F4A7C15 % (1 << 64) if row // 1000 % 2 else row * 7 - 3
           for row in range(6000)]
    return {
        "id": [value - (value >> 63 << 64) if value > 0 else value for value in ids],
        "word": [None if row // 1000 % 3 == 2 or row % 5 == 0 else words[row % 7 % 5]
                 for row in range(6000)],
    }


def read(path, wanted):
    try:
        table = pyarrow.parquet.read_table(path, page_checksum_verification=True)
        if wanted and table.to_pydict() != wanted:
            return {"error": "the values are others"}
        return {"result": hashes(table)}
    except Exception as error:
        return {"error": str(error).split("\n")[0]}


def write(folder):
    rows = range(4000)
    table = pyarrow.table({
        "id": pyarrow.array(rows),
        "word": pyarrow.array([["a", "bb", "ccc", None][row % 4] for row in rows]),
        "list": pyarrow.array([list(range(row % 5)) if row % 6 else None for row in rows]),
        "struct": pyarrow.array([{"a": row, "b": str(row)} for row in rows]),
        "half": pyarrow.array([row / 2 for row in rows]),
    })
    for version in "1.0", "2.0":
        for codec in "none", "snappy", "zstd":
            path = f"{folder}/arrow_{codec}_V{version[0]}.parquet"
            pyarrow.parquet.write_table(
                table, path, compression=codec, data_page_version=version,
                row_group_size=1500, data_page_size=3000, write_batch_size=100,
                write_page_index=True, write_page_checksum=True,
                sorting_columns=[pyarrow.parquet.SortingColumn(0)],
                bloom_filter_options={"id": True, "word": True})
            print(path)


if sys.argv[1] == "write":
    write(sys.argv[2])
else:
    wanted = written_table() if sys.argv[1] == "compare" else None
    for line in sys.stdin:
        print(json.dumps(read(line.rstrip("\n"), wanted)), flush=True)
