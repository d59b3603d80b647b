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

/* A row of corners (a, b, low .. high): the units below and beside each. */
static inline void sheet_row(const sheet_flat *flat, i32 flats, i64 b, i64 extent_y,
                             i64 low, i64 high, i64 extent_z, f64 units, i64 *out) {
    f64 sum[SHEET_CORNERS];
    for (i32 c = 0; c <= (i32)(high - low); c++)
        sum[c] = 0;
    for (i32 p = 0; p < flats; p++) {
        sheet_line line[3];
        const f64 plane = b < extent_y ? (f64)b : INFINITY;
        const i32 lines = sheet_cut_y(plane, &flat[p], line);
        for (i32 l = 0; l < lines; l++)
            for (i64 c = low; c <= high; c++)
                sum[c - low] += c < extent_z
                                    ? line[l].weight * sheet_cut_z((f64)c, line[l].z)
                                    : line[l].weight;
    }
    for (i32 c = 0; c <= (i32)(high - low); c++)
        out[c] = (i64)floor(sum[c] * units + 0.5);
}

/* Adds a row of cells, those below and beside corners (a, b, low + 1 .. high). */
static inline void sheet_add_row(sheet_frame f, const sheet_tetrahedron *t, i64 a, i64 b,
                                 i64 low, i64 high, const i64 *step, const i64 *beside,
                                 GLOBAL u32 *units) {
    const i64 x = sheet_wrap(t->base[0] + a - 1 - f.first[0], f.cells[0]);
    const i64 y = sheet_wrap(t->base[1] + b - 1 - f.first[1], f.cells[1]);
    if (x >= f.count[0] || y >= f.count[1])
        return;
    i64 z = sheet_wrap(t->base[2] + low - f.first[2], f.cells[2]);
    for (i32 c = 1; c <= (i32)(high - low); c++) {
        const i64 mass = step[c] - step[c - 1] - (beside[c] - beside[c - 1]);
        if (mass != 0 && z < f.count[2])
            sheet_add(units, (index_t)((x * f.count[1] + y) * f.count[2] + z), mass);
        z = z + 1 < f.cells[2] ? z + 1 : 0;
    }
}

/* Window `part` of tetrahedron f.begin + `of`. */
static inline void sheet_fill(index_t i, sheet_frame f, GLOBAL const u32 *of,
                              GLOBAL const u32 *part, GLOBAL const f64 *position,
                              GLOBAL u32 *units) {
    sheet_tetrahedron t = sheet_find(f.begin + (i64)of[i], f, position);
    i64 low[3], high[3], rest = (i64)part[i];
    for (i32 k = 2; k >= 0; k--) {
        const i64 windows = (t.extent[k] + SHEET_WINDOW - 1) / SHEET_WINDOW;
        low[k] = rest % windows * SHEET_WINDOW;
        high[k] = min(low[k] + SHEET_WINDOW, t.extent[k]);
        rest /= windows;
        if (!sheet_meets(t.base[k] + low[k], high[k] - low[k], f.first[k], f.count[k],
                         f.cells[k]))
            return;
    }
    sheet_cut_sort(t.at[0], t.at[1], t.at[2]);
    i64 below[SHEET_CORNERS][SHEET_CORNERS]; /* G at the last a, by b and c */
    const i32 rows = (i32)(high[1] - low[1]), columns = (i32)(high[2] - low[2]);
    for (i32 b = 0; b <= rows; b++)
        for (i32 c = 0; c <= columns; c++)
            below[b][c] = 0;
    for (i64 a = low[0] > 0 ? low[0] : 1; a <= high[0]; a++) {
        sheet_flat flat[3];
        const i32 flats = sheet_cut_x((f64)a, t.at[0], t.at[1], t.at[2], flat);
        i64 step[2][SHEET_CORNERS]; /* in a, at the last b and at this one */
        for (i32 c = 0; c <= columns; c++)
            step[0][c] = step[1][c] = 0;
        for (i32 b = low[1] > 0 ? 0 : 1; b <= rows; b++) {
            i64 row[SHEET_CORNERS];
            sheet_row(flat, flats, low[1] + b, t.extent[1], low[2], high[2], t.extent[2],
                      f.units, row);
            for (i32 c = 0; c <= columns; c++) {
                step[b & 1][c] = row[c] - below[b][c];
                below[b][c] = row[c];
            }
            if (b > 0 && a > low[0])
                sheet_add_row(f, &t, a, low[1] + b, low[2], high[2], step[b & 1],
                              step[~b & 1], units);
        }
    }
}

#endif
