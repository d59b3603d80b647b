/* The cells of a window: numbers at their corners, and the differences of these. */
#ifndef SHEET_FILL_KERNEL_H
#define SHEET_FILL_KERNEL_H

#include <weft/kernel.h>
#include "sheet_body.kernel.h"
#include "sheet_pack.kernel.h"

/* Numbers of a plane of corners at most, and of all planes that are held; tetrahedra that
 * are in hand together. */
enum {
    SHEET_FILL_LANES = 4,
    SHEET_FILL_PLANE = (SHEET_CORNERS * SHEET_CORNERS + SHEET_FILL_LANES) /
                       SHEET_FILL_LANES * SHEET_FILL_LANES,
    SHEET_FILL_SUMS = 6 * SHEET_FILL_PLANE,
    SHEET_FILL = 6
};

CONSTANT i64 sheet_fill_nowhere = -((i64)1 << 61);

/* Planes first .. first + count of corners, after the one before, from sum[from] on; after
 * them, what is to be added from plane `upper` on. Each is `size` numbers; a row of it
 * `wide`. Where all is in one layer of cells there is its one plane alone. */
typedef struct sheet_planes {
    sheet_axis axis[3];
    f64 volume;
    i32 from, first, count, vectors, size, wide, rows, upper, is_upper, is_layer;
} sheet_planes;

/* Tetrahedra in hand, or a window of one, whose pieces are in one list and whose sums are
 * to be found: those after the first `kept`, of `used`. */
typedef struct sheet_fill_hand {
    f64 sum[SHEET_FILL_SUMS];
    sheet_planes planes[SHEET_FILL];
    sheet_lines lines[SHEET_FILL];
    sheet_pieces pieces;
    sheet_pack pack;
    i32 count, kept, used;
} sheet_fill_hand;

static inline void sheet_fill_open(sheet_fill_hand *hand) {
    hand->count = hand->kept = hand->used = 0;
    hand->pieces.count = hand->pack.count = 0;
}

static inline void sheet_fill_begin(sheet_planes *p) {
    const sheet_axis *axis = p->axis;
    p->rows = (i32)(axis[1].high - axis[1].low);
    p->wide = (i32)(axis[2].high - axis[2].low) + 1;
    p->vectors = ((p->rows + 1) * p->wide + SHEET_FILL_LANES - 1) / SHEET_FILL_LANES;
    p->size = p->vectors * SHEET_FILL_LANES;
    p->first = axis[0].low == 0;
    p->count = 0;
    p->is_upper = 0;
    p->upper = -1;
    p->is_layer = axis[0].extent == 1;
}

/* Pieces of as many further planes as there is room for. From plane `upper` on, the first
 * that has three vertices below, less those of the whole tetrahedron. */
static inline void sheet_fill_cut(sheet_fill_hand *hand, i32 of) {
    sheet_planes *p = &hand->planes[of];
    const sheet_axis *axis = p->axis;
    const f64 *x = axis[0].at, *y = axis[1].at, *z = axis[2].at;
    const i32 skip = axis[2].low == 0, planes = (i32)(axis[0].high - axis[0].low);
    const sheet_flat whole =
        sheet_cut_flat(0, 1, y[0], y[1], y[2], y[3], z[0], z[1], z[2], z[3]);
    p->from = of == 0 ? 0 : hand->used;
    p->first += p->count;
    p->count = min((SHEET_FILL_SUMS - p->from) / p->size - 2, planes + 1 - p->first);
    if (p->is_layer) {
        p->count = 1;
        hand->used += p->size;
        sheet_pieces_put(&hand->pieces, axis, of, &whole, p->from + skip);
        return;
    }
    hand->used = p->from + (p->count + 2) * p->size;
    for (i32 a = p->first; a < p->first + p->count; a++) {
        const f64 plane = sheet_window_corner(&axis[0], axis[0].low + a);
        const i32 at = p->from + (a - p->first + 1) * p->size + skip;
        sheet_flat flat[3];
        if (!p->is_upper && sheet_cut_below(plane, x) >= 3) {
            p->is_upper = 1;
            p->upper = a;
            sheet_pieces_put(&hand->pieces, axis, of, &whole, hand->used - p->size + skip);
        }
        const i32 flats = sheet_cut_x(0, plane, x, y, z, flat);
        for (i32 k = 0; k < flats; k++)
            sheet_pieces_put(&hand->pieces, axis, of, &flat[k], at);
    }
}

/* G at corners, in units. */
static inline void sheet_fill_sum(sheet_fill_hand *hand, f64 all) {
    const i32 numbers = (hand->used - hand->kept) / SHEET_FILL_LANES * SHEET_FILL_LANES;
    f64 *sum = hand->sum + hand->kept;
    for (i32 k = 0; k < numbers; k++)
        sum[k] = 0;
    sheet_pack_pieces(&hand->pack, hand->lines, &hand->pieces, hand->sum);
    for (i32 k = 0; k < numbers; k++)
        sum[k] = floor(sum[k] * all + 0.5);
}

