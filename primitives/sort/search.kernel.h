/* Searches in a sorted array. A work-item searches for several queries at once, so that
 * their cache misses overlap and a CPU's vectors hold them. Where many work-items run these
 * are numbers i, i + stride, i + 2 * stride ..., which keeps the reads of neighbours
 * together. Where few run, each takes groups of neighbours, and looks first where the least
 * and the greatest of them all belong: sorted queries then have short ways to go. */
#ifndef SEARCH_KERNEL_H
#define SEARCH_KERNEL_H

#include "search_ranks.kernel.h"

static inline void search_u8_to_u32(index_t i, i64 stride, u32 groups,
                                    GLOBAL const u8 *sorted, i64 length,
                                    GLOBAL const u8 *queries, i64 count, u32 upper,
                                    GLOBAL u32 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_u8(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                                (index_t)count, upper, &low, &high, (u8)flip);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_u8(first, (index_t)stride, sorted + low, high - low, queries, count,
                        upper, ranks, (u8)flip);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (u32)(low + ranks[k]);
        }
    }
}
static inline void search_u8_to_i64(index_t i, i64 stride, u32 groups,
                                    GLOBAL const u8 *sorted, i64 length,
                                    GLOBAL const u8 *queries, i64 count, u32 upper,
                                    GLOBAL i64 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_u8(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                                (index_t)count, upper, &low, &high, (u8)flip);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_u8(first, (index_t)stride, sorted + low, high - low, queries, count,
                        upper, ranks, (u8)flip);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (i64)(low + ranks[k]);
        }
    }
}

static inline void search_u16_to_u32(index_t i, i64 stride, u32 groups,
                                     GLOBAL const u16 *sorted, i64 length,
                                     GLOBAL const u16 *queries, i64 count, u32 upper,
                                     GLOBAL u32 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_u16(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                                 (index_t)count, upper, &low, &high, (u16)flip);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_u16(first, (index_t)stride, sorted + low, high - low, queries, count,
                         upper, ranks, (u16)flip);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (u32)(low + ranks[k]);
        }
    }
}
static inline void search_u16_to_i64(index_t i, i64 stride, u32 groups,
                                     GLOBAL const u16 *sorted, i64 length,
                                     GLOBAL const u16 *queries, i64 count, u32 upper,
                                     GLOBAL i64 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_u16(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                                 (index_t)count, upper, &low, &high, (u16)flip);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_u16(first, (index_t)stride, sorted + low, high - low, queries, count,
                         upper, ranks, (u16)flip);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (i64)(low + ranks[k]);
        }
    }
}

static inline void search_u32_to_u32(index_t i, i64 stride, u32 groups,
                                     GLOBAL const u32 *sorted, i64 length,
                                     GLOBAL const u32 *queries, i64 count, u32 upper,
                                     GLOBAL u32 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_u32(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                                 (index_t)count, upper, &low, &high, (u32)flip);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_u32(first, (index_t)stride, sorted + low, high - low, queries, count,
                         upper, ranks, (u32)flip);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (u32)(low + ranks[k]);
        }
    }
}
static inline void search_u32_to_i64(index_t i, i64 stride, u32 groups,
                                     GLOBAL const u32 *sorted, i64 length,
                                     GLOBAL const u32 *queries, i64 count, u32 upper,
                                     GLOBAL i64 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_u32(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                                 (index_t)count, upper, &low, &high, (u32)flip);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_u32(first, (index_t)stride, sorted + low, high - low, queries, count,
                         upper, ranks, (u32)flip);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (i64)(low + ranks[k]);
        }
    }
}

static inline void search_u64_to_u32(index_t i, i64 stride, u32 groups,
                                     GLOBAL const u64 *sorted, i64 length,
                                     GLOBAL const u64 *queries, i64 count, u32 upper,
                                     GLOBAL u32 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_u64(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                                 (index_t)count, upper, &low, &high, (u64)flip);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_u64(first, (index_t)stride, sorted + low, high - low, queries, count,
                         upper, ranks, (u64)flip);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (u32)(low + ranks[k]);
        }
    }
}
static inline void search_u64_to_i64(index_t i, i64 stride, u32 groups,
                                     GLOBAL const u64 *sorted, i64 length,
                                     GLOBAL const u64 *queries, i64 count, u32 upper,
                                     GLOBAL i64 *out, u64 flip) {
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_u64(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                                 (index_t)count, upper, &low, &high, (u64)flip);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_u64(first, (index_t)stride, sorted + low, high - low, queries, count,
                         upper, ranks, (u64)flip);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (i64)(low + ranks[k]);
        }
    }
}

static inline void search_f32_to_u32(index_t i, i64 stride, u32 groups,
                                     GLOBAL const u32 *sorted, i64 length,
                                     GLOBAL const u32 *queries, i64 count, u32 upper,
                                     GLOBAL u32 *out) {
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_f32(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                                 (index_t)count, upper, &low, &high);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_f32(first, (index_t)stride, sorted + low, high - low, queries, count,
                         upper, ranks);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (u32)(low + ranks[k]);
        }
    }
}
static inline void search_f32_to_i64(index_t i, i64 stride, u32 groups,
                                     GLOBAL const u32 *sorted, i64 length,
                                     GLOBAL const u32 *queries, i64 count, u32 upper,
                                     GLOBAL i64 *out) {
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_f32(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                                 (index_t)count, upper, &low, &high);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_f32(first, (index_t)stride, sorted + low, high - low, queries, count,
                         upper, ranks);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (i64)(low + ranks[k]);
        }
    }
}

static inline void search_f64_to_u32(index_t i, i64 stride, u32 groups,
                                     GLOBAL const u64 *sorted, i64 length,
                                     GLOBAL const u64 *queries, i64 count, u32 upper,
                                     GLOBAL u32 *out) {
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_f64(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                                 (index_t)count, upper, &low, &high);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_f64(first, (index_t)stride, sorted + low, high - low, queries, count,
                         upper, ranks);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (u32)(low + ranks[k]);
        }
    }
}
static inline void search_f64_to_i64(index_t i, i64 stride, u32 groups,
                                     GLOBAL const u64 *sorted, i64 length,
                                     GLOBAL const u64 *queries, i64 count, u32 upper,
                                     GLOBAL i64 *out) {
    index_t ranks[SEARCH_AT_ONCE], low = 0, high = (index_t)length;
    index_t first = groups > 1 ? i * (index_t)groups * SEARCH_AT_ONCE : i;
    if (groups > 1)
        search_ranks_between_f64(first, (index_t)groups * SEARCH_AT_ONCE, sorted, queries,
                                 (index_t)count, upper, &low, &high);
    for (u32 g = 0; g < groups; g++, first += SEARCH_AT_ONCE) {
        search_ranks_f64(first, (index_t)stride, sorted + low, high - low, queries, count,
                         upper, ranks);
        for (u32 k = 0; k < SEARCH_AT_ONCE; k++) {
            const index_t q = first + (index_t)k * (index_t)stride;
            if (q < (index_t)count)
                out[q] = (i64)(low + ranks[k]);
        }
    }
}

#endif
