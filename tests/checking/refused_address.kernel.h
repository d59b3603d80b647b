/* The address space of an array, which C has no word for, left out. */
#ifndef REFUSED_ADDRESS_KERNEL_H
#define REFUSED_ADDRESS_KERNEL_H

#include <weft/kernel.h>

static inline void refused_address(index_t i, const u32 *x, GLOBAL u32 *y) {
    y[i] = x[i];
}

typedef struct refused_address_bundle {
    const u32 *x;
} refused_address_bundle;

static inline u32 refused_address_lazy(index_t i, refused_address_bundle all) {
    return all.x[i];
}

#endif
