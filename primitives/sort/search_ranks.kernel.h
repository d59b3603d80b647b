/* Ranks in a sorted array, by halving without branches: how many elements come before a
 * query (or, for the upper bound, not after it). */
#ifndef SEARCH_RANKS_KERNEL_H
#define SEARCH_RANKS_KERNEL_H

#include "primitives/order.kernel.h"

enum { SEARCH_AT_ONCE = 16 };

/* Moves each of the ranks past those of the `length` elements from there on that come
 * before its image. */
static inline void search_halve_u8(GLOBAL const u8 *sorted, index_t length,
                                   const u8 *images, u32 lanes, u32 upper, index_t *ranks,
                                   u8 flip) {
    for (index_t left = length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < lanes; k++) {
            const u8 probe = (u8)(sorted[ranks[k] + middle - 1] ^ flip);
            const u32 goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes ? middle : 0;
        }
        left -= middle;
    }
}
/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_u8(index_t i, index_t stride, GLOBAL const u8 *sorted,
                                   index_t length, GLOBAL const u8 *queries, i64 count,
                                   u32 upper, index_t *ranks, u8 flip) {
    u8 images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const u8 query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = (u8)(query ^ flip);
        ranks[k] = 0;
    }
    if (upper)
        search_halve_u8(sorted, length, images, SEARCH_AT_ONCE, 1, ranks, flip);
    else
        search_halve_u8(sorted, length, images, SEARCH_AT_ONCE, 0, ranks, flip);
}
/* Narrows [*low, *high] to the ranks of the least and the greatest of `most` queries. */
static inline void search_ranks_between_u8(index_t first, index_t most,
                                           GLOBAL const u8 *sorted,
                                           GLOBAL const u8 *queries, index_t count,
                                           u32 upper, index_t *low, index_t *high,
                                           u8 flip) {
    const index_t end = count - first < most ? count : first + most;
    u8 images[2] = {(u8) ~(u8)0, 0};
    index_t ranks[2] = {*low, *low};
    for (index_t q = first; q < end; q++) {
        const u8 image = (u8)(queries[q] ^ flip);
        images[0] = image < images[0] ? image : images[0];
        images[1] = image > images[1] ? image : images[1];
    }
    search_halve_u8(sorted, *high - *low, images, 2, upper, ranks, flip);
    *low = ranks[0];
    *high = ranks[1];
}

/* Moves each of the ranks past those of the `length` elements from there on that come
 * before its image. */
static inline void search_halve_u16(GLOBAL const u16 *sorted, index_t length,
                                    const u16 *images, u32 lanes, u32 upper, index_t *ranks,
                                    u16 flip) {
    for (index_t left = length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < lanes; k++) {
            const u16 probe = (u16)(sorted[ranks[k] + middle - 1] ^ flip);
            const u32 goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes ? middle : 0;
        }
        left -= middle;
    }
}
/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_u16(index_t i, index_t stride, GLOBAL const u16 *sorted,
                                    index_t length, GLOBAL const u16 *queries, i64 count,
                                    u32 upper, index_t *ranks, u16 flip) {
    u16 images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const u16 query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = (u16)(query ^ flip);
        ranks[k] = 0;
    }
    if (upper)
        search_halve_u16(sorted, length, images, SEARCH_AT_ONCE, 1, ranks, flip);
    else
        search_halve_u16(sorted, length, images, SEARCH_AT_ONCE, 0, ranks, flip);
}
/* Narrows [*low, *high] to the ranks of the least and the greatest of `most` queries. */
static inline void search_ranks_between_u16(index_t first, index_t most,
                                            GLOBAL const u16 *sorted,
                                            GLOBAL const u16 *queries, index_t count,
                                            u32 upper, index_t *low, index_t *high,
                                            u16 flip) {
    const index_t end = count - first < most ? count : first + most;
    u16 images[2] = {(u16) ~(u16)0, 0};
    index_t ranks[2] = {*low, *low};
    for (index_t q = first; q < end; q++) {
        const u16 image = (u16)(queries[q] ^ flip);
        images[0] = image < images[0] ? image : images[0];
        images[1] = image > images[1] ? image : images[1];
    }
    search_halve_u16(sorted, *high - *low, images, 2, upper, ranks, flip);
    *low = ranks[0];
    *high = ranks[1];
}

