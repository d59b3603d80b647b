/* How many elements of a sorted array come before a query (or, for the upper bound, not
 * after it), by halving without branches, so that searches of many queries overlap. */
#ifndef SEARCH_KERNEL_H
#define SEARCH_KERNEL_H

#include "order.kernel.h"

static inline index_t search_rank_u8(GLOBAL const u8 *sorted, i64 length, u8 query,
                                     u32 upper, u32 kind) {
    const u8 image = order_u8(query, kind);
    index_t first = 0, left = (index_t)length;
    while (left > 1) {
        const index_t middle = left / 2;
        const u8 probe = order_u8(sorted[first + middle - 1], kind);
        first += probe < image || (upper && probe == image) ? middle : 0;
        left -= middle;
    }
    if (left == 1) {
        const u8 probe = order_u8(sorted[first], kind);
        first += probe < image || (upper && probe == image);
    }
    return first;
}
static inline void search_u8_to_u32(index_t i, GLOBAL const u8 *sorted, i64 length,
                                    GLOBAL const u8 *queries, u32 upper, u32 kind,
                                    GLOBAL u32 *out) {
    out[i] = (u32)search_rank_u8(sorted, length, queries[i], upper, kind);
}
static inline void search_u8_to_i64(index_t i, GLOBAL const u8 *sorted, i64 length,
                                    GLOBAL const u8 *queries, u32 upper, u32 kind,
                                    GLOBAL i64 *out) {
    out[i] = (i64)search_rank_u8(sorted, length, queries[i], upper, kind);
}

static inline index_t search_rank_u16(GLOBAL const u16 *sorted, i64 length, u16 query,
                                      u32 upper, u32 kind) {
    const u16 image = order_u16(query, kind);
    index_t first = 0, left = (index_t)length;
    while (left > 1) {
        const index_t middle = left / 2;
        const u16 probe = order_u16(sorted[first + middle - 1], kind);
        first += probe < image || (upper && probe == image) ? middle : 0;
        left -= middle;
    }
    if (left == 1) {
        const u16 probe = order_u16(sorted[first], kind);
        first += probe < image || (upper && probe == image);
    }
    return first;
}
static inline void search_u16_to_u32(index_t i, GLOBAL const u16 *sorted, i64 length,
                                     GLOBAL const u16 *queries, u32 upper, u32 kind,
                                     GLOBAL u32 *out) {
    out[i] = (u32)search_rank_u16(sorted, length, queries[i], upper, kind);
}
static inline void search_u16_to_i64(index_t i, GLOBAL const u16 *sorted, i64 length,
                                     GLOBAL const u16 *queries, u32 upper, u32 kind,
                                     GLOBAL i64 *out) {
    out[i] = (i64)search_rank_u16(sorted, length, queries[i], upper, kind);
}

static inline index_t search_rank_u32(GLOBAL const u32 *sorted, i64 length, u32 query,
                                      u32 upper, u32 kind) {
    const u32 image = order_u32(query, kind);
    index_t first = 0, left = (index_t)length;
    while (left > 1) {
        const index_t middle = left / 2;
        const u32 probe = order_u32(sorted[first + middle - 1], kind);
        first += probe < image || (upper && probe == image) ? middle : 0;
        left -= middle;
    }
    if (left == 1) {
        const u32 probe = order_u32(sorted[first], kind);
        first += probe < image || (upper && probe == image);
    }
    return first;
}
static inline void search_u32_to_u32(index_t i, GLOBAL const u32 *sorted, i64 length,
                                     GLOBAL const u32 *queries, u32 upper, u32 kind,
                                     GLOBAL u32 *out) {
    out[i] = (u32)search_rank_u32(sorted, length, queries[i], upper, kind);
}
static inline void search_u32_to_i64(index_t i, GLOBAL const u32 *sorted, i64 length,
                                     GLOBAL const u32 *queries, u32 upper, u32 kind,
                                     GLOBAL i64 *out) {
    out[i] = (i64)search_rank_u32(sorted, length, queries[i], upper, kind);
}

static inline index_t search_rank_u64(GLOBAL const u64 *sorted, i64 length, u64 query,
                                      u32 upper, u32 kind) {
    const u64 image = order_u64(query, kind);
    index_t first = 0, left = (index_t)length;
    while (left > 1) {
        const index_t middle = left / 2;
        const u64 probe = order_u64(sorted[first + middle - 1], kind);
        first += probe < image || (upper && probe == image) ? middle : 0;
        left -= middle;
    }
    if (left == 1) {
        const u64 probe = order_u64(sorted[first], kind);
        first += probe < image || (upper && probe == image);
    }
    return first;
}
static inline void search_u64_to_u32(index_t i, GLOBAL const u64 *sorted, i64 length,
                                     GLOBAL const u64 *queries, u32 upper, u32 kind,
                                     GLOBAL u32 *out) {
    out[i] = (u32)search_rank_u64(sorted, length, queries[i], upper, kind);
}
static inline void search_u64_to_i64(index_t i, GLOBAL const u64 *sorted, i64 length,
                                     GLOBAL const u64 *queries, u32 upper, u32 kind,
                                     GLOBAL i64 *out) {
    out[i] = (i64)search_rank_u64(sorted, length, queries[i], upper, kind);
}

#endif
