/* Parts of a tetrahedron, eight at a time: what of each is below the corners of its rows.
 */
#ifndef SHEET_PACK_KERNEL_H
#define SHEET_PACK_KERNEL_H

#include <weft/kernel.h>
#include "sheet_cut.kernel.h"
#include "sheet_window.kernel.h"

enum { SHEET_PACK = 8 };

/* A row has corners first .. first + corners, each less `shift`; those after the first
 * `real` are above everything. Rows are `wide` numbers apart. Part l is of all rows from
 * from[l] to to[l]. */
typedef struct sheet_pack {
    f64 z[4][SHEET_PACK], weight[SHEET_PACK], shift;
    i32 from[SHEET_PACK], to[SHEET_PACK], count;
    i32 first, corners, real, wide;
} sheet_pack;

/* Of all parts, in vectors. */
typedef struct sheet_forms {
    f64 z0[SHEET_PACK], z1[SHEET_PACK], z2[SHEET_PACK], z3[SHEET_PACK], d03[SHEET_PACK],
        d12[SHEET_PACK], d0[SHEET_PACK], low[SHEET_PACK], middle[SHEET_PACK],
        high[SHEET_PACK];
} sheet_forms;

static inline sheet_pack sheet_pack_empty(const sheet_axis *axis) {
    const i32 skip = axis->low == 0;
    sheet_pack pack;
    for (i32 l = 0; l < SHEET_PACK; l++) {
        for (i32 v = 0; v < 4; v++)
            pack.z[v][l] = 0;
        pack.weight[l] = 0;
        pack.from[l] = pack.to[l] = 0;
    }
    pack.count = 0;
    pack.shift = axis->shift;
    pack.first = (i32)axis->low + skip;
    pack.wide = (i32)(axis->high - axis->low) + 1;
    pack.corners = pack.wide - skip;
    pack.real = pack.corners - (axis->high == axis->extent);
    return pack;
}

static inline void sheet_pack_forms(const sheet_pack *pack, sheet_forms *forms) {
    for (i32 l = 0; l < SHEET_PACK; l++) {
        const sheet_form form =
            sheet_cut_form(pack->z[0][l], pack->z[1][l], pack->z[2][l], pack->z[3][l]);
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

/* Adds them to the sums at corners of rows, part after part, and empties the pack. */
static inline void sheet_pack_sum(sheet_pack *pack, f64 *sum) {
    sheet_forms forms;
    f64 value[SHEET_CORNERS][SHEET_PACK];
    sheet_pack_forms(pack, &forms);
    for (i32 k = 0; k < pack->real; k++) {
        const f64 z = (f64)(pack->first + k) - pack->shift;
        for (i32 l = 0; l < SHEET_PACK; l++) {
            const sheet_form form = sheet_pack_form(&forms, l);
            value[k][l] = pack->weight[l] * sheet_cut_fraction(&form, z);
        }
    }
    for (i32 k = pack->real; k < pack->corners; k++)
        for (i32 l = 0; l < SHEET_PACK; l++)
            value[k][l] = pack->weight[l];
    for (i32 l = 0; l < pack->count; l++)
        for (i32 row = pack->from[l]; row <= pack->to[l]; row += pack->wide)
            for (i32 k = 0; k < pack->corners; k++)
                sum[row + k] += value[k][l];
    pack->count = 0;
}

static inline void sheet_pack_put(sheet_pack *pack, const f64 *z, f64 weight, i32 from,
                                  i32 to, f64 *sum) {
    const i32 l = pack->count++;
    for (i32 v = 0; v < 4; v++)
        pack->z[v][l] = z[v];
    pack->weight[l] = weight;
    pack->from[l] = from;
    pack->to[l] = to;
    if (l + 1 == SHEET_PACK)
        sheet_pack_sum(pack, sum);
}

/* Pieces, of planes from plane[l] on: sorted together, in vectors. */
typedef struct sheet_pieces {
    f64 y[4][SHEET_PACK], z[4][SHEET_PACK], weight[SHEET_PACK];
    i32 plane[SHEET_PACK], count;
} sheet_pieces;

static inline sheet_pieces sheet_pieces_empty(void) {
    sheet_pieces pieces;
    for (i32 v = 0; v < 4; v++)
        for (i32 l = 0; l < SHEET_PACK; l++)
            pieces.y[v][l] = pieces.z[v][l] = 0;
    pieces.count = 0;
    return pieces;
}

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

static inline void sheet_pieces_sort(sheet_pieces *pieces) {
    for (i32 l = 0; l < SHEET_PACK; l++) {
        f64 y[4], z[4], none[4] = {0, 0, 0, 0};
        for (i32 v = 0; v < 4; v++) {
            y[v] = pieces->y[v][l];
            z[v] = pieces->z[v][l];
        }
        sheet_cut_sort(y, z, none);
        for (i32 v = 0; v < 4; v++) {
            pieces->y[v][l] = y[v];
            pieces->z[v][l] = z[v];
        }
    }
}

/* What of a piece is below each row of a plane, of which the first is at sum[plane]: where
 * three vertices are below, all of it, less what is above. */
static inline void sheet_pack_piece(sheet_pack *pack, const sheet_flat *flat,
                                    const sheet_axis *axis, i32 plane, f64 *sum) {
    const i32 first = axis->low == 0, rows = (i32)(axis->high - axis->low);
    i32 below[SHEET_CORNERS], whole = rows + 1;
    for (i32 b = rows; b >= first; b--) {
        below[b] = sheet_cut_below(sheet_window_plane(axis, axis->low + b), flat->y);
        whole = below[b] >= 3 ? b : whole;
    }
    if (whole <= rows)
        sheet_pack_put(pack, flat->z, flat->weight, plane + whole * pack->wide,
                       plane + rows * pack->wide, sum);
    for (i32 b = first; b <= rows; b++) {
        const i32 row = plane + b * pack->wide;
        sheet_part part[3];
        const i32 parts =
            sheet_cut_parts(sheet_window_corner(axis, axis->low + b), flat, below[b], part);
        for (i32 p = 0; p < parts; p++)
            sheet_pack_put(pack, part[p].z, part[p].weight, row, row, sum);
    }
}

/* The same of several, and forgets them. */
static inline void sheet_pack_pieces(sheet_pack *pack, sheet_pieces *pieces,
                                     const sheet_axis *axis, f64 *sum) {
    sheet_pieces_sort(pieces);
    for (i32 l = 0; l < pieces->count; l++) {
        sheet_flat flat;
        for (i32 v = 0; v < 4; v++) {
            flat.y[v] = pieces->y[v][l];
            flat.z[v] = pieces->z[v][l];
        }
        flat.weight = pieces->weight[l];
        sheet_pack_piece(pack, &flat, axis, pieces->plane[l], sum);
    }
    pieces->count = 0;
}

#endif
