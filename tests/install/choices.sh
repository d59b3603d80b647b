#!/bin/sh
# usage: choices.sh SOURCE-ROOT BUILD SANITIZERS BACKEND...
# Backends can be left out, and the default is a choice of the build: one program, not
# changed, runs on what each build chose. And it can have Weft as a subproject, static.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$1 work=$2/tests/install/choices
[ "$3" = none ] || exit 77
shift 3
rm -rf "$work"
mkdir -p "$work/program"

# The foreign program against a build's library, with that build as it stands.
build_program() {
    meson compile -C "$work/build" weft:shared_library weft-embed >"$work/log" 2>&1 ||
        { cat "$work/log" && exit 1; }
    "$work/build/tools/weft-embed" "$here/foreign/orbit.kernel.h" \
        -o "$work/program/orbit.kernel.c"
    ${CC:-cc} -std=c11 -I"$source/include" -I"$here/foreign" "$here/foreign/main.c" \
        "$work/program/orbit.kernel.c" -L"$work/build" -lweft -o "$work/program/foreign"
}
expect() {
    echo "$said"
    [ "$said" = "$1" ] || { echo "instead of: $1" && exit 1; }
}
export LD_LIBRARY_PATH="$work/build"
unset WEFT_BACKEND

meson setup "$work/build" "$source" -Doptimization=0 -Dbackends=serial \
    -Ddefault_backend=serial >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
build_program
said=$("$work/program/foreign") && expect 'serial: right'
said=$(WEFT_BACKEND=opencl "$work/program/foreign") && exit 1
expect "none: wrong no backend 'opencl' is built in (there is serial)"

# Without OpenCL its calls are there and say so.
if echo '#include <CL/cl.h>' | ${CC:-cc} -E - >"$work/log" 2>&1; then
    cat >"$work/program/absent.c" <<-END
	#define CL_TARGET_OPENCL_VERSION 120
	#include <stdio.h>
	#include <weft/opencl.h>
	int main(void) {
	    weft_device *device = weft_open_opencl(NULL, NULL);
	    puts(weft_error(device));
	    weft_close(device);
	    device = weft_open("serial");
	    weft_borrow_opencl(device, WEFT_U32, NULL, 0, 1);
	    puts(weft_error(device));
	    weft_close(device);
	    return 0;
	}
	END
    ${CC:-cc} -std=c11 -I"$source/include" "$work/program/absent.c" -L"$work/build" -lweft \
        -o "$work/program/absent"
    said=$("$work/program/absent" | tr '\n' ' ')
    expect 'weft_open_opencl: this library was built without OpenCL weft_borrow_opencl: this library was built without OpenCL '
fi

# Another alone (the last; pthreads is alone below).
last=
for backend; do
    case $backend in serial | checking) ;; *) last=$backend ;; esac
done
if [ "$last" ]; then
    meson configure "$work/build" -Dbackends="$last" -Ddefault_backend="$last"
    build_program
    said=$("$work/program/foreign") && expect "$last: right"
    said=$(WEFT_BACKEND=serial "$work/program/foreign") && exit 1
    expect "none: wrong no backend 'serial' is built in (there is $last)"
fi

rm -rf "$work/program"
cp -r "$here/foreign" "$work/program"
mkdir "$work/program/subprojects"
ln -s "$source" "$work/program/subprojects/weft"
{
    meson setup "$work/whole" "$work/program" --force-fallback-for=weft -Doptimization=0 \
        -Dweft:default_library=static -Dweft:backends=pthreads &&
        meson compile -C "$work/whole" foreign
} >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
said=$("$work/whole/foreign") && expect 'pthreads: right'
