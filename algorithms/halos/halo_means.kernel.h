/* Means of places and velocities together, on devices of many work-items: three launches
 * for both. The sums are those of halo_properties.kernel.h. */
#ifndef WEFT_HALO_MEANS_KERNEL_H
#define WEFT_HALO_MEANS_KERNEL_H

#include "halo_properties.kernel.h"

/* Members of halos, and what they have in the input. */
typedef struct halo_means_of {
    i64 halos, members, blocks;
    points_period box;
    i32 wide_mass;
    f64 particle_mass;
    GLOBAL const i64 *offset;
    GLOBAL const u32 *of, *member, *mass; /* mass: null: all have particle_mass */
} halo_means_of;

/* The steps of a member from its halo's first one, [6][members]: place, velocity; and its
 * mass. */
static inline void halo_means_step(index_t i, halo_means_of h, points_coordinates at,
                                   points_coordinates flow, GLOBAL f64 *mass,
                                   GLOBAL f64 *step) {
    const u32 own = h.member[i], first = h.member[h.offset[h.of[i]]];
    f64 from[6], to[6];
    points_read(&at, first, from);
    points_read(&flow, first, from + 3);
    points_read(&at, own, to);
    points_read(&flow, own, to + 3);
    for (i32 k = 0; k < 6; k++) {
        const f64 d = to[k] - from[k], box = k < 3 ? h.box.axis[k] : 0.0;
        step[(index_t)(k * h.members) + i] = box > 0 ? points_remainder(d, box) : d;
    }
    mass[i] =
        h.mass ? points_coordinate(h.mass, (index_t)own, h.wide_mass) : h.particle_mass;
}

/* Sums over blocks: of places, and then of velocities. */
static inline void halo_means_sum(index_t t, halo_means_of h, GLOBAL const f64 *mass,
                                  GLOBAL f64 *step, GLOBAL halo_properties_sums *sums) {
    const i64 side = (i64)t / h.blocks;
    const halo_properties_members of = {h.halos,  h.members, h.box,
                                        h.offset, mass,      step + side * 3 * h.members};
    halo_properties_sum((index_t)((i64)t - side * h.blocks), of, sums + side * h.blocks);
}

/* The mean place of each halo, and then the mean velocity. */
static inline void halo_means_mean(index_t t, halo_means_of h, points_coordinates at,
                                   points_coordinates flow,
                                   GLOBAL const halo_properties_sums *sums,
                                   GLOBAL f64 *center, GLOBAL f64 *velocity) {
    const i64 side = (i64)t / h.halos, halo = (i64)t - side * h.halos;
    const u32 who = h.member[h.offset[halo]];
    GLOBAL f64 *to = (side ? velocity : center) + 3 * halo;
    f64 first[3], mean[3], mass;
    halo_properties_add(halo, h.offset, sums + side * h.blocks, &mass, mean);
    if (side)
        points_read(&flow, who, first);
    else
        points_read(&at, who, first);
    for (i32 axis = 0; axis < 3; axis++)
        to[axis] =
            halo_properties_wrap(first[axis] + mean[axis], side ? 0.0 : h.box.axis[axis]);
}

#endif
