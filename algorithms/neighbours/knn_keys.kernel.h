/* The smallest keys of several lists side by side, a lane each: by networks, without a
 * branch. A row is the keys of all lanes. */
#ifndef WEFT_KNN_KEYS_KERNEL_H
#define WEFT_KNN_KEYS_KERNEL_H

#include <weft/kernel.h>

enum { KNN_LANES = 16, KNN_KEYS = 16 }; /* so many rows are sorted at once */

static inline void knn_keys_order(i32 *a, i32 *b) {
    const i32 low = min(*a, *b), high = max(*a, *b);
    *a = low;
    *b = high;
}

/* Batcher's merges of halves that ascend ("Sorting networks and their applications", 1968).
 */
static inline void knn_keys_merge4(i32 *a) {
    knn_keys_order(a, a + 1), knn_keys_order(a + 2, a + 3);
    knn_keys_order(a, a + 2), knn_keys_order(a + 1, a + 3);
    knn_keys_order(a + 1, a + 2);
}

static inline void knn_keys_merge8(i32 *a) {
    knn_keys_order(a, a + 4), knn_keys_order(a + 1, a + 5);
    knn_keys_order(a + 2, a + 6), knn_keys_order(a + 3, a + 7);
    knn_keys_order(a + 2, a + 4), knn_keys_order(a + 3, a + 5);
    knn_keys_order(a + 1, a + 2), knn_keys_order(a + 3, a + 4);
    knn_keys_order(a + 5, a + 6);
}

static inline void knn_keys_merge16(i32 *a) {
    knn_keys_order(a, a + 8), knn_keys_order(a + 1, a + 9);
    knn_keys_order(a + 2, a + 10), knn_keys_order(a + 3, a + 11);
    knn_keys_order(a + 4, a + 12), knn_keys_order(a + 5, a + 13);
    knn_keys_order(a + 6, a + 14), knn_keys_order(a + 7, a + 15);
    knn_keys_order(a + 4, a + 8), knn_keys_order(a + 5, a + 9);
    knn_keys_order(a + 6, a + 10), knn_keys_order(a + 7, a + 11);
    knn_keys_order(a + 2, a + 4), knn_keys_order(a + 3, a + 5);
    knn_keys_order(a + 6, a + 8), knn_keys_order(a + 7, a + 9);
    knn_keys_order(a + 10, a + 12), knn_keys_order(a + 11, a + 13);
    knn_keys_order(a + 1, a + 2), knn_keys_order(a + 3, a + 4);
    knn_keys_order(a + 5, a + 6), knn_keys_order(a + 7, a + 8);
    knn_keys_order(a + 9, a + 10), knn_keys_order(a + 11, a + 12);
    knn_keys_order(a + 13, a + 14);
}

/* Sorts KNN_KEYS rows, downwards. All of a lane are named one by one, so that a compiler
 * has them in registers, a vector for each row. */
static inline void knn_keys_sort(i32 *row) {
    for (index_t l = 0; l < KNN_LANES; l++) {
        i32 *r = row + l;
        i32 a[KNN_KEYS];
        a[0] = r[0], a[1] = r[16], a[2] = r[32], a[3] = r[48];
        a[4] = r[64], a[5] = r[80], a[6] = r[96], a[7] = r[112];
        a[8] = r[128], a[9] = r[144], a[10] = r[160], a[11] = r[176];
        a[12] = r[192], a[13] = r[208], a[14] = r[224], a[15] = r[240];
        knn_keys_merge4(a), knn_keys_merge4(a + 4);
        knn_keys_merge4(a + 8), knn_keys_merge4(a + 12);
        knn_keys_merge8(a), knn_keys_merge8(a + 8);
        knn_keys_merge16(a);
        r[0] = a[15], r[16] = a[14], r[32] = a[13], r[48] = a[12];
        r[64] = a[11], r[80] = a[10], r[96] = a[9], r[112] = a[8];
        r[128] = a[7], r[144] = a[6], r[160] = a[5], r[176] = a[4];
        r[192] = a[3], r[208] = a[2], r[224] = a[1], r[240] = a[0];
    }
}

static inline void knn_keys_two(i32 *restrict a, i32 *restrict b) {
    for (index_t l = 0; l < KNN_LANES; l++) {
        const i32 low = min(a[l], b[l]), high = max(a[l], b[l]);
        a[l] = low;
        b[l] = high;
    }
}

/* Orders (a, c) and (b, d), then (a, b) and (c, d). */
static inline void knn_keys_four(i32 *restrict a, i32 *restrict b, i32 *restrict c,
                                 i32 *restrict d) {
    for (index_t l = 0; l < KNN_LANES; l++) {
        const i32 e = min(a[l], c[l]), g = max(a[l], c[l]);
        const i32 f = min(b[l], d[l]), h = max(b[l], d[l]);
        a[l] = min(e, f);
        b[l] = max(e, f);
        c[l] = min(g, h);
        d[l] = max(g, h);
    }
}

/* Sorts rows that ascend up to one of them and descend from there on (Batcher's bitonic
 * ones), two steps at a time; as many as a power of two. */
static inline void knn_keys_merge(i32 *row, i32 rows) {
    i32 s = rows / 2;
    for (; s >= 2; s /= 4)
        for (i32 b = 0; b < rows; b += 2 * s)
            for (i32 i = b; i < b + s / 2; i++)
                knn_keys_four(row + i * KNN_LANES, row + (i + s / 2) * KNN_LANES,
                              row + (i + s) * KNN_LANES, row + (i + s + s / 2) * KNN_LANES);
    for (i32 i = 0; s == 1 && i < rows; i += 2)
        knn_keys_two(row + i * KNN_LANES, row + (i + 1) * KNN_LANES);
}

/* The smallest of a list that ascends, of so many rows, and of KNN_KEYS more. */
static inline void knn_keys_put(i32 *restrict list, i32 rows, i32 *restrict more) {
    knn_keys_sort(more);
    i32 *last = list + (rows - KNN_KEYS) * KNN_LANES;
    for (index_t i = 0; i < KNN_KEYS * KNN_LANES; i++)
        last[i] = min(last[i], more[i]);
    knn_keys_merge(list, rows);
}

#endif
