/* Particles at integer positions on a mesh, and the force from its spectrum. */
#ifndef GRAVITY_MESH_KERNEL_H
#define GRAVITY_MESH_KERNEL_H

#include "algorithms/mesh/mesh.kernel.h"

typedef struct gravity_at {
    GLOBAL const u32 *x, *y, *z;
} gravity_at;

/* How a mesh of n points along each axis lies: its planes are `extent` ones from `low` on,
 * all of them or of a slab. Particles are spread over `window` points of an axis. */
typedef struct gravity_frame {
    i64 n, low, extent;
    i32 window;
} gravity_frame;

/* The points of an axis around a position, exactly: 4, the first of them one before, of
 * `extent` from `low` on. The window of 2 gives nothing to the outer ones. */
static inline mesh_span gravity_mesh_place(u32 x, gravity_frame f, i64 low, i64 extent) {
    mesh_span s;
    const u64 cells = (u64)x * (u64)f.n;
    const i64 near = (i64)(cells >> 32);
    const f64 d = (f64)(u32)cells * 0x1p-32;
    mesh_weigh(4, d, s.weight);
    if (f.window == 2) {
        s.weight[0] = s.weight[3] = 0.0;
        mesh_weigh(2, d, s.weight + 1);
    }
    for (i32 k = 0; k < 4; k++) {
        const i64 at = near - low + k - 1;
        s.at[k] = at < 0 ? at + extent : at >= extent ? at - extent : at;
    }
    return s;
}

/* Whether a particle is in no plane of a slab, three planes of which are others'. */
static inline u32 gravity_mesh_strays(index_t i, gravity_frame f, GLOBAL const u32 *x) {
    const i64 plane = (i64)((u64)x[i] * (u64)f.n >> 32) - f.low;
    return plane < 1 || plane > f.extent - 3;
}

static inline u32 gravity_mesh_pencil_of(u32 x, i64 n, i64 low, i64 pencils) {
    return mesh_pencil_of((i64)((u64)x * (u64)n >> 32) - low, pencils);
}

/* The pencil of a particle; there are px and py of them along x and y. */
static inline u32 gravity_mesh_key(index_t i, gravity_frame f, i64 px, i64 py,
                                   gravity_at at) {
    return gravity_mesh_pencil_of(at.x[i], f.n, f.low, px) * (u32)py +
           gravity_mesh_pencil_of(at.y[i], f.n, 0, py);
}

/* Adds particle i to the mesh, which nobody else writes to where it is. */
static inline void gravity_mesh_put(u32 i, gravity_frame f, f64 units, gravity_at at,
                                    GLOBAL i64 *mesh) {
    const mesh_span x = gravity_mesh_place(at.x[i], f, f.low, f.extent);
    const mesh_span y = gravity_mesh_place(at.y[i], f, 0, f.n);
    const mesh_span z = gravity_mesh_place(at.z[i], f, 0, f.n);
    for (i32 a = 0; a < 4; a++)
        for (i32 b = 0; b < 4; b++) {
            const f64 part = x.weight[a] * y.weight[b] * units;
            i64 share[4];
            for (i32 c = 0; c < 4; c++)
                share[c] = (i64)floor(part * z.weight[c] + 0.5);
            mesh_put(&z, f.n, share, mesh + (x.at[a] * f.n + y.at[b]) * f.n);
        }
}

/* All of a pencil: turn t of a quarter of them. */
static inline void gravity_mesh_pencil(index_t t, gravity_frame f, f64 units, i64 py,
                                       i32 odd, gravity_at at, GLOBAL const i64 *start,
                                       GLOBAL const u32 *order, GLOBAL i64 *mesh) {
    const i64 pencil = mesh_pencil_turn(t, py, odd);
    for (i64 j = start[pencil]; j < start[pencil + 1]; j++)
        gravity_mesh_put(order[j], f, units, at, mesh);
}

