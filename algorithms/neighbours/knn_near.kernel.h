/* Those who may be among the k nearest, of several rows. */
#ifndef WEFT_KNN_NEAR_KERNEL_H
#define WEFT_KNN_NEAR_KERNEL_H

#include "knn.kernel.h"

/* Candidates: all that are not farther than `limit`, which at least k are not. */
enum { KNN_ROOM = 176, KNN_SPARE = 6 };
typedef struct knn_near {
    u32 k, count;
    f64 limit;
    f64 d2[KNN_ROOM];
    u32 place[KNN_ROOM]; /* in the order of the tree */
} knn_near;

/* Keeps those within the limit. */
static inline void knn_near_keep(knn_near *list) {
    u32 kept = 0;
    for (u32 i = 0; i < list->count; i++) {
        const f64 d2 = list->d2[i];
        list->d2[kept] = d2;
        list->place[kept] = list->place[i];
        kept += d2 <= list->limit;
    }
    list->count = kept;
}

/* Lowers the limit by halves, until few more than k are within it. */
static inline void knn_near_lower(knn_near *list) {
    f64 low = 0, high = 0;
    u32 within = list->count;
    if (within < list->k + KNN_SPARE)
        return;
    if (list->limit < bits_f64((u64)0x7ff << 52))
        high = list->limit;
    else
        for (u32 i = 0; i < list->count; i++)
            high = max(high, list->d2[i]);
    for (i32 round = 0; round < 10 && within > list->k + KNN_SPARE; round++) {
        const f64 middle = low + (high - low) * 0.5;
        u64 count = 0;
        for (u32 i = 0; i < list->count; i++)
            count += list->d2[i] <= middle;
        if (count >= list->k) {
            high = middle;
            within = (u32)count;
        } else {
            low = middle;
        }
    }
    list->limit = high;
    knn_near_keep(list);
}

/* The ranks of all candidates; in rows, of which the last is filled with what is far. Those
 * of equal ones are the same, and too small in all, until their places tell. Indices have a
 * sign: gcc takes rows as vectors then, else members, whose sums it has to fold. */
static inline void knn_near_ranks(knn_near *list, GLOBAL const u32 *order, u32 *rank) {
    u64 before[KNN_ROOM], all = 0;
    const u32 n = list->count, end = (n + KNN_LEAF - 1) & ~(u32)(KNN_LEAF - 1);
    for (u32 i = n; i < end; i++)
        list->d2[i] = bits_f64((u64)0x7ff << 52);
    for (index_t row = 0; row < (index_t)end; row += KNN_LEAF) {
        const f64 *own = list->d2 + row;
        u64 less[KNN_LEAF];
        for (index_t l = 0; l < KNN_LEAF; l++)
            less[l] = 0;
        for (index_t j = 0; j < (index_t)n; j++) {
            const f64 d2 = list->d2[j];
            for (index_t l = 0; l < KNN_LEAF; l++)
                less[l] += d2 < own[l];
        }
        for (index_t l = 0; l < KNN_LEAF; l++)
            before[row + l] = less[l];
    }
    for (u32 i = 0; i < n; i++) {
        rank[i] = (u32)before[i];
        all += before[i];
    }
    if (2 * all == (u64)n * (n - 1))
        return;
    for (u32 i = 0; i < n; i++)
        for (u32 j = 0; j < n; j++)
            rank[i] +=
                list->d2[j] == list->d2[i] && order[list->place[j]] < order[list->place[i]];
}

/* Writes the k first of them, which are at least k but in smaller halos. */
static inline void knn_near_write(knn_near *list, GLOBAL const u32 *order, i64 m,
                                  const knn_found *to) {
    const f64 infinite = bits_f64((u64)0x7ff << 52);
    const u32 count = min(list->count, to->k), listed = min(count, to->listed);
    u32 rank[KNN_ROOM], place[KNN_ROOM];
    f64 d2[KNN_ROOM];
    knn_near_ranks(list, order, rank);
    for (u32 i = 0; i < list->count; i++) {
        place[rank[i]] = list->place[i];
        d2[rank[i]] = list->d2[i];
    }
    for (u32 i = 0; i < to->listed; i++)
        to->neighbour[m * to->listed + i] = i < listed ? order[place[i]] : ~(u32)0;
    for (u32 i = 0; i < to->k && to->distances > 1; i++)
        to->distance2[m * to->k + i] = i < count ? d2[i] : infinite;
    if (to->distances == 1)
        to->distance2[m] = count > 0 ? d2[count - 1] : 0;
}

#endif
