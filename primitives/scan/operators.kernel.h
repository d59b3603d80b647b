/* The usual operators. Sums and products of integers wrap around: they are taken without a
 * sign, as overflow of signed numbers is undefined in C. */
#ifndef WEFT_OPERATORS_KERNEL_H
#define WEFT_OPERATORS_KERNEL_H

#include <weft/kernel.h>

#pragma weft for T in i8 u8 i16 u16 i32 u32 i64 u64
static inline T operators_plus_T(T a, T b) {
    return (T)((u64)a + (u64)b);
}
static inline T operators_times_T(T a, T b) {
    return (T)((u64)a * (u64)b);
}
static inline T operators_minimum_T(T a, T b) {
    return b < a ? b : a;
}
static inline T operators_maximum_T(T a, T b) {
    return a < b ? b : a;
}
static inline T operators_bit_or_T(T a, T b) {
    return (T)(a | b);
}
static inline T operators_bit_and_T(T a, T b) {
    return (T)(a & b);
}
#pragma weft end

/* Of extremes a number wins over a NaN, and -0 is below +0, so that the result does not
 * depend on the order in which the elements come. */
#pragma weft for T in f32 f64
static inline T operators_plus_T(T a, T b) {
    return a + b;
}
static inline T operators_times_T(T a, T b) {
    return a * b;
}
static inline T operators_minimum_T(T a, T b) {
    const T equal = bits_T(T_bits(a) | T_bits(b));
    return a < b || b != b ? a : b < a || a != a ? b : equal;
}
static inline T operators_maximum_T(T a, T b) {
    const T equal = bits_T(T_bits(a) & T_bits(b));
    return a > b || b != b ? a : b > a || a != a ? b : equal;
}
#pragma weft end

#endif
