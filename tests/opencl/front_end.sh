#!/bin/sh
# front_end.sh CLANG EMBED ROOT: every kernel file of the project, its loops over types
# written out, through clang's OpenCL front end, with an index of 32 and of 64 bits.
# (choice.kernel.h and refused*.kernel.h are wrong on purpose: they must fail.)
clang=$1 embed=$2 root=$3 failed=0 count=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
# In one process for all files, which takes a third as long: its start is what costs.
check() {
    "$clang" -cc1 -x cl -cl-std=CL1.2 -D__OPENCL_VERSION__=120 -fsyntax-only -finclude-default-header \
        -fdeclare-opencl-builtins -internal-isystem "$("$clang" -print-resource-dir)/include" \
        -cl-ext=+all -Wall -Wextra -Wno-unused-function -Werror -I"$root/include" -I"$root" "$@"
}
find "$root" -name '*.kernel.h' -not -path '*/build*' | sort >"$work/files"
set --
while IFS= read -r file; do
    count=$((count + 1))
    name=${file##*/} text=$file
    if grep -q '^#pragma weft for' "$file"; then
        text=$work/$name
        "$embed" -I "$root" "$file" -o "$text.c" --host "$text" || failed=1
    fi
    case $name in
    refused_address.kernel.h) ;; # only who calls it can tell
    choice.kernel.h | refused.kernel.h)
        for index in int long; do
            check -DWEFT_INDEX=$index "$text" 2>/dev/null && {
                echo "$file: no error was seen"
                failed=1
            }
        done
        ;;
    *) set -- "$@" "$text" ;;
    esac
done <"$work/files"
for index in int long; do
    check -DWEFT_INDEX=$index "$@" || failed=1
done
echo "$count kernel files"
[ "$count" -gt 0 ] && exit $failed
