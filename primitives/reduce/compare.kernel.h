/* The first element of each block in which two arrays differ, or the greatest number. */
#ifndef WEFT_COMPARE_KERNEL_H
#define WEFT_COMPARE_KERNEL_H

#include <weft/kernel.h>

#pragma weft for T in u8 u16 u32 u64 f32 f64
static inline i64 compare_T(index_t block, i64 base, i64 length, u32 size,
                            GLOBAL const T *a, GLOBAL const T *b) {
    const index_t first = block * (index_t)size, left = (index_t)length - first;
    const u32 count = left < (index_t)size ? (u32)left : size;
    u32 place = count;
    for (u32 k = 0; k < count; k++) {
        const u32 here = a[first + k] != b[first + k] ? k : count;
        place = here < place ? here : place;
    }
    return place < count ? base + (i64)first + (i64)place : (i64)0x7fffffffffffffff;
}
#pragma weft end

#endif
