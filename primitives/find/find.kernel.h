/* What is looked for, as flags: elements that equal a value, or the next one; elements that
 * the next one comes before; queries that are where they were looked for. */
#ifndef WEFT_FIND_KERNEL_H
#define WEFT_FIND_KERNEL_H

#include "primitives/order.kernel.h"
#include "primitives/parts.kernel.h"

#pragma weft for T in u8 u16 u32 u64 f32 f64
static inline u32 find_value_T(index_t i, GLOBAL const T *in, T value) {
    return in[i] == value;
}
static inline u32 find_equal_T(index_t i, GLOBAL const T *in, u32 parts) {
    (void)parts;
    return in[i] == in[i + 1];
}
#pragma weft end
#pragma weft for T in words bytes
static inline u32 find_struct_T(index_t i, GLOBAL const T *in, GLOBAL const T *value,
                                u32 parts) {
    u32 differ = 0;
    for (u32 p = 0; p < parts; p++)
        differ |= in[i * parts + p] != value[p];
    return !differ;
}
static inline u32 find_equal_T(index_t i, GLOBAL const T *in, u32 parts) {
    u32 differ = 0;
    for (u32 p = 0; p < parts; p++)
        differ |= in[i * parts + p] != in[(i + 1) * parts + p];
    return !differ;
}
#pragma weft end

#pragma weft for T in u8 u16 u32 u64
static inline u32 find_fall_T(index_t i, GLOBAL const T *in, u32 kind) {
    return order_T(in[i + 1], kind) < order_T(in[i], kind);
}
static inline u32 find_present_T(index_t i, GLOBAL const T *sorted, i64 length,
                                 GLOBAL const T *queries, GLOBAL const i64 *ranks,
                                 u32 kind) {
    const i64 rank = ranks[i];
    return rank < length && order_T(sorted[rank], kind) == order_T(queries[i], kind);
}
#pragma weft end

#endif
