/* Bounds of potentials where members crowd within the softening, which no node of a tree is
 * far from: softened potentials are smooth there.
 *
 * In units of the softening, with the softening as a distance along an axis of its own, a
 * member at distance D >= 1 from a center adds to the potential at the center + y, for |y|
 * < D, Legendre's series sum_n |y|^n / D^(n + 1) P_n(t). Up to n = 2 it is 1 / D + d.y /
 * D^3 + (3 (d.y)^2 / D^5 - y^2 / D^3) / 2, whose factors are summed over all members of the
 * halo once for a group of them; since |P_n(t)| <= 1, the rest is at most |y|^3 / (D^3 (D -
 * |y|)). With |y| <= MBP_SOFT_REACH and T the sum of m / D^3 that is at most 1.06 |y|^3 T.
 *
 * Rounding: the sum of m / D is compensated, and off by less than 5e-15 of itself. Of the
 * potential as defined each term is off by less than 6.2e-16, and 24 sums of pairs of
 * blocks, of which there are up to 2^24, by 2.7e-15 of it. Within a block, each sum of the
 * first k terms is off by 2^-53 of itself; so all are off by 2^-53 of the sum over the
 * terms of how many terms of the block do not come before them, which is summed as well: at
 * most 256 of each, and half of that where terms are alike. For what y changes in it, 256
 * 2^-53 |y| of all is added. The other sums, of n / 256 blocks, are off by less than (64 +
 * n / 256) 1.2e-16 of that of m / D each, since |d| <= D, and count |y| times or less. */
#ifndef WEFT_MBP_SOFT_KERNEL_H
#define WEFT_MBP_SOFT_KERNEL_H

#include "mbp_bounds.kernel.h"

enum { MBP_SOFT_BITS = 10, MBP_SOFT_SUMS = 12, MBP_SOFT_STRIPE = 256 };
CONSTANT f64 MBP_SOFT_REACH = 0.05;

/* Neighbours in the order of the tree: places [begin, end) of a halo; the middle of the box
 * around them, and the farthest corner from it in softenings; the sums of all members: m /
 * D, its three and six derivatives, m / D^3, m / D as often as it is rounded in its block;
 * and what the |phi| of the deepest member is at least. */
typedef struct mbp_soft_group {
    i64 halo, begin, end;
    f64 x, y, z, reach, sum[MBP_SOFT_SUMS], deepest;
} mbp_soft_group;

/* Whether two members are farther apart than `most` softenings. */
static inline i32 mbp_soft_apart(u32 i, u32 j, f64 most, mbp_halos of, mbp_bodies at) {
    const f64 dx = at.x[i] - at.x[j], dy = at.y[i] - at.y[j], dz = at.z[i] - at.z[j];
    const f64 width = most * of.softening;
    return dx * dx + dy * dy + dz * dz > width * width;
}

/* The middle and the reach of a group, by the box around it. */
static inline void mbp_soft_box(GLOBAL mbp_soft_group *to, f64 softening, mbp_bodies at,
                                GLOBAL const u32 *order) {
    f64 low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0}, reach2 = 0.0;
    for (i64 place = to->begin; place < to->end; place++) {
        const u32 slot = order[place];
        const f64 x[3] = {at.x[slot], at.y[slot], at.z[slot]};
        for (i32 axis = 0; axis < 3; axis++) {
            low[axis] = place == to->begin ? x[axis] : min(low[axis], x[axis]);
            high[axis] = place == to->begin ? x[axis] : max(high[axis], x[axis]);
        }
    }
    for (i32 axis = 0; axis < 3; axis++) {
        const f64 side = 0.5 * (high[axis] - low[axis]) / softening;
        reach2 += side * side;
    }
    to->x = 0.5 * (low[0] + high[0]);
    to->y = 0.5 * (low[1] + high[1]);
    to->z = 0.5 * (low[2] + high[2]);
    to->reach = 1.000001 * sqrt(reach2);
}

/* Leaves the longest run of a group's members that are near one of them: that of a crowd's
 * end, beside which others are. */
static inline void mbp_soft_trim(GLOBAL mbp_soft_group *to, mbp_halos of, mbp_bodies at,
                                 GLOBAL const u32 *order) {
    const i64 begin = to->begin, end = to->end;
    to->end = begin;
    for (i64 k = 1; k < 16; k += 2) {
        const i64 near = begin + (end - begin) * k / 16;
        i64 from = near, past = near;
        while (from > begin &&
               !mbp_soft_apart(order[near], order[from - 1], 0.55 * MBP_SOFT_REACH, of, at))
            from--;
        while (past < end &&
               !mbp_soft_apart(order[near], order[past], 0.55 * MBP_SOFT_REACH, of, at))
            past++;
        if (past - from > to->end - to->begin) {
            to->begin = from;
            to->end = past;
        }
    }
}

