/* Pieces of tetrahedra and their parts, eight at a time: what of each part is below the
 * corners of its rows. */
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
    SHEET_PACK_TAKES = 3 * SHEET_CORNERS + 1,
    SHEET_PACK_PIECES = 2 * (SHEET_PACK_TAKES + 4)
};

/* Where a tetrahedron has corners: rows of `corners`, those after the first `real` above
 * everything; rows are `wide` numbers apart, corners of a row `beside`; the first of a row
 * is corner `first` of its axis, less `shift`. Rows 0 .. rows are `low` on of theirs, less
 * `across`. */
typedef struct sheet_lines {
    f64 shift, across;
    i32 first, corners, real, wide, beside, rows, low;
} sheet_lines;

/* Parts of tetrahedra; part l is of all rows from from[l] to to[l] of number of[l]. */
typedef struct sheet_pack {
    f64 z[4][SHEET_PACK_PARTS + SHEET_PACK], weight[SHEET_PACK_PARTS + SHEET_PACK];
    f64 shift[SHEET_PACK_PARTS + SHEET_PACK], real[SHEET_PACK_PARTS + SHEET_PACK];
    i32 from[SHEET_PACK_PARTS], to[SHEET_PACK_PARTS], of[SHEET_PACK_PARTS], count;
} sheet_pack;

/* Of eight parts, in vectors. */
typedef struct sheet_forms {
    f64 z0[SHEET_PACK], z1[SHEET_PACK], z2[SHEET_PACK], z3[SHEET_PACK], d03[SHEET_PACK],
        d12[SHEET_PACK], d0[SHEET_PACK], low[SHEET_PACK], middle[SHEET_PACK],
        high[SHEET_PACK];
} sheet_forms;

static inline sheet_lines sheet_pack_lines(const sheet_axis *axis) {
    const i32 skip = axis[2].low == 0;
    sheet_lines lines;
    lines.across = axis[1].shift;
    lines.rows = (i32)(axis[1].high - axis[1].low);
    lines.low = (i32)axis[1].low;
    lines.shift = axis[2].shift;
    lines.first = (i32)axis[2].low + skip;
    lines.wide = (i32)(axis[2].high - axis[2].low) + 1;
    lines.beside = 1;
    lines.corners = lines.wide - skip;
    lines.real = lines.corners - (axis[2].high == axis[2].extent);
    return lines;
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
static inline void sheet_pack_add(const sheet_pack *pack, const sheet_lines *lines,
                                  i32 begin, f64 *sum) {
    const i32 end = min(begin + SHEET_PACK, pack->count);
    i32 corners = 0, real = 0, least = SHEET_CORNERS;
    sheet_forms forms;
    f64 value[SHEET_CORNERS][SHEET_PACK];
    sheet_pack_forms(pack, begin, &forms);
    for (i32 m = begin; m < end; m++) {
        corners = max(corners, lines[pack->of[m]].corners);
        real = max(real, lines[pack->of[m]].real);
        least = min(least, lines[pack->of[m]].real);
    }
    for (i32 k = 0; k < real; k++) {
        const f64 at = (f64)(lines[0].first + k);
        for (i32 l = 0; l < SHEET_PACK; l++) {
            const sheet_form form = sheet_pack_form(&forms, l);
            const f64 z = at - pack->shift[begin + l];
            value[k][l] = pack->weight[begin + l] * sheet_cut_fraction(&form, z);
        }
    }
    for (i32 k = least; k < corners; k++)
        for (i32 l = 0; l < SHEET_PACK; l++)
            value[k][l] = sheet_cut_choose((f64)k < pack->real[begin + l], value[k][l],
                                           pack->weight[begin + l]);
    for (i32 m = begin; m < end; m++) {
        const sheet_lines of = lines[pack->of[m]];
        const i32 to = pack->to[m];
        for (i32 from = pack->from[m]; from <= to; from += of.wide) {
            f64 *row = sum + from;
            for (i32 k = 0; k < of.corners; k++)
                row[k * of.beside] += value[k][m - begin];
        }
    }
}

/* The same of all parts, and empties the list. */
static inline void sheet_pack_sum(sheet_pack *pack, const sheet_lines *lines, f64 *sum) {
    for (i32 v = 0; v < 4; v++)
        for (i32 l = 0; l < SHEET_PACK; l++)
            pack->z[v][pack->count + l] = 0;
    for (i32 l = 0; l < SHEET_PACK; l++) {
        pack->weight[pack->count + l] = 0;
        pack->shift[pack->count + l] = 0;
        pack->real[pack->count + l] = 0;
    }
    for (i32 begin = 0; begin < pack->count; begin += SHEET_PACK)
        sheet_pack_add(pack, lines, begin, sum);
    pack->count = 0;
}

static inline void sheet_pack_put(sheet_pack *pack, sheet_lines lines, i32 of, const f64 *z,
                                  f64 weight, i32 from, i32 to) {
    const i32 l = pack->count++;
    for (i32 v = 0; v < 4; v++)
        pack->z[v][l] = z[v];
    pack->weight[l] = weight;
    pack->shift[l] = lines.shift;
    pack->real[l] = (f64)lines.real;
    pack->from[l] = from;
    pack->to[l] = to;
    pack->of[l] = of;
}

/* Pieces of tetrahedra of[l], of planes from plane[l] on, and below which rows each vertex
 * is first: rows are `shift` below whole numbers, and above everything from `most` on. */
typedef struct sheet_pieces {
    f64 y[4][SHEET_PACK_PIECES + SHEET_PACK], z[4][SHEET_PACK_PIECES + SHEET_PACK],
        weight[SHEET_PACK_PIECES];
    f64 shift[SHEET_PACK_PIECES + SHEET_PACK], most[SHEET_PACK_PIECES + SHEET_PACK];
    i32 row[4][SHEET_PACK_PIECES + SHEET_PACK], plane[SHEET_PACK_PIECES],
        of[SHEET_PACK_PIECES], count;
} sheet_pieces;

static inline void sheet_pieces_put(sheet_pieces *pieces, const sheet_axis *axis, i32 of,
                                    const sheet_flat *flat, i32 plane) {
    const i32 l = pieces->count++;
    for (i32 v = 0; v < 4; v++) {
        pieces->y[v][l] = flat->y[v];
        pieces->z[v][l] = flat->z[v];
    }
    pieces->weight[l] = flat->weight;
    pieces->shift[l] = axis[1].shift;
    pieces->most[l] = (f64)(axis[1].high + (axis[1].high < axis[1].extent));
    pieces->plane[l] = plane;
    pieces->of[l] = of;
}

/* The first corner of an axis whose plane is above y, from `least` to `most`. The sum may
 * be rounded to or from a whole number, so its neighbours are tried. */
static inline f64 sheet_pieces_row(f64 y, f64 shift, f64 least, f64 most) {
    const f64 guess = floor(y + shift) + 1;
    const f64 up = y < guess - shift ? guess : guess + 1;
    const f64 above = y < guess - 1 - shift ? guess - 1 : up;
    const f64 row = above < most ? above : most;
    return row > least ? row : least;
}

/* Sorts vertices of eight, and finds their rows. */
static inline void sheet_pieces_sort(sheet_pieces *pieces, f64 low, i32 begin) {
    const f64 least = low == 0 ? 1 : low;
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
            pieces->row[v][l] =
                (i32)(sheet_pieces_row(y[v], pieces->shift[l], least, pieces->most[l]) -
                      low);
        }
    }
}

