/* How deep the well of a near particle is beyond that of the ball around it.
 *
 * With t as in gravity_pull.kernel.h the work from t to 1 over G m / a: (t + soft)^(-1/2)
 * - (1 + soft)^(-1/2) - q(1) + q(t), q being half the integral of p from 0. The root is a
 * guess and two of Newton's steps, off by 5e-6. */
#ifndef GRAVITY_DEPTH_KERNEL_H
#define GRAVITY_DEPTH_KERNEL_H

#include "gravity_pull.kernel.h"

static inline i32 gravity_depth_is(i32 kind) {
    return kind == GRAVITY_DEPTHS || kind == GRAVITY_HACC_DEPTHS;
}

/* edge: (1 + soft)^(-1/2) + q(1). */
static inline f32 gravity_depth_of(f32 t, f32 soft, f32 edge, i32 kind) {
    const f32 r = t + soft, guess = bits_f32(0x5f37642fu - (f32_bits(r) >> 1));
    const f32 better = guess * (1.5f - 0.5f * r * guess * guess);
    const f32 root = better * (1.5f - 0.5f * r * better * better);
    const f32 q =
        kind == GRAVITY_HACC_DEPTHS
            ? t * (4.075477945f -
                   t * (5.517999275f -
                        t * (5.461615f -
                             t * (3.787631975f - t * (1.62996923f - t * 0.320638878f)))))
            : t * (4.51171875f -
                   t * (5.4140625f -
                        t * (3.8671875f - t * (1.50390625f - t * 0.24609375f))));
    const f32 depth = root - edge + q;
    return bits_f32(f32_bits(depth) & (0u - ((u32)(t < 1.0f) & (u32)(t > 0.0f))));
}

#endif
