/* What both ways to transform share: the factors. */
#ifndef FOURIER_FACTORS_KERNEL_H
#define FOURIER_FACTORS_KERNEL_H

#include <weft/kernel.h>

enum { FOURIER_MOST_RADIX = 7 };

/* The next factor to transform by; 0 where what is left is 1, or has another. */
static inline i32 fourier_factors_next(i64 n) {
    return n <= 1                        ? 0
           : n % 4 == 0                  ? 4
           : n % 2 == 0                  ? 2
           : n % 3 == 0                  ? 3
           : n % 5 == 0                  ? 5
           : n % FOURIER_MOST_RADIX == 0 ? FOURIER_MOST_RADIX
                                         : 0;
}

#endif
