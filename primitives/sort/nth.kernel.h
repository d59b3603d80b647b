/* Selection by order: samples, and tests of where elements stand. An image is a key as an
 * unsigned number of the same order; flip is the sign of signed integers, and all bits are
 * turned round for a descending order. */
#ifndef NTH_KERNEL_H
#define NTH_KERNEL_H

#include "primitives/order.kernel.h"

/* Where sample i of `count` is taken: somewhere in the i-th of as many equal parts. */
static inline index_t nth_sample(index_t i, i64 length, i64 count) {
    const u64 part = (u64)length / (u64)count;
    const u64 mixed = ((u64)i + 1) * (u64)0x9e3779b97f4a7c15;
    return (index_t)((u64)i * (u64)length / (u64)count + (mixed >> 32) % part);
}

#pragma weft for T in u8 u16 u32 u64
static inline T nth_image_T(T key, T flip) {
    return (T)(key ^ flip);
}
#pragma weft end
#pragma weft for T : U in bits32 : u32 bits64 : u64
static inline T nth_image_T(T key, T flip) {
    return order_U(key, ORDER_FLOAT) ^ flip;
}
#pragma weft end

#pragma weft for T in u8 u16 u32 u64 bits32 bits64
/* The image of a sample. */
static inline u64 nth_sampled_T(index_t i, i64 length, i64 count, GLOBAL const T *x,
                                u64 flip) {
    return nth_image_T(x[nth_sample(i, length, count)], (T)flip);
}
/* Whether the image is in [low, high]. */
static inline u32 nth_within_T(index_t i, u64 low, u64 high, GLOBAL const T *x, u64 flip) {
    return (T)(nth_image_T(x[i], (T)flip) - (T)low) <= (T)((T)high - (T)low);
}
/* Whether x[i] is x[last], or comes before it; of equal ones the first does. */
static inline u32 nth_until_T(index_t i, i64 last, GLOBAL const T *x, u64 flip) {
    const T image = nth_image_T(x[i], (T)flip),
            bound = nth_image_T(x[(index_t)last], (T)flip);
    return (image < bound) | ((image == bound) & (i <= (index_t)last));
}
#pragma weft end

#endif
