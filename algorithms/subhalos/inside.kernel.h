/* What subhalos are like inside, around their most bound members. */
#ifndef WEFT_INSIDE_KERNEL_H
#define WEFT_INSIDE_KERNEL_H

#include "algorithms/points/points.kernel.h"

typedef struct inside_box {
    f64 axis[3];
} inside_box;

/* Subhalos, and their particles as they lie. */
typedef struct inside_members {
    inside_box box;
    i64 stride, flow_stride;
    i32 wide, wide_flow, wide_mass;
    f64 particle_mass;
    GLOBAL const i64 *offset;
    GLOBAL const u32 *member, *x, *y, *z, *u, *v, *w;
    GLOBAL const u32 *mass; /* null: all have particle_mass */
} inside_members;

static inline f64 inside_step(GLOBAL const u32 *words, i64 stride, i32 wide, u32 who,
                              u32 center, f64 box) {
    return points_separation(words, (index_t)who * (index_t)stride,
                             (index_t)center * (index_t)stride, wide, box);
}

/* The squared distance of each member from the most bound one. */
static inline void inside_distance(index_t m, inside_members in, GLOBAL const u32 *of,
                                   GLOBAL f64 *r2) {
    const u32 who = in.member[m], center = in.member[in.offset[of[m]]];
    const f64 dx = inside_step(in.x, in.stride, in.wide, who, center, in.box.axis[0]);
    const f64 dy = inside_step(in.y, in.stride, in.wide, who, center, in.box.axis[1]);
    const f64 dz = inside_step(in.z, in.stride, in.wide, who, center, in.box.axis[2]);
    r2[m] = (dx * dx + dy * dy) + dz * dz;
}

/* What is found of each subhalo. */
typedef struct inside_found {
    GLOBAL f64 *vmax, *rmax, *half_at, *reach, *momentum, *spin;
} inside_found;

/* In the order of `nearest`, places of members by distance. */
static inline void inside_measure(index_t s, f64 gravity, f64 softening, inside_members in,
                                  GLOBAL const u32 *nearest, GLOBAL const f64 *r2,
                                  GLOBAL const f64 *mass, GLOBAL const f64 *velocity,
                                  inside_found found) {
    const i64 begin = in.offset[s], end = in.offset[s + 1];
    const u32 center = in.member[begin];
    f64 sum = 0, steepest = 0, at = 0, half_radius = -1, j[3];
    j[0] = j[1] = j[2] = 0;
    for (i64 k = begin; k < end; k++) {
        const u32 who = in.member[nearest[k]];
        const index_t flow = (index_t)who * (index_t)in.flow_stride;
        const f64 m = in.mass ? points_coordinate(in.mass, (index_t)who, in.wide_mass)
                              : in.particle_mass;
        const f64 x = inside_step(in.x, in.stride, in.wide, who, center, in.box.axis[0]);
        const f64 y = inside_step(in.y, in.stride, in.wide, who, center, in.box.axis[1]);
        const f64 z = inside_step(in.z, in.stride, in.wide, who, center, in.box.axis[2]);
        const f64 u = points_coordinate(in.u, flow, in.wide_flow) - velocity[3 * s];
        const f64 v = points_coordinate(in.v, flow, in.wide_flow) - velocity[3 * s + 1];
        const f64 w = points_coordinate(in.w, flow, in.wide_flow) - velocity[3 * s + 2];
        const f64 r = sqrt(r2[k]), floor_r = max(r, softening);
        sum += m;
        if (floor_r > 0 && sum / floor_r > steepest) {
            steepest = sum / floor_r;
            at = r;
        }
        half_radius = half_radius < 0 && sum >= 0.5 * mass[s] ? r : half_radius;
        j[0] += m * (y * w - z * v);
        j[1] += m * (z * u - x * w);
        j[2] += m * (x * v - y * u);
    }
    const f64 r = sqrt(r2[end - 1]);
    const f64 size = sqrt((j[0] * j[0] + j[1] * j[1]) + j[2] * j[2]);
    const f64 round = sqrt(2.0) * mass[s] * sqrt(gravity * mass[s] * r);
    found.vmax[s] = sqrt(gravity * steepest);
    found.rmax[s] = at;
    found.half_at[s] = half_radius < 0 ? r : half_radius;
    found.reach[s] = r;
    found.spin[s] = round > 0 ? size / round : 0.0;
    for (i32 k = 0; k < 3; k++)
        found.momentum[3 * s + k] = j[k];
}

#endif
