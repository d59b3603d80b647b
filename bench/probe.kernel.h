/* The device's own bandwidth: nothing but memory. */
#ifndef PROBE_KERNEL_H
#define PROBE_KERNEL_H

#include <weft/kernel.h>

/* Each of n work-items reads every n-th element. */
static inline void probe_read(index_t i, i64 lanes, i64 each, GLOBAL const u64 *in,
                              GLOBAL u64 *out) {
    u64 sum = 0;
    for (i64 k = 0; k < each; k++)
        sum += in[k * lanes + i];
    out[i] = sum;
}

#endif
