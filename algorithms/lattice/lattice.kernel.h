/* Particles by their ids, and how far from each other neighbours on the lattice are. */
#ifndef LATTICE_KERNEL_H
#define LATTICE_KERNEL_H

#include <weft/kernel.h>
#include "../points/points.kernel.h"

CONSTANT u32 lattice_nobody = 0xffffffffu;

/* Sites n[0] n[1] n[2] of which one more along axis k is stride[k] further: along digit k
 * of ids, before axes are chosen. A slab has not all of the `whole`. */
typedef struct lattice_shape {
    i64 n[3], stride[3], whole[3];
    f64 box[3];
} lattice_shape;

/* Which ids are of which sites: a digit is id - least over stride, from `first` on around
 * the whole. `all`: those of the whole in their order. */
typedef struct lattice_ids {
    i64 least, sites, stride[3], first[3];
    i32 all;
} lattice_ids;

/* The site that has the id least + place; ids.sites or more: none. */
static inline u64 lattice_site(u64 place, lattice_ids ids, lattice_shape s) {
    u64 site = 0;
    if (place >= (u64)ids.sites || ids.all)
        return place;
    for (i32 k = 0; k < 3; k++) {
        const i64 digit = (i64)place / ids.stride[k] % s.whole[k] - ids.first[k];
        const i64 here = digit < 0 ? digit + s.whole[k] : digit;
        if (here >= s.n[k])
            return (u64)ids.sites;
        site += (u64)(here * s.stride[k]);
    }
    return site;
}

static inline void lattice_claim(index_t i, lattice_ids ids, lattice_shape s,
                                 GLOBAL const i64 *id, GLOBAL u32 *particle) {
    const u64 site = lattice_site((u64)id[i] - (u64)ids.least, ids, s);
    if (site < (u64)ids.sites)
        atomic_min_u32(particle + (index_t)site, (u32)i);
}

static inline u32 lattice_is_free(index_t i, GLOBAL const u32 *particle) {
    return particle[i] == lattice_nobody;
}

static inline index_t lattice_next(index_t i, lattice_shape s, i32 axis) {
    const i64 place = (i64)i / s.stride[axis] % s.n[axis];
    const i64 next =
        place + 1 < s.n[axis] ? s.stride[axis] : s.stride[axis] * (1 - s.n[axis]);
    return (index_t)((i64)i + next);
}

/* |dx| + |dy| + |dz| from where the neighbour began to where it is, for digit k running
 * along axis a: at [3 k + a]; in 2^-30 boxes. */
typedef struct lattice_steps {
    u64 off[9];
} lattice_steps;

static inline lattice_steps lattice_add(lattice_steps a, lattice_steps b) {
    for (i32 k = 0; k < 9; k++)
        a.off[k] += b.off[k];
    return a;
}

static inline lattice_steps lattice_step(index_t i, lattice_shape s, points_coordinates at,
                                         GLOBAL const u32 *particle) {
    lattice_steps steps;
    const i64 here = (i64)particle[i] * at.stride;
    for (i32 k = 0; k < 3; k++) {
        const i64 there = (i64)particle[lattice_next(i, s, k)] * at.stride;
        f64 d[3];
        d[0] = points_separation(at.x, (index_t)there, (index_t)here, at.wide, 0);
        d[1] = points_separation(at.y, (index_t)there, (index_t)here, at.wide, 0);
        d[2] = points_separation(at.z, (index_t)there, (index_t)here, at.wide, 0);
        for (i32 a = 0; a < 3; a++) {
            f64 sum = 0;
            for (i32 b = 0; b < 3; b++) {
                const f64 began = a == b ? s.box[b] / (f64)s.whole[k] : 0;
                sum += fabs(points_remainder(d[b] - began, s.box[b])) / s.box[b];
            }
            steps.off[3 * k + a] = (u64)(sum * 0x1p30);
        }
    }
    return steps;
}

/* The sites in their order: along z, then y, then x. */
static inline void lattice_place(index_t i, lattice_shape s, points_coordinates at,
                                 GLOBAL const u32 *by_id, GLOBAL u32 *particle,
                                 GLOBAL f64 *position) {
    const i64 z = (i64)i % s.n[2], rest = (i64)i / s.n[2];
    const i64 y = rest % s.n[1], x = rest / s.n[1];
    const u32 who = by_id[(index_t)(x * s.stride[0] + y * s.stride[1] + z * s.stride[2])];
    const index_t from = (index_t)((i64)who * at.stride), to = 3 * i;
    particle[i] = who;
    position[to] = points_wrap(points_coordinate(at.x, from, at.wide), s.box[0]);
    position[to + 1] = points_wrap(points_coordinate(at.y, from, at.wide), s.box[1]);
    position[to + 2] = points_wrap(points_coordinate(at.z, from, at.wide), s.box[2]);
}

/* Where corner 4 dx + 2 dy + dz of cube i is, along one axis, from its corner 0. */
static inline index_t lattice_corner(index_t i, lattice_shape s, i32 corner) {
    for (i32 k = 0; k < 3; k++)
        i = corner >> (2 - k) & 1 ? lattice_next(i, s, k) : i;
    return i;
}

/* Whether cube i reaches over more than half the box. */
static inline u32 lattice_is_wide(index_t i, lattice_shape s, GLOBAL const f64 *position) {
    u32 wide = 0;
    for (i32 k = 0; k < 3; k++) {
        f64 low = 0, high = 0;
        for (i32 corner = 1; corner < 8; corner++) {
            const f64 d =
                position[3 * lattice_corner(i, s, corner) + k] - position[3 * i + k];
            const f64 r = points_remainder(d, s.box[k]);
            low = r < low ? r : low;
            high = r > high ? r : high;
        }
        wide |= high - low > s.box[k] / 2;
    }
    return wide;
}

static inline void lattice_take(index_t i, i32 wide, GLOBAL const u32 *particle,
                                GLOBAL const u32 *vectors, GLOBAL f64 *out) {
    out[i] = points_coordinate(vectors, 3 * (index_t)particle[i / 3] + i % 3, wide);
}

#endif
