#ifndef ALLOCATOR_KERNEL_H
#define ALLOCATOR_KERNEL_H

#include <weft/kernel.h>

static inline void allocator_add(index_t i, u32 more, GLOBAL u32 *x) {
    x[i] += more;
}

static inline u32 allocator_mixed(index_t i, u32 shift) {
    return (u32)i * 2654435761u >> shift;
}

#endif
