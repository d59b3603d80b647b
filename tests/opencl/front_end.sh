#!/bin/sh
# front_end.sh CLANG ROOT: every kernel file of the project through clang's OpenCL front end,
# with an index of 32 and of 64 bits. (choice.kernel.h is wrong on purpose: it must fail.)
clang=$1 root=$2 failed=0 count=0
check() {
    "$clang" -x cl -cl-std=CL1.2 -D__OPENCL_VERSION__=120 -fsyntax-only -Xclang -finclude-default-header \
        -Xclang -cl-ext=+all -Wall -Wextra -Wno-unused-function -Werror -I"$root/include" -I"$root" "$@"
}
for file in $(find "$root" -name '*.kernel.h' -not -path '*/build*' | sort); do
    count=$((count + 1))
    for index in int long; do
        if [ "${file##*/}" = choice.kernel.h ]; then
            check -DWEFT_INDEX=$index "$file" 2>/dev/null && {
                echo "$file: no error was seen"
                failed=1
            }
        else
            check -DWEFT_INDEX=$index "$file" || failed=1
        fi
    done
done
echo "$count kernel files"
[ "$count" -gt 0 ] && exit $failed
