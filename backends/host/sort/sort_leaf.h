/* Few elements, from memory to memory, sorted by a network of as many registers as hold
 * them; `size` is 4 or 8 and a constant wherever a function is called. */
#ifndef WEFT_BACKENDS_HOST_SORT_LEAF_H
#define WEFT_BACKENDS_HOST_SORT_LEAF_H

#include "sort_network.h"

/* The first `n` lanes, where that is no more than there are. */
INLINE __mmask16 first_lanes(i64 n) {
    return (__mmask16)(n >= 16 ? 0xffff : n <= 0 ? 0 : (1u << n) - 1);
}

INLINE __m512i load(const char *from, i64 n, i32 size) {
    const __m512i last = _mm512_set1_epi32(-1);
    return size == 4 ? _mm512_mask_loadu_epi32(last, first_lanes(n), from)
                     : _mm512_mask_loadu_epi64(last, (__mmask8)first_lanes(n), from);
}

INLINE void store(char *to, __m512i a, i64 n, i32 size) {
    if (size == 4)
        _mm512_mask_storeu_epi32(to, first_lanes(n), a);
    else
        _mm512_mask_storeu_epi64(to, (__mmask8)first_lanes(n), a);
}

/* n elements that `rows` registers hold; `to` may be `from`. */
INLINE void sort_few(const char *from, char *to, i64 n, i32 rows, i32 size) {
    const i64 lanes = 64 / size;
    __m512i v[ROWS];
#pragma GCC unroll 16
    for (i32 r = 0; r < rows; r++)
        v[r] = load(from + 64 * r, n - r * lanes, size);
    sort_registers(v, rows, size);
    if (rows > 1)
        interleave(v, rows, size);
    if (rows > 2)
        interleave(v, rows, size);
    if (rows > 4)
        interleave(v, rows, size);
    if (rows > 8)
        interleave(v, rows, size);
#pragma GCC unroll 16
    for (i32 r = 0; r < rows; r++)
        store(to + 64 * r, v[r], n - r * lanes, size);
}

INLINE void sort_leaf(const char *from, char *to, i64 n, i32 size) {
    const i64 lanes = 64 / size;
    if (n <= lanes)
        sort_few(from, to, n, 1, size);
    else if (n <= 2 * lanes)
        sort_few(from, to, n, 2, size);
    else if (n <= 4 * lanes)
        sort_few(from, to, n, 4, size);
    else if (n <= 8 * lanes)
        sort_few(from, to, n, 8, size);
    else
        sort_few(from, to, n, 16, size);
}

#endif
