/* Parts of a tetrahedron, eight at a time: what of each is below the corners of its rows.
 */
#ifndef SHEET_PACK_KERNEL_H
#define SHEET_PACK_KERNEL_H

#include <weft/kernel.h>
#include "sheet_cut.kernel.h"
#include "sheet_window.kernel.h"

/* Lanes of a vector; parts and pieces that a list may hold, and a vector more. A piece has
 * at most three parts a row and all of it. */
enum {
    SHEET_PACK = 8,
    SHEET_PACK_PIECE = 3 * SHEET_CORNERS + 1,
    SHEET_PACK_PARTS = 2 * (SHEET_PACK_PIECE + 4),
    SHEET_PACK_PIECES = 3 * SHEET_CORNERS + 1
};

/* A row has corners first .. first + corners, each less `shift`; those after the first
 * `real` are above everything. Rows are `wide` numbers apart. Part l is of all rows from
 * from[l] to to[l]. */
typedef struct sheet_pack {
    f64 z[4][SHEET_PACK_PARTS + SHEET_PACK], weight[SHEET_PACK_PARTS + SHEET_PACK], shift;
    i32 from[SHEET_PACK_PARTS], to[SHEET_PACK_PARTS], count;
    i32 first, corners, real, wide;
} sheet_pack;

/* Of eight parts, in vectors. */
typedef struct sheet_forms {
    f64 z0[SHEET_PACK], z1[SHEET_PACK], z2[SHEET_PACK], z3[SHEET_PACK], d03[SHEET_PACK],
        d12[SHEET_PACK], d0[SHEET_PACK], low[SHEET_PACK], middle[SHEET_PACK],
        high[SHEET_PACK];
} sheet_forms;

static inline void sheet_pack_begin(sheet_pack *pack, const sheet_axis *axis) {
    const i32 skip = axis->low == 0;
    pack->count = 0;
    pack->shift = axis->shift;
    pack->first = (i32)axis->low + skip;
    pack->wide = (i32)(axis->high - axis->low) + 1;
    pack->corners = pack->wide - skip;
    pack->real = pack->corners - (axis->high == axis->extent);
}

static inline void sheet_pack_forms(const sheet_pack *pack, i32 begin, sheet_forms *forms) {
    for (i32 l = 0; l < SHEET_PACK; l++) {
        const i32 m = begin + l;
        const sheet_form form =
            sheet_cut_form(pack->z[0][m], pack->z[1][m], pack->z[2][m], pack->z[3][m]);
        forms->z0[l] = form.z0, forms->z1[l] = form.z1, forms->z2[l] = form.z2;
        forms->z3[l] = form.z3, forms->d03[l] = form.d03, forms->d12[l] = form.d12;
        forms->d0[l] = form.d0, forms->low[l] = form.low;
        forms->middle[l] = form.middle, forms->high[l] = form.high;
    }
}

static inline sheet_form sheet_pack_form(const sheet_forms *forms, i32 l) {
    sheet_form form;
    form.z0 = forms->z0[l], form.z1 = forms->z1[l], form.z2 = forms->z2[l];
    form.z3 = forms->z3[l], form.d03 = forms->d03[l], form.d12 = forms->d12[l];
    form.d0 = forms->d0[l], form.low = forms->low[l];
    form.middle = forms->middle[l], form.high = forms->high[l];
    return form;
}

/* Adds up to eight parts from `begin` on to the sums at corners of rows, part after part.
 */
static inline void sheet_pack_add(const sheet_pack *pack, i32 begin, f64 *sum) {
    const i32 end = min(begin + SHEET_PACK, pack->count);
    sheet_forms forms;
    f64 value[SHEET_CORNERS][SHEET_PACK];
    sheet_pack_forms(pack, begin, &forms);
    for (i32 k = 0; k < pack->real; k++) {
        const f64 z = (f64)(pack->first + k) - pack->shift;
        for (i32 l = 0; l < SHEET_PACK; l++) {
            const sheet_form form = sheet_pack_form(&forms, l);
            value[k][l] = pack->weight[begin + l] * sheet_cut_fraction(&form, z);
        }
    }
    for (i32 k = pack->real; k < pack->corners; k++)
        for (i32 l = 0; l < SHEET_PACK; l++)
            value[k][l] = pack->weight[begin + l];
    for (i32 m = begin; m < end; m++)
        for (i32 from = pack->from[m]; from <= pack->to[m]; from += pack->wide) {
            f64 *row = sum + from;
            for (i32 k = 0; k < pack->corners; k++)
                row[k] += value[k][m - begin];
        }
}

/* The same of all parts, and empties the list. */
static inline void sheet_pack_sum(sheet_pack *pack, f64 *sum) {
    for (i32 v = 0; v < 4; v++)
        for (i32 l = 0; l < SHEET_PACK; l++)
            pack->z[v][pack->count + l] = 0;
    for (i32 l = 0; l < SHEET_PACK; l++)
        pack->weight[pack->count + l] = 0;
    for (i32 begin = 0; begin < pack->count; begin += SHEET_PACK)
        sheet_pack_add(pack, begin, sum);
    pack->count = 0;
}

