#!/bin/sh
# usage: includes.sh SOURCE-ROOT
# An arrow only ever points down: says which file includes what it may not see.
set -u
cd "$1" || exit 2

# complain RULE: each line of standard input breaks it.
complain() {
    while IFS= read -r line; do
        echo "$line    ($1)"
        echo x >>"$marks"
    done
}
marks=$(mktemp) || exit 2
trap 'rm -f "$marks"' EXIT

# includes FOLDER...: FILE:LINE:NAME of each include that is no system header's.
includes() {
    for folder; do
        [ -d "$folder" ] || continue
        find "$folder" \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.cl' \) -print
    done | sort | while IFS= read -r file; do
        sed -n 's|^[ \t]*#[ \t]*include[ \t]*\(["<][^">]*[">]\).*|\1|p;t;s/.*//p' "$file" |
            awk -v file="$file" 'length($0) { print file ":" NR ":" $0 }'
    done
}

# may FOLDER RULE PATTERN...: what FOLDER includes beyond headers of the system is one of the
# patterns, or lies in the folder itself.
may() {
    folder=$1 rule=$2
    shift 2
    includes "$folder" | while IFS=: read -r file line name; do
        path=$(echo "$name" | tr -d '"<>')
        for pattern; do
            # shellcheck disable=SC2254 # it is a pattern
            case $path in $pattern) continue 2 ;; esac
        done
        case $name in
        '<'*/*) case $path in sys/* | sanitizer/*) continue ;; esac ;;
        '<'*) continue ;;
        *../*) ;;
        *) [ -e "$folder/$path" ] || [ -e "${file%/*}/$path" ] && continue ;;
        esac
        echo "$file:$line: includes $name"
    done | complain "$rule"
}

may algorithms 'algorithms/ sees public headers and its own folder' 'weft/*'
may include/weft 'public headers see public headers'
may core 'core/ sees the seam to the backends' 'weft/*' backends/backend.h
may primitives 'primitives/ sees core/' 'weft/*' core/core.h core.h
may backends/host 'the host backends see the seam' 'weft/*' 'backends/*'
for backend in serial pthreads checking opencl; do
    may "backends/$backend" 'a backend sees the seam and what it shares with others' 'weft/*' \
        backends/backend.h backends/host/host.h backends/serial/serial.h core/core.h \
        'CL/*'
done
may io 'io/ sees public headers and its own folder' 'weft/*' 'io/*'
may distributed 'distributed/ sees public headers, errors of io/ and its own folder' 'weft/*' \
    io/error.h
may cli 'cli/ sees public headers, io/, distributed/ and its own folder' 'weft/*' 'io/*' \
    'distributed/*'
for example in examples/*/; do
    may "${example%/}" 'an example sees public headers alone' 'weft/*'
done

# Nobody else names a backend's header or OpenCL's, nor asks which backends are there.
includes algorithms cli core distributed examples include io primitives tools |
    grep -E '"(backends/[a-z]+/|opencl|pthreads|serial|checking|host)[a-z_/]*\.h"|[<"](CL/|clFFT|fftw)' |
    complain 'only backends/ names a backend'"'"'s header or its libraries'"'"''
grep -rnE '^ *# *(if|ifdef|ifndef|elif).*(OPENCL|PTHREADS|SERIAL|BACKEND)' \
    algorithms cli core distributed examples include io primitives tools 2>/dev/null |
    grep -v '^include/weft/kernel.h:[0-9]*:#ifdef __OPENCL_VERSION__$' |
    complain 'no #ifdef on a backend'

# What a device is tells how to work on it, not how many of it there are.
grep -rnE 'weft_concurrency\([a-z>.-]*\) *[<>=?]' algorithms bench cli distributed examples io primitives |
    complain 'nobody compares how many work at once: weft_device_style'

# Bodies are never in macros: a kernel file defines its include guard and no more.
find algorithms primitives examples -name '*.kernel.h' | sort | while IFS= read -r file; do
    grep -nE '^ *# *define ' "$file" | sed 1d | sed "s|^|$file:|"
done | complain 'kernel files define no macros'

[ ! -s "$marks" ]
