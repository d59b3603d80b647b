/* The usual operators on f64. A number wins over a NaN, and -0 is below +0, so that the
 * result does not depend on the order in which the elements come. */
#ifndef OPERATORS_F64_KERNEL_H
#define OPERATORS_F64_KERNEL_H

#include <weft/kernel.h>

static inline f64 operators_f64_plus(f64 a, f64 b) {
    return a + b;
}
static inline f64 operators_f64_times(f64 a, f64 b) {
    return a * b;
}
static inline f64 operators_f64_minimum(f64 a, f64 b) {
    const f64 equal = bits_f64(f64_bits(a) | f64_bits(b));
    return a < b || b != b ? a : b < a || a != a ? b : equal;
}
static inline f64 operators_f64_maximum(f64 a, f64 b) {
    const f64 equal = bits_f64(f64_bits(a) & f64_bits(b));
    return a > b || b != b ? a : b > a || a != a ? b : equal;
}

#endif
