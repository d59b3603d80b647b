/* Friends-of-friends: halos as the connected components of particles within the linking
 * length of each other. (Davis, Efstathiou, Frenk and White 1985, ApJ 292, 371.) */
#ifndef WEFT_FOF_H
#define WEFT_FOF_H

#include "points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Particles as weft_fof_cells sorted them into cells. */
typedef struct weft_cells weft_cells;

/* What makes two particles friends: d2 = (dx dx + dy dy) + dz dz <= L L, each operation
 * rounded to f64 and none fused, on the coordinates as they were read, with
 * dx = remainder(xi - xj, box) on periodic axes. */
typedef struct weft_fof_options {
    double linking_length; /* L: at least 0 and finite; 0 joins coincident particles */
    double box[3];         /* the period of each axis, at least 2^-960; 0: not
                           periodic */
    int64_t min_friends;   /* particles with fewer friends are left out; friends are counted
                          once, before any particle is left out */
    uint64_t reserved[6];
} weft_fof_options;

/* Labels each particle with the smallest input index of its group.
 *   points   count < 2^32 - 1, finite; may lie outside a periodic box
 *   options  needed: it has the linking length
 *   label    [count] u32; particles that are left out get 2^32 - 1
 * Cost: a sort of the particles by cell, then work proportional to particles and
 * neighbouring cells. The exception: two sets of particles, each within half a length, that
 * are out of reach of each other though their convex hulls are not (one curves around the
 * other) are tried pair by pair. Scratch below 65 bytes per particle.
 * Repeats: bit for bit on every backend and thread count. Another order of the particles
 * gives the same groups.
 * Where a period is so wide that a difference of positions across it is rounded by more
 * than 1/64 of the linking length (box > 2^46 L), pairs are decided on the exact
 * difference.
 * Errors: WEFT_E_ARGUMENT (a bad option; a coordinate that is not finite, naming the
 * particle), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: cells whose halves are cliques: the dense boxes of Prokopenko, Lebrun-Grandie
 * and Arndt 2023 (ArborX), on a sorted grid; union-find with hooking by compare-and-swap
 * of Jaiganesh and Burtscher 2018 (ECL-CC). */
WEFT_API weft_status weft_fof(weft_device *device, const weft_points *points,
                              const weft_fof_options *options, weft_array label);

/* The same, and keeps the sorted particles, so that weft_mcp and weft_friends_count, with
 * the same points and options, and weft_so need not sort again.
 *   cells    for weft_cells_free; NULL after an error, and without particles. Up to 60
 *            bytes per particle */
WEFT_API weft_status weft_fof_cells(weft_device *device, const weft_points *points,
                                    const weft_fof_options *options, weft_array label,
                                    weft_cells **cells);

/* NULL does nothing. */
WEFT_API void weft_cells_free(weft_device *device, weft_cells *cells);

#ifdef __cplusplus
}
#endif
#endif
