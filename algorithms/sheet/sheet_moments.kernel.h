/* Momentum and energy in cells. A plane leaves pieces of a tetrahedron that are tetrahedra,
 * along z too, and over each the mean of a linear field is that of its four vertices. */
#ifndef SHEET_MOMENTS_KERNEL_H
#define SHEET_MOMENTS_KERNEL_H

#include <weft/kernel.h>
#include "sheet_cut.kernel.h"
#include "sheet_window.kernel.h"

/* A work-item does so many cells along each axis; numbers a cell: momentum and energy. */
enum { SHEET_MOMENTS_WINDOW = 8, SHEET_MOMENTS_CORNERS = 9, SHEET_MOMENTS = 4 };

/* Along x, y and z, and the velocity, of each vertex. */
typedef struct sheet_piece {
    f64 weight, at[6][4];
} sheet_piece;

static inline void sheet_moments_order(sheet_piece *p, i32 axis, i32 i, i32 j) {
    if (p->at[axis][i] <= p->at[axis][j])
        return;
    for (i32 k = axis; k < 6; k++) {
        const f64 other = p->at[k][i];
        p->at[k][i] = p->at[k][j];
        p->at[k][j] = other;
    }
}

/* Adds a piece to `out`: vertex v is t[v] of the way from that of number from[v] to that of
 * to[v]. Only axes behind `axis` are needed. */
static inline void sheet_moments_add(const sheet_piece *p, i32 axis, f64 weight,
                                     const i32 *from, const i32 *to, const f64 *t,
                                     sheet_piece *out) {
    out->weight = p->weight * weight;
    for (i32 k = axis + 1; k < 6; k++)
        for (i32 v = 0; v < 4; v++)
            out->at[k][v] =
                p->at[k][from[v]] + t[v] * (p->at[k][to[v]] - p->at[k][from[v]]);
}

/* The tip at vertex i. */
static inline void sheet_moments_tip(const sheet_piece *p, i32 axis, f64 plane, i32 i,
                                     sheet_piece *out) {
    const i32 from[4] = {i, i, i, i}, to[4] = {i, i == 0, i == 0 ? 2 : 1, i == 0 ? 3 : 2};
    f64 t[4] = {0, 0, 0, 0};
    for (i32 v = 1; v < 4; v++)
        t[v] = sheet_cut_part(plane, p->at[axis], i, to[v]);
    sheet_moments_add(p, axis, (i == 0 ? 1 : -1) * (t[1] * t[2] * t[3]), from, to, t, out);
}

/* What of a piece lies below a plane: up to three, and how many. */
static inline i32 sheet_moments_cut(const sheet_piece *piece, i32 axis, f64 plane,
                                    sheet_piece *out) {
    const i32 below = sheet_cut_below(plane, piece->at[axis]);
    if (below == 0)
        return 0;
    out[0] = *piece;
    if (below == 4)
        return 1;
    sheet_piece p = *piece;
    sheet_moments_order(&p, axis, 0, 1);
    sheet_moments_order(&p, axis, 2, 3);
    sheet_moments_order(&p, axis, 0, 2);
    sheet_moments_order(&p, axis, 1, 3);
    sheet_moments_order(&p, axis, 1, 2);
    if (below != 2) {
        sheet_moments_tip(&p, axis, plane, below == 1 ? 0 : 3, &out[below == 3]);
        return below == 1 ? 1 : 2;
    }
    const f64 *x = p.at[axis];
    const f64 t02 = sheet_cut_part(plane, x, 0, 2), t03 = sheet_cut_part(plane, x, 0, 3),
              t12 = sheet_cut_part(plane, x, 1, 2), t13 = sheet_cut_part(plane, x, 1, 3);
    const i32 from[3][4] = {{0, 1, 1, 1}, {0, 0, 1, 1}, {0, 0, 0, 1}};
    const i32 to[3][4] = {{0, 1, 2, 3}, {0, 2, 2, 3}, {0, 2, 3, 3}};
    const f64 t[3][4] = {{0, 0, t12, t13}, {0, t02, t12, t13}, {0, t02, t03, t13}};
    const f64 weight[3] = {t12 * t13, t02 * (1 - t12) * t13, t02 * t03 * (1 - t13)};
    for (i32 k = 0; k < 3; k++)
        sheet_moments_add(&p, axis, weight[k], from[k], to[k], t[k], &out[k]);
    return 3;
}

/* Momentum, and a third of the squared velocity, of pieces below z = plane, in units. */
static inline void sheet_moments_sum(const sheet_piece *piece, i32 pieces, f64 plane,
                                     f64 units, i64 *out) {
    f64 sum[SHEET_MOMENTS] = {0, 0, 0, 0};
    for (i32 p = 0; p < pieces; p++) {
        sheet_piece part[3];
        const i32 parts = sheet_moments_cut(&piece[p], 2, plane, part);
        for (i32 q = 0; q < parts; q++)
            for (i32 k = 0; k < 3; k++) {
                const f64 *v = part[q].at[3 + k];
                const f64 all = (v[0] + v[1]) + (v[2] + v[3]);
                const f64 squares =
                    (v[0] * v[0] + v[1] * v[1]) + (v[2] * v[2] + v[3] * v[3]);
                sum[k] += part[q].weight * (all / 4);
                sum[3] += part[q].weight * ((squares + all * all) / 60);
            }
    }
    for (i32 k = 0; k < SHEET_MOMENTS; k++)
        out[k] = (i64)floor(sum[k] * units + 0.5);
}

