/* Differences of neighbours; the first element stays. */
#ifndef WEFT_DIFFERENCE_KERNEL_H
#define WEFT_DIFFERENCE_KERNEL_H

#include <weft/kernel.h>

#pragma weft for T in u8 u16 u32 u64 f32 f64
static inline T difference_T(index_t i, GLOBAL const T *in) {
    return i == 0 ? in[0] : (T)(in[i] - in[i - 1]);
}
#pragma weft end

#endif
