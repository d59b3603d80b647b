/* The nearest neighbours of each of some points: densities, graphs, substructure. */
#ifndef WEFT_NEIGHBOURS_H
#define WEFT_NEIGHBOURS_H

#include "halos.h"
#include "points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The distance of two points is that of weft_fof: d2 = (dx dx + dy dy) + dz dz, each
 * operation rounded to f64 and none fused, on the coordinates as they were read, with
 * dx = remainder(xi - xj, box) on periodic axes. */
typedef struct weft_neighbours_options {
    int64_t count; /* k, how many neighbours: 1 to 64 */
    double box[3]; /* the period of each axis, at least 2^-960; 0: not periodic */
    uint64_t reserved[6];
} weft_neighbours_options;

/* For each member of each halo the k nearest other members of the halo.
 *   points      finite; may lie outside a periodic box
 *   options     needed: it has k
 *   halos       of weft_halos_group; NULL: all points are members of one halo, in the order
 *               of the input
 *   neighbour   [members k] u32, those of member m from m k on, nearest first: their places
 *               among the members, whose input indices are halos->member[place]. Of members
 *               at one distance those with smaller places come first, which have smaller
 *               ids. 2^32 - 1 past the last, in halos of k members and fewer; {0}: not
 *               wanted
 *   distance2   [members k] f64: the squared distances; infinite past the last; {0}: not
 *               wanted
 * Cost: a sort of the members, then for each a search of the leaves of 16 members around
 * it, on a device with vectors for the members of a leaf together. A GPU has up to 29
 * neighbours of each in registers, and finds more by a way of a third of that speed (20 on
 * an H200). Where many are at one place, those with large ids are passed over in whole
 * leaves.
 * Scratch of 65 bytes per member.
 * Repeats: bit for bit on every backend.
 * Errors: WEFT_E_ARGUMENT (a bad option; a coordinate that is not finite, naming the
 * point; a member that is no point), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: a tree of bounding boxes along a curve (Warren and Salmon 1993; here Hilbert's),
 * searched from the member's own leaf upwards. */
WEFT_API weft_status weft_neighbours(weft_device *device, const weft_points *points,
                                     const weft_neighbours_options *options,
                                     const weft_halos *halos, weft_array neighbour,
                                     weft_array distance2);

#ifdef __cplusplus
}
#endif
#endif
