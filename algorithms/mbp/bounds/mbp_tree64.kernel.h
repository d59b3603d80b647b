/* Bounds of the potential from a tree in f64, for members whose bounds in f32 tell too
 * little. Places are not rounded, and pairs at no distance add nothing, as
 * defined.
 *
 * A node of mass M with its center of mass c, seen from a place x at the softened distance
 * D = sqrt(|x - c|^2 + softening^2): a member at c + y adds m / sqrt(D^2 - 2 (x - c).y +
 * y^2). The tangent at D^2 of 1 / sqrt, which is convex, lies below it; Legendre's series,
 * sum_n |y|^n / D^(n + 1) P_n(t) with |P_n(t)| <= 1, is at most what it is for t = 1 from
 * n = 2 on (softening is a distance along an axis of its own):
 *   -y^2 / (2 D^3) <= 1 / sqrt(...) - 1 / D - (x - c).y / D^3 <= y^2 / (D^2 (D - |y|)).
 * What is linear in y cancels over the members, so that with Q the sum of m y^2, and all
 * |y| <= b < D,
 *   -Q / (2 D^3) <= phi's share - M / D <= Q / (D^2 (D - b)).
 * (Salmon and Warren, "Skeletons from the treecode closet", J. Comput. Phys. 111 (1994)
 * 136, have the absolute value, and the absolute error as what decides whether a node is
 * opened.)
 *
 * The tree has 16 members or nodes in a tile: a pyramid of 16 members a leaf; level 0 has
 * the members. Masses are scaled, lengths are not. With g = D - b softened as D is, and as
 * computed centers of mass are off by less than 1e-13 E if all coordinates are below E,
 * |share - M / D| <= Q / (D^2 g) + 2e-12 E M / g^2, where the second term has room for what
 * Q is off by, too. Sums
 * of up to 2^28 terms a lane, each off by 1e-10, are off by less than 4e-8 of themselves.
 * Where a pair is closer than 2^-100 E, or than 2^-500, nothing is claimed. */
#ifndef WEFT_MBP_TREE64_KERNEL_H
#define WEFT_MBP_TREE64_KERNEL_H

#include "mbp_bounds.kernel.h"

enum { MBP_TREE64_STACK = 160 };

/* Members, or nodes: mass, its center, sum of mass times squared distance from it, largest
 * distance from it. Where there is none the mass is 0. */
typedef struct mbp_tree64_tile {
    f64 mass[MBP_ROW], x[MBP_ROW], y[MBP_ROW], z[MBP_ROW], square[MBP_ROW], reach[MBP_ROW];
} mbp_tree64_tile;

/* Tiles of level 0, from slots in the order of the tree. */
static inline void mbp_tree64_members(index_t row, mbp_halos of, mbp_bodies at,
                                      GLOBAL const u32 *order,
                                      GLOBAL mbp_tree64_tile *tile) {
    const f64 weight = mbp_scale(of.heaviest[of.row_halo[row]]);
    for (i32 k = 0; k < MBP_ROW; k++) {
        const u32 slot = order[row * MBP_ROW + k];
        tile[row].mass[k] = at.mass[slot] * weight;
        tile[row].x[k] = at.x[slot];
        tile[row].y[k] = at.y[slot];
        tile[row].z[k] = at.z[slot];
        tile[row].square[k] = tile[row].reach[k] = 0.0;
    }
}

/* A node of what a tile has. Its center is that place exactly where all are at one. */
static inline void mbp_tree64_join(GLOBAL mbp_tree64_tile *to, i32 k,
                                   GLOBAL const mbp_tree64_tile *from) {
    const f64 x = from->x[0], y = from->y[0], z = from->z[0];
    f64 m = 0.0, cx = 0.0, cy = 0.0, cz = 0.0, square = 0.0, reach = 0.0;
    for (i32 j = 0; j < MBP_ROW; j++) {
        const f64 w = from->mass[j];
        m += w;
        cx += w * (from->x[j] - x);
        cy += w * (from->y[j] - y);
        cz += w * (from->z[j] - z);
    }
    cx = x + (m > 0.0 ? cx / m : 0.0);
    cy = y + (m > 0.0 ? cy / m : 0.0);
    cz = z + (m > 0.0 ? cz / m : 0.0);
    for (i32 j = 0; j < MBP_ROW; j++) {
        const f64 dx = from->x[j] - cx, dy = from->y[j] - cy, dz = from->z[j] - cz;
        const f64 d2 = dx * dx + dy * dy + dz * dz;
        square += from->square[j] + from->mass[j] * d2;
        /* Above 0 for all that are not there, also where the square is not. */
        const f64 d = max(sqrt(d2), max(fabs(dx), max(fabs(dy), fabs(dz))));
        reach = max(reach, from->mass[j] > 0.0 ? d + from->reach[j] : 0.0);
    }
    to->mass[k] = m;
    to->x[k] = cx;
    to->y[k] = cy;
    to->z[k] = cz;
    to->square[k] = square;
    to->reach[k] = reach;
}

