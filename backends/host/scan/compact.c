/* Stream compaction of what lies in the cache. */
#include "compact_quads.h"

#include <string.h>
#if defined(__x86_64__) && defined(__GNUC__)
#define VECTORS
#include <immintrin.h>
#endif

enum {
    LINE = 64,
    AHEAD = 8 << 10 /* bytes: 128 lines, since a turn of the loop takes a few cycles */
};

/* Each element is written where the next one kept belongs, and stays if it is kept: no
 * branch depends on a flag. */
static inline __attribute__((always_inline)) i64
move(const char *in, const u32 *flags, u32 keep, i64 n, size_t size, char *out) {
    i64 to = 0;
    for (size_t k = 0; k < (size_t)n * size; k += LINE)
        __builtin_prefetch(in + AHEAD + k);
    for (i64 i = 0; i < n; i++) {
        memcpy(out + (size_t)to * size, in + (size_t)i * size, size);
        to += (flags[i] != 0) == keep;
    }
    return to;
}

static i64 move_some(const char *in, const u32 *flags, u32 keep, i64 n, size_t size,
                     char *out) {
    switch (size) {
    case 1:
        return move(in, flags, keep, n, 1, out);
    case 2:
        return move(in, flags, keep, n, 2, out);
    case 4:
        return move(in, flags, keep, n, 4, out);
    case 8:
        return move(in, flags, keep, n, 8, out);
    default:
        return move(in, flags, keep, n, size, out);
    }
}

static i64 move_any(const char *in, const u32 *flags, u32 keep, i64 n, size_t size,
                    char *out, char *others) {
    if (others)
        move_some(in, flags, !keep, n, size, others);
    return move_some(in, flags, keep, n, size, out);
}

#ifdef VECTORS
/* All lanes are written, those of the mask first. (Lanes made zero instead would wait for
 * what their register held.) */
static inline __attribute__((always_inline, target("avx512f,popcnt"))) void
put_words(__m512i x, u32 mask, char *out) {
    _mm512_storeu_si512(out, _mm512_mask_compress_epi32(x, (__mmask16)mask, x));
}

static inline __attribute__((always_inline, target("avx512f,popcnt"))) void
put_longs(__m512i low, __m512i high, u32 mask, char *out) {
    _mm512_storeu_si512(out, _mm512_mask_compress_epi64(low, (__mmask8)mask, low));
    _mm512_storeu_si512(out + 8 * __builtin_popcount(mask & 0xff),
                        _mm512_mask_compress_epi64(high, (__mmask8)(mask >> 8), high));
}

/* Sixteen elements of 4 or 8 bytes at a time. */
__attribute__((target("avx512f,popcnt"))) static i64
move_vectors(const char *in, const u32 *flags, u32 keep, i64 n, size_t size, char *out,
             char *others) {
    const u32 turn = keep ? 0 : 0xffff;
    i64 to = 0, i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m512i flag = _mm512_loadu_si512(flags + i);
        const u32 mask = _mm512_test_epi32_mask(flag, flag) ^ turn;
        __builtin_prefetch(in + (size_t)i * size + AHEAD);
        if (size == 4) {
            const __m512i x = _mm512_loadu_si512(in + 4 * i);
            put_words(x, mask, out + 4 * to);
            if (others)
                put_words(x, mask ^ 0xffff, others + 4 * (i - to));
        } else {
            const __m512i low = _mm512_loadu_si512(in + 8 * i),
                          high = _mm512_loadu_si512(in + 8 * i + LINE);
            __builtin_prefetch(in + 8 * i + LINE + AHEAD);
            put_longs(low, high, mask, out + 8 * to);
            if (others)
                put_longs(low, high, mask ^ 0xffff, others + 8 * (i - to));
        }
        to += __builtin_popcount(mask);
    }
    return to + move_any(in + (size_t)i * size, flags + i, keep, n - i, size,
                         out + (size_t)to * size,
                         others ? others + (size_t)(i - to) * size : NULL);
}
#endif

i64 host_compact(const void *in, const u32 *flags, u32 keep, i64 n, size_t size, void *out,
                 void *others) {
#ifdef VECTORS
    if ((size == 4 || size == 8) && __builtin_cpu_supports("avx512f"))
        return move_vectors(in, flags, keep, n, size, out, others);
#endif
    if (size == 4 && compact_has_quads())
        return compact_quads(in, flags, keep, n, out, others);
    return move_any(in, flags, keep, n, size, out, others);
}
