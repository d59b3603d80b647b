/* Particles onto a mesh, and back. */
#ifndef MESH_KERNEL_H
#define MESH_KERNEL_H

#include "algorithms/points/points.kernel.h"
#include "algorithms/sheet/sheet_add.kernel.h"

enum { MESH_WIDEST = 4 };

/* Pencils along z, MESH_PENCIL points wide or, at the end, up to thrice that: an even
 * number of them along x and y, such that those of every other one share no point. */
enum { MESH_PENCIL = 8 };

/* Planes `first` .. first + planes along x, modulo n[0], are there. */
typedef struct mesh_frame {
    i64 n[3], first, planes;
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
    for (i32 k = 0; k < MESH_WIDEST; k++) {
        s.at[k] = at;
        at = at + 1 < f->n[axis] ? at + 1 : 0;
    }
    return s;
}

/* Sums of an axis' weights before and up to each point; 2, which is more than all, from the
 * last one on. */
typedef struct mesh_sums {
    f64 before[MESH_WIDEST], upto[MESH_WIDEST];
} mesh_sums;

static inline mesh_sums mesh_sum(const mesh_span *s, i32 window) {
    mesh_sums sums;
    f64 sum = 0.0;
    for (i32 k = 0; k < MESH_WIDEST; k++) {
        sums.before[k] = k < window ? sum : 2.0;
        sum += k < window ? s->weight[k] : 0.0;
        sums.upto[k] = k < window - 1 ? sum : 2.0;
    }
    return sums;
}

/* floor(x) of 0 <= x < 2^52, and 2^52 or more beyond that, in what compilers have vectors
 * for. */
static inline f64 mesh_floor(f64 x) {
    const f64 near = (x + 0x1p52) - 0x1p52;
    return near > x ? near - 1.0 : near;
}

/* The whole share of a whole number `all`, at most 2^52, that lies between two sums; shares
 * add up to it. */
static inline f64 mesh_share(f64 all, f64 before, f64 upto) {
    return min(mesh_floor(upto * all + 0.5), all) -
           min(mesh_floor(before * all + 0.5), all);
}

static inline f64 mesh_mass(index_t i, mesh_frame f, GLOBAL const u32 *mass) {
    return mass ? points_coordinate(mass, i, f.wide) : 1.0;
}

/* Whether its units are no whole number that f64 can tell. */
static inline u32 mesh_is_bad(index_t i, mesh_frame f, GLOBAL const u32 *mass) {
    const f64 units = mesh_mass(i, f, mass) * f.units;
    return !(units >= 0.0 && units <= 4503599627370496.0);
}

/* What a particle is spread over: points; shares of planes; and sums along y and z for each
 * of the MESH_LANES points of a plane. */
enum { MESH_LANES = MESH_WIDEST * MESH_WIDEST };
typedef struct mesh_shares {
    mesh_span x, y, z;
    f64 plane[MESH_WIDEST];
    f64 y_before[MESH_LANES], y_upto[MESH_LANES], z_before[MESH_LANES], z_upto[MESH_LANES];
} mesh_shares;

static inline mesh_shares mesh_divide(index_t i, const mesh_frame *f, points_coordinates at,
                                      GLOBAL const u32 *mass) {
    const index_t p = i * (index_t)at.stride;
    const f64 all = floor(mesh_mass(i, *f, mass) * f->units + 0.5);
    mesh_shares s;
    s.x = mesh_place(points_coordinate(at.x, p, at.wide), f, 0);
    s.y = mesh_place(points_coordinate(at.y, p, at.wide), f, 1);
    s.z = mesh_place(points_coordinate(at.z, p, at.wide), f, 2);
    const mesh_sums x = mesh_sum(&s.x, f->window), y = mesh_sum(&s.y, f->window),
                    z = mesh_sum(&s.z, f->window);
    for (i32 a = 0; a < MESH_WIDEST; a++)
        s.plane[a] = mesh_share(all, x.before[a], x.upto[a]);
    for (i32 l = 0; l < MESH_LANES; l++) {
        s.y_before[l] = y.before[l / MESH_WIDEST];
        s.y_upto[l] = y.upto[l / MESH_WIDEST];
        s.z_before[l] = z.before[l % MESH_WIDEST];
        s.z_upto[l] = z.upto[l % MESH_WIDEST];
    }
    return s;
}

