#!/bin/sh
# usage: guide.sh SOURCE-ROOT BUILD SANITIZERS BACKEND...
# The program of docs/guide.md, built by its Makefile and by its meson.build against an
# installed library. Where the kernel file changes, or what it includes, or where that is
# gone, what C and what OpenCL see of it is made anew: all backends say the same, and the new.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$1 build=$2
[ "$3" = none ] || exit 77
shift 3
command -v pkg-config >/dev/null || exit 77
work=$(mktemp -d) # make takes no name with spaces, which the build's may have
trap 'rm -rf "$work"' EXIT
. "$here/installed.sh"

# fenced KIND WORDS: the lines of the page between ```KIND and ``` of the block with WORDS.
fenced() {
    awk -v kind="$1" -v words="$2" '
        $0 == "```" && on { on = 0; if (index(block, words)) printf "%s", block; block = "" }
        on { block = block $0 "\n" }
        $0 == "```" kind { on = 1 }' "$source/docs/guide.md"
}
mkdir "$work/program"
cd "$work/program"
fenced c '/* scale.kernel.h */' >scale.kernel.h
fenced c '/* main.c */' >main.c
fenced make 'program:' >Makefile
{
    echo "project('program', 'c', default_options: 'c_std=c11')"
    fenced meson "'scale.kernel.h'"
} >meson.build
meson setup "$work/ninja" . >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }

# says NUMBERS: both programs, made anew, on every backend; then there is nothing to make.
says() {
    make >"$work/log" 2>&1 && meson compile -C "$work/ninja" >>"$work/log" 2>&1 ||
        { cat "$work/log" && exit 1; }
    for program in ./program "$work/ninja/program"; do
        for backend in $backends; do
            said=$(WEFT_BACKEND=$backend "$program") || exit 1
            [ "$said" = "$1" ] || { echo "$program on $backend: '$said', not '$1'" && exit 1; }
        done
    done
    make -q || { echo "make would make more" && make -n && exit 1; }
    echo "$backends: $1"
}
backends=$*
says '2 4 6 8'
sed -i 's/factor \* x\[i\]/factor * x[i] + 1/' scale.kernel.h
says '3 5 7 9'
sed -i 's/x\[i\] + 1/x[i] + scale_more()/; s|^#include <weft/kernel.h>|&\n#include "more.h"|' scale.kernel.h
echo 'static inline f32 scale_more(void) { return 2; }' >more.h
says '4 6 8 10'
sed -i 's/return 2/return 3/' more.h
sed -i 's|^#include "scale|#include "factor.h"\n&|; s/2\.0f/FACTOR/' main.c
echo '#define FACTOR 3.0f' >factor.h
says '6 9 12 15'
# A function of the C library's.
sed -i 's/factor \* x\[i\]/sqrt(factor * x[i] * x[i] * factor)/' scale.kernel.h
says '6 9 12 15'
sed -i 's/more.h/less.h/' scale.kernel.h
mv more.h less.h
sed -i 's/return 3/return 0/' less.h
sed -i 's/factor.h/divisor.h/' main.c
mv factor.h divisor.h
says '3 6 9 12'
