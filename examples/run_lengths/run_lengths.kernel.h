#ifndef RUN_LENGTHS_KERNEL_H
#define RUN_LENGTHS_KERNEL_H

#include <weft/kernel.h>

/* A picture of black and white: stripes that grow wider. */
static inline u8 run_lengths_pixel(index_t i) {
    u32 width = 1, end = 1, k = 0;
    while (end <= (u32)i) {
        width += k % 2;
        end += width;
        k++;
    }
    return (u8)(k % 2 ? 255 : 0);
}

#endif
