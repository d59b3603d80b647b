/* The extreme element of each block of keys: its place in the order of the sort, turned
 * round where the greatest is wanted, and where the block begins. */
#ifndef WEFT_MINMAX_KERNEL_H
#define WEFT_MINMAX_KERNEL_H

#include "primitives/order.kernel.h"

typedef struct minmax_best {
    u64 image;
    i64 index;
} minmax_best;

static inline minmax_best minmax_first(minmax_best a, minmax_best b) {
    const int a_wins = a.image < b.image || (a.image == b.image && a.index < b.index);
    return a_wins ? a : b;
}

#pragma weft for T in u8 u16 u32 u64
static inline minmax_best minmax_T(index_t b, i64 base, i64 length, u32 block, u32 kind,
                                   u64 turn, GLOBAL const T *keys) {
    const index_t first = b * (index_t)block, left = (index_t)length - first;
    const u32 count = left < (index_t)block ? (u32)left : block;
    T best = (T) ~(T)0;
    for (u32 k = 0; k < count; k++) {
        const T image = (T)(order_T(keys[first + k], kind) ^ (T)turn);
        best = image < best ? image : best;
    }
    const minmax_best found = {best, base + (i64)first};
    return found;
}

/* One element: in the best block, and where so many work-items run that each looks at one.
 */
static inline minmax_best minmax_at_T(index_t i, i64 base, u32 kind, u64 turn,
                                      GLOBAL const T *keys) {
    const minmax_best here = {(T)(order_T(keys[i], kind) ^ (T)turn), base + (i64)i};
    return here;
}
#pragma weft end

#endif