/* Group t before anything is summed. No group whose ends are farther apart than the
 * diagonal of its box may be crowds. */
static inline void mbp_soft_gather(index_t t, i64 halos, mbp_halos of, mbp_bodies at,
                                   GLOBAL const u32 *order, GLOBAL mbp_soft_group *group) {
    const pyramid_range r = pyramid_range_of(t, halos, MBP_SOFT_BITS, of.offset);
    const i64 halo = r.segment, slot = mbp_first_slot(of.offset, halo) - of.offset[halo];
    const f64 far = bits_f64((u64)0x7ff << 52);
    const mbp_soft_group to = {halo, slot + r.begin, slot + r.end, 0.0, 0.0, 0.0,
                               far,  {0.0},          0.0};
    group[t] = to;
    if (to.begin >= to.end || !mbp_holds(of, halo) ||
        !(of.softening * mbp_scale(of.extent[halo]) > 1e-6) ||
        !(of.softening * of.softening > 1e-290))
        return;
    if (!mbp_soft_apart(order[to.begin], order[to.end - 1], 2.01 * MBP_SOFT_REACH, of, at))
        mbp_soft_box(group + t, of.softening, at, order);
    if (group[t].reach <= MBP_SOFT_REACH)
        return;
    mbp_soft_trim(group + t, of, at, order);
    mbp_soft_box(group + t, of.softening, at, order);
}

static inline i32 mbp_soft_claims(GLOBAL const mbp_soft_group *group) {
    return group->reach <= MBP_SOFT_REACH;
}

/* How many members crowd in a group. */
static inline i64 mbp_soft_crowd(index_t t, GLOBAL const mbp_soft_group *group) {
    return mbp_soft_claims(group + t) ? group[t].end - group[t].begin : 0;
}

/* What those in slots [from, from + MBP_SOFT_STRIPE) add to the sums of a group. */
static inline void mbp_soft_meet(GLOBAL const mbp_soft_group *group, i64 from, i64 last,
                                 f64 per, f64 weight, mbp_bodies b,
                                 f64 sum[MBP_SOFT_SUMS][MBP_ROW]) {
    const f64 x = group->x, y = group->y, z = group->z;
    for (i32 k = 0; k < MBP_SOFT_SUMS; k++)
        for (i32 l = 0; l < MBP_ROW; l++)
            sum[k][l] = 0.0;
    for (i64 row = from; row < min(from + MBP_SOFT_STRIPE, last); row += MBP_ROW)
        for (i32 l = 0; l < MBP_ROW; l++) {
            const f64 dx = (b.x[row + l] - x) * per, dy = (b.y[row + l] - y) * per,
                      dz = (b.z[row + l] - z) * per;
            const f64 r = 1.0 / sqrt(dx * dx + dy * dy + dz * dz + 1.0);
            const f64 m = b.mass[row + l] * weight * r, t = m * r * r, q = 3.0 * t * r * r;
            sum[0][l] += m;
            sum[1][l] += t * dx;
            sum[2][l] += t * dy;
            sum[3][l] += t * dz;
            sum[4][l] += q * dx * dx;
            sum[5][l] += q * dy * dy;
            sum[6][l] += q * dz * dz;
            sum[7][l] += q * dx * dy;
            sum[8][l] += q * dy * dz;
            sum[9][l] += q * dz * dx;
            sum[10][l] += t;
            sum[11][l] += m * (f64)(MBP_SOFT_STRIPE - (row - from) - l);
        }
}

