#ifndef PATHS_KERNEL_H
#define PATHS_KERNEL_H

#include <weft/kernel.h>

/* x -> slope * x + shift: composition is associative and does not commute. */
typedef struct paths_line {
    u32 slope, shift;
} paths_line;

static inline paths_line paths_compose(paths_line a, paths_line b) {
    paths_line both;
    both.slope = b.slope * a.slope;
    both.shift = b.slope * a.shift + b.shift;
    return both;
}

/* Too large for a work-item of a full group to hold in local memory. */
typedef struct paths_wide {
    u32 word[75];
} paths_wide;

static inline paths_wide paths_wide_add(paths_wide a, paths_wide b) {
    for (i32 k = 0; k < 75; k++)
        a.word[k] += b.word[k];
    return a;
}

static inline paths_wide paths_wide_make(index_t i, u32 seed) {
    paths_wide w;
    for (i32 k = 0; k < 75; k++)
        w.word[k] = ((u32)i + seed) * (u32)(2 * k + 1);
    return w;
}

static inline paths_line paths_line_make(index_t i, GLOBAL const u32 *seed) {
    paths_line l;
    l.slope = seed[i] | 1u;
    l.shift = seed[i] >> 7;
    return l;
}

/* A head every so often. */
static inline u32 paths_head(index_t i, GLOBAL const u32 *seed, u32 rarity) {
    return seed[i] % rarity == 0;
}

/* Small whole numbers: their sums are exact in any association. */
static inline f32 paths_small(index_t i, GLOBAL const u32 *seed) {
    return (f32)(seed[i] % 8);
}

static inline f64 paths_small_f64(index_t i, GLOBAL const u32 *seed) {
    return (f64)(seed[i] % 1000);
}

static inline u64 paths_add(u64 a, u64 b) {
    return a + b;
}

static inline u64 paths_square(index_t i, u64 shift) {
    return ((u64)i + shift) * ((u64)i + shift);
}

#endif
