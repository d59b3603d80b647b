/* Images: where an axis is projected each tetrahedron is in one layer of cells. The six of
 * a cube that meets few columns are cut together, and summed up before they are added: of
 * what they have in columns most is in those of another, too. The numbers of sheet_fill. */
#ifndef SHEET_IMAGE_KERNEL_H
#define SHEET_IMAGE_KERNEL_H

#include <weft/kernel.h>
#include "sheet_cube.kernel.h"
#include "sheet_fill.kernel.h"

/* Columns that are few. (Sums of six are exact up to sheet_tile_units.) */
enum { SHEET_IMAGE_COLUMNS = 256, SHEET_IMAGE_SIX = 6 };

/* The columns around a cube: `wide` along each axis, whose corners are `stride` numbers
 * apart in a list of them; those of the fast axis are side by side. */
typedef struct sheet_image_box {
    f64 low[3];
    i32 wide[3], stride[3], slow, fast, numbers;
} sheet_image_box;

static inline i32 sheet_image_is(sheet_frame f) {
    return f.scale[0] == 0 || f.scale[1] == 0 || f.scale[2] == 0;
}

/* Where the six tetrahedra of a cube are, along an axis: the numbers of sheet_cube_find and
 * sheet_body_of. */
typedef struct sheet_image_axis {
    f64 at[4][SHEET_CUBE_LANES], base[SHEET_CUBE_LANES], high[SHEET_CUBE_LANES],
        shift[SHEET_CUBE_LANES], span[SHEET_CUBE_LANES];
} sheet_image_axis;

static inline void sheet_image_find(const f64 *corner, sheet_frame f, i32 flip, f64 cells,
                                    sheet_image_axis *out) {
    for (i32 l = 0; l < SHEET_CUBE_LANES; l++)
        for (i32 v = 0; v < 4; v++)
            out->at[v][l] = corner[sheet_corners[f.kind + l % 6][v] ^ flip];
    for (i32 l = 0; l < SHEET_CUBE_LANES; l++) {
        const f64 least = points_less(points_less(out->at[0][l], out->at[1][l]),
                                      points_less(out->at[2][l], out->at[3][l]));
        const f64 up = least < 0 ? cells : 0, low = floor(least + up);
        f64 at[4], high = 0, span = 0;
        for (i32 v = 0; v < 4; v++) {
            at[v] = out->at[v][l] + up - low;
            high = points_more(high, at[v]);
        }
        const f64 shift = points_less(points_less(at[0], at[1]), points_less(at[2], at[3]));
        for (i32 v = 0; v < 4; v++) {
            at[v] -= shift;
            out->at[v][l] = at[v];
            span = points_more(span, at[v]);
        }
        out->base[l] = low - up;
        out->high[l] = high;
        out->shift[l] = shift;
        out->span[l] = span;
    }
}

/* The cells of an axis around all of them; whether they are few, and, which only rounding
 * could change, no more than the grid's. */
static inline i32 sheet_image_around(const sheet_image_axis *axis, f64 cells, f64 *around,
                                     i32 *wide) {
    enum { HALF = SHEET_CUBE_LANES / 2 };
    f64 first[HALF], end[HALF];
    for (i32 l = 0; l < HALF; l++) {
        const f64 *base = axis->base + l, *high = axis->high + l;
        first[l] = points_less(base[0], base[HALF]);
        end[l] = points_more(base[0] + floor(high[0]), base[HALF] + floor(high[HALF]));
    }
    const f64 low =
        points_less(points_less(first[0], first[1]), points_less(first[2], first[3]));
    const f64 last = points_more(points_more(end[0], end[1]), points_more(end[2], end[3]));
    const i32 small = last - low < SHEET_WINDOW && last - low <= cells;
    *around = low;
    *wide = small ? (i32)(last - low) + 1 : 0;
    return small;
}

