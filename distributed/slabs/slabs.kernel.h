/* Rows of planes that go to one rank, side by side, and sums of planes. */
#ifndef SLABS_KERNEL_H
#define SLABS_KERNEL_H

#include <weft/kernel.h>

/* Of each plane of `plane` words those from `first` on, `part` of them. */
typedef struct slabs_rows_of {
    i64 plane, first, part;
} slabs_rows_of;

static inline i64 slabs_place(index_t i, slabs_rows_of of) {
    const i64 plane = (i64)i / of.part;
    return plane * of.plane + of.first + ((i64)i - plane * of.part);
}

static inline u64 slabs_take(index_t i, slabs_rows_of of, GLOBAL const u64 *planes) {
    return planes[slabs_place(i, of)];
}

static inline void slabs_put(index_t i, slabs_rows_of of, GLOBAL const u64 *rows,
                             GLOBAL u64 *planes) {
    planes[slabs_place(i, of)] = rows[i];
}

static inline i64 slabs_sum(index_t i, GLOBAL const i64 *a, GLOBAL const i64 *b) {
    return a[i] + b[i];
}

#endif
