/* Merging along the merge path: each block of results finds by bisection how many of them
 * come from either side, and merges those (Odeh, Green, Mwassi, Shmueli, Birk, "Merge
 * path", 2012). Of equal keys those of the first array come first. */
#ifndef MERGE_KERNEL_H
#define MERGE_KERNEL_H

#include "primitives/order.kernel.h"

/* A long block is merged in several streams, so that one need not wait for another. */
enum { MERGE_STREAMS = 4, MERGE_LONG = 512 };

/* How many of the first `done` results come from a. */
static inline index_t merge_split_u8(GLOBAL const u8 *a, index_t a_length,
                                     GLOBAL const u8 *b, index_t b_length, u32 kind,
                                     index_t done) {
    index_t low = done > b_length ? done - b_length : 0;
    index_t high = done < a_length ? done : a_length;
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        const int a_first =
            order_u8(a[middle], kind) <= order_u8(b[done - 1 - middle], kind);
        low = a_first ? middle + 1 : low;
        high = a_first ? high : middle;
    }
    return low;
}
/* Results [begin, begin + MERGE_STREAMS * length) of integer keys, as many streams side by
 * side: none may come to an end of either array. */
static inline void merge_streams_u8(index_t begin, index_t length, GLOBAL const u8 *a,
                                    index_t a_length, GLOBAL const u8 *b, index_t b_length,
                                    u32 kind, GLOBAL u8 *out) {
    const u8 flip = kind == ORDER_SIGNED ? (u8)(0x80) : 0;
    index_t i[MERGE_STREAMS], j[MERGE_STREAMS];
    for (int s = 0; s < MERGE_STREAMS; s++) {
        i[s] = merge_split_u8(a, a_length, b, b_length, kind, begin + s * length);
        j[s] = begin + s * length - i[s];
    }
    for (index_t k = begin; k < begin + length; k++)
        for (int s = 0; s < MERGE_STREAMS; s++) {
            const u8 x = a[i[s]], y = b[j[s]];
            const int from_a = (u8)(x ^ flip) <= (u8)(y ^ flip);
            out[k + s * length] = from_a ? x : y;
            i[s] += from_a;
            j[s] += 1 - from_a;
        }
}
/* Block number `block` of the keys. */
static inline void merge_u8(index_t block, i64 a_length, i64 b_length, u32 size, u32 kind,
                            GLOBAL const u8 *a, GLOBAL const u8 *b, GLOBAL u8 *out) {
    const index_t all = (index_t)(a_length + b_length), begin = block * (index_t)size;
    const index_t end = all - begin < (index_t)size ? all : begin + (index_t)size;
    if (size >= MERGE_LONG && kind != ORDER_FLOAT && end - begin == (index_t)size) {
        const index_t last =
            merge_split_u8(a, (index_t)a_length, b, (index_t)b_length, kind, end);
        if (last < (index_t)a_length && end - last < (index_t)b_length) {
            merge_streams_u8(begin, (index_t)(size / MERGE_STREAMS), a, (index_t)a_length,
                             b, (index_t)b_length, kind, out);
            return;
        }
    }
    index_t i = merge_split_u8(a, (index_t)a_length, b, (index_t)b_length, kind, begin);
    index_t j = begin - i;
    for (index_t k = begin; k < end; k++) {
        const int from_a =
            j == (index_t)b_length ||
            (i < (index_t)a_length && order_u8(a[i], kind) <= order_u8(b[j], kind));
        out[k] = from_a ? a[i] : b[j];
        i += from_a;
        j += 1 - from_a;
    }
}
/* Where they come from: numbers from a_length on are those of b. */
static inline void merge_sources_u8(index_t block, i64 a_length, i64 b_length, u32 size,
                                    u32 kind, GLOBAL const u8 *a, GLOBAL const u8 *b,
                                    GLOBAL i64 *out) {
    const index_t all = (index_t)(a_length + b_length), begin = block * (index_t)size;
    const index_t end = all - begin < (index_t)size ? all : begin + (index_t)size;
    index_t i = merge_split_u8(a, (index_t)a_length, b, (index_t)b_length, kind, begin);
    index_t j = begin - i;
    for (index_t k = begin; k < end; k++) {
        const int from_a =
            j == (index_t)b_length ||
            (i < (index_t)a_length && order_u8(a[i], kind) <= order_u8(b[j], kind));
        out[k] = from_a ? (i64)i : a_length + (i64)j;
        i += from_a;
        j += 1 - from_a;
    }
}

