/* Scans of sums, 64 bytes at a time. */
#include "scan_lanes.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define TARGET __attribute__((target("avx512f,avx512cd")))
#define INLINE static inline __attribute__((always_inline)) TARGET

typedef enum kind { U32, U64, F32, F64 } kind;

INLINE int lanes_of(kind k) {
    return k == U32 || k == F32 ? 16 : 8;
}

/* s + x in the lanes of the mask, x in the others. */
INLINE __m512i add(kind k, __m512i x, u32 mask, __m512i s) {
    const __m512 x32 = _mm512_castsi512_ps(x), s32 = _mm512_castsi512_ps(s);
    const __m512d x64 = _mm512_castsi512_pd(x), s64 = _mm512_castsi512_pd(s);
    switch (k) {
    case U32:
        return _mm512_mask_add_epi32(x, (__mmask16)mask, s, x);
    case U64:
        return _mm512_mask_add_epi64(x, (__mmask8)mask, s, x);
    case F32:
        return _mm512_castps_si512(_mm512_mask_add_ps(x32, (__mmask16)mask, s32, x32));
    default:
        return _mm512_castpd_si512(_mm512_mask_add_pd(x64, (__mmask8)mask, s64, x64));
    }
}

/* For each lane the last head up to it, or -1. */
INLINE __m512i last_heads(kind k, u32 heads) {
    if (lanes_of(k) == 16) {
        const __m512i up_to = _mm512_setr_epi32(1, 3, 7, 15, 31, 63, 127, 255, 511, 1023,
                                                2047, 4095, 8191, 16383, 32767, 65535);
        const __m512i before = _mm512_and_si512(_mm512_set1_epi32((int)heads), up_to);
        return _mm512_sub_epi32(_mm512_set1_epi32(31), _mm512_lzcnt_epi32(before));
    }
    const __m512i up_to = _mm512_setr_epi64(1, 3, 7, 15, 31, 63, 127, 255);
    const __m512i before = _mm512_and_si512(_mm512_set1_epi64((i64)heads), up_to);
    return _mm512_sub_epi64(_mm512_set1_epi64(63), _mm512_lzcnt_epi64(before));
}

/* Those lanes of a mask whose last head is not behind `from`. */
INLINE u32 open(kind k, u32 mask, __m512i last, __m512i from) {
    return lanes_of(k) == 16 ? _mm512_mask_cmple_epi32_mask((__mmask16)mask, last, from)
                             : _mm512_mask_cmple_epi64_mask((__mmask8)mask, last, from);
}

/* Each lane but the first of 2, 4, 8, 16 takes what the half before it has come to. */
INLINE __m512i scan_narrow(kind k, __m512i x, int headed, __m512i last) {
    const __m512i from1 = _mm512_setr_epi32(0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12,
                                            14, 14),
                  from2 =
                      _mm512_setr_epi32(1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13),
                  from4 = _mm512_setr_epi32(3, 3, 3, 3, 3, 3, 3, 3, 11, 11, 11, 11, 11, 11,
                                            11, 11),
                  from8 = _mm512_set1_epi32(7);
    const u32 take1 = headed ? open(k, 0xaaaa, last, from1) : 0xaaaa,
              take2 = headed ? open(k, 0xcccc, last, from2) : 0xcccc,
              take4 = headed ? open(k, 0xf0f0, last, from4) : 0xf0f0,
              take8 = headed ? open(k, 0xff00, last, from8) : 0xff00;
    x = add(k, x, take1, _mm512_shuffle_epi32(x, 0xa0));
    x = add(k, x, take2, _mm512_shuffle_epi32(x, 0x55));
    x = add(k, x, take4, _mm512_permutexvar_epi32(from4, x));
    return add(k, x, take8, _mm512_permutexvar_epi32(from8, x));
}

INLINE __m512i scan_wide(kind k, __m512i x, int headed, __m512i last) {
    const __m512i from1 = _mm512_setr_epi64(0, 0, 2, 2, 4, 4, 6, 6),
                  from2 = _mm512_setr_epi64(1, 1, 1, 1, 5, 5, 5, 5),
                  from4 = _mm512_set1_epi64(3);
    const u32 take1 = headed ? open(k, 0xaa, last, from1) : 0xaa,
              take2 = headed ? open(k, 0xcc, last, from2) : 0xcc,
              take4 = headed ? open(k, 0xf0, last, from4) : 0xf0;
    x = add(k, x, take1, _mm512_permutex_epi64(x, 0xa0));
    x = add(k, x, take2, _mm512_permutex_epi64(x, 0x55));
    return add(k, x, take4, _mm512_permutexvar_epi64(from4, x));
}

INLINE __m512i last_lane(kind k, __m512i x) {
    return lanes_of(k) == 16 ? _mm512_permutexvar_epi32(_mm512_set1_epi32(15), x)
                             : _mm512_permutexvar_epi64(_mm512_set1_epi64(7), x);
}

