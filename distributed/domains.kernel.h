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

/* Between these, on each axis, no place of others than a domain's own is within reach. In
 * f32, with room for all roundings to it. */
typedef struct domains_edge_rule {
    f32 period[3], low[3], high[3];
} domains_edge_rule;

/* As domains_wrap, of what is at most a period outside; what is farther stays outside. */
static inline f32 domains_wrap_once(f32 x, f32 period) {
    x = x < 0 ? x + period : x;
    return x >= period ? x - period : x;
}

/* Whether a place of the domain may have places of others within reach: of an axis. */
static inline u32 domains_is_edge(f32 at, i32 axis, domains_edge_rule rule) {
    const f32 x = domains_wrap_once(at, rule.period[axis]);
    return !(x > rule.low[axis]) | !(x < rule.high[axis]);
}

/* For coordinates of f32 and of f64: without a branch compilers make vectors of it. */
static inline u32 domains_edge(index_t i, GLOBAL const u32 *words, domains_edge_rule rule) {
    return domains_is_edge(bits_f32(words[3 * i]), 0, rule) |
           domains_is_edge(bits_f32(words[3 * i + 1]), 1, rule) |
           domains_is_edge(bits_f32(words[3 * i + 2]), 2, rule);
}

static inline u32 domains_edge_wide(index_t i, GLOBAL const u64 *words,
                                    domains_edge_rule rule) {
    return domains_is_edge((f32)bits_f64(words[3 * i]), 0, rule) |
           domains_is_edge((f32)bits_f64(words[3 * i + 1]), 1, rule) |
           domains_is_edge((f32)bits_f64(words[3 * i + 2]), 2, rule);
}

#endif
