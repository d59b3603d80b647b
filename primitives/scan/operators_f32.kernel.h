/* The usual operators on f32. A number wins over a NaN, and -0 is below +0, so that the
 * result does not depend on the order in which the elements come. */
#ifndef OPERATORS_F32_KERNEL_H
#define OPERATORS_F32_KERNEL_H

#include <weft/kernel.h>

static inline f32 operators_f32_plus(f32 a, f32 b) {
    return a + b;
}
static inline f32 operators_f32_times(f32 a, f32 b) {
    return a * b;
}
static inline f32 operators_f32_minimum(f32 a, f32 b) {
    const f32 equal = bits_f32(f32_bits(a) | f32_bits(b));
    return a < b || b != b ? a : b < a || a != a ? b : equal;
}
static inline f32 operators_f32_maximum(f32 a, f32 b) {
    const f32 equal = bits_f32(f32_bits(a) & f32_bits(b));
    return a > b || b != b ? a : b > a || a != a ? b : equal;
}

#endif
