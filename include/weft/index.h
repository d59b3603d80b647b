/* Elements of grids by their coordinates, and back: a part of the dialect, for kernel files
 * that include <weft/index.h> after <weft/kernel.h>. A grid lies row after row, as C's
 * arrays do: neighbours along the last axis are neighbours in memory. nx, ny, nz are how
 * many elements there are along x, y and z; of the first axis nobody needs to know.
 *
 *   static inline void blur_along_z(index_t i, u32 ny, u32 nz, GLOBAL const f32 *in,
 *                                   GLOBAL f32 *out) {
 *       const weft_index3 at = weft_index_at3(i, ny, nz);
 *       const u32 next = weft_index_wrap(at.z, 1, nz);
 *       out[i] = 0.5f * (in[i] + in[weft_index_flat3(at.x, at.y, next, ny, nz)]);
 *   }
 *
 * Nothing is checked: coordinates are below their extents. Numbers of elements are index_t,
 * which is 32 bits wide where that suffices, so that a GPU divides fast. */
#ifndef WEFT_INDEX_H
#define WEFT_INDEX_H

#ifndef WEFT_KERNEL_H
#include "kernel.h"
#endif

typedef struct weft_index2 {
    u32 x, y;
} weft_index2;
typedef struct weft_index3 {
    u32 x, y, z;
} weft_index3;

/* The number of the element (x, y) or (x, y, z). */
static inline index_t weft_index_flat2(u32 x, u32 y, u32 ny) {
    return (index_t)x * (index_t)ny + (index_t)y;
}
static inline index_t weft_index_flat3(u32 x, u32 y, u32 z, u32 ny, u32 nz) {
    return ((index_t)x * (index_t)ny + (index_t)y) * (index_t)nz + (index_t)z;
}

/* The coordinates of element i. */
static inline weft_index2 weft_index_at2(index_t i, u32 ny) {
    weft_index2 at;
    at.x = (u32)(i / (index_t)ny);
    at.y = (u32)(i % (index_t)ny);
    return at;
}
static inline weft_index3 weft_index_at3(index_t i, u32 ny, u32 nz) {
    const index_t row = i / (index_t)nz;
    weft_index3 at;
    at.x = (u32)(row / (index_t)ny);
    at.y = (u32)(row % (index_t)ny);
    at.z = (u32)(i % (index_t)nz);
    return at;
}

/* The coordinate `step` further along an axis of n elements that is periodic. */
static inline u32 weft_index_wrap(u32 at, i32 step, u32 n) {
    const i64 moved = ((i64)at + (i64)step) % (i64)n;
    return (u32)(moved < 0 ? moved + (i64)n : moved);
}

#endif