/* How many of the first `done` results come from a. */
static inline index_t merge_split_u16(GLOBAL const u16 *a, index_t a_length,
                                      GLOBAL const u16 *b, index_t b_length, u32 kind,
                                      index_t done) {
    index_t low = done > b_length ? done - b_length : 0;
    index_t high = done < a_length ? done : a_length;
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        const int a_first =
            order_u16(a[middle], kind) <= order_u16(b[done - 1 - middle], kind);
        low = a_first ? middle + 1 : low;
        high = a_first ? high : middle;
    }
    return low;
}
/* Results [begin, begin + MERGE_STREAMS * length) of integer keys, as many streams side by
 * side: none may come to an end of either array. */
static inline void merge_streams_u16(index_t begin, index_t length, GLOBAL const u16 *a,
                                     index_t a_length, GLOBAL const u16 *b,
                                     index_t b_length, u32 kind, GLOBAL u16 *out) {
    const u16 flip = kind == ORDER_SIGNED ? (u16)(0x8000) : 0;
    index_t i[MERGE_STREAMS], j[MERGE_STREAMS];
    for (int s = 0; s < MERGE_STREAMS; s++) {
        i[s] = merge_split_u16(a, a_length, b, b_length, kind, begin + s * length);
        j[s] = begin + s * length - i[s];
    }
    for (index_t k = begin; k < begin + length; k++)
        for (int s = 0; s < MERGE_STREAMS; s++) {
            const u16 x = a[i[s]], y = b[j[s]];
            const int from_a = (u16)(x ^ flip) <= (u16)(y ^ flip);
            out[k + s * length] = from_a ? x : y;
            i[s] += from_a;
            j[s] += 1 - from_a;
        }
}
/* Block number `block` of the keys. */
static inline void merge_u16(index_t block, i64 a_length, i64 b_length, u32 size, u32 kind,
                             GLOBAL const u16 *a, GLOBAL const u16 *b, GLOBAL u16 *out) {
    const index_t all = (index_t)(a_length + b_length), begin = block * (index_t)size;
    const index_t end = all - begin < (index_t)size ? all : begin + (index_t)size;
    if (size >= MERGE_LONG && kind != ORDER_FLOAT && end - begin == (index_t)size) {
        const index_t last =
            merge_split_u16(a, (index_t)a_length, b, (index_t)b_length, kind, end);
        if (last < (index_t)a_length && end - last < (index_t)b_length) {
            merge_streams_u16(begin, (index_t)(size / MERGE_STREAMS), a, (index_t)a_length,
                              b, (index_t)b_length, kind, out);
            return;
        }
    }
    index_t i = merge_split_u16(a, (index_t)a_length, b, (index_t)b_length, kind, begin);
    index_t j = begin - i;
    for (index_t k = begin; k < end; k++) {
        const int from_a =
            j == (index_t)b_length ||
            (i < (index_t)a_length && order_u16(a[i], kind) <= order_u16(b[j], kind));
        out[k] = from_a ? a[i] : b[j];
        i += from_a;
        j += 1 - from_a;
    }
}
/* Where they come from: numbers from a_length on are those of b. */
static inline void merge_sources_u16(index_t block, i64 a_length, i64 b_length, u32 size,
                                     u32 kind, GLOBAL const u16 *a, GLOBAL const u16 *b,
                                     GLOBAL i64 *out) {
    const index_t all = (index_t)(a_length + b_length), begin = block * (index_t)size;
    const index_t end = all - begin < (index_t)size ? all : begin + (index_t)size;
    index_t i = merge_split_u16(a, (index_t)a_length, b, (index_t)b_length, kind, begin);
    index_t j = begin - i;
    for (index_t k = begin; k < end; k++) {
        const int from_a =
            j == (index_t)b_length ||
            (i < (index_t)a_length && order_u16(a[i], kind) <= order_u16(b[j], kind));
        out[k] = from_a ? (i64)i : a_length + (i64)j;
        i += from_a;
        j += 1 - from_a;
    }
}

