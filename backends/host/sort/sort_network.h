/* Networks that sort what up to sixteen registers hold; `size`, of elements, is 4 or 8 and
 * a constant wherever a function is called, as are `rows` and what says which lanes.
 * Source: Batcher, "Sorting networks and their applications", AFIPS 1968. */
#ifndef WEFT_BACKENDS_HOST_SORT_NETWORK_H
#define WEFT_BACKENDS_HOST_SORT_NETWORK_H

#include "weft/short_names.h"

#include <immintrin.h>

#define VECTORS __attribute__((target("avx512f,popcnt")))
#define INLINE static inline __attribute__((always_inline)) VECTORS
enum { ROWS = 16 }; /* the most registers of a network */

INLINE __m512i least(__m512i a, __m512i b, i32 size) {
    return size == 4 ? _mm512_min_epu32(a, b) : _mm512_min_epu64(a, b);
}

INLINE __m512i most(__m512i a, __m512i b, i32 size) {
    return size == 4 ? _mm512_max_epu32(a, b) : _mm512_max_epu64(a, b);
}

INLINE void exchange(__m512i *a, __m512i *b, i32 size) {
    const __m512i low = least(*a, *b, size);
    *b = most(*a, *b, size);
    *a = low;
}

INLINE void rows_step(__m512i *v, i32 rows, i32 apart, i32 size) {
#pragma GCC unroll 16
    for (i32 r = 0; r < rows; r++)
        if (!(r & apart))
            exchange(&v[r], &v[r + apart], size);
}

INLINE void odd_even_step(__m512i *v, i32 rows, i32 run, i32 apart, i32 size) {
#pragma GCC unroll 16
    for (i32 r = 0; r < rows; r++)
        if ((r & apart) && r / (2 * run) == (r + apart) / (2 * run))
            exchange(&v[r], &v[r + apart], size);
}

/* Two sorted runs of `run` rows each to one, in each lane: an odd-even merge. */
INLINE void merge_runs(__m512i *v, i32 rows, i32 run, i32 size) {
    rows_step(v, rows, run, size);
    if (run > 4)
        odd_even_step(v, rows, run, 4, size);
    if (run > 2)
        odd_even_step(v, rows, run, 2, size);
    if (run > 1)
        odd_even_step(v, rows, run, 1, size);
}

/* Each lane by rows. */
INLINE void sort_rows(__m512i *v, i32 rows, i32 size) {
    if (rows > 1)
        merge_runs(v, rows, 1, size);
    if (rows > 2)
        merge_runs(v, rows, 2, size);
    if (rows > 4)
        merge_runs(v, rows, 4, size);
    if (rows > 8)
        merge_runs(v, rows, 8, size);
}

/* The same where they rise and then fall, or fall and then rise. */
INLINE void merge_rows(__m512i *v, i32 rows, i32 size) {
    if (rows > 8)
        rows_step(v, rows, 8, size);
    if (rows > 4)
        rows_step(v, rows, 4, size);
    if (rows > 2)
        rows_step(v, rows, 2, size);
    if (rows > 1)
        rows_step(v, rows, 1, size);
}

/* Numbers of lanes, of 4 bytes two in a word: none of the steps below carries over. */
typedef u64 lane_numbers __attribute__((vector_size(64)));

INLINE u64 each_lane(u64 x, i32 size) {
    return size == 4 ? x << 32 | x : x;
}

INLINE lane_numbers own_lanes(i32 size) {
    const lane_numbers of4 = {1ull << 32,       3ull << 32 | 2,  5ull << 32 | 4,
                              7ull << 32 | 6,   9ull << 32 | 8,  11ull << 32 | 10,
                              13ull << 32 | 12, 15ull << 32 | 14};
    const lane_numbers of8 = {0, 1, 2, 3, 4, 5, 6, 7};
    return size == 4 ? of4 : of8;
}

/* 1 in lanes l that have the bit. */
INLINE lane_numbers has(lane_numbers l, u64 bit, i32 size) {
    return (l & each_lane(bit, size)) / bit;
}

/* Lane l of the result is lane l ^ x. */
INLINE __m512i turned(__m512i a, u64 x, i32 size) {
    const __m512i from = (__m512i)(own_lanes(size) ^ each_lane(x, size));
    return size == 4 ? _mm512_permutexvar_epi32(from, a)
                     : _mm512_permutexvar_epi64(from, a);
}

/* How two rows a and b of sorted lanes were compared, to give `low` and `high`: lane l of a
 * with l ^ `with` of b (`across`), or of each row lanes l and l ^ `bit`. `bit` is the
 * highest of `with`; lanes without it have the least. In the first case low[l] is of a's
 * lane l and b's l ^ with, in the second of a where l is without the bit, else of b's. */
typedef struct comparison {
    u64 with, bit;
    int across;
} comparison;

