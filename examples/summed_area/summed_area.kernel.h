#ifndef SUMMED_AREA_KERNEL_H
#define SUMMED_AREA_KERNEL_H

#include <weft/kernel.h>

/* A picture, row by row. */
static inline i64 summed_area_pixel(index_t i, u32 width) {
    const i64 x = (i64)i % width, y = (i64)i / width;
    return (x * x + 3 * y) % 17;
}
/* The row of an element of a table, which is the key that its scan stays within. */
static inline u32 summed_area_row(index_t i, u32 width) {
    return (u32)i / width;
}
/* Where element i of the table on its side comes from. */
static inline i64 summed_area_turned(index_t i, u32 width, u32 height,
                                     GLOBAL const i64 *table) {
    return table[(u32)i % height * width + (u32)i / height];
}

#endif