/* The shares of the points of a plane. */
static inline void mesh_fill(const mesh_shares *s, i32 plane, i64 *share) {
    const f64 all = s->plane[plane];
    for (i32 l = 0; l < MESH_LANES; l++) {
        const f64 line = mesh_share(all, s->y_before[l], s->y_upto[l]);
        share[l] = (i64)mesh_share(line, s->z_before[l], s->z_upto[l]);
    }
}

/* How far behind plane `from` one lies, 0 .. n[0] - 1. */
static inline i64 mesh_behind(i64 plane, i64 from, const mesh_frame *f) {
    const i64 d = plane - from;
    return d < 0 ? d + f->n[0] : d;
}

/* Where the line at point b of y begins in plane x of those that are there. */
static inline i64 mesh_line(const mesh_shares *s, const mesh_frame *f, i64 x, i32 b) {
    return (x * f->n[1] + s->y.at[b]) * f->n[2];
}

static inline void mesh_spread(index_t i, mesh_frame f, points_coordinates at,
                               GLOBAL const u32 *mass, GLOBAL u32 *mesh) {
    const mesh_shares s = mesh_divide(i, &f, at, mass);
    i64 share[MESH_LANES];
    for (i32 a = 0; a < f.window; a++) {
        const i64 x = mesh_behind(s.x.at[a], f.first, &f);
        if (x >= f.planes)
            continue;
        mesh_fill(&s, a, share);
        for (i32 b = 0; b < f.window; b++)
            for (i32 c = 0; c < f.window; c++)
                if (share[MESH_WIDEST * b + c] != 0)
                    sheet_add(mesh, (index_t)(mesh_line(&s, &f, x, b) + s.z.at[c]),
                              share[MESH_WIDEST * b + c]);
    }
}

/* Adds to points of a line, which nobody else writes to, n of them in all. */
static inline void mesh_put(const mesh_span *z, i64 n, const i64 *share, GLOBAL i64 *line) {
    if (z->at[0] + MESH_WIDEST <= n)
        for (i32 c = 0; c < MESH_WIDEST; c++)
            line[z->at[0] + c] += share[c];
    else
        for (i32 c = 0; c < MESH_WIDEST; c++)
            line[z->at[c]] += share[c];
}

/* Which pencil a point of an axis is in. */
static inline u32 mesh_pencil_of(i64 point, i64 pencils) {
    return (u32)min(point / MESH_PENCIL, pencils - 1);
}

/* Turn t of a quarter of the pencils: every other one along x and y, from (odd / 2,
 * odd % 2) on. */
static inline i64 mesh_pencil_turn(index_t t, i64 py, i32 odd) {
    const i64 side = py / 2, x = 2 * ((i64)t / side) + odd / 2;
    return x * py + 2 * ((i64)t % side) + odd % 2;
}

/* Pencils are of planes from `low` on. */
static inline u32 mesh_key(index_t i, mesh_frame f, i64 low, i64 px, i64 py,
                           points_coordinates at) {
    const index_t p = i * (index_t)at.stride;
    const mesh_span x = mesh_place(points_coordinate(at.x, p, at.wide), &f, 0);
    const mesh_span y = mesh_place(points_coordinate(at.y, p, at.wide), &f, 1);
    return mesh_pencil_of(mesh_behind(x.at[0], low, &f), px) * (u32)py +
           mesh_pencil_of(y.at[0], py);
}

/* All particles of a pencil. */
static inline void mesh_pencil(index_t t, mesh_frame f, i64 py, i32 odd,
                               points_coordinates at, GLOBAL const u32 *mass,
                               GLOBAL const i64 *start, GLOBAL const u32 *order,
                               GLOBAL i64 *mesh) {
    const i64 pencil = mesh_pencil_turn(t, py, odd);
    i64 share[MESH_LANES];
    for (i64 j = start[pencil]; j < start[pencil + 1]; j++) {
        const mesh_shares s = mesh_divide((index_t)order[j], &f, at, mass);
        for (i32 a = 0; a < f.window; a++) {
            const i64 x = mesh_behind(s.x.at[a], f.first, &f);
            if (x >= f.planes)
                continue;
            mesh_fill(&s, a, share);
            for (i32 b = 0; b < f.window; b++)
                mesh_put(&s.z, f.n[2], share + MESH_WIDEST * b,
                         mesh + mesh_line(&s, &f, x, b));
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
