#!/bin/sh
# usage: kernels.sh SOURCE-ROOT
# Every kernel file is valid OpenCL C 1.2, with 32-bit and with 64-bit indices.
set -u
command -v clang >/dev/null || exit 77
cd "$1" || exit 2
failed=0
for file in $(find algorithms primitives examples tests -name '*.kernel.h' | sort); do
    for index in int long; do
        clang -x cl -cl-std=CL1.2 --target=spir64 -Xclang -finclude-default-header \
            -fsyntax-only -Wall -Wextra -Wno-unused-function -Werror -Iinclude -I. \
            -D__OPENCL_VERSION__=120 -DWEFT_INDEX=$index "$file" || failed=1
    done
done
exit $failed
