/* The cells of a window: numbers at their corners, and the differences of these. */
#ifndef SHEET_FILL_KERNEL_H
#define SHEET_FILL_KERNEL_H

#include <weft/kernel.h>
#include "sheet_body.kernel.h"
#include "sheet_pack.kernel.h"

/* Numbers of a plane of corners at most, and of as many planes as are held. */
enum {
    SHEET_FILL_LANES = 4,
    SHEET_FILL_PLANE = (SHEET_CORNERS * SHEET_CORNERS + SHEET_FILL_LANES) /
                       SHEET_FILL_LANES * SHEET_FILL_LANES,
    SHEET_FILL_SUMS = 3 * SHEET_FILL_PLANE
};

CONSTANT i64 sheet_fill_nowhere = -((i64)1 << 61);

/* Planes first .. first + count of corners, after the one before; after them, what is to
 * be added from plane `upper` on. Each is `size` numbers; a row of it `wide`. */
typedef struct sheet_planes {
    f64 sum[SHEET_FILL_SUMS];
    i32 first, count, vectors, size, wide, rows, upper, is_upper;
} sheet_planes;

static inline f64 *sheet_fill_plane(sheet_planes *p, i32 plane) {
    return p->sum + (plane - p->first + 1) * p->size;
}

static inline void sheet_fill_begin(const sheet_axis *axis, sheet_planes *p) {
    p->rows = (i32)(axis[1].high - axis[1].low);
    p->wide = (i32)(axis[2].high - axis[2].low) + 1;
    p->vectors = ((p->rows + 1) * p->wide + SHEET_FILL_LANES - 1) / SHEET_FILL_LANES;
    p->size = p->vectors * SHEET_FILL_LANES;
    p->first = axis[0].low == 0;
    p->count = 0;
    p->is_upper = 0;
    p->upper = -1;
}

/* As many planes as there is room for, and the last of those before: G at corners, in
 * units. From plane `upper` on, the first that has three vertices below, less those of the
 * whole tetrahedron. */
static inline void sheet_fill_corners(const sheet_axis *axis, f64 all, sheet_planes *p) {
    const f64 *x = axis[0].at, *y = axis[1].at, *z = axis[2].at;
    const i32 skip = axis[2].low == 0, planes = (i32)(axis[0].high - axis[0].low);
    f64 *last = sheet_fill_plane(p, p->first + p->count - 1);
    for (i32 k = 0; k < p->size; k++)
        p->sum[k] = p->count > 0 ? last[k] : 0;
    p->first += p->count;
    p->count = min(SHEET_FILL_SUMS / p->size - 2, planes + 1 - p->first);
    const i32 end = (p->count + 2) * p->size;
    const i32 numbers = (p->count + 1) * p->vectors * SHEET_FILL_LANES;
    for (i32 k = 0; k < numbers; k++)
        p->sum[p->size + k] = 0;
    sheet_pack pack;
    sheet_pieces pieces;
    sheet_pack_begin(&pack, &axis[2]);
    pieces.count = 0;
    for (i32 a = p->first; a < p->first + p->count; a++) {
        const f64 plane = sheet_window_corner(&axis[0], axis[0].low + a);
        const i32 at = (a - p->first + 1) * p->size + skip;
        sheet_flat flat[3];
        if (!p->is_upper && sheet_cut_below(plane, x) >= 3) {
            p->is_upper = 1;
            p->upper = a;
            flat[0] = sheet_cut_flat(0, 1, y[0], y[1], y[2], y[3], z[0], z[1], z[2], z[3]);
            sheet_pieces_put(&pieces, flat, end - p->size + skip);
        }
        const i32 flats = sheet_cut_x(0, plane, x, y, z, flat);
        for (i32 k = 0; k < flats; k++)
            sheet_pieces_put(&pieces, &flat[k], at);
    }
    sheet_pack_pieces(&pack, &pieces, &axis[1], p->sum);
    for (i32 k = 0; k < numbers; k++)
        p->sum[p->size + k] = floor(p->sum[p->size + k] * all + 0.5);
}

/* Differences between plane a and the last. */
static inline void sheet_fill_steps(sheet_planes *p, i32 a, f64 *step) {
    const f64 *now = sheet_fill_plane(p, a), *last = sheet_fill_plane(p, a - 1);
    const f64 *more = sheet_fill_plane(p, p->first + p->count);
    const i32 numbers = p->vectors * SHEET_FILL_LANES;
    if (a == p->upper)
        for (i32 k = 0; k < numbers; k++)
            step[k] = now[k] - (last[k] - more[k]);
    else
        for (i32 k = 0; k < numbers; k++)
            step[k] = now[k] - last[k];
}

/* Adds the cells between plane a and the last, whose differences are step[]: masses, or
 * where a volume is given volumes. place[k] is where the cell below corner k of a plane is;
 * below 0 where it is not asked for. */
