/* How many elements of a sorted array come before a query (or, for the upper bound, not
 * after it), by halving without branches. A work-item searches for several queries at once,
 * so that their cache misses overlap and a CPU's vectors hold them: numbers i, i + stride,
 * i + 2 * stride ..., which keeps the reads of neighbouring work-items together on a GPU.
 */
#ifndef SEARCH_KERNEL_H
#define SEARCH_KERNEL_H

#include "order.kernel.h"

enum { SEARCH_AT_ONCE = 16 };

/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_u8(index_t i, index_t stride, GLOBAL const u8 *sorted,
                                   i64 length, GLOBAL const u8 *queries, i64 count,
                                   u32 upper, index_t *ranks, u8 flip) {
    u8 images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const u8 query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = (u8)(query ^ flip);
        ranks[k] = 0;
    }
    for (index_t left = (index_t)length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const u8 probe = (u8)(sorted[ranks[k] + middle - 1] ^ flip);
            const index_t goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes * middle;
        }
        left -= middle;
    }
}
static inline void search_u8_to_u32(index_t i, i64 stride, GLOBAL const u8 *sorted,
                                    i64 length, GLOBAL const u8 *queries, i64 count,
                                    u32 upper, GLOBAL u32 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE];
    search_ranks_u8(i, (index_t)stride, sorted, length, queries, count, upper, ranks,
                    (u8)flip);
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * (index_t)stride;
        if (q < (index_t)count)
            out[q] = (u32)ranks[k];
    }
}
static inline void search_u8_to_i64(index_t i, i64 stride, GLOBAL const u8 *sorted,
                                    i64 length, GLOBAL const u8 *queries, i64 count,
                                    u32 upper, GLOBAL i64 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE];
    search_ranks_u8(i, (index_t)stride, sorted, length, queries, count, upper, ranks,
                    (u8)flip);
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * (index_t)stride;
        if (q < (index_t)count)
            out[q] = (i64)ranks[k];
    }
}

/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_u16(index_t i, index_t stride, GLOBAL const u16 *sorted,
                                    i64 length, GLOBAL const u16 *queries, i64 count,
                                    u32 upper, index_t *ranks, u16 flip) {
    u16 images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const u16 query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = (u16)(query ^ flip);
        ranks[k] = 0;
    }
    for (index_t left = (index_t)length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const u16 probe = (u16)(sorted[ranks[k] + middle - 1] ^ flip);
            const index_t goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes * middle;
        }
        left -= middle;
    }
}
static inline void search_u16_to_u32(index_t i, i64 stride, GLOBAL const u16 *sorted,
                                     i64 length, GLOBAL const u16 *queries, i64 count,
                                     u32 upper, GLOBAL u32 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE];
    search_ranks_u16(i, (index_t)stride, sorted, length, queries, count, upper, ranks,
                     (u16)flip);
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * (index_t)stride;
        if (q < (index_t)count)
            out[q] = (u32)ranks[k];
    }
}
static inline void search_u16_to_i64(index_t i, i64 stride, GLOBAL const u16 *sorted,
                                     i64 length, GLOBAL const u16 *queries, i64 count,
                                     u32 upper, GLOBAL i64 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE];
    search_ranks_u16(i, (index_t)stride, sorted, length, queries, count, upper, ranks,
                     (u16)flip);
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * (index_t)stride;
        if (q < (index_t)count)
            out[q] = (i64)ranks[k];
    }
}

/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_u32(index_t i, index_t stride, GLOBAL const u32 *sorted,
                                    i64 length, GLOBAL const u32 *queries, i64 count,
                                    u32 upper, index_t *ranks, u32 flip) {
    u32 images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const u32 query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = query ^ flip;
        ranks[k] = 0;
    }
    for (index_t left = (index_t)length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const u32 probe = sorted[ranks[k] + middle - 1] ^ flip;
            const index_t goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes * middle;
        }
        left -= middle;
    }
}
static inline void search_u32_to_u32(index_t i, i64 stride, GLOBAL const u32 *sorted,
                                     i64 length, GLOBAL const u32 *queries, i64 count,
                                     u32 upper, GLOBAL u32 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE];
    search_ranks_u32(i, (index_t)stride, sorted, length, queries, count, upper, ranks,
                     (u32)flip);
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * (index_t)stride;
        if (q < (index_t)count)
            out[q] = (u32)ranks[k];
    }
}
static inline void search_u32_to_i64(index_t i, i64 stride, GLOBAL const u32 *sorted,
                                     i64 length, GLOBAL const u32 *queries, i64 count,
                                     u32 upper, GLOBAL i64 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE];
    search_ranks_u32(i, (index_t)stride, sorted, length, queries, count, upper, ranks,
                     (u32)flip);
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * (index_t)stride;
        if (q < (index_t)count)
            out[q] = (i64)ranks[k];
    }
}

