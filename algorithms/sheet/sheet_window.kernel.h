/* A window: some of the cells of the box around a tetrahedron, and its mass in them. */
#ifndef SHEET_WINDOW_KERNEL_H
#define SHEET_WINDOW_KERNEL_H

#include <weft/kernel.h>
#include "sheet_add.kernel.h"
#include "sheet_cut.kernel.h"
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

/* The axis along which it is longest last: there a corner costs least. */
static inline void sheet_window_sort(sheet_axis *axis) {
    for (i32 k = 0; k < 3; k++) {
        const i32 i = k & 1;
        if (axis[i + 1].span < axis[i].span) {
            const sheet_axis other = axis[i];
            axis[i] = axis[i + 1];
            axis[i + 1] = other;
        }
    }
}

/* Units in a row of corners: of pieces below y = plane. */
static inline void sheet_window_row(const sheet_flat *flat, i32 flats, f64 plane,
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
static inline void sheet_window_whole(const sheet_flat *flat, i32 flats, sheet_span span,
                                      f64 whole[3][SHEET_ROW]) {
    for (i32 p = 0; p < flats; p++) {
        const f64 *z = flat[p].z;
        for (i32 k = 0; k < SHEET_ROW; k++)
            whole[p][k] = 0;
        sheet_cut_z(z[0], z[1], z[2], z[3], flat[p].weight, span, whole[p]);
    }
}

/* Adds a row of cells, those below and beside corners (a, b, low + 1 .. high): masses, or
 * where a volume is given volumes. */
static inline void sheet_window_add(const sheet_axis *axis, i64 a, i64 b, const i64 *step,
                                    const i64 *beside, f64 volume, GLOBAL u32 *units) {
    const i64 x = sheet_window_cell(&axis[0], a), y = sheet_window_cell(&axis[1], b);
    if (x >= axis[0].count || y >= axis[1].count)
        return;
    const i64 row = x * axis[0].stride + y * axis[1].stride;
    i64 z = sheet_window_cell(&axis[2], axis[2].low + 1);
    for (i32 c = 1; c <= (i32)(axis[2].high - axis[2].low); c++) {
        i64 mass = step[c] - step[c - 1] - (beside[c] - beside[c - 1]);
        mass = volume < 0 ? mass : (i64)floor((f64)mass * volume + 0.5);
        if (mass != 0 && z < axis[2].count)
            sheet_add(units, (index_t)(row + z * axis[2].stride), mass);
        z = z + 1 < axis[2].cells ? z + 1 : 0;
    }
}

/* The cells of the window. Below are G(a, b, c) of the last a, in units; from the plane on
 * that has three vertices below, less those of the whole tetrahedron below b and c. */
static inline void sheet_window_cut(sheet_axis *axis, f64 all, f64 volume,
                                    GLOBAL u32 *units) {
    const f64 *x = axis[0].at, *y = axis[1].at, *z = axis[2].at;
    const i64 low = axis[1].low, first = axis[0].low > 0 ? axis[0].low : 1;
    const i32 rows = (i32)(axis[1].high - low), skip = axis[2].low == 0;
    sheet_span span;
    span.first = axis[2].low + skip;
    span.shift = axis[2].shift;
    span.end = sheet_window_corner(&axis[2], axis[2].extent);
    span.count = (i32)(axis[2].high - span.first) + 1;
    i64 below[SHEET_CORNERS][SHEET_CORNERS], row[SHEET_CORNERS];
    for (i32 b = 0; b <= rows; b++)
        for (i32 c = 0; c < span.count; c++)
            below[b][c] = 0;
    sheet_flat flat[3];
    f64 whole[3][SHEET_ROW];
    i32 upper = 0;
    for (i64 a = first; a <= axis[0].high; a++) {
        const f64 plane = sheet_window_corner(&axis[0], a);
        if (!upper && sheet_cut_below(plane, x) >= 3) {
            upper = 1;
            flat[0] = sheet_cut_flat(1, y[0], y[1], y[2], y[3], z[0], z[1], z[2], z[3]);
            sheet_window_whole(flat, 1, span, whole);
            for (i32 b = low == 0; b <= rows; b++) {
                sheet_window_row(flat, 1, sheet_window_plane(&axis[1], low + b), whole,
                                 span, all, row);
                for (i32 c = 0; c < span.count; c++)
                    below[b][c] -= row[c];
            }
        }
        const i32 flats = sheet_cut_x(plane, x, y, z, flat);
        sheet_window_whole(flat, flats, span, whole);
        i64 step[2][SHEET_CORNERS]; /* in a, at the last b and at this one */
        for (i32 c = 0; c < SHEET_CORNERS; c++)
            step[0][c] = step[1][c] = 0;
        for (i32 b = low == 0; b <= rows; b++) {
            sheet_window_row(flat, flats, sheet_window_plane(&axis[1], low + b), whole,
                             span, all, row);
            for (i32 c = 0; c < span.count; c++) {
                step[b & 1][c + skip] = row[c] - below[b][c];
                below[b][c] = row[c];
            }
            if (b > 0 && a > axis[0].low)
                sheet_window_add(axis, a, low + b, step[b & 1], step[~b & 1], volume,
                                 units);
        }
    }
}

/* All of a tetrahedron, into one cell. */
static inline void sheet_window_one(const sheet_axis *axis, f64 all, f64 volume,
                                    GLOBAL u32 *units) {
    const i64 cell = axis[0].place * axis[0].stride + axis[1].place * axis[1].stride;
    sheet_add(units, (index_t)(cell + axis[2].place),
              (i64)floor(volume < 0 ? all : all * volume + 0.5));
}

/* The cells of window `part`. */
static inline void sheet_window_fill(const sheet_tetrahedron *t, sheet_frame f, i64 part,
                                     GLOBAL u32 *units) {
    sheet_axis axis[3];
    const f64 volume = f.streams ? sheet_find_volume(t) : -1;
    if (!sheet_window_axes(t, f, part, SHEET_WINDOW, axis))
        return;
    if (t->extent[0] * t->extent[1] * t->extent[2] == 1) {
        sheet_window_one(axis, f.units, volume, units);
        return;
    }
    sheet_window_sort(axis);
    sheet_cut_sort(axis[0].at, axis[1].at, axis[2].at);
    sheet_window_cut(axis, f.units, volume, units);
}

#endif
