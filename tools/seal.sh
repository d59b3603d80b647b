#!/bin/sh
# usage: seal.sh OBJCOPY AR PARTS OUT COMPILER...
# Of an archive of parts makes one of a single object, in which every name that is not
# exported is local: in a static library, too, only the public names can meet a user's.
set -eu
objcopy=$1 ar=$2 parts=$3 out=$4
shift 4
"$@" -r -nostdlib -o "$out.o" -Wl,--whole-archive "$parts" -Wl,--no-whole-archive
# (gcc does not hide what it clones for several processors.)
"$objcopy" --localize-hidden --wildcard --keep-global-symbol='weft_*' "$out.o"
rm -f "$out"
"$ar" rcs "$out" "$out.o"
rm "$out.o"
