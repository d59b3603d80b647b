/* Potentials of neighbours, from below. Their defined sums differ by where each of them is,
 * and by the block that holds the member itself: it is summed anew, as it is defined. What
 * it is added up with are sums of pairs of blocks that all of a group share: those of the
 * nearest place in the box around them. */
#ifndef WEFT_MBP_BELOW_KERNEL_H
#define WEFT_MBP_BELOW_KERNEL_H

#include "algorithms/mbp/bounds/mbp_bounds.kernel.h"
#include "mbp_evaluate.kernel.h"

/* Sums of blocks, and level by level of pairs of those below, an odd one as it is. */
static inline i64 mbp_below_sums(i64 blocks) {
    i64 sums = blocks;
    for (i64 n = blocks; n > 1; n = (n + 1) / 2)
        sums += (n + 1) / 2;
    return sums;
}

/* Survivors in groups of neighbours: group p begins with number turn[begin[p]], where the
 * one before it ends, and its sums at offset[p]. */
typedef struct mbp_below {
    i64 count;
    GLOBAL const i64 *survivor;
    GLOBAL const u32 *turn;
    GLOBAL const i64 *begin, *offset;
} mbp_below;

typedef struct mbp_box {
    f64 low[3], high[3];
} mbp_box;

/* The slots of a group's halo, and the blocks of a member's sum. */
typedef struct mbp_below_halo {
    i64 first, last, blocks;
} mbp_below_halo;
static inline mbp_below_halo mbp_below_halo_of(mbp_halos of, mbp_below g, i64 group) {
    const i64 halo = mbp_halo(of, g.survivor[g.turn[g.begin[group]]]);
    const i64 first = mbp_first_slot(of.offset, halo);
    const i64 members = mbp_members(of.offset, halo);
    const mbp_below_halo to = {first, first + members, mbp_blocks(members)};
    return to;
}

/* How many sums group k has; 0 behind the last one. */
static inline i64 mbp_below_size(index_t k, i64 groups, mbp_halos of,
                                 GLOBAL const i64 *survivor, GLOBAL const u32 *turn,
                                 GLOBAL const i64 *begin) {
    if (k == groups)
        return 0;
    const i64 halo = mbp_halo(of, survivor[turn[begin[k]]]);
    return mbp_below_sums(mbp_blocks(mbp_members(of.offset, halo)));
}

/* Around the members of group k. */
static inline mbp_box mbp_below_box(index_t k, mbp_bodies b, mbp_below g) {
    const i64 begin = g.begin[k], end = g.begin[k + 1];
    const i64 first = g.survivor[g.turn[begin]];
    mbp_box box = {{b.x[first], b.y[first], b.z[first]},
                   {b.x[first], b.y[first], b.z[first]}};
    for (i64 i = begin + 1; i < end; i++) {
        const i64 slot = g.survivor[g.turn[i]];
        const f64 x[3] = {b.x[slot], b.y[slot], b.z[slot]};
        for (i32 axis = 0; axis < 3; axis++) {
            box.low[axis] = min(box.low[axis], x[axis]);
            box.high[axis] = max(box.high[axis], x[axis]);
        }
    }
    return box;
}

static inline f64 mbp_beyond(f64 x, f64 low, f64 high) {
    return x - min(max(x, low), high);
}

/* A block of the sum, as mbp_sum_block has it, of the nearest place in a box. */
static inline f64 mbp_box_block(mbp_box box, i64 begin, i64 last, f64 soft2, mbp_bodies b) {
    const i64 end = min(begin + MBP_BLOCK, last);
    const f64 low[3] = {box.low[0], box.low[1], box.low[2]};
    const f64 high[3] = {box.high[0], box.high[1], box.high[2]};
    f64 sum = 0.0;
    for (i64 j = begin; j < end; j += MBP_ROW) {
        f64 term[MBP_ROW];
        for (i32 l = 0; l < MBP_ROW; l++) {
            const f64 dx = mbp_beyond(b.x[j + l], low[0], high[0]),
                      dy = mbp_beyond(b.y[j + l], low[1], high[1]),
                      dz = mbp_beyond(b.z[j + l], low[2], high[2]);
            const f64 s2 = ((dx * dx + dy * dy) + dz * dz) + soft2;
            term[l] = (j + l < end ? b.mass[j + l] : 0.0) / sqrt(s2);
        }
        for (i32 l = 0; l < MBP_ROW; l++)
            sum += term[l];
    }
    return sum;
}

/* Sum t of all, if it is of a block, of the nearest place. */
static inline void mbp_below_block(index_t t, mbp_halos of, mbp_bodies b, mbp_below g,
                                   GLOBAL const mbp_box *box, GLOBAL f64 *sums) {
    const i64 group = pyramid_segment((i64)t, g.count, g.offset);
    const mbp_below_halo at = mbp_below_halo_of(of, g, group);
    const i64 block = t - g.offset[group];
    sums[t] = block < at.blocks ? mbp_box_block(box[group], at.first + block * MBP_BLOCK,
                                                at.last, of.softening * of.softening, b)
                                : 0.0;
}

/* The sums of pairs of group k. */
static inline void mbp_below_pair(index_t k, mbp_halos of, mbp_below g, GLOBAL f64 *sums) {
    GLOBAL f64 *below = sums + g.offset[k];
    for (i64 n = mbp_below_halo_of(of, g, k).blocks; n > 1; n = (n + 1) / 2) {
        for (i64 i = 0; i < n; i += 2)
            below[n + i / 2] = i + 1 < n ? below[i] + below[i + 1] : below[i];
        below += n;
    }
}

/* The potential of member k of all groups. */
static inline void mbp_below_member(index_t k, mbp_halos of, mbp_bodies b, mbp_below g,
                                    GLOBAL const f64 *sums, GLOBAL f64 *potential) {
    const i64 turn = g.begin[0] + k, group = pyramid_segment(turn, g.count, g.begin);
    const mbp_below_halo at = mbp_below_halo_of(of, g, group);
    const u32 number = g.turn[turn];
    const i64 own = g.survivor[number];
    i64 i = (own - at.first) / MBP_BLOCK, n = at.blocks;
    GLOBAL const f64 *below = sums + g.offset[group];
    f64 sum = mbp_sum_block(own, at.first + i * MBP_BLOCK, at.last,
                            of.softening * of.softening, b);
    for (; n > 1; n = (n + 1) / 2) {
        const i64 other = i ^ 1;
        sum += other < n ? below[other] : 0.0;
        below += n;
        i /= 2;
    }
    potential[number] = 0.0 - sum;
}

#endif
