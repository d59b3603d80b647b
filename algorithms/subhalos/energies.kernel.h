/* Energies of the members of groups: `of` of each is its group. */
#ifndef WEFT_ENERGIES_KERNEL_H
#define WEFT_ENERGIES_KERNEL_H

#include "algorithms/mbp/slots/mbp_slots.kernel.h"
#include "algorithms/points/points.kernel.h"
#include "unbind.kernel.h"

typedef struct energies_constants {
    f64 hubble, box[3];
} energies_constants;

static inline f64 energies_motion(points_coordinates at, points_coordinates flow, u32 who,
                                  f64 center, f64 drift, GLOBAL const u32 *x,
                                  GLOBAL const u32 *v, f64 hubble, f64 box) {
    const f64 d = points_coordinate(x, (index_t)who * (index_t)at.stride, at.wide) - center;
    const f64 u = points_coordinate(v, (index_t)who * (index_t)flow.stride, flow.wide);
    return (u - drift) + hubble * (box > 0 ? points_remainder(d, box) : d);
}

static inline f64 energies_kinetic(energies_constants u, points_coordinates at,
                                   points_coordinates flow, u32 who,
                                   GLOBAL const f64 *center, GLOBAL const f64 *velocity) {
    const f64 x = energies_motion(at, flow, who, center[0], velocity[0], at.x, flow.x,
                                  u.hubble, u.box[0]);
    const f64 y = energies_motion(at, flow, who, center[1], velocity[1], at.y, flow.y,
                                  u.hubble, u.box[1]);
    const f64 z = energies_motion(at, flow, who, center[2], velocity[2], at.z, flow.z,
                                  u.hubble, u.box[2]);
    return 0.5 * ((x * x + y * y) + z * z);
}

/* Members that leave groups: the first leave[c] of those from who[begin[c]] on; fate: what
 * becomes of the group. */
typedef struct energies_leavers {
    GLOBAL const i64 *offset, *begin;
    GLOBAL const u32 *of, *fate, *gone, *leave, *who;
} energies_leavers;

/* The energy of each, in place of its potential. */
static inline void energies_energy(index_t i, f64 gravity, GLOBAL const f64 *kinetic,
                                   GLOBAL f64 *energy) {
    energy[i] = kinetic[i] + gravity * energy[i];
}

/* Half the squared velocity of each. */
static inline void energies_motions(index_t i, energies_constants u, points_coordinates at,
                                    points_coordinates flow, GLOBAL const u32 *of,
                                    GLOBAL const u32 *particle, GLOBAL const f64 *center,
                                    GLOBAL const f64 *velocity, GLOBAL f64 *kinetic) {
    kinetic[i] = energies_kinetic(u, at, flow, particle[i], center + 3 * (index_t)of[i],
                                  velocity + 3 * (index_t)of[i]);
}

/* What |phi| is at least, by a potential that is off by `error` of itself at most; 2^-40 is
 * more than what rounding adds. */
static inline void energies_depth(index_t i, f64 error, GLOBAL const f64 *phi,
                                  GLOBAL f64 *depth) {
    depth[i] = -phi[i] / (1 + error) * (1 - 0x1p-40);
}

/* Whether a member may be unbound. */
static inline u32 energies_may_be(index_t i, f64 gravity, GLOBAL const f64 *kinetic,
                                  GLOBAL const f64 *depth) {
    return !(kinetic[i] - gravity * depth[i] < 0);
}

/* The slot of a member in the rows of mbp_prepare. */
static inline void energies_slot(index_t l, GLOBAL const u32 *which, GLOBAL const u32 *of,
                                 GLOBAL const i64 *offset, GLOBAL i64 *slot) {
    const i64 c = of[which[l]];
    slot[l] = MBP_ROW * mbp_first_row(offset, c) + (which[l] - offset[c]);
}

/* Energies of those that may be unbound; all others are below 0. */
static inline void energies_decide(index_t l, f64 gravity, GLOBAL const u32 *which,
                                   GLOBAL const f64 *kinetic, GLOBAL const f64 *phi,
                                   GLOBAL f64 *depth, GLOBAL f64 *energy) {
    energy[which[l]] = kinetic[which[l]] + gravity * phi[l];
    depth[which[l]] = -phi[l] * (1 - 0x1p-40);
}

/* What a member that stays loses with those that leave, at most: `depth` without them, or 0
 * if that is not known. Places are those of pairs in the definition while the first member
 * of a group stays, from which all are unwrapped. */
static inline void energies_loosen(index_t i, f64 soft2, energies_leavers leaving,
                                   mbp_bodies b, GLOBAL f64 *depth) {
    const i64 c = leaving.of[i], first = leaving.offset[c];
    if (leaving.fate[c] != UNBIND_GOES_ON)
        return;
    if (leaving.gone[first]) {
        depth[i] = 0;
        return;
    }
    const i64 slot = MBP_ROW * mbp_first_row(leaving.offset, c) - first;
    const f64 x = b.x[slot + i], y = b.y[slot + i], z = b.z[slot + i];
    f64 pull[8];
    for (i32 l = 0; l < 8; l++)
        pull[l] = 0;
    GLOBAL const u32 *who = leaving.who + leaving.begin[c];
    const i64 count = leaving.leave[c];
    for (i64 k = 0; k < count; k += 8)
        for (i32 l = 0; l < 8; l++) {
            const i64 j = slot + who[min(k + l, count - 1)];
            const f64 dx = b.x[j] - x, dy = b.y[j] - y, dz = b.z[j] - z;
            const f64 s2 = ((dx * dx + dy * dy) + dz * dz) + soft2;
            const i32 adds = (k + l < count) & (s2 != 0);
            pull[l] += (adds ? b.mass[j] : 0.0) / sqrt(adds ? s2 : 1.0);
        }
    f64 all = 0;
    for (i32 l = 0; l < 8; l++)
        all += pull[l];
    depth[i] = max(depth[i] - all * (1 + 0x1p-40), 0.0) * (1 - 0x1p-40);
}

/* In how many pairs the losses of a member are added up, or its potential if they are not.
 */
static inline i64 energies_pairs(index_t i, energies_leavers leaving) {
    const i64 c = leaving.of[i];
    if (leaving.fate[c] != UNBIND_GOES_ON)
        return 0;
    return leaving.gone[leaving.offset[c]] ? leaving.offset[c + 1] - leaving.offset[c]
                                           : (i64)leaving.leave[c];
}

#endif
