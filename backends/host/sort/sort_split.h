/* A step of a quicksort by vectors: where elements are cut in two, and how they are taken
 * apart there; `size` is 4 or 8 and a constant wherever a function is called. Source:
 * Blacher, Giesen, Sanders and Wassenberg, "Vectorized and performance-portable quicksort",
 * 2022. */
#ifndef WEFT_BACKENDS_HOST_SORT_SPLIT_H
#define WEFT_BACKENDS_HOST_SORT_SPLIT_H

#include "sort_network.h"

INLINE u64 element(const char *from, i64 i, i32 size) {
    u32 x4;
    u64 x8;
    if (size == 4)
        return __builtin_memcpy(&x4, from + 4 * i, 4), x4;
    return __builtin_memcpy(&x8, from + 8 * i, 8), x8;
}

/* Where elements lie: no less than `least`, no more than `most`. */
typedef struct range {
    u64 least, most;
} range;

/* n is no less than a register holds. */
INLINE range range_of(const char *from, i64 n, i32 size) {
    const i64 lanes = 64 / size;
    __m512i low = _mm512_loadu_si512(from + (n - lanes) * size), high = low;
    for (i64 i = 0; i + lanes <= n; i += lanes) {
        const __m512i x = _mm512_loadu_si512(from + i * size);
        low = least(low, x, size);
        high = most(high, x, size);
    }
    return size == 4 ? (range){_mm512_reduce_min_epu32(low), _mm512_reduce_max_epu32(high)}
                     : (range){_mm512_reduce_min_epu64(low), _mm512_reduce_max_epu64(high)};
}

/* The median of a sample, or what follows it, so that some elements are below it and some
 * are not; 0 where the sample's are all equal. */
INLINE u64 sampled_pivot(const char *from, i64 n, i32 size) {
    const i64 lanes = 64 / size, step = (n - lanes) / 2;
    _Alignas(64) char sample[64];
    __m512i v[3];
    for (i32 k = 0; k < 3; k++)
        v[k] = _mm512_loadu_si512(from + k * step * size);
    exchange(&v[0], &v[1], size);
    exchange(&v[1], &v[2], size);
    exchange(&v[0], &v[1], size);
    sort_registers(&v[1], 1, size);
    _mm512_store_si512(sample, v[1]);
    const u64 low = element(sample, 0, size), middle = element(sample, lanes / 2, size);
    if (low == element(sample, lanes - 1, size))
        return 0;
    return middle > low ? middle : low + 1;
}

/* The middle of the range, or of few elements where those below nearly fill the registers:
 * no input needs more such pivots than a key has bits. */
INLINE u64 middle_pivot(range r, i64 n, i32 size) {
    const i64 few = ROWS * 64 / size, goal = few - few / 8;
    const u64 width = r.most - r.least, each = width / (u64)n;
    return n < 2 * goal && each > 0 ? r.least + each * (u64)goal : r.most - width / 2;
}

/* The lanes in the mask first. Merged into `x`, since an instruction that clears what it
 * does not write waits on Zen 5 for the last one that wrote its register. */
INLINE __m512i compressed(__m512i x, u32 mask, i32 size) {
    return size == 4 ? _mm512_mask_compress_epi32(x, (__mmask16)mask, x)
                     : _mm512_mask_compress_epi64(x, (__mmask8)mask, x);
}

/* What is needed next: the rest of a chunk, and other chunks. */
typedef struct ahead {
    const char *line, *chunk_end, *memory;
    i64 length;
    const u32 *chunk, *end;
} ahead;

/* A line at a time, between other work: the processor waits where it is asked for many. */
INLINE void fetch_line(ahead *next) {
    if (next->line == next->chunk_end) {
        if (next->chunk == next->end)
            return;
        next->line = next->memory + *next->chunk++ * next->length;
        next->chunk_end = next->line + next->length;
    }
    __builtin_prefetch(next->line, 0, 2);
    next->line += 64;
}

/* One register's elements: how many are below. */
INLINE i64 split_register(__m512i x, char *low, char *above, __m512i pivot, i32 size) {
    const u32 less =
        size == 4 ? _mm512_cmplt_epu32_mask(x, pivot) : _mm512_cmplt_epu64_mask(x, pivot);
    _mm512_storeu_si512(low, compressed(x, less, size));
    _mm512_storeu_si512(above, compressed(x, ~less, size));
    return __builtin_popcount(less);
}

/* Elements below the pivot to `low`, which may be `from`, the others to `above`. Returns
 * how many are below. */
INLINE i64 split(const char *from, i64 n, char *low, char *above, u64 pivot, i32 size,
                 ahead *next) {
    const i64 lanes = 64 / size;
    const __m512i middle =
        size == 4 ? _mm512_set1_epi32((i32)(u32)pivot) : _mm512_set1_epi64((i64)pivot);
    i64 below = 0, i = 0;
    while (i + 4 * lanes <= n) {
        fetch_line(next);
#pragma GCC unroll 4
        for (i32 k = 0; k < 4; k++, i += lanes)
            below += split_register(_mm512_loadu_si512(from + i * size), low + below * size,
                                    above + (i - below) * size, middle, size);
    }
    for (; i + lanes <= n; i += lanes)
        below += split_register(_mm512_loadu_si512(from + i * size), low + below * size,
                                above + (i - below) * size, middle, size);
    for (; i < n; i++) {
        const u64 x = element(from, i, size);
        char *to = x < pivot ? low + below * size : above + (i - below) * size;
        __builtin_memcpy(to, from + i * size, (size_t)size);
        below += x < pivot;
    }
    return below;
}

#endif
