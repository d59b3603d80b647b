/* Segments that offsets tell: a bit for each element at which one begins, and which of them
 * have elements. Offsets that do not ascend set other bits, but none elsewhere. */
#ifndef WEFT_SEGMENTS_KERNEL_H
#define WEFT_SEGMENTS_KERNEL_H

#include <weft/kernel.h>

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
