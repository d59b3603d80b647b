/* The cells of a window: numbers at their corners, and the differences of these. */
#ifndef SHEET_FILL_KERNEL_H
#define SHEET_FILL_KERNEL_H

#include <weft/kernel.h>
#include "sheet_body.kernel.h"
#include "sheet_pack.kernel.h"
#include "sheet_planes.kernel.h"

/* Tetrahedra that are in hand together. */
enum { SHEET_FILL = 6 };

/* Tetrahedra in hand, or a window of one, whose pieces are in one list and whose sums are
 * to be found: those after the first `kept`, of `used`. */
typedef struct sheet_fill_hand {
    f64 sum[SHEET_PLANES_SUMS];
    sheet_planes planes[SHEET_FILL];
    sheet_lines lines[SHEET_FILL];
    sheet_pieces pieces;
    sheet_pack pack;
    sheet_list list;
    i32 count, kept, used;
} sheet_fill_hand;

static inline void sheet_fill_open(sheet_fill_hand *hand) {
    hand->count = hand->kept = hand->used = 0;
    hand->pieces.count = hand->pack.count = 0;
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
    p->count = min((SHEET_PLANES_SUMS - p->from) / p->size - 2, planes + 1 - p->first);
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
    const i32 numbers = (hand->used - hand->kept) / SHEET_PLANES_LANES * SHEET_PLANES_LANES;
    f64 *sum = hand->sum + hand->kept;
    for (i32 k = 0; k < numbers; k++)
        sum[k] = 0;
    sheet_pack_pieces(&hand->pack, hand->lines, &hand->pieces, hand->sum);
    for (i32 k = 0; k < numbers; k++)
        sum[k] = floor(sum[k] * all + 0.5);
}

/* The cells of what is in hand: to a tile, as many planes at once as there is room for, or
 * where there is none to the grid. */
static inline void sheet_fill_close(sheet_fill_hand *hand, f64 all, f64 *tile,
                                    GLOBAL u32 *units) {
    f64 mass[SHEET_PLANES_PLANE + SHEET_PLANES_LANES];
    sheet_fill_sum(hand, all);
    for (i32 t = 0; t < hand->count; t++) {
        const sheet_planes *p = &hand->planes[t];
        const i32 end = p->first + p->count, room = tile ? SHEET_PLANES_PLANE / p->size : 1;
        if (!tile)
            sheet_planes_places(p, hand->list.place);
        for (i32 a = max(p->first, 1); a < end; a += room) {
            const i32 planes = min(room, end - a);
            sheet_planes_mass(p, hand->sum, a, planes, mass);
            if (tile)
                sheet_planes_to_tile(p, a, planes, mass, tile);
            else
                sheet_planes_to_grid(p, a, mass, &hand->list, units);
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
    sheet_planes_begin(p);
    hand->lines[hand->count++] = sheet_pack_lines(p->axis);
    return 1;
}

/* The same of tetrahedron l of a cube all of whose cells are in a tile. */
static inline i32 sheet_fill_take_tiled(sheet_fill_hand *hand, const sheet_cube *cube,
                                        i32 l, f64 all, sheet_tile *tile) {
    sheet_planes *p = &hand->planes[hand->count];
    i32 cells = 1;
    p->place = 0;
    for (i32 k = 0; k < 3; k++) {
        const i32 j = (i32)cube->axis[k][l], extent = (i32)cube->high[k][l] + 1;
        for (i32 v = 0; v < 4; v++)
            p->axis[k].at[v] = cube->at[k][v][l];
        p->axis[k].shift = cube->shift[k][l];
        p->axis[k].low = 0;
        p->axis[k].extent = p->axis[k].high = extent;
        p->beside[k] = tile->stride[j];
        p->place += (i32)(cube->base[k][l] - tile->low[j]) * tile->stride[j];
        cells *= extent;
    }
    p->volume = cube->volume[l];
    if (cells == 1) {
        tile->cell[p->place] += p->volume < 0 ? all : floor(all * p->volume + 0.5);
        return 0;
    }
    sheet_planes_begin(p);
    hand->lines[hand->count++] = sheet_pack_lines(p->axis);
    return 1;
}

/* Cuts planes of the last that was taken, where there are, and adds all cells where there
 * is no room for more, or at the `end`; whether planes are left. */
static inline i32 sheet_fill(sheet_fill_hand *hand, i32 left, i32 end, sheet_frame f,
                             f64 *tile, GLOBAL u32 *units) {
    const i32 of = hand->count - 1;
    i32 more = 0;
    if (left) {
        sheet_fill_cut(hand, of);
        const sheet_planes *p = &hand->planes[of];
        more =
            !p->is_layer && p->first + p->count <= (i32)(p->axis[0].high - p->axis[0].low);
    }
    if (more || (end && hand->count > 0) ||
        hand->used > SHEET_PLANES_SUMS - 3 * SHEET_PLANES_PLANE ||
        hand->pieces.count > SHEET_PACK_PIECES - SHEET_PACK_TAKES) {
        sheet_fill_close(hand, f.units, tile, units);
        if (more)
            sheet_fill_keep(hand);
        else
            hand->count = hand->kept = hand->used = 0;
    }
    return more;
}

#endif
