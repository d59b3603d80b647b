/* Concentrations of the profile of Navarro, Frenk and White 1997 (ApJ 490, 493), whose mass
 * inside x scale radii goes as m(x) = ln(1 + x) - x / (1 + x). */
#ifndef WEFT_SO_NFW_KERNEL_H
#define WEFT_SO_NFW_KERNEL_H

#include <weft/kernel.h>

enum { SO_NFW_STEPS = 200 };

/* The largest concentration that is looked for. */
CONSTANT f64 SO_NFW_MOST = 1e4;

/* Where the circular velocity of the profile is largest, in scale radii. */
CONSTANT f64 SO_NFW_PEAK = 2.1625815870646098;

/* ln x, x normal and above 0, in operations that are rounded alike on every device: with
 * x = 2^e m and m around 1, ln m = 2 artanh((m - 1) / (m + 1)). */
static inline f64 so_nfw_log(f64 x) {
    const u64 bits = f64_bits(x), one = (u64)1023 << 52;
    const f64 whole = bits_f64((bits & (((u64)1 << 52) - 1)) | one);
    const f64 up = whole > 1.4142135623730951 ? 1.0 : 0.0;
    const f64 e = (f64)(i64)(bits >> 52) - 1023 + up;
    const f64 m = whole * (up > 0 ? 0.5 : 1.0);
    f64 sum;
    const f64 s = (m - 1) / (m + 1), s2 = s * s;
    sum = 1.0 / 23 * s2 + 1.0 / 21;
    sum = (sum * s2 + 1.0 / 19) * s2 + 1.0 / 17;
    sum = (sum * s2 + 1.0 / 15) * s2 + 1.0 / 13;
    sum = (sum * s2 + 1.0 / 11) * s2 + 1.0 / 9;
    sum = (sum * s2 + 1.0 / 7) * s2 + 1.0 / 5;
    sum = (sum * s2 + 1.0 / 3) * s2 + 1;
    return e * 0.69314718055994531 + 2 * s * sum;
}

/* Above 0 below the concentration, below 0 above it. By the peak: `value` is
 * Vmax^2 R / (G M) = 0.2162 c / m(c), of c past the peak; else the mean radius over R,
 * (c - 2 ln(1 + c) + c / (1 + c)) / (c m(c)). */
static inline f64 so_nfw_miss(f64 c, f64 value, i32 by_peak) {
    const f64 log = so_nfw_log(1 + c), part = c / (1 + c), mass = log - part;
    return by_peak ? value * mass - 0.2162 * c : c - 2 * log + part - value * (c * mass);
}

/* Concentrations that are looked for side by side: the ends of where each is, what they
 * miss, and which end stayed. */
enum { SO_NFW_LANES = 8 };
typedef struct so_nfw_search {
    f64 value[SO_NFW_LANES], c[SO_NFW_LANES];
    f64 low[SO_NFW_LANES], high[SO_NFW_LANES], above[SO_NFW_LANES], below[SO_NFW_LANES];
    f64 stayed[SO_NFW_LANES], going[SO_NFW_LANES];
} so_nfw_search;

static inline void so_nfw_begin(so_nfw_search *s, i32 lane, i32 by_peak) {
    const f64 value = s->value[lane], low = by_peak ? SO_NFW_PEAK : 1.0;
    const f64 above = so_nfw_miss(low, value, by_peak),
              below = so_nfw_miss(SO_NFW_MOST, value, by_peak);
    s->c[lane] = s->stayed[lane] = 0;
    s->low[lane] = low;
    s->high[lane] = SO_NFW_MOST;
    s->above[lane] = above;
    s->below[lane] = below;
    s->going[lane] = above >= 0 && below < 0 ? 1.0 : 0.0;
}

/* A step, without a branch. */
static inline void so_nfw_step(so_nfw_search *s, i32 lane, i32 by_peak) {
    const f64 low = s->low[lane], high = s->high[lane], above = s->above[lane],
              below = s->below[lane], stayed = s->stayed[lane], going = s->going[lane],
              before = s->c[lane];
    const f64 open = high - low > 1e-13 * high ? going : 0.0;
    const f64 c = low + (high - low) * (above / (above - below));
    const f64 miss = so_nfw_miss(c, s->value[lane], by_peak);
    const f64 after = c > low ? open : 0.0, moves = c < high ? after : 0.0;
    const f64 up = miss >= 0 ? moves : 0.0, down = moves - up;
    const f64 less_above = above * (stayed == 2 ? 0.5 : 1.0);
    const f64 less_below = below * (stayed == 1 ? 0.5 : 1.0);
    const f64 above_down = down > 0 ? less_above : above;
    const f64 below_up = up > 0 ? less_below : below;
    const f64 side = up + 2 * down;
    s->c[lane] = open > 0 ? c : before;
    s->low[lane] = up > 0 ? c : low;
    s->high[lane] = down > 0 ? c : high;
    s->above[lane] = up > 0 ? miss : above_down;
    s->below[lane] = down > 0 ? miss : below_up;
    s->stayed[lane] = moves > 0 ? side : stayed;
    s->going[lane] = moves;
}

/* The concentrations of `lanes` values; 0 where none from 1 to SO_NFW_MOST has that value.
 * By the false position, each end of which loses half its weight when it stays (Illinois).
 */
static inline void so_nfw_solve(so_nfw_search *s, i32 lanes, i32 by_peak) {
    f64 going = 1;
    for (i32 lane = 0; lane < lanes; lane++)
        so_nfw_begin(s, lane, by_peak);
    for (i32 k = 0; k < SO_NFW_STEPS && going > 0; k++) {
        going = 0;
        for (i32 lane = 0; lane < lanes; lane++)
            so_nfw_step(s, lane, by_peak);
        for (i32 lane = 0; lane < lanes; lane++)
            going += s->going[lane];
    }
}

/* In place of values [at, at + lanes) of n, their concentrations. */
static inline void so_nfw_replace(GLOBAL f64 *values, i64 at, i64 n, i32 lanes,
                                  i32 by_peak) {
    so_nfw_search s;
    for (i32 lane = 0; lane < lanes; lane++)
        s.value[lane] = values[min(at + lane, n - 1)];
    so_nfw_solve(&s, lanes, by_peak);
    for (i32 lane = 0; lane < lanes && at + lane < n; lane++)
        values[at + lane] = s.c[lane];
}

/* By the peak and by the mean radius, of n values each: one a work-item, or as many as fit
 * a vector. */
static inline void so_nfw_one(index_t i, i64 n, GLOBAL f64 *peak, GLOBAL f64 *mean) {
    so_nfw_replace(peak, (i64)i, n, 1, 1);
    so_nfw_replace(mean, (i64)i, n, 1, 0);
}

static inline void so_nfw_eight(index_t i, i64 n, GLOBAL f64 *peak, GLOBAL f64 *mean) {
    so_nfw_replace(peak, (i64)i * SO_NFW_LANES, n, SO_NFW_LANES, 1);
    so_nfw_replace(mean, (i64)i * SO_NFW_LANES, n, SO_NFW_LANES, 0);
}

#endif
