/* Potentials of members, nearly: each pair once, in vectors, without division or roots.
 *
 * A pair is that of the definition in weft/mbp.h, but for its inverse root, which is off by
 * less than 7.2e-10 of itself, and for rounding: of squares of distances by less than
 * 2^-50, of the root by 2^-48, of products by 2^-53, and of those of the definition
 * likewise; in all less than 2^-30. A sum of n positive terms in any order is off by less
 * than n 2^-52 of itself. So all are off by less than 2^-30 + n 2^-52 of themselves, if no
 * square is below 2^-900: see settle_room_pull. */
#ifndef WEFT_PULL_KERNEL_H
#define WEFT_PULL_KERNEL_H

#include <weft/kernel.h>

enum { PULL_ROW = 16 };

/* Members in rows: a row begins at a multiple of PULL_ROW, and what is left of the last one
 * has no mass. `sum` is that of m / s over the others. */
typedef struct pull_bodies {
    GLOBAL f64 *x, *y, *z, *mass, *sum;
} pull_bodies;

/* 1 / sqrt(x), of x between 2^-900 and 2^1000: a guess y off by 0.0344, and the polynomial
 * that is nearest to 1 / sqrt(1 - h) for h = 1 - x y y between -0.0692 and 0.0676. Finite,
 * and more than 2^448, where x is less. */
static inline f64 pull_inverse(f64 x) {
    const f64 y = bits_f64((u64)0x5fe6eb50c7b537a9 - (f64_bits(x) >> 1));
    const f64 h = fma(-(x * y), y, 1.0);
    f64 root = fma(h, 0.24673447588399705, 0.27502138154715444);
    root = fma(h, root, 0.3125010357782999);
    root = fma(h, root, 0.37499722718339756);
    root = fma(h, root, 0.4999999978921753);
    return y * fma(h, root, 1.0000000007189345);
}

static inline f64 pull_square(f64 dx, f64 dy, f64 dz, f64 soft2) {
    return fma(dx, dx, fma(dy, dy, fma(dz, dz, soft2)));
}

/* What the members of a row add to each other. */
static inline void pull_row(i64 at, f64 soft2, pull_bodies b) {
    f64 sum[PULL_ROW], own[PULL_ROW], mass[PULL_ROW];
    for (i32 l = 0; l < PULL_ROW; l++)
        sum[l] = own[l] = 0.0;
    for (i32 k = 0; k < PULL_ROW; k++) {
        for (i32 l = 0; l < PULL_ROW; l++)
            mass[l] = b.mass[at + k];
        own[k] = 1.0;
        mass[k] = 0.0;
        for (i32 l = 0; l < PULL_ROW; l++) {
            const f64 s2 = pull_square(b.x[at + l] - b.x[at + k], b.y[at + l] - b.y[at + k],
                                       b.z[at + l] - b.z[at + k], soft2);
            sum[l] = fma(mass[l], pull_inverse(s2 + own[l]), sum[l]);
        }
        own[k] = 0.0;
    }
    for (i32 l = 0; l < PULL_ROW; l++)
        b.sum[at + l] = sum[l];
}

/* A row meets the one at `other`, which gets its part at once; what number k of its own
 * gets are numbers [16 k, 16 k + 16) of `back`. */
static inline void pull_meet(i64 at, i64 other, f64 soft2, pull_bodies b,
                             f64 *restrict back) {
    f64 x[PULL_ROW], y[PULL_ROW], z[PULL_ROW], mass[PULL_ROW], there[PULL_ROW];
    for (i32 l = 0; l < PULL_ROW; l++) {
        x[l] = b.x[other + l];
        y[l] = b.y[other + l];
        z[l] = b.z[other + l];
        mass[l] = b.mass[other + l];
        there[l] = b.sum[other + l];
    }
    for (i32 k = 0; k < PULL_ROW; k++) {
        const f64 own_x = b.x[at + k], own_y = b.y[at + k], own_z = b.z[at + k];
        const f64 own = b.mass[at + k];
        for (i32 l = 0; l < PULL_ROW; l++) {
            const f64 s2 = pull_square(x[l] - own_x, y[l] - own_y, z[l] - own_z, soft2);
            const f64 r = pull_inverse(s2);
            there[l] = fma(own, r, there[l]);
            back[k * PULL_ROW + l] = fma(mass[l], r, back[k * PULL_ROW + l]);
        }
    }
    for (i32 l = 0; l < PULL_ROW; l++)
        b.sum[other + l] = there[l];
}

/* Sums of all in `slots`, a multiple of PULL_ROW. */
static inline void pull_all(i64 slots, f64 soft2, pull_bodies b) {
    f64 back[PULL_ROW * PULL_ROW];
    for (i64 at = 0; at < slots; at += PULL_ROW) {
        pull_row(at, soft2, b);
        for (i32 l = 0; l < PULL_ROW * PULL_ROW; l++)
            back[l] = 0.0;
        for (i64 other = 0; other < at; other += PULL_ROW)
            pull_meet(at, other, soft2, b, back);
        for (i32 k = 0; k < PULL_ROW; k++) {
            f64 all = 0.0;
            for (i32 l = 0; l < PULL_ROW; l++)
                all += back[k * PULL_ROW + l];
            b.sum[at + k] += all;
        }
    }
}

/* Takes from the sums of all in `slots` what `count` others added. */
static inline void pull_take(i64 slots, f64 soft2, pull_bodies b, i64 count,
                             pull_bodies others) {
    for (i64 at = 0; at < slots; at += PULL_ROW) {
        f64 sum[PULL_ROW];
        for (i32 l = 0; l < PULL_ROW; l++)
            sum[l] = b.sum[at + l];
        for (i64 j = 0; j < count; j++) {
            const f64 x = others.x[j], y = others.y[j], z = others.z[j];
            const f64 mass = others.mass[j];
            for (i32 l = 0; l < PULL_ROW; l++)
                sum[l] = fma(-mass,
                             pull_inverse(pull_square(b.x[at + l] - x, b.y[at + l] - y,
                                                      b.z[at + l] - z, soft2)),
                             sum[l]);
        }
        for (i32 l = 0; l < PULL_ROW; l++)
            b.sum[at + l] = sum[l];
    }
}

#endif
