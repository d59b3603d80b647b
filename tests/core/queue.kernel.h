#ifndef QUEUE_KERNEL_H
#define QUEUE_KERNEL_H

#include <weft/kernel.h>

static inline void queue_add(index_t i, u32 more, GLOBAL u32 *x) {
    x[i] += more;
}

static inline void queue_mix(index_t i, GLOBAL const u32 *x, GLOBAL u32 *y) {
    u32 word = x[i];
    for (u32 k = 0; k < 64; k++)
        word = word * 1664525u + 1013904223u;
    y[i] = word;
}

#endif
