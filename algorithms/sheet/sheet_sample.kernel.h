/* A preview: points in place of tetrahedra. */
#ifndef SHEET_SAMPLE_KERNEL_H
#define SHEET_SAMPLE_KERNEL_H

#include <weft/kernel.h>
#include "sheet_add.kernel.h"
#include "sheet_find.kernel.h"

/* Weights of the vertices at point `which`: three numbers of an even sequence in a cube
 * (additive, by powers of the root of x^4 = x + 1), whose order statistics divide a line in
 * four. */
static inline void sheet_sample_point(i32 which, f64 *weight) {
    const f64 step[3] = {0.81917251339616443, 0.67104360670378920, 0.54970047790197026};
    f64 u[3];
    for (i32 k = 0; k < 3; k++) {
        const f64 x = 0.5 + (f64)which * step[k];
        u[k] = x - floor(x);
    }
    const f64 least = min(min(u[0], u[1]), u[2]), most = max(max(u[0], u[1]), u[2]);
    const f64 middle = u[0] + u[1] + u[2] - least - most;
    weight[0] = least;
    weight[1] = middle - least;
    weight[2] = most - middle;
    weight[3] = 1 - most;
}

static inline void sheet_sample(index_t i, sheet_frame f, i32 samples,
                                GLOBAL const f64 *position, GLOBAL u32 *units) {
    const sheet_tetrahedron t = sheet_find(f.begin + (i64)i, f, position);
    const i64 all = (i64)f.units;
    for (i32 s = 0; s < samples; s++) {
        f64 weight[4];
        i64 cell = 0, inside = 1;
        sheet_sample_point(s, weight);
        for (i32 k = 0; k < 3; k++) {
            f64 at = 0;
            for (i32 v = 0; v < 4; v++)
                at += weight[v] * t.at[k][v];
            const i64 place = sheet_find_wrap(t.base[k] + (i64)at - f.first[k], f.cells[k]);
            inside &= place < f.count[k];
            cell = cell * f.count[k] + place;
        }
        if (inside) /* the first have what does not divide */
            sheet_add(units, (index_t)cell, all / samples + (s < all % samples));
    }
}

#endif
