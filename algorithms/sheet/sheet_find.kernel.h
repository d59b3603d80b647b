/* Where a tetrahedron is, and which cells it may meet. */
#ifndef SHEET_FIND_KERNEL_H
#define SHEET_FIND_KERNEL_H

#include <weft/kernel.h>
#include "../points/points.kernel.h"

/* Corners 4 dx + 2 dy + dz of a cube: abel's tetrahedra, then kuhn's around 0-7. */
CONSTANT u8 sheet_corners[12][4] = {{1, 0, 2, 4}, {4, 2, 1, 3}, {3, 5, 1, 4}, {4, 5, 6, 3},
                                    {3, 2, 6, 4}, {3, 7, 5, 6}, {0, 4, 6, 7}, {0, 4, 5, 7},
                                    {0, 2, 6, 7}, {0, 2, 3, 7}, {0, 1, 5, 7}, {0, 1, 3, 7}};
/* The ends of the four diagonals. */
CONSTANT u8 sheet_diagonals[4] = {0, 1, 2, 4};

/* Cubes that are looked at together, whether they are near the cells asked for. */
enum { SHEET_BLOCK_SIDE = 4, SHEET_BLOCK_CUBES = 64 };

typedef struct sheet_frame {
    i64 n[3], cells[3];     /* of the lattice, of the whole grid */
    i64 first[3], count[3]; /* the cells that are asked for */
    f64 box[3], scale[3];   /* cells a length; 0 along an axis that is projected */
    f64 units;              /* a tetrahedron */
    i64 begin, end;         /* tetrahedra */
    i64 from;               /* the first of a launch */
    i32 each, kind;         /* tetrahedra a cube; the first of sheet_corners */
    i32 streams;            /* whether volumes are added in place of masses */
} sheet_frame;

/* In cells, from cell `base` of the grid, which may lie outside of it by a period. */
typedef struct sheet_tetrahedron {
    f64 at[3][4];
    i64 base[3], extent[3];
} sheet_tetrahedron;

static inline index_t sheet_find_site(const i64 *place, sheet_frame f, i32 corner) {
    i64 site = 0;
    for (i32 k = 0; k < 3; k++) {
        const i64 p = place[k] + (corner >> (2 - k) & 1);
        site = site * f.n[k] + (p < f.n[k] ? p : 0);
    }
    return (index_t)site;
}

/* The first cube of a block. */
static inline void sheet_find_block(i64 block, sheet_frame f, i64 *first) {
    i64 rest = block;
    for (i32 k = 2; k >= 0; k--) {
        const i64 blocks = (f.n[k] + SHEET_BLOCK_SIDE - 1) / SHEET_BLOCK_SIDE;
        first[k] = rest % blocks * SHEET_BLOCK_SIDE;
        rest /= blocks;
    }
}

/* A cube of it; 0 where the lattice has ended. */
static inline i32 sheet_find_cube(const i64 *first, i32 cube, sheet_frame f, i64 *place) {
    i32 rest = cube, there = 1;
    for (i32 k = 2; k >= 0; k--) {
        place[k] = first[k] + rest % SHEET_BLOCK_SIDE;
        rest /= SHEET_BLOCK_SIDE;
        there &= place[k] < f.n[k];
    }
    return there;
}

/* Which tetrahedron is number i of a launch: of all, or of those in a list of blocks. From
 * f.end on there is none. */
static inline i64 sheet_find_number(u32 i, sheet_frame f, GLOBAL const u32 *blocks) {
    const i64 at = f.from + (i64)i;
    if (!blocks)
        return f.begin + at;
    const i64 cube = at / f.each;
    i64 first[3], place[3];
    sheet_find_block((i64)blocks[(index_t)(cube / SHEET_BLOCK_CUBES)], f, first);
    if (!sheet_find_cube(first, (i32)(cube % SHEET_BLOCK_CUBES), f, place))
        return f.end;
    const i64 number = (i64)sheet_find_site(place, f, 0) * f.each + at % f.each;
    return number < f.begin ? f.end : number;
}

/* The sites of its corners. */
static inline void sheet_find_sites(i64 number, sheet_frame f, index_t *site) {
    const i64 cube = number / f.each;
    const i32 which = (i32)(number % f.each), row = f.kind + which % 6;
    const i64 place[3] = {cube / (f.n[1] * f.n[2]), cube / f.n[2] % f.n[1], cube % f.n[2]};
    const i32 flip = f.each > 6 ? sheet_diagonals[which / 6] : 0;
    for (i32 v = 0; v < 4; v++)
        site[v] = sheet_find_site(place, f, sheet_corners[row][v] ^ flip);
}

static inline sheet_tetrahedron sheet_find(i64 number, sheet_frame f,
                                           GLOBAL const f64 *position) {
    sheet_tetrahedron t;
    index_t sites[4];
    const index_t origin = 3 * (index_t)(number / f.each);
    sheet_find_sites(number, f, sites);
    for (i32 v = 0; v < 4; v++) {
        const index_t site = 3 * sites[v];
        for (i32 k = 0; k < 3; k++) {
            const f64 from = position[origin + k];
            const f64 d = points_remainder(position[site + k] - from, f.box[k]);
            t.at[k][v] = (from + d) * f.scale[k];
        }
    }
    for (i32 k = 0; k < 3; k++) { /* numbers above 0, so that nothing is rounded below */
        const f64 least = points_less(points_less(t.at[k][0], t.at[k][1]),
                                      points_less(t.at[k][2], t.at[k][3]));
        const f64 up = least < 0 ? (f64)f.cells[k] : 0;
        const f64 low = floor(least + up);
        f64 high = 0;
        for (i32 v = 0; v < 4; v++) {
            t.at[k][v] = t.at[k][v] + up - low;
            high = points_more(high, t.at[k][v]);
        }
        t.base[k] = (i64)(low - up);
        t.extent[k] = (i64)high + 1;
    }
    return t;
}

/* Place 0 .. n - 1 of a cell, or of one that is some periods away. */
static inline i64 sheet_find_wrap(i64 cell, i64 n) {
    if (cell >= 0 && cell < n)
        return cell;
    const i64 r = cell % n;
    return r < 0 ? r + n : r;
}

/* Whether cells base .. base + extent touch those asked for. */
static inline i32 sheet_find_meets(i64 base, i64 extent, i64 first, i64 count, i64 n) {
    const i64 from = sheet_find_wrap(base - first, n);
    return from < count || from + extent > n;
}

/* In cells, as it is now. */
static inline f64 sheet_find_volume(const sheet_tetrahedron *t) {
    f64 d[3][3];
    for (i32 k = 0; k < 3; k++)
        for (i32 v = 0; v < 3; v++)
            d[k][v] = t->at[k][v + 1] - t->at[k][0];
    return fabs(d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0])) /
           6;
}

#endif
