#ifndef LARGE_KERNEL_H
#define LARGE_KERNEL_H

#include <weft/kernel.h>

static inline u32 large_flag(index_t i, u32 mask) {
    return ((u32)i & mask) == 0;
}
static inline u64 large_number(index_t i, u64 first) {
    return first + (u64)i;
}
static inline u32 large_bin(index_t i, u32 bins) {
    return (u32)i & (bins - 1);
}
static inline u8 large_one(index_t i, u8 one) {
    (void)i;
    return one;
}

#endif
