/* Which part of a tetrahedron lies below planes x = a and y = b: tetrahedra again, each
 * with a weight; and which part of one lies below z = c: a closed form. Fractions t_ij of
 * edges from vertex i to j, sorted along the axis that is cut, tell all of it. Below the
 * plane are
 *   one vertex: a tip, of t01 t02 t03;
 *   two: three tetrahedra, of t12 t13, t02 (1 - t12) t13 and t02 t03 (1 - t13);
 *   three: the whole less a tip.
 * A plane divides only edges that it cuts, so nothing is divided by 0. */
#ifndef SHEET_CUT_KERNEL_H
#define SHEET_CUT_KERNEL_H

#include <weft/kernel.h>

/* What is left of a tetrahedron where x is done with; sorted by y. */
typedef struct sheet_flat {
    f64 y[4], z[4], weight;
} sheet_flat;

/* Bits, since compilers make branches of what is chosen between two that they could
 * compute.
 */
static inline f64 sheet_cut_choose(i32 first, f64 a, f64 b) {
    const u64 mask = 0 - (u64)(u32)first;
    return bits_f64((f64_bits(a) & mask) | (f64_bits(b) & ~mask));
}

static inline void sheet_cut_order(f64 *key, f64 *a, f64 *b, i32 i, i32 j) {
    const i32 swap = key[j] < key[i];
    const f64 k = key[i], l = a[i], m = b[i];
    key[i] = sheet_cut_choose(swap, key[j], k), key[j] = sheet_cut_choose(swap, k, key[j]);
    a[i] = sheet_cut_choose(swap, a[j], l), a[j] = sheet_cut_choose(swap, l, a[j]);
    b[i] = sheet_cut_choose(swap, b[j], m), b[j] = sheet_cut_choose(swap, m, b[j]);
}

/* Sorts four keys, and two numbers with each. */
static inline void sheet_cut_sort(f64 *key, f64 *a, f64 *b) {
    sheet_cut_order(key, a, b, 0, 1);
    sheet_cut_order(key, a, b, 2, 3);
    sheet_cut_order(key, a, b, 0, 2);
    sheet_cut_order(key, a, b, 1, 3);
    sheet_cut_order(key, a, b, 1, 2);
}

static inline void sheet_cut_sort_flat(sheet_flat *flat) {
    f64 none[4] = {0, 0, 0, 0};
    sheet_cut_sort(flat->y, flat->z, none);
}

static inline i32 sheet_cut_below(f64 plane, const f64 *key) {
    return (key[0] < plane) + (key[1] < plane) + (key[2] < plane) + (key[3] < plane);
}

static inline f64 sheet_cut_part(f64 plane, const f64 *key, i32 i, i32 j) {
    return (plane - key[i]) / (key[j] - key[i]);
}

static inline f64 sheet_cut_between(const f64 *at, i32 from, i32 to, f64 t) {
    return at[from] + t * (at[to] - at[from]);
}

/* Vertices are sorted, where `sorts`; else that is left to who has many pieces. */
static inline sheet_flat sheet_cut_flat(i32 sorts, f64 weight, f64 y0, f64 y1, f64 y2,
                                        f64 y3, f64 z0, f64 z1, f64 z2, f64 z3) {
    sheet_flat flat;
    flat.y[0] = y0, flat.y[1] = y1, flat.y[2] = y2, flat.y[3] = y3;
    flat.z[0] = z0, flat.z[1] = z1, flat.z[2] = z2, flat.z[3] = z3;
    flat.weight = weight;
    if (sorts)
        sheet_cut_sort_flat(&flat);
    return flat;
}

/* The tip below x = plane, or with a negative weight that above: from vertex i. */
static inline sheet_flat sheet_cut_tip(i32 sorts, f64 plane, const f64 *x, const f64 *y,
                                       const f64 *z, i32 i) {
    const i32 j = i == 0 ? 1 : 0, k = i == 0 ? 2 : 1, l = i == 0 ? 3 : 2;
    const f64 tj = sheet_cut_part(plane, x, i, j), tk = sheet_cut_part(plane, x, i, k),
              tl = sheet_cut_part(plane, x, i, l);
    return sheet_cut_flat(sorts, (i == 0 ? 1 : -1) * (tj * tk * tl), y[i],
                          sheet_cut_between(y, i, j, tj), sheet_cut_between(y, i, k, tk),
                          sheet_cut_between(y, i, l, tl), z[i],
                          sheet_cut_between(z, i, j, tj), sheet_cut_between(z, i, k, tk),
                          sheet_cut_between(z, i, l, tl));
}

