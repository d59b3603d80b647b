/* Halos by their lengths, and members who may be the most bound, by their bounds. */
#ifndef WEFT_MBP_KERNEL_H
#define WEFT_MBP_KERNEL_H

#include "algorithms/mbp/bounds/mbp_bounds.kernel.h"

/* All of a halo's pairs, or 2^40, if they are more. */
static inline i64 mbp_pairs_of(index_t halo, GLOBAL const i64 *offset) {
    const i64 members = mbp_members(offset, halo), most = (i64)1 << 20;
    return members < most ? members * members : most * most;
}

/* The most that the |phi| of a halo's members are at least. */
static inline void mbp_best(index_t slot, mbp_halos of, GLOBAL const f32 *low,
                            GLOBAL u32 *best) {
    if (low[slot] > 0.0f)
        mbp_raise(best + mbp_halo(of, slot), f32_bits(low[slot]));
}

/* The same by the member in a place that is listed. */
static inline void mbp_best_there(index_t k, mbp_halos of, GLOBAL const u32 *places,
                                  GLOBAL const u32 *order, GLOBAL const f32 *low,
                                  GLOBAL u32 *best) {
    mbp_best((index_t)order[places[k]], of, low, best);
}

/* Whether the slot's member may be the most bound one, by its bounds. */
static inline u32 mbp_survives(index_t slot, mbp_halos of, GLOBAL const f32 *high,
                               GLOBAL const u32 *best) {
    return high[slot] >= bits_f32(best[mbp_halo(of, slot)]);
}

/* The same of the member in a place of the tree's order, if a walk may tell more of it. */
static inline u32 mbp_place_walks(index_t place, mbp_halos of, GLOBAL const u32 *order,
                                  GLOBAL const f32 *low, GLOBAL const f32 *high,
                                  GLOBAL const u32 *best) {
    const u32 slot = order[place];
    return mbp_survives((index_t)slot, of, high, best) &&
           !(high[slot] - low[slot] <= 4e-7f * min(high[slot], 3e38f));
}

/* The same of a place that was listed before. */
static inline u32 mbp_still_walks(index_t k, mbp_halos of, GLOBAL const u32 *places,
                                  GLOBAL const u32 *order, GLOBAL const f32 *low,
                                  GLOBAL const f32 *high, GLOBAL const u32 *best) {
    return mbp_place_walks((index_t)places[k], of, order, low, high, best);
}

/* The k-th place of a share, which are those of every so-many-th turn. */
static inline u32 mbp_share_place(index_t k, u32 share, u32 shares) {
    return ((u32)(k / MBP_TURN) * shares + share) * MBP_TURN + (u32)(k % MBP_TURN);
}

/* Leaves the member in a place to the other shares, by a bound that does not survive. */
static inline void mbp_leave(index_t place, u32 share, u32 shares, GLOBAL const u32 *order,
                             GLOBAL f32 *high) {
    if ((u32)(place / MBP_TURN) % shares != share)
        high[order[place]] = -1.0f;
}

/* What it takes to evaluate a slot's member in full, where it may be the most bound one. */
static inline i64 mbp_price(index_t slot, mbp_halos of, GLOBAL const f32 *high,
                            GLOBAL const u32 *best) {
    return mbp_survives(slot, of, high, best) ? mbp_members(of.offset, mbp_halo(of, slot))
                                              : 0;
}

#endif
