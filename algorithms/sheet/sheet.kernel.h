/* The cells that each tetrahedron meets, and its mass in them. */
#ifndef SHEET_KERNEL_H
#define SHEET_KERNEL_H

#include <weft/kernel.h>
#include "../points/points.kernel.h"
#include "sheet_add.kernel.h"
#include "sheet_cut.kernel.h"

/* A work-item does so many cells along each axis of the box around a tetrahedron. */
enum { SHEET_WINDOW = 16, SHEET_CORNERS = SHEET_WINDOW + 1 };

/* Corners 4 dx + 2 dy + dz of a cube: abel's tetrahedra, then kuhn's around 0-7. */
CONSTANT u8 sheet_corners[12][4] = {{1, 0, 2, 4}, {4, 2, 1, 3}, {3, 5, 1, 4}, {4, 5, 6, 3},
                                    {3, 2, 6, 4}, {3, 7, 5, 6}, {0, 4, 6, 7}, {0, 4, 5, 7},
                                    {0, 2, 6, 7}, {0, 2, 3, 7}, {0, 1, 5, 7}, {0, 1, 3, 7}};
/* The ends of the four diagonals. */
CONSTANT u8 sheet_diagonals[4] = {0, 1, 2, 4};

typedef struct sheet_frame {
    i64 n[3], cells[3];     /* of the lattice, of the whole grid */
    i64 first[3], count[3]; /* the cells that are asked for */
    f64 box[3], scale[3];   /* cells a length */
    f64 units;              /* a tetrahedron */
    i64 begin;              /* the first tetrahedron */
    i32 each, kind;         /* tetrahedra a cube; the first of sheet_corners */
} sheet_frame;

/* In cells, from cell `base` of the grid, which may lie outside of it by a period. */
typedef struct sheet_tetrahedron {
    f64 at[3][4];
    i64 base[3], extent[3];
} sheet_tetrahedron;

static inline index_t sheet_site(const i64 *place, sheet_frame f, i32 corner) {
    i64 site = 0;
    for (i32 k = 0; k < 3; k++) {
        const i64 p = place[k] + (corner >> (2 - k) & 1);
        site = site * f.n[k] + (p < f.n[k] ? p : 0);
    }
    return (index_t)site;
}

static inline sheet_tetrahedron sheet_find(i64 number, sheet_frame f,
                                           GLOBAL const f64 *position) {
    sheet_tetrahedron t;
    const i64 cube = number / f.each;
    const i32 which = (i32)(number % f.each), row = f.kind + which % 6;
    const i64 place[3] = {cube / (f.n[1] * f.n[2]), cube / f.n[2] % f.n[1], cube % f.n[2]};
    const i32 flip = f.each > 6 ? sheet_diagonals[which / 6] : 0;
    const index_t origin = 3 * (index_t)cube;
    for (i32 v = 0; v < 4; v++) {
        const index_t site = 3 * sheet_site(place, f, sheet_corners[row][v] ^ flip);
        for (i32 k = 0; k < 3; k++) {
            const f64 from = position[origin + k];
            const f64 d = points_remainder(position[site + k] - from, f.box[k]);
            t.at[k][v] = (from + d) * f.scale[k];
        }
    }
    for (i32 k = 0; k < 3; k++) {
        const f64 low = floor(points_less(points_less(t.at[k][0], t.at[k][1]),
                                          points_less(t.at[k][2], t.at[k][3])));
        f64 high = 0;
        for (i32 v = 0; v < 4; v++) {
            t.at[k][v] -= low;
            high = points_more(high, t.at[k][v]);
        }
        t.base[k] = (i64)low;
        t.extent[k] = (i64)high + 1;
    }
    return t;
}

/* Place 0 .. n - 1 of a cell, or of one that is some periods away. */
static inline i64 sheet_wrap(i64 cell, i64 n) {
    const i64 r = cell % n;
    return r < 0 ? r + n : r;
}

/* Whether cells base .. base + extent touch those asked for. */
static inline i32 sheet_meets(i64 base, i64 extent, i64 first, i64 count, i64 n) {
    const i64 from = sheet_wrap(base - first, n);
    return from < count || from + extent > n;
}

