/* Particles onto a mesh, and back. */
#ifndef MESH_KERNEL_H
#define MESH_KERNEL_H

#include "algorithms/points/points.kernel.h"
#include "algorithms/sheet/sheet_add.kernel.h"

enum { MESH_WIDEST = 4 };

typedef struct mesh_frame {
    i64 n[3];
    f64 box[3], scale[3], shift[3];
    f64 units;
    i32 window, wide; /* of the mass, or of the mesh that is gathered: 1 for f64 */
} mesh_frame;

/* The points of an axis that a particle is spread over. */
typedef struct mesh_span {
    i64 at[MESH_WIDEST];
    f64 weight[MESH_WIDEST];
} mesh_span;

/* B-splines, from the first point on; d is the distance from the nearest point of odd
 * orders, and from the last one before it of even ones. */
static inline void mesh_weigh(i32 window, f64 d, f64 *w) {
    const f64 e = 1.0 - d, a = 0.5 - d, b = 0.5 + d;
    if (window == 1) {
        w[0] = 1.0;
    } else if (window == 2) {
        w[0] = e;
        w[1] = d;
    } else if (window == 3) {
        w[0] = 0.5 * a * a;
        w[1] = 0.75 - d * d;
        w[2] = 0.5 * b * b;
    } else {
        w[0] = e * e * e / 6.0;
        w[1] = (4.0 - 3.0 * d * d * (2.0 - d)) / 6.0;
        w[2] = (4.0 - 3.0 * e * e * (2.0 - e)) / 6.0;
        w[3] = d * d * d / 6.0;
    }
}

static inline mesh_span mesh_place(f64 x, const mesh_frame *f, i32 axis) {
    mesh_span s;
    const f64 u = points_remainder(x, f->box[axis]) * f->scale[axis] + f->shift[axis];
    const f64 near = floor(f->window % 2 == 1 ? u + 0.5 : u);
    i64 at = ((i64)near - (f->window - 1) / 2) % f->n[axis];
    at = at < 0 ? at + f->n[axis] : at;
    mesh_weigh(f->window, u - near, s.weight);
    for (i32 k = 0; k < f->window; k++) {
        s.at[k] = at;
        at = at + 1 < f->n[axis] ? at + 1 : 0;
    }
    return s;
}

/* Whole shares of `all` that add up to it. */
static inline void mesh_share(i64 all, const mesh_span *s, i32 window, i64 *share) {
    f64 sum = 0.0;
    i64 before = 0;
    for (i32 k = 0; k < window; k++) {
        sum += s->weight[k];
        const i64 rounded = (i64)floor(sum * (f64)all + 0.5);
        const i64 upto = k == window - 1 || rounded > all ? all : rounded;
        share[k] = upto - before;
        before = upto;
    }
}

static inline f64 mesh_mass(index_t i, mesh_frame f, GLOBAL const u32 *mass) {
    return mass ? points_coordinate(mass, i, f.wide) : 1.0;
}

/* Whether its units are no whole number that f64 can tell. */
static inline u32 mesh_is_bad(index_t i, mesh_frame f, GLOBAL const u32 *mass) {
    const f64 units = mesh_mass(i, f, mass) * f.units;
    return !(units >= 0.0 && units <= 4503599627370496.0);
}

static inline void mesh_spread(index_t i, mesh_frame f, points_coordinates at,
                               GLOBAL const u32 *mass, GLOBAL u32 *mesh) {
    const index_t p = i * (index_t)at.stride;
    const mesh_span x = mesh_place(points_coordinate(at.x, p, at.wide), &f, 0);
    const mesh_span y = mesh_place(points_coordinate(at.y, p, at.wide), &f, 1);
    const mesh_span z = mesh_place(points_coordinate(at.z, p, at.wide), &f, 2);
    i64 plane[MESH_WIDEST], row[MESH_WIDEST], share[MESH_WIDEST];
    mesh_share((i64)floor(mesh_mass(i, f, mass) * f.units + 0.5), &x, f.window, plane);
    for (i32 a = 0; a < f.window; a++) {
        mesh_share(plane[a], &y, f.window, row);
        for (i32 b = 0; b < f.window; b++) {
            const i64 first = (x.at[a] * f.n[1] + y.at[b]) * f.n[2];
            mesh_share(row[b], &z, f.window, share);
            for (i32 c = 0; c < f.window; c++)
                if (share[c] != 0)
                    sheet_add(mesh, (index_t)(first + z.at[c]), share[c]);
        }
    }
}

static inline void mesh_collect(index_t i, mesh_frame f, points_coordinates at,
                                GLOBAL const u32 *mesh, GLOBAL f64 *out) {
    const index_t p = i * (index_t)at.stride;
    const mesh_span x = mesh_place(points_coordinate(at.x, p, at.wide), &f, 0);
    const mesh_span y = mesh_place(points_coordinate(at.y, p, at.wide), &f, 1);
    const mesh_span z = mesh_place(points_coordinate(at.z, p, at.wide), &f, 2);
    f64 sum = 0.0;
    for (i32 a = 0; a < f.window; a++) {
        f64 plane = 0.0;
        for (i32 b = 0; b < f.window; b++) {
            const i64 first = (x.at[a] * f.n[1] + y.at[b]) * f.n[2];
            f64 row = 0.0;
            for (i32 c = 0; c < f.window; c++)
                row += z.weight[c] *
                       points_coordinate(mesh, (index_t)(first + z.at[c]), f.wide);
            plane += y.weight[b] * row;
        }
        sum += x.weight[a] * plane;
    }
    out[i] = sum;
}

#endif
