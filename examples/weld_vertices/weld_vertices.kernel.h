#ifndef WELD_VERTICES_KERNEL_H
#define WELD_VERTICES_KERNEL_H

#include <weft/kernel.h>

typedef struct vertex {
    f32 x, y;
} vertex;

/* Corner i of a sheet of squares, two triangles a square, each with three corners. */
static inline vertex weld_vertices_corner(index_t i, u32 width) {
    const u32 corner = (u32)i % 6, square = (u32)i / 6;
    const u32 right = corner == 1 || corner == 3 || corner == 4;
    const u32 up = corner == 2 || corner == 4 || corner == 5;
    vertex v;
    v.x = 0.5f * (f32)(i32)(square % width + right);
    v.y = 0.25f * (f32)(i32)(square / width + up);
    return v;
}

static inline int weld_vertices_before(vertex a, vertex b) {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

#endif
