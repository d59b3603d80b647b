/* A tetrahedron whose axes are sorted by how long it is along them, and its vertices by the
 * first. */
#ifndef SHEET_BODY_KERNEL_H
#define SHEET_BODY_KERNEL_H

#include <weft/kernel.h>
#include "sheet_cut.kernel.h"
#include "sheet_window.kernel.h"

/* Along each axis: vertices, told from the least; how far that is from the least corner of
 * its cell; that cell; how far the last vertex is from that corner; which axis it is. */
typedef struct sheet_body {
    f64 at[3][4], shift[3], base[3], high[3], axis[3], volume;
} sheet_body;

static inline void sheet_body_exchange(i32 first, f64 *a, f64 *b) {
    const f64 x = *a, y = *b;
    *a = sheet_cut_choose(first, y, x);
    *b = sheet_cut_choose(first, x, y);
}

/* Sorted so, of one as it was found: without branches, since compilers make vectors of
 * that. */
static inline sheet_body sheet_body_of(f64 at[3][4], const f64 *base, const f64 *high) {
    sheet_body body;
    f64 span[3];
    for (i32 k = 0; k < 3; k++) {
        const f64 least =
            points_less(points_less(at[k][0], at[k][1]), points_less(at[k][2], at[k][3]));
        span[k] = 0;
        for (i32 v = 0; v < 4; v++) {
            body.at[k][v] = at[k][v] - least;
            span[k] = points_more(span[k], body.at[k][v]);
        }
        body.shift[k] = least;
        body.base[k] = base[k];
        body.high[k] = high[k];
        body.axis[k] = (f64)k;
    }
    for (i32 k = 0; k < 3; k++) {
        const i32 i = k & 1, swap = span[i + 1] < span[i];
        sheet_body_exchange(swap, &span[i], &span[i + 1]);
        for (i32 v = 0; v < 4; v++)
            sheet_body_exchange(swap, &body.at[i][v], &body.at[i + 1][v]);
        sheet_body_exchange(swap, &body.shift[i], &body.shift[i + 1]);
        sheet_body_exchange(swap, &body.base[i], &body.base[i + 1]);
        sheet_body_exchange(swap, &body.high[i], &body.high[i + 1]);
        sheet_body_exchange(swap, &body.axis[i], &body.axis[i + 1]);
    }
    sheet_cut_sort(body.at[0], body.at[1], body.at[2]);
    return body;
}

/* How many windows the box around it has, of those that touch the cells asked for. */
static inline i64 sheet_body_windows(const sheet_body *body, sheet_frame f) {
    i64 all = 1;
    for (i32 k = 0; k < 3; k++) {
        const i32 j = (i32)body->axis[k];
        const i64 extent = (i64)body->high[k] + 1;
        all *=
            sheet_find_meets((i64)body->base[k], extent, f.first[j], f.count[j], f.cells[j])
                ? (extent + SHEET_WINDOW - 1) / SHEET_WINDOW
                : 0;
    }
    return all;
}

/* The axes of window `part`; whether it has cells that are asked for. */
static inline i32 sheet_body_axes(const sheet_body *body, sheet_frame f, i64 part,
                                  sheet_axis *axis) {
    const i64 stride[3] = {f.count[1] * f.count[2], f.count[2], 1};
    i64 rest = part;
    i32 meets = 1;
    for (i32 k = 0; k < 3; k++) {
        const i32 j = (i32)body->axis[k];
        const i64 base = (i64)body->base[k], extent = (i64)body->high[k] + 1;
        const i64 windows = (extent + SHEET_WINDOW - 1) / SHEET_WINDOW;
        for (i32 v = 0; v < 4; v++)
            axis[k].at[v] = body->at[k][v];
        axis[k].shift = body->shift[k];
        axis[k].place = sheet_find_wrap(base - f.first[j], f.cells[j]);
        axis[k].extent = extent;
        axis[k].low = 0;
        axis[k].high = extent;
        axis[k].cells = f.cells[j];
        axis[k].count = f.count[j];
        axis[k].stride = stride[j];
        if (windows > 1) {
            axis[k].low = rest % windows * SHEET_WINDOW;
            axis[k].high = min(axis[k].low + SHEET_WINDOW, extent);
            rest /= windows;
            meets &= sheet_find_meets(base + axis[k].low, axis[k].high - axis[k].low,
                                      f.first[j], f.count[j], f.cells[j]);
        }
    }
    return meets;
}

#endif
