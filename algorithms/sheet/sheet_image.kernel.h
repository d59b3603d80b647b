/* Images: where an axis is projected each tetrahedron is in one layer of cells. The six of
 * a cube that meets few columns are cut together, and summed up before they are added: of
 * what they have in columns most is in those of another, too. The numbers of sheet_fill. */
#ifndef SHEET_IMAGE_KERNEL_H
#define SHEET_IMAGE_KERNEL_H

#include <weft/kernel.h>
#include "sheet_cube.kernel.h"
#include "sheet_fill.kernel.h"

/* Columns that are few. Units of six tetrahedra are below 2^53, so sums of them are exact.
 */
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

/* The box around a cube; whether it is small, and, which only rounding could change, no
 * cell longer than the grid. */
static inline i32 sheet_image_around(const sheet_cube *cube, sheet_frame f,
                                     sheet_image_box *box) {
    i32 small = 1, cells = 1;
    for (i32 k = 0; k < 3; k++) {
        f64 low = cube->base[k][0], last = low;
        for (i32 l = 0; l < SHEET_CUBE_LANES; l++) {
            low = points_less(low, cube->base[k][l]);
            last = points_more(last, cube->base[k][l] + floor(cube->high[k][l]));
        }
        small &= last - low < SHEET_WINDOW && last - low <= (f64)f.cells[k];
        box->low[k] = low;
        box->wide[k] = small ? (i32)(last - low) + 1 : 0;
        cells *= box->wide[k];
    }
    box->slow = f.scale[0] == 0;
    box->fast = f.scale[2] == 0 ? 1 : 2;
    box->stride[0] = box->stride[1] = box->stride[2] = 0;
    box->stride[box->slow] = box->wide[box->fast] + 1;
    box->stride[box->fast] = 1;
    box->numbers = (box->wide[box->slow] + 1) * box->stride[box->slow];
    return small && cells <= SHEET_IMAGE_COLUMNS;
}

/* Whether the box touches the columns that are asked for. */
static inline i32 sheet_image_meets(const sheet_image_box *box, sheet_frame f) {
    i32 meets = 1;
    for (i32 k = 0; k < 3; k++)
        meets &= sheet_find_meets((i64)box->low[k], box->wide[k], f.first[k], f.count[k],
                                  f.cells[k]);
    return meets;
}

/* Whether the axis that is projected is the first of each. */
static inline i32 sheet_image_layer(const sheet_cube *cube, const sheet_image_box *box) {
    const f64 axis = (f64)(3 - box->slow - box->fast);
    u32 other = 0;
    for (i32 l = 0; l < SHEET_CUBE_LANES; l++)
        other |= cube->axis[0][l] != axis;
    return !other;
}

/* Pieces are whole tetrahedra here. */
static inline void sheet_image_pieces(const sheet_cube *cube, sheet_pieces *pieces) {
    for (i32 v = 0; v < 4; v++)
        for (i32 l = 0; l < SHEET_CUBE_LANES; l++) {
            pieces->y[v][l] = cube->at[1][v][l];
            pieces->z[v][l] = cube->at[2][v][l];
        }
    for (i32 l = 0; l < SHEET_CUBE_LANES; l++) {
        pieces->weight[l] = 1;
        pieces->shift[l] = cube->shift[1][l];
        pieces->most[l] = floor(cube->high[1][l]) + 1;
    }
    sheet_pieces_sort(pieces, 0, 0);
}

/* Where each is among the corners of the box. Numbers of those beyond its last are those of
 * its last. */
static inline void sheet_image_place(const sheet_cube *cube, const sheet_image_box *box,
                                     i32 size, sheet_fill_hand *hand) {
    for (i32 l = 0; l < SHEET_IMAGE_SIX; l++) {
        sheet_lines *lines = &hand->lines[l];
        const i32 y = (i32)cube->axis[1][l], z = (i32)cube->axis[2][l];
        const i32 row = (i32)(cube->base[1][l] - box->low[y]);
        const i32 column = (i32)(cube->base[2][l] - box->low[z]);
        lines->shift = cube->shift[2][l];
        lines->across = cube->shift[1][l];
        lines->first = 1;
        lines->corners = box->wide[z] - column;
        lines->real = (i32)cube->high[2][l];
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

/* The numbers at corners of those that are. */
static inline void sheet_image_sum(sheet_fill_hand *hand, i32 size) {
    for (i32 k = 0; k < SHEET_IMAGE_SIX * size; k++)
        hand->sum[k] = 0;
    for (i32 l = 0; l < SHEET_IMAGE_SIX; l++) {
        if (hand->pack.count + SHEET_PACK_PIECE > SHEET_PACK_PARTS)
            sheet_pack_sum(&hand->pack, hand->lines, hand->sum);
        if (sheet_image_spreads(hand, l))
            sheet_pack_piece(&hand->pack, hand->lines, &hand->pieces, l);
    }
    sheet_pack_sum(&hand->pack, hand->lines, hand->sum);
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

/* The six tetrahedra of a cube; 0, and nothing is done, where not all of them are in one
 * layer along the axis that is projected. */
static inline i32 sheet_image(sheet_fill_hand *hand, const sheet_cube *cube,
                              const sheet_image_box *box, sheet_frame f,
                              GLOBAL u32 *units) {
    const i32 wide = box->stride[box->slow], end = box->numbers;
    const i32 size =
        (end + SHEET_PLANES_LANES - 1) / SHEET_PLANES_LANES * SHEET_PLANES_LANES;
    f64 *total = hand->sum, mass[SHEET_PLANES_PLANE + SHEET_PLANES_LANES];
    i64 *place = hand->list.place;
    i32 *some = hand->list.some, n = 0;
    if (!sheet_image_layer(cube, box))
        return 0;
    sheet_image_pieces(cube, &hand->pieces);
    sheet_image_place(cube, box, size, hand);
    sheet_image_sum(hand, size);
    sheet_image_units(hand->sum, size, f.units);
    sheet_image_columns(box, f, place);
    for (i32 k = wide + 1; k < end; k++)
        mass[k] = (total[k] - total[k - 1]) - (total[k - wide] - total[k - wide - 1]);
    for (i32 l = 0; l < SHEET_IMAGE_SIX; l++)
        if (!sheet_image_spreads(hand, l))
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
