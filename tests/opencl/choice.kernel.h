#ifndef CHOICE_KERNEL_H
#define CHOICE_KERNEL_H

#include <weft/kernel.h>

/* Right in C, wrong in OpenCL C: the array is not said to be GLOBAL. */
static inline void choice_write(u32 *x) {
    *x = 0;
}

static inline void choice_refused(index_t i, GLOBAL u32 *x) {
    const u32 one = 1;
    choice_write(x + i * one);
}

#endif