/* What of a piece of tetrahedron `of` is below rows begin .. end - 1, below each of which
 * `below` vertices are; row 0 is at sum[plane]. */
static inline void sheet_pack_rows(sheet_pack *pack, sheet_lines lines, i32 of,
                                   const sheet_flat *flat, i32 below, i32 begin, i32 end,
                                   i32 plane) {
    for (i32 b = begin; b < end; b++) {
        const i32 row = plane + b * lines.wide;
        sheet_part part[3];
        const i32 parts =
            sheet_cut_parts((f64)(lines.low + b) - lines.across, flat, below, part);
        for (i32 p = 0; p < parts; p++)
            sheet_pack_put(pack, lines, of, part[p].z, part[p].weight, row, row);
    }
}

/* What of piece l is below each row of its plane: where three vertices are below, all of
 * it, less what is above. */
static inline void sheet_pack_piece(sheet_pack *pack, const sheet_lines *all,
                                    const sheet_pieces *pieces, i32 l) {
    const i32 plane = pieces->plane[l], of = pieces->of[l];
    const sheet_lines lines = all[of];
    sheet_flat flat;
    i32 first[4];
    for (i32 v = 0; v < 4; v++) {
        flat.y[v] = pieces->y[v][l];
        flat.z[v] = pieces->z[v][l];
        first[v] = pieces->row[v][l];
    }
    flat.weight = pieces->weight[l];
    if (first[2] <= lines.rows)
        sheet_pack_put(pack, lines, of, flat.z, flat.weight, plane + first[2] * lines.wide,
                       plane + lines.rows * lines.wide);
    sheet_pack_rows(pack, lines, of, &flat, 1, first[0], first[1], plane);
    sheet_pack_rows(pack, lines, of, &flat, 2, first[1], first[2], plane);
    sheet_pack_rows(pack, lines, of, &flat, 3, first[2], first[3], plane);
}

/* The same of all pieces, whose sums are added to, and empties the list. */
static inline void sheet_pack_pieces(sheet_pack *pack, const sheet_lines *lines,
                                     sheet_pieces *pieces, f64 *sum) {
    for (i32 v = 0; v < 4; v++)
        for (i32 l = 0; l < SHEET_PACK; l++)
            pieces->y[v][pieces->count + l] = pieces->z[v][pieces->count + l] = 0;
    for (i32 l = 0; l < SHEET_PACK; l++)
        pieces->shift[pieces->count + l] = pieces->most[pieces->count + l] = 0;
    for (i32 begin = 0; begin < pieces->count; begin += SHEET_PACK)
        sheet_pieces_sort(pieces, (f64)lines[0].low, begin);
    for (i32 l = 0; l <= pieces->count; l++) {
        if (l == pieces->count || pack->count + SHEET_PACK_PIECE > SHEET_PACK_PARTS)
            sheet_pack_sum(pack, lines, sum);
        if (l < pieces->count)
            sheet_pack_piece(pack, lines, pieces, l);
    }
    pieces->count = 0;
}

#endif
