#!/bin/sh
# embed.sh WEFT_EMBED: weft-embed refuses what OpenCL would, in one sentence with file, line
# and what to write instead; and takes the same words where they mean no harm.
set -u
embed=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0
cases=0

# embedded TEXT: the kernel file trial.kernel.h with this text on its fourth line.
embedded() {
    printf '/* A trial. */\n#include <weft/kernel.h>\n\n%s\nstatic inline u32 trial(index_t i) {\n    return (u32)i;\n}\n' \
        "$1" >"$work/trial.kernel.h"
    "$embed" "$work/trial.kernel.h" -o "$work/trial.c" 2>"$work/log"
}

# refused TEXT WORDS
refused() {
    cases=$((cases + 1))
    if embedded "$1" || [ "$(wc -l <"$work/log")" != 1 ] ||
        ! grep -qF "$work/trial.kernel.h:4: $2" "$work/log"; then
        echo "expected of: $1"
        echo "    $2"
        echo "but got: $(cat "$work/log")"
        failed=1
    fi
}

# taken TEXT
taken() {
    cases=$((cases + 1))
    embedded "$1" || {
        echo "refused: $1"
        cat "$work/log"
        failed=1
    }
}

refused 'static const f32 table[2] = {1, 2};' "'table' lies at file scope: write CONSTANT in place of static const"
refused 'const u32 trial_most = 3;' "'trial_most' lies at file scope: write CONSTANT"
refused 'static u32 trial_count;' "'trial_count' lies at file scope: write CONSTANT"
refused 'u32 trial_count;' "'trial_count' lies at file scope: write CONSTANT before a table"
refused 'i32 trial_table[2] = {1, 2};' "'trial_table' lies at file scope: write CONSTANT before a table"
refused 'typedef u32 trial_word; trial_word trial_three = 3;' "'trial_three' lies at file scope: write CONSTANT before a table"
refused 'static inline u32 trial_a(u32 x) { static const u32 t[2] = {1, 2}; return t[x]; }' "'static' inside a function"
refused 'static inline f32 trial_a(f32 x) { return sqrtf(x); }' "'sqrtf' is no function of OpenCL: write sqrt"
refused 'static inline f32 trial_a(f32 x) { return expf (x); }' "'expf' is no function of OpenCL: write exp"
refused 'static inline f32 trial_a(f32 x) { return fmaxf(x, 1.0f); }' "'fmaxf' is no function of OpenCL: write max"
refused 'static inline u32 trial_a(f32 x) { u32 b; memcpy(&b, &x, 4); return b; }' "'memcpy' is no function of OpenCL"
refused 'static inline u32 trial_a(u32 n, size_t k) { return n; }' "'size_t' is of another size on some devices: write u32, i64 or index_t"
refused 'static inline u32 trial_a(unsigned long n) { return n; }' "'long' is of another size on some hosts: write i64"
refused 'static inline u32 trial_a(int64_t n) { return n; }' "'int64_t' is no type of OpenCL: write i64"
refused 'typedef struct trial_b { uint8_t flag; } trial_b;' "'uint8_t' is no type of OpenCL: write u8"
refused 'static inline u32 trial_a(bool yes) { return yes; }' "'bool' has no size that host and device agree on"
refused 'typedef struct trial_b { char c[4]; } trial_b;' "'char' has a sign on some machines alone: write i8 or u8"
for word in kernel global local constant private half image2d_t read_only sampler_t; do
    refused "static inline u32 trial_a(u32 $word) { return $word; }" "'$word' is a reserved word of OpenCL: choose another name"
done
refused 'static inline u32 trial_a(u32 n) { return n == UINT32_MAX; }' "'UINT32_MAX' is no name of OpenCL: write 0xffffffffu"
refused 'typedef struct float4 { f32 x, y, z, w; } float4;' "'float4' is a type of OpenCL: choose another name"
refused 'static inline u32 trial_a(GLOBAL const u32 *x) { __global const u32 *y = x; return *y; }' "'__global' is no word of C"
refused 'static inline u32 trial_a(u32 n) { return n < 2 ? n : trial_a (n - 1); }' "'trial_a' calls itself, which OpenCL has not: write a loop"
refused 'static inline u32 trial_b(u32 n); static inline u32 trial_a(u32 n) { return n < 2 ? n : trial_b(n - 1); } static inline u32 trial_b(u32 n) { return trial_a(n); }' \
    "'trial_a' calls itself by way of 'trial_b', which OpenCL has not: write a loop"
