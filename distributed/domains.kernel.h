/* Which domain a place is in: the same for the host and for every device. */
#ifndef WEFT_DOMAINS_KERNEL_H
#define WEFT_DOMAINS_KERNEL_H

#include <weft/kernel.h>

/* A cut: what lies below `at` on `axis` is on its left. Cuts lie each before those of its
 * left and then its right. */
typedef struct domains_plane {
    f64 at;
    i32 axis, unused;
} domains_plane;

/* A coordinate as 32-bit words, so that one kernel serves f32 and f64. */
static inline f64 domains_coordinate(GLOBAL const u32 *words, index_t k, i32 wide) {
    return wide ? bits_f64((u64)words[2 * k] | (u64)words[2 * k + 1] << 32)
                : (f64)bits_f32(words[k]);
}

/* What is not finite is brought to 0 or left as it is. */
static inline f64 domains_wrap(f64 x, f64 period) {
    if (period > 0 && !(x >= 0 && x < period)) {
        x = fmod(x, period);
        x = x < 0 ? x + period : x;
        x = x < period ? x : 0;
    }
    return x;
}

/* Without a branch that depends on the place: such are mispredicted. */
static inline u32 domains_find(GLOBAL const domains_plane *cut, i32 n, f64 x, f64 y,
                               f64 z) {
    i32 first = 0;
    while (n > 1) {
        const i32 left = n / 2;
        const f64 at = cut->axis == 0 ? x : cut->axis == 1 ? y : z;
        const i32 right = at < cut->at ? 0 : 1;
        cut += 1 + right * (left - 1);
        first += right * left;
        n = left + right * (n - 2 * left);
    }
    return (u32)first;
}

/* A domain, and how far from its places others may matter. */
typedef struct domains_edge_rule {
    f64 period[3], low[3], high[3], reach[3];
    i32 wide, unused;
} domains_edge_rule;

/* As domains_wrap, of what is at most a period outside; what is farther stays outside. */
static inline f64 domains_wrap_once(f64 x, f64 period) {
    x = x < 0 ? x + period : x;
    return x >= period ? x - period : x;
}

/* Whether a place of the domain may have places of others within reach: of an axis, whether
 * it has, as domains_is_inside rounds. */
static inline u32 domains_is_edge(index_t i, i32 axis, GLOBAL const u32 *words,
                                  domains_edge_rule rule) {
    const f64 at = domains_coordinate(words, 3 * i + axis, rule.wide);
    const f64 x = domains_wrap_once(at, rule.period[axis]);
    return !(x - rule.reach[axis] > rule.low[axis] &&
             x + rule.reach[axis] < rule.high[axis]);
}

static inline u32 domains_edge(index_t i, GLOBAL const u32 *words, domains_edge_rule rule) {
    return domains_is_edge(i, 0, words, rule) | domains_is_edge(i, 1, words, rule) |
           domains_is_edge(i, 2, words, rule);
}

#endif
