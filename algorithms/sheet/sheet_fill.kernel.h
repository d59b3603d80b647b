/* The cells of a window: numbers at their corners, and the differences of these. */
#ifndef SHEET_FILL_KERNEL_H
#define SHEET_FILL_KERNEL_H

#include <weft/kernel.h>
#include "sheet_add.kernel.h"
#include "sheet_pack.kernel.h"

/* Numbers of a plane of corners at most, of as many planes as are held, and cells that are
 * added together. */
enum {
    SHEET_FILL_LANES = 4,
    SHEET_FILL_PLANE = (SHEET_CORNERS * SHEET_CORNERS + SHEET_FILL_LANES) /
                       SHEET_FILL_LANES * SHEET_FILL_LANES,
    SHEET_FILL_SUMS = 3 * SHEET_FILL_PLANE,
    SHEET_FILL_LIST = 4 * SHEET_WINDOW
};

/* Planes first .. first + count of corners, after the one before; after them, what is to
 * be added from plane `upper` on. Each is `size` numbers; a row of it `wide`. */
typedef struct sheet_planes {
    f64 sum[SHEET_FILL_SUMS];
    i32 first, count, size, wide, rows, upper, is_upper;
} sheet_planes;

static inline f64 *sheet_fill_plane(sheet_planes *p, i32 plane) {
    return p->sum + (plane - p->first + 1) * p->size;
}

static inline void sheet_fill_begin(const sheet_axis *axis, sheet_planes *p) {
    p->rows = (i32)(axis[1].high - axis[1].low);
    p->wide = (i32)(axis[2].high - axis[2].low) + 1;
    p->size = ((p->rows + 1) * p->wide + SHEET_FILL_LANES - 1) / SHEET_FILL_LANES *
              SHEET_FILL_LANES;
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
    for (i32 k = p->size; k < end; k += SHEET_FILL_LANES)
        for (i32 l = 0; l < SHEET_FILL_LANES; l++)
            p->sum[k + l] = 0;
    sheet_pack pack = sheet_pack_empty(&axis[2]);
    for (i32 a = p->first; a < p->first + p->count; a++) {
        const f64 plane = sheet_window_corner(&axis[0], axis[0].low + a);
        const i32 at = (a - p->first + 1) * p->size + skip;
        sheet_flat flat[3];
        if (!p->is_upper && sheet_cut_below(plane, x) >= 3) {
            p->is_upper = 1;
            p->upper = a;
            flat[0] = sheet_cut_flat(1, y[0], y[1], y[2], y[3], z[0], z[1], z[2], z[3]);
            sheet_pack_piece(&pack, flat, &axis[1], end - p->size + skip, p->sum);
        }
        const i32 flats = sheet_cut_x(plane, x, y, z, flat);
        for (i32 k = 0; k < flats; k++)
            sheet_pack_piece(&pack, &flat[k], &axis[1], at, p->sum);
    }
    if (pack.count > 0)
        sheet_pack_sum(&pack, p->sum);
    for (i32 k = p->size; k < end; k += SHEET_FILL_LANES)
        for (i32 l = 0; l < SHEET_FILL_LANES; l++)
            p->sum[k + l] = floor(p->sum[k + l] * all + 0.5);
}

/* Differences between plane a and the last, along the last axis: of corner k and that
 * before. */
static inline void sheet_fill_steps(sheet_planes *p, i32 a, f64 *step) {
    const f64 *now = sheet_fill_plane(p, a);
    const f64 *more = sheet_fill_plane(p, p->first + p->count);
    f64 *last = sheet_fill_plane(p, a - 1);
    for (i32 k = 0; k < p->size && a == p->upper; k += SHEET_FILL_LANES)
        for (i32 l = 0; l < SHEET_FILL_LANES; l++)
            last[k + l] -= more[k + l];
    step[0] = 0;
    for (i32 k = 1; k < (p->rows + 1) * p->wide; k++)
        step[k] = (now[k] - last[k]) - (now[k - 1] - last[k - 1]);
}

/* Adds the cells between plane a and the last: masses, or where a volume is given volumes.
 * place[c] is where cell c of a row is; below 0 where it is not asked for. */
static inline void sheet_fill_add(const sheet_axis *axis, sheet_planes *p, i32 a,
                                  const i64 *place, f64 volume, GLOBAL u32 *units) {
    const i64 x = sheet_window_cell(&axis[0], axis[0].low + a);
    f64 step[SHEET_FILL_PLANE];
    i64 cell[SHEET_FILL_LIST + 1], mass[SHEET_FILL_LIST + 1];
    i32 n = 0;
    sheet_fill_steps(p, a, step);
    for (i32 b = 1; b <= p->rows && x < axis[0].count; b++) {
        const i64 y = sheet_window_cell(&axis[1], axis[1].low + b);
        const i64 from = x * axis[0].stride + y * axis[1].stride;
        const f64 *row = step + b * p->wide;
        for (i32 c = 1; c < p->wide; c++) {
            const f64 m = row[c] - row[c - p->wide];
            cell[n] = from + place[c];
            mass[n] = (i64)(volume < 0 ? m : floor(m * volume + 0.5));
            n += (mass[n] != 0) & (place[c] >= 0) & (y < axis[1].count);
        }
        if (n <= SHEET_FILL_LIST - SHEET_WINDOW && b < p->rows)
            continue;
        for (i32 k = 0; k < n; k++)
            sheet_add(units, (index_t)cell[k], mass[k]);
        n = 0;
    }
}

/* The cells of window `part`. */
static inline void sheet_fill(const sheet_tetrahedron *t, sheet_frame f, i64 part,
                              GLOBAL u32 *units) {
    sheet_axis axis[3];
    sheet_planes planes;
    i64 place[SHEET_CORNERS];
    const f64 volume = f.streams ? sheet_find_volume(t) : -1;
    if (!sheet_window_axes(t, f, part, SHEET_WINDOW, axis))
        return;
    if (t->extent[0] * t->extent[1] * t->extent[2] == 1) {
        sheet_window_one(axis, f.units, volume, units);
        return;
    }
    sheet_window_sort(axis);
    sheet_cut_sort(axis[0].at, axis[1].at, axis[2].at);
    sheet_fill_begin(axis, &planes);
    for (i32 c = 1; c < planes.wide; c++) {
        const i64 z = sheet_window_cell(&axis[2], axis[2].low + c);
        place[c] = z < axis[2].count ? z * axis[2].stride : -1;
    }
    while (planes.first + planes.count <= (i32)(axis[0].high - axis[0].low)) {
        sheet_fill_corners(axis, f.units, &planes);
        for (i32 a = max(planes.first, 1); a < planes.first + planes.count; a++)
            sheet_fill_add(axis, &planes, a, place, volume, units);
    }
}

#endif
