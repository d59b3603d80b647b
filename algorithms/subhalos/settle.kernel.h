/* Step 6 for one candidate at a time, by a work-item with vectors: means and kinetic
 * energies as defined, potentials nearly, and less those of who left. What they are off by
 * tells where it decides; then nothing is settled, and energies as defined have to. */
#ifndef WEFT_SETTLE_KERNEL_H
#define WEFT_SETTLE_KERNEL_H

#include "algorithms/halos/halo_properties.kernel.h"
#include "settle_room.kernel.h"

/* What becomes of candidates: `held` and `energy` of members that a candidate keeps,
 * `spread` of it, which its energies are off by; and whether it is still `open`. */
typedef struct settle_found {
    GLOBAL u32 *held, *open;
    GLOBAL f64 *energy, *spread;
} settle_found;

/* The mean of a column as halo_properties.kernel.h has it, from the first member. */
static inline f64 settle_mean(settle_room r, i32 column, i64 count, i32 from_first) {
    GLOBAL const f64 *x = settle_room_column(r, column),
                     *mass = settle_room_column(r, SETTLE_MASS);
    const f64 first = from_first ? 0.0 : x[0];
    f64 all = 0.0, moment = 0.0;
    for (i64 begin = 0; begin < count; begin += HALO_PROPERTIES_BLOCK) {
        const i64 end = min(begin + HALO_PROPERTIES_BLOCK, count);
        f64 part = 0.0, part_moment = 0.0;
        for (i64 k = begin; k < end; k++) {
            part += mass[k];
            part_moment += mass[k] * (x[k] - first);
        }
        all += part;
        moment += part_moment;
    }
    return moment / all;
}

/* What an energy is off by: the potential, and the rounding of the sum. */
static inline f64 settle_off(f64 energy, f64 spread) {
    return spread + 0x1p-50 * fabs(energy);
}

/* Energies of all. Returns how many are 0 or more, or -1 where that is not certain. */
static inline i64 settle_energies(settle_room r, settle_rule rule, i64 count, f64 spread) {
    f64 center[3], drift[3];
    GLOBAL const f64 *sum = settle_room_column(r, SETTLE_SUM);
    GLOBAL f64 *energy = settle_room_column(r, SETTLE_ENERGY);
    i64 unbound = 0, sure = 0;
    for (i32 axis = 0; axis < 3; axis++) {
        center[axis] =
            halo_properties_wrap(settle_room_column(r, SETTLE_AT + axis)[0] +
                                     settle_mean(r, SETTLE_PLACE + axis, count, 1),
                                 rule.u.box[axis]);
        drift[axis] = settle_room_column(r, SETTLE_FLOW + axis)[0] +
                      settle_mean(r, SETTLE_FLOW + axis, count, 0);
    }
    for (i64 k = 0; k < count; k++) {
        f64 w[3];
        for (i32 axis = 0; axis < 3; axis++)
            w[axis] =
                energies_motion(settle_room_column(r, SETTLE_AT + axis)[k], center[axis],
                                settle_room_column(r, SETTLE_FLOW + axis)[k], drift[axis],
                                rule.u.hubble, rule.u.box[axis]);
        const f64 kinetic = 0.5 * ((w[0] * w[0] + w[1] * w[1]) + w[2] * w[2]);
        energy[k] = kinetic - rule.gravity * sum[k];
        unbound += energy[k] >= 0;
        sure += fabs(energy[k]) > settle_off(energy[k], spread);
    }
    return sure == count ? unbound : -1;
}

/* An energy above which are `leave` of `unbound`; below 0 where that is not certain. */
static inline f64 settle_threshold(settle_room r, i64 count, i64 unbound, i64 leave,
                                   f64 spread) {
    GLOBAL const f64 *energy = settle_room_column(r, SETTLE_ENERGY);
    f64 low = 0.0, high = 0.0, above, below = 0.0;
    for (i64 k = 0; k < count; k++)
        high = max(high, energy[k]);
    above = high;
    if (leave == unbound)
        return 0.0;
    for (i32 round = 0; round < 80; round++) {
        const f64 middle = low + (high - low) * 0.5;
        i64 more = 0;
        for (i64 k = 0; k < count; k++)
            more += energy[k] > middle;
        if (more == leave) {
            for (i64 k = 0; k < count; k++) {
                above = energy[k] > middle ? min(above, energy[k]) : above;
                below = energy[k] > middle ? below : max(below, energy[k]);
            }
            return above - below > settle_off(above, spread) + settle_off(below, spread)
                       ? middle
                       : -1.0;
        }
        low = more > leave ? middle : low;
        high = more > leave ? high : middle;
    }
    return -1.0;
}

