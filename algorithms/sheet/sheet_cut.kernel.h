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

/* What is left of a tetrahedron where x is done with; then of this where y is. */
typedef struct sheet_flat {
    f64 y[4], z[4], weight;
} sheet_flat;
typedef struct sheet_line {
    f64 z[4], weight;
} sheet_line;

static inline void sheet_cut_order(f64 *key, f64 *a, f64 *b, i32 i, i32 j) {
    if (key[j] < key[i]) {
        const f64 k = key[i], l = a[i], m = b[i];
        key[i] = key[j], a[i] = a[j], b[i] = b[j];
        key[j] = k, a[j] = l, b[j] = m;
    }
}

/* Sorts four keys, and two numbers with each. */
static inline void sheet_cut_sort(f64 *key, f64 *a, f64 *b) {
    sheet_cut_order(key, a, b, 0, 1);
    sheet_cut_order(key, a, b, 2, 3);
    sheet_cut_order(key, a, b, 0, 2);
    sheet_cut_order(key, a, b, 1, 3);
    sheet_cut_order(key, a, b, 1, 2);
}

/* The same of four lone keys. */
static inline void sheet_cut_sort_line(sheet_line *line) {
    f64 *z = line->z;
    f64 a = z[0] < z[1] ? z[0] : z[1], b = z[0] < z[1] ? z[1] : z[0];
    f64 c = z[2] < z[3] ? z[2] : z[3], d = z[2] < z[3] ? z[3] : z[2];
    const f64 e = a < c ? c : a, f = b < d ? b : d;
    z[0] = a < c ? a : c;
    z[3] = b < d ? d : b;
    z[1] = e < f ? e : f;
    z[2] = e < f ? f : e;
}

/* Where vertices go and with which weight: the three cases for any number of coordinates.
 * Piece p has vertices from[p][v] to[p][v] at t[p][v] of the way. */
typedef struct sheet_pieces {
    i32 count;
    f64 weight[3];
    i32 from[3][4], to[3][4];
    f64 t[3][4];
} sheet_pieces;

static inline f64 sheet_cut_part(f64 plane, const f64 *key, i32 i, i32 j) {
    return (plane - key[i]) / (key[j] - key[i]);
}

static inline void sheet_cut_vertex(sheet_pieces *p, i32 piece, i32 vertex, i32 from,
                                    i32 to, f64 t) {
    p->from[piece][vertex] = from;
    p->to[piece][vertex] = to;
    p->t[piece][vertex] = t;
}

/* The part below the plane of a tetrahedron whose vertices are sorted by key. */
static inline void sheet_cut_pieces(f64 plane, const f64 *key, sheet_pieces *p) {
    const i32 below =
        (key[0] < plane) + (key[1] < plane) + (key[2] < plane) + (key[3] < plane);
    p->count = below == 0 ? 0 : below == 4 ? 1 : below == 1 ? 1 : below == 2 ? 3 : 2;
    for (i32 v = 0; v < 4; v++)
        sheet_cut_vertex(p, 0, v, v, v, 0);
    p->weight[0] = 1;
    if (below == 1) {
        f64 weight = 1;
        for (i32 v = 1; v < 4; v++) {
            const f64 t = sheet_cut_part(plane, key, 0, v);
            sheet_cut_vertex(p, 0, v, 0, v, t);
            weight *= t;
        }
        p->weight[0] = weight;
    } else if (below == 2) {
        const f64 t02 = sheet_cut_part(plane, key, 0, 2),
                  t03 = sheet_cut_part(plane, key, 0, 3);
        const f64 t12 = sheet_cut_part(plane, key, 1, 2),
                  t13 = sheet_cut_part(plane, key, 1, 3);
        p->weight[0] = t12 * t13;
        p->weight[1] = t02 * (1 - t12) * t13;
        p->weight[2] = t02 * t03 * (1 - t13);
        sheet_cut_vertex(p, 0, 2, 1, 2, t12);
        sheet_cut_vertex(p, 0, 3, 1, 3, t13);
        for (i32 piece = 1; piece < 3; piece++) {
            sheet_cut_vertex(p, piece, 0, 0, 0, 0);
            sheet_cut_vertex(p, piece, 1, 0, 2, t02);
            sheet_cut_vertex(p, piece, 3, 1, 3, t13);
        }
        sheet_cut_vertex(p, 1, 2, 1, 2, t12);
        sheet_cut_vertex(p, 2, 2, 0, 3, t03);
    } else if (below == 3) {
        f64 weight = -1;
        for (i32 v = 0; v < 3; v++) {
            const f64 t = sheet_cut_part(plane, key, 3, v);
            sheet_cut_vertex(p, 1, v, 3, v, t);
            weight *= t;
        }
        sheet_cut_vertex(p, 1, 3, 3, 3, 0);
        p->weight[1] = weight;
    }
}

static inline f64 sheet_cut_between(const f64 *at, i32 from, i32 to, f64 t) {
    return from == to ? at[from] : at[from] + t * (at[to] - at[from]);
}

/* Below x = plane; x is sorted. Sorts each piece by y. */
static inline i32 sheet_cut_x(f64 plane, const f64 *x, const f64 *y, const f64 *z,
                              sheet_flat *out) {
    sheet_pieces p;
    sheet_cut_pieces(plane, x, &p);
    for (i32 piece = 0; piece < p.count; piece++) {
        f64 none[4];
        for (i32 v = 0; v < 4; v++) {
            const i32 from = p.from[piece][v], to = p.to[piece][v];
            out[piece].y[v] = sheet_cut_between(y, from, to, p.t[piece][v]);
            out[piece].z[v] = sheet_cut_between(z, from, to, p.t[piece][v]);
            none[v] = 0;
        }
        out[piece].weight = p.weight[piece];
        sheet_cut_sort(out[piece].y, out[piece].z, none);
    }
    return p.count;
}

/* Below y = plane. Sorts each piece by z. */
static inline i32 sheet_cut_y(f64 plane, const sheet_flat *flat, sheet_line *out) {
    sheet_pieces p;
    sheet_cut_pieces(plane, flat->y, &p);
    for (i32 piece = 0; piece < p.count; piece++) {
        for (i32 v = 0; v < 4; v++)
            out[piece].z[v] =
                sheet_cut_between(flat->z, p.from[piece][v], p.to[piece][v], p.t[piece][v]);
        out[piece].weight = flat->weight * p.weight[piece];
        sheet_cut_sort_line(&out[piece]);
    }
    return p.count;
}

/* The fraction with z below the plane; z is sorted. */
static inline f64 sheet_cut_z(f64 plane, const f64 *z) {
    if (plane <= z[0])
        return 0;
    if (plane <= z[1]) {
        const f64 a = plane - z[0];
        return a * a * a / ((z[1] - z[0]) * (z[2] - z[0]) * (z[3] - z[0]));
    }
    if (plane <= z[2]) {
        const f64 a0 = plane - z[0], a1 = plane - z[1], b2 = z[2] - plane,
                  b3 = z[3] - plane;
        const f64 d02 = z[2] - z[0], d03 = z[3] - z[0], d12 = z[2] - z[1],
                  d13 = z[3] - z[1];
        return (a1 * a1 * (d02 * d03) + a0 * a1 * (b2 * d03) + a0 * a0 * (b3 * d12)) /
               (d12 * d13 * (d02 * d03));
    }
    if (plane <= z[3]) {
        const f64 b = z[3] - plane;
        return 1 - b * b * b / ((z[3] - z[0]) * (z[3] - z[1]) * (z[3] - z[2]));
    }
    return 1;
}

#endif
