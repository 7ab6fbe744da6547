# SPDX-License-Identifier: Apache-2.0
#
# pyarrow_files.py - the values of files as pyarrow reads them, and files that it writes
#
# "write FOLDER" prints the names of what it wrote; "read", of the names on standard
# input, a line of JSON for each: a hash per column of row numbers and values.

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


def read(path):
    try:
        table = pyarrow.parquet.read_table(path, page_checksum_verification=True)
        result = {}
        for number, name in enumerate(table.column_names):
            column = table.column(number)
            text = text_of(column).encode("utf-8", "backslashreplace")
            digest = hashlib.sha256(text).hexdigest()
            result[f"{number} {name}"] = f"{len(column)} rows, {digest}"
        return {"result": result}
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
    for line in sys.stdin:
        print(json.dumps(read(line.rstrip("\n"))), flush=True)
