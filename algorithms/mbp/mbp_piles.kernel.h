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

/* Piles of survivors in the order of keys: pile p begins at begin[p], and has the sums up
 * to ends[p] of all; number `from` is the first here. */
typedef struct mbp_piles {
    i64 from, count;
    GLOBAL const i64 *survivor;
    GLOBAL const u32 *turn;
    GLOBAL const i64 *begin, *ends;
} mbp_piles;

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

/* How many sums pile k has. */
static inline i64 mbp_piles_size(index_t k, mbp_halos of, GLOBAL const i64 *survivor,
                                 GLOBAL const u32 *turn, GLOBAL const i64 *begin) {
    const i64 halo = mbp_halo(of, survivor[turn[begin[k]]]);
    return mbp_piles_sums((mbp_members(of.offset, halo) + MBP_BLOCK - 1) / MBP_BLOCK);
}

static inline i64 mbp_piles_at(mbp_piles p, i64 pile) {
    return pile > 0 ? p.ends[pile - 1] - p.from : 0;
}

/* Sum t of all, if it is of a block, with all who are at the place. */
static inline void mbp_piles_block(index_t t, mbp_halos of, mbp_bodies b, mbp_piles p,
                                   GLOBAL f64 *sums) {
    const i64 pile = mbp_search(p.ends, p.count, p.from + t + 1);
    const mbp_pile at = mbp_pile_of(of, p, pile);
    const i64 block = t - mbp_piles_at(p, pile);
    sums[t] = block < at.blocks ? mbp_sum_block(at.slot, -1, at.first + block * MBP_BLOCK,
                                                at.last, of.softening * of.softening, b)
                                : 0.0;
}

/* The sums of pairs of pile k. */
static inline void mbp_piles_pair(index_t k, mbp_halos of, mbp_piles p, GLOBAL f64 *sums) {
    GLOBAL f64 *below = sums + mbp_piles_at(p, k);
    for (i64 n = mbp_pile_of(of, p, k).blocks; n > 1; n = (n + 1) / 2) {
        for (i64 i = 0; i < n; i += 2)
            below[n + i / 2] = i + 1 < n ? below[i] + below[i + 1] : below[i];
        below += n;
    }
}

/* The potential of survivor number turn[k0 + k]. */
static inline void mbp_piles_member(index_t k, i64 k0, mbp_halos of, mbp_bodies b,
                                    mbp_piles p, GLOBAL const f64 *sums,
                                    GLOBAL f64 *potential) {
    const i64 pile = mbp_search(p.begin, p.count, k0 + k + 1) - 1;
    const mbp_pile at = mbp_pile_of(of, p, pile);
    const u32 number = p.turn[k0 + k];
    const i64 own = p.survivor[number];
    i64 i = (own - at.first) / MBP_BLOCK, n = at.blocks;
    GLOBAL const f64 *below = sums + mbp_piles_at(p, pile);
    f64 sum = mbp_sum_block(own, own, at.first + i * MBP_BLOCK, at.last,
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