static inline void gravity_mesh_spread(index_t i, gravity_frame f, f64 units, gravity_at at,
                                       GLOBAL u32 *mesh) {
    const mesh_span x = gravity_mesh_place(at.x[i], f, f.low, f.extent);
    const mesh_span y = gravity_mesh_place(at.y[i], f, 0, f.n);
    const mesh_span z = gravity_mesh_place(at.z[i], f, 0, f.n);
    for (i32 a = 0; a < 4; a++)
        for (i32 b = 0; b < 4; b++) {
            const i64 first = (x.at[a] * f.n + y.at[b]) * f.n;
            const f64 part = x.weight[a] * y.weight[b] * units;
            for (i32 c = 0; c < 4; c++)
                sheet_add(mesh, (index_t)(first + z.at[c]),
                          (i64)floor(part * z.weight[c] + 0.5));
        }
}

/* By wave number of an axis: what makes up for the window, and the factor of a gradient;
 * and by the square of all three what the potential is of the density. HACC's is of a sum
 * of differences along the axes in place of that square. */
enum { GRAVITY_MESH_ROW = 16 };
typedef struct gravity_waves {
    GLOBAL const f64 *sharpen, *slope, *green, *square;
    i64 n, first, rows;        /* of each plane, from the first on */
    i64 first_column, columns; /* of each row, n / 2 + 1 or some of these */
    i64 parts;                 /* of a row's columns */
    i32 hacc;
} gravity_waves;

static inline i64 gravity_mesh_square(i64 w, i64 n) {
    const i64 k = 2 * w > n ? w - n : w;
    return k * k;
}

/* The well on the mesh that a particle makes for itself where mass is spread over 2 points
 * of each axis: between points that are apart along none, one, two or three of them. */
typedef struct gravity_well {
    f64 apart[4];
} gravity_well;

static inline f64 gravity_mesh_own(index_t i, gravity_frame f, gravity_at at,
                                   gravity_well w) {
    const f64 dx = (f64)(u32)((u64)at.x[i] * (u64)f.n) * 0x1p-32;
    const f64 dy = (f64)(u32)((u64)at.y[i] * (u64)f.n) * 0x1p-32;
    const f64 dz = (f64)(u32)((u64)at.z[i] * (u64)f.n) * 0x1p-32;
    const f64 x = 2.0 * dx * (1.0 - dx), y = 2.0 * dy * (1.0 - dy);
    const f64 z = 2.0 * dz * (1.0 - dz);
    const f64 none = (1.0 - x) * (1.0 - y) * (1.0 - z), three = x * y * z;
    const f64 one =
        x * (1.0 - y) * (1.0 - z) + y * (1.0 - z) * (1.0 - x) + z * (1.0 - x) * (1.0 - y);
    const f64 two = x * y * (1.0 - z) + y * z * (1.0 - x) + z * x * (1.0 - y);
    return w.apart[0] * none + w.apart[1] * one + w.apart[2] * two + w.apart[3] * three;
}

#pragma weft for T in f32 f64
/* What is above the mean, in masses. */
static inline void gravity_mesh_contrast_T(index_t i, i64 mean, f64 unit,
                                           GLOBAL const i64 *mesh, GLOBAL T *out) {
    out[i] = (T)((f64)(mesh[i] - mean) * unit);
}

