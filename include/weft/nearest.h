/* For each of some points the nearest of others: gas and stars go to the halo of their
 * nearest particle of dark matter. */
#ifndef WEFT_NEAREST_H
#define WEFT_NEAREST_H

#include "points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The distance of two points is that of weft_fof: d2 = (dx dx + dy dy) + dz dz, each
 * operation rounded to f64 and none fused, on the coordinates as they were read, with
 * dx = remainder(xi - xj, box) on periodic axes. */
typedef struct weft_nearest_options {
    double length; /* L: at least 0 and finite; farther targets, d2 > L L, are not found */
    double box[3]; /* the period of each axis, at least 2^-960; 0: not periodic */
    weft_array id; /* [count] i64: of targets at one distance that with the smallest id is
                      found, of those the first; {0}: the input index is the id */
    uint64_t reserved[6];
} weft_nearest_options;

/* For each point that is no target the nearest target within the length.
 *   points   count < 2^32 - 1, finite; may lie outside a periodic box
 *   options  needed: it has the length
 *   target   [count] u32: not 0 for points that can be found, and do not search
 *   nearest  [count] u32: the index of the nearest target; 2^32 - 1 where there is none;
 *            of a target its own. Not `target`
 * Cost: a sort of the points by cell, then for each that searches the targets of 27 cells
 * of the length. Where a cell holds more than 512 targets, shorter lengths come first, each
 * a quarter of the next and each a sort: what is found within one is found. Many targets at
 * one place are all looked at. Scratch below 100 bytes per point.
 * Repeats: bit for bit on every backend and thread count. Where a period is so wide that a
 * difference of positions across it is rounded by more than 1/64 of the length (box > 2^46
 * L), targets are those whose exact difference is within it.
 * Errors: WEFT_E_ARGUMENT (a bad option; a coordinate that is not finite, naming the
 * point), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: the attachment of baryons to halos of SWIFT and GADGET-4 (Springel et al. 2021,
 * MNRAS 506, 2871). */
WEFT_API weft_status weft_nearest(weft_device *device, const weft_points *points,
                                  const weft_nearest_options *options, weft_array target,
                                  weft_array nearest);

#ifdef __cplusplus
}
#endif
#endif
