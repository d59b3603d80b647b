/* What is left of candidates after a round comes behind others: in one scan, of which both
 * their numbers and those of their members are read. */
#ifndef WEFT_UNBIND_CARRY_KERNEL_H
#define WEFT_UNBIND_CARRY_KERNEL_H

#include "algorithms/subhalos/unbind.kernel.h"

/* All candidates: how many are left right inside of each, the one around it, and its size.
 */
typedef struct unbind_nest {
    GLOBAL u32 *inside;
    GLOBAL const u32 *around, *size;
} unbind_nest;

/* Some candidates and their members, as unbind.h has them; `gone` may be null. */
typedef struct unbind_from {
    i64 candidates, members;
    GLOBAL const i64 *offset;
    GLOBAL const u32 *who, *of, *member, *particle, *fate, *gone;
    GLOBAL const f64 *depth;
} unbind_from;

/* Others, which have so many of them yet. */
typedef struct unbind_behind {
    i64 candidates, members;
    GLOBAL i64 *offset;
    GLOBAL u32 *who, *of, *member, *particle;
    GLOBAL f64 *depth;
} unbind_behind;

static inline i32 unbind_carry_stays(unbind_from f, i64 i) {
    return f.fate[f.of[i]] == UNBIND_GOES_ON && !(f.gone && f.gone[i]);
}

/* Candidates that go on << 32 | members who stay: 1 of the first where a candidate's
 * members begin. 0 behind the last. */
static inline u64 unbind_carry_counts(index_t i, unbind_from f) {
    if ((i64)i >= f.members)
        return 0;
    const u32 c = f.of[i];
    const i32 begins = f.fate[c] == UNBIND_GOES_ON && f.offset[c] == (i64)i;
    return (u64)begins << 32 | (u64)unbind_carry_stays(f, (i64)i);
}

/* Those that come before each member, and in all; and where all are written. */
static inline void unbind_carry_total(unbind_from f, GLOBAL const u64 *before,
                                      unbind_behind to, GLOBAL u32 *told) {
    const u64 all = before[f.members];
    const i64 candidates = to.candidates + (i64)(all >> 32);
    const i64 members = to.members + (i64)(u32)all;
    to.offset[candidates] = members;
    atomic_store_u32(told + UNBIND_CANDIDATES, (u32)candidates);
    atomic_store_u32(told + UNBIND_MEMBERS, (u32)members);
}

static inline void unbind_carry_candidate(i64 c, unbind_from f, unbind_nest nest,
                                          GLOBAL const u64 *before, unbind_behind to,
                                          GLOBAL u32 *told) {
    const u32 own = f.who[c], other = nest.around[own];
    if (f.fate[c] == UNBIND_GOES_ON) {
        const u64 first = before[f.offset[c]];
        const u32 members = (u32)before[f.offset[c + 1]] - (u32)first;
        const i64 k = to.candidates + (i64)(first >> 32);
        to.who[k] = own;
        to.offset[k] = to.members + (i64)(u32)first;
        if (members > atomic_load_u32(told + UNBIND_LONGEST))
            atomic_max_u32(told + UNBIND_LONGEST, members);
    } else if (other != unbind_nobody &&
               atomic_add_u32(nest.inside + other, 0xffffffffu) == 1) { /* one less */
        unbind_count(other, nest.size, told);
    }
}

static inline void unbind_carry_member(i64 i, unbind_from f, GLOBAL const u64 *before,
                                       unbind_behind to, GLOBAL u32 *held) {
    const u32 c = f.of[i];
    if (f.fate[c] == UNBIND_HOLDS)
        held[f.member[i]] = f.who[c];
    if (!unbind_carry_stays(f, i))
        return;
    const i64 k = to.members + (i64)(u32)before[i];
    to.of[k] = (u32)(to.candidates + (i64)(before[f.offset[c]] >> 32));
    to.member[k] = f.member[i];
    to.particle[k] = f.particle[i];
    to.depth[k] = f.depth[i];
}

/* First members, then candidates, then what they are in all. */
static inline void unbind_carry_all(index_t i, unbind_from f, unbind_nest nest,
                                    GLOBAL const u64 *before, unbind_behind to,
                                    GLOBAL u32 *held, GLOBAL u32 *told) {
    const i64 c = (i64)i - f.members;
    if (c < 0)
        unbind_carry_member((i64)i, f, before, to, held);
    else if (c < f.candidates)
        unbind_carry_candidate(c, f, nest, before, to, told);
    else
        unbind_carry_total(f, before, to, told);
}

#endif
