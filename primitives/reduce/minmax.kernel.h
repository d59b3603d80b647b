/* The extreme element of each block of keys: its place in the order of the sort, turned
 * round where the greatest is wanted, and where the block begins. */
#ifndef MINMAX_KERNEL_H
#define MINMAX_KERNEL_H

#include "primitives/order.kernel.h"

typedef struct minmax_best {
    u64 image;
    i64 index;
} minmax_best;

static inline minmax_best minmax_first(minmax_best a, minmax_best b) {
    const int a_wins = a.image < b.image || (a.image == b.image && a.index < b.index);
    return a_wins ? a : b;
}

static inline minmax_best minmax_u8(index_t b, i64 base, i64 length, u32 block, u32 kind,
                                    u64 turn, GLOBAL const u8 *keys) {
    const index_t first = b * (index_t)block, left = (index_t)length - first;
    const u32 count = left < (index_t)block ? (u32)left : block;
    u8 best = (u8) ~(u8)0;
    for (u32 k = 0; k < count; k++) {
        const u8 image = (u8)(order_u8(keys[first + k], kind) ^ (u8)turn);
        best = image < best ? image : best;
    }
    const minmax_best found = {best, base + (i64)first};
    return found;
}
static inline minmax_best minmax_u16(index_t b, i64 base, i64 length, u32 block, u32 kind,
                                     u64 turn, GLOBAL const u16 *keys) {
    const index_t first = b * (index_t)block, left = (index_t)length - first;
    const u32 count = left < (index_t)block ? (u32)left : block;
    u16 best = (u16) ~(u16)0;
    for (u32 k = 0; k < count; k++) {
        const u16 image = (u16)(order_u16(keys[first + k], kind) ^ (u16)turn);
        best = image < best ? image : best;
    }
    const minmax_best found = {best, base + (i64)first};
    return found;
}
static inline minmax_best minmax_u32(index_t b, i64 base, i64 length, u32 block, u32 kind,
                                     u64 turn, GLOBAL const u32 *keys) {
    const index_t first = b * (index_t)block, left = (index_t)length - first;
    const u32 count = left < (index_t)block ? (u32)left : block;
    u32 best = (u32) ~(u32)0;
    for (u32 k = 0; k < count; k++) {
        const u32 image = order_u32(keys[first + k], kind) ^ (u32)turn;
        best = image < best ? image : best;
    }
    const minmax_best found = {best, base + (i64)first};
    return found;
}
static inline minmax_best minmax_u64(index_t b, i64 base, i64 length, u32 block, u32 kind,
                                     u64 turn, GLOBAL const u64 *keys) {
    const index_t first = b * (index_t)block, left = (index_t)length - first;
    const u32 count = left < (index_t)block ? (u32)left : block;
    u64 best = (u64) ~(u64)0;
    for (u32 k = 0; k < count; k++) {
        const u64 image = order_u64(keys[first + k], kind) ^ (u64)turn;
        best = image < best ? image : best;
    }
    const minmax_best found = {best, base + (i64)first};
    return found;
}

/* One element: in the best block, and where so many work-items run that each looks at one.
 */
static inline minmax_best minmax_at_u8(index_t i, i64 base, u32 kind, u64 turn,
                                       GLOBAL const u8 *keys) {
    const minmax_best here = {(u8)(order_u8(keys[i], kind) ^ (u8)turn), base + (i64)i};
    return here;
}
static inline minmax_best minmax_at_u16(index_t i, i64 base, u32 kind, u64 turn,
                                        GLOBAL const u16 *keys) {
    const minmax_best here = {(u16)(order_u16(keys[i], kind) ^ (u16)turn), base + (i64)i};
    return here;
}
static inline minmax_best minmax_at_u32(index_t i, i64 base, u32 kind, u64 turn,
                                        GLOBAL const u32 *keys) {
    const minmax_best here = {order_u32(keys[i], kind) ^ (u32)turn, base + (i64)i};
    return here;
}
static inline minmax_best minmax_at_u64(index_t i, i64 base, u32 kind, u64 turn,
                                        GLOBAL const u64 *keys) {
    const minmax_best here = {order_u64(keys[i], kind) ^ (u64)turn, base + (i64)i};
    return here;
}

#endif