/* The box around a cube; whether it is small. */
static inline i32 sheet_image_open(f64 corner[3][8], sheet_frame f, i32 flip,
                                   sheet_image_axis axis[2], sheet_image_box *box) {
    const i32 slow = f.scale[0] == 0, fast = f.scale[2] == 0 ? 1 : 2;
    sheet_image_find(corner[slow], f, flip, (f64)f.cells[slow], &axis[0]);
    sheet_image_find(corner[fast], f, flip, (f64)f.cells[fast], &axis[1]);
    box->low[3 - slow - fast] = 0;
    box->wide[3 - slow - fast] = 1;
    box->slow = slow;
    box->fast = fast;
    const i32 is_short =
        sheet_image_around(&axis[0], (f64)f.cells[slow], &box->low[slow], &box->wide[slow]);
    if (!is_short || !sheet_image_around(&axis[1], (f64)f.cells[fast], &box->low[fast],
                                         &box->wide[fast]))
        return 0;
    box->stride[0] = box->stride[1] = box->stride[2] = 0;
    box->stride[slow] = box->wide[fast] + 1;
    box->stride[fast] = 1;
    box->numbers = (box->wide[slow] + 1) * box->stride[slow];
    return box->wide[slow] * box->wide[fast] <= SHEET_IMAGE_COLUMNS;
}

/* Pieces are whole tetrahedra here, cut along the axis along which they are shorter: where
 * `turned`, the fast one. 0 where one is as short along that as along the axis that is
 * projected. */
static inline i32 sheet_image_pieces(const sheet_image_axis axis[2], i32 *turned,
                                     sheet_pieces *pieces) {
    i32 flat = 0;
    for (i32 l = 0; l < SHEET_CUBE_LANES; l++) {
        const i32 turn = axis[1].span[l] < axis[0].span[l];
        flat |= !(axis[0].span[l] > 0) | !(axis[1].span[l] > 0);
        for (i32 v = 0; v < 4; v++) {
            pieces->y[v][l] = sheet_cut_choose(turn, axis[1].at[v][l], axis[0].at[v][l]);
            pieces->z[v][l] = sheet_cut_choose(turn, axis[0].at[v][l], axis[1].at[v][l]);
        }
        pieces->weight[l] = 1;
        pieces->shift[l] = sheet_cut_choose(turn, axis[1].shift[l], axis[0].shift[l]);
        pieces->most[l] =
            floor(sheet_cut_choose(turn, axis[1].high[l], axis[0].high[l])) + 1;
        turned[l] = turn;
    }
    if (flat)
        return 0;
    sheet_pieces_sort(pieces, 0, 0);
    return 1;
}

/* Where each is among the corners of the box. Numbers of those beyond its last are those of
 * its last. */
static inline void sheet_image_place(const sheet_image_axis axis[2], const i32 *turned,
                                     const sheet_image_box *box, i32 size,
                                     sheet_fill_hand *hand) {
    for (i32 l = 0; l < SHEET_IMAGE_SIX; l++) {
        sheet_lines *lines = &hand->lines[l];
        const i32 turn = turned[l], y = turn ? box->fast : box->slow,
                  z = turn ? box->slow : box->fast;
        const sheet_image_axis *along = &axis[!turn];
        const i32 row = (i32)(axis[turn].base[l] - box->low[y]);
        const i32 column = (i32)(along->base[l] - box->low[z]);
        lines->shift = along->shift[l];
        lines->across = hand->pieces.shift[l];
        lines->first = 1;
        lines->corners = box->wide[z] - column;
        lines->real = (i32)along->high[l];
        lines->wide = box->stride[y];
        lines->beside = box->stride[z];
        lines->rows = box->wide[y] - row;
        lines->low = 0;
        hand->pieces.plane[l] =
            l * size + row * box->stride[y] + (column + 1) * box->stride[z];
        hand->pieces.of[l] = l;
    }
}

/* Whether one is in more than one column. */
static inline i32 sheet_image_spreads(const sheet_fill_hand *hand, i32 l) {
    return hand->pieces.most[l] > 1 || hand->lines[l].real > 0;
}

/* The numbers at corners of those that are, of whom there are some. */
static inline u32 sheet_image_sum(sheet_fill_hand *hand, i32 size) {
    u32 whole = 0;
    for (i32 k = 0; k < SHEET_IMAGE_SIX * size; k++)
        hand->sum[k] = 0;
    for (i32 l = 0; l < SHEET_IMAGE_SIX; l++) {
        if (hand->pack.count + SHEET_PACK_PIECE > SHEET_PACK_PARTS)
            sheet_pack_sum(&hand->pack, hand->lines, hand->sum);
        if (sheet_image_spreads(hand, l))
            sheet_pack_piece(&hand->pack, hand->lines, &hand->pieces, l);
        else
            whole |= (u32)1 << l;
    }
    sheet_pack_sum(&hand->pack, hand->lines, hand->sum);
    return whole;
}

