/* The smallest keys of one list, in registers: by networks without a branch, each key of
 * which is named, so that a compiler needs no memory for them. */
#ifndef WEFT_KNN_FEW_KERNEL_H
#define WEFT_KNN_FEW_KERNEL_H

#include "knn_keys.kernel.h"

enum { KNN_FEW = 32 }; /* keys of a list */

static inline void knn_few_across4(i32 *a, i32 *b) {
    knn_keys_order(a, b), knn_keys_order(a + 1, b + 1);
    knn_keys_order(a + 2, b + 2), knn_keys_order(a + 3, b + 3);
}

static inline void knn_few_across8(i32 *a, i32 *b) {
    knn_few_across4(a, b), knn_few_across4(a + 4, b + 4);
}

/* Sorts what ascends and then descends (Batcher's bitonic merge). */
static inline void knn_few_merge4(i32 *a) {
    knn_keys_order(a, a + 2), knn_keys_order(a + 1, a + 3);
    knn_keys_order(a, a + 1), knn_keys_order(a + 2, a + 3);
}

static inline void knn_few_merge16(i32 *a) {
    knn_few_across8(a, a + 8);
    knn_few_across4(a, a + 4), knn_few_across4(a + 8, a + 12);
    knn_few_merge4(a), knn_few_merge4(a + 4);
    knn_few_merge4(a + 8), knn_few_merge4(a + 12);
}

/* Those of `a`, which ascends, that are above the ones of `b` from its end on. */
static inline void knn_few_lower4(i32 *a, const i32 *b) {
    a[0] = min(a[0], b[3]), a[1] = min(a[1], b[2]);
    a[2] = min(a[2], b[1]), a[3] = min(a[3], b[0]);
}

/* The smallest of a list that ascends and of KNN_KEYS more, which become others. */
static inline void knn_few_put(i32 *list, i32 *more) {
    knn_keys_merge4(more), knn_keys_merge4(more + 4);
    knn_keys_merge4(more + 8), knn_keys_merge4(more + 12);
    knn_keys_merge8(more), knn_keys_merge8(more + 8);
    knn_keys_merge16(more);
    knn_few_lower4(list + 16, more + 12), knn_few_lower4(list + 20, more + 8);
    knn_few_lower4(list + 24, more + 4), knn_few_lower4(list + 28, more);
    knn_few_across8(list, list + 16), knn_few_across8(list + 8, list + 24);
    knn_few_merge16(list), knn_few_merge16(list + 16);
}

#endif
