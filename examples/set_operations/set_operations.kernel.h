#ifndef SET_OPERATIONS_KERNEL_H
#define SET_OPERATIONS_KERNEL_H

#include <weft/kernel.h>

/* Particle i of a snapshot: those of the later one have lost some and won others. */
static inline u64 set_operations_id(index_t i, u64 first, u64 step) {
    return first + (u64)i * step;
}

#endif
