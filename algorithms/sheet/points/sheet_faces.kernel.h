/* The faces between tetrahedra, and those between one that is turned inside out and one
 * that is not. */
#ifndef SHEET_FACES_KERNEL_H
#define SHEET_FACES_KERNEL_H

#include <weft/kernel.h>
#include "../sheet_find.kernel.h"

static inline f64 sheet_faces_det(f64 x[3][4]) {
    f64 d[3][3];
    for (i32 k = 0; k < 3; k++)
        for (i32 v = 0; v < 3; v++)
            d[k][v] = x[k][v + 1] - x[k][0];
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
           d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
}

/* Corner v of a tetrahedron of its cube. */
static inline i32 sheet_faces_corner(i32 which, sheet_frame f, i32 v) {
    return sheet_corners[f.kind + which % 6][v] ^
           (f.each > 6 ? sheet_diagonals[which / 6] : 0);
}

/* Whether it is the mirror image of what it was at first. */
static inline i32 sheet_faces_inverted(i64 number, sheet_frame f,
                                       GLOBAL const f64 *position) {
    sheet_tetrahedron t = sheet_find(number, f, position);
    f64 began[3][4];
    for (i32 v = 0; v < 4; v++)
        for (i32 k = 0; k < 3; k++)
            began[k][v] = sheet_faces_corner((i32)(number % f.each), f, v) >> (2 - k) & 1;
    const f64 now = sheet_faces_det(t.at);
    return sheet_faces_det(began) < 0 ? now > 0 : now < 0;
}

/* The tetrahedron on the other side of the face that lacks vertex `apex`: of the same cube,
 * or where all three corners lie on a side of it, of the next one. */
static inline i64 sheet_faces_across(i64 number, sheet_frame f, i32 apex) {
    const i32 which = (i32)(number % f.each);
    i32 all = 7, any = 0, face = 0;
    for (i32 v = 0; v < 4; v++) {
        const i32 corner = sheet_faces_corner(which, f, v);
        all &= v == apex ? 7 : corner;
        any |= v == apex ? 0 : corner;
    }
    const i32 side = all | (~any & 7); /* the bit of the axis across, or 0 */
    for (i32 v = 0; v < 4; v++)
        face |= v == apex ? 0 : 1 << (sheet_faces_corner(which, f, v) ^ side);
    i64 cube = number / f.each;
    i64 stride = 1;
    for (i32 k = 2; k >= 0; k--) {
        const i64 place = cube / stride % f.n[k];
        const i64 step = all >> (2 - k) & 1 ? 1 : -1;
        if (side >> (2 - k) & 1)
            cube += ((place + step + f.n[k]) % f.n[k] - place) * stride;
        stride *= f.n[k];
    }
    const i32 first = which / 6 * 6;
    for (i32 other = first; other < first + 6; other++) {
        i32 corners = 0;
        for (i32 v = 0; v < 4; v++)
            corners |= 1 << sheet_faces_corner(other, f, v);
        if ((corners & face) == face && (side != 0 || other != which))
            return cube * f.each + other;
    }
    return number;
}

/* Its faces to ones that are inverted, where it is not: bit v for that without vertex v. */
static inline u32 sheet_faces_folds(i64 number, sheet_frame f, GLOBAL const f64 *position) {
    u32 folds = 0;
    for (i32 v = -1; v < 4; v++) {
        const i64 other = v < 0 ? number : sheet_faces_across(number, f, v);
        const i32 inverted = sheet_faces_inverted(other, f, position);
        if (v < 0 && inverted)
            return 0;
        folds |= v >= 0 && inverted ? 1u << v : 0;
    }
    return folds;
}

/* How many folds tetrahedron f.begin + i has; with a list, the corners of fold part[i] of
 * tetrahedron f.begin + of[i]. */
static inline void sheet_faces_list(index_t i, sheet_frame f, GLOBAL const u32 *of,
                                    GLOBAL const u32 *part, GLOBAL const f64 *position,
                                    GLOBAL u32 *out) {
    const i64 number = f.begin + (i64)(of ? of[i] : i);
    const u32 folds = sheet_faces_folds(number, f, position);
    if (!of) {
        out[i] = popcount(folds);
        return;
    }
    index_t site[4];
    sheet_find_sites(number, f, site);
    i32 apex = 0;
    for (u32 left = part[i]; left > 0 || !(folds >> apex & 1); apex++)
        left -= folds >> apex & 1;
    for (i32 v = 0, k = 0; v < 4; v++)
        if (v != apex)
            out[3 * i + k++] = (u32)site[v];
}

#endif
