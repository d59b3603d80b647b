/* Products, element by element; those of short integers are taken without a sign. */
#ifndef WEFT_INNER_KERNEL_H
#define WEFT_INNER_KERNEL_H

#include <weft/kernel.h>

#pragma weft for T : U in u8 : u32 u16 : u32 u32 : u32 u64 : u64 f32 : f32 f64 : f64
static inline T inner_T(index_t i, GLOBAL const T *a, GLOBAL const T *b) {
    return (T)((U)a[i] * (U)b[i]);
}
#pragma weft end

#endif
