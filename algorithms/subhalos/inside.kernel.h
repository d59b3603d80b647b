/* What subhalos are like inside, around their most bound members. */
#ifndef WEFT_INSIDE_KERNEL_H
#define WEFT_INSIDE_KERNEL_H

#include "algorithms/points/points.kernel.h"
#include "algorithms/pyramid/pyramid.kernel.h"

/* Subhalos, and their particles. */
typedef struct inside_members {
    points_period box;
    i64 subhalos;
    GLOBAL const i64 *offset;
    GLOBAL const u32 *member;
} inside_members;

/* How far a particle is from another, by the nearest image. */
static inline void inside_step(const points_coordinates *at, const f64 *box, u32 who,
                               u32 center, f64 *to) {
    f64 from[3];
    points_read(at, center, from);
    points_read(at, who, to);
    for (i32 axis = 0; axis < 3; axis++) {
        const f64 d = to[axis] - from[axis];
        to[axis] = box[axis] > 0 ? points_remainder(d, box[axis]) : d;
    }
}

/* The squared distance of each member from the most bound one. */
static inline void inside_distance(index_t m, inside_members in, points_coordinates at,
                                   GLOBAL const u32 *of, GLOBAL f64 *r2) {
    f64 d[3];
    inside_step(&at, in.box.axis, in.member[m], in.member[in.offset[of[m]]], d);
    r2[m] = (d[0] * d[0] + d[1] * d[1]) + d[2] * d[2];
}

/* What is found of each subhalo. */
typedef struct inside_found {
    GLOBAL f64 *vmax, *rmax, *half_at, *reach, *spin;
} inside_found;

/* Members of a subhalo by distance, in blocks that are leaves of a pyramid. */
enum { INSIDE_BITS = 8 };

/* Over a block. */
typedef struct inside_sums {
    f64 mass, momentum[3];
} inside_sums;

/* Of a block: the largest M_k / r_k and where, and where M_k reaches half the mass; below
 * 0: not there. */
typedef struct inside_curve {
    f64 steepest, at, half_at;
} inside_curve;

static inline i64 inside_first(const inside_members *in, i64 subhalo) {
    return pyramid_first(in->offset[subhalo], subhalo, INSIDE_BITS);
}

/* Whether those up to the place k, of mass `sum`, have half of all; masses that are all the
 * same are counted, since rounded sums of them may fall short of the half that they are. */
static inline i32 inside_is_half(const inside_members *in, const points_masses *masses,
                                 i64 subhalo, i64 k, f64 sum, f64 mass) {
    const i64 begin = in->offset[subhalo], end = in->offset[subhalo + 1];
    return masses->words ? sum >= 0.5 * mass : 2 * (k + 1 - begin) >= end - begin;
}

/* In the order of `nearest`, places of members by distance. */
static inline void inside_sum(index_t block, inside_members in, points_coordinates at,
                              points_coordinates flow, points_masses masses,
                              GLOBAL const u32 *nearest, GLOBAL const f64 *velocity,
                              GLOBAL inside_sums *sums) {
    const pyramid_range of = pyramid_range_of(block, in.subhalos, INSIDE_BITS, in.offset);
    const u32 center = in.member[in.offset[of.segment]];
    GLOBAL const f64 *mean = velocity + 3 * of.segment;
    inside_sums sum = {0.0, {0.0, 0.0, 0.0}};
    for (i64 k = of.begin; k < of.end; k++) {
        const u32 who = in.member[nearest[k]];
        const f64 m = points_mass(&masses, who);
        f64 x[3], v[3];
        inside_step(&at, in.box.axis, who, center, x);
        points_read(&flow, who, v);
        for (i32 axis = 0; axis < 3; axis++)
            v[axis] -= mean[axis];
        sum.mass += m;
        sum.momentum[0] += m * (x[1] * v[2] - x[2] * v[1]);
        sum.momentum[1] += m * (x[2] * v[0] - x[0] * v[2]);
        sum.momentum[2] += m * (x[0] * v[1] - x[1] * v[0]);
    }
    sums[block] = sum;
}

/* Adds up the blocks of a subhalo; the mass of each becomes that of all before it. */
static inline void inside_add(index_t s, inside_members in, GLOBAL inside_sums *sums,
                              GLOBAL f64 *momentum) {
    const i64 begin = inside_first(&in, (i64)s), end = inside_first(&in, (i64)s + 1);
    inside_sums all = {0.0, {0.0, 0.0, 0.0}};
    for (i64 block = begin; block < end; block++) {
        const f64 mass = sums[block].mass;
        for (i32 axis = 0; axis < 3; axis++)
            all.momentum[axis] += sums[block].momentum[axis];
        sums[block].mass = all.mass;
        all.mass += mass;
    }
    for (i32 axis = 0; axis < 3; axis++)
        momentum[3 * s + axis] = all.momentum[axis];
}

static inline void inside_rise(index_t block, f64 softening, inside_members in,
                               points_masses masses, GLOBAL const u32 *nearest,
                               GLOBAL const f64 *r2, GLOBAL const f64 *mass,
                               GLOBAL const inside_sums *sums,
                               GLOBAL inside_curve *curves) {
    const pyramid_range of = pyramid_range_of(block, in.subhalos, INSIDE_BITS, in.offset);
    inside_curve curve = {0.0, 0.0, -1.0};
    f64 sum = sums[block].mass;
    for (i64 k = of.begin; k < of.end; k++) {
        const f64 r = sqrt(r2[k]), floor_r = max(r, softening);
        sum += points_mass(&masses, in.member[nearest[k]]);
        if (floor_r > 0 && sum / floor_r > curve.steepest) {
            curve.steepest = sum / floor_r;
            curve.at = r;
        }
        if (curve.half_at < 0 &&
            inside_is_half(&in, &masses, of.segment, k, sum, mass[of.segment]))
            curve.half_at = r;
    }
    curves[block] = curve;
}

static inline void inside_measure(index_t s, f64 gravity, inside_members in,
                                  GLOBAL const f64 *r2, GLOBAL const f64 *mass,
                                  GLOBAL const inside_curve *curves,
                                  GLOBAL const f64 *momentum, inside_found found) {
    const i64 begin = inside_first(&in, (i64)s), end = inside_first(&in, (i64)s + 1);
    inside_curve all = {0.0, 0.0, -1.0};
    for (i64 block = begin; block < end; block++) {
        const inside_curve curve = curves[block];
        if (curve.steepest > all.steepest) {
            all.steepest = curve.steepest;
            all.at = curve.at;
        }
        all.half_at = all.half_at < 0 ? curve.half_at : all.half_at;
    }
    GLOBAL const f64 *j = momentum + 3 * s;
    const f64 r = sqrt(r2[in.offset[s + 1] - 1]);
    const f64 size = sqrt((j[0] * j[0] + j[1] * j[1]) + j[2] * j[2]);
    const f64 round = sqrt(2.0) * mass[s] * sqrt(gravity * mass[s] * r);
    found.vmax[s] = sqrt(gravity * all.steepest);
    found.rmax[s] = all.at;
    found.half_at[s] = all.half_at < 0 ? r : all.half_at;
    found.reach[s] = r;
    found.spin[s] = round > 0 ? size / round : 0.0;
}

#endif
