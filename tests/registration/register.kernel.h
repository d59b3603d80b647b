/* Kernels with many parameters, structs, helpers, includes, and every element type. */
#ifndef REGISTER_KERNEL_H
#define REGISTER_KERNEL_H

#include <weft/kernel.h>
#include "register_body.h"
#include "register_tables.h"

static inline void
register_sixteen(index_t i, u32 a, GLOBAL const u32 *b, GLOBAL const u32 *c,
                 GLOBAL const u32 *d, GLOBAL const u32 *e, GLOBAL const u32 *f,
                 GLOBAL const u32 *g, GLOBAL const u32 *h, GLOBAL const u32 *j,
                 GLOBAL const u32 *k, u32 l, GLOBAL const u32 *m, GLOBAL const u32 *n,
                 GLOBAL const u32 *o, GLOBAL const u32 *p, GLOBAL u32 *q) {
    q[i] = a + 2 * b[i] + 3 * c[i] + 4 * d[i] + 5 * e[i] + 6 * f[i] + 7 * g[i] + 8 * h[i] +
           9 * j[i] + 10 * k[i] + 11 * l + 12 * m[i] + 13 * n[i] + 14 * o[i] + 15 * p[i];
}

static inline void register_thirty_two(index_t i, u32 a1, u32 a2, u32 a3, u32 a4, u32 a5,
                                       u32 a6, u32 a7, u32 a8, u32 a9, u32 a10, u32 a11,
                                       u32 a12, u32 a13, u32 a14, u32 a15, u32 a16, u32 a17,
                                       u32 a18, u32 a19, u32 a20, u32 a21, u32 a22, u32 a23,
                                       u32 a24, u32 a25, u32 a26, u32 a27, u32 a28, u32 a29,
                                       u32 a30, GLOBAL const u32 *x, GLOBAL u32 *y) {
    y[i] = x[i] * (a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12 + a13 +
                   a14 + a15 + a16 + a17 + a18 + a19 + a20 + a21 + a22 + a23 + a24 + a25 +
                   a26 + a27 + a28 + a29) +
           a30;
}

/* One value and one array of each element type. */
static inline void register_types(index_t i, i8 a, u8 b, i16 c, u16 d, i32 e, u32 f, i64 g,
                                  u64 h, f32 j, f64 k, GLOBAL i8 *va, GLOBAL u8 *vb,
                                  GLOBAL i16 *vc, GLOBAL u16 *vd, GLOBAL i32 *ve,
                                  GLOBAL u32 *vf, GLOBAL i64 *vg, GLOBAL u64 *vh,
                                  GLOBAL f32 *vj, GLOBAL f64 *vk) {
    va[i] = (i8)(va[i] + a);
    vb[i] = (u8)(vb[i] + b);
    vc[i] = (i16)(vc[i] + c);
    vd[i] = (u16)(vd[i] + d);
    ve[i] += e;
    vf[i] += f;
    vg[i] += g;
    vh[i] += h;
    vj[i] += j;
    vk[i] += k;
}

/* Names that loops around a kernel may well use themselves. */
static inline u32 register_named(u32 begin, u32 end, u32 i, u32 j, u32 first,
                                 u32 argument) {
    return begin + 3 * end + 5 * i + 7 * j + 11 * first + 13 * argument;
}

static inline void register_names(index_t k, u32 begin, u32 end, u32 i,
                                  GLOBAL const u32 *first, GLOBAL const u32 *argument,
                                  GLOBAL u32 *out) {
    out[k] = register_named(begin, end, i, (u32)k, first[k], argument[k]);
}

static inline u32 register_lazy_names(index_t k, u32 begin, u32 end, u32 i,
                                      GLOBAL const u32 *out, GLOBAL const u32 *argument) {
    return register_named(begin, end, i, (u32)k, out[k], argument[k]);
}

static inline void register_move(index_t i, register_body by,
                                 GLOBAL register_body *bodies) {
    bodies[i] = register_sum(bodies[i], by);
    bodies[i].weight = register_weights[i % 4];
}

/* A lazy struct, and an operator that joins two. */
static inline register_extent register_interval(index_t i, u32 salt) {
    const u32 value = ((u32)i + salt) * 2654435761u;
    const register_extent one = {value, value, 1};
    return one;
}

static inline register_extent register_join(register_extent a, register_extent b) {
    a.low = min(a.low, b.low);
    a.high = max(a.high, b.high);
    a.count += b.count;
    return a;
}

/* Arrays of lengths that follow from n, and a table of any length. */
static inline void register_lengths(index_t i, GLOBAL const u32 *offset,
                                    GLOBAL const u32 *table, GLOBAL u32 *difference) {
    difference[i] = offset[i + 1] - offset[i] + table[0];
}

/* Touches memory for i beyond 2^32 alone: atomically, since a masked store for each i
 * takes a minute. */
static inline void register_far(index_t i, GLOBAL u32 *y) {
    const i64 beyond = (i64)i - ((i64)1 << 32);
    if (beyond >= 0)
        atomic_store_u32(y + beyond, (u32)beyond + 1);
}

#endif