static inline void sheet_count(index_t i, sheet_frame f, GLOBAL const f64 *position,
                               GLOBAL u32 *windows) {
    const sheet_tetrahedron t = sheet_find(f.begin + (i64)i, f, position);
    i64 all = 1;
    for (i32 k = 0; k < 3; k++)
        all *= sheet_meets(t.base[k], t.extent[k], f.first[k], f.count[k], f.cells[k])
                   ? (t.extent[k] + SHEET_WINDOW - 1) / SHEET_WINDOW
                   : 0;
    windows[i] = (u32)all;
}

/* One axis of a tetrahedron, and of the cells that are asked for. */
typedef struct sheet_axis {
    f64 at[4];
    i64 place, extent; /* its first cell, from the first that is asked for */
    i64 low, high;     /* corners of the window, from there */
    i64 cells, count, stride;
} sheet_axis;

/* Cells a - 1 .. a of an axis, from the first that is asked for. */
static inline i64 sheet_cell(const sheet_axis *axis, i64 a) {
    const i64 cell = axis->place + a - 1;
    return cell < axis->cells ? cell : cell % axis->cells;
}

/* The axis along which it is longest last: there a corner costs least. */
static inline void sheet_sort_axes(sheet_axis *axis) {
    for (i32 k = 0; k < 3; k++) {
        const i32 i = k & 1;
        if (axis[i + 1].extent < axis[i].extent) {
            const sheet_axis other = axis[i];
            axis[i] = axis[i + 1];
            axis[i + 1] = other;
        }
    }
}

/* Units in a row of corners: of pieces below y = plane. */
static inline void sheet_row(const sheet_flat *flat, i32 flats, f64 plane,
                             f64 whole[3][SHEET_ROW], sheet_span span, f64 units,
                             i64 *out) {
    f64 sum[SHEET_ROW];
    for (i32 k = 0; k < SHEET_ROW; k++)
        sum[k] = 0;
    for (i32 p = 0; p < flats; p++)
        sheet_cut_y(plane, &flat[p], whole[p], span, sum);
    for (i32 k = 0; k < span.count; k++)
        out[k] = (i64)floor(sum[k] * units + 0.5);
}

/* Pieces below z alone. */
static inline void sheet_whole(const sheet_flat *flat, i32 flats, sheet_span span,
                               f64 whole[3][SHEET_ROW]) {
    for (i32 p = 0; p < flats; p++) {
        const f64 *z = flat[p].z;
        for (i32 k = 0; k < SHEET_ROW; k++)
            whole[p][k] = 0;
        sheet_cut_z(z[0], z[1], z[2], z[3], flat[p].weight, span, whole[p]);
    }
}

/* Adds a row of cells, those below and beside corners (a, b, low + 1 .. high). */
static inline void sheet_add_row(const sheet_axis *axis, i64 a, i64 b, const i64 *step,
                                 const i64 *beside, GLOBAL u32 *units) {
    const i64 x = sheet_cell(&axis[0], a), y = sheet_cell(&axis[1], b);
    if (x >= axis[0].count || y >= axis[1].count)
        return;
    const i64 row = x * axis[0].stride + y * axis[1].stride;
    i64 z = sheet_cell(&axis[2], axis[2].low + 1);
    for (i32 c = 1; c <= (i32)(axis[2].high - axis[2].low); c++) {
        const i64 mass = step[c] - step[c - 1] - (beside[c] - beside[c - 1]);
        if (mass != 0 && z < axis[2].count)
            sheet_add(units, (index_t)(row + z * axis[2].stride), mass);
        z = z + 1 < axis[2].cells ? z + 1 : 0;
    }
}

/* The cells of the window. Below are G(a, b, c) of the last a, in units; from the plane on
 * that has three vertices below, less those of the whole tetrahedron below b and c. */
