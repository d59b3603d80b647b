/* Where runs of equal keys begin: head i is 1 where key i differs from the one before, or
 * is the first. With after = 1, head i + 1: where runs end. Keys are equal where neither
 * comes before the other in the order of the sort; structs where their bytes are.
 *
 * heads_u32 reads without a condition, so that a work-item's reads can be under way
 * together; heads_masked_u32 reads side by side and does not branch on the kind, as a CPU's
 * vectors want it. */
#ifndef WEFT_HEADS_KERNEL_H
#define WEFT_HEADS_KERNEL_H

#include "primitives/order.kernel.h"
#include "primitives/parts.kernel.h"

#pragma weft for T in u8 u16 u32 u64
static inline u32 heads_T(index_t i, GLOBAL const T *keys, i64 length, u32 after) {
    const index_t k = i + (index_t)after;
    const index_t here = min(k, (index_t)length - 1), before = max(k, (index_t)1) - 1;
    return (u32)(keys[here] != keys[before]) | (u32)(k == 0) | (u32)(k == (index_t)length);
}
#pragma weft end
#pragma weft for T : U in bits32 : u32 bits64 : u64
static inline u32 heads_T(index_t i, GLOBAL const T *keys, i64 length, u32 after) {
    const index_t k = i + (index_t)after;
    const index_t here = min(k, (index_t)length - 1), before = max(k, (index_t)1) - 1;
    return (u32)(order_U(keys[here], ORDER_FLOAT) != order_U(keys[before], ORDER_FLOAT)) |
           (u32)(k == 0) | (u32)(k == (index_t)length);
}
#pragma weft end

/* Heads of segments, as a walk from the last element to the first meets them. */
static inline u32 heads_reversed(index_t i, i64 length, GLOBAL const u32 *heads) {
    return i == 0 || heads[(index_t)length - i];
}

#pragma weft for T in u8 u16
static inline u32 heads_masked_T(index_t i, GLOBAL const T *keys, i64 length, u32 after,
                                 u32 kind) {
    const index_t k = i + (index_t)after;
    (void)kind;
    return k == 0 || k == (index_t)length || keys[k] != keys[k - 1];
}
#pragma weft end
#pragma weft for T : INFINITE in u32 : 0xff000000 u64 : 0xffe0000000000000
static inline u32 heads_masked_T(index_t i, GLOBAL const T *keys, i64 length, u32 after,
                                 u32 kind) {
    const index_t k = i + (index_t)after;
    const T above = kind == ORDER_FLOAT ? (T)INFINITE : ~(T)0; /* are NaN, doubled */
    if (k == 0 || k == (index_t)length)
        return 1;
    const T here = keys[k], before = keys[k - 1];
    return (here != before) & ((here << 1 <= above) | (before << 1 <= above));
}
#pragma weft end

#pragma weft for T in words bytes
static inline u32 heads_parts_T(index_t i, GLOBAL const T *keys, i64 length, u32 after,
                                u32 parts) {
    const index_t k = i + (index_t)after;
    if (k == 0 || k == (index_t)length)
        return 1;
    u32 differ = 0;
    for (u32 p = 0; p < parts; p++)
        differ |= keys[k * parts + p] != keys[(k - 1) * parts + p];
    return differ;
}
#pragma weft end

#endif
