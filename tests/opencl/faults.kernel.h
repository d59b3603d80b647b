#ifndef FAULTS_KERNEL_H
#define FAULTS_KERNEL_H

#include <weft/kernel.h>

static inline void faults_double(index_t i, GLOBAL u32 *x) {
    x[i] = 2 * x[i];
}

static inline u32 faults_head(index_t i, u32 every) {
    return (u32)i % every == 0;
}

static inline u32 faults_below(u32 count, u32 a, u32 b) {
    return count + (b < a);
}

#endif