/* Moves each of the ranks past those of the `length` elements from there on that come
 * before its image. */
static inline void search_halve_u32(GLOBAL const u32 *sorted, index_t length,
                                    const u32 *images, u32 lanes, u32 upper, index_t *ranks,
                                    u32 flip) {
    for (index_t left = length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < lanes; k++) {
            const u32 probe = sorted[ranks[k] + middle - 1] ^ flip;
            const u32 goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes ? middle : 0;
        }
        left -= middle;
    }
}
/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_u32(index_t i, index_t stride, GLOBAL const u32 *sorted,
                                    index_t length, GLOBAL const u32 *queries, i64 count,
                                    u32 upper, index_t *ranks, u32 flip) {
    u32 images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const u32 query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = query ^ flip;
        ranks[k] = 0;
    }
    if (upper)
        search_halve_u32(sorted, length, images, SEARCH_AT_ONCE, 1, ranks, flip);
    else
        search_halve_u32(sorted, length, images, SEARCH_AT_ONCE, 0, ranks, flip);
}
/* Narrows [*low, *high] to the ranks of the least and the greatest of `most` queries. */
static inline void search_ranks_between_u32(index_t first, index_t most,
                                            GLOBAL const u32 *sorted,
                                            GLOBAL const u32 *queries, index_t count,
                                            u32 upper, index_t *low, index_t *high,
                                            u32 flip) {
    const index_t end = count - first < most ? count : first + most;
    u32 images[2] = {(u32) ~(u32)0, 0};
    index_t ranks[2] = {*low, *low};
    for (index_t q = first; q < end; q++) {
        const u32 image = queries[q] ^ flip;
        images[0] = image < images[0] ? image : images[0];
        images[1] = image > images[1] ? image : images[1];
    }
    search_halve_u32(sorted, *high - *low, images, 2, upper, ranks, flip);
    *low = ranks[0];
    *high = ranks[1];
}

/* Moves each of the ranks past those of the `length` elements from there on that come
 * before its image. */
static inline void search_halve_u64(GLOBAL const u64 *sorted, index_t length,
                                    const u64 *images, u32 lanes, u32 upper, index_t *ranks,
                                    u64 flip) {
    for (index_t left = length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < lanes; k++) {
            const u64 probe = sorted[ranks[k] + middle - 1] ^ flip;
            const u32 goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes ? middle : 0;
        }
        left -= middle;
    }
}
/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_u64(index_t i, index_t stride, GLOBAL const u64 *sorted,
                                    index_t length, GLOBAL const u64 *queries, i64 count,
                                    u32 upper, index_t *ranks, u64 flip) {
    u64 images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const u64 query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = query ^ flip;
        ranks[k] = 0;
    }
    if (upper)
        search_halve_u64(sorted, length, images, SEARCH_AT_ONCE, 1, ranks, flip);
    else
        search_halve_u64(sorted, length, images, SEARCH_AT_ONCE, 0, ranks, flip);
}
/* Narrows [*low, *high] to the ranks of the least and the greatest of `most` queries. */
static inline void search_ranks_between_u64(index_t first, index_t most,
                                            GLOBAL const u64 *sorted,
                                            GLOBAL const u64 *queries, index_t count,
                                            u32 upper, index_t *low, index_t *high,
                                            u64 flip) {
    const index_t end = count - first < most ? count : first + most;
    u64 images[2] = {(u64) ~(u64)0, 0};
    index_t ranks[2] = {*low, *low};
    for (index_t q = first; q < end; q++) {
        const u64 image = queries[q] ^ flip;
        images[0] = image < images[0] ? image : images[0];
        images[1] = image > images[1] ? image : images[1];
    }
    search_halve_u64(sorted, *high - *low, images, 2, upper, ranks, flip);
    *low = ranks[0];
    *high = ranks[1];
}

