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

/* The cells around a cube: `wide` along each axis, `stride` numbers apart in a list of all.
 */
typedef struct sheet_image_box {
    f64 low[3];
    i32 wide[3], stride[3], cells;
} sheet_image_box;

/* Those of a cube's six tetrahedra: the rows and columns around each, its numbers at their
 * corners from sum[from] on; its first cell in the box, and how far there the next row and
 * column are. */
typedef struct sheet_image_six {
    i32 rows[SHEET_CUBE_LANES], columns[SHEET_CUBE_LANES], size[SHEET_CUBE_LANES],
        from[SHEET_CUBE_LANES], cell[SHEET_CUBE_LANES], across[SHEET_CUBE_LANES],
        beside[SHEET_CUBE_LANES];
} sheet_image_six;

static inline i32 sheet_image_is(sheet_frame f) {
    return f.scale[0] == 0 || f.scale[1] == 0 || f.scale[2] == 0;
}

/* The box around a cube; whether it is small. */
static inline i32 sheet_image_around(const sheet_cube *cube, sheet_image_box *box) {
    i32 small = 1;
    box->cells = 1;
    for (i32 k = 2; k >= 0; k--) {
        f64 low = cube->base[k][0], last = low;
        for (i32 l = 0; l < SHEET_CUBE_LANES; l++) {
            low = points_less(low, cube->base[k][l]);
            last = points_more(last, cube->base[k][l] + floor(cube->high[k][l]));
        }
        small &= last - low < SHEET_WINDOW;
        box->low[k] = low;
        box->wide[k] = small ? (i32)(last - low) + 1 : 0;
        box->stride[k] = box->cells;
        box->cells *= box->wide[k];
    }
    return small && box->cells <= SHEET_IMAGE_COLUMNS;
}

/* Whether the box touches the columns that are asked for. */
static inline i32 sheet_image_meets(const sheet_image_box *box, sheet_frame f) {
    i32 meets = 1;
    for (i32 k = 0; k < 3; k++)
        meets &= sheet_find_meets((i64)box->low[k], box->wide[k], f.first[k], f.count[k],
                                  f.cells[k]);
    return meets;
}

/* Pieces are whole tetrahedra here: all that are in more than one column. */
static inline void sheet_image_pieces(const sheet_cube *cube, sheet_image_six *six,
                                      sheet_pieces *pieces) {
    for (i32 v = 0; v < 4; v++)
        for (i32 l = 0; l < SHEET_CUBE_LANES; l++) {
            pieces->y[v][l] = cube->at[1][v][l];
            pieces->z[v][l] = cube->at[2][v][l];
        }
    for (i32 l = 0; l < SHEET_CUBE_LANES; l++) {
        six->rows[l] = (i32)cube->high[1][l] + 1;
        six->columns[l] = (i32)cube->high[2][l] + 1;
        six->size[l] = (six->rows[l] + 1) * (six->columns[l] + 1);
        pieces->weight[l] = 1;
        pieces->shift[l] = cube->shift[1][l];
        pieces->most[l] = (f64)six->rows[l];
    }
    sheet_pieces_sort(pieces, 0, 0);
}

/* Where each is in the box. */
static inline void sheet_image_place(const sheet_cube *cube, const sheet_image_box *box,
                                     sheet_image_six *six) {
    for (i32 l = 0; l < SHEET_IMAGE_SIX; l++) {
        six->cell[l] = 0;
        for (i32 k = 0; k < 3; k++) {
            const i32 axis = (i32)cube->axis[k][l];
            six->cell[l] += (i32)(cube->base[k][l] - box->low[axis]) * box->stride[axis];
        }
        six->across[l] = box->stride[(i32)cube->axis[1][l]];
        six->beside[l] = box->stride[(i32)cube->axis[2][l]];
    }
}

