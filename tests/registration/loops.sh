#!/bin/sh
# usage: loops.sh WEFT-EMBED
# Loops of kernel files that are none are refused with the line where they begin; what the
# host includes of others says where each line is from.
set -u
embed=$(realpath "$1") failed=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

# refuses SENTENCE TEXT: of a file that begins with an empty line.
refuses() {
    printf '\n%b\nenum { x_T };\n' "$2" >x.kernel.h
    if "$embed" x.kernel.h -o x.c --host x.kernels.h 2>said || ! grep -qF "$1" said || [ -e x.c ]; then
        echo "'$2': expected '$1', and it said '$(cat said)'"
        failed=1
    fi
}
none="x.kernel.h:2: a loop is '#pragma weft for T in u32 u64'"
refuses "$none" '#pragma weft for'
refuses "$none" '#pragma weft for T'
refuses "$none" '#pragma weft for T in'
refuses "$none" '#pragma weft for T of u8'
refuses "$none" '#pragma weft for in u8'
refuses "$none" '#pragma weft for T in u8:u16\n#pragma weft end'
refuses "$none" '#pragma weft for T:U in u8\n#pragma weft end'
refuses "$none" '#pragma weft for T:U in u8:u16 u16:\n#pragma weft end'
refuses "$none" '#pragma weft for T: in u8\n#pragma weft end'
refuses "$none" '#pragma weft for A:B:C:D:E in 1:2:3:4:5\n#pragma weft end'
refuses "x.kernel.h: a loop has no '#pragma weft end'" '#pragma weft for T in u8'
refuses "x.kernel.h:2: '#pragma weft end' ends or begins no loop" '#pragma weft end'
refuses "x.kernel.h:2: '#pragma weft each' ends or begins no loop" '#pragma weft each T in u8'

printf '%s\n' '#include <weft/kernel.h>' '#pragma weft for T : U in i8:u8   i16 : u16' 'int x_T(U TT) { return T; }' \
    '#pragma weft end' 'enum { x_T };' >x.kernel.h
"$embed" x.kernel.h -o x.c --host x.kernels.h || failed=1
printf '%s\n' '#line 1 "x.kernel.h"' '#include <weft/kernel.h>' '#line 3 "x.kernel.h"' 'int x_i8(u8 TT) { return i8; }' \
    '#line 3 "x.kernel.h"' 'int x_i16(u16 TT) { return i16; }' '#line 5 "x.kernel.h"' 'enum { x_T };' |
    diff - x.kernels.h || failed=1
[ "$(grep -c '^const weft_source weft_source_x_' x.c)" = 2 ] || failed=1
exit $failed
