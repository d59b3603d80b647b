#!/bin/sh
# usage: anew.sh SOURCE-ROOT BUILD SANITIZERS COMMAND BACKEND...
# What only a build of its own shows, in one: Weft as a static subproject of a program, with
# what CONTRIBUTING.md adds; backends left out, and another default. The program runs, not
# changed, on what each build chose.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$1 work=$2/tests/install/anew command=$4
[ "$3" = none ] || exit 77
shift 4
rm -rf "$work"
mkdir -p "$work/program/subprojects" "$work/tree"
cp "$here"/foreign/* "$work/program"
unset WEFT_BACKEND

# Where there is no git to tell what belongs to the tree, or no command, it is as it stands.
added=
if [ "$command" = true ] && git -C "$source" rev-parse --git-dir >/dev/null 2>&1 && command -v python3 >/dev/null; then
    added=yes
    (cd "$source" && git ls-files -z --cached --others --exclude-standard |
        xargs -0 cp -a --parents -t "$work/tree" 2>/dev/null) || true
    (cd "$work/tree" && python3 "$here/contributing.py")
    ln -s "$work/tree" "$work/program/subprojects/weft"
else
    ln -s "$source" "$work/program/subprojects/weft"
fi

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
    echo "executable('absent', 'absent.c', dependencies: weft)" >>"$work/program/meson.build"
fi

# logged COMMAND...: what it says is shown where it fails.
logged() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
}
# runs_on BACKEND OTHER: the program, on the one backend that is built in.
runs_on() {
    logged ninja -C "$work/build" foreign
    said=$("$work/build/foreign") && expect "$1: right"
    said=$(WEFT_BACKEND=$2 "$work/build/foreign") && exit 1
    expect "none: wrong WEFT_BACKEND: no backend '$2' is built in (there is $1)"
}
expect() {
    echo "$said"
    [ "$said" = "$1" ] || { echo "instead of: $1" && exit 1; }
}
# chosen BACKEND
chosen() {
    logged meson configure "$work/build" -Dweft:backends="$1" -Dweft:default_backend="$1"
}

logged meson setup "$work/build" "$work/program" --force-fallback-for=weft -Doptimization=0 -Ddebug=false \
    -Dweft:default_library=static -Dweft:backends=serial -Dweft:default_backend=serial
runs_on serial opencl
if [ -e "$work/program/absent.c" ]; then
    logged ninja -C "$work/build" absent
    said=$("$work/build/absent" | tr '\n' ' ')
    expect 'weft_open_opencl: this library was built without OpenCL weft_borrow_opencl: this library was built without OpenCL '
fi
if [ "$added" ]; then
    logged ninja -C "$work/build" subprojects/weft/cli/weft subprojects/weft/tests/cli/test-cli-snapshots
    (cd "$work/tree" && sh "$here/contributing.sh" "$work/build/subprojects/weft" "$work")
fi

# Others alone.
for backend; do
    case $backend in serial | checking) continue ;; esac
    chosen "$backend"
    runs_on "$backend" serial
done

# Without the command its pages are not installed either.
logged meson configure "$work/build" -Dweft:command=false
logged ninja -C "$work/build" build.ninja
meson introspect --installed "$work/build" >"$work/log"
grep -q 'include/weft"' "$work/log" || { cat "$work/log" && exit 1; }
if grep -q 'man1' "$work/log"; then
    cat "$work/log" && exit 1
fi
