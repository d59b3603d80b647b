/* Energies of the members of groups: `of` of each is its group. */
#ifndef WEFT_ENERGIES_KERNEL_H
#define WEFT_ENERGIES_KERNEL_H

#include "algorithms/mbp/slots/mbp_slots.kernel.h"
#include "algorithms/points/points.kernel.h"
#include "unbind.kernel.h"

typedef struct energies_constants {
    f64 hubble, box[3];
} energies_constants;

/* The velocity at x along an axis, less the drift of all and that of space from the center
 * on. */
static inline f64 energies_motion(f64 x, f64 center, f64 v, f64 drift, f64 hubble,
                                  f64 box) {
    const f64 d = x - center;
    return (v - drift) + hubble * (box > 0 ? points_remainder(d, box) : d);
}

/* Members that leave: of group c the first leave[c] of those in `who` from number
 * before[offset[c]] on, and all whose `gone` is 1; fate: what becomes of the group. */
typedef struct energies_leavers {
    GLOBAL const i64 *offset;
    GLOBAL const u32 *before, *of, *fate, *gone, *leave, *who;
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
    const index_t group = 3 * (index_t)of[i];
    f64 x[3], v[3], w[3];
    points_read(&at, particle[i], x);
    points_read(&flow, particle[i], v);
    for (i32 axis = 0; axis < 3; axis++)
        w[axis] = energies_motion(x[axis], center[group + axis], v[axis],
                                  velocity[group + axis], u.hubble, u.box[axis]);
    kinetic[i] = 0.5 * ((w[0] * w[0] + w[1] * w[1]) + w[2] * w[2]);
}

/* Members of groups, and what is known of their energies. */
typedef struct energies_known {
    i64 members, groups;
    f64 gravity;
    GLOBAL const i64 *offset;
    GLOBAL const u32 *of;
    GLOBAL const f64 *kinetic, *depth;
} energies_known;

/* Whether a member may be unbound; 0 behind the last. */
static inline u32 energies_may_be(index_t i, energies_known k) {
    return (i64)i < k.members && !(k.kinetic[i] - k.gravity * k.depth[i] < 0);
}

/* Blocks that the potential of such a one is defined in. */
static inline i64 energies_blocks(index_t i, energies_known k) {
    if (!energies_may_be(i, k))
        return 0;
    return mbp_blocks(mbp_members(k.offset, k.of[i]));
}

/* The slot of a member in the rows of mbp_prepare. */
static inline i64 energies_slot_of(u32 member, i64 group, GLOBAL const i64 *offset) {
    return mbp_first_slot(offset, group) + ((i64)member - offset[group]);
}

static inline void energies_slot(index_t l, GLOBAL const u32 *which, GLOBAL const u32 *of,
                                 GLOBAL const i64 *offset, GLOBAL i64 *slot) {
    slot[l] = energies_slot_of(which[l], of[which[l]], offset);
}

/* Those that may be unbound: who, in which slot, and where their blocks begin; how many
 * they are, and their blocks. Of all members: who is gone: nobody yet;
 * of groups, what becomes of them where nobody of them is listed. */
typedef struct energies_listed {
    GLOBAL u32 *which, *gone, *fate;
    GLOBAL i64 *slot, *begin, *total;
} energies_listed;

/* Of `members + 1`: how many such come before each, and blocks. */
static inline void energies_list(index_t i, energies_known k, GLOBAL const u32 *before,
                                 GLOBAL const i64 *blocks, energies_listed to) {
    const u32 own = before[i];
    if ((i64)i < k.groups)
        to.fate[i] = UNBIND_HOLDS;
    if ((i64)i == k.members) {
        to.total[0] = own;
        to.total[1] = to.begin[own] = blocks[i];
        return;
    }
    to.gone[i] = 0;
    if (before[i + 1] == own)
        return;
    to.which[own] = (u32)i;
    to.slot[own] = energies_slot_of((u32)i, k.of[i], k.offset);
    to.begin[own] = blocks[i];
}

/* Their energies. */
static inline void energies_decide(index_t l, f64 gravity, GLOBAL const f64 *kinetic,
                                   GLOBAL const u32 *which, GLOBAL const f64 *phi,
                                   GLOBAL f64 *depth, GLOBAL f64 *energy) {
    const u32 m = which[l];
    energy[l] = kinetic[m] + gravity * phi[l];
    depth[m] = -phi[l] * (1 - 0x1p-40);
}

/* What energies are off by, in place of what potentials are. */
static inline void energies_spread(index_t c, f64 gravity, GLOBAL f64 *spread) {
    spread[c] = gravity * spread[c];
}

/* Energies of those that are listed. */
static inline void energies_put(index_t l, f64 gravity, GLOBAL const u32 *which,
                                GLOBAL const f64 *kinetic, GLOBAL const f64 *phi,
                                GLOBAL f64 *energy) {
    energy[l] = kinetic[which[l]] + gravity * phi[l];
}

/* In how many pairs the losses of a group's members are added up, or their potentials if
 * they are not; 0 behind the last group. */
static inline i64 energies_pairs(index_t c, i64 groups, energies_leavers leaving) {
    if ((i64)c >= groups || leaving.fate[c] != UNBIND_GOES_ON)
        return 0;
    const i64 members = mbp_members(leaving.offset, (i64)c);
    return members * (leaving.gone[leaving.offset[c]] ? members : (i64)leaving.leave[c]);
}

/* Whether all pairs, those before the last group and its own, are worth it. */
typedef struct energies_price {
    f64 soft2;
    i64 groups, most;
    GLOBAL const i64 *pairs;
} energies_price;

/* What a member that stays loses with those that leave, at most: `depth` without them, or 0
 * if that is not known. Places are those of pairs in the definition while the first member
 * of a group stays, from which all are unwrapped. */
static inline void energies_loosen(index_t i, energies_price price,
                                   energies_leavers leaving, mbp_bodies b,
                                   GLOBAL f64 *depth, GLOBAL u32 *is_bounded) {
    const i32 pays = price.pairs[price.groups] <= price.most;
    if (i == 0)
        atomic_store_u32(is_bounded, (u32)pays);
    const i64 c = leaving.of[i], first = leaving.offset[c];
    if (!pays || leaving.fate[c] != UNBIND_GOES_ON)
        return;
    if (leaving.gone[first]) {
        depth[i] = 0;
        return;
    }
    const i64 slot = mbp_first_slot(leaving.offset, c) - first;
    const f64 x = b.x[slot + i], y = b.y[slot + i], z = b.z[slot + i];
    f64 pull[8];
    for (i32 l = 0; l < 8; l++)
        pull[l] = 0;
    GLOBAL const u32 *who = leaving.who + leaving.before[first];
    const i64 count = leaving.leave[c];
    for (i64 k = 0; k < count; k += 8)
        for (i32 l = 0; l < 8; l++) {
            const i64 j = slot + who[min(k + l, count - 1)];
            const f64 dx = b.x[j] - x, dy = b.y[j] - y, dz = b.z[j] - z;
            const f64 s2 = ((dx * dx + dy * dy) + dz * dz) + price.soft2;
            const i32 adds = (k + l < count) & (s2 != 0);
            pull[l] += (adds ? b.mass[j] : 0.0) / sqrt(adds ? s2 : 1.0);
        }
    f64 all = 0;
    for (i32 l = 0; l < 8; l++)
        all += pull[l];
    depth[i] = max(depth[i] - all * (1 + 0x1p-40), 0.0) * (1 - 0x1p-40);
}

#endif