/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_u64(index_t i, index_t stride, GLOBAL const u64 *sorted,
                                    i64 length, GLOBAL const u64 *queries, i64 count,
                                    u32 upper, index_t *ranks, u64 flip) {
    u64 images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const u64 query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = query ^ flip;
        ranks[k] = 0;
    }
    for (index_t left = (index_t)length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const u64 probe = sorted[ranks[k] + middle - 1] ^ flip;
            const index_t goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes * middle;
        }
        left -= middle;
    }
}
static inline void search_u64_to_u32(index_t i, i64 stride, GLOBAL const u64 *sorted,
                                     i64 length, GLOBAL const u64 *queries, i64 count,
                                     u32 upper, GLOBAL u32 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE];
    search_ranks_u64(i, (index_t)stride, sorted, length, queries, count, upper, ranks,
                     (u64)flip);
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * (index_t)stride;
        if (q < (index_t)count)
            out[q] = (u32)ranks[k];
    }
}
static inline void search_u64_to_i64(index_t i, i64 stride, GLOBAL const u64 *sorted,
                                     i64 length, GLOBAL const u64 *queries, i64 count,
                                     u32 upper, GLOBAL i64 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE];
    search_ranks_u64(i, (index_t)stride, sorted, length, queries, count, upper, ranks,
                     (u64)flip);
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * (index_t)stride;
        if (q < (index_t)count)
            out[q] = (i64)ranks[k];
    }
}

/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_f32(index_t i, index_t stride, GLOBAL const u32 *sorted,
                                    i64 length, GLOBAL const u32 *queries, i64 count,
                                    u32 upper, index_t *ranks) {
    u32 images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const u32 query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = order_u32(query, ORDER_FLOAT);
        ranks[k] = 0;
    }
    for (index_t left = (index_t)length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const u32 probe = order_u32(sorted[ranks[k] + middle - 1], ORDER_FLOAT);
            const index_t goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes * middle;
        }
        left -= middle;
    }
}
static inline void search_f32_to_u32(index_t i, i64 stride, GLOBAL const u32 *sorted,
                                     i64 length, GLOBAL const u32 *queries, i64 count,
                                     u32 upper, GLOBAL u32 *out) {
    index_t ranks[SEARCH_AT_ONCE];
    search_ranks_f32(i, (index_t)stride, sorted, length, queries, count, upper, ranks);
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * (index_t)stride;
        if (q < (index_t)count)
            out[q] = (u32)ranks[k];
    }
}
static inline void search_f32_to_i64(index_t i, i64 stride, GLOBAL const u32 *sorted,
                                     i64 length, GLOBAL const u32 *queries, i64 count,
                                     u32 upper, GLOBAL i64 *out) {
    index_t ranks[SEARCH_AT_ONCE];
    search_ranks_f32(i, (index_t)stride, sorted, length, queries, count, upper, ranks);
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * (index_t)stride;
        if (q < (index_t)count)
            out[q] = (i64)ranks[k];
    }
}

/* ranks[k] = the rank of query i + k * stride, or of the last query. */
static inline void search_ranks_f64(index_t i, index_t stride, GLOBAL const u64 *sorted,
                                    i64 length, GLOBAL const u64 *queries, i64 count,
                                    u32 upper, index_t *ranks) {
    u64 images[SEARCH_AT_ONCE];
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * stride;
        const u64 query = queries[q < (index_t)count ? q : (index_t)count - 1];
        images[k] = order_u64(query, ORDER_FLOAT);
        ranks[k] = 0;
    }
    for (index_t left = (index_t)length; left > 0;) {
        const index_t middle = (left + 1) / 2;
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const u64 probe = order_u64(sorted[ranks[k] + middle - 1], ORDER_FLOAT);
            const index_t goes = (probe < images[k]) | ((probe == images[k]) & upper);
            ranks[k] += goes * middle;
        }
        left -= middle;
    }
}
static inline void search_f64_to_u32(index_t i, i64 stride, GLOBAL const u64 *sorted,
                                     i64 length, GLOBAL const u64 *queries, i64 count,
                                     u32 upper, GLOBAL u32 *out) {
    index_t ranks[SEARCH_AT_ONCE];
    search_ranks_f64(i, (index_t)stride, sorted, length, queries, count, upper, ranks);
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * (index_t)stride;
        if (q < (index_t)count)
            out[q] = (u32)ranks[k];
    }
}
static inline void search_f64_to_i64(index_t i, i64 stride, GLOBAL const u64 *sorted,
                                     i64 length, GLOBAL const u64 *queries, i64 count,
                                     u32 upper, GLOBAL i64 *out) {
    index_t ranks[SEARCH_AT_ONCE];
    search_ranks_f64(i, (index_t)stride, sorted, length, queries, count, upper, ranks);
    for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
        const index_t q = i + (index_t)k * (index_t)stride;
        if (q < (index_t)count)
            out[q] = (i64)ranks[k];
    }
}

#endif
