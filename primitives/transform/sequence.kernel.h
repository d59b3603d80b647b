/* start + i * step of each type; integers wrap around, signed ones share the bits. */
#ifndef WEFT_SEQUENCE_KERNEL_H
#define WEFT_SEQUENCE_KERNEL_H

#include <weft/kernel.h>

#pragma weft for T : U in u8 : u32 u16 : u32 u32 : u32 u64 : u64 f32 : f32 f64 : f64
static inline T sequence_T(index_t i, T start, T step) {
    return (T)((U)start + (U)i * (U)step);
}
#pragma weft end

#endif
