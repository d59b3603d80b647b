/* Bounds of the potential from a tree in f32, by members of which 32 neighbours walk
 * together. What a node may be off by is in mbp_tree64.kernel.h. Nearer leaves are summed
 * pair by pair; places are rounded, and bounded, as in mbp_bounds.kernel.h. D is above 1e-4
 * there, a thousand times the error of a place, and b is rounded up by more than that
 * error; the rest is covered by the factor 1.01. */
#ifndef WEFT_MBP_WALK_KERNEL_H
#define WEFT_MBP_WALK_KERNEL_H

#include "mbp_nodes.kernel.h"

/* Nodes of all halos; level l begins at node level[l]. */
typedef struct mbp_nodes {
    i64 levels;
    GLOBAL const i64 *level;
    GLOBAL const f32 *x, *y, *z, *mass, *square, *reach;
} mbp_nodes;

/* A box around the places that walk together, and what a node may be off by. */
typedef struct mbp_walk_target {
    f32 low[3], high[3], soft2, tolerance;
} mbp_walk_target;

/* A node under way: the i-th of its halo's `count` in a level, which begin at `here`; of
 * the topmost level up to number `stop`. */
typedef struct mbp_walk_at {
    i64 halo, begin, last; /* of the halo: its number, first and last member */
    i64 level, top, i, here, count, stop;
} mbp_walk_at;

/* What a node means to all who walk together: nothing is left out from M / D up to
 * Q u / D^3; `rough` is the most of M / D^2. */
typedef struct mbp_walk_node {
    f32 x, y, z, mass, spread, rough;
} mbp_walk_node;

static inline void mbp_walk_enter(mbp_walk_at *at, i64 level, GLOBAL const i64 *levels) {
    const i64 bits = mbp_nodes_bits(level);
    at->level = level;
    at->here = levels[level] + (at->begin >> bits) + at->halo;
    at->count = ((at->last - at->begin) >> bits) + 1;
}

/* At the first of the few largest nodes; of `parts` walks each has its own. */
static inline mbp_walk_at mbp_walk_start(i64 halo, i64 part, i64 parts, mbp_nodes n,
                                         GLOBAL const i64 *offset) {
    mbp_walk_at at = {halo, offset[halo], offset[halo + 1] - 1, 0, 0, 0, 0, 0, 0};
    while (at.top + 1 < n.levels &&
           ((at.last - at.begin) >> mbp_nodes_bits(at.top)) + 1 > MBP_NODES_FAN * parts)
        at.top++;
    mbp_walk_enter(&at, at.top, n.level);
    at.i = MBP_NODES_FAN * part;
    at.stop = min(at.i + MBP_NODES_FAN, at.count);
    return at;
}

static inline i32 mbp_walk_more(const mbp_walk_at *at) {
    return at->level < at->top || at->i < at->stop;
}

static inline void mbp_walk_open(mbp_walk_at *at, GLOBAL const i64 *level) {
    at->i *= MBP_NODES_FAN;
    mbp_walk_enter(at, at->level - 1, level);
}

/* On to the next node that is not below this one. */
static inline void mbp_walk_pass(mbp_walk_at *at, GLOBAL const i64 *level) {
    at->i++;
    while (at->level < at->top && (at->i % MBP_NODES_FAN == 0 || at->i >= at->count)) {
        at->i = (at->i + MBP_NODES_FAN - 1) / MBP_NODES_FAN;
        mbp_walk_enter(at, at->level + 1, level);
    }
}

static inline f32 mbp_walk_outside(f32 x, f32 low, f32 high) {
    return max(max(low - x, x - high), 0.0f);
}

/* Whether a node is far enough to count as its mass: its members are farther from each
 * other's center than from the box, and the error is small. A member's own node never is.
 */
static inline i32 mbp_walk_is_far(const mbp_walk_target *target, mbp_nodes n, i64 i,
                                  mbp_walk_node *node) {
    const f32 dx = mbp_walk_outside(n.x[i], target->low[0], target->high[0]);
    const f32 dy = mbp_walk_outside(n.y[i], target->low[1], target->high[1]);
    const f32 dz = mbp_walk_outside(n.z[i], target->low[2], target->high[2]);
    const f32 d2 = dx * dx + dy * dy + dz * dz, d = sqrt(d2), gap = d - n.reach[i];
    const f32 square = n.square[i];
    if (!(gap > 0.1f * d && d2 > 1e-8f && square <= target->tolerance * (d2 * gap)))
        return 0;
    const mbp_walk_node far = {n.x[i],        n.y[i], n.z[i], n.mass[i], square * (d / gap),
                               n.mass[i] / d2};
    *node = far;
    return 1;
}

/* Sums of one member: lanes of pairs, far nodes, and all before them. */
typedef struct mbp_walk_sums {
    f32 mass[MBP_ROW], square[MBP_ROW], far_mass, far_spread;
    f64 sum, rough, spread;
} mbp_walk_sums;

static inline void mbp_walk_clear(mbp_walk_sums *s) {
    for (i32 l = 0; l < MBP_ROW; l++)
        s->mass[l] = s->square[l] = 0.0f;
    s->far_mass = s->far_spread = 0.0f;
}

static inline void mbp_walk_flush(mbp_walk_sums *s) {
    for (i32 l = 0; l < MBP_ROW; l++) {
        s->sum += (f64)s->mass[l];
        s->rough += (f64)s->square[l];
    }
    s->sum += (f64)s->far_mass;
    s->spread += (f64)s->far_spread;
    mbp_walk_clear(s);
}

