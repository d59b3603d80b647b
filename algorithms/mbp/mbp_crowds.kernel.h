/* Members whose potentials no bound tells apart, as a crowd's within the softening: the
 * potentials of neighbours, rounding and all, from below.
 *
 * With softening the sum that defines |phi| of a member rises with each of its terms, and a
 * term falls with |x_j - x_i| on each axis. Each operation is rounded to nearest, which
 * never turns an order around: so if a group's members lie within a box, and each distance
 * is that to the box, 0 within, the same operations in the same order give what is no less
 * than the defined |phi| of each of them, to the last bit. Of a pile, whose box is a place,
 * it is |phi|. The block of the sum that holds the member itself is summed for each of
 * them, as it is defined. */
#ifndef WEFT_MBP_CROWDS_KERNEL_H
#define WEFT_MBP_CROWDS_KERNEL_H

#include "mbp_below.kernel.h"

/* Where the survivors of halo h begin, as the halo's first member does among members. */
static inline i64 mbp_crowds_offset(index_t h, i64 halos, GLOBAL const i64 *offset,
                                    GLOBAL const i64 *survivor, i64 survivors) {
    return h < halos ? mbp_search(survivor, survivors, mbp_first_slot(offset, h))
                     : survivors;
}

/* Survivors have slots of their own, relative to their halo's first one: those of a crowd
 * are told apart by a tree's order, whatever else is in its halo. */
static inline u32 mbp_crowds_particle(index_t k, mbp_halos of, GLOBAL const i64 *survivor,
                                      GLOBAL const u32 *member) {
    return member[mbp_member(of, survivor[k])];
}

static inline u32 mbp_crowds_there(index_t place, mbp_halos of, GLOBAL const u32 *order) {
    return !mbp_is_empty(of, order[place]);
}

/* The number of the survivor in the k-th place that holds one. */
static inline u32 mbp_crowds_number(index_t k, mbp_halos of, GLOBAL const u32 *order,
                                    GLOBAL const u32 *place) {
    return (u32)mbp_member(of, order[place[k]]);
}

/* Whether survivor number turn[k] is the first of a group of `size` neighbours. */
static inline u32 mbp_crowds_begins(index_t k, i64 size, mbp_halos of,
                                    GLOBAL const i64 *survivor, GLOBAL const u32 *turn) {
    return k % size == 0 ||
           mbp_halo(of, survivor[turn[k]]) != mbp_halo(of, survivor[turn[k - 1]]);
}

/* The slot of the member of group p whose potential may be the smallest. */
static inline i64 mbp_crowds_choose(index_t p, GLOBAL const i64 *survivor,
                                    GLOBAL const u32 *turn, GLOBAL const i64 *begin,
                                    GLOBAL const f64 *phi) {
    const i64 end = begin[p + 1];
    u32 chosen = turn[begin[p]];
    for (i64 i = begin[p] + 1; i < end; i++) {
        const u32 k = turn[i];
        if (phi[k] < phi[chosen] || (phi[k] == phi[chosen] && k < chosen))
            chosen = k;
    }
    return survivor[chosen];
}

/* The most bound member of each halo of those evaluated so far: a slot, and its phi. */
typedef struct mbp_crowds_best {
    GLOBAL i64 *slot;
    GLOBAL f64 *phi;
} mbp_crowds_best;

/* Of those in slot [count], halo by halo, and the one before. */
static inline void mbp_crowds_raise(index_t halo, i64 count, GLOBAL const i64 *offset,
                                    GLOBAL const i64 *slot, GLOBAL const f64 *phi,
                                    mbp_crowds_best best) {
    const i64 first = mbp_first_slot(offset, halo);
    const i64 end = first + mbp_members(offset, halo);
    i64 chosen = best.slot[halo];
    f64 least = best.phi[halo];
    for (i64 k = mbp_search(slot, count, first); k < count && slot[k] < end; k++)
        if (chosen < 0 || phi[k] < least || (phi[k] == least && slot[k] < chosen)) {
            chosen = slot[k];
            least = phi[k];
        }
    best.slot[halo] = chosen;
    best.phi[halo] = least;
}

/* Whether a survivor may be more bound than that one, or is it. */
static inline u32 mbp_crowds_stays(index_t k, mbp_halos of, GLOBAL const i64 *survivor,
                                   GLOBAL const f64 *phi, GLOBAL const i64 *slot,
                                   GLOBAL const f64 *deepest) {
    const i64 halo = mbp_halo(of, survivor[k]);
    return !(phi[k] > deepest[halo]) &&
           !(phi[k] == deepest[halo] && survivor[k] > slot[halo]);
}

#endif