static inline void settle_move(settle_room r, i64 from, i64 to, i32 first, i32 end) {
    for (i32 c = first; c < end; c++)
        r.column[c * r.width + to] = r.column[c * r.width + from];
}

/* Parts those above a threshold from the others, who keep their order. */
static inline i64 settle_part(settle_room r, i64 count, f64 threshold) {
    GLOBAL const f64 *energy = settle_room_column(r, SETTLE_ENERGY);
    i64 stay = 0, gone = 0;
    for (i64 k = 0; k < count; k++) {
        if (energy[k] > threshold) {
            for (i32 c = 0; c < 4; c++)
                r.column[(SETTLE_GONE + c) * r.width + gone] =
                    r.column[(SETTLE_PLACE + c) * r.width + k];
            gone++;
        } else {
            settle_move(r, k, stay, 0, SETTLE_GONE);
            r.name[stay++] = r.name[k];
        }
    }
    return stay;
}

/* All rounds of a candidate; 1 if it is settled. */
static inline u32 settle_one(settle_room r, settle_rule rule, points_coordinates at,
                             points_coordinates flow, points_masses masses, settle_groups g,
                             i64 c, settle_found to) {
    const i64 begin = g.offset[c];
    i64 count = g.offset[c + 1] - begin;
    settle_sums sums;
    sums.deepest = -1.0;
    if (count > rule.width)
        return 0;
    settle_room_load(r, at, flow, masses, g, begin, count);
    while (1) {
        if (sums.deepest < 0)
            settle_room_pull(r, rule, count, &sums);
        if (sums.deepest < 0)
            return 0;
        const f64 spread = rule.gravity * (sums.off + 0x1p-50 * sums.deepest);
        const i64 unbound = settle_energies(r, rule, count, spread);
        if (unbound < 0)
            return 0;
        if (unbound == 0) {
            to.spread[g.who[c]] = spread;
            for (i64 k = 0; k < count; k++) {
                const u32 m = g.member[begin + r.name[k]];
                to.held[m] = g.who[c];
                to.energy[m] = r.column[SETTLE_ENERGY * r.width + k];
            }
            return 1;
        }
        const i64 leave = unbound - unbound / 2, stay = count - leave;
        if (stay < rule.least)
            return 1;
        const f64 threshold = settle_threshold(r, count, unbound, leave, spread);
        if (threshold < 0)
            return 0;
        const i32 first_leaves = r.column[SETTLE_ENERGY * r.width] > threshold;
        if (settle_part(r, count, threshold) != stay)
            return 0;
        count = stay;
        if (2 * leave > stay) {
            sums.deepest = -1.0;
            continue;
        }
        pull_take(settle_room_fill(r, count, 0.0), rule.soft2,
                  settle_room_bodies(r, SETTLE_PLACE, SETTLE_MASS), leave,
                  settle_room_bodies(r, SETTLE_GONE, SETTLE_GONE + 3));
        if (first_leaves)
            settle_room_turn(r, rule, count, &sums);
    }
}

/* Candidates t, t + items, ... */
static inline void settle_candidates(index_t t, settle_rule rule, points_coordinates at,
                                     points_coordinates flow, points_masses masses,
                                     settle_groups g, GLOBAL f64 *column, GLOBAL u32 *name,
                                     settle_found to) {
    const settle_room r = {column + (i64)t * SETTLE_COLUMNS * rule.width,
                           name + (i64)t * rule.width, rule.width};
    for (i64 c = t; c < rule.candidates; c += rule.items)
        to.open[c] = !settle_one(r, rule, at, flow, masses, g, c, to);
}

#endif