/* Their numbers at corners, in units. */
static inline void sheet_image_sum(sheet_fill_hand *hand, const sheet_cube *cube, f64 all,
                                   sheet_image_six *six) {
    f64 *sum = hand->sum;
    i32 used = 0;
    for (i32 l = 0; l < SHEET_IMAGE_SIX; l++) {
        sheet_lines *lines = &hand->lines[l];
        lines->shift = cube->shift[2][l];
        lines->across = cube->shift[1][l];
        lines->first = 1;
        lines->corners = six->columns[l];
        lines->real = six->columns[l] - 1;
        lines->wide = six->columns[l] + 1;
        lines->rows = six->rows[l];
        lines->low = 0;
        six->from[l] = used;
        hand->pieces.plane[l] = used + 1;
        hand->pieces.of[l] = l;
        used += six->rows[l] * six->columns[l] > 1 ? six->size[l] : 0;
    }
    const i32 numbers = (used + SHEET_FILL_LANES - 1) / SHEET_FILL_LANES * SHEET_FILL_LANES;
    for (i32 k = 0; k < numbers; k++)
        sum[k] = 0;
    for (i32 l = 0; l < SHEET_IMAGE_SIX; l++) {
        if (hand->pack.count + SHEET_PACK_PIECE > SHEET_PACK_PARTS)
            sheet_pack_sum(&hand->pack, hand->lines, sum);
        if (six->rows[l] * six->columns[l] > 1)
            sheet_pack_piece(&hand->pack, hand->lines, &hand->pieces, l);
    }
    sheet_pack_sum(&hand->pack, hand->lines, sum);
    for (i32 k = 0; k < numbers; k++)
        sum[k] = floor(sum[k] * all + 0.5);
}

/* Adds what they have in each column of the box to mass[]. */
static inline void sheet_image_masses(const sheet_image_six *six, const f64 *sum, f64 all,
                                      f64 *mass) {
    for (i32 l = 0; l < SHEET_IMAGE_SIX; l++) {
        const i32 rows = six->rows[l], columns = six->columns[l], wide = columns + 1;
        if (rows * columns == 1) {
            mass[six->cell[l]] += all;
            continue;
        }
        for (i32 b = 0; b < rows; b++) {
            const f64 *below = sum + six->from[l] + b * wide, *now = below + wide;
            f64 *to = mass + six->cell[l] + b * six->across[l];
            for (i32 c = 0; c < columns; c++)
                to[c * six->beside[l]] += (now[c + 1] - now[c]) - (below[c + 1] - below[c]);
        }
    }
}

/* Where columns of the box are among those asked for; below 0 where they are not. A row is
 * written beyond its end, then the next. */
static inline void sheet_image_columns(const sheet_image_box *box, sheet_frame f,
                                       i64 *place) {
    i64 along[3][SHEET_WINDOW + SHEET_FILL_LANES], stride = 1;
    i32 row = 0;
    for (i32 k = 2; k >= 0; k--) {
        i64 cell = sheet_find_wrap((i64)box->low[k] - f.first[k], f.cells[k]);
        for (i32 a = 0; a < box->wide[k]; a++) {
            along[k][a] = cell < f.count[k] ? cell * stride : sheet_fill_nowhere;
            cell = cell + 1 < f.cells[k] ? cell + 1 : 0;
        }
        for (i32 l = 0; l < SHEET_FILL_LANES; l++)
            along[k][box->wide[k] + l] = 0;
        stride *= f.count[k];
    }
    const i32 numbers =
        (box->wide[2] + SHEET_FILL_LANES - 1) / SHEET_FILL_LANES * SHEET_FILL_LANES;
    for (i32 a = 0; a < box->wide[0]; a++)
        for (i32 b = 0; b < box->wide[1]; b++) {
            for (i32 c = 0; c < numbers; c++)
                place[row + c] = along[0][a] + along[1][b] + along[2][c];
            row += box->wide[2];
        }
}

/* The six tetrahedra of a cube; 0, and nothing is done, where its box is not small. */
static inline i32 sheet_image(sheet_fill_hand *hand, sheet_cube *cube, sheet_frame f,
                              GLOBAL u32 *units) {
    f64 mass[SHEET_IMAGE_COLUMNS];
    i64 place[SHEET_IMAGE_COLUMNS + SHEET_FILL_LANES];
    i32 some[SHEET_IMAGE_COLUMNS], n = 0;
    sheet_image_box box;
    sheet_image_six six;
    if (!sheet_image_around(cube, &box))
        return 0;
    if (!sheet_image_meets(&box, f))
        return 1;
    sheet_cube_sort(cube);
    sheet_image_pieces(cube, &six, &hand->pieces);
    sheet_image_place(cube, &box, &six);
    sheet_image_sum(hand, cube, f.units, &six);
    for (i32 k = 0; k < box.cells; k++)
        mass[k] = 0;
    sheet_image_masses(&six, hand->sum, f.units, mass);
    sheet_image_columns(&box, f, place);
    for (i32 k = 0; k < box.cells; k++) {
        some[n] = k;
        n += (f64_bits(mass[k]) != 0) & (place[k] >= 0);
    }
    for (i32 k = 0; k < n; k++)
        sheet_add(units, (index_t)place[some[k]], (i64)mass[some[k]]);
    return 1;
}

#endif
