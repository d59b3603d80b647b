/* Coordinates in kernels. */
#ifndef INDEX_KERNEL_H
#define INDEX_KERNEL_H

#include <weft/kernel.h>
#include <weft/index.h>

static inline void index_planes(index_t i, u32 ny, GLOBAL u32 *x, GLOBAL u32 *y,
                                GLOBAL u32 *back) {
    const weft_index2 at = weft_index_at2(i, ny);
    x[i] = at.x;
    y[i] = at.y;
    back[i] = (u32)weft_index_flat2(at.x, at.y, ny);
}
static inline void index_cubes(index_t i, u32 ny, u32 nz, GLOBAL u32 *x, GLOBAL u32 *y,
                               GLOBAL u32 *z, GLOBAL u32 *back) {
    const weft_index3 at = weft_index_at3(i, ny, nz);
    x[i] = at.x;
    y[i] = at.y;
    z[i] = at.z;
    back[i] = (u32)weft_index_flat3(at.x, at.y, at.z, ny, nz);
}
static inline u32 index_wrapped(index_t i, i32 step, u32 n) {
    return weft_index_wrap((u32)i, step, n);
}

#endif
