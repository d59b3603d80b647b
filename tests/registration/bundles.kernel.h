/* Kernels, generators and pairs that take arrays in bundles. */
#ifndef BUNDLES_KERNEL_H
#define BUNDLES_KERNEL_H

#include <weft/kernel.h>

typedef struct bundles_span {
    u32 first, last;
} bundles_span;

typedef struct bundles_cells {
    GLOBAL const u32 *start;
    u32 shift;
    GLOBAL const bundles_span *span;
    GLOBAL const f64 *weight;
    f64 scale;
} bundles_cells;

typedef struct bundles_sums {
    GLOBAL u32 *count;
    GLOBAL u32 *total;
    GLOBAL u32 *used;
} bundles_sums;

static inline u32 bundles_mix(index_t i, bundles_cells cells) {
    const bundles_span s = cells.span[i];
    const u32 w = cells.weight ? (u32)(cells.scale * cells.weight[i]) : 7;
    return ((cells.start[i + 1] - cells.start[i]) << cells.shift) + s.first * s.last + w;
}

static inline void bundles_add(index_t i, u32 a, bundles_cells cells,
                               GLOBAL const u32 *extra, bundles_sums sums) {
    sums.count[i] = a + bundles_mix(i, cells) + (extra ? extra[i] : 11);
    sums.total[i] += cells.start[i];
    atomic_add_u32(&sums.used[i % 3], 1);
}

/* Two bundles of one type. */
static inline void bundles_two(index_t i, bundles_cells a, bundles_cells b, GLOBAL u32 *y) {
    y[i] = bundles_mix(i, a) - 3 * bundles_mix(i, b);
}

static inline u32 bundles_lazy(index_t i, bundles_cells cells, u32 salt) {
    return salt ^ bundles_mix(i, cells);
}

typedef struct bundles_table {
    GLOBAL const u32 *factor;
    u32 length;
} bundles_table;

static inline u32 bundles_fold(u32 sum, u32 a, u32 b, bundles_table table,
                               GLOBAL const u32 *offset, u32 c) {
    return 3 * sum + table.factor[b % table.length] * a + offset[0] + c;
}

/* Eleven arrays: five of these are more than a call takes. */
typedef struct bundles_many {
    GLOBAL const u32 *a, *b, *c, *d, *e, *f, *g, *h, *j, *k, *l;
} bundles_many;

static inline u32 bundles_sum(index_t i, bundles_many x) {
    return x.a[i] + 2 * x.b[i] + 3 * x.c[i] + 4 * x.d[i] + 5 * x.e[i] + 6 * x.f[i] +
           7 * x.g[i] + 8 * x.h[i] + 9 * x.j[i] + 10 * x.k[i] + 11 * x.l[i];
}
static inline void bundles_forty(index_t i, bundles_many p, bundles_many q, bundles_many r,
                                 bundles_many s, GLOBAL u32 *y) {
    y[i] = bundles_sum(i, p) + bundles_sum(i, q) + bundles_sum(i, r) + bundles_sum(i, s);
}
static inline void bundles_fifty(index_t i, bundles_many p, bundles_many q, bundles_many r,
                                 bundles_many s, bundles_many t, GLOBAL u32 *y) {
    y[i] = bundles_sum(i, p) + bundles_sum(i, q) + bundles_sum(i, r) + bundles_sum(i, s) +
           bundles_sum(i, t);
}

#endif