static inline void sheet_pack_put(sheet_pack *pack, const f64 *z, f64 weight, i32 from,
                                  i32 to) {
    const i32 l = pack->count++;
    for (i32 v = 0; v < 4; v++)
        pack->z[v][l] = z[v];
    pack->weight[l] = weight;
    pack->from[l] = from;
    pack->to[l] = to;
}

/* Pieces, of planes from plane[l] on, and below which rows each vertex is first. */
typedef struct sheet_pieces {
    f64 y[4][SHEET_PACK_PIECES + SHEET_PACK], z[4][SHEET_PACK_PIECES + SHEET_PACK],
        weight[SHEET_PACK_PIECES];
    i32 row[4][SHEET_PACK_PIECES + SHEET_PACK], plane[SHEET_PACK_PIECES], count;
} sheet_pieces;

static inline void sheet_pieces_put(sheet_pieces *pieces, const sheet_flat *flat,
                                    i32 plane) {
    const i32 l = pieces->count++;
    for (i32 v = 0; v < 4; v++) {
        pieces->y[v][l] = flat->y[v];
        pieces->z[v][l] = flat->z[v];
    }
    pieces->weight[l] = flat->weight;
    pieces->plane[l] = plane;
}

/* The first row of a window whose plane is above y, of those that are asked for; or the one
 * after the last. The sum may be rounded to or from a whole number, so its neighbours are
 * tried. */
static inline i32 sheet_pieces_row(const sheet_axis *axis, f64 y) {
    const f64 low = (f64)axis->low, end = (f64)axis->high + 1;
    const f64 guess = floor(y + axis->shift) + 1;
    const f64 up = y < guess - axis->shift ? guess : guess + 1;
    const f64 above = y < guess - 1 - axis->shift ? guess - 1 : up;
    const f64 most = axis->high == axis->extent ? end - 1 : end;
    const f64 least = low == 0 ? 1 : low;
    const f64 row = above < most ? above : most;
    return (i32)((row > least ? row : least) - low);
}

static inline void sheet_pieces_sort(sheet_pieces *pieces, const sheet_axis *axis,
                                     i32 begin) {
    for (i32 l = begin; l < begin + SHEET_PACK; l++) {
        f64 y[4], z[4], none[4] = {0, 0, 0, 0};
        for (i32 v = 0; v < 4; v++) {
            y[v] = pieces->y[v][l];
            z[v] = pieces->z[v][l];
        }
        sheet_cut_sort(y, z, none);
        for (i32 v = 0; v < 4; v++) {
            pieces->y[v][l] = y[v];
            pieces->z[v][l] = z[v];
            pieces->row[v][l] = sheet_pieces_row(axis, y[v]);
        }
    }
}

/* What of a piece is below rows begin .. end - 1, below each of which `below` vertices are;
 * row 0 is at sum[plane]. */
static inline void sheet_pack_rows(sheet_pack *pack, const sheet_flat *flat,
                                   const sheet_axis *axis, i32 below, i32 begin, i32 end,
                                   i32 plane) {
    for (i32 b = begin; b < end; b++) {
        const i32 row = plane + b * pack->wide;
        sheet_part part[3];
        const i32 parts =
            sheet_cut_parts(sheet_window_corner(axis, axis->low + b), flat, below, part);
        for (i32 p = 0; p < parts; p++)
            sheet_pack_put(pack, part[p].z, part[p].weight, row, row);
    }
}

/* What of a piece is below each row of a plane, of which the first is at sum[plane]: where
 * three vertices are below, all of it, less what is above. */
static inline void sheet_pack_piece(sheet_pack *pack, const sheet_flat *flat,
                                    const i32 *first, const sheet_axis *axis, i32 plane) {
    const i32 rows = (i32)(axis->high - axis->low);
    if (first[2] <= rows)
        sheet_pack_put(pack, flat->z, flat->weight, plane + first[2] * pack->wide,
                       plane + rows * pack->wide);
    sheet_pack_rows(pack, flat, axis, 1, first[0], first[1], plane);
    sheet_pack_rows(pack, flat, axis, 2, first[1], first[2], plane);
    sheet_pack_rows(pack, flat, axis, 3, first[2], first[3], plane);
}

/* The same of several. */
static inline void sheet_pack_pieces(sheet_pack *pack, sheet_pieces *pieces,
                                     const sheet_axis *axis, f64 *sum) {
    for (i32 v = 0; v < 4; v++)
        for (i32 l = 0; l < SHEET_PACK; l++)
            pieces->y[v][pieces->count + l] = pieces->z[v][pieces->count + l] = 0;
    for (i32 begin = 0; begin < pieces->count; begin += SHEET_PACK)
        sheet_pieces_sort(pieces, axis, begin);
    for (i32 l = 0; l < pieces->count; l++) {
        sheet_flat flat;
        i32 first[4];
        for (i32 v = 0; v < 4; v++) {
            flat.y[v] = pieces->y[v][l];
            flat.z[v] = pieces->z[v][l];
            first[v] = pieces->row[v][l];
        }
        flat.weight = pieces->weight[l];
        if (pack->count + SHEET_PACK_PIECE > SHEET_PACK_PARTS)
            sheet_pack_sum(pack, sum);
        sheet_pack_piece(pack, &flat, first, axis, pieces->plane[l]);
    }
    sheet_pack_sum(pack, sum);
}

#endif