refused 'static inline u32 trial_c(u32 n); static inline u32 trial_a(u32 n) { return trial_c(n); } static inline u32 trial_b(u32 n) { return trial_a(n); } static inline u32 trial_c(u32 n) { return n ? trial_b(n - 1) : n; }' \
    "'trial_a' calls itself by way of 'trial_c', 'trial_b', which OpenCL has not: write a loop"
taken 'static inline u32 trial_a(u32 n) { return n; } static inline u32 trial_b(u32 n) { return trial_a(n) + trial_a(n); } static inline u32 trial_c(u32 n) { return trial_b(n) + trial_a(n); }'
taken 'static inline u32 trial_a(u32 n) { const u32 trial_b = n; return trial_b; } static inline u32 trial_b(u32 n) { return trial_a(n); }'
for name in clamp min max dot length distance mix step select sign cross; do
    refused "static inline f32 $name(f32 a, f32 b) { return a + b; }" \
        "'$name' is a function of OpenCL itself: name yours trial_$name"
done

# Where the file is called so, too.
printf 'static inline f32 clamp(f32 x) {\n    return x;\n}\n' >"$work/clamp.kernel.h"
"$embed" "$work/clamp.kernel.h" -o "$work/clamp.c" 2>"$work/log" && failed=1
grep -qF "clamp.kernel.h:1: 'clamp' is a function of OpenCL itself: name yours clamp_clamp, or it and its file otherwise" \
    "$work/log" || { cat "$work/log" && failed=1; }

taken 'CONSTANT f32 trial_table[2] = {1, 2};'
taken 'static const f32 *trial_a(const f32 *x) { return x + 1; }'
taken 'static inline const f32 *trial_a(const f32 *x) { const f32 *y = x; return y + 1; }'
taken 'typedef f32 trial_three[3]; enum { TRIAL = 1, TRIAL_B = 2 }; struct trial_c { u32 a[3]; };'
taken 'struct trial_d; enum trial_e { TRIAL_F }; union trial_g { u32 a[2]; f32 b; }; u32 trial_a(u32 x); u32 trial_a(u32 x) { return x; } struct trial_d { u32 a; };'
taken '/* kernel, global, half: static const char sqrtf(x) clamp */ // size_t long'
taken 'static inline f32 trial_a(f32 distance, f32 length) { const f32 step = length; return min(distance, step); }'
taken 'static inline f32 trial_a(f32 x) { return clamp(x, 0.0f, 1.0f) + 0x1p-3f + 1e3f; }'
taken 'static inline u32 trial_a(u32 x) { const u32 t[2] = {1, 2}; return t[x] + (u32)sizeof(t); }'
taken 'static inline u32 trial_a(u32 locals, u32 halfway, u32 float41) { return locals + halfway + float41; }'
taken '#ifdef __OPENCL_VERSION__
static inline u32 trial_a(local u32 *x) { return *x; }
#else
static inline u32 trial_a(u32 *x) { static const u32 long_one = 1; memcpy(x, &long_one, 4); return *x; }
#endif'

# Of files that are pasted in, their own name and line.
printf '#include "inner.kernel.h"\nstatic inline u32 trial(index_t i) {\n    return 1;\n}\n' >"$work/trial.kernel.h"
printf '\n\nstatic const u32 inner_table[1] = {1};\n' >"$work/inner.kernel.h"
"$embed" "$work/trial.kernel.h" -o "$work/trial.c" 2>"$work/log" && failed=1
grep -qF "$work/inner.kernel.h:3: 'inner_table' lies at file scope" "$work/log" || failed=1
[ $failed = 1 ] && cat "$work/log"
echo "$cases texts"
exit $failed
