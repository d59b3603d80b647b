/* The members of a halo from the densest on, and the branches that meet on the way. */
#ifndef WEFT_SWEEP_KERNEL_H
#define WEFT_SWEEP_KERNEL_H

#include "algorithms/pyramid/pyramid.kernel.h"

CONSTANT u32 sweep_nobody = 0xffffffffu;

/* Of places by (halo, density). Those of a branch are a list, from the peak that names it
 * to its tail; a branch that ends is put behind the one that goes on, and so stays in one
 * piece. */
typedef struct sweep_branches {
    GLOBAL u32 *owner;        /* of a peak: the branch that it went on in, step by step */
    GLOBAL u32 *next;         /* of a place: the one behind it */
    GLOBAL u32 *tail, *count; /* of a branch, so far */
    GLOBAL u32 *size;         /* of a candidate, 0: none */
    GLOBAL u32 *around;       /* of a candidate: the branch that went on */
    GLOBAL u32 *inside;       /* of a branch: how many candidates met it, so far */
} sweep_branches;

/* The branch that was met last: its tail and count so far are here, not there. */
typedef struct sweep_last {
    u32 branch, tail, count;
} sweep_last;

static inline void sweep_put_back(sweep_branches b, sweep_last last) {
    b.tail[last.branch] = last.tail;
    b.count[last.branch] = last.count;
}

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

static inline void sweep_begin(sweep_branches b, u32 p) {
    b.owner[p] = p;
    b.next[p] = sweep_nobody;
    b.tail[p] = p;
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
    sweep_put_back(b, *last);
    if (b.count[y] > b.count[x] || (b.count[y] == b.count[x] && y < x)) {
        const u32 swapped = x;
        x = y;
        y = swapped;
    }
    if (b.count[y] >= least) {
        b.size[y] = b.count[y];
        b.around[y] = x;
        b.inside[x]++;
    }
    b.owner[y] = x;
    b.next[b.tail[x]] = y;
    last->branch = x;
    last->tail = b.tail[y];
    last->count = b.count[x] + b.count[y];
}

static inline void sweep_append(sweep_branches b, sweep_last *last, u32 p, u32 peak) {
    const u32 x = sweep_branch_of(b, last->branch, peak);
    if (x != last->branch) {
        sweep_put_back(b, *last);
        last->branch = x;
        last->tail = b.tail[x];
        last->count = b.count[x];
    }
    if (p != x)
        b.next[last->tail] = p;
    last->tail = p;
    last->count++;
}

static inline i64 sweep_search(GLOBAL const u32 *ascending, i64 n, i64 least) {
    i64 low = 0, high = n;
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if ((i64)ascending[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Makes candidates of a halo. `order` has its members branch by branch, and `begin` where
 * each peak is there. */
static inline void sweep_halo(index_t h, u32 least, i64 saddles, GLOBAL const i64 *offset,
                              GLOBAL const u32 *member, GLOBAL const u32 *peak,
                              GLOBAL const u32 *level, GLOBAL const u64 *pair,
                              sweep_branches b, GLOBAL u32 *order, GLOBAL u32 *begin) {
    const u32 first = (u32)offset[h], end = (u32)offset[h + 1];
    if (first == end)
        return;
    for (u32 p = first; p < end; p++)
        sweep_begin(b, p);
    sweep_last last = {first, first, 0};
    i64 s = sweep_search(level, saddles, first);
    for (u32 p = first; p < end; p++) {
        for (; s < saddles && level[s] == p; s++)
            sweep_meet(b, &last, least, (u32)(pair[s] >> 32), (u32)pair[s]);
        sweep_append(b, &last, p, peak[p]);
    }
    for (u32 p = first + 1; p < end; p++)
        if (peak[p] == p)
            sweep_meet(b, &last, least, first, p);
    const u32 main_one = sweep_branch_of(b, last.branch, first);
    if (end - first >= least)
        b.size[main_one] = end - first;
    u32 at = first;
    for (u32 p = main_one; p != sweep_nobody; p = b.next[p]) {
        order[at] = member[p];
        begin[p] = at++;
    }
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