/* Tiles of a level above, from those of the level below. */
static inline void mbp_tree64_above(index_t t, i64 halos, i64 level,
                                    GLOBAL const i64 *offset,
                                    GLOBAL const mbp_tree64_tile *below,
                                    GLOBAL mbp_tree64_tile *tile) {
    const mbp_level_range under = mbp_level_below(t, halos, level, offset);
    for (i32 k = 0; k < MBP_ROW; k++) {
        if (k < under.count)
            mbp_tree64_join(tile + t, k, below + under.first + k);
        else
            tile[t].mass[k] = tile[t].x[k] = tile[t].y[k] = tile[t].z[k] =
                tile[t].square[k] = tile[t].reach[k] = 0.0;
    }
}

/* 1 / sqrt, off by less than 1e-10: a guess off by 0.0344, and three steps of Newton's,
 * which make e into less than 1.55 e^2. Finite where x is 0. */
static inline f64 mbp_tree64_rsqrt(f64 x) {
    const f64 h = 0.5 * x;
    f64 y = bits_f64((u64)0x5fe6eb50c7b537a9 - (f64_bits(x) >> 1));
    y = y * (1.5 - h * y * y);
    y = y * (1.5 - h * y * y);
    return y * (1.5 - h * y * y);
}

/* Who walks: a place, whether pairs at no distance add, above what squares of distances are
 * safely normal numbers, below what all coordinates are, and what a node may be off by. */
typedef struct mbp_tree64_target {
    f64 x, y, z, soft2, least2, most, tolerance;
    i32 softens;
} mbp_tree64_target;

/* Sums of m / s and of what they may be off by, a lane each; and whether a pair was too
 * close. */
typedef struct mbp_tree64_sums {
    f64 sum[MBP_ROW], spread[MBP_ROW], unknown[MBP_ROW];
} mbp_tree64_sums;

/* Meets the members in a tile, but for lane `own`. */
static inline void mbp_tree64_meet(mbp_tree64_sums *s, const mbp_tree64_target *target,
                                   i32 own, GLOBAL const mbp_tree64_tile *n) {
    for (i32 k = 0; k < MBP_ROW; k++) {
        const f64 dx = n->x[k] - target->x, dy = n->y[k] - target->y,
                  dz = n->z[k] - target->z;
        const f64 s2 = dx * dx + dy * dy + dz * dz + target->soft2;
        const i32 is_apart = (dx != 0.0) | (dy != 0.0) | (dz != 0.0) | target->softens;
        const i32 adds = is_apart & (k != own);
        const f64 mass = adds ? n->mass[k] : 0.0;
        s->sum[k] += mass * mbp_tree64_rsqrt(s2);
        s->unknown[k] += s2 < target->least2 ? mass : 0.0;
    }
}

/* Adds those nodes of a tile that may be off by no more than the tolerance, and passes by
 * those that are where the target is; of the others a bit each. */
static inline u32 mbp_tree64_accept(mbp_tree64_sums *s, const mbp_tree64_target *target,
                                    GLOBAL const mbp_tree64_tile *n) {
    u32 open = 0;
    for (i32 k = 0; k < MBP_ROW; k++) {
        const f64 dx = n->x[k] - target->x, dy = n->y[k] - target->y,
                  dz = n->z[k] - target->z;
        const f64 d2 = dx * dx + dy * dy + dz * dz, mass = n->mass[k];
        const f64 r = mbp_tree64_rsqrt(d2 + target->soft2);
        const f64 gap = d2 * mbp_tree64_rsqrt(d2) - 1.0000001 * n->reach[k];
        const f64 g = mbp_tree64_rsqrt(gap * gap + target->soft2);
        const f64 off = 1.01 * g * (n->square[k] * r * r + 2e-12 * target->most * mass * g);
        const i32 is_apart = (dx != 0.0) | (dy != 0.0) | (dz != 0.0) |
                             (n->reach[k] != 0.0) | target->softens;
        const i32 is = (mass > 0.0) & is_apart;
        const i32 is_far =
            is & (gap > 0.0) & (gap * gap >= target->least2) & (off <= target->tolerance);
        s->sum[k] += (is_far ? mass : 0.0) * r;
        s->spread[k] += is_far ? off : 0.0;
        open |= (u32)(is & !is_far) << k;
    }
    return open;
}