/* Adds what the cell before corner (a, b, c) has. */
static inline void sheet_moments_write(const sheet_axis *axis, const i64 *corner,
                                       const i64 *value, GLOBAL u32 *momentum,
                                       GLOBAL u32 *energy) {
    i64 cell = 0;
    for (i32 k = 0; k < 3; k++) {
        const i64 place = sheet_window_cell(&axis[k], corner[k]);
        if (place >= axis[k].count)
            return;
        cell += place * axis[k].stride;
    }
    for (i32 k = 0; k < 3; k++)
        sheet_add(momentum, 3 * (index_t)cell + k, value[k]);
    sheet_add(energy, (index_t)cell, value[3]);
}

/* Sums at corners, rounded to units, and their differences, as masses have. */
static inline void sheet_moments_window(const sheet_axis *axis, const sheet_piece *whole,
                                        f64 units, GLOBAL u32 *momentum,
                                        GLOBAL u32 *energy) {
    i64 below[SHEET_MOMENTS_CORNERS][SHEET_MOMENTS_CORNERS][SHEET_MOMENTS];
    i64 beside[SHEET_MOMENTS_CORNERS][SHEET_MOMENTS];
    for (i64 a = axis[0].low; a <= axis[0].high; a++) {
        sheet_piece x[3], y[9];
        const i32 n =
            a == 0 ? 0 : sheet_moments_cut(whole, 0, sheet_window_plane(&axis[0], a), x);
        for (i32 b = 0; b <= (i32)(axis[1].high - axis[1].low); b++) {
            const i64 row = axis[1].low + b;
            i32 m = 0;
            for (i32 p = 0; p < n && row > 0; p++)
                m += sheet_moments_cut(&x[p], 1, sheet_window_plane(&axis[1], row), &y[m]);
            i64 last[SHEET_MOMENTS] = {0, 0, 0, 0};
            for (i32 c = 0; c <= (i32)(axis[2].high - axis[2].low); c++) {
                const i64 corner[3] = {a, row, axis[2].low + c};
                i64 now[SHEET_MOMENTS] = {0, 0, 0, 0}, value[SHEET_MOMENTS];
                if (m > 0 && corner[2] > 0)
                    sheet_moments_sum(y, m, sheet_window_plane(&axis[2], corner[2]), units,
                                      now);
                for (i32 k = 0; k < SHEET_MOMENTS; k++) {
                    const i64 step = now[k] - (a > axis[0].low ? below[b][c][k] : 0);
                    value[k] = step - last[k] - (b > 0 ? beside[c][k] : 0);
                    below[b][c][k] = now[k];
                    beside[c][k] = step - last[k];
                    last[k] = step;
                }
                if (a > axis[0].low && b > 0 && c > 0)
                    sheet_moments_write(axis, corner, value, momentum, energy);
            }
        }
    }
}

/* As sheet_deposit. */
static inline void sheet_moments_deposit(index_t i, sheet_frame f, GLOBAL const u32 *blocks,
                                         GLOBAL const u32 *of, GLOBAL const u32 *part,
                                         f64 speed, GLOBAL const f64 *position,
                                         GLOBAL const f64 *velocity, GLOBAL u32 *windows,
                                         GLOBAL u32 *momentum, GLOBAL u32 *energy) {
    const i64 number = sheet_find_number(of ? of[i] : (u32)i, f, blocks);
    if (!of)
        windows[i] = 0;
    if (number >= f.end)
        return;
    const sheet_tetrahedron t = sheet_find(number, f, position);
    const i64 all = of ? 1 : sheet_window_count(&t, f, SHEET_MOMENTS_WINDOW);
    if (!of)
        windows[i] = all > 1 ? (u32)all : 0;
    sheet_axis axis[3];
    if (all != 1 ||
        !sheet_window_axes(&t, f, of ? (i64)part[i] : 0, SHEET_MOMENTS_WINDOW, axis))
        return;
    index_t site[4];
    sheet_find_sites(number, f, site);
    sheet_piece whole;
    whole.weight = 1;
    for (i32 k = 0; k < 3; k++)
        for (i32 v = 0; v < 4; v++) {
            whole.at[k][v] = axis[k].at[v];
            whole.at[3 + k][v] = velocity[3 * site[v] + k] / speed;
        }
    sheet_moments_window(axis, &whole, f.units, momentum, energy);
}

static inline f64 sheet_moments_size(index_t i, GLOBAL const f64 *velocity) {
    return fabs(velocity[i]);
}

static inline f64 sheet_moments_larger(f64 a, f64 b) {
    return a < b ? b : a;
}

static inline u32 sheet_moments_is_fast(index_t i, f64 speed, GLOBAL const f64 *velocity) {
    return !(fabs(velocity[i]) <= speed);
}

#endif