/* In units, of all six, in place of the first. */
static inline void sheet_image_units(f64 *sum, i32 size, f64 all) {
    f64 *a = sum;
    const f64 *b = a + size, *c = b + size, *d = c + size, *e = d + size, *g = e + size;
    for (i32 k = 0; k < size; k++)
        a[k] = floor(a[k] * all + 0.5) + floor(b[k] * all + 0.5) + floor(c[k] * all + 0.5) +
               floor(d[k] * all + 0.5) + floor(e[k] * all + 0.5) + floor(g[k] * all + 0.5);
}

/* Where columns a - 1 .. a of an axis of the box are among those asked for; far below 0
 * where they are not. */
static inline void sheet_image_along(const sheet_image_box *box, sheet_frame f, i32 axis,
                                     i64 stride, i64 *along) {
    const i64 first = sheet_find_wrap((i64)box->low[axis] - f.first[axis], f.cells[axis]),
              cells = f.cells[axis], count = f.count[axis];
    for (i32 a = 0; a < SHEET_CORNERS; a++) {
        const i64 cell = first + a - 1, there = cell < cells ? cell : cell - cells;
        along[a] = there < count ? there * stride : sheet_tile_nowhere;
    }
    along[0] = sheet_tile_nowhere;
}

/* Where columns below corners of the box are; below 0 where they are not. A row is
 * written beyond its end, then the next. */
static inline void sheet_image_columns(const sheet_image_box *box, sheet_frame f,
                                       i64 *place) {
    const i32 wide = box->stride[box->slow];
    const i32 numbers =
        (wide + SHEET_PLANES_LANES - 1) / SHEET_PLANES_LANES * SHEET_PLANES_LANES;
    i64 row[SHEET_CORNERS], along[SHEET_CORNERS + SHEET_PLANES_LANES];
    sheet_image_along(box, f, box->slow, f.count[box->fast], row);
    sheet_image_along(box, f, box->fast, 1, along);
    for (i32 l = 0; l < SHEET_PLANES_LANES; l++)
        along[wide + l] = 0;
    for (i32 b = 1; b <= box->wide[box->slow]; b++)
        for (i32 c = 0; c < numbers; c++)
            place[b * wide + c] = row[b] + along[c];
}

/* The six tetrahedra of a cube; 0, and nothing is done, where they meet many columns, or
 * one is as short along another axis as along that which is projected. */
static inline i32 sheet_image(sheet_fill_hand *hand, f64 corner[3][8], sheet_frame f,
                              i32 flip, GLOBAL u32 *units) {
    sheet_image_box around;
    const sheet_image_box *box = &around;
    sheet_image_axis axis[2];
    i32 turned[SHEET_CUBE_LANES];
    if (!sheet_image_open(corner, f, flip, axis, &around))
        return 0;
    if (!sheet_tile_meets(box->low, box->wide, f))
        return 1;
    const i32 wide = box->stride[box->slow], end = box->numbers;
    const i32 size =
        (end + SHEET_PLANES_LANES - 1) / SHEET_PLANES_LANES * SHEET_PLANES_LANES;
    f64 *total = hand->sum, mass[SHEET_PLANES_PLANE + SHEET_PLANES_LANES];
    i64 *place = hand->list.place;
    i32 *some = hand->list.some, n = 0;
    if (!sheet_image_pieces(axis, turned, &hand->pieces))
        return 0;
    sheet_image_place(axis, turned, box, size, hand);
    const u32 whole = sheet_image_sum(hand, size);
    sheet_image_units(hand->sum, size, f.units);
    sheet_image_columns(box, f, place);
    for (i32 k = wide + 1; k < end; k++)
        mass[k] = (total[k] - total[k - 1]) - (total[k - wide] - total[k - wide - 1]);
    for (i32 l = 0; whole && l < SHEET_IMAGE_SIX; l++)
        if (whole >> l & 1)
            mass[hand->pieces.plane[l] - l * size + hand->lines[l].wide] += f.units;
    for (i32 k = wide + 1; k < end; k++) {
        some[n] = k;
        n += (f64_bits(mass[k]) != 0) & (place[k] >= 0);
    }
    for (i32 k = 0; k < n; k++)
        sheet_add(units, (index_t)place[some[k]], (i64)mass[some[k]]);
    return 1;
}

#endif
