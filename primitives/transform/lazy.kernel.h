/* Numbers in a row, and the same number again and again. Integers are added without a sign,
 * as overflow of signed ones is undefined in C. */
#ifndef WEFT_LAZY_KERNEL_H
#define WEFT_LAZY_KERNEL_H

#include <weft/kernel.h>

#pragma weft for T in i8 u8 i16 u16 i32 u32 i64 u64
static inline T lazy_counting_T(index_t i, T start) {
    return (T)((u64)start + (u64)i);
}
#pragma weft end
#pragma weft for T in f32 f64
static inline T lazy_counting_T(index_t i, T start) {
    return start + (T)i;
}
#pragma weft end
#pragma weft for T in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64
static inline T lazy_constant_T(index_t i, T value) {
    (void)i;
    return value;
}
#pragma weft end

#endif