static inline void sheet_fill_window(sheet_axis *axis, f64 all, GLOBAL u32 *units) {
    const f64 *x = axis[0].at, *y = axis[1].at, *z = axis[2].at;
    const i64 low = axis[1].low, first = axis[0].low > 0 ? axis[0].low : 1;
    const i32 rows = (i32)(axis[1].high - low), skip = axis[2].low == 0;
    sheet_span span;
    span.first = axis[2].low + skip;
    span.end = axis[2].extent;
    span.count = (i32)(axis[2].high - span.first) + 1;
    i64 below[SHEET_CORNERS][SHEET_CORNERS], row[SHEET_CORNERS];
    for (i32 b = 0; b <= rows; b++)
        for (i32 c = 0; c < span.count; c++)
            below[b][c] = 0;
    sheet_flat flat[3];
    f64 whole[3][SHEET_ROW];
    i32 upper = 0;
    for (i64 a = first; a <= axis[0].high; a++) {
        if (!upper && sheet_cut_below((f64)a, x) >= 3) {
            upper = 1;
            flat[0] = sheet_cut_flat(1, y[0], y[1], y[2], y[3], z[0], z[1], z[2], z[3]);
            sheet_whole(flat, 1, span, whole);
            for (i32 b = low == 0; b <= rows; b++) {
                sheet_row(flat, 1, low + b < axis[1].extent ? (f64)(low + b) : INFINITY,
                          whole, span, all, row);
                for (i32 c = 0; c < span.count; c++)
                    below[b][c] -= row[c];
            }
        }
        const i32 flats = sheet_cut_x((f64)a, x, y, z, flat);
        sheet_whole(flat, flats, span, whole);
        i64 step[2][SHEET_CORNERS]; /* in a, at the last b and at this one */
        for (i32 c = 0; c < SHEET_CORNERS; c++)
            step[0][c] = step[1][c] = 0;
        for (i32 b = low == 0; b <= rows; b++) {
            sheet_row(flat, flats, low + b < axis[1].extent ? (f64)(low + b) : INFINITY,
                      whole, span, all, row);
            for (i32 c = 0; c < span.count; c++) {
                step[b & 1][c + skip] = row[c] - below[b][c];
                below[b][c] = row[c];
            }
            if (b > 0 && a > axis[0].low)
                sheet_add_row(axis, a, low + b, step[b & 1], step[~b & 1], units);
        }
    }
}

/* Window `part` of tetrahedron f.begin + `of`. */
static inline void sheet_fill(index_t i, sheet_frame f, GLOBAL const u32 *of,
                              GLOBAL const u32 *part, GLOBAL const f64 *position,
                              GLOBAL u32 *units) {
    const sheet_tetrahedron t = sheet_find(f.begin + (i64)of[i], f, position);
    sheet_axis axis[3];
    i64 stride = 1, rest = (i64)part[i];
    for (i32 k = 2; k >= 0; k--) {
        const i64 windows = (t.extent[k] + SHEET_WINDOW - 1) / SHEET_WINDOW;
        for (i32 v = 0; v < 4; v++)
            axis[k].at[v] = t.at[k][v];
        axis[k].place = sheet_wrap(t.base[k] - f.first[k], f.cells[k]);
        axis[k].extent = t.extent[k];
        axis[k].low = windows > 1 ? rest % windows * SHEET_WINDOW : 0;
        axis[k].high = min(axis[k].low + SHEET_WINDOW, t.extent[k]);
        axis[k].cells = f.cells[k];
        axis[k].count = f.count[k];
        axis[k].stride = stride;
        stride *= f.count[k];
        rest = windows > 1 ? rest / windows : rest;
        if (!sheet_meets(t.base[k] + axis[k].low, axis[k].high - axis[k].low, f.first[k],
                         f.count[k], f.cells[k]))
            return;
    }
    if (t.extent[0] * t.extent[1] * t.extent[2] == 1) {
        const i64 cell = axis[0].place * axis[0].stride + axis[1].place * axis[1].stride;
        sheet_add(units, (index_t)(cell + axis[2].place), (i64)f.units);
        return;
    }
    sheet_sort_axes(axis);
    sheet_cut_sort(axis[0].at, axis[1].at, axis[2].at);
    sheet_fill_window(axis, f.units, units);
}

#endif
