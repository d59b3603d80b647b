/* The nearest members of halos, for weft_neighbours and for those who want less of them. */
#ifndef WEFT_ALGORITHMS_KNN_H
#define WEFT_ALGORITHMS_KNN_H

#include "algorithms/points/points.h"
#include "knn.kernel.h"
#include "weft/halos.h"

/* 1 <= k <= KNN_MOST. */
typedef struct knn_wish {
    u32 k, listed; /* how many neighbours of each are written, at most k */
    u32 distances; /* 2: all are; 1: that of the last alone; 0: none */
} knn_wish;

/* As weft_neighbours says, of checked arguments: `words` of finite points, halos of at
 * least one member.
 *   neighbour   [members listed] u32
 *   distance2   [members k] f64, or, of the last neighbour there is alone, [members]: 0 in
 *               halos of one */
void knn_find(weft_device *device, const points_words *words, i64 points, const f64 box[3],
              const weft_halos *halos, const knn_wish *wish, weft_array neighbour,
              weft_array distance2);

#endif
