/* Potentials, as they are defined, of members at one place. With softening they differ, but
 * only in the block of the sum that holds the member itself: it is summed anew, and what it
 * is added up with are sums of pairs of blocks that all at the place share. */
#ifndef WEFT_MBP_PILES_KERNEL_H
#define WEFT_MBP_PILES_KERNEL_H

#include "algorithms/mbp/bounds/mbp_bounds.kernel.h"
#include "mbp_evaluate.kernel.h"

/* Whether every square of a distance in a halo is lost beside that of the softening: then
 * all members are as if at one place. Distances are below 3.5 / mbp_scale. */
static inline i32 mbp_piles_one(mbp_halos of, i64 halo) {
    return of.softening * mbp_scale(of.extent[halo]) > 0x1p29;
}

static inline u64 mbp_piles_mix(u64 hash, f64 x) {
    const u64 next = (hash ^ f64_bits(x + 0.0)) * (u64)0x9e3779b97f4a7c15;
    return next ^ next >> 29;
}

/* Alike for members at one place, and hardly ever for others. */
static inline u64 mbp_piles_key(index_t k, mbp_halos of, mbp_bodies b,
                                GLOBAL const i64 *survivor) {
    const i64 slot = survivor[k], halo = mbp_halo(of, slot);
    u64 hash = (u64)halo * (u64)0xd6e8feb86659fd93;
    if (mbp_piles_one(of, halo))
        return hash;
    hash = mbp_piles_mix(hash, b.x[slot]);
    hash = mbp_piles_mix(hash, b.y[slot]);
    return mbp_piles_mix(hash, b.z[slot]);
}

/* Whether survivor number turn[k] is the first of a pile, in the order of keys. */
static inline u32 mbp_piles_begins(index_t k, mbp_halos of, mbp_bodies b,
                                   GLOBAL const i64 *survivor, GLOBAL const u32 *turn) {
    if (k == 0)
        return 1;
    const i64 i = survivor[turn[k]], j = survivor[turn[k - 1]], halo = mbp_halo(of, i);
    const i32 is_there = (b.x[i] == b.x[j]) & (b.y[i] == b.y[j]) & (b.z[i] == b.z[j]);
    return halo != mbp_halo(of, j) || !(is_there || mbp_piles_one(of, halo));
}

/* Sums of blocks, and level by level of pairs of those below, an odd one as it is. */
static inline i64 mbp_piles_sums(i64 blocks) {
    i64 sums = blocks;
    for (i64 n = blocks; n > 1; n = (n + 1) / 2)
        sums += (n + 1) / 2;
    return sums;
}

/* Piles of survivors in the order of keys, or groups of neighbours, whose sums are then of
 * the nearest place in the box around them (mbp_crowds.kernel.h): pile p begins at
 * begin[p], where the one before it ends, and its sums at offset[p]. */
typedef struct mbp_piles {
    i64 count;
    i32 groups;
    GLOBAL const i64 *survivor;
    GLOBAL const u32 *turn;
    GLOBAL const i64 *begin, *offset;
} mbp_piles;

typedef struct mbp_box {
    f64 low[3], high[3];
} mbp_box;

/* The pile's slots: the first one of its halo, the last one's end, and one of the pile. */
typedef struct mbp_pile {
    i64 first, last, slot, blocks;
} mbp_pile;
static inline mbp_pile mbp_pile_of(mbp_halos of, mbp_piles p, i64 pile) {
    const i64 slot = p.survivor[p.turn[p.begin[pile]]], halo = mbp_halo(of, slot);
    const i64 first = MBP_ROW * mbp_first_row(of.offset, halo);
    const i64 members = mbp_members(of.offset, halo);
    const mbp_pile to = {first, first + members, slot,
                         (members + MBP_BLOCK - 1) / MBP_BLOCK};
    return to;
}

/* How many sums pile k has; 0 behind the last pile. */
static inline i64 mbp_piles_size(index_t k, i64 piles, mbp_halos of,
                                 GLOBAL const i64 *survivor, GLOBAL const u32 *turn,
                                 GLOBAL const i64 *begin) {
    if (k == piles)
        return 0;
    const i64 halo = mbp_halo(of, survivor[turn[begin[k]]]);
    return mbp_piles_sums((mbp_members(of.offset, halo) + MBP_BLOCK - 1) / MBP_BLOCK);
}

/* Around the members of pile k. */
static inline mbp_box mbp_piles_box(index_t k, mbp_bodies b, mbp_piles p) {
    const i64 begin = p.begin[k], end = p.groups ? p.begin[k + 1] : begin + 1;
    const i64 first = p.survivor[p.turn[begin]];
    mbp_box box = {{b.x[first], b.y[first], b.z[first]},
                   {b.x[first], b.y[first], b.z[first]}};
    for (i64 i = begin + 1; i < end; i++) {
        const i64 slot = p.survivor[p.turn[i]];
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

/* Sum t of all, if it is of a block, with all who are at the place. */
static inline void mbp_piles_block(index_t t, mbp_halos of, mbp_bodies b, mbp_piles p,
                                   GLOBAL const mbp_box *box, GLOBAL f64 *sums) {
    const i64 pile = pyramid_segment((i64)t, p.count, p.offset);
    const mbp_pile at = mbp_pile_of(of, p, pile);
    const i64 block = t - p.offset[pile];
    sums[t] = block < at.blocks ? mbp_box_block(box[pile], at.first + block * MBP_BLOCK,
                                                at.last, of.softening * of.softening, b)
                                : 0.0;
}

/* The sums of pairs of pile k. */
static inline void mbp_piles_pair(index_t k, mbp_halos of, mbp_piles p, GLOBAL f64 *sums) {
    GLOBAL f64 *below = sums + p.offset[k];
    for (i64 n = mbp_pile_of(of, p, k).blocks; n > 1; n = (n + 1) / 2) {
        for (i64 i = 0; i < n; i += 2)
            below[n + i / 2] = i + 1 < n ? below[i] + below[i + 1] : below[i];
        below += n;
    }
}

/* The potential of member k of all piles. */
static inline void mbp_piles_member(index_t k, mbp_halos of, mbp_bodies b, mbp_piles p,
                                    GLOBAL const f64 *sums, GLOBAL f64 *potential) {
    const i64 turn = p.begin[0] + k, pile = pyramid_segment(turn, p.count, p.begin);
    const mbp_pile at = mbp_pile_of(of, p, pile);
    const u32 number = p.turn[turn];
    const i64 own = p.survivor[number];
    i64 i = (own - at.first) / MBP_BLOCK, n = at.blocks;
    GLOBAL const f64 *below = sums + p.offset[pile];
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
