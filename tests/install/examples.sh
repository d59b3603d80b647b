#!/bin/sh
# usage: examples.sh SOURCE-ROOT BUILD SANITIZERS BACKEND NAME...
# The examples of these names, built by the Makefile of docs/guide.md against an installed
# library, outside this tree, say what examples/truth.py finds.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$1 build=$2 backend=$4
[ "$3" = none ] || exit 77
shift 4
command -v pkg-config >/dev/null || exit 77
command -v python3 >/dev/null || exit 77
work=$(mktemp -d) # make takes no name with spaces, which the build's may have
trap 'rm -rf "$work"' EXIT
. "$here/installed.sh"

for name; do
    cp -r "$source/examples/$name" "$work/$name"
    awk '$0 == "```" && on { on = 0; if (index(block, "program:")) printf "%s", block; block = "" }
        on { block = block $0 "\n" }
        $0 == "```make" { on = 1 }' "$source/docs/guide.md" |
        sed "s/scale\.kernel/$name.kernel/; s/^LDLIBS = .*/& -lm/" >"$work/$name/Makefile"
    make -s -C "$work/$name" program >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
    case $name in word_count) text=$source/LICENSE ;; *) text= ;; esac
    python3 "$source/examples/truth.py" "$work/$name/program" "$backend" "$name" \
        ${text:+"$text"}
done
