/* A window: some of the cells of the box around a tetrahedron, and its mass in them. */
#ifndef SHEET_WINDOW_KERNEL_H
#define SHEET_WINDOW_KERNEL_H

#include <weft/kernel.h>
#include "sheet_add.kernel.h"
#include "sheet_find.kernel.h"

/* A work-item does so many cells along each axis. */
enum { SHEET_WINDOW = 16, SHEET_CORNERS = SHEET_WINDOW + 1 };

/* One axis of a tetrahedron, and of the cells that are asked for. Vertices are told from
 * the least, so that every number is the same, but for powers of two, on a grid of cells
 * twice as large: its cells have exactly the sums of these. */
typedef struct sheet_axis {
    f64 at[4], span;   /* the most of at[] */
    f64 shift;         /* where the least is in its cell */
    i64 place, extent; /* its first cell, from the first that is asked for */
    i64 low, high;     /* corners of the window, from there */
    i64 cells, count, stride;
} sheet_axis;

/* How many windows of `size` cells an axis the box around it has, of those that touch the
 * cells that are asked for. */
static inline i64 sheet_window_count(const sheet_tetrahedron *t, sheet_frame f, i32 size) {
    i64 all = 1;
    for (i32 k = 0; k < 3; k++)
        all *=
            sheet_find_meets(t->base[k], t->extent[k], f.first[k], f.count[k], f.cells[k])
                ? (t->extent[k] + size - 1) / size
                : 0;
    return all;
}

/* The axes of window `part`; whether it has cells that are asked for. */
static inline i32 sheet_window_axes(const sheet_tetrahedron *t, sheet_frame f, i64 part,
                                    i32 size, sheet_axis *axis) {
    i64 stride = 1, rest = part;
    i32 meets = 1;
    for (i32 k = 2; k >= 0; k--) {
        const i64 windows = (t->extent[k] + size - 1) / size;
        const f64 *at = t->at[k];
        axis[k].shift = points_less(points_less(at[0], at[1]), points_less(at[2], at[3]));
        axis[k].span = 0;
        for (i32 v = 0; v < 4; v++) {
            axis[k].at[v] = at[v] - axis[k].shift;
            axis[k].span = points_more(axis[k].span, axis[k].at[v]);
        }
        axis[k].place = sheet_find_wrap(t->base[k] - f.first[k], f.cells[k]);
        axis[k].extent = t->extent[k];
        axis[k].low = windows > 1 ? rest % windows * size : 0;
        axis[k].high = min(axis[k].low + size, t->extent[k]);
        axis[k].cells = f.cells[k];
        axis[k].count = f.count[k];
        axis[k].stride = stride;
        stride *= f.count[k];
        rest = windows > 1 ? rest / windows : rest;
        meets &= sheet_find_meets(t->base[k] + axis[k].low, axis[k].high - axis[k].low,
                                  f.first[k], f.count[k], f.cells[k]);
    }
    return meets;
}

/* Cells a - 1 .. a of an axis, from the first that is asked for. */
static inline i64 sheet_window_cell(const sheet_axis *axis, i64 a) {
    const i64 cell = axis->place + a - 1;
    return cell < axis->cells ? cell : cell % axis->cells;
}

/* Where corner a is, on the scale of at[]. */
static inline f64 sheet_window_corner(const sheet_axis *axis, i64 a) {
    return (f64)a - axis->shift;
}

/* The same, and beyond everything where it is the last. */
static inline f64 sheet_window_plane(const sheet_axis *axis, i64 a) {
    return a < axis->extent ? sheet_window_corner(axis, a) : INFINITY;
}

/* All of a tetrahedron, into one cell. */
static inline void sheet_window_one(const sheet_axis *axis, f64 all, f64 volume,
                                    GLOBAL u32 *units) {
    const i64 cell = axis[0].place * axis[0].stride + axis[1].place * axis[1].stride;
    sheet_add(units, (index_t)(cell + axis[2].place * axis[2].stride),
              (i64)floor(volume < 0 ? all : all * volume + 0.5));
}

#endif
