/* Searches in a sorted array, by halving without branches: a rank is how many elements come
 * before a query (or, for the upper bound, not after it).
 *
 * A work-item searches for several queries at once, so that their cache misses overlap and
 * a CPU's vectors hold them. Where many work-items run these are numbers i, i + stride,
 * i + 2 * stride ..., which keeps the reads of neighbours together. Where few run, each
 * takes groups of neighbours, and looks first where the least and the greatest of them all
 * belong: sorted queries then have short ways to go. Few queries, and random ones, of many
 * work-items have one each (groups 0). */
#ifndef WEFT_SEARCH_KERNEL_H
#define WEFT_SEARCH_KERNEL_H

#include "primitives/order.kernel.h"

enum { SEARCH_AT_ONCE = 16 };

/* The order of numbers as one of unsigned ones; flip is the sign of signed integers. */
#pragma weft for T in u8 u16 u32 u64
static inline T search_image_T(T key, T flip) {
    return (T)(key ^ flip);
}
#pragma weft end
#pragma weft for T : U in bits32 : u32 bits64 : u64
static inline T search_image_T(T key, T flip) {
    (void)flip;
    return order_U(key, ORDER_FLOAT);
}
#pragma weft end

#pragma weft for T in u8 u16 u32 u64 bits32 bits64
/* Moves each of the ranks past those of the `length` elements from there on that come
 * before its image. */
static inline void search_halve_T(GLOBAL const T *sorted, index_t length, const T *images,
                                  u32 lanes, u32 upper, index_t *ranks, T flip) {
    for (index_t left = length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < lanes; k++) {
            const T probe = search_image_T(sorted[ranks[k] + middle - 1], flip);
            const u32 goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes ? middle : 0;
        }
        left -= middle;
    }
}
/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_T(index_t i, index_t stride, GLOBAL const T *sorted,
                                  index_t length, GLOBAL const T *queries, i64 count,
                                  u32 upper, index_t *ranks, T flip) {
    T images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const T query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = search_image_T(query, flip);
        ranks[k] = 0;
    }
    if (upper)
        search_halve_T(sorted, length, images, SEARCH_AT_ONCE, 1, ranks, flip);
    else
        search_halve_T(sorted, length, images, SEARCH_AT_ONCE, 0, ranks, flip);
}
/* Narrows [*low, *high] to the ranks of the least and the greatest of `most` queries. */
static inline void search_ranks_between_T(index_t first, index_t most,
                                          GLOBAL const T *sorted, GLOBAL const T *queries,
                                          index_t count, u32 upper, index_t *low,
                                          index_t *high, T flip) {
    const index_t end = count - first < most ? count : first + most;
    T images[2] = {(T) ~(T)0, 0};
    index_t ranks[2] = {*low, *low};
    for (index_t q = first; q < end; q++) {
        const T image = search_image_T(queries[q], flip);
        images[0] = image < images[0] ? image : images[0];
        images[1] = image > images[1] ? image : images[1];
    }
    search_halve_T(sorted, *high - *low, images, 2, upper, ranks, flip);
    *low = ranks[0];
    *high = ranks[1];
}
/* The rank of query i alone. */
static inline index_t search_alone_T(index_t i, GLOBAL const T *sorted, i64 length,
                                     GLOBAL const T *queries, u32 upper, T flip) {
    const T image = search_image_T(queries[i], flip);
    index_t rank = 0;
    search_halve_T(sorted, (index_t)length, &image, 1, upper, &rank, flip);
    return rank;
}
#pragma weft for M in u32 i64
static inline void search_to_M_T(index_t i, i64 stride, u32 groups, GLOBAL const T *sorted,
                                 i64 length, GLOBAL const T *queries, i64 count, u32 upper,
                                 GLOBAL M *out, u64 flip) {
    if (groups == 0) {
        out[i] = (M)search_alone_T(i, sorted, length, queries, upper, (T)flip);
        return;
    }
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_T(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                               (index_t)count, upper, &low, &high, (T)flip);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_T(first, (index_t)stride, sorted + low, high - low, queries, count,
                       upper, ranks, (T)flip);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (M)(low + ranks[k]);
        }
    }
}
#pragma weft end
#pragma weft end

#endif