/* Below x = plane; x is sorted. Where three or four vertices are, less the whole. */
static inline i32 sheet_cut_x(i32 sorts, f64 plane, const f64 *x, const f64 *y,
                              const f64 *z, sheet_flat *out) {
    const i32 below = sheet_cut_below(plane, x);
    if (below == 0 || below == 4)
        return 0;
    if (below != 2) {
        out[0] = sheet_cut_tip(sorts, plane, x, y, z, below == 1 ? 0 : 3);
        return 1;
    }
    const f64 t02 = sheet_cut_part(plane, x, 0, 2), t03 = sheet_cut_part(plane, x, 0, 3),
              t12 = sheet_cut_part(plane, x, 1, 2), t13 = sheet_cut_part(plane, x, 1, 3);
    const f64 y02 = sheet_cut_between(y, 0, 2, t02), y03 = sheet_cut_between(y, 0, 3, t03),
              y12 = sheet_cut_between(y, 1, 2, t12), y13 = sheet_cut_between(y, 1, 3, t13);
    const f64 z02 = sheet_cut_between(z, 0, 2, t02), z03 = sheet_cut_between(z, 0, 3, t03),
              z12 = sheet_cut_between(z, 1, 2, t12), z13 = sheet_cut_between(z, 1, 3, t13);
    out[0] = sheet_cut_flat(sorts, t12 * t13, y[0], y[1], y12, y13, z[0], z[1], z12, z13);
    out[1] = sheet_cut_flat(sorts, t02 * (1 - t12) * t13, y[0], y02, y12, y13, z[0], z02,
                            z12, z13);
    out[2] = sheet_cut_flat(sorts, t02 * t03 * (1 - t13), y[0], y02, y03, y13, z[0], z02,
                            z03, z13);
    return 3;
}

/* Where z lies among four vertices: what of the closed form does not depend on the corner.
 */
typedef struct sheet_form {
    f64 z0, z1, z2, z3, d03, d12, d0, low, middle, high;
} sheet_form;

static inline sheet_form sheet_cut_form(f64 p, f64 q, f64 r, f64 s) {
    const f64 a = p < q ? p : q, b = p < q ? q : p, c = r < s ? r : s, d = r < s ? s : r;
    const f64 e = a < c ? c : a, f = b < d ? b : d;
    const f64 z0 = a < c ? a : c, z1 = e < f ? e : f, z2 = e < f ? f : e,
              z3 = b < d ? d : b;
    const f64 d03 = z3 - z0, d12 = z2 - z1, d13 = z3 - z1, d0 = (z2 - z0) * d03;
    sheet_form form;
    form.z0 = z0, form.z1 = z1, form.z2 = z2, form.z3 = z3;
    form.d03 = d03, form.d12 = d12, form.d0 = d0;
    form.low = 1 / ((z1 - z0) * d0);
    form.middle = 1 / (d12 * d13 * d0);
    form.high = 1 / (d03 * d13 * (z3 - z2));
    return form;
}

/* The fraction below z. */
static inline f64 sheet_cut_fraction(const sheet_form *form, f64 z) {
    const f64 a0 = z - form->z0, a1 = z - form->z1, b2 = form->z2 - z, b3 = form->z3 - z;
    const f64 in_low = a0 * a0 * a0 * form->low;
    const f64 in_middle =
        (a1 * a1 * form->d0 + a0 * a1 * (b2 * form->d03) + a0 * a0 * (b3 * form->d12)) *
        form->middle;
    const f64 in_high = 1 - b3 * b3 * b3 * form->high;
    const f64 upper = sheet_cut_choose(z <= form->z2, in_middle, in_high);
    const f64 inside = sheet_cut_choose(z <= form->z1, in_low, upper);
    const f64 above = sheet_cut_choose(z <= form->z0, 0, inside);
    return sheet_cut_choose(z > form->z3, 1, above);
}

/* A part of a piece, for which the closed form is left. */
typedef struct sheet_part {
    f64 z[4], weight;
} sheet_part;

static inline sheet_part sheet_cut_to_part(f64 z0, f64 z1, f64 z2, f64 z3, f64 weight) {
    sheet_part part;
    part.z[0] = z0, part.z[1] = z1, part.z[2] = z2, part.z[3] = z3;
    part.weight = weight;
    return part;
}

/* Below y = plane, of which `below` vertices are. Where three are, less the whole. */
static inline i32 sheet_cut_parts(f64 plane, const sheet_flat *flat, i32 below,
                                  sheet_part *out) {
    const f64 *y = flat->y, *z = flat->z;
    if (below == 0 || below == 4)
        return 0;
    if (below != 2) {
        const i32 i = below == 1 ? 0 : 3, j = below == 1, k = j + 1, l = j + 2;
        const f64 tj = sheet_cut_part(plane, y, i, j), tk = sheet_cut_part(plane, y, i, k),
                  tl = sheet_cut_part(plane, y, i, l);
        out[0] = sheet_cut_to_part(z[i], sheet_cut_between(z, i, j, tj),
                                   sheet_cut_between(z, i, k, tk),
                                   sheet_cut_between(z, i, l, tl),
                                   (i == 0 ? 1 : -1) * flat->weight * (tj * tk * tl));
        return 1;
    }
    const f64 t02 = sheet_cut_part(plane, y, 0, 2), t03 = sheet_cut_part(plane, y, 0, 3),
              t12 = sheet_cut_part(plane, y, 1, 2), t13 = sheet_cut_part(plane, y, 1, 3);
    const f64 z02 = sheet_cut_between(z, 0, 2, t02), z03 = sheet_cut_between(z, 0, 3, t03),
              z12 = sheet_cut_between(z, 1, 2, t12), z13 = sheet_cut_between(z, 1, 3, t13);
    const f64 w = flat->weight;
    out[0] = sheet_cut_to_part(z[0], z[1], z12, z13, w * (t12 * t13));
    out[1] = sheet_cut_to_part(z[0], z02, z12, z13, w * (t02 * (1 - t12) * t13));
    out[2] = sheet_cut_to_part(z[0], z02, z03, z13, w * (t02 * t03 * (1 - t13)));
    return 3;
}

#endif
