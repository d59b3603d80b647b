/* What is left of the pull of near particles, pair by pair.
 *
 * Lengths are in units of the reach. With t the square of their distance the pull of a pair
 * over the distance is f = (t + soft)^(-3/2) - p(t) for t < 1, else 0. p is the mass of the
 * ball (1 - r^2)^4 within r over r^3, exactly, or what HACC has for its mesh; the power is
 * off by less than 1e-5 of itself. */
#ifndef GRAVITY_PULL_KERNEL_H
#define GRAVITY_PULL_KERNEL_H

#include <weft/kernel.h>

/* What is added up over pairs: pulls; depths of wells; both that HACC's mesh lacks. */
enum { GRAVITY_PULLS, GRAVITY_DEPTHS, GRAVITY_HACC_PULLS, GRAVITY_HACC_DEPTHS };

static inline f32 gravity_pull_square(f32 dx, f32 dy, f32 dz) {
    return fma(dz, dz, fma(dy, dy, dx * dx));
}

/* f for t < 1. A guess of x^(-1/2), off by 3.5 %, and what is missing to its third power by
 * a polynomial of the square of the guess times x. */
static inline f32 gravity_pull_within(f32 t, f32 soft, i32 kind) {
    const f32 x = t + soft, y = bits_f32(0x5f37642fu - (f32_bits(x) >> 1));
    const f32 q = y * y, w = x * q;
    const f32 g =
        fma(w, fma(w, fma(w, -2.18633484f, 8.44564618f), -11.83231607f), 6.57299788f);
    const f32 p =
        kind == GRAVITY_HACC_PULLS
            ? fma(t,
                  fma(t,
                      fma(t, fma(t, fma(t, 3.84766654f, -16.2996923f), 30.3010558f),
                          -32.76969f),
                      22.0719971f),
                  -8.15095589f)
            : fma(t, fma(t, fma(t, fma(t, -2.4609375f, 12.03125f), -23.203125f), 21.65625f),
                  -9.0234375f);
    return fma(q * y, g, p);
}

static inline f32 gravity_pull_factor(f32 t, f32 soft, i32 kind) {
    const f32 f = gravity_pull_within(t, soft, kind);
    return bits_f32(f32_bits(f) & (0u - (u32)(t < 1.0f)));
}

/* Adds what a particle does to another one. */
static inline void gravity_pull_add(f32 *bx, f32 *by, f32 *bz, f32 dx, f32 dy, f32 dz,
                                    f32 soft, i32 kind) {
    const f32 f = gravity_pull_factor(gravity_pull_square(dx, dy, dz), soft, kind);
    *bx = fma(f, dx, *bx);
    *by = fma(f, dy, *by);
    *bz = fma(f, dz, *bz);
}

#endif
