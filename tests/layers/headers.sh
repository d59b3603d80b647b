#!/bin/sh
# usage: headers.sh SOURCE-ROOT
# Each public header compiles alone, twice in a row, and from C++, without a warning; that
# for OpenCL where its headers are.
set -u
include=$(realpath "$1")/include
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir c c++
ln -s "$include" include
failed=0

for header in "$include"/weft/*.h; do
    name=$(basename "$header" .h)
    case $name in opencl) echo '#include <CL/cl.h>' | cc -E - >log 2>&1 || continue ;; esac
    {
        case $name in opencl) echo "#define CL_TARGET_OPENCL_VERSION 120" ;; esac
        echo "#include <weft/$name.h>"
        echo "#include <weft/$name.h>"
        echo "int weft_header_test(void);"
        echo "int weft_header_test(void) { return 0; }"
    } >"c/$name.c"
    # The dialect is C's and OpenCL's alone: kernel files are no C++.
    case $name in kernel | philox | index) continue ;; esac
    cp "c/$name.c" "c++/$name.cpp"
done

# compiles COMPILER FLAGS FILES...: each by itself, clang in one process, whose start is most of its time.
compiles() {
    command -v "$1" >/dev/null || return
    call="$1 -fsyntax-only $2 -Wall -Wextra -Wpedantic -Wshadow -Werror -Iinclude"
    shift 2
    # shellcheck disable=SC2086 # flags are several words
    case $call in
    clang*)
        one=$1
        shift
        eval "$($call -### "$one" 2>&1 | tail -n 1)" '"$@"'
        ;;
    *) $call "$@" ;;
    esac >log 2>&1 && return
    echo "With $call:"
    cat log
    failed=1
}
for compiler in gcc clang; do
    compiles $compiler '-std=c11 -Wconversion' c/*.c
    compiles $compiler '-std=gnu17 -O2' c/*.c
done
compiles g++ -std=c++17 c++/*.cpp
compiles clang++ -std=c++17 c++/*.cpp

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
