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
 * Rounding: the sum of m / D is compensated, and off by less than 5e-15 of itself; the
 * potential as defined is off by less than 3.2e-14, in blocks of 256 of which up to 2^24
 * are added in pairs. The other sums, of n / 256 blocks, are off by less than (64 + n /
 * 256) 1.2e-16 of that of m / D each, since |d| <= D, and count |y| times or less. */
#ifndef WEFT_MBP_SOFT_KERNEL_H
#define WEFT_MBP_SOFT_KERNEL_H

#include "mbp_bounds.kernel.h"

enum { MBP_SOFT_BITS = 10, MBP_SOFT_SUMS = 11, MBP_SOFT_STRIPE = 256 };
CONSTANT f64 MBP_SOFT_REACH = 0.05;

/* Neighbours in the order of the tree: places [begin, end) of a halo; the middle of the box
 * around them, and the farthest corner from it in softenings; the sums of all members: m /
 * D, its three and six derivatives, m / D^3; and the deepest of them at least. */
typedef struct mbp_soft_group {
    i64 halo, begin, end;
    f64 x, y, z, reach, sum[MBP_SOFT_SUMS], deepest;
} mbp_soft_group;

/* Whether two members are so far apart that no group with both crowds: by the diagonal of
 * its box, which is no shorter. */
static inline i32 mbp_soft_apart(u32 i, u32 j, mbp_halos of, mbp_bodies at) {
    const f64 dx = at.x[i] - at.x[j], dy = at.y[i] - at.y[j], dz = at.z[i] - at.z[j];
    const f64 most = 2.01 * MBP_SOFT_REACH * of.softening;
    return dx * dx + dy * dy + dz * dz > most * most;
}

/* Group t before anything is summed. */
static inline void mbp_soft_gather(index_t t, i64 halos, mbp_halos of, mbp_bodies at,
                                   GLOBAL const u32 *order, GLOBAL mbp_soft_group *group) {
    const i64 halo = pyramid_owner(t, halos, MBP_SOFT_BITS, of.offset);
    const i64 skip = (t - pyramid_first(of.offset[halo], halo, MBP_SOFT_BITS))
                     << MBP_SOFT_BITS;
    const i64 first = MBP_ROW * mbp_first_row(of.offset, halo);
    const i64 members = mbp_members(of.offset, halo), most = (i64)1 << MBP_SOFT_BITS;
    const f64 width = of.softening * mbp_scale(of.extent[halo]);
    f64 low[3] = {0.0, 0.0, 0.0}, high[3] = {0.0, 0.0, 0.0}, reach2 = 0.0;
    mbp_soft_group to = {halo, first + skip, first + min(skip + most, members), 0.0,
                         0.0,  0.0,          bits_f64((u64)0x7ff << 52),        {0.0},
                         0.0};
    if (to.begin < to.end && mbp_soft_apart(order[to.begin], order[to.end - 1], of, at)) {
        group[t] = to;
        return;
    }
    for (i64 place = to.begin; place < to.end; place++) {
        const u32 slot = order[place];
        const f64 x[3] = {at.x[slot], at.y[slot], at.z[slot]};
        for (i32 axis = 0; axis < 3; axis++) {
            low[axis] = place == to.begin ? x[axis] : min(low[axis], x[axis]);
            high[axis] = place == to.begin ? x[axis] : max(high[axis], x[axis]);
        }
    }
    if (to.begin < to.end && mbp_holds(of, halo) && width > 1e-6 &&
        of.softening * of.softening > 1e-290) {
        to.x = 0.5 * (low[0] + high[0]);
        to.y = 0.5 * (low[1] + high[1]);
        to.z = 0.5 * (low[2] + high[2]);
        for (i32 axis = 0; axis < 3; axis++) {
            const f64 side = 0.5 * (high[axis] - low[axis]) / of.softening;
            reach2 += side * side;
        }
        to.reach = 1.000001 * sqrt(reach2);
    }
    group[t] = to;
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
        }
}

/* Bounds of |phi| in units of m / softening, of the member in a slot. */
typedef struct mbp_soft_range {
    f64 low, high;
} mbp_soft_range;
static inline mbp_soft_range mbp_soft_bound(GLOBAL const mbp_soft_group *g, u32 slot,
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
    const f64 off =
        1.06 * d * d2 * g->sum[10] + g->sum[0] * (3.7e-14 + 8.0 * 1.2e-16 * blocks * d);
    const mbp_soft_range to = {middle - off, middle + off};
    return to;
}

/* The sums of a group, if it claims anything. */
static inline void mbp_soft_sum(index_t t, mbp_halos of, mbp_bodies b,
                                GLOBAL const u32 *order, GLOBAL mbp_soft_group *group) {
    GLOBAL mbp_soft_group *to = group + t;
    if (!mbp_soft_claims(to))
        return;
    const i64 first = MBP_ROW * mbp_first_row(of.offset, to->halo);
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
    f64 deepest = 0.0;
    for (i64 place = to->begin; place < to->end; place++)
        deepest = max(deepest, mbp_soft_bound(to, order[place], of, b).low);
    to->deepest = deepest;
}

/* Narrows the bounds of a group's members; those that others of their halo are deeper than
 * no longer survive, which bounds in f32 may not tell. */
static inline void mbp_soft_narrow(index_t t, i64 groups, mbp_halos of, mbp_bodies b,
                                   GLOBAL const u32 *order,
                                   GLOBAL const mbp_soft_group *group, mbp_bounds to) {
    GLOBAL const mbp_soft_group *g = group + t;
    if (!mbp_soft_claims(g))
        return;
    const f64 unit = 1.0 / (of.softening * mbp_scale(of.extent[g->halo]));
    f64 deepest = 0.0;
    for (i64 k = pyramid_first(of.offset[g->halo], g->halo, MBP_SOFT_BITS);
         k < groups && group[k].halo == g->halo; k++)
        deepest = max(deepest, group[k].deepest);
    for (i64 place = g->begin; place < g->end; place++) {
        const u32 slot = order[place];
        const mbp_soft_range at = mbp_soft_bound(g, slot, of, b);
        const mbp_range range = {(f32)(at.low * unit * (1.0 - 1.2e-7)),
                                 (f32)(at.high * unit * (1.0 + 1.2e-7))};
        mbp_narrow(to, slot, range);
        if (at.high < deepest)
            to.high[slot] = -1.0f;
    }
}

#endif