/* The spectrum of the acceleration along an axis: part t % w.parts of a line. */
static inline void gravity_mesh_pull_T(index_t t, i32 axis, gravity_waves w,
                                       GLOBAL const T *spectrum, GLOBAL T *out) {
    const i64 row = t / (index_t)w.parts, part = t % (index_t)w.parts;
    const i64 from = w.first_column + part * GRAVITY_MESH_ROW;
    const i64 to = min(from + GRAVITY_MESH_ROW, w.first_column + w.columns);
    const i64 before = row * w.columns - w.first_column;
    const i64 x = row / w.rows, y = w.first + row % w.rows;
    const i64 square = gravity_mesh_square(x, w.n) + gravity_mesh_square(y, w.n);
    const f64 sharpen = w.sharpen[x] * w.sharpen[y];
    const f64 slope = axis == 0 ? w.slope[x] : w.slope[y];
    const f64 sum = w.square[x] + w.square[y];
    for (i64 z = from; z < to; z++) {
        const index_t at = (index_t)(2 * (before + z));
        const f64 green = w.hacc ? 2.0 / (sum + w.square[z]) : w.green[square + z * z];
        const T factor =
            (T)(sharpen * w.sharpen[z] * green * (axis == 2 ? w.slope[z] : slope));
        out[at] = -factor * spectrum[at + 1];
        out[at + 1] = factor * spectrum[at];
    }
}

/* That of the potential. */
static inline void gravity_mesh_well_T(index_t t, gravity_waves w, GLOBAL const T *spectrum,
                                       GLOBAL T *out) {
    const i64 row = t / (index_t)w.parts, part = t % (index_t)w.parts;
    const i64 from = w.first_column + part * GRAVITY_MESH_ROW;
    const i64 to = min(from + GRAVITY_MESH_ROW, w.first_column + w.columns);
    const i64 before = row * w.columns - w.first_column;
    const i64 x = row / w.rows, y = w.first + row % w.rows;
    const i64 square = gravity_mesh_square(x, w.n) + gravity_mesh_square(y, w.n);
    const f64 sharpen = w.sharpen[x] * w.sharpen[y] * -0.15915494309189533577;
    const f64 sum = w.square[x] + w.square[y];
    for (i64 z = from; z < to; z++) {
        const index_t at = (index_t)(2 * (before + z));
        const i64 all = square + z * z;
        const f64 green = w.hacc && all > 0 ? 2.0 / (sum + w.square[z]) : w.green[all];
        const T factor = (T)(sharpen * w.sharpen[z] * green);
        out[at] = factor * spectrum[at];
        out[at + 1] = factor * spectrum[at + 1];
    }
}

/* The mesh's numbers at particles. */
static inline f64 gravity_mesh_read_T(index_t i, gravity_frame f, gravity_at at,
                                      GLOBAL const T *mesh) {
    const mesh_span x = gravity_mesh_place(at.x[i], f, f.low, f.extent);
    const mesh_span y = gravity_mesh_place(at.y[i], f, 0, f.n);
    const mesh_span z = gravity_mesh_place(at.z[i], f, 0, f.n);
    f64 sum = 0.0;
    for (i32 a = 0; a < 4; a++) {
        f64 plane = 0.0;
        for (i32 b = 0; b < 4; b++) {
            const i64 first = (x.at[a] * f.n + y.at[b]) * f.n;
            f64 row = 0.0;
            for (i32 c = 0; c < 4; c++)
                row += z.weight[c] * (f64)mesh[first + z.at[c]];
            plane += y.weight[b] * row;
        }
        sum += x.weight[a] * plane;
    }
    return sum;
}

static inline void gravity_mesh_gather_T(index_t i, gravity_frame f, gravity_at at,
                                         GLOBAL const T *mesh, GLOBAL f64 *out) {
    out[i] = gravity_mesh_read_T(i, f, at, mesh);
}

static inline void gravity_mesh_sink_T(index_t i, gravity_frame f, f64 above, gravity_at at,
                                       GLOBAL const T *mesh, GLOBAL f64 *out) {
    out[i] = gravity_mesh_read_T(i, f, at, mesh) + above;
}

static inline void gravity_mesh_sink_hacc_T(index_t i, gravity_frame f, f64 above,
                                            gravity_well own, gravity_at at,
                                            GLOBAL const T *mesh, GLOBAL f64 *out) {
    out[i] = gravity_mesh_read_T(i, f, at, mesh) + above - gravity_mesh_own(i, f, at, own);
}
#pragma weft end

#endif
