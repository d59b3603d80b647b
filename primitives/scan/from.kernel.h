/* A value, and then all elements but the last: what an inclusive scan of is an exclusive
 * scan of the elements that begins with the value. */
#ifndef WEFT_FROM_KERNEL_H
#define WEFT_FROM_KERNEL_H

#include <weft/kernel.h>

#pragma weft for T in i8 u8 i16 u16 i32 u32 i64 u64 f32 f64
static inline T from_T(index_t i, GLOBAL const T *in, GLOBAL const T *initial) {
    return i == 0 ? initial[0] : in[i - 1];
}
#pragma weft end

#endif
