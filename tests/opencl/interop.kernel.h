#ifndef INTEROP_KERNEL_H
#define INTEROP_KERNEL_H

#include <weft/kernel.h>

static inline void interop_add(index_t i, u32 more, GLOBAL u32 *x) {
    x[i] += more;
}

#endif