/* Bounds of |phi| in units of m / softening, of the member in a slot. */
typedef struct mbp_soft_range {
    f64 low, high;
} mbp_soft_range;
static inline mbp_soft_range mbp_soft_range_of(GLOBAL const mbp_soft_group *g, u32 slot,
                                               mbp_halos of, mbp_bodies b) {
    const f64 per = 1.0 / of.softening;
    const f64 x = (b.x[slot] - g->x) * per, y = (b.y[slot] - g->y) * per,
              z = (b.z[slot] - g->z) * per;
    const f64 d2 = x * x + y * y + z * z, d = sqrt(d2);
    const f64 slope = g->sum[1] * x + g->sum[2] * y + g->sum[3] * z;
    const f64 bend = g->sum[4] * x * x + g->sum[5] * y * y + g->sum[6] * z * z +
                     2.0 * (g->sum[7] * x * y + g->sum[8] * y * z + g->sum[9] * z * x) -
                     g->sum[10] * d2;
    const f64 own = b.mass[slot] * mbp_scale(of.heaviest[g->halo]);
    const f64 blocks = 64.0 + (f64)(mbp_members(of.offset, g->halo) / MBP_SOFT_STRIPE);
    const f64 middle = g->sum[0] - own + slope + 0.5 * bend;
    const f64 off = 1.06 * d * d2 * g->sum[10] + 1.12e-16 * g->sum[11] +
                    g->sum[0] * (8.5e-15 + 3e-14 * d + 8.0 * 1.2e-16 * blocks * d);
    const mbp_soft_range to = {middle - off, middle + off};
    return to;
}

/* The sums of a group, if it claims anything. */
static inline void mbp_soft_sum(index_t t, mbp_halos of, mbp_bodies b,
                                GLOBAL const u32 *order, GLOBAL const f32 *high,
                                GLOBAL mbp_soft_group *group) {
    GLOBAL mbp_soft_group *to = group + t;
    if (!mbp_soft_claims(to))
        return;
    const i64 first = mbp_first_slot(of.offset, to->halo);
    const i64 last = first + mbp_members(of.offset, to->halo);
    const f64 weight = mbp_scale(of.heaviest[to->halo]);
    f64 sum[MBP_SOFT_SUMS][MBP_ROW], all[MBP_SOFT_SUMS], lost = 0.0;
    for (i32 k = 0; k < MBP_SOFT_SUMS; k++)
        all[k] = 0.0;
    for (i64 from = first; from < last; from += MBP_SOFT_STRIPE) {
        mbp_soft_meet(to, from, last, 1.0 / of.softening, weight, b, sum);
        for (i32 k = 0; k < MBP_SOFT_SUMS; k++) {
            f64 more = 0.0;
            for (i32 l = 0; l < MBP_ROW; l++)
                more += sum[k][l];
            const f64 next = all[k] + more, added = next - all[k];
            lost += k == 0 ? (all[0] - (next - added)) + (more - added) : 0.0;
            all[k] = next;
        }
    }
    all[0] += lost;
    for (i32 k = 0; k < MBP_SOFT_SUMS; k++)
        to->sum[k] = all[k];
    for (i64 place = to->begin; place < to->end; place++) {
        const u32 slot = order[place];
        if (high[slot] >= 0.0f)
            to->deepest = max(to->deepest, mbp_soft_range_of(to, slot, of, b).low);
    }
}

/* What the |phi| of the deepest of a halo's members is at least. */
static inline f64 mbp_soft_deepest(index_t halo, i64 groups, GLOBAL const i64 *offset,
                                   GLOBAL const mbp_soft_group *group) {
    f64 deepest = 0.0;
    for (i64 k = pyramid_first(offset[halo], halo, MBP_SOFT_BITS);
         k < groups && group[k].halo == halo; k++)
        deepest = max(deepest, group[k].deepest);
    return deepest;
}

/* Narrows the bounds of a group's members; those that others of their halo are deeper than
 * no longer survive, which bounds in f32 may not tell. */
static inline void mbp_soft_narrow(index_t t, mbp_halos of, mbp_bodies b,
                                   GLOBAL const u32 *order,
                                   GLOBAL const mbp_soft_group *group,
                                   GLOBAL const f64 *deepest, mbp_bounds to) {
    GLOBAL const mbp_soft_group *g = group + t;
    if (!mbp_soft_claims(g))
        return;
    const f64 unit = 1.0 / (of.softening * mbp_scale(of.extent[g->halo]));
    for (i64 place = g->begin; place < g->end; place++) {
        const u32 slot = order[place];
        if (to.high[slot] < 0.0f)
            continue;
        const mbp_soft_range at = mbp_soft_range_of(g, slot, of, b);
        const mbp_range range = {(f32)(at.low * unit * (1.0 - 1.2e-7)),
                                 (f32)(at.high * unit * (1.0 + 1.2e-7))};
        mbp_narrow(to, slot, range);
        if (at.high < deepest[g->halo])
            to.high[slot] = -1.0f;
    }
}

#endif
