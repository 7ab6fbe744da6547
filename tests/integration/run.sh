#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh FOLDER - this library with software that is not ours; from the build's folder
#
# The software is installed into FOLDER, as package-lock.json and the line below pin it.
# Where it cannot be had tests are skipped, with a word.

pyarrow=pyarrow==26.0.1
here=$(cd "$(dirname "$0")" && pwd) || exit
build=$PWD
mkdir -p "$1" && cd "$1" || exit

skip()
{
	echo "$1: skipped: $2"
	printf 'Testsuite summary for %s\n# PASS: 0\n# SKIP: 1\n# FAIL: 0\n# ERROR: 0\n' "$1"
}

# limited SECONDS COMMAND...: with its output in FOLDER/install.log
limited()
{
	echo "integration: $2 $3" >&2
	timeout "$@" >>install.log 2>&1 </dev/null
}

has_pyarrow()
{
	"$PYTHON" -c 'import pyarrow' 2>/dev/null
}

# Prints why not.
install_npm()
{
	command -v node >/dev/null || { echo 'no node'; return 1; }
	command -v npm >/dev/null || { echo 'no npm'; return 1; }
	cmp -s package-lock.json node_modules/installed && return
	limited 240 npm ci || { echo 'the npm packages cannot be installed'; return 1; }
	cp package-lock.json node_modules/installed
}

: >install.log
cp "$here"/*.js "$here"/*.py "$here"/package.json "$here"/package-lock.json "$here"/.npmrc . || exit
PYTHON=$PWD/venv/bin/python
has_pyarrow || { limited 60 python3 -m venv venv && limited 240 venv/bin/pip install "$pyarrow"; }
has_pyarrow || PYTHON=
export PYTHON
status=0
if [ -z "$PYTHON" ]; then
	skip arrow_codec 'pyarrow cannot be installed'
elif ! [ -f "$build/lib/.libs/libpagecodec.so" ]; then
	skip arrow_codec 'no shared library in this build'
else
	"$PYTHON" arrow_codec.py "$build/lib/.libs/libpagecodec.so" || status=1
fi

why=
if ! [ -x "$build/pagecodec" ]; then
	why='no program in this build'
else
	why=$(install_npm) || tail -n 5 install.log
fi
if [ -n "$why" ]; then
	skip written "$why"
	skip recompress "$why"
	exit "$status"
fi
node written.js "$build/pagecodec" "$build/$1/write_parquet" written || status=1
set -- "$here"/../data/*.parquet
for file in "$PAGECODEC_SHARED"/data/clients/*.parquet "$PAGECODEC_SHARED"/data/parquet/*.parquet; do
	[ -f "$file" ] && set -- "$@" "$file"
done
node recompress.js "$build/pagecodec" files "$@" || status=1
exit "$status"
