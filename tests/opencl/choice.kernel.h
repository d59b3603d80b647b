#ifndef CHOICE_KERNEL_H
#define CHOICE_KERNEL_H

#include <weft/kernel.h>

/* Right in C, wrong in OpenCL C: `half` is a type there. */
static inline void choice_refused(index_t i, GLOBAL u32 *x) {
    const u32 one = 1;
    const u32 half = one / 2;
    x[i] = half;
}

#endif