/* Pairs of the member at place p with those of a leaf. */
static inline void mbp_walk_near(mbp_walk_sums *s, i64 p, i64 from, f32 soft2,
                                 mbp_rounded b) {
    const f32 px = b.x[p], py = b.y[p], pz = b.z[p];
    for (i32 l = 0; l < MBP_ROW; l++) {
        const f32 dx = b.x[from + l] - px, dy = b.y[from + l] - py, dz = b.z[from + l] - pz;
        const f32 inverse = rsqrt(mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2))));
        const f32 r = from + l == p ? 0.0f : inverse;
        s->mass[l] = mad(b.mass[from + l], r, s->mass[l]);
        s->square[l] = mad(r, r, s->square[l]);
    }
}

static inline void mbp_walk_far(mbp_walk_sums *s, i64 p, const mbp_walk_node *n, f32 soft2,
                                mbp_rounded b) {
    const f32 dx = n->x - b.x[p], dy = n->y - b.y[p], dz = n->z - b.z[p];
    const f32 r = rsqrt(mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2))));
    s->far_mass = mad(n->mass, r, s->far_mass);
    s->far_spread = mad(n->spread, r * r * r, s->far_spread);
    s->rough += (f64)n->rough;
}

/* The box around those of places[begin, end) that are of a halo. */
static inline void mbp_walk_enclose(mbp_walk_target *target, i64 begin, i64 end, i64 halo,
                                    mbp_halos of, GLOBAL const u32 *places, mbp_rounded b) {
    for (i32 axis = 0; axis < 3; axis++) {
        target->low[axis] = 4.0f;
        target->high[axis] = -4.0f;
    }
    for (i64 k = begin; k < end; k++) {
        const i64 p = places[k];
        if (mbp_halo(of, p) != halo || b.x[p] > 2.0f)
            continue;
        target->low[0] = min(target->low[0], b.x[p]);
        target->low[1] = min(target->low[1], b.y[p]);
        target->low[2] = min(target->low[2], b.z[p]);
        target->high[0] = max(target->high[0], b.x[p]);
        target->high[1] = max(target->high[1], b.y[p]);
        target->high[2] = max(target->high[2], b.z[p]);
    }
}

/* What a part of a walk came to. */
typedef struct mbp_walk_part {
    f64 sum, rough, spread;
} mbp_walk_part;

static inline i32 mbp_walk_holds(mbp_halos of, i64 place) {
    return !mbp_is_empty(of, place) && mbp_holds(of, mbp_halo(of, place));
}

/* Walks of `targets` members: `width` items for each of `parts` parts. */
typedef struct mbp_walk_parts {
    i64 targets, width, parts;
} mbp_walk_parts;

/* mbp_first_row, divided, not shifted: with that NVIDIA's compiler makes another loop of
 * the walk, which takes 1.3 times as long. */
static inline i64 mbp_walk_first(GLOBAL const i64 *offset, i64 halo) {
    return offset[halo] / MBP_ROW + halo;
}

/* One of the parts of the walk of the member at a place: item t is part t / width of member
 * t % width. */
static inline void mbp_walk_sum(index_t t, mbp_walk_parts cut, f32 tolerance, mbp_halos of,
                                mbp_nodes nodes, mbp_rounded b, GLOBAL const u32 *places,
                                GLOBAL const u32 *best, GLOBAL mbp_walk_part *sums) {
    const i64 k = t % cut.width;
    if (k >= cut.targets)
        return;
    const i64 p = places[k], halo = mbp_halo(of, p);
    mbp_walk_sums s;
    s.sum = s.rough = s.spread = 0.0;
    mbp_walk_clear(&s);
    i32 terms = 0;
    if (mbp_walk_holds(of, p)) {
        mbp_walk_target target;
        target.soft2 = mbp_soft2(of, halo);
        target.tolerance = tolerance * mbp_bounds_depth((index_t)halo, of.offset, best);
        const i64 begin = k / MBP_TURN * MBP_TURN, first = mbp_walk_first(of.offset, halo);
        mbp_walk_enclose(&target, begin, min(begin + MBP_TURN, cut.targets), halo, of,
                         places, b);
        for (mbp_walk_at at =
                 mbp_walk_start(halo, t / cut.width, cut.parts, nodes, of.offset);
             mbp_walk_more(&at);) {
            mbp_walk_node node;
            if (mbp_walk_is_far(&target, nodes, at.here + at.i, &node)) {
                mbp_walk_far(&s, p, &node, target.soft2, b);
            } else if (at.level == 0) {
                mbp_walk_near(&s, p, (first + at.i) * MBP_ROW, target.soft2, b);
            } else {
                mbp_walk_open(&at, nodes.level);
                continue;
            }
            mbp_walk_pass(&at, nodes.level);
            if (++terms % 64 == 0)
                mbp_walk_flush(&s);
        }
    }
    mbp_walk_flush(&s);
    const mbp_walk_part to = {s.sum, s.rough, s.spread};
    sums[t] = to;
}

/* Bounds of the member at places[t], from all parts of its walk. */
static inline void mbp_walk_bound(index_t t, mbp_walk_parts cut, mbp_halos of,
                                  GLOBAL const u32 *places, GLOBAL const u32 *order,
                                  GLOBAL const mbp_walk_part *sums, mbp_bounds to) {
    const i64 p = places[t];
    mbp_walk_part all = {0.0, 0.0, 0.0};
    if (!mbp_walk_holds(of, p))
        return;
    for (i64 part = 0; part < cut.parts; part++) {
        const mbp_walk_part more = sums[part * cut.width + t];
        all.sum += more.sum;
        all.rough += more.rough;
        all.spread += more.spread;
    }
    const mbp_range range =
        mbp_claim(all.sum, all.rough, 0.505 * all.spread, 1.01 * all.spread, MBP_PAIRS_FINE,
                  mbp_soft2(of, mbp_halo(of, p)));
    mbp_narrow(to, order[p], range);
}

#endif
