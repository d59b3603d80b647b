/* The members of a halo from the densest on, and the branches that meet on the way. */
#ifndef WEFT_SWEEP_KERNEL_H
#define WEFT_SWEEP_KERNEL_H

#include "algorithms/pyramid/pyramid.kernel.h"

CONSTANT u32 sweep_nobody = 0xffffffffu;

/* Of places by (halo, density). Those of a branch follow on each other; a branch that ends
 * is put behind those of the one that goes on. */
typedef struct sweep_branches {
    GLOBAL u32 *owner;  /* of a peak: the branch that it went on in, step by step */
    GLOBAL u32 *joined; /* of a place: the branch that it went to, */
    GLOBAL u32 *rank;   /*   and how many that had by then */
    GLOBAL u32 *count;  /* of a branch, so far */
    GLOBAL u32 *size;   /* of a candidate, 0: none */
    GLOBAL u32 *around; /* of a branch that ended: the one that went on, */
    GLOBAL u32 *behind; /*   and how many that had by then; of the last the halo's first */
    GLOBAL u32 *inside; /* of a branch: how many candidates met it, so far */
} sweep_branches;

/* The branch that was met last: its count so far is here, not there. */
typedef struct sweep_last {
    u32 branch, count;
} sweep_last;

/* Steps that are looked at get shorter on the way. `last` goes on. */
static inline u32 sweep_branch_of(sweep_branches b, u32 last, u32 peak) {
    u32 owner = b.owner[peak];
    while (owner != peak && owner != last) {
        const u32 next = b.owner[owner];
        b.owner[peak] = next;
        peak = owner;
        owner = next;
    }
    return owner;
}

static inline void sweep_begin(index_t p, sweep_branches b) {
    b.owner[p] = (u32)p;
    b.count[p] = 0;
    b.size[p] = 0;
    b.around[p] = sweep_nobody;
    b.inside[p] = 0;
}

static inline void sweep_meet(sweep_branches b, sweep_last *last, u32 least, u32 denser,
                              u32 other) {
    u32 x = sweep_branch_of(b, last->branch, denser);
    u32 y = sweep_branch_of(b, last->branch, other);
    if (x == y)
        return;
    b.count[last->branch] = last->count;
    if (b.count[y] > b.count[x] || (b.count[y] == b.count[x] && y < x)) {
        const u32 swapped = x;
        x = y;
        y = swapped;
    }
    if (b.count[y] >= least) {
        b.size[y] = b.count[y];
        b.inside[x]++;
    }
    b.owner[y] = b.around[y] = x;
    b.behind[y] = b.count[x];
    last->branch = x;
    last->count = b.count[x] + b.count[y];
}

/* `owner` is one that the peak had before: what went on in the last branch still does. */
static inline void sweep_append(sweep_branches b, sweep_last *last, u32 p, u32 peak,
                                u32 owner) {
    const u32 x = owner == last->branch ? owner : sweep_branch_of(b, last->branch, peak);
    if (x != last->branch) {
        b.count[last->branch] = last->count;
        last->branch = x;
        last->count = b.count[x];
    }
    b.joined[p] = x;
    b.rank[p] = last->count++;
}

/* Members whose peaks and owners are read together: one by one they are waited for. */
enum { SWEEP_AHEAD = 8 };

/* Makes candidates of a halo. */
static inline void sweep_halo(index_t h, u32 least, i64 saddles, GLOBAL const i64 *offset,
                              GLOBAL const u32 *peak, GLOBAL const u32 *level,
                              GLOBAL const u64 *pair, sweep_branches b) {
    const u32 first = (u32)offset[h], end = (u32)offset[h + 1];
    if (first == end)
        return;
    sweep_last last = {first, 0};
    i64 s = pyramid_search(level, saddles, first);
    u32 next = s < saddles ? level[s] : end;
    for (u32 from = first, p = first; p < end; from = p) {
        u32 peaks[SWEEP_AHEAD], owners[SWEEP_AHEAD];
        for (u32 l = 0; l < SWEEP_AHEAD; l++)
            peaks[l] = peak[min(from + l, end - 1)];
        for (u32 l = 0; l < SWEEP_AHEAD; l++)
            owners[l] = b.owner[peaks[l]];
        for (u32 l = 0; l < SWEEP_AHEAD && p < end; l++, p++) {
            for (; next == p; next = ++s < saddles ? level[s] : end)
                sweep_meet(b, &last, least, (u32)(pair[s] >> 32), (u32)pair[s]);
            sweep_append(b, &last, p, peaks[l], owners[l]);
        }
    }
    for (u32 p = first + 1; p < end; p++)
        if (peak[p] == p)
            sweep_meet(b, &last, least, first, p);
    const u32 main_one = sweep_branch_of(b, last.branch, first);
    if (end - first >= least)
        b.size[main_one] = end - first;
    b.behind[main_one] = first;
}

/* `order` has the members of halos branch by branch, and `begin` where each place is there.
 * A branch goes on in one that has as many members or more: there are few steps. */
static inline void sweep_order(index_t p, GLOBAL const u32 *member,
                               GLOBAL const u32 *joined, GLOBAL const u32 *rank,
                               GLOBAL const u32 *around, GLOBAL const u32 *behind,
                               GLOBAL u32 *order, GLOBAL u32 *begin) {
    u32 at = rank[p];
    for (u32 branch = joined[p]; branch != sweep_nobody; branch = around[branch])
        at += behind[branch];
    order[at] = member[p];
    begin[p] = at;
}

static inline u32 sweep_is_candidate(index_t p, GLOBAL const u32 *size) {
    return size[p] > 0;
}

/* What a candidate is, by the place of its peak; `number` has that of each. */
static inline void sweep_describe(index_t c, i64 halos, GLOBAL const i64 *offset,
                                  GLOBAL const u32 *place, GLOBAL const u32 *number,
                                  GLOBAL const u32 *branch_around, GLOBAL u32 *halo,
                                  GLOBAL u32 *around) {
    halo[c] = (u32)pyramid_segment((i64)place[c], halos, offset);
    const u32 a = branch_around[place[c]];
    around[c] = a == sweep_nobody ? a : number[a];
}

#endif
