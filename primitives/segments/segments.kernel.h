/* Segments that offsets tell: a bit for each element at which one begins, and which of them
 * have elements. Offsets that do not ascend set other bits, but none elsewhere. */
#ifndef WEFT_SEGMENTS_KERNEL_H
#define WEFT_SEGMENTS_KERNEL_H

#include "primitives/order.kernel.h"

/* A work-item makes `size` of the words; offset k is the next that it meets. */
static inline void segments_bits(index_t w, i64 words, i64 size, GLOBAL const i64 *offsets,
                                 i64 count, GLOBAL u32 *bits) {
    const i64 first = w * size, last = min(first + size, words);
    index_t k = 0;
    for (index_t left = (index_t)count; left > 0;) {
        const index_t middle = (left + 1) / 2;
        k += offsets[k + middle - 1] < first * 32 ? middle : 0;
        left -= middle;
    }
    for (i64 word = first; word < last; word++) {
        u32 mask = 0;
        for (; k < (index_t)count && offsets[k] < (word + 1) * 32; k++)
            mask |= (u32)1 << (offsets[k] & 31);
        bits[word] = mask;
    }
}

#pragma weft for T in u32
static inline u32 segments_heads_T(index_t i, GLOBAL const T *bits) {
    return bits[i / 32] >> (i % 32) & 1;
}
#pragma weft end

/* The segment that element i lies in, counted from 1: 0 and `count` are none. */
static inline index_t segments_of(i64 i, GLOBAL const i64 *offsets, i64 count) {
    index_t k = 0;
    for (index_t left = (index_t)count; left > 0;) {
        const index_t middle = (left + 1) / 2;
        k += offsets[k + middle - 1] <= i ? middle : 0;
        left -= middle;
    }
    return k;
}

#pragma weft for T in u8 u16 u32 u64
/* Where element i of n goes: behind those of its segment that come before it, by a look at
 * all of them. */
static inline void segments_place_T(index_t i, i64 n, u32 kind, u32 descending,
                                    GLOBAL const i64 *offsets, i64 count,
                                    GLOBAL const T *keys, GLOBAL u32 *place) {
    const index_t k = segments_of(i, offsets, count);
    const i64 begin = k == 0 ? 0 : min(max(offsets[k - 1], (i64)0), n);
    const i64 end = k == (index_t)count ? n : min(max(offsets[k], (i64)0), n);
    const T flip = (T)((T)0 - (T)descending);
    const T mine = (T)(order_T(keys[i], kind) ^ flip);
    i64 at = begin;
    for (index_t j = (index_t)begin; j < (index_t)end; j++) {
        const T other = (T)(order_T(keys[j], kind) ^ flip);
        at += (other < mine) | ((other == mine) & (j < i));
    }
    place[i] = k == 0 || k == (index_t)count ? (u32)i : (u32)min(at, n - 1);
}
#pragma weft end

/* Whether a run ends where segment i begins: what is before the first segment is one, too.
 */
static inline i64 segments_before(index_t i, GLOBAL const i64 *offsets) {
    return i == 0 ? offsets[0] > 0 : offsets[i - 1] < offsets[i];
}

static inline u32 segments_some(index_t i, GLOBAL const i64 *offsets) {
    return offsets[i] < offsets[i + 1];
}

/* The last element of a segment that has one, of n. */
static inline i64 segments_last(index_t i, GLOBAL const i64 *offsets, i64 n) {
    return max(min(offsets[i + 1], n), (i64)1) - 1;
}

#endif
