/* Members of halos on grids, and the members near the deepest grid point. */
#ifndef WEFT_POISSON_KERNEL_H
#define WEFT_POISSON_KERNEL_H

#include "algorithms/mbp/slots/mbp_slots.kernel.h"

/* Where a halo's members lie, and how much they weigh. */
typedef struct poisson_frame {
    f64 low[3], high[3], mass;
} poisson_frame;

/* Halos whose grids of n^3 are made at a time. Slots are counted from the batch's first, as
 * are halos and their grids. */
typedef struct poisson_batch {
    i64 first_slot, first_halo;
    i32 n;
    GLOBAL const poisson_frame *frame;
} poisson_batch;

static inline poisson_frame poisson_join(poisson_frame a, poisson_frame b) {
    for (i32 axis = 0; axis < 3; axis++) {
        a.low[axis] = min(a.low[axis], b.low[axis]);
        a.high[axis] = max(a.high[axis], b.high[axis]);
    }
    a.mass += b.mass;
    return a;
}

/* The frame of a row of slots; one without members has a halo without. */
static inline poisson_frame poisson_row(index_t row, poisson_frame none, mbp_halos of,
                                        mbp_bodies at) {
    const i64 halo = of.row_halo[row], first = MBP_ROW * (i64)row;
    const i64 rank = mbp_rank(of.offset, halo, first);
    const i64 members = mbp_members(of.offset, halo);
    poisson_frame frame = none;
    for (i64 slot = first; slot < first + min((i64)MBP_ROW, members - rank); slot++) {
        const poisson_frame one = {{at.x[slot], at.y[slot], at.z[slot]},
                                   {at.x[slot], at.y[slot], at.z[slot]},
                                   at.mass[slot]};
        frame = poisson_join(frame, one);
    }
    return frame;
}

/* A coordinate in units of the grid's spacing, in [0, n - 1]; the halo in the middle. */
static inline f64 poisson_coordinate(f64 x, f64 low, f64 high, f64 spacing, i32 n) {
    const f64 most = (f64)(n - 1);
    const f64 u = (x - low) / spacing + 0.5 * (most - (high - low) / spacing);
    return u >= 0.0 ? min(u, most) : 0.0;
}

/* Where a member lies on its halo's grid. */
typedef struct poisson_place {
    f64 u[3];
} poisson_place;

static inline poisson_place poisson_find(i64 slot, poisson_frame frame, i32 n,
                                         mbp_bodies b) {
    const f64 wide = max(frame.high[0] - frame.low[0],
                         max(frame.high[1] - frame.low[1], frame.high[2] - frame.low[2]));
    const f64 spacing = wide / (f64)(n - 1), at[3] = {b.x[slot], b.y[slot], b.z[slot]};
    poisson_place place;
    for (i32 axis = 0; axis < 3; axis++)
        place.u[axis] =
            poisson_coordinate(at[axis], frame.low[axis], frame.high[axis], spacing, n);
    return place;
}

/* Shares a member among the grid points around it, in parts of 2^-31 of its halo's mass: at
 * least one for the nearest, so that no member is without. Integers add up to the same in
 * any order. */
static inline void poisson_deposit(index_t t, mbp_halos of, mbp_bodies bodies,
                                   poisson_batch b, GLOBAL u32 *parts) {
    const i64 slot = b.first_slot + t, halo = mbp_halo(of, slot);
    if (mbp_is_empty(of, slot))
        return;
    const poisson_place at = poisson_find(slot, b.frame[halo], b.n, bodies);
    const f64 weight = bodies.mass[slot] / b.frame[halo].mass * 2147483648.0;
    i32 cell[3];
    for (i32 axis = 0; axis < 3; axis++)
        cell[axis] = min((i32)at.u[axis], b.n - 2);
    for (i32 corner = 0; corner < 8; corner++) {
        f64 share = weight;
        i64 point = halo - b.first_halo;
        i32 nearest = 1;
        for (i32 axis = 0; axis < 3; axis++) {
            const i32 up = corner >> axis & 1;
            const f64 beyond = at.u[axis] - (f64)cell[axis];
            share *= up ? beyond : 1.0 - beyond;
            nearest &= (beyond > 0.5) == up;
            point = point * b.n + cell[axis] + up;
        }
        const u32 whole = max((u32)(share + 0.5), (u32)nearest);
        if (whole > 0)
            atomic_add_u32(&parts[point], whole);
    }
}

static inline f32 poisson_density(index_t point, GLOBAL const u32 *parts) {
    return (f32)parts[point];
}

/* Divides a transformed density by the eigenvalues of the negative Laplacian, which are
 * sums of one number an axis. */
static inline void poisson_divide(index_t point, i32 n, f32 factor,
                                  GLOBAL const f32 *eigenvalue, GLOBAL f32 *cube) {
    const i32 within = (i32)(point % ((index_t)n * n * n));
    cube[point] *= factor / (eigenvalue[within / (n * n)] + eigenvalue[within / n % n] +
                             eigenvalue[within % n]);
}

/* What a mass does to a grid point, of n^3 that are its own distances along the axes; to
 * its own the mean of 1 / r over a cell, 3 ln(2 + sqrt(3)) - pi / 2. */
static inline f32 poisson_green(index_t point, i32 n) {
    const i32 at = (i32)point, x = at / (n * n), y = at / n % n, z = at % n;
    return at > 0 ? 1.0f / sqrt((f32)(x * x + y * y + z * z)) : 2.3800774f;
}

