/* Deposits by short rows of corners, each a work-item of its own: for devices on which work
 * must be even and small. The same numbers as windows have. */
#ifndef SHEET_ROWS_KERNEL_H
#define SHEET_ROWS_KERNEL_H

#include <weft/kernel.h>
#include "sheet_cut.kernel.h"
#include "sheet_window.kernel.h"

/* Corners of a work-item, along the last axis. */
enum { SHEET_ROWS_LANES = 4 };

/* A tetrahedron as it is cut: axes by extent, vertices along the first. */
typedef struct sheet_rows_body {
    f64 at[3][4], shift[3]; /* as sheet_axis has them */
    f64 volume;             /* below 0: masses are added */
    i32 extent[3];          /* cells */
    i32 axis[3];            /* which axis of the grid it is, */
    i32 place[3];           /* and its first cell there, from the first that is asked for */
    i32 unused;
} sheet_rows_body;

/* Tetrahedron i of a launch, and how many rows it has: none where it is in one cell, which
 * gets it here, or far from the cells that are asked for. */
static inline void sheet_rows_find(index_t i, sheet_frame f, GLOBAL const u32 *blocks,
                                   GLOBAL const f64 *position,
                                   GLOBAL sheet_rows_body *bodies, GLOBAL u32 *rows,
                                   GLOBAL u32 *units) {
    const i64 number = sheet_find_number((u32)i, f, blocks);
    sheet_axis axis[3];
    sheet_rows_body body;
    rows[i] = 0;
    if (number >= f.end)
        return;
    const sheet_tetrahedron t = sheet_find(number, f, position);
    body.volume = f.streams ? sheet_find_volume(&t) : -1;
    if (!sheet_window_axes(&t, f, 0, 1 << 30, axis))
        return;
    if (t.extent[0] * t.extent[1] * t.extent[2] == 1) {
        sheet_window_one(axis, f.units, body.volume, units);
        return;
    }
    for (i32 k = 0; k < 3; k++)
        body.axis[k] = k;
    for (i32 k = 0; k < 3; k++) {
        const i32 j = k & 1;
        if (axis[body.axis[j + 1]].span < axis[body.axis[j]].span) {
            const i32 other = body.axis[j];
            body.axis[j] = body.axis[j + 1];
            body.axis[j + 1] = other;
        }
    }
    for (i32 k = 0; k < 3; k++) {
        const sheet_axis *from = &axis[body.axis[k]];
        for (i32 v = 0; v < 4; v++)
            body.at[k][v] = from->at[v];
        body.shift[k] = from->shift;
        body.extent[k] = (i32)from->extent;
        body.place[k] = (i32)from->place;
    }
    sheet_cut_sort(body.at[0], body.at[1], body.at[2]);
    body.unused = 0;
    bodies[i] = body;
    rows[i] = (u32)(body.extent[0] * body.extent[1]) *
              (u32)((body.extent[2] + SHEET_ROWS_LANES - 1) / SHEET_ROWS_LANES);
}

/* Which corners a work-item has: (a, b, c) and those after it along the last axis. */
typedef struct sheet_rows_corner {
    i32 a, b, c, chunks;
} sheet_rows_corner;

static inline sheet_rows_corner sheet_rows_at(GLOBAL const sheet_rows_body *body,
                                              u32 part) {
    const u32 chunks = (u32)(body->extent[2] + SHEET_ROWS_LANES - 1) / SHEET_ROWS_LANES;
    const u32 row = chunks == 1 ? part : part / chunks, wide = (u32)body->extent[1];
    sheet_rows_corner corner;
    corner.a = 1 + (i32)(row / wide);
    corner.b = 1 + (i32)(row % wide);
    corner.c = 1 + (i32)((part - row * chunks) * SHEET_ROWS_LANES);
    corner.chunks = (i32)chunks;
    return corner;
}

/* Corners from `first` on, each less `shift`; those from `end` on are above everything. */
typedef struct sheet_rows_span {
    f64 shift, end;
    i64 first;
} sheet_rows_span;

static inline void sheet_rows_part(const sheet_part *part, sheet_rows_span span, f64 *sum) {
    const sheet_form form = sheet_cut_form(part->z[0], part->z[1], part->z[2], part->z[3]);
    for (i32 l = 0; l < SHEET_ROWS_LANES; l++) {
        const f64 z = (f64)(span.first + l) - span.shift;
        sum[l] += part->weight * (z >= span.end ? 1 : sheet_cut_fraction(&form, z));
    }
}

/* Adds what of a piece is below y = plane and each corner. */
static inline void sheet_rows_sum(f64 plane, const sheet_flat *flat, sheet_rows_span span,
                                  f64 *sum) {
    const i32 below = sheet_cut_below(plane, flat->y);
    const f64 *z = flat->z;
    sheet_part part[3];
    const i32 parts = sheet_cut_parts(plane, flat, below, part);
    if (below >= 3) {
        const sheet_part whole = sheet_cut_to_part(z[0], z[1], z[2], z[3], flat->weight);
        sheet_rows_part(&whole, span, sum);
    }
    for (i32 p = 0; p < 3; p++)
        if (p < parts)
            sheet_rows_part(&part[p], span, sum);
}

