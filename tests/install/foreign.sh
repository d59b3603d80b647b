#!/bin/sh
# usage: foreign.sh BUILD SANITIZERS BACKEND...
# Installs the build into a folder, and builds a project that knows nothing of this tree
# against it, with Meson and with make; both run on each backend.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
if [ "$2" != none ]; then
    echo "a library with sanitizers takes programs with the same alone"
    exit 77
fi
shift 2
command -v pkg-config >/dev/null || exit 77

work=$(mktemp -d) # make takes no name with spaces, which the build's may have
trap 'rm -rf "$work"' EXIT
. "$here/installed.sh"

meson setup "$work/with-meson" "$here/foreign"
meson compile -C "$work/with-meson"
cp -r "$here/foreign" "$work/with-make"
make -C "$work/with-make"
# What cannot be written fails, and takes no device away.
if [ -c /dev/full ]; then
    embed=$(pkg-config --variable=weft_embed weft)
    "$embed" "$here/foreign/orbit.kernel.h" -o /dev/full && exit 1
    "$embed" "$here/foreign/orbit.kernel.h" -o "$work/o.c" -M /dev/full && exit 1
    [ -c /dev/full ]
fi

for backend; do
    for program in "$work/with-meson/foreign" "$work/with-make/foreign"; do
        said=$(WEFT_BACKEND=$backend "$program") || { echo "$said" && exit 1; }
        echo "$program: $said"
        [ "$said" = "$backend: right" ] || exit 1
    done
done
