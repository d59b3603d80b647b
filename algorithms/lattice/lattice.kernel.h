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

/* How many sites on the next one along a digit is, around the lattice: of fewer than 2^32,
 * since short integers are divided faster. */
static inline i64 lattice_next(index_t i, lattice_shape s, i32 digit) {
    const i64 place = (i64)((u32)i / (u32)s.stride[digit] % (u32)s.n[digit]);
    return place + 1 < s.n[digit] ? s.stride[digit] : s.stride[digit] * (1 - s.n[digit]);
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

/* Numbers that are looked at together, axis after axis: of three digits, from where the
 * neighbour is, and from where it began; and two more. Compilers make vectors of a loop
 * that long. */
enum { LATTICE_AXIS = 8, LATTICE_LANES = 3 * LATTICE_AXIS };

/* How far off each is from 0 around the box, in boxes. */
static inline void lattice_off(const f64 *d, const f64 *box, f64 *off) {
    u64 far = 0;
    for (i32 l = 0; l < LATTICE_LANES; l++) {
        off[l] = fabs(points_remainder_near(d[l], box[l])) / box[l];
        far |= points_is_far(d[l], box[l]);
    }
    for (i32 l = 0; far && l < LATTICE_LANES; l++)
        off[l] = fabs(points_remainder(d[l], box[l])) / box[l];
}

static inline lattice_steps lattice_step(index_t i, lattice_shape s, points_coordinates at,
                                         GLOBAL const u32 *particle) {
    lattice_steps steps;
    f64 d[LATTICE_LANES], box[LATTICE_LANES], off[LATTICE_LANES];
    const index_t here = (index_t)((i64)particle[i] * at.stride);
    for (i32 l = 0; l < LATTICE_LANES; l++) {
        d[l] = 0;
        box[l] = s.box[l / LATTICE_AXIS];
    }
    for (i32 k = 0; k < 3; k++) {
        const index_t next = (index_t)((i64)i + lattice_next(i, s, k));
        const index_t there = (index_t)((i64)particle[next] * at.stride);
        d[k] = points_separation(at.x, there, here, at.wide, 0);
        d[LATTICE_AXIS + k] = points_separation(at.y, there, here, at.wide, 0);
        d[2 * LATTICE_AXIS + k] = points_separation(at.z, there, here, at.wide, 0);
        for (i32 a = 0; a < 3; a++) {
            f64 *of = d + a * LATTICE_AXIS + k;
            of[3] = of[0] - s.box[a] / (f64)s.whole[k];
        }
    }
    lattice_off(d, box, off);
    for (i32 k = 0; k < 3; k++)
        for (i32 a = 0; a < 3; a++) {
            f64 sum = 0;
            for (i32 b = 0; b < 3; b++)
                sum += off[b * LATTICE_AXIS + (a == b ? 3 + k : k)];
            steps.off[3 * k + a] = (u64)(sum * 0x1p30);
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

/* Whether cube i, of places in the box, reaches over more than half of it. */
static inline u32 lattice_is_wide(index_t i, lattice_shape s, GLOBAL const f64 *position) {
    const i64 x = lattice_next(i, s, 0), y = lattice_next(i, s, 1),
              z = lattice_next(i, s, 2);
    f64 low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (i32 corner = 1; corner < 8; corner++) {
        const i64 on = (corner & 4 ? x : 0) + (corner & 2 ? y : 0) + (corner & 1 ? z : 0);
        const index_t there = 3 * (index_t)((i64)i + on);
        for (i32 k = 0; k < 3; k++) {
            const f64 box = s.box[k], d = position[there + k] - position[3 * i + k];
            const f64 r = d > box / 2 ? d - box : d < -box / 2 ? d + box : d;
            low[k] = r < low[k] ? r : low[k];
            high[k] = r > high[k] ? r : high[k];
        }
    }
    u32 wide = 0;
    for (i32 k = 0; k < 3; k++)
        wide |= high[k] - low[k] > s.box[k] / 2;
    return wide;
}

static inline void lattice_take(index_t i, i32 wide, GLOBAL const u32 *particle,
                                GLOBAL const u32 *vectors, GLOBAL f64 *out) {
    out[i] = points_coordinate(vectors, 3 * (index_t)particle[i / 3] + i % 3, wide);
}

#endif