/* Where lanes l of the row (0: a, 1: b, each lane its own) are now, in low and, by lanes
 * that follow those, in high. */
INLINE lane_numbers place_of(comparison c, lane_numbers l, lane_numbers row, i32 size) {
    const lane_numbers upper = has(l, c.bit, size), from = upper * (64 / (u64)size);
    return from + (l ^ (c.across ? row * c.with : (upper ^ row) * c.bit));
}

INLINE __m512i picked(__m512i low, lane_numbers place, __m512i high, i32 size) {
    return size == 4 ? _mm512_permutex2var_epi32(low, (__m512i)place, high)
                     : _mm512_permutex2var_epi64(low, (__m512i)place, high);
}

/* The next comparison, of each row's lanes l and l ^ bit. */
INLINE comparison compare_next(__m512i *low, __m512i *high, comparison c, u64 bit,
                               i32 size) {
    const lane_numbers l = own_lanes(size), row = has(l, bit, size);
    const lane_numbers lower = l ^ row * bit, upper = l ^ (row ^ each_lane(1, size)) * bit;
    const __m512i x = picked(*low, place_of(c, lower, row, size), *high, size);
    *high = picked(*low, place_of(c, upper, row, size), *high, size);
    *low = x;
    exchange(low, high, size);
    return (comparison){bit, bit, 0};
}

/* Two rows of a merge of two halves of `many` lanes. */
INLINE void merge_pair(__m512i *a, __m512i *b, i32 many, i32 size) {
    const u64 with = (u64)many - 1;
    comparison c = {with, (u64)many / 2, 1};
    __m512i low = *a, high = turned(*b, with, size);
    exchange(&low, &high, size);
    if (many > 8)
        c = compare_next(&low, &high, c, 4, size);
    if (many > 4)
        c = compare_next(&low, &high, c, 2, size);
    if (many > 2)
        c = compare_next(&low, &high, c, 1, size);
    const lane_numbers l = own_lanes(size), of_a = l ^ l, of_b = of_a + each_lane(1, size);
    *a = picked(low, place_of(c, l, of_a, size), high, size);
    *b = picked(low, place_of(c, l, of_b, size), high, size);
}

/* The least in lanes of which `bit` is not set, the most in the others. */
INLINE __m512i least_and_most(__m512i a, __m512i b, u32 bit, i32 size) {
    u32 upper = 0;
    for (u32 lane = 0; lane < 16; lane++)
        upper |= (lane & bit) ? 1u << lane : 0;
    const __m512i low = least(a, b, size);
    return size == 4 ? _mm512_mask_max_epu32(low, (__mmask16)upper, a, b)
                     : _mm512_mask_max_epu64(low, (__mmask8)upper, a, b);
}

INLINE __m512i merge_row(__m512i a, i32 many, i32 size) {
    a = least_and_most(a, turned(a, (u64)many - 1, size), (u32)many / 2, size);
    if (many > 8)
        a = least_and_most(a, turned(a, 4, size), 4, size);
    if (many > 4)
        a = least_and_most(a, turned(a, 2, size), 2, size);
    if (many > 2)
        a = least_and_most(a, turned(a, 1, size), 1, size);
    return a;
}

/* Elements lane * rows + row: of `many` lanes two sorted halves, into one. */
INLINE void merge_lanes(__m512i *v, i32 rows, i32 many, i32 size) {
    if (rows == 1)
        v[0] = merge_row(v[0], many, size);
#pragma GCC unroll 8
    for (i32 r = 0; r < rows / 2; r++)
        merge_pair(&v[r], &v[rows - 1 - r], many, size);
    merge_rows(v, rows, size);
}

/* Sorts all of `rows` registers by lane * rows + row. */
INLINE void sort_registers(__m512i *v, i32 rows, i32 size) {
    sort_rows(v, rows, size);
    merge_lanes(v, rows, 2, size);
    merge_lanes(v, rows, 4, size);
    merge_lanes(v, rows, 8, size);
    if (size == 4)
        merge_lanes(v, rows, 16, size);
}

/* The halves of all elements interleaved. */
INLINE void interleave(__m512i *v, i32 rows, i32 size) {
    const lane_numbers l = own_lanes(size), odd = has(l, 1, size) * (64 / (u64)size);
    const lane_numbers low = (l - has(l, 1, size)) / 2 + odd;
    const u64 half = each_lane(32 / (u64)size, size);
    __m512i to[ROWS];
#pragma GCC unroll 16
    for (i32 r = 0; r < rows / 2; r++) {
        const __m512i a = v[r], b = v[r + rows / 2];
        to[2 * r] = picked(a, low, b, size);
        to[2 * r + 1] = picked(a, low + half, b, size);
    }
#pragma GCC unroll 16
    for (i32 r = 0; r < rows; r++)
        v[r] = to[r];
}

#endif
