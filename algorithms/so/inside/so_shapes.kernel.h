/* Iterated ellipsoids around centers, for all spheres at once: a round is a sum over blocks
 * and a step of each sphere. Shapes 0 to n - 1 are of n spheres, n to 2 n - 1 reduced. */
#ifndef WEFT_SO_SHAPES_KERNEL_H
#define WEFT_SO_SHAPES_KERNEL_H

#include "so_axes.kernel.h"
#include "so_properties.kernel.h"

enum { SO_SHAPES_LEAST = 20 /* particles */ };

/* A shape that moves by less is done. */
CONSTANT f64 SO_SHAPES_CLOSE = 1e-4;

/* An ellipsoid: c/a, b/a and triaxiality, its axes, and the matrix (xx yy zz xy xz yz) that
 * gives r_ell^2. */
typedef struct so_shapes_state {
    f64 shape[3], axis[9], metric[6];
    i64 done;
} so_shapes_state;

/* Of a block, those inside. */
typedef struct so_shapes_sums {
    f64 mass, tensor[6];
    i64 count;
} so_shapes_sums;

static inline void so_shapes_reach(index_t i, GLOBAL const f64 *radius,
                                   GLOBAL f64 *reach2) {
    const f64 reach = 2 * radius[i];
    reach2[i] = reach > 0 ? reach * reach : -1.0;
}

static inline void so_shapes_begin(index_t i, so_properties_members of,
                                   GLOBAL so_shapes_state *state) {
    const i64 sphere = (i64)i % of.spheres;
    so_shapes_state first = {{0.0}, {0.0}, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}, 0};
    first.shape[0] = first.shape[1] = 1;
    first.done = of.offset[sphere] == of.offset[sphere + 1];
    state[i] = first;
}

static inline f64 so_shapes_r2(const f64 *metric, f64 x, f64 y, f64 z) {
    return metric[0] * (x * x) + metric[1] * (y * y) + metric[2] * (z * z) +
           2 * (metric[3] * (x * y) + metric[4] * (x * z) + metric[5] * (y * z));
}

/* The sums of item i: its block, by which tensor. */
static inline void so_shapes_sum(index_t i, so_search s, so_properties_members of,
                                 i64 blocks, GLOBAL const f64 *radius,
                                 GLOBAL const f64 *place,
                                 GLOBAL const so_shapes_state *state,
                                 GLOBAL so_shapes_sums *sums) {
    const i32 reduced = (i64)i >= blocks;
    const i64 block = (i64)i - (reduced ? blocks : 0);
    const pyramid_range among = so_properties_range(&of, block);
    const so_shapes_state now = state[among.segment + (reduced ? of.spheres : 0)];
    const i64 end = now.done ? among.begin : among.end;
    so_shapes_sums sum = {0.0, {0.0}, 0};
    const f64 r = now.done ? 0.0 : radius[of.first + among.segment], most = r * r;
    for (i64 k = among.begin; k < end; k++) {
        const f64 x = place[3 * k], y = place[3 * k + 1], z = place[3 * k + 2];
        const f64 r2 = so_shapes_r2(now.metric, x, y, z);
        if (!(r2 <= most))
            continue;
        const f64 m = so_properties_mass(&s, &of, k);
        so_properties_spread(!reduced ? m : r2 > 0 ? m / r2 : 0.0, x, y, z, sum.tensor);
        sum.mass += m;
        sum.count++;
    }
    sums[i] = sum;
}

/* The ellipsoid of that volume with those axes. */
static inline void so_shapes_turn(so_shapes_state *now) {
    const f64 c = now->shape[0], b = now->shape[1], g = so_cube_root(b * c);
    const f64 per[3] = {g * g, g * g / (b * b), g * g / (c * c)};
    for (i32 t = 0; t < 6; t++) {
        const i32 p = t < 3 ? t : t < 5 ? 0 : 1, q = t < 3 ? t : t < 4 ? 1 : 2;
        f64 sum = 0;
        for (i32 k = 0; k < 3; k++)
            sum += per[k] * (now->axis[3 * k + p] * now->axis[3 * k + q]);
        now->metric[t] = sum;
    }
}

static inline void so_shapes_step(index_t i, so_properties_members of, i64 blocks,
                                  GLOBAL const so_shapes_sums *sums,
                                  GLOBAL so_shapes_state *state) {
    const i32 reduced = (i64)i >= of.spheres;
    const i64 sphere = (i64)i - (reduced ? of.spheres : 0), from = reduced ? blocks : 0;
    so_shapes_state now = state[i];
    if (now.done)
        return;
    so_shapes_sums all = {0.0, {0.0}, 0};
    for (i64 b = so_properties_first(&of, sphere); b < so_properties_first(&of, sphere + 1);
         b++) {
        all.mass += sums[from + b].mass;
        all.count += sums[from + b].count;
        for (i32 a = 0; a < 6; a++)
            all.tensor[a] += sums[from + b].tensor[a];
    }
    const f64 c_before = now.shape[0], b_before = now.shape[1];
    for (i32 a = 0; a < 6 && all.count > 0; a++)
        all.tensor[a] /= all.mass;
    const so_axes found = so_axes_find(all.tensor);
    const f64 a2 = found.value[0], b2 = found.value[1], c2 = found.value[2];
    const i32 none = all.count < SO_SHAPES_LEAST || !(c2 > a2 * 1e-12);
    now.shape[0] = none ? 0 : sqrt(c2 / a2);
    now.shape[1] = none ? 0 : sqrt(b2 / a2);
    now.shape[2] = !none && a2 > c2 ? (a2 - b2) / (a2 - c2) : 0;
    for (i32 k = 0; k < 9; k++)
        now.axis[k] = none ? 0 : found.axis[k];
    now.done = none || (fabs(now.shape[0] - c_before) < SO_SHAPES_CLOSE &&
                        fabs(now.shape[1] - b_before) < SO_SHAPES_CLOSE);
    if (!now.done)
        so_shapes_turn(&now);
    state[i] = now;
}

/* Notes shape i, of what has particles. */
static inline void so_shapes_note(index_t i, so_properties_members of,
                                  GLOBAL const so_shapes_state *state, GLOBAL f64 *shape,
                                  GLOBAL f64 *axes, GLOBAL f64 *reduced,
                                  GLOBAL f64 *reduced_axes) {
    const i32 is_reduced = (i64)i >= of.spheres;
    const i64 sphere = (i64)i - (is_reduced ? of.spheres : 0);
    const index_t c = (index_t)(of.first + sphere);
    const i32 some = of.offset[sphere] < of.offset[sphere + 1];
    for (i32 k = 0; k < 3 && some; k++)
        if (is_reduced)
            reduced[3 * c + k] = state[i].shape[k];
        else
            shape[3 * c + k] = state[i].shape[k];
    for (i32 k = 0; k < 9 && some; k++)
        if (is_reduced)
            reduced_axes[9 * c + k] = state[i].axis[k];
        else
            axes[9 * c + k] = state[i].axis[k];
}

#endif
