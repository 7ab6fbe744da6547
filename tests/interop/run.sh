#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh PROGRAM FOLDER - interop.js on the files of tests/data and PAGECODEC_SHARED
#
# Readers are installed into FOLDER, as package-lock.json and the line below pin them.
# Where they cannot be had the tests are skipped, with a word.

pyarrow=pyarrow==26.0.1
here=$(cd "$(dirname "$0")" && pwd) || exit
program=$(realpath "$1") || exit
mkdir -p "$2" && cd "$2" || exit

skip()
{
	echo "interop: skipped: $1"
	printf 'Testsuite summary for interop\n# PASS: 0\n# SKIP: 1\n# FAIL: 0\n# ERROR: 0\n'
	exit 0
}

# limited SECONDS COMMAND...: with its output in FOLDER/install.log
limited()
{
	echo "interop: $2 $3" >&2
	timeout "$@" >>install.log 2>&1 </dev/null
}

command -v node >/dev/null || skip 'no node'
command -v npm >/dev/null || skip 'no npm'
: >install.log
cp "$here"/*.js "$here"/*.py "$here"/package.json "$here"/package-lock.json "$here"/.npmrc . || exit
if ! cmp -s package-lock.json node_modules/installed; then
	limited 240 npm ci || {
		tail -n 5 install.log
		skip 'the npm packages cannot be installed'
	}
	cp package-lock.json node_modules/installed
fi
PYTHON=$PWD/venv/bin/python
if ! "$PYTHON" -c 'import pyarrow' 2>/dev/null; then
	limited 60 python3 -m venv venv && limited 240 venv/bin/pip install "$pyarrow" ||
		echo 'interop: without pyarrow, which cannot be installed'
fi
"$PYTHON" -c 'import pyarrow' 2>/dev/null || PYTHON=
export PYTHON
set -- "$here"/../data/*.parquet
for file in "$PAGECODEC_SHARED"/data/clients/*.parquet "$PAGECODEC_SHARED"/data/parquet/*.parquet; do
	[ -f "$file" ] && set -- "$@" "$file"
done
exec node interop.js "$program" files "$@"