/* How many of the first `done` results come from a. */
static inline index_t merge_split_u32(GLOBAL const u32 *a, index_t a_length,
                                      GLOBAL const u32 *b, index_t b_length, u32 kind,
                                      index_t done) {
    index_t low = done > b_length ? done - b_length : 0;
    index_t high = done < a_length ? done : a_length;
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        const int a_first =
            order_u32(a[middle], kind) <= order_u32(b[done - 1 - middle], kind);
        low = a_first ? middle + 1 : low;
        high = a_first ? high : middle;
    }
    return low;
}
/* Results [begin, begin + MERGE_STREAMS * length) of integer keys, as many streams side by
 * side: none may come to an end of either array. */
static inline void merge_streams_u32(index_t begin, index_t length, GLOBAL const u32 *a,
                                     index_t a_length, GLOBAL const u32 *b,
                                     index_t b_length, u32 kind, GLOBAL u32 *out) {
    const u32 flip = kind == ORDER_SIGNED ? (u32)(0x80000000u) : 0;
    index_t i[MERGE_STREAMS], j[MERGE_STREAMS];
    for (int s = 0; s < MERGE_STREAMS; s++) {
        i[s] = merge_split_u32(a, a_length, b, b_length, kind, begin + s * length);
        j[s] = begin + s * length - i[s];
    }
    for (index_t k = begin; k < begin + length; k++)
        for (int s = 0; s < MERGE_STREAMS; s++) {
            const u32 x = a[i[s]], y = b[j[s]];
            const int from_a = (u32)(x ^ flip) <= (u32)(y ^ flip);
            out[k + s * length] = from_a ? x : y;
            i[s] += from_a;
            j[s] += 1 - from_a;
        }
}
/* Block number `block` of the keys. */
static inline void merge_u32(index_t block, i64 a_length, i64 b_length, u32 size, u32 kind,
                             GLOBAL const u32 *a, GLOBAL const u32 *b, GLOBAL u32 *out) {
    const index_t all = (index_t)(a_length + b_length), begin = block * (index_t)size;
    const index_t end = all - begin < (index_t)size ? all : begin + (index_t)size;
    if (size >= MERGE_LONG && kind != ORDER_FLOAT && end - begin == (index_t)size) {
        const index_t last =
            merge_split_u32(a, (index_t)a_length, b, (index_t)b_length, kind, end);
        if (last < (index_t)a_length && end - last < (index_t)b_length) {
            merge_streams_u32(begin, (index_t)(size / MERGE_STREAMS), a, (index_t)a_length,
                              b, (index_t)b_length, kind, out);
            return;
        }
    }
    index_t i = merge_split_u32(a, (index_t)a_length, b, (index_t)b_length, kind, begin);
    index_t j = begin - i;
    for (index_t k = begin; k < end; k++) {
        const int from_a =
            j == (index_t)b_length ||
            (i < (index_t)a_length && order_u32(a[i], kind) <= order_u32(b[j], kind));
        out[k] = from_a ? a[i] : b[j];
        i += from_a;
        j += 1 - from_a;
    }
}
/* Where they come from: numbers from a_length on are those of b. */
static inline void merge_sources_u32(index_t block, i64 a_length, i64 b_length, u32 size,
                                     u32 kind, GLOBAL const u32 *a, GLOBAL const u32 *b,
                                     GLOBAL i64 *out) {
    const index_t all = (index_t)(a_length + b_length), begin = block * (index_t)size;
    const index_t end = all - begin < (index_t)size ? all : begin + (index_t)size;
    index_t i = merge_split_u32(a, (index_t)a_length, b, (index_t)b_length, kind, begin);
    index_t j = begin - i;
    for (index_t k = begin; k < end; k++) {
        const int from_a =
            j == (index_t)b_length ||
            (i < (index_t)a_length && order_u32(a[i], kind) <= order_u32(b[j], kind));
        out[k] = from_a ? (i64)i : a_length + (i64)j;
        i += from_a;
        j += 1 - from_a;
    }
}

