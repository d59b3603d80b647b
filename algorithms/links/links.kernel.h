/* Particles that groups of two snapshots share. */
#ifndef WEFT_LINKS_KERNEL_H
#define WEFT_LINKS_KERNEL_H

#include "algorithms/pyramid/pyramid.kernel.h"

CONSTANT u32 links_nobody = 0xffffffffu;

static inline u32 links_repeats(index_t k, GLOBAL const i64 *id) {
    return k > 0 && id[k] == id[k - 1];
}

/* The group that a member is in in the other snapshot: place `at` among sorted ids is where
 * its id would be. */
static inline u32 links_meet(index_t m, i64 members, GLOBAL const i64 *id,
                             GLOBAL const i64 *at, GLOBAL const i64 *sorted,
                             GLOBAL const u32 *group) {
    const i64 k = at[m];
    return k < members && sorted[k] == id[m] ? group[k] : links_nobody;
}

/* Each id's member, the first of those that have it. */
static inline void links_enter(index_t k, i64 least, GLOBAL const i64 *id,
                               GLOBAL u32 *table) {
    atomic_min_u32(table + (index_t)(id[k] - least), (u32)k);
}

static inline u32 links_is_second(index_t k, i64 least, GLOBAL const i64 *id,
                                  GLOBAL const u32 *table) {
    return table[(index_t)(id[k] - least)] != (u32)k;
}

/* The same group, by a table of ids from `least` to `most`. */
static inline u32 links_look_up(index_t m, i64 least, i64 most, GLOBAL const i64 *id,
                                GLOBAL const u32 *table, GLOBAL const u32 *group) {
    if (id[m] < least || id[m] > most)
        return links_nobody;
    const u32 k = table[(index_t)(id[m] - least)];
    return k == links_nobody ? links_nobody : group[k];
}

static inline u32 links_is_met(index_t m, GLOBAL const u32 *met) {
    return met[m] != links_nobody;
}

static inline u64 links_pair(index_t m, GLOBAL const u32 *of, GLOBAL const u32 *met) {
    return (u64)of[m] << 32 | met[m];
}

typedef struct links_sum {
    u64 weight, shared;
} links_sum;

static inline links_sum links_weigh(index_t m, GLOBAL const u32 *rank) {
    links_sum s;
    s.weight = (u64)(4294967296.0 / (1.0 + sqrt((f64)rank[m])));
    s.shared = 1;
    return s;
}

static inline links_sum links_part(index_t k, GLOBAL const u32 *place,
                                   GLOBAL const links_sum *part) {
    return part[place[k]];
}

static inline links_sum links_add(links_sum a, links_sum b) {
    a.weight += b.weight;
    a.shared += b.shared;
    return a;
}

static inline u32 links_from(index_t p, GLOBAL const u64 *pair) {
    return (u32)(pair[p] >> 32);
}

/* What a group may go to; the identity goes nowhere. */
typedef struct links_choice {
    u64 weight, shared;
    i64 tag;
    u64 to;
} links_choice;

static inline links_choice links_offer(index_t p, GLOBAL const u64 *pair,
                                       GLOBAL const links_sum *sum, GLOBAL const i64 *tag) {
    links_choice c;
    const u32 to = (u32)pair[p];
    c.weight = sum[p].weight;
    c.shared = sum[p].shared;
    c.tag = tag ? tag[to] : (i64)to;
    c.to = to;
    return c;
}

static inline links_choice links_better(links_choice a, links_choice b) {
    const i32 b_is = b.weight != a.weight   ? b.weight > a.weight
                     : b.shared != a.shared ? b.shared > a.shared
                     : b.tag != a.tag       ? b.tag < a.tag
                                            : b.to < a.to;
    return b_is ? b : a;
}

static inline void links_spread(index_t g, i64 count, GLOBAL const u32 *group,
                                GLOBAL const links_choice *choice, GLOBAL u32 *target,
                                GLOBAL u64 *weight, GLOBAL u32 *shared) {
    const i64 low = pyramid_search(group, count, (i64)g);
    const i32 goes = low < count && (i64)group[low] == (i64)g;
    target[g] = goes ? (u32)choice[low].to : links_nobody;
    weight[g] = goes ? choice[low].weight : 0;
    shared[g] = goes ? (u32)choice[low].shared : 0;
}

#endif
