/* Candidates lose the members that are not bound to them.
 * Members are told by their numbers among those of all halos, candidates of a round by
 * their numbers in it: `of` of each member. */
#ifndef WEFT_UNBIND_KERNEL_H
#define WEFT_UNBIND_KERNEL_H

#include "algorithms/pyramid/pyramid.kernel.h"

CONSTANT u32 unbind_nobody = 0xffffffffu;

/* What the host is told: how many candidates are on their way, and members of them; how
 * many have become ready to begin since the start, and what their sizes add up to, modulo
 * 2^32; the most members of a candidate that went on; whether depths are still known. */
enum {
    UNBIND_CANDIDATES,
    UNBIND_MEMBERS,
    UNBIND_READY,
    UNBIND_SIZE,
    UNBIND_LONGEST,
    UNBIND_IS_BOUNDED,
    UNBIND_TOLD
};

/* What becomes of a candidate: it ends, it goes on, or it ends and holds its members. */
enum { UNBIND_ENDS, UNBIND_GOES_ON, UNBIND_HOLDS };

/* A candidate begins once those right inside of it have ended. */
static inline u32 unbind_is_ready(index_t c, GLOBAL const u32 *inside) {
    return inside[c] == 0;
}

static inline void unbind_count(u32 c, GLOBAL const u32 *size, GLOBAL u32 *told) {
    atomic_add_u32(told + UNBIND_READY, 1u);
    atomic_add_u32(told + UNBIND_SIZE, size[c]);
}

/* Counts those that nothing is inside of. */
static inline void unbind_look(index_t c, GLOBAL const u32 *inside, GLOBAL const u32 *size,
                               GLOBAL u32 *told) {
    if (inside[c] == 0)
        unbind_count((u32)c, size, told);
}

static inline void unbind_begin(index_t c, GLOBAL const u32 *who, GLOBAL u32 *inside,
                                GLOBAL u32 *told) {
    inside[who[c]] = unbind_nobody;
    if (c == 0)
        atomic_store_u32(told + UNBIND_LONGEST, 0u);
}

/* Sizes of those that begin; 0 behind the last. */
static inline i64 unbind_size(index_t c, i64 count, GLOBAL const u32 *who,
                              GLOBAL const u32 *size) {
    return c < count ? (i64)size[who[c]] : 0;
}

/* Those that begin: member number k of the places at[c] to at[c + 1] of candidate c is
 * order[begin[who[c]] + k]. */
typedef struct unbind_beginners {
    i64 count, bits;
    GLOBAL const u32 *who, *begin, *order;
    GLOBAL const i64 *at;
} unbind_beginners;

/* c << bits | member; members that are held are those of one more candidate. */
static inline u64 unbind_key(index_t i, unbind_beginners b, GLOBAL const u32 *held) {
    const i64 c = pyramid_segment((i64)i, b.count, b.at);
    const u32 m = b.order[(i64)b.begin[b.who[c]] + ((i64)i - b.at[c])];
    return (u64)(held[m] == unbind_nobody ? c : b.count) << b.bits | m;
}

static inline void unbind_split(index_t i, i64 bits, GLOBAL const u64 *key,
                                GLOBAL const u32 *input, GLOBAL u32 *of, GLOBAL u32 *member,
                                GLOBAL u32 *particle, GLOBAL f64 *depth) {
    const u32 m = (u32)(key[i] & (((u64)1 << bits) - 1));
    of[i] = (u32)(key[i] >> bits);
    member[i] = m;
    particle[i] = input[m];
    depth[i] = 0.0;
}

/* Where each of `count` candidates begins, and those behind them; those go on that have
 * `least`. */
static inline void unbind_suffice(index_t c, i64 count, i64 n, i64 least,
                                  GLOBAL const u32 *of, GLOBAL i64 *offset,
                                  GLOBAL u32 *fate) {
    const i64 begin = pyramid_search(of, n, (i64)c);
    offset[c] = begin;
    fate[c] = (i64)c < count && pyramid_search(of, n, (i64)c + 1) - begin >= least
                  ? UNBIND_GOES_ON
                  : UNBIND_ENDS;
}

/* What becomes of a candidate, of whose members so many are unbound: half of these leave.
 */
static inline u32 unbind_leavers(u32 unbound) {
    return unbound - unbound / 2;
}
static inline u32 unbind_fate(u32 unbound, i64 members, i64 least) {
    if (unbound == 0)
        return UNBIND_HOLDS;
    return members - (i64)unbind_leavers(unbound) >= least ? UNBIND_GOES_ON : UNBIND_ENDS;
}

/* Members who may be unbound; those of candidate c are which[before[offset[c]]] to
 * which[before[offset[c + 1]]]. */
typedef struct unbind_doubts {
    i64 least;
    GLOBAL const i64 *offset;
    GLOBAL const u32 *which, *before, *of;
    GLOBAL const f64 *energy;
} unbind_doubts;

/* What becomes of candidates, and who leaves: first in `who` from where a candidate's begin
 * those with the largest (energy, smaller number). Each finds its rank by itself. */
static inline void unbind_rank(index_t l, unbind_doubts d, GLOBAL u32 *fate,
                               GLOBAL u32 *leave, GLOBAL u32 *who, GLOBAL u32 *gone) {
    const u32 own = d.which[l], c = d.of[own];
    const f64 energy = d.energy[l];
    const i64 first = d.offset[c], last = d.offset[c + 1];
    const i64 begin = d.before[first], end = d.before[last];
    u32 unbound = 0, rank = 0;
    for (i64 k = begin; k < end; k++) {
        unbound += d.energy[k] >= 0;
        rank += d.energy[k] > energy || (d.energy[k] == energy && k < (i64)l);
    }
    const u32 becomes = unbind_fate(unbound, last - first, d.least);
    const u32 most = unbind_leavers(unbound);
    if ((i64)l == begin) {
        fate[c] = becomes;
        leave[c] = most;
    }
    if (becomes == UNBIND_GOES_ON && energy >= 0 && rank < most) {
        who[begin + rank] = own;
        gone[own] = 1;
    }
}

/* The same where they are sorted within candidates, by keys that are below 0 of those who
 * are bound. */
static inline f64 unbind_sort_key(index_t l, GLOBAL const f64 *energy) {
    return energy[l] >= 0 ? energy[l] : -1.0;
}

static inline i64 unbind_begin_of(index_t c, GLOBAL const i64 *offset,
                                  GLOBAL const u32 *before) {
    return before[offset[c]];
}

static inline void unbind_judge(index_t c, unbind_doubts d, GLOBAL const f64 *key,
                                GLOBAL u32 *fate, GLOBAL u32 *leave) {
    const i64 begin = d.before[d.offset[c]];
    i64 low = begin, high = d.before[d.offset[c + 1]];
    while (low < high) {
        const i64 middle = low + (high - low) / 2;
        if (key[middle] >= 0)
            low = middle + 1;
        else
            high = middle;
    }
    fate[c] = unbind_fate((u32)(low - begin), d.offset[c + 1] - d.offset[c], d.least);
    leave[c] = unbind_leavers((u32)(low - begin));
}

static inline void unbind_leave(index_t l, unbind_doubts d, GLOBAL const u32 *who,
                                GLOBAL const u32 *fate, GLOBAL const u32 *leave,
                                GLOBAL u32 *gone) {
    const u32 c = d.of[who[l]];
    if (fate[c] == UNBIND_GOES_ON && (i64)l - d.before[d.offset[c]] < (i64)leave[c])
        gone[who[l]] = 1;
}

#endif
