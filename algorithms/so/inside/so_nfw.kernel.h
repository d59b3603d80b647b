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
    f64 e = (f64)(i64)(bits >> 52) - 1023, sum;
    f64 m = bits_f64((bits & (((u64)1 << 52) - 1)) | one);
    if (m > 1.4142135623730951) {
        m = m / 2;
        e = e + 1;
    }
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

/* The concentration; 0 where none from 1 to SO_NFW_MOST has that value. By the false
 * position, each end of which loses half its weight when it stays (Illinois). */
static inline f64 so_nfw_concentration(f64 value, i32 by_peak) {
    f64 low = by_peak ? SO_NFW_PEAK : 1, high = SO_NFW_MOST;
    f64 above = so_nfw_miss(low, value, by_peak), below = so_nfw_miss(high, value, by_peak);
    f64 c = 0;
    i32 stayed = 0;
    if (!(above >= 0) || !(below < 0))
        return 0;
    for (i32 k = 0; k < SO_NFW_STEPS && high - low > 1e-13 * high; k++) {
        c = low + (high - low) * (above / (above - below));
        const f64 miss = so_nfw_miss(c, value, by_peak);
        if (!(c > low && c < high))
            break;
        if (miss >= 0) {
            low = c;
            above = miss;
            below = stayed == 1 ? below / 2 : below;
            stayed = 1;
        } else {
            high = c;
            below = miss;
            above = stayed == 2 ? above / 2 : above;
            stayed = 2;
        }
    }
    return c;
}

#endif