/* Moves each of the ranks past those of the `length` elements from there on that come
 * before its image. */
static inline void search_halve_f32(GLOBAL const u32 *sorted, index_t length,
                                    const u32 *images, u32 lanes, u32 upper,
                                    index_t *ranks) {
    for (index_t left = length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < lanes; k++) {
            const u32 probe = order_u32(sorted[ranks[k] + middle - 1], ORDER_FLOAT);
            const u32 goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes ? middle : 0;
        }
        left -= middle;
    }
}
/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_f32(index_t i, index_t stride, GLOBAL const u32 *sorted,
                                    index_t length, GLOBAL const u32 *queries, i64 count,
                                    u32 upper, index_t *ranks) {
    u32 images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const u32 query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = order_u32(query, ORDER_FLOAT);
        ranks[k] = 0;
    }
    if (upper)
        search_halve_f32(sorted, length, images, SEARCH_AT_ONCE, 1, ranks);
    else
        search_halve_f32(sorted, length, images, SEARCH_AT_ONCE, 0, ranks);
}
/* Narrows [*low, *high] to the ranks of the least and the greatest of `most` queries. */
static inline void search_ranks_between_f32(index_t first, index_t most,
                                            GLOBAL const u32 *sorted,
                                            GLOBAL const u32 *queries, index_t count,
                                            u32 upper, index_t *low, index_t *high) {
    const index_t end = count - first < most ? count : first + most;
    u32 images[2] = {(u32) ~(u32)0, 0};
    index_t ranks[2] = {*low, *low};
    for (index_t q = first; q < end; q++) {
        const u32 image = order_u32(queries[q], ORDER_FLOAT);
        images[0] = image < images[0] ? image : images[0];
        images[1] = image > images[1] ? image : images[1];
    }
    search_halve_f32(sorted, *high - *low, images, 2, upper, ranks);
    *low = ranks[0];
    *high = ranks[1];
}

/* Moves each of the ranks past those of the `length` elements from there on that come
 * before its image. */
static inline void search_halve_f64(GLOBAL const u64 *sorted, index_t length,
                                    const u64 *images, u32 lanes, u32 upper,
                                    index_t *ranks) {
    for (index_t left = length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < lanes; k++) {
            const u64 probe = order_u64(sorted[ranks[k] + middle - 1], ORDER_FLOAT);
            const u32 goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes ? middle : 0;
        }
        left -= middle;
    }
}
/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_f64(index_t i, index_t stride, GLOBAL const u64 *sorted,
                                    index_t length, GLOBAL const u64 *queries, i64 count,
                                    u32 upper, index_t *ranks) {
    u64 images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const u64 query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = order_u64(query, ORDER_FLOAT);
        ranks[k] = 0;
    }
    if (upper)
        search_halve_f64(sorted, length, images, SEARCH_AT_ONCE, 1, ranks);
    else
        search_halve_f64(sorted, length, images, SEARCH_AT_ONCE, 0, ranks);
}
/* Narrows [*low, *high] to the ranks of the least and the greatest of `most` queries. */
static inline void search_ranks_between_f64(index_t first, index_t most,
                                            GLOBAL const u64 *sorted,
                                            GLOBAL const u64 *queries, index_t count,
                                            u32 upper, index_t *low, index_t *high) {
    const index_t end = count - first < most ? count : first + most;
    u64 images[2] = {(u64) ~(u64)0, 0};
    index_t ranks[2] = {*low, *low};
    for (index_t q = first; q < end; q++) {
        const u64 image = order_u64(queries[q], ORDER_FLOAT);
        images[0] = image < images[0] ? image : images[0];
        images[1] = image > images[1] ? image : images[1];
    }
    search_halve_f64(sorted, *high - *low, images, 2, upper, ranks);
    *low = ranks[0];
    *high = ranks[1];
}

#endif
