/* The tetrahedra of a cube together: its corners are placed once, and where tetrahedra are
 * is found in vectors. The numbers of sheet_find. */
#ifndef SHEET_CUBE_KERNEL_H
#define SHEET_CUBE_KERNEL_H

#include <weft/kernel.h>
#include "sheet_body.kernel.h"

/* Six tetrahedra, and two that are there twice. */
enum { SHEET_CUBE_LANES = 8 };

typedef struct sheet_cube {
    f64 at[3][4][SHEET_CUBE_LANES], shift[3][SHEET_CUBE_LANES], base[3][SHEET_CUBE_LANES],
        high[3][SHEET_CUBE_LANES], axis[3][SHEET_CUBE_LANES], volume[SHEET_CUBE_LANES];
} sheet_cube;

/* Its corners, in cells: at 0 along an axis that is projected. */
static inline void sheet_cube_corners(i64 cube, sheet_frame f, GLOBAL const f64 *position,
                                      f64 corner[3][8]) {
    const i64 place[3] = {cube / (f.n[1] * f.n[2]), cube / f.n[2] % f.n[1], cube % f.n[2]};
    const index_t origin = 3 * (index_t)cube;
    index_t site[8];
    u64 far = 0;
    for (i32 c = 0; c < 8; c++)
        site[c] = 3 * sheet_find_site(place, f, c);
    for (i32 k = 0; k < 3; k++) {
        const f64 from = position[origin + k];
        f64 d[8];
        if (f.scale[k] == 0) {
            for (i32 c = 0; c < 8; c++)
                corner[k][c] = 0;
            continue;
        }
        for (i32 c = 0; c < 8; c++)
            d[c] = position[site[c] + k] - from;
        for (i32 c = 0; c < 8; c++) {
            corner[k][c] = (from + points_remainder_near(d[c], f.box[k])) * f.scale[k];
            far |= points_is_far(d[c], f.box[k]);
        }
    }
    for (i32 c = 0; far && c < 8; c++)
        for (i32 k = 0; k < 3; k++) {
            const f64 from = position[origin + k];
            const f64 d = points_remainder(position[site[c] + k] - from, f.box[k]);
            corner[k][c] = (from + d) * f.scale[k];
        }
}

/* Sorts their axes and vertices. */
static inline void sheet_cube_sort(sheet_cube *cube) {
    for (i32 l = 0; l < SHEET_CUBE_LANES; l++) {
        f64 at[3][4], base[3], high[3];
        for (i32 k = 0; k < 3; k++) {
            for (i32 v = 0; v < 4; v++)
                at[k][v] = cube->at[k][v][l];
            base[k] = cube->base[k][l];
            high[k] = cube->high[k][l];
        }
        const sheet_body body = sheet_body_of(at, base, high);
        for (i32 k = 0; k < 3; k++) {
            for (i32 v = 0; v < 4; v++)
                cube->at[k][v][l] = body.at[k][v];
            cube->shift[k][l] = body.shift[k];
            cube->base[k][l] = body.base[k];
            cube->high[k][l] = body.high[k];
            cube->axis[k][l] = body.axis[k];
        }
    }
}

/* Six tetrahedra of it, around diagonal `flip`, which are not sorted yet. */
static inline void sheet_cube_find(f64 corner[3][8], sheet_frame f, i32 flip,
                                   sheet_cube *out) {
    for (i32 l = 0; l < SHEET_CUBE_LANES; l++)
        for (i32 v = 0; v < 4; v++) {
            const i32 c = sheet_corners[f.kind + l % 6][v] ^ flip;
            for (i32 k = 0; k < 3; k++)
                out->at[k][v][l] = corner[k][c];
        }
    for (i32 k = 0; k < 3; k++) {
        const f64 cells = (f64)f.cells[k];
        for (i32 l = 0; l < SHEET_CUBE_LANES; l++) {
            const f64 least = points_less(points_less(out->at[k][0][l], out->at[k][1][l]),
                                          points_less(out->at[k][2][l], out->at[k][3][l]));
            const f64 up = least < 0 ? cells : 0, low = floor(least + up);
            f64 high = 0;
            for (i32 v = 0; v < 4; v++) {
                const f64 at = out->at[k][v][l] + up - low;
                out->at[k][v][l] = at;
                high = points_more(high, at);
            }
            out->base[k][l] = low - up;
            out->high[k][l] = high;
        }
    }
    for (i32 l = 0; l < SHEET_CUBE_LANES; l++) {
        sheet_tetrahedron t;
        for (i32 k = 0; k < 3; k++)
            for (i32 v = 0; v < 4; v++)
                t.at[k][v] = out->at[k][v][l];
        out->volume[l] = f.streams ? sheet_find_volume(&t) : -1;
    }
}

static inline sheet_body sheet_cube_take(const sheet_cube *cube, i32 l) {
    sheet_body body;
    for (i32 k = 0; k < 3; k++) {
        for (i32 v = 0; v < 4; v++)
            body.at[k][v] = cube->at[k][v][l];
        body.shift[k] = cube->shift[k][l];
        body.base[k] = cube->base[k][l];
        body.high[k] = cube->high[k][l];
        body.axis[k] = cube->axis[k][l];
    }
    body.volume = cube->volume[l];
    return body;
}

#endif
