/* Candidates lose the members that are not bound to them.
 * Members are told by their numbers among those of all halos, candidates of a round by
 * their numbers in it: `of` of each member. */
#ifndef WEFT_UNBIND_KERNEL_H
#define WEFT_UNBIND_KERNEL_H

#include <weft/kernel.h>

CONSTANT u32 unbind_nobody = 0xffffffffu;

/* A candidate begins once those right inside of it have ended, of which `inside` are left.
 */
static inline u32 unbind_is_ready(index_t c, GLOBAL const u32 *inside) {
    return inside[c] == 0;
}

static inline void unbind_begin(index_t c, GLOBAL const u32 *who, GLOBAL u32 *inside) {
    inside[who[c]] = unbind_nobody;
}

static inline void unbind_end(index_t c, GLOBAL const u32 *on, GLOBAL const u32 *who,
                              GLOBAL const u32 *around, GLOBAL u32 *inside) {
    const u32 other = around[who[c]];
    if (on[c] == 0 && other != unbind_nobody)
        atomic_add_u32(inside + other, 0xffffffffu); /* one less */
}

/* Member number k of candidate c of a round, as c << 32 | member. */
static inline u64 unbind_key(index_t i, GLOBAL const u32 *who, GLOBAL const u32 *begin,
                             GLOBAL const u32 *order, GLOBAL const u32 *of,
                             GLOBAL const u32 *k) {
    return (u64)of[i] << 32 | order[begin[who[of[i]]] + k[i]];
}

static inline u32 unbind_is_free(index_t i, GLOBAL const u64 *key, GLOBAL const u32 *held) {
    return held[(u32)key[i]] == unbind_nobody;
}

static inline void unbind_split(index_t i, GLOBAL const u64 *key, GLOBAL u32 *of,
                                GLOBAL u32 *member) {
    of[i] = (u32)(key[i] >> 32);
    member[i] = (u32)key[i];
}

static inline u32 unbind_suffices(index_t c, i64 least, GLOBAL const i64 *offset) {
    return offset[c + 1] - offset[c] >= least;
}

static inline u32 unbind_is_unbound(index_t i, GLOBAL const f64 *energy) {
    return energy[i] >= 0;
}

/* What becomes of a candidate: it holds what it has; or `leave` of it leave, and it goes
 * on, with its unbound members to sort; or it ends. */
static inline void unbind_judge(index_t c, i64 least, GLOBAL const i64 *offset,
                                GLOBAL const u32 *unbound, GLOBAL u32 *holds,
                                GLOBAL u32 *on, GLOBAL u32 *leave, GLOBAL i64 *sorted) {
    const u32 u = unbound[c];
    leave[c] = u - u / 2;
    holds[c] = u == 0;
    on[c] = u > 0 && offset[c + 1] - offset[c] - (i64)leave[c] >= least;
    sorted[c] = on[c] ? u : 0;
}

/* Candidates that nobody leaves hold their members; and no member is gone yet. */
static inline void unbind_hold(index_t i, GLOBAL const u32 *who, GLOBAL const u32 *holds,
                               GLOBAL const u32 *of, GLOBAL const u32 *member,
                               GLOBAL u32 *held, GLOBAL u32 *gone) {
    if (holds[of[i]])
        held[member[i]] = who[of[i]];
    gone[i] = 0;
}

static inline u32 unbind_may_leave(index_t i, GLOBAL const u32 *on, GLOBAL const u32 *of,
                                   GLOBAL const f64 *energy) {
    return on[of[i]] != 0 && energy[i] >= 0;
}

/* Of those that may, sorted by energy within each candidate, the first leave. */
static inline void unbind_leave(index_t l, GLOBAL const u32 *unbound, GLOBAL const u32 *of,
                                GLOBAL const i64 *begin, GLOBAL const u32 *leave,
                                GLOBAL u32 *gone) {
    const u32 c = of[unbound[l]];
    gone[unbound[l]] = (i64)l - begin[c] < (i64)leave[c];
}

static inline u32 unbind_stays(index_t i, GLOBAL const u32 *on, GLOBAL const u32 *of,
                               GLOBAL const u32 *gone) {
    return on[of[i]] != 0 && gone[i] == 0;
}

/* The candidates of members that come behind those of `first` others. */
static inline u32 unbind_behind(index_t i, u32 first, GLOBAL const u32 *of) {
    return first + of[i];
}

static inline void unbind_renumber(index_t i, GLOBAL const u32 *number, GLOBAL u32 *of) {
    of[i] = number[of[i]];
}

#endif