static inline void sheet_rows_round(f64 units, f64 *sum, i64 *out) {
    for (i32 l = 0; l < SHEET_ROWS_LANES; l++) {
        out[l] += (i64)floor(sum[l] * units + 0.5);
        sum[l] = 0;
    }
}

/* G at corners part[i] of tetrahedron number of[i] of a launch, in units: where three
 * vertices lie below x = a, the whole's less that above, each rounded. */
static inline void sheet_rows_cut(index_t i, sheet_frame f, i64 skip, GLOBAL const u32 *of,
                                  GLOBAL const u32 *part,
                                  GLOBAL const sheet_rows_body *bodies,
                                  GLOBAL i64 *corners) {
    GLOBAL const sheet_rows_body *body = bodies + (index_t)(skip + (i64)of[i]);
    const sheet_rows_corner corner = sheet_rows_at(body, part[i]);
    const f64 across = (f64)corner.a - body->shift[0];
    const f64 plane =
        corner.b < body->extent[1] ? (f64)corner.b - body->shift[1] : INFINITY;
    sheet_rows_span span;
    span.shift = body->shift[2];
    span.end = (f64)body->extent[2] - body->shift[2];
    span.first = corner.c;
    f64 x[4], y[4], z[4], sum[SHEET_ROWS_LANES];
    i64 out[SHEET_ROWS_LANES];
    sheet_flat flat[3];
    for (i32 v = 0; v < 4; v++) {
        x[v] = body->at[0][v];
        y[v] = body->at[1][v];
        z[v] = body->at[2][v];
    }
    for (i32 l = 0; l < SHEET_ROWS_LANES; l++) {
        sum[l] = 0;
        out[l] = 0;
    }
    i32 flats = sheet_cut_x(1, across, x, y, z, flat);
    const i32 upper = sheet_cut_below(across, x) >= 3;
    if (upper)
        flat[flats++] =
            sheet_cut_flat(1, 1, y[0], y[1], y[2], y[3], z[0], z[1], z[2], z[3]);
    for (i32 p = 0; p < flats; p++) {
        if (upper && p == flats - 1)
            sheet_rows_round(f.units, sum, out);
        sheet_rows_sum(plane, &flat[p], span, sum);
    }
    sheet_rows_round(f.units, sum, out);
    for (i32 l = 0; l < SHEET_ROWS_LANES; l++)
        corners[i * SHEET_ROWS_LANES + l] = out[l];
}

/* Adds the cells below these corners. Rows that are behind by one along the first two axes
 * are of work-items `across` and `beside` before this one; there are none at the ends. */
static inline void sheet_rows_add(index_t i, sheet_frame f, i64 skip, GLOBAL const u32 *of,
                                  GLOBAL const u32 *part,
                                  GLOBAL const sheet_rows_body *bodies,
                                  GLOBAL const i64 *corners, GLOBAL u32 *units) {
    GLOBAL const sheet_rows_body *body = bodies + (index_t)(skip + (i64)of[i]);
    const sheet_rows_corner corner = sheet_rows_at(body, part[i]);
    sheet_axis axis[3];
    for (i32 k = 0; k < 3; k++) {
        const i32 j = body->axis[k];
        axis[k].place = body->place[k];
        axis[k].cells = f.cells[j];
        axis[k].count = f.count[j];
        axis[k].stride = j == 2 ? 1 : j == 1 ? f.count[2] : f.count[1] * f.count[2];
    }
    const i64 x = sheet_window_cell(&axis[0], corner.a);
    const i64 y = sheet_window_cell(&axis[1], corner.b);
    if (x >= axis[0].count || y >= axis[1].count)
        return;
    const i64 row = x * axis[0].stride + y * axis[1].stride;
    const index_t beside = corner.chunks, across = (index_t)corner.chunks * body->extent[1];
    i64 last = 0;
    for (i32 l = -1; l < SHEET_ROWS_LANES; l++) {
        if (l < 0 && corner.c == 1)
            continue;
        const index_t k = i * SHEET_ROWS_LANES + l;
        i64 sum = corners[k];
        if (corner.a > 1)
            sum -= corners[k - across * SHEET_ROWS_LANES];
        if (corner.b > 1)
            sum -= corners[k - beside * SHEET_ROWS_LANES];
        if (corner.a > 1 && corner.b > 1)
            sum += corners[k - (across + beside) * SHEET_ROWS_LANES];
        i64 mass = sum - last;
        last = sum;
        if (l < 0 || corner.c + l > body->extent[2])
            continue;
        const i64 at = sheet_window_cell(&axis[2], corner.c + l);
        mass = body->volume < 0 ? mass : (i64)floor((f64)mass * body->volume + 0.5);
        if (mass != 0 && at < axis[2].count)
            sheet_add(units, (index_t)(row + at * axis[2].stride), mass);
    }
}

#endif
