/* Exchanges the elements of two arrays. */
#ifndef WEFT_SWAP_KERNEL_H
#define WEFT_SWAP_KERNEL_H

#include <weft/kernel.h>

#pragma weft for T in u8 u16 u32 u64
static inline void swap_T(index_t i, GLOBAL T *a, GLOBAL T *b) {
    const T held = a[i];
    a[i] = b[i];
    b[i] = held;
}
#pragma weft end

#endif
