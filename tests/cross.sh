#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the library and runs its tests for other machines, with Debian's cross compilers
# and, where this kernel cannot run what they make, qemu-user.  make check-cross runs it.
# The codec libraries are unpacked into cross/MACHINE/root; this system stays as it is.
set -u
usage='usage: MAKE=make cross.sh MACHINE..., of i686, s390x, aarch64'
top=$(cd "$(dirname "$0")/.." && pwd) || exit
make=${MAKE:-make}
libraries="libc6-dev libzstd-dev liblz4-dev libsnappy-dev zlib1g-dev libdeflate-dev \
libbrotli-dev liblzo2-dev check libsubunit-dev"

die()
{
	echo "check-cross: $*" >&2
	exit 1
}

# machine NAME: what others call it, and where its loader lies
machine()
{
	case $1 in
	i686) debian=i386 multiarch=i386-linux-gnu loader=lib/ld-linux.so.2 ;;
	s390x) debian=s390x multiarch=s390x-linux-gnu loader=lib/ld64.so.1 ;;
	aarch64) debian=arm64 multiarch=aarch64-linux-gnu loader=lib/ld-linux-aarch64.so.1 ;;
	*) die "no machine '$1'; $usage" ;;
	esac
	folder=$PWD/cross/$1
	root=$folder/root
	host=$1-linux-gnu
	qemu=qemu-${multiarch%%-*}
}

# The Debian packages that are missing for the machines
missing()
{
	for name; do
		machine "$name"
		command -v "$host-gcc" >/dev/null || echo "gcc-$host"
		command -v "$qemu" >/dev/null || echo qemu-user
	done
	command -v apt-get >/dev/null || echo apt
	command -v pkg-config >/dev/null || echo pkg-config
}

# An apt that knows of no installed package and has its lists in the build folder
foreign_apt()
{
	apt-get -q -o APT::Architecture="$debian" -o APT::Architectures="$debian" \
		-o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 \
		-o Dir::State="$folder/apt" -o Dir::State::status="$folder/apt/status" \
		-o Dir::Cache="$folder/apt" "$@"
}

# A list that cannot be had is no fault, if the others have all that is asked for.
unpack_libraries()
{
	[ "$(cat "$folder/unpacked" 2>/dev/null)" = "$libraries" ] && return
	rm -rf "$folder/apt" "$root"
	mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial" "$root" &&
		: >"$folder/apt/status" || return
	foreign_apt update
	foreign_apt install -y --no-install-recommends --download-only $libraries || return
	for package in "$folder"/apt/archives/*.deb; do
		dpkg -x "$package" "$root" || return
	done
	rm -rf "$folder/apt"
	echo "$libraries" >"$folder/unpacked"
}

# What is linked finds loader and libraries in root by itself, so that an emulator needs to
# know of no prefix, which would also come before the paths of this system's own programs.
configure()
{
	libs=$root/usr/lib/$multiarch:$root/lib/$multiarch
	PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$root/usr/lib/$multiarch/pkgconfig
	export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR
	mkdir -p "$folder/build" && cd "$folder/build" || return
	[ -e Makefile ] || "$top/configure" \
		--build="$("$top/build-aux/config.guess")" --host="$host" \
		--disable-shared --enable-werror --enable-tests --with-lzo=yes \
		CC="$host-gcc --sysroot=$root" \
		LDFLAGS="-Wl,--dynamic-linker=$root/$loader -Wl,--disable-new-dtags -Wl,-rpath,$libs"
}

# The emulator's name, or nothing where this kernel runs the machine's programs.
emulator()
{
	"$root/$loader" --version >/dev/null 2>&1 || echo "$qemu"
}

check()
{
	emulator=$(emulator)
	echo "check-cross: $host, run by ${emulator:-this machine}"
	printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$emulator" "$PWD/pagecodec" >run-pagecodec &&
		chmod +x run-pagecodec || return
	$make check TESTS_SHORT=1 VERBOSE=1 LOG_COMPILER="$emulator" \
		EMULATOR="$emulator" PAGECODEC="$PWD/run-pagecodec"
}

[ $# -gt 0 ] || die "$usage"
packages=$(missing "$@") || exit
packages=$(echo "$packages" | sort -u | tr '\n' ' ')
[ -z "${packages% }" ] || die "on Debian: apt-get install $packages"
for name; do
	machine "$name"
	mkdir -p "$folder" || exit
	unpack_libraries >"$folder/unpack.log" 2>&1 || {
		tail -n 20 "$folder/unpack.log" >&2
		die "$name: no libraries; all of apt's output is in $folder/unpack.log"
	}
	(configure && check) || die "$name: failed; see $folder/build"
done
