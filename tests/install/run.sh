#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh - build and run the installed examples and consumer.c as users do: by pkg-config
# and by CMake, shared and static.  make installcheck says in the environment what lies where.

: "${CC:?} ${PKG_CONFIG:?} ${libdir:?} ${pkgconfigdir:?} ${cmakedir:?} ${exampledir:?} ${man3dir:?}"
here=$(cd "$(dirname "$0")" && pwd) || exit 99
examples=$root$exampledir
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
passed=0 failed=0 skipped=0
LD_LIBRARY_PATH=$root$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

# try NAME COMMAND...: the command's output is shown if it fails
try()
{
	try_name=$1
	shift
	if "$@" >"$work/log" 2>&1; then
		passed=$((passed + 1))
		echo "installcheck: $try_name: $(tail -n 1 "$work/log")"
	else
		failed=$((failed + 1))
		echo "installcheck: $try_name: FAILED: $*"
		cat "$work/log"
	fi
}

skip()
{
	skipped=$((skipped + 1))
	echo "installcheck: $1: skipped: $2"
}

[ -e "$root$pkgconfigdir/pagecodec.pc" ] || {
	echo "installcheck: $root$pkgconfigdir/pagecodec.pc is not there: make install comes first" >&2
	exit 1
}

# Under a DESTDIR the .pc file names folders that are not there yet.
mkdir "$work/pkgconfig"
sed "s|^\([a-z_]*\)=/|\1=$root/|" "$root$pkgconfigdir/pagecodec.pc" >"$work/pkgconfig/pagecodec.pc" || exit
PKG_CONFIG_PATH=$work/pkgconfig:$root$pkgconfigdir${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
cflags=$($PKG_CONFIG --cflags pagecodec) && libs=$($PKG_CONFIG --libs pagecodec) &&
	static=$($PKG_CONFIG --static --libs pagecodec) || exit
codecs=$(echo " $static " | sed 's/ -lpagecodec / /')

# build_and_run FILE FLAG...; with -static somewhere in them nothing else may be shared
build_and_run()
{
	source=$1
	shift
	case $source in
	*.cpp) $CXX -std=c++11 $CXXFLAGS $cflags "$source" -o "$work/program" "$@" ;;
	*) $CC $CFLAGS $cflags "$source" -o "$work/program" "$@" ;;
	esac && "$work/program"
}

# all_with NAME FLAG...
all_with()
{
	with=$1
	shift
	for source in "$examples"/*.c "$here/consumer.c" "$examples"/*.cpp; do
		name="$(basename "$source"), $with"
		case $source in
		*.cpp) [ -n "$CXX" ] || { skip "$name" 'no C++ compiler'; continue; } ;;
		esac
		try "$name" build_and_run "$source" "$@"
	done
}

if [ -e "$root$libdir/libpagecodec.so" ] || [ -e "$root$libdir/libpagecodec.dylib" ]; then
	all_with 'pkg-config' $libs
	if [ -n "$CXX" ]; then
		cp "$here/consumer.c" "$work/consumer.cpp"
		try 'consumer.c as C++, pkg-config' build_and_run "$work/consumer.cpp" $libs
	fi
	# README's program, and what README shows of it.
	sed -n '/^    #include <pagecodec.h>/,/^    }$/s/^    //p' "$here/../../README" >"$work/example.c"
	sed -n '/^    \$ cc example.c/{n;s/^    //p;}' "$here/../../README" >"$work/want"
	if echo "$static" | grep -q -e -lzstd; then
		try 'the program in README' build_and_run "$work/example.c" $libs
		try 'what README shows' sh -c '"$1/program" | cmp - "$1/want"' sh "$work"
	else
		skip 'the program in README' 'it takes ZSTD, which this build lacks'
	fi
	if printf '#include <nanoarrow/nanoarrow_ipc.h>\n' | $CC $CFLAGS -E - >"$work/log" 2>&1; then
		try 'nanoarrow_hook.c with nanoarrow' build_and_run "$examples/nanoarrow_hook.c" \
			-DUSE_NANOARROW $libs ${NANOARROW_LIBS:--lnanoarrow_ipc -lnanoarrow}
	else
		skip 'nanoarrow_hook.c with nanoarrow' 'no nanoarrow'
	fi
else
	skip 'pkg-config' 'no shared library was installed'
fi

echo 'int main(void) { return 0; }' >"$work/empty.c"
if ! [ -e "$root$libdir/libpagecodec.a" ]; then
	skip 'static' 'no static library was installed'
else
	all_with 'libpagecodec.a' "$root$libdir/libpagecodec.a" $codecs
	# Sanitizers and some systems have no -static, some codec libraries no archive.
	if build_and_run "$work/empty.c" -static $codecs >"$work/log" 2>&1; then
		all_with 'cc -static' -static $static
	else
		skip 'cc -static' "this compiler cannot, or a library is only there shared"
	fi
fi

# with_cmake NAME OPTION...
with_cmake()
{
	with=$1
	shift
	rm -rf "$work/cmake"
	try "cmake, $with" cmake -S "$examples" -B "$work/cmake" \
		-Dpagecodec_DIR="$root$cmakedir" -DCMAKE_C_FLAGS="$CFLAGS" \
		-DCMAKE_CXX_FLAGS="$CXXFLAGS" "$@"
	try "cmake --build, $with" cmake --build "$work/cmake"
	for source in "$examples"/*.c "$examples"/*.cpp; do
		name=$(basename "$source")
		[ -n "$CXX" ] || [ "${name%.cpp}" = "$name" ] || continue
		try "$name, cmake, $with" "$work/cmake/${name%.*}"
	done
}

if ! command -v cmake >/dev/null; then
	skip 'cmake' 'no cmake'
else
	export CC
	[ -z "$CXX" ] || export CXX
	with_cmake 'pagecodec::pagecodec'
	if [ -e "$root$libdir/libpagecodec.a" ]; then
		with_cmake 'pagecodec::pagecodec_static' -DUSE_STATIC=ON
	fi
fi

# manual_has FUNCTION...: is the manual there by these names, to be read where it lies?
manual_has()
{
	[ $# -gt 0 ] && for name; do
		cmp "$root$man3dir/pagecodec.3" "$root$man3dir/$name.3" || return
	done
}
try 'the manual of each function' manual_has \
	$(sed -n 's/^[[:blank:]]*\(pagecodec_[a-z0-9_]*\);$/\1/p' "$here/../../lib/pagecodec.map")

if [ -x "$root$bindir/pagecodec" ]; then
	try 'the program' "$root$bindir/pagecodec" --version
fi

printf 'Testsuite summary for installcheck\n# PASS: %d\n# SKIP: %d\n# FAIL: %d\n# ERROR: 0\n' \
	$passed $skipped $failed
[ $failed -eq 0 ]
