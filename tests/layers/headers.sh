#!/bin/sh
# usage: headers.sh SOURCE-ROOT
# Each public header compiles alone, twice in a row, and from C++, without a warning; that
# for OpenCL where its headers are.
set -u
include=$1/include
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# compiles COMPILER FLAGS SUFFIX HEADER
compiles() {
    {
        case $4 in opencl.h) echo "#define CL_TARGET_OPENCL_VERSION 120" ;; esac
        echo "#include <weft/$4>"
        echo "#include <weft/$4>"
        echo "int weft_header_test(void);"
        echo "int weft_header_test(void) { return 0; }"
    } >"$work/test.$3"
    # shellcheck disable=SC2086 # flags are several words
    if ! $1 $2 -Wall -Wextra -Wpedantic -Wshadow -Werror -I"$include" -c "$work/test.$3" \
        -o "$work/test.o" 2>"$work/log"; then
        echo "weft/$4 with $1 $2:"
        cat "$work/log"
        failed=1
    fi
}

for header in "$include"/weft/*.h; do
    name=$(basename "$header")
    case $name in opencl.h) echo '#include <CL/cl.h>' | cc -E - >"$work/log" 2>&1 || continue ;; esac
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        compiles $compiler '-std=c11 -Wconversion' c "$name"
        compiles $compiler '-std=gnu17 -O2' c "$name"
        # The dialect is C's and OpenCL's alone: kernel files are no C++.
        case $name in kernel.h | philox.h | index.h) continue ;; esac
        case $compiler in gcc) cxx=g++ ;; *) cxx=clang++ ;; esac
        command -v $cxx >/dev/null && compiles $cxx -std=c++17 cpp "$name"
    done
done
# The umbrella holds everything but the dialect, its words, what needs OpenCL's headers and what
# its headers include themselves.
for header in "$include"/weft/*.h; do
    name=$(basename "$header")
    case $name in kernel.h | opencl.h | philox.h | index.h | short_names.h | weft.h | descriptor.h | register_*.h) continue ;; esac
    grep -q "#include \"$name\"" "$include/weft/weft.h" && continue
    echo "weft/weft.h does not include $name"
    failed=1
done
exit $failed
