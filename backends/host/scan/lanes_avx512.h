/* Sums along the lanes of 64 bytes, for what scans in registers. In these functions `kind`
 * is a constant wherever they are called. For x86-64 alone. */
#ifndef WEFT_BACKENDS_HOST_SCAN_LANES_AVX512_H
#define WEFT_BACKENDS_HOST_SCAN_LANES_AVX512_H

#include "weft/short_names.h"

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

INLINE int wraps(kind k) {
    return k == U32 || k == U64;
}

/* Of sums that wrap around: the prefix of all, less what came before the last head. */
INLINE __m512i scan_wrapping(kind k, __m512i x, __m512i last) {
    const __m512i zero = _mm512_setzero_si512();
    if (lanes_of(k) == 16) {
        const __m512i y = scan_narrow(k, x, 0, last),
                      before = _mm512_sub_epi32(last, _mm512_set1_epi32(1));
        const __mmask16 some = _mm512_cmpgt_epi32_mask(last, zero);
        return _mm512_sub_epi32(y, _mm512_maskz_permutexvar_epi32(some, before, y));
    }
    const __m512i y = scan_wide(k, x, 0, last),
                  before = _mm512_sub_epi64(last, _mm512_set1_epi64(1));
    const __mmask8 some = _mm512_cmpgt_epi64_mask(last, zero);
    return _mm512_sub_epi64(y, _mm512_maskz_permutexvar_epi64(some, before, y));
}

/* The prefix of x from the last head at or before each lane. */
INLINE __m512i scan_lanes_512(kind k, __m512i x, int headed, __m512i last) {
    if (headed && wraps(k))
        return scan_wrapping(k, x, last);
    if (k == F32 || k == F64)
        x = add(k, x, lanes_of(k) == 16 ? 0xffff : 0xff, _mm512_setzero_si512());
    return lanes_of(k) == 16 ? scan_narrow(k, x, headed, last)
                             : scan_wide(k, x, headed, last);
}

/* Element 0 of memory in all lanes; and back. */
INLINE __m512i load_sum(kind k, const void *sum) {
    return lanes_of(k) == 16 ? _mm512_set1_epi32(*(const int *)sum)
                             : _mm512_set1_epi64(*(const i64 *)sum);
}

INLINE void store_sum(kind k, void *sum, __m512i x) {
    if (lanes_of(k) == 16)
        _mm512_mask_storeu_epi32(sum, 1, x);
    else
        _mm512_mask_storeu_epi64(sum, 1, x);
}

#endif
