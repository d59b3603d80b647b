/* Where runs of equal keys begin: head i is 1 where key i differs from the one before, or
 * is the first. With after = 1, head i + 1: where runs end. Keys are equal where neither
 * comes before the other in the order of the sort; structs where their bytes are.
 *
 * heads_u32 reads without a condition, so that a work-item's reads can be under way
 * together; heads_masked_u32 reads side by side and does not branch on the kind, as a CPU's
 * vectors want it. */
#ifndef HEADS_KERNEL_H
#define HEADS_KERNEL_H

#include "primitives/order.kernel.h"

static inline u32 heads_u8(index_t i, GLOBAL const u8 *keys, i64 length, u32 after) {
    const index_t k = i + (index_t)after;
    const index_t here = min(k, (index_t)length - 1), before = max(k, (index_t)1) - 1;
    return (u32)(keys[here] != keys[before]) | (u32)(k == 0) | (u32)(k == (index_t)length);
}
static inline u32 heads_u16(index_t i, GLOBAL const u16 *keys, i64 length, u32 after) {
    const index_t k = i + (index_t)after;
    const index_t here = min(k, (index_t)length - 1), before = max(k, (index_t)1) - 1;
    return (u32)(keys[here] != keys[before]) | (u32)(k == 0) | (u32)(k == (index_t)length);
}
static inline u32 heads_u32(index_t i, GLOBAL const u32 *keys, i64 length, u32 after) {
    const index_t k = i + (index_t)after;
    const index_t here = min(k, (index_t)length - 1), before = max(k, (index_t)1) - 1;
    return (u32)(keys[here] != keys[before]) | (u32)(k == 0) | (u32)(k == (index_t)length);
}
static inline u32 heads_u64(index_t i, GLOBAL const u64 *keys, i64 length, u32 after) {
    const index_t k = i + (index_t)after;
    const index_t here = min(k, (index_t)length - 1), before = max(k, (index_t)1) - 1;
    return (u32)(keys[here] != keys[before]) | (u32)(k == 0) | (u32)(k == (index_t)length);
}
/* The bits of f32. */
static inline u32 heads_f32(index_t i, GLOBAL const u32 *keys, i64 length, u32 after) {
    const index_t k = i + (index_t)after;
    const index_t here = min(k, (index_t)length - 1), before = max(k, (index_t)1) - 1;
    return (u32)(order_u32(keys[here], ORDER_FLOAT) !=
                 order_u32(keys[before], ORDER_FLOAT)) |
           (u32)(k == 0) | (u32)(k == (index_t)length);
}
/* The bits of f64. */
static inline u32 heads_f64(index_t i, GLOBAL const u64 *keys, i64 length, u32 after) {
    const index_t k = i + (index_t)after;
    const index_t here = min(k, (index_t)length - 1), before = max(k, (index_t)1) - 1;
    return (u32)(order_u64(keys[here], ORDER_FLOAT) !=
                 order_u64(keys[before], ORDER_FLOAT)) |
           (u32)(k == 0) | (u32)(k == (index_t)length);
}
static inline u32 heads_masked_u8(index_t i, GLOBAL const u8 *keys, i64 length, u32 after,
                                  u32 kind) {
    const index_t k = i + (index_t)after;
    (void)kind;
    return k == 0 || k == (index_t)length || keys[k] != keys[k - 1];
}
static inline u32 heads_masked_u16(index_t i, GLOBAL const u16 *keys, i64 length, u32 after,
                                   u32 kind) {
    const index_t k = i + (index_t)after;
    (void)kind;
    return k == 0 || k == (index_t)length || keys[k] != keys[k - 1];
}
static inline u32 heads_masked_u32(index_t i, GLOBAL const u32 *keys, i64 length, u32 after,
                                   u32 kind) {
    const index_t k = i + (index_t)after;
    const u32 above = kind == ORDER_FLOAT ? 0xff000000u : ~(u32)0; /* are NaN, doubled */
    if (k == 0 || k == (index_t)length)
        return 1;
    const u32 here = keys[k], before = keys[k - 1];
    return (here != before) & ((here << 1 <= above) | (before << 1 <= above));
}
static inline u32 heads_masked_u64(index_t i, GLOBAL const u64 *keys, i64 length, u32 after,
                                   u32 kind) {
    const index_t k = i + (index_t)after;
    const u64 above =
        kind == ORDER_FLOAT ? (u64)0xffe0000000000000 : ~(u64)0; /* are NaN, doubled */
    if (k == 0 || k == (index_t)length)
        return 1;
    const u64 here = keys[k], before = keys[k - 1];
    return (here != before) & ((here << 1 <= above) | (before << 1 <= above));
}

static inline u32 heads_words(index_t i, GLOBAL const u32 *keys, i64 length, u32 after,
                              u32 parts) {
    const index_t k = i + (index_t)after;
    if (k == 0 || k == (index_t)length)
        return 1;
    u32 differ = 0;
    for (u32 p = 0; p < parts; p++)
        differ |= keys[k * parts + p] != keys[(k - 1) * parts + p];
    return differ;
}
static inline u32 heads_bytes(index_t i, GLOBAL const u8 *keys, i64 length, u32 after,
                              u32 parts) {
    const index_t k = i + (index_t)after;
    if (k == 0 || k == (index_t)length)
        return 1;
    u32 differ = 0;
    for (u32 p = 0; p < parts; p++)
        differ |= keys[k * parts + p] != keys[(k - 1) * parts + p];
    return differ;
}

#endif
