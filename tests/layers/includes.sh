#!/bin/sh
# usage: includes.sh SOURCE-ROOT
# What rooms.sh cannot know: who may name backends, their libraries and how many work at once.
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

# Nobody else names a backend's header or OpenCL's, nor asks which backends are there.
includes algorithms cli core distributed examples include io primitives tools |
    grep -E '"(backends/[a-z]+/|opencl|pthreads|serial|checking|host)[a-z_/]*\.h"|[<"](CL/|clFFT|fftw)' |
    grep -v '^include/weft/opencl.h:[0-9]*:<CL/cl.h>$' |
    complain 'only backends/ names a backend'"'"'s header or its libraries'"'"''
grep -rnE '^ *# *(if|ifdef|ifndef|elif).*(OPENCL|PTHREADS|SERIAL|BACKEND)' \
    algorithms cli core distributed examples include io primitives tools 2>/dev/null |
    grep -v '#ifndef WEFT_[A-Z_]*_H$' |
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
