/* Merging along the merge path: each block of results finds by bisection how many of them
 * come from either side, and merges those (Odeh, Green, Mwassi, Shmueli, Birk, "Merge
 * path", 2012). Of equal keys those of the first array come first. */
#ifndef WEFT_MERGE_KERNEL_H
#define WEFT_MERGE_KERNEL_H

#include "primitives/order.kernel.h"

/* A long block is merged in several streams, so that one need not wait for another. */
enum { MERGE_STREAMS = 4, MERGE_LONG = 512 };

#pragma weft for T in u8 u16 u32 u64
/* How many of the first `done` results come from a, at least low and at most high. */
static inline index_t merge_between_T(GLOBAL const T *a, GLOBAL const T *b, u32 kind,
                                      index_t done, index_t low, index_t high) {
    while (low < high) {
        const index_t middle = low + (high - low) / 2;
        const int a_first = order_T(a[middle], kind) <= order_T(b[done - 1 - middle], kind);
        low = a_first ? middle + 1 : low;
        high = a_first ? high : middle;
    }
    return low;
}
static inline index_t merge_split_T(GLOBAL const T *a, index_t a_length, GLOBAL const T *b,
                                    index_t b_length, u32 kind, index_t done) {
    return merge_between_T(a, b, kind, done, done > b_length ? done - b_length : 0,
                           done < a_length ? done : a_length);
}
/* Results [begin, begin + MERGE_STREAMS * length) of integer keys, from a[first .. last)
 * and b, as many streams side by side: none may come to an end of either array. */
static inline void merge_streams_T(index_t begin, index_t length, GLOBAL const T *a,
                                   index_t first, index_t last, GLOBAL const T *b, u32 kind,
                                   GLOBAL T *out) {
    const T flip = order_T(0, kind);
    const index_t b_first = begin - first, b_last = begin + MERGE_STREAMS * length - last;
    index_t i[MERGE_STREAMS], j[MERGE_STREAMS];
    for (int s = 0; s < MERGE_STREAMS; s++) {
        const index_t done = begin + s * length, low = done - b_last, high = done - b_first;
        i[s] = merge_between_T(a, b, kind, done, low > first ? low : first,
                               high < last ? high : last);
        j[s] = done - i[s];
    }
    for (index_t k = begin; k < begin + length; k++)
        for (int s = 0; s < MERGE_STREAMS; s++) {
            const T x = a[i[s]], y = b[j[s]];
            const int from_a = (T)(x ^ flip) <= (T)(y ^ flip);
            out[k + s * length] = from_a ? x : y;
            i[s] += from_a;
            j[s] += 1 - from_a;
        }
}
/* Block number `block` of the keys. */
static inline void merge_T(index_t block, i64 a_length, i64 b_length, u32 size, u32 kind,
                           GLOBAL const T *a, GLOBAL const T *b, GLOBAL T *out) {
    const index_t all = (index_t)(a_length + b_length), begin = block * (index_t)size;
    const index_t end = all - begin < (index_t)size ? all : begin + (index_t)size;
    index_t i = merge_split_T(a, (index_t)a_length, b, (index_t)b_length, kind, begin);
    if (size >= MERGE_LONG && kind != ORDER_FLOAT && end - begin == (index_t)size) {
        const index_t last =
            merge_split_T(a, (index_t)a_length, b, (index_t)b_length, kind, end);
        if (last < (index_t)a_length && end - last < (index_t)b_length) {
            merge_streams_T(begin, (index_t)(size / MERGE_STREAMS), a, i, last, b, kind,
                            out);
            return;
        }
    }
    index_t j = begin - i;
    for (index_t k = begin; k < end; k++) {
        const int from_a =
            j == (index_t)b_length ||
            (i < (index_t)a_length && order_T(a[i], kind) <= order_T(b[j], kind));
        out[k] = from_a ? a[i] : b[j];
        i += from_a;
        j += 1 - from_a;
    }
}
/* Where they come from: numbers from a_length on are those of b. */
static inline void merge_sources_T(index_t block, i64 a_length, i64 b_length, u32 size,
                                   u32 kind, GLOBAL const T *a, GLOBAL const T *b,
                                   GLOBAL i64 *out) {
    const index_t all = (index_t)(a_length + b_length), begin = block * (index_t)size;
    const index_t end = all - begin < (index_t)size ? all : begin + (index_t)size;
    index_t i = merge_split_T(a, (index_t)a_length, b, (index_t)b_length, kind, begin);
    index_t j = begin - i;
    for (index_t k = begin; k < end; k++) {
        const int from_a =
            j == (index_t)b_length ||
            (i < (index_t)a_length && order_T(a[i], kind) <= order_T(b[j], kind));
        out[k] = from_a ? (i64)i : a_length + (i64)j;
        i += from_a;
        j += 1 - from_a;
    }
}
#pragma weft end

#endif
