/* The room of a work-item that unbinds a candidate: who is left of it, in columns, and the
 * sums that their potentials are. */
#ifndef WEFT_SETTLE_ROOM_KERNEL_H
#define WEFT_SETTLE_ROOM_KERNEL_H

#include "energies.kernel.h"
#include "pull.kernel.h"

/* Columns of a work-item: place and velocity as read, place from the first member, mass,
 * sum of m / s, energy; and of those that leave the place and mass. */
enum {
    SETTLE_AT = 0,
    SETTLE_FLOW = 3,
    SETTLE_PLACE = 6,
    SETTLE_MASS = 9,
    SETTLE_SUM,
    SETTLE_ENERGY,
    SETTLE_GONE,
    SETTLE_COLUMNS = 16
};

typedef struct settle_rule {
    energies_constants u;
    f64 soft2, gravity;
    i64 candidates, items, width, least;
} settle_rule;

/* Candidates, and who they have, by ascending id: `particle` in the input, `member` among
 * all. */
typedef struct settle_groups {
    GLOBAL const i64 *offset;
    GLOBAL const u32 *who, *member, *particle;
} settle_groups;

/* The room of a work-item. */
typedef struct settle_room {
    GLOBAL f64 *column;
    GLOBAL u32 *name; /* which member each is, from the candidate's first one on */
    i64 width;
} settle_room;

static inline GLOBAL f64 *settle_room_column(settle_room r, i32 k) {
    return r.column + k * r.width;
}

static inline pull_bodies settle_room_bodies(settle_room r, i32 place, i32 mass) {
    const pull_bodies b = {settle_room_column(r, place), settle_room_column(r, place + 1),
                           settle_room_column(r, place + 2), settle_room_column(r, mass),
                           settle_room_column(r, SETTLE_SUM)};
    return b;
}

static inline void settle_room_load(settle_room r, points_coordinates at,
                                    points_coordinates flow, points_masses masses,
                                    settle_groups g, i64 begin, i64 count) {
    for (i64 k = 0; k < count; k++) {
        const u32 who = g.particle[begin + k];
        const index_t i = (index_t)who * (index_t)at.stride;
        const index_t j = (index_t)who * (index_t)flow.stride;
        r.name[k] = (u32)k;
        r.column[k] = points_coordinate(at.x, i, at.wide);
        r.column[r.width + k] = points_coordinate(at.y, i, at.wide);
        r.column[2 * r.width + k] = points_coordinate(at.z, i, at.wide);
        r.column[3 * r.width + k] = points_coordinate(flow.x, j, flow.wide);
        r.column[4 * r.width + k] = points_coordinate(flow.y, j, flow.wide);
        r.column[5 * r.width + k] = points_coordinate(flow.z, j, flow.wide);
        r.column[SETTLE_MASS * r.width + k] = points_mass(&masses, who);
    }
}

/* What the sums of all members are: no coordinate of a place is above `most`, nor was one
 * above `reach` before it was wrapped; no mass is below `light`. No sum is above `deepest`,
 * which is below 0 where sums are not known, nor off by more than `off`. */
typedef struct settle_sums {
    f64 most, reach, light, deepest, off;
} settle_sums;

/* Places from the first member. */
static inline void settle_room_unwrap(settle_room r, settle_rule rule, i64 count,
                                      settle_sums *s) {
    s->most = s->reach = 0.0;
    for (i32 axis = 0; axis < 3; axis++) {
        GLOBAL const f64 *x = settle_room_column(r, SETTLE_AT + axis);
        GLOBAL f64 *to = settle_room_column(r, SETTLE_PLACE + axis);
        const f64 box = rule.u.box[axis];
        for (i64 k = 0; k < count; k++) {
            const f64 d = x[k] - x[0];
            to[k] = box > 0 ? points_remainder(d, box) : d;
            s->most = max(s->most, fabs(to[k]));
            s->reach = max(s->reach, fabs(d));
        }
    }
}

/* Fills the last row with nothing: without mass, away from all and from each other. */
static inline i64 settle_room_fill(settle_room r, i64 count, f64 most) {
    const i64 slots = (count + PULL_ROW - 1) / PULL_ROW * PULL_ROW;
    for (i64 k = count; k < slots; k++) {
        r.column[SETTLE_PLACE * r.width + k] = most * (f64)(3 + 2 * (k - count));
        r.column[(SETTLE_PLACE + 1) * r.width + k] = 0.0;
        r.column[(SETTLE_PLACE + 2) * r.width + k] = 0.0;
        r.column[SETTLE_MASS * r.width + k] = 0.0;
    }
    return slots;
}

/* All sums anew; not known where one may be farther off than pull.kernel.h says. */
static inline void settle_room_pull(settle_room r, settle_rule rule, i64 count,
                                    settle_sums *s) {
    GLOBAL const f64 *mass = settle_room_column(r, SETTLE_MASS);
    GLOBAL const f64 *sum = settle_room_column(r, SETTLE_SUM);
    f64 light = 0x1p300, heavy = 0.0, deepest = 0.0;
    settle_room_unwrap(r, rule, count, s);
    s->deepest = -1.0;
    for (i64 k = 0; k < count; k++) {
        light = min(light, mass[k]);
        heavy = max(heavy, mass[k]);
    }
    if (!(s->most < 0x1p400 && rule.soft2 < 0x1p800 && light > 0x1p-300 && heavy < 0x1p300))
        return;
    const i64 slots = settle_room_fill(r, count, s->most);
    pull_all(slots, rule.soft2, settle_room_bodies(r, SETTLE_PLACE, SETTLE_MASS));
    for (i64 k = 0; k < count; k++)
        deepest = max(deepest, sum[k]);
    if (!(deepest < light * 0x1p448)) /* a pair may be nearer than 2^-448 */
        return;
    s->light = light;
    s->deepest = deepest;
    s->off = (0x1p-29 + 0x1p-51 * (f64)count) * deepest;
}

/* Places from another first member, of those that are left. Rounded anew, they move two
 * members by less than 2^-49 reach to each other, and no 1 / s is above deepest / light.
 * Not known where others may be the shorter way across an axis then, or where that is much.
 */
static inline void settle_room_turn(settle_room r, settle_rule rule, i64 count,
                                    settle_sums *s) {
    const f64 moved = 0x1p-48 * s->reach * (s->deepest / s->light);
    i32 same_way = 1;
    for (i32 axis = 0; axis < 3; axis++)
        same_way &= !(rule.u.box[axis] > 0) || 4.25 * s->most < rule.u.box[axis];
    if (!(same_way && moved < 0x1p-20)) {
        s->deepest = -1.0;
        return;
    }
    s->off += moved * s->deepest;
    settle_room_unwrap(r, rule, count, s);
}

#endif
