/* Potentials that are nearly those defined, for devices on which a quotient and a root as
 * defined take most of the time of a pair.
 *
 * The inverse root y of a scaled square s is that of f32, off by d: |d| < 2^-17 (1 + 2^-6),
 * with the rounding of s to f32. y + y (1 - s y^2) / 2 is off by 3/2 d^2 + d^3/2 of itself,
 * less than 0.78 2^-33. Roundings of squares, products and of the definition itself are
 * below 2^-46; sums of n positive terms add n 2^-53 each. So what is computed is off by
 * less than 2^-33 + n 2^-52 of itself. Of squares below what f32 holds, also of members at
 * one place, nothing is claimed. */
#ifndef WEFT_MBP_NEAR_KERNEL_H
#define WEFT_MBP_NEAR_KERNEL_H

#include "mbp_bounds.kernel.h"

enum {
    MBP_NEAR_PART = 2048, /* members that a work-item adds up the pairs with, */
    MBP_NEAR_MOST = 8     /*   or an eighth of all */
};

static inline i64 mbp_near_parts(i64 members) {
    return min((members + MBP_NEAR_PART - 1) / MBP_NEAR_PART, (i64)MBP_NEAR_MOST);
}

/* Work-items of a halo; 0 behind the last. */
static inline i64 mbp_near_items(index_t halo, i64 halos, GLOBAL const i64 *offset) {
    if ((i64)halo >= halos)
        return 0;
    const i64 members = mbp_members(offset, (i64)halo);
    return members * mbp_near_parts(members);
}

/* Adds a pair to a sum; whether it is too close. */
static inline i32 mbp_near_pair(f64 dx, f64 dy, f64 dz, f64 soft2, f64 square, f64 mass,
                                f64 *sum) {
    const f64 s = mad(dx, dx, mad(dy, dy, mad(dz, dz, soft2))) * square;
    const f32 rounded = (f32)s;
    const f64 y = (f64)rsqrt(max(rounded, 0x1p-126f)), e = mad(-(s * y), y, 1.0);
    *sum = mad(mass * y, mad(0.5, e, 1.0), *sum);
    return rounded < 0x1p-126f && mass != 0.0;
}

/* What a part of the members add to |phi| of one, those of a halo in a row. */
static inline void mbp_near_sum(index_t t, i64 halos, mbp_halos of, mbp_bodies b,
                                GLOBAL const i64 *begin, GLOBAL f64 *sums,
                                GLOBAL u32 *is_close) {
    const i64 halo = pyramid_segment((i64)t, halos, begin);
    const i64 members = mbp_members(of.offset, halo), parts = mbp_near_parts(members);
    const i64 each = ((members - 1) / (parts * MBP_ROW) + 1) * MBP_ROW;
    const i64 turn = (i64)t - begin[halo], part = parts > 1 ? turn / members : 0;
    const i64 first = mbp_first_slot(of.offset, halo), i = first + (turn - part * members);
    const i64 end = first + min((part + 1) * each, members);
    const f64 scale = mbp_scale(of.extent[halo]), square = scale * scale;
    const f64 x = b.x[i], y = b.y[i], z = b.z[i], soft2 = of.softening * of.softening;
    f64 sum[4];
    i32 close = 0;
    for (i32 l = 0; l < 4; l++)
        sum[l] = 0;
    for (i64 j = first + part * each; j < end; j += 4) /* up to the end of a row */
        for (i32 l = 0; l < 4; l++)
            close |= mbp_near_pair(b.x[j + l] - x, b.y[j + l] - y, b.z[j + l] - z, soft2,
                                   square, j + l == i ? 0.0 : b.mass[j + l], &sum[l]);
    sums[t] = ((sum[0] + sum[1]) + (sum[2] + sum[3])) * scale;
    if (close)
        atomic_store_u32(is_close + halo, 1);
}

/* The potential of each member, and a bound of the deepest: the upper half of its bits. */
static inline void mbp_near_add(index_t m, i64 halos, GLOBAL const i64 *offset,
                                GLOBAL const i64 *begin, GLOBAL const f64 *sums,
                                GLOBAL f64 *potential, GLOBAL u32 *deepest) {
    const i64 halo = pyramid_segment((i64)m, halos, offset);
    const i64 members = mbp_members(offset, halo), parts = mbp_near_parts(members);
    const i64 at = begin[halo] + ((i64)m - offset[halo]);
    f64 sum = 0;
    for (i64 part = 0; part < parts; part++)
        sum += sums[at + part * members];
    potential[m] = -sum;
    mbp_raise(deepest + halo, (u32)(f64_bits(sum) >> 32) + 1);
}

/* What the potentials of a halo are off by. */
static inline void mbp_near_off(index_t halo, mbp_halos of, GLOBAL const u32 *is_close,
                                GLOBAL const u32 *deepest, GLOBAL f64 *off) {
    const f64 members = (f64)mbp_members(of.offset, (i64)halo);
    const f64 most = bits_f64((u64)deepest[halo] << 32);
    const i32 holds = mbp_holds(of, (i64)halo) && !is_close[halo];
    off[halo] = holds ? most * (0x1p-33 + members * 0x1p-52) : bits_f64((u64)0x7ff << 52);
}

#endif
