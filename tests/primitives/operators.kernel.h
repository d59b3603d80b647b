/* What the tests of operators, reductions and scans fold. */
#ifndef OPERATORS_KERNEL_H
#define OPERATORS_KERNEL_H

#include <weft/kernel.h>

/* x -> a * x + b, modulo 2^32: composing them is associative, but does not commute. */
typedef struct operators_line {
    u32 a, b;
} operators_line;

static inline operators_line operators_compose(operators_line f, operators_line g) {
    const operators_line both = {f.a * g.a, f.b * g.a + g.b};
    return both;
}

/* A sum in f32 of three, and a count: 16 bytes that commute. */
typedef struct operators_box {
    i32 low, high;
    u32 bits, count;
} operators_box;

static inline operators_box operators_join(operators_box a, operators_box b) {
    operators_box both;
    both.low = a.low < b.low ? a.low : b.low;
    both.high = a.high > b.high ? a.high : b.high;
    both.bits = a.bits ^ b.bits;
    both.count = a.count + b.count;
    return both;
}

typedef struct operators_giant {
    u32 words[1025];
} operators_giant;

static inline operators_giant operators_keep(operators_giant a, operators_giant b) {
    (void)b;
    return a;
}

#endif
