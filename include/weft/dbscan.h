/* DBSCAN: clusters of any shape, with the noise between them left out. (Ester, Kriegel,
 * Sander and Xu 1996, KDD-96, 226.) */
#ifndef WEFT_DBSCAN_H
#define WEFT_DBSCAN_H

#include "points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Two points are neighbours if they are friends in weft_fof with `eps` as the linking
 * length: decided exactly, on the coordinates as they were read. */
typedef struct weft_dbscan_options {
    double eps;         /* at least 0 and finite; 0: coincident points alone */
    int64_t min_points; /* a core point has at least so many points within eps, including
                       itself; at least 1 */
    double box[3];      /* the period of each axis; 0: not periodic */
    int32_t core_only;  /* 1: DBSCAN*, where all points that are not core points are noise
                       (Campello, Moulavi and Sander 2013, PAKDD 2013, 160) */
    int64_t borders_apart; /* 1: a point that joins cluster c without being core is labelled
                          -2 - c, so that labels tell which points are core */
    uint64_t reserved[5];
} weft_dbscan_options;

/* Labels each point with its cluster. Core points that are neighbours share one; a point
 * that is not a core point but has core neighbours joins the lowest-numbered cluster among
 * theirs; the rest is noise. Clusters are numbered 0, 1, ... by the smallest index of their
 * core points, as in scikit-learn.
 *   points   count < 2^32 - 1, finite; two or three axes; may lie outside a periodic box
 *   options  needed: it has eps
 *   labels   [count] i32 or i64: the cluster, or -1 for noise; i32 for count < 2^31
 * Cost: a sort of the points by cell, then work proportional to points and pairs of cells;
 * counting stops at min_points. Scratch below 80 bytes per point.
 * Repeats: bit for bit on every backend and thread count.
 * Errors: WEFT_E_ARGUMENT (a bad option; a coordinate that is not finite, naming the
 * point), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: Gan and Tao 2015 (SIGMOD '15, 519): in a cell with min_points points all are core
 * points. Core points are joined as friends-of-friends are. */
WEFT_API weft_status weft_dbscan(weft_device *device, const weft_points *points,
                                 const weft_dbscan_options *options, weft_array labels);

/* The last step of weft_dbscan alone, for core points that were found and joined before,
 * for example in parts: all other points join the smallest cluster among their core
 * neighbours.
 *   points    as above
 *   options   eps and box; the rest is ignored
 *   cluster   [count] u32. In: the cluster of each core point, 2^32 - 1 of all others. Out:
 *             the cluster of each point, 2^32 - 1 of noise
 * Cost: a sort of the points by cell, then work proportional to pairs of cells. Scratch
 * below 80 bytes per point. Repeats: bit for bit everywhere. Errors: as above. */
WEFT_API weft_status weft_dbscan_borders(weft_device *device, const weft_points *points,
                                         const weft_dbscan_options *options,
                                         weft_array cluster);

#ifdef __cplusplus
}
#endif
#endif
