/* Four elements are put in order by their flags: one of 16 orders. */
#include "compact_quads.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#include <string.h>

enum { AHEAD = 8 << 10 }; /* bytes, as of vectors that compress */

/* Bytes of the first to fourth element, and orders of those whose bits are set. */
enum { A = 0x03020100, B = 0x07060504, C = 0x0b0a0908, D = 0x0f0e0d0c };
static const i32 order[16][4] = {
    {0}, {A},    {B},    {A, B},    {C},    {A, C},    {B, C},    {A, B, C},
    {D}, {A, D}, {B, D}, {A, B, D}, {C, D}, {A, C, D}, {B, C, D}, {A, B, C, D}};

int compact_has_quads(void) {
    return __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt");
}

static inline __attribute__((always_inline, target("ssse3,popcnt"))) void
put(__m128i x, u32 mask, char *out) {
    const __m128i by = _mm_loadu_si128((const __m128i *)(const void *)order[mask]);
    _mm_storeu_si128((__m128i *)(void *)out, _mm_shuffle_epi8(x, by));
}

__attribute__((target("ssse3,popcnt"))) i64
compact_quads(const char *in, const u32 *flags, u32 keep, i64 n, char *out, char *others) {
    const u32 turn = keep ? 0xf : 0;
    i64 to = 0, i = 0;
    for (; i + 4 <= n; i += 4) {
        const __m128i flag = _mm_loadu_si128((const __m128i *)(const void *)(flags + i)),
                      x = _mm_loadu_si128((const __m128i *)(const void *)(in + 4 * i)),
                      none = _mm_cmpeq_epi32(flag, _mm_setzero_si128());
        const u32 mask = (u32)_mm_movemask_ps(_mm_castsi128_ps(none)) ^ turn;
        __builtin_prefetch(in + 4 * i + AHEAD);
        put(x, mask, out + 4 * to);
        if (others)
            put(x, mask ^ 0xf, others + 4 * (i - to));
        to += __builtin_popcount(mask);
    }
    for (; i < n; i++) {
        memcpy(out + 4 * to, in + 4 * i, 4);
        if (others)
            memcpy(others + 4 * (i - to), in + 4 * i, 4);
        to += (flags[i] != 0) == keep;
    }
    return to;
}

#else
int compact_has_quads(void) {
    return 0;
}

i64 compact_quads(const char *in, const u32 *flags, u32 keep, i64 n, char *out,
                  char *others) {
    (void)in, (void)flags, (void)keep, (void)n, (void)out, (void)others;
    return 0;
}
#endif
