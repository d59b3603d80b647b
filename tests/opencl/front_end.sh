#!/bin/sh
# front_end.sh CLANG EMBED ROOT: every kernel file of the project, its loops over types
# written out, through clang's OpenCL front end, with an index of 32 and of 64 bits.
# (choice.kernel.h and refused*.kernel.h are wrong on purpose: they must fail.)
clang=$1 embed=$2 root=$3 failed=0 count=0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
check() {
    "$clang" -x cl -cl-std=CL1.2 -D__OPENCL_VERSION__=120 -fsyntax-only -Xclang -finclude-default-header \
        -Xclang -cl-ext=+all -Wall -Wextra -Wno-unused-function -Werror -I"$root/include" -I"$root" "$@"
}
for file in $(find "$root" -name '*.kernel.h' -not -path '*/build*' | sort); do
    count=$((count + 1))
    name=${file##*/} text=$file
    if grep -q '^#pragma weft for' "$file"; then
        text=$work/$name
        "$embed" -I "$root" "$file" -o "$text.c" --host "$text" || failed=1
    fi
    for index in int long; do
        case $name in
        refused_address.kernel.h) ;; # only who calls it can tell
        choice.kernel.h | refused.kernel.h)
            check -DWEFT_INDEX=$index "$text" 2>/dev/null && {
                echo "$file: no error was seen"
                failed=1
            }
            ;;
        *) check -DWEFT_INDEX=$index "$text" || failed=1 ;;
        esac
    done
done
echo "$count kernel files"
[ "$count" -gt 0 ] && exit $failed