/* Differences between plane a and the last. */
static inline void sheet_fill_steps(const sheet_planes *p, const f64 *sum, i32 a,
                                    f64 *step) {
    const f64 *now = sum + p->from + (a - p->first + 1) * p->size, *last = now - p->size;
    const f64 *more = sum + p->from + (p->count + 1) * p->size;
    const i32 numbers = p->vectors * SHEET_FILL_LANES;
    if (p->is_layer)
        for (i32 k = 0; k < numbers; k++)
            step[k] = sum[p->from + k];
    else if (a == p->upper)
        for (i32 k = 0; k < numbers; k++)
            step[k] = now[k] - (last[k] - more[k]);
    else
        for (i32 k = 0; k < numbers; k++)
            step[k] = now[k] - last[k];
}

/* Adds the cells between plane a and the last, whose differences are step[]: masses, or
 * where a volume is given volumes. place[k] is where the cell below corner k of a plane is;
 * below 0 where it is not asked for. */
static inline void sheet_fill_add(const sheet_planes *p, i32 a, const f64 *step,
                                  const i64 *place, GLOBAL u32 *units) {
    const sheet_axis *axis = p->axis;
    const f64 volume = p->volume;
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
static inline void sheet_fill_places(const sheet_planes *p, i64 *place) {
    const sheet_axis *axis = p->axis;
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

/* The cells of what is in hand. */
static inline void sheet_fill_close(sheet_fill_hand *hand, f64 all, GLOBAL u32 *units) {
    i64 place[SHEET_FILL_PLANE + SHEET_FILL_LANES];
    f64 step[SHEET_FILL_PLANE + SHEET_FILL_LANES];
    sheet_fill_sum(hand, all);
    for (i32 t = 0; t < hand->count; t++) {
        const sheet_planes *p = &hand->planes[t];
        sheet_fill_places(p, place);
        for (i32 l = 0; l < SHEET_FILL_LANES; l++)
            step[p->size + l] = 0;
        for (i32 a = max(p->first, 1); a < p->first + p->count; a++) {
            sheet_fill_steps(p, hand->sum, a, step);
            sheet_fill_add(p, a, step, place, units);
        }
    }
}

/* Keeps the last plane of the last of those in hand, and forgets all others. */
static inline void sheet_fill_keep(sheet_fill_hand *hand) {
    const i32 of = hand->count - 1;
    sheet_planes *p = &hand->planes[0];
    const i32 last = hand->planes[of].from + hand->planes[of].count * hand->planes[of].size;
    *p = hand->planes[of];
    hand->lines[0] = hand->lines[of];
    for (i32 k = 0; k < p->size; k++)
        hand->sum[k] = hand->sum[last + k];
    hand->count = 1;
    hand->kept = hand->used = p->size;
}

/* Takes window `part` in hand; whether it has planes to be cut. */
static inline i32 sheet_fill_take(sheet_fill_hand *hand, const sheet_body *body,
                                  sheet_frame f, i64 part, GLOBAL u32 *units) {
    sheet_planes *p = &hand->planes[hand->count];
    if (!sheet_body_axes(body, f, part, p->axis))
        return 0;
    if (p->axis[0].extent * p->axis[1].extent * p->axis[2].extent == 1) {
        sheet_window_one(p->axis, f.units, body->volume, units);
        return 0;
    }
    p->volume = body->volume;
    sheet_fill_begin(p);
    hand->lines[hand->count++] = sheet_pack_lines(p->axis);
    return 1;
}

/* Cuts planes of the last that was taken, where there are, and adds all cells where there
 * is no room for more, or at the `end`; whether planes are left. */
static inline i32 sheet_fill(sheet_fill_hand *hand, i32 left, i32 end, sheet_frame f,
                             GLOBAL u32 *units) {
    const i32 of = hand->count - 1;
    i32 more = 0;
    if (left) {
        sheet_fill_cut(hand, of);
        const sheet_planes *p = &hand->planes[of];
        more =
            !p->is_layer && p->first + p->count <= (i32)(p->axis[0].high - p->axis[0].low);
    }
    if (more || (end && hand->count > 0) ||
        hand->used > SHEET_FILL_SUMS - 3 * SHEET_FILL_PLANE ||
        hand->pieces.count > SHEET_PACK_PIECES - SHEET_PACK_TAKES) {
        sheet_fill_close(hand, f.units, units);
        if (more)
            sheet_fill_keep(hand);
        else
            hand->count = hand->kept = hand->used = 0;
    }
    return more;
}

#endif