/* y, each lane the one before; the first the last of `before`; 0 where one begins. */
INLINE __m512i one_later(kind k, __m512i before, __m512i y, u32 heads) {
    return lanes_of(k) == 16 ? _mm512_maskz_alignr_epi32((__mmask16)~heads, y, before, 15)
                             : _mm512_maskz_alignr_epi64((__mmask8)~heads, y, before, 7);
}

typedef struct walk {
    const char *in;
    const u32 *heads;
    char *out;
    __m512i sum, before; /* in all lanes; the group before, or in all lanes the sum */
} walk;

/* A group of `some` elements: masks of it. */
INLINE void scan_group(kind k, walk *w, i64 i, u32 some, int headed, int exclusive,
                       int bypass) {
    const int narrow = lanes_of(k) == 16;
    const u32 all = narrow ? 0xffff : 0xff;
    const i64 size = narrow ? 4 : 8;
    const __mmask16 words = (__mmask16)some;
    const __m512i zero = _mm512_setzero_si512();
    __m512i x = some == all ? _mm512_loadu_si512(w->in + i * size)
                : narrow    ? _mm512_maskz_loadu_epi32(words, w->in + i * size)
                            : _mm512_maskz_loadu_epi64((__mmask8)some, w->in + i * size);
    u32 heads = 0;
    if (headed) {
        const __m512i flags = _mm512_maskz_loadu_epi32(words, w->heads + i);
        heads = _mm512_test_epi32_mask(flags, flags);
    }
    const __m512i last = last_heads(k, heads);
    if (k == F32 || k == F64)
        x = add(k, x, all, zero);
    x = narrow ? scan_narrow(k, x, headed, last) : scan_wide(k, x, headed, last);
    const u32 goes_on = headed ? open(k, all, last, _mm512_set1_epi32(-1)) : all;
    __m512i y = add(k, x, goes_on, w->sum);
    w->sum = headed ? last_lane(k, y) : add(k, last_lane(k, x), all, w->sum);
    if (exclusive) {
        const __m512i inclusive = y;
        y = one_later(k, w->before, y, heads);
        w->before = inclusive;
    }
    if (some == all && bypass)
        _mm512_stream_si512((__m512i *)(void *)(w->out + i * size), y);
    else if (some == all)
        _mm512_storeu_si512(w->out + i * size, y);
    else if (narrow)
        _mm512_mask_storeu_epi32(w->out + i * size, words, y);
    else
        _mm512_mask_storeu_epi64(w->out + i * size, (__mmask8)some, y);
}

INLINE void walk_all(kind k, walk w, int headed, int exclusive, i64 n, void *sum,
                     int bypass) {
    const i64 lanes = lanes_of(k), whole = n / lanes * lanes;
    const u32 all = (1u << lanes) - 1;
    w.sum = lanes == 16 ? _mm512_set1_epi32(*(const int *)sum)
                        : _mm512_set1_epi64(*(const i64 *)sum);
    w.before = w.sum;
    for (i64 i = 0; i < whole; i += lanes)
        scan_group(k, &w, i, all, headed, exclusive, bypass);
    if (whole < n)
        scan_group(k, &w, whole, (1u << (n - whole)) - 1, headed, exclusive, 0);
    if (lanes == 16)
        _mm512_mask_storeu_epi32(sum, 1, w.sum);
    else
        _mm512_mask_storeu_epi64(sum, 1, w.sum);
}

INLINE void walk_any(kind k, const void *in, const u32 *heads, int exclusive, i64 n,
                     void *sum, void *out, int bypass) {
    const walk w = {.in = in, .heads = heads, .out = out};
    if (heads && exclusive)
        walk_all(k, w, 1, 1, n, sum, bypass);
    else if (heads)
        walk_all(k, w, 1, 0, n, sum, bypass);
    else if (exclusive)
        walk_all(k, w, 0, 1, n, sum, bypass);
    else
        walk_all(k, w, 0, 0, n, sum, bypass);
}

TARGET static void plus_u32(const void *in, const u32 *heads, int exclusive, i64 n,
                            void *sum, void *out, int bypass) {
    walk_any(U32, in, heads, exclusive, n, sum, out, bypass);
}
TARGET static void plus_u64(const void *in, const u32 *heads, int exclusive, i64 n,
                            void *sum, void *out, int bypass) {
    walk_any(U64, in, heads, exclusive, n, sum, out, bypass);
}
TARGET static void plus_f32(const void *in, const u32 *heads, int exclusive, i64 n,
                            void *sum, void *out, int bypass) {
    walk_any(F32, in, heads, exclusive, n, sum, out, bypass);
}
TARGET static void plus_f64(const void *in, const u32 *heads, int exclusive, i64 n,
                            void *sum, void *out, int bypass) {
    walk_any(F64, in, heads, exclusive, n, sum, out, bypass);
}

const scan_lanes_set scan_lanes_avx512 = {plus_u32, plus_u64, plus_f32, plus_f64};
#else
const scan_lanes_set scan_lanes_avx512 = {NULL, NULL, NULL, NULL};
#endif