enum { POISSON_ROW = 16 };

/* The first axis of n^3 and more numbers, whose place becomes the last: out[line][p] is the
 * sum over d of cosine[d][p] in[d][line], for the row of 16 p that is number t. The matrix
 * has `width` columns, a multiple of 16, of which those from `side` on are 0. */
static inline void poisson_cosines(index_t t, i32 n, i32 side, i32 lines, i32 width,
                                   GLOBAL const f32 *cosine, GLOBAL const f32 *in,
                                   GLOBAL f32 *out) {
    const index_t rows = width / POISSON_ROW, line = t / rows;
    const i32 first = (i32)(t % rows) * POISSON_ROW;
    f32 sum[POISSON_ROW];
    for (i32 l = 0; l < POISSON_ROW; l++)
        sum[l] = 0.0f;
    for (i32 d = 0; d < n; d++) {
        const f32 value = in[d * (index_t)lines + line];
        for (i32 l = 0; l < POISSON_ROW; l++)
            sum[l] += cosine[d * width + first + l] * value;
    }
    for (i32 l = 0; l < POISSON_ROW; l++)
        if (first + l < side)
            out[line * side + first + l] = sum[l];
}

/* The points of a cube of n^3 that lies in the middle of one of side^3, else 0. */
static inline f32 poisson_pad(index_t point, i32 n, i32 side, GLOBAL const f32 *cube) {
    const index_t square = (index_t)side * side, points = square * side;
    const i32 within = (i32)(point % points), before = (n + 1) / 2;
    const i32 x = within / (side * side) - before, y = within / side % side - before,
              z = within % side - before;
    if (min(x, min(y, z)) < 0 || max(x, max(y, z)) >= n)
        return 0.0f;
    return cube[((point / points * n + x) * n + y) * n + z];
}

static inline f32 poisson_cut(index_t point, i32 n, i32 side, GLOBAL const f32 *cube) {
    const index_t points = (index_t)n * n * n;
    const i32 within = (i32)(point % points), before = (n + 1) / 2;
    const i32 x = within / (n * n) + before, y = within / n % n + before,
              z = within % n + before;
    return cube[((point / points * side + x) * side + y) * side + z];
}

static inline void poisson_multiply(index_t point, i64 points, f32 factor,
                                    GLOBAL const f32 *symbol, GLOBAL f32 *cube) {
    cube[point] *= factor * symbol[point % (index_t)points];
}

/* The bits of a depth, which rise with it. */
static inline u32 poisson_depth(f32 depth) {
    return f32_bits(max(depth, 0.0f));
}

/* The largest depth at a grid point that has mass, of each halo. */
static inline void poisson_deepest(index_t point, i32 n, GLOBAL const u32 *parts,
                                   GLOBAL const f32 *depth, GLOBAL u32 *deepest) {
    if (parts[point] > 0)
        mbp_raise(&deepest[point / ((index_t)n * n * n)], poisson_depth(depth[point]));
}

/* The first grid point of its halo that has it. */
static inline void poisson_first(index_t point, i32 n, GLOBAL const u32 *parts,
                                 GLOBAL const f32 *depth, GLOBAL const u32 *deepest,
                                 GLOBAL u32 *center) {
    const index_t points = (index_t)n * n * n, halo = point / points;
    if (parts[point] > 0 && poisson_depth(depth[point]) == deepest[halo])
        atomic_min_u32(&center[halo], (u32)(point % points));
}

/* Whether a slot's member lies within `reach` cells of its halo's deepest grid point. */
static inline u32 poisson_near(index_t t, mbp_halos of, mbp_bodies bodies, poisson_batch b,
                               f64 reach, GLOBAL const u32 *center) {
    const i64 slot = b.first_slot + t, halo = mbp_halo(of, slot);
    if (mbp_is_empty(of, slot))
        return 0;
    const poisson_place at = poisson_find(slot, b.frame[halo], b.n, bodies);
    const u32 point = center[halo - b.first_halo], n = (u32)b.n;
    return fabs(at.u[0] - (f64)(point / (n * n))) <= reach &&
           fabs(at.u[1] - (f64)(point / n % n)) <= reach &&
           fabs(at.u[2] - (f64)(point % n)) <= reach;
}

/* Bounds of candidates before anything is summed; of others such that they are never the
 * most bound. */
static inline void poisson_start(index_t slot, GLOBAL const u32 *flags, GLOBAL f32 *low,
                                 GLOBAL f32 *high) {
    low[slot] = 0.0f;
    high[slot] = flags[slot] ? bits_f32(0x7f800000u) : -1.0f;
}

/* The same of all others, once it is known how bound a candidate is. */
static inline void poisson_others(index_t slot, mbp_halos of, GLOBAL const u32 *flags,
                                  GLOBAL f32 *low, GLOBAL f32 *high) {
    if (flags[slot] || mbp_is_empty(of, slot))
        return;
    low[slot] = 0.0f;
    high[slot] = bits_f32(0x7f800000u);
}

/* There is no proof where some other member may be the most bound. */
static inline void poisson_doubt(index_t slot, mbp_halos of, GLOBAL const u32 *flags,
                                 GLOBAL const f32 *high, GLOBAL const u32 *best,
                                 GLOBAL u32 *proven) {
    const i64 halo = mbp_halo(of, slot);
    if (!flags[slot] && high[slot] >= bits_f32(best[halo]))
        atomic_store_u32(proven + halo, 0);
}

#endif