static inline void sheet_fill_add(const sheet_axis *axis, const sheet_planes *p, i32 a,
                                  const f64 *step, const i64 *place, f64 volume,
                                  GLOBAL u32 *units) {
    const i64 x = sheet_window_cell(&axis[0], axis[0].low + a);
    const i32 wide = p->wide, end = (p->rows + 1) * wide;
    f64 mass[SHEET_FILL_PLANE + SHEET_FILL_LANES];
    i32 some[SHEET_FILL_PLANE], n = 0;
    if (x >= axis[0].count)
        return;
    const i32 numbers =
        (end - wide - 2 + SHEET_FILL_LANES) / SHEET_FILL_LANES * SHEET_FILL_LANES;
    for (i32 k = 0; k < numbers; k++) {
        const f64 *s = step + wide + 1 + k;
        mass[wide + 1 + k] = (s[0] - s[-1]) - (s[-wide] - s[-wide - 1]);
    }
    for (i32 b = 2; b <= p->rows; b++)
        mass[b * wide] = 0;
    for (i32 k = wide + 1; k < end; k++) {
        some[n] = k;
        n += f64_bits(mass[k]) != 0;
    }
    for (i32 k = 0; k < n; k++) {
        const f64 m = mass[some[k]];
        const i64 cell = place[some[k]];
        if (cell >= 0)
            sheet_add(units, (index_t)(x * axis[0].stride + cell),
                      (i64)(volume < 0 ? m : floor(m * volume + 0.5)));
    }
}

/* Where cells a - 1 .. a of an axis are, a below `end`, less those of other axes; so far
 * below 0 where they are not asked for that sums are. */
static inline void sheet_fill_along(const sheet_axis *axis, i32 end, i64 *along) {
    i64 cell = sheet_window_cell(axis, axis->low + 1);
    for (i32 a = 1; a < end; a++) {
        along[a] = cell < axis->count ? cell * axis->stride : sheet_fill_nowhere;
        cell = cell + 1 < axis->cells ? cell + 1 : 0;
    }
}

/* Where cells of a plane are. A row is written beyond its end, then the next. */
static inline void sheet_fill_places(const sheet_axis *axis, const sheet_planes *p,
                                     i64 *place) {
    const i32 wide = p->wide;
    const i32 numbers = (wide + SHEET_FILL_LANES - 1) / SHEET_FILL_LANES * SHEET_FILL_LANES;
    i64 along[SHEET_CORNERS + SHEET_FILL_LANES], row[SHEET_CORNERS];
    for (i32 c = 0; c < SHEET_FILL_LANES; c++)
        along[wide + c] = 0;
    along[0] = 0;
    sheet_fill_along(&axis[2], wide, along);
    sheet_fill_along(&axis[1], p->rows + 1, row);
    for (i32 b = 1; b <= p->rows; b++)
        for (i32 c = 0; c < numbers; c++)
            place[b * wide + c] = row[b] + along[c];
}

/* G at the corners of a tetrahedron that is in one layer of cells along the first axis: in
 * its one plane. */
static inline void sheet_fill_layer(const sheet_axis *axis, f64 all, const sheet_planes *p,
                                    f64 *sum) {
    const f64 *y = axis[1].at, *z = axis[2].at;
    const i32 numbers = p->vectors * SHEET_FILL_LANES;
    sheet_pack pack;
    i32 first[4];
    sheet_pack_begin(&pack, &axis[2]);
    for (i32 k = 0; k < numbers; k++)
        sum[k] = 0;
    const sheet_flat flat =
        sheet_cut_flat(1, 1, y[0], y[1], y[2], y[3], z[0], z[1], z[2], z[3]);
    for (i32 v = 0; v < 4; v++)
        first[v] = sheet_pieces_row(&axis[1], flat.y[v]);
    sheet_pack_piece(&pack, &flat, first, &axis[1], axis[2].low == 0);
    sheet_pack_sum(&pack, sum);
    for (i32 k = 0; k < numbers; k++)
        sum[k] = floor(sum[k] * all + 0.5);
}

/* The cells of window `part`. */
static inline void sheet_fill(const sheet_body *body, sheet_frame f, i64 part,
                              GLOBAL u32 *units) {
    sheet_axis axis[3];
    sheet_planes planes;
    i64 place[SHEET_FILL_PLANE + SHEET_FILL_LANES];
    f64 step[SHEET_FILL_PLANE + SHEET_FILL_LANES];
    const f64 volume = body->volume;
    if (!sheet_body_axes(body, f, part, axis))
        return;
    if (axis[0].extent * axis[1].extent * axis[2].extent == 1) {
        sheet_window_one(axis, f.units, volume, units);
        return;
    }
    sheet_fill_begin(axis, &planes);
    sheet_fill_places(axis, &planes, place);
    for (i32 l = 0; l < SHEET_FILL_LANES; l++)
        step[planes.size + l] = 0;
    if (axis[0].extent == 1) {
        sheet_fill_layer(axis, f.units, &planes, step);
        sheet_fill_add(axis, &planes, 1, step, place, volume, units);
        return;
    }
    while (planes.first + planes.count <= (i32)(axis[0].high - axis[0].low)) {
        sheet_fill_corners(axis, f.units, &planes);
        for (i32 a = max(planes.first, 1); a < planes.first + planes.count; a++) {
            sheet_fill_steps(&planes, a, step);
            sheet_fill_add(axis, &planes, a, step, place, volume, units);
        }
    }
}

#endif