/* The walk of the member in a place, which is one of a halo. */
static inline void mbp_tree64_walk(mbp_tree64_sums *s, const mbp_tree64_target *target,
                                   i64 place, i64 halo, GLOBAL const i64 *level,
                                   GLOBAL const i64 *offset,
                                   GLOBAL const mbp_tree64_tile *tile) {
    i32 wait_level[MBP_TREE64_STACK], count = 1;
    i64 wait_tile[MBP_TREE64_STACK];
    wait_tile[0] = wait_level[0] = 0;
    while (mbp_level_count(offset, halo, wait_level[0]) > 1)
        wait_level[0]++;
    while (count > 0) {
        const i32 l = wait_level[--count];
        const i64 t = wait_tile[count],
                  at = level[l] + mbp_level_first(offset, halo, l) + t;
        if (l == 0) {
            mbp_tree64_meet(s, target, at == place / MBP_ROW ? (i32)(place % MBP_ROW) : -1,
                            tile + at);
            continue;
        }
        u32 open = mbp_tree64_accept(s, target, tile + at);
        while (open) {
            const i32 k = 31 - (i32)clz(open);
            open ^= 1u << k;
            wait_level[count] = l - 1;
            wait_tile[count++] = t * MBP_ROW + k;
        }
    }
}

/* Narrows the bounds of the member in places[t]. */
static inline void mbp_tree64_bound(index_t t, f64 tolerance, mbp_halos of,
                                    GLOBAL const i64 *level, GLOBAL const u32 *order,
                                    GLOBAL const mbp_tree64_tile *tile,
                                    GLOBAL const u32 *places, GLOBAL const u32 *best,
                                    mbp_bounds to) {
    const i64 place = places[t], row = place / MBP_ROW, halo = of.row_halo[row];
    if (mbp_is_empty(of, place) || !mbp_holds(of, halo))
        return;
    const f64 scale = mbp_scale(of.extent[halo]);
    mbp_tree64_target target;
    target.x = tile[row].x[place % MBP_ROW];
    target.y = tile[row].y[place % MBP_ROW];
    target.z = tile[row].z[place % MBP_ROW];
    target.soft2 = of.softening * of.softening;
    target.softens = target.soft2 > 0.0;
    target.most = 1.0 / scale;
    target.least2 = max(0x1p-1000, target.most * target.most * 0x1p-200);
    target.tolerance =
        tolerance * scale * (f64)mbp_bounds_depth((index_t)halo, of.offset, best);
    mbp_tree64_sums s;
    for (i32 k = 0; k < MBP_ROW; k++)
        s.sum[k] = s.spread[k] = s.unknown[k] = 0.0;
    mbp_tree64_walk(&s, &target, place, halo, level, of.offset, tile);
    f64 sum = 0.0, spread = 0.0, unknown = 0.0;
    for (i32 k = 0; k < MBP_ROW; k++) {
        sum += s.sum[k] / scale;
        spread += s.spread[k] / scale;
        unknown += s.unknown[k];
    }
    if (unknown > 0.0)
        return;
    /* With room for what is below the range of f32, and for rounding to it. */
    const f64 error = 4e-8 * sum + spread + 1e-30;
    const u32 slot = order[place];
    to.low[slot] = max(to.low[slot], (f32)((sum - error) * (1.0 - 1.2e-7)));
    to.high[slot] = min(to.high[slot], (f32)((sum + error) * (1.0 + 1.2e-7)));
}

/* Leaves a member to the one before it in the order of the tree, which has a smaller id,
 * where that is at the same place: without softening they add nothing to each other, and
 * their potentials are the same sums. */
static inline void mbp_tree64_leave(index_t place, mbp_halos of, mbp_bodies at,
                                    mbp_rounded b, GLOBAL const u32 *order,
                                    GLOBAL f32 *high) {
    if (place == 0 || b.x[place] != b.x[place - 1] ||
        mbp_halo(of, place) != mbp_halo(of, (i64)place - 1))
        return;
    const u32 own = order[place], other = order[place - 1];
    if (at.x[other] == at.x[own] && at.y[other] == at.y[own] && at.z[other] == at.z[own])
        high[own] = -1.0f;
}

#endif
