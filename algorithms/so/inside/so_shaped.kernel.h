/* The axes of ellipsoids, to the bit those of so_axes_find, of some side by side. */
#ifndef WEFT_SO_SHAPED_KERNEL_H
#define WEFT_SO_SHAPED_KERNEL_H

#include "so_measured.kernel.h"

enum { SO_SHAPED_LANES = 16, SO_SHAPED_SPHERES = SO_SHAPED_LANES / 2 };

typedef struct so_shaped_group {
    f64 a[9][SO_SHAPED_LANES], rows[9][SO_SHAPED_LANES];
} so_shaped_group;

/* By how much all turn, where there is something to turn. */
typedef struct so_shaped_turns {
    f64 c[SO_SHAPED_LANES], s[SO_SHAPED_LANES], off[SO_SHAPED_LANES];
} so_shaped_turns;

static inline void so_shaped_rotate(f64 *x, f64 *y, const so_shaped_turns *by) {
    for (i32 lane = 0; lane < SO_SHAPED_LANES; lane++) {
        const f64 u = x[lane], v = y[lane], c = by->c[lane], s = by->s[lane];
        const f64 left = c * u - s * v, right = s * u + c * v;
        x[lane] = by->off[lane] == 0 ? u : left;
        y[lane] = by->off[lane] == 0 ? v : right;
    }
}

/* That of so_axes_turn. */
static inline void so_shaped_turn(so_shaped_group *g, i32 p, i32 q) {
    so_shaped_turns by;
    for (i32 lane = 0; lane < SO_SHAPED_LANES; lane++) {
        const f64 off = g->a[3 * p + q][lane];
        const f64 theta = (g->a[4 * q][lane] - g->a[4 * p][lane]) / (2 * off);
        const f64 root = 1 / (fabs(theta) + sqrt(theta * theta + 1));
        const f64 t = theta < 0 ? -root : root, c = 1 / sqrt(t * t + 1);
        by.c[lane] = c;
        by.s[lane] = t * c;
        by.off[lane] = off;
    }
    for (i32 k = 0; k < 3; k++)
        so_shaped_rotate(g->a[3 * k + p], g->a[3 * k + q], &by);
    for (i32 k = 0; k < 3; k++) {
        so_shaped_rotate(g->a[3 * p + k], g->a[3 * q + k], &by);
        so_shaped_rotate(g->rows[3 * p + k], g->rows[3 * q + k], &by);
    }
    for (i32 lane = 0; lane < SO_SHAPED_LANES; lane++) {
        g->a[3 * p + q][lane] = by.off[lane] == 0 ? g->a[3 * p + q][lane] : 0.0;
        g->a[3 * q + p][lane] = by.off[lane] == 0 ? g->a[3 * q + p][lane] : 0.0;
    }
}

/* Whether there is something to turn. */
static inline i32 so_shaped_goes(const so_shaped_group *g) {
    f64 off = 0;
    for (i32 lane = 0; lane < SO_SHAPED_LANES; lane++)
        off += fabs(g->a[1][lane]) + fabs(g->a[2][lane]) + fabs(g->a[5][lane]);
    return !(off == 0);
}

/* Of xx yy zz xy xz yz over a mass; NULL: of nothing. */
static inline void so_shaped_put(so_shaped_group *g, i32 lane, const f64 *sum, f64 mass) {
    for (i32 k = 0; k < 9; k++) {
        g->a[k][lane] = 0;
        g->rows[k][lane] = k % 4 == 0 ? 1 : 0;
    }
    if (!sum)
        return;
    g->a[0][lane] = sum[0] / mass;
    g->a[4][lane] = sum[1] / mass;
    g->a[8][lane] = sum[2] / mass;
    g->a[1][lane] = g->a[3][lane] = sum[3] / mass;
    g->a[2][lane] = g->a[6][lane] = sum[4] / mass;
    g->a[5][lane] = g->a[7][lane] = sum[5] / mass;
}

static inline so_axes so_shaped_of(const so_shaped_group *g, i32 lane) {
    so_axes of;
    for (i32 k = 0; k < 3; k++)
        of.value[k] = g->a[4 * k][lane];
    for (i32 k = 0; k < 9; k++)
        of.axis[k] = g->rows[k][lane];
    so_axes_order(&of);
    return of;
}

/* Both shapes of a few spheres. */
static inline void so_shaped_spheres(index_t i, so_properties_members of,
                                     so_properties_spheres by,
                                     GLOBAL const so_properties_sums *total,
                                     so_measured_found found) {
    const i64 first = (i64)i * SO_SHAPED_SPHERES;
    i32 is_shaped[SO_SHAPED_SPHERES];
    so_shaped_group g;
    for (i32 k = 0; k < SO_SHAPED_SPHERES; k++) {
        const i64 sphere = first + k;
        is_shaped[k] =
            sphere < of.spheres && of.end[sphere] - of.offset[sphere] >= SO_MEASURED_SHAPED;
        so_properties_sums sum = {0.0, 0.0, {0.0}, {0.0}, {0.0}, {0.0}};
        f64 mass = 1;
        if (is_shaped[k]) {
            sum = total[sphere];
            mass = by.mass[of.first + sphere];
        }
        so_shaped_put(&g, 2 * k, is_shaped[k] ? sum.inertia : 0, mass);
        so_shaped_put(&g, 2 * k + 1, is_shaped[k] ? sum.reduced : 0, mass);
    }
    for (i32 sweep = 0; sweep < SO_AXES_SWEEPS && so_shaped_goes(&g); sweep++) {
        so_shaped_turn(&g, 0, 1);
        so_shaped_turn(&g, 0, 2);
        so_shaped_turn(&g, 1, 2);
    }
    for (i32 k = 0; k < SO_SHAPED_SPHERES; k++) {
        const index_t c = (index_t)(of.first + first + k);
        if (!is_shaped[k])
            continue;
        so_measured_shape(c, so_shaped_of(&g, 2 * k), found.shape, found.shape_axes);
        so_measured_shape(c, so_shaped_of(&g, 2 * k + 1), found.shape_reduced,
                          found.shape_reduced_axes);
    }
}

#endif
