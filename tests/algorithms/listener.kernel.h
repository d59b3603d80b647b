#ifndef LISTENER_KERNEL_H
#define LISTENER_KERNEL_H

#include <weft/kernel.h>

static inline void listener_count(index_t i, GLOBAL u32 *x) {
    x[i] += 1;
}

#endif
