/* DBSCAN: clusters of any shape, with the noise between them left out. (Ester, Kriegel,
 * Sander and Xu 1996, KDD-96, 226.) */
#ifndef WEFT_DBSCAN_H
#define WEFT_DBSCAN_H

#include "points.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Two points are neighbours where weft_fof would call them friends with `eps` as the
 * linking length: decided exactly, on the coordinates as they were read. */
typedef struct weft_dbscan_options {
    f64 eps;        /* at least 0 and finite; 0: coincident points alone */
    i64 min_points; /* a core point has at least so many points within eps, itself counted:
                       at least 1 */
    f64 box[3];     /* the period of each axis; 0: not periodic */
    i32 core_only;  /* DBSCAN*: points that are not core are noise, borders too (Campello,
                       Moulavi and Sander 2013, PAKDD 2013, 160) */
} weft_dbscan_options;

/* Labels each point with its cluster: core points that are neighbours share one; a point
 * that is not core but has core neighbours joins the lowest-numbered cluster among them;
 * the rest is noise. Clusters are numbered 0, 1, ... by the smallest index of their core
 * points: so does scikit-learn.
 *   points   count < 2^32 - 1, finite; two or three axes; may lie outside a periodic box
 *   labels   [count] i32 or i64: the cluster, or -1 for noise; i32 for count < 2^31
 * Cost: a sort of the points by cell, then work proportional to points and pairs of cells;
 * counting stops at min_points. Scratch below 80 bytes a point.
 * Repeats: bit for bit on every backend and thread count.
 * Errors: WEFT_E_ARGUMENT (a bad option; a coordinate that is not finite, naming the
 * point), WEFT_E_TYPE, WEFT_E_SHAPE, WEFT_E_MEMORY.
 * Source: cells that hold min_points are core at once, of Gan and Tao 2015 (SIGMOD '15,
 * 519); core points are joined as friends-of-friends are. */
WEFT_API weft_status weft_dbscan(weft_device *device, const weft_points *points,
                                 const weft_dbscan_options *options, weft_array labels);

/* The last step of weft_dbscan alone, for points whose core points are known and joined
 * already, in parts say: the others join the smallest of the clusters of their core
 * neighbours.
 *   points    as above
 *   options   eps and box; the rest plays no part
 *   cluster   [count] u32 in: the cluster of each core point, the same for those that are
 *             neighbours; of others 2^32 - 1. Out: of these, too, the cluster; of noise
 *             2^32 - 1
 * Cost: a sort of the points by cell, then work proportional to pairs of cells. Scratch
 * below 80 bytes a point. Repeats: bit for bit everywhere. Errors: as above. */
WEFT_API weft_status weft_dbscan_borders(weft_device *device, const weft_points *points,
                                         const weft_dbscan_options *options,
                                         weft_array cluster);

#ifdef __cplusplus
}
#endif
#endif