/* How many of the first `done` results come from a. */
static inline index_t merge_split_u64(GLOBAL const u64 *a, index_t a_length,
                                      GLOBAL const u64 *b, index_t b_length, u32 kind,
                                      index_t done) {
    index_t low = done > b_length ? done - b_length : 0;
    index_t high = done < a_length ? done : a_length;
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        const int a_first =
            order_u64(a[middle], kind) <= order_u64(b[done - 1 - middle], kind);
        low = a_first ? middle + 1 : low;
        high = a_first ? high : middle;
    }
    return low;
}
/* Results [begin, begin + MERGE_STREAMS * length) of integer keys, as many streams side by
 * side: none may come to an end of either array. */
static inline void merge_streams_u64(index_t begin, index_t length, GLOBAL const u64 *a,
                                     index_t a_length, GLOBAL const u64 *b,
                                     index_t b_length, u32 kind, GLOBAL u64 *out) {
    const u64 flip = kind == ORDER_SIGNED ? (u64)((u64)1 << 63) : 0;
    index_t i[MERGE_STREAMS], j[MERGE_STREAMS];
    for (int s = 0; s < MERGE_STREAMS; s++) {
        i[s] = merge_split_u64(a, a_length, b, b_length, kind, begin + s * length);
        j[s] = begin + s * length - i[s];
    }
    for (index_t k = begin; k < begin + length; k++)
        for (int s = 0; s < MERGE_STREAMS; s++) {
            const u64 x = a[i[s]], y = b[j[s]];
            const int from_a = (u64)(x ^ flip) <= (u64)(y ^ flip);
            out[k + s * length] = from_a ? x : y;
            i[s] += from_a;
            j[s] += 1 - from_a;
        }
}
/* Block number `block` of the keys. */
static inline void merge_u64(index_t block, i64 a_length, i64 b_length, u32 size, u32 kind,
                             GLOBAL const u64 *a, GLOBAL const u64 *b, GLOBAL u64 *out) {
    const index_t all = (index_t)(a_length + b_length), begin = block * (index_t)size;
    const index_t end = all - begin < (index_t)size ? all : begin + (index_t)size;
    if (size >= MERGE_LONG && kind != ORDER_FLOAT && end - begin == (index_t)size) {
        const index_t last =
            merge_split_u64(a, (index_t)a_length, b, (index_t)b_length, kind, end);
        if (last < (index_t)a_length && end - last < (index_t)b_length) {
            merge_streams_u64(begin, (index_t)(size / MERGE_STREAMS), a, (index_t)a_length,
                              b, (index_t)b_length, kind, out);
            return;
        }
    }
    index_t i = merge_split_u64(a, (index_t)a_length, b, (index_t)b_length, kind, begin);
    index_t j = begin - i;
    for (index_t k = begin; k < end; k++) {
        const int from_a =
            j == (index_t)b_length ||
            (i < (index_t)a_length && order_u64(a[i], kind) <= order_u64(b[j], kind));
        out[k] = from_a ? a[i] : b[j];
        i += from_a;
        j += 1 - from_a;
    }
}
/* Where they come from: numbers from a_length on are those of b. */
static inline void merge_sources_u64(index_t block, i64 a_length, i64 b_length, u32 size,
                                     u32 kind, GLOBAL const u64 *a, GLOBAL const u64 *b,
                                     GLOBAL i64 *out) {
    const index_t all = (index_t)(a_length + b_length), begin = block * (index_t)size;
    const index_t end = all - begin < (index_t)size ? all : begin + (index_t)size;
    index_t i = merge_split_u64(a, (index_t)a_length, b, (index_t)b_length, kind, begin);
    index_t j = begin - i;
    for (index_t k = begin; k < end; k++) {
        const int from_a =
            j == (index_t)b_length ||
            (i < (index_t)a_length && order_u64(a[i], kind) <= order_u64(b[j], kind));
        out[k] = from_a ? (i64)i : a_length + (i64)j;
        i += from_a;
        j += 1 - from_a;
    }
}

#endif
