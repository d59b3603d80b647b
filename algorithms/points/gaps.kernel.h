/* An axis with its empty stretches cut short. */
#ifndef WEFT_GAPS_KERNEL_H
#define WEFT_GAPS_KERNEL_H

#include "points.kernel.h"

static inline void gaps_read(index_t i, i64 stride, i32 wide, f64 box,
                             GLOBAL const u32 *words, GLOBAL f64 *at) {
    const f64 x = points_coordinate(words, i * (index_t)stride, wide);
    at[i] = box > 0 ? points_remainder(x, box) : x;
}

/* Whether a gap wider than `reach` lies before the i-th sorted coordinate. */
static inline u32 gaps_parts(index_t i, f64 reach, GLOBAL const f64 *at) {
    return i == 0 || at[i] - at[i - 1] > reach;
}

/* Cells that segment i spans, and two that stay empty after it. */
static inline i64 gaps_width(index_t i, f64 length, GLOBAL const u32 *start,
                             GLOBAL const f64 *at) {
    return (i64)((at[start[i + 1] - 1] - at[start[i]]) / length) + 3;
}

/* Places coordinate i, in segment ordinal[i] - 1; with `joins` the first segment goes on
 * where the last one ends, a period later. */
static inline void gaps_place(index_t i, f64 length, f64 box, i64 segments, i32 joins,
                              GLOBAL const f64 *at, GLOBAL const u32 *order,
                              GLOBAL const u32 *ordinal, GLOBAL const u32 *start,
                              GLOBAL const i64 *base, GLOBAL f64 *out) {
    const i32 wraps = joins && ordinal[i] == 1;
    const u32 segment = wraps ? (u32)segments - 1 : ordinal[i] - 1;
    const f64 from = at[start[segment]];
    const f64 x = wraps ? (at[i] + box / 2) + (box / 2 - from) : at[i] - from;
    out[order[i]] = (f64)base[segment] * length + x;
}

#endif
