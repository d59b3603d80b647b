/* The k nearest members, from the own leaf upwards. */
#ifndef WEFT_KNN_KERNEL_H
#define WEFT_KNN_KERNEL_H

#include "knn_tree.kernel.h"

/* Members in the order of their tree, and its boxes: those of level l begin at begin[l]. */
typedef struct knn_tree {
    i64 halos;
    knn_period period;
    GLOBAL const i64 *offset, *begin;
    GLOBAL const u32 *wraps, *order;
    GLOBAL const f64 *x, *y, *z;
    GLOBAL const knn_box *box;
} knn_tree;

/* Candidates: all that are not farther than `limit` of those seen. From room - KNN_LEAF on
 * they are sifted. */
enum { KNN_ROOM = 176, KNN_SPARE = 6 };
typedef struct knn_list {
    u32 k, count, room;
    i64 last;  /* once there are k for certain at the limit, none after this one counts */
    f64 limit; /* at least k are within it, or it is infinite */
    f64 d2[KNN_ROOM];
    u32 place[KNN_ROOM]; /* in the order of the tree */
} knn_list;

/* Who asks: its halo's members [begin, end). */
typedef struct knn_query {
    f64 x, y, z;
    i64 halo, begin, end, own;
    i32 wraps;
} knn_query;

/* How far a coordinate is from an interval, at least, on an axis with a period: the bounds
 * of a remainder are rounded, too. */
static inline f64 knn_gap_around(f64 x, f64 low, f64 high, f64 period) {
    if (!(period > 0))
        return max(low - x, max(x - high, 0.0));
    const f64 width = high - low;
    if (!(width < period))
        return 0;
    const f64 a = points_remainder(low - x, period), b = a + width;
    const f64 gap = a > 0 ? min(a, period - b) : b < 0 ? -b : 0.0;
    return max(gap - (period + fabs(x) + fabs(low) + fabs(high)) * 0x1p-48, 0.0);
}

/* What all squared distances to members in a box are at least: rounding is monotonic. */
static inline f64 knn_nearest(const knn_tree *t, const knn_query *q,
                              GLOBAL const knn_box *b) {
    f64 dx, dy, dz;
    if (q->wraps) {
        dx = knn_gap_around(q->x, b->low[0], b->high[0], t->period.axis[0]);
        dy = knn_gap_around(q->y, b->low[1], b->high[1], t->period.axis[1]);
        dz = knn_gap_around(q->z, b->low[2], b->high[2], t->period.axis[2]);
    } else {
        dx = max(max(b->low[0] - q->x, q->x - b->high[0]), 0.0);
        dy = max(max(b->low[1] - q->y, q->y - b->high[1]), 0.0);
        dz = max(max(b->low[2] - q->z, q->z - b->high[2]), 0.0);
    }
    return (dx * dx + dy * dy) + dz * dz;
}

static inline f64 knn_difference(f64 a, f64 b, f64 period) {
    return period > 0 ? points_remainder(a - b, period) : a - b;
}

/* Keeps those within the limit. */
static inline void knn_keep_near(knn_list *list) {
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
static inline void knn_lower(knn_list *list) {
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
    knn_keep_near(list);
}

/* How many come before candidate i, by (d2, place among the members). */
static inline u32 knn_rank(const knn_list *list, GLOBAL const u32 *order, u32 i) {
    const f64 d2 = list->d2[i];
    u64 before = 0, equal = 0;
    for (u32 j = 0; j < list->count; j++) {
        before += list->d2[j] < d2;
        equal += list->d2[j] == d2;
    }
    if (equal > 1)
        for (u32 j = 0; j < list->count; j++)
            before += list->d2[j] == d2 && order[list->place[j]] < order[list->place[i]];
    return (u32)before;
}

/* The ranks of all candidates; in rows, of which the last is filled with what is far. Those
 * of equal ones are the same, and too small in all, until their places tell. Indices have a
 * sign: gcc takes rows as vectors then, else members, whose sums it has to fold. */
static inline void knn_ranks(knn_list *list, GLOBAL const u32 *order, u32 *rank) {
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

/* The k first alone: where many are at one distance. */
static inline void knn_choose(knn_list *list, GLOBAL const u32 *order) {
    f64 d2[64];
    u32 place[64];
    for (u32 i = 0; i < list->count; i++) {
        const u32 rank = knn_rank(list, order, i);
        if (rank < list->k) {
            d2[rank] = list->d2[i];
            place[rank] = list->place[i];
        }
    }
    list->count = min(list->count, list->k);
    for (u32 i = 0; i < list->count; i++) {
        list->d2[i] = d2[i];
        list->place[i] = place[i];
    }
    if (list->count == list->k) {
        list->limit = d2[list->k - 1];
        list->last = (i64)order[place[list->k - 1]];
    }
}

static inline void knn_sift(knn_list *list, GLOBAL const u32 *order) {
    knn_lower(list);
    if (list->count + 2 * KNN_LEAF > list->room)
        knn_choose(list, order);
}

/* The members [from, to) of a leaf. */
static inline void knn_leaf(const knn_tree *t, const knn_query *q, i64 from, i64 to,
                            knn_list *list) {
    f64 d2[KNN_LEAF];
    const u32 n = (u32)(to - from);
    if (q->wraps)
        for (u32 l = 0; l < n; l++) {
            const f64 dx = knn_difference(t->x[from + l], q->x, t->period.axis[0]);
            const f64 dy = knn_difference(t->y[from + l], q->y, t->period.axis[1]);
            const f64 dz = knn_difference(t->z[from + l], q->z, t->period.axis[2]);
            d2[l] = (dx * dx + dy * dy) + dz * dz;
        }
    else
        for (u32 l = 0; l < n; l++) {
            const f64 dx = t->x[from + l] - q->x;
            const f64 dy = t->y[from + l] - q->y;
            const f64 dz = t->z[from + l] - q->z;
            d2[l] = (dx * dx + dy * dy) + dz * dz;
        }
    u32 count = list->count;
    for (u32 l = 0; l < n; l++) {
        list->d2[count] = d2[l];
        list->place[count] = (u32)from + l;
        count += d2[l] <= list->limit && from + l != q->own;
    }
    list->count = count;
    if (count + KNN_LEAF > list->room)
        knn_sift(list, t->order);
}

/* Block k of a halo, on a level, and all below it. */
static inline void knn_descend(const knn_tree *t, const knn_query *q, i64 top, i64 k,
                               knn_list *list) {
    const i64 members = q->end - q->begin;
    for (i64 level = top;;) {
        const i64 bits = KNN_LEAF_BITS + KNN_FAN_BITS * level;
        GLOBAL const knn_box *b =
            t->box + t->begin[level] + pyramid_first(q->begin, q->halo, bits) + k;
        const f64 least = knn_nearest(t, q, b);
        if (least < list->limit || (least == list->limit && b->first <= list->last)) {
            if (level > 0) {
                level--;
                k <<= KNN_FAN_BITS;
                continue;
            }
            const i64 from = q->begin + (k << KNN_LEAF_BITS);
            knn_leaf(t, q, from, min(from + KNN_LEAF, q->end), list);
        }
        for (;; level++) {
            if (level == top)
                return;
            k++;
            if ((k & (KNN_FAN - 1)) != 0 &&
                k < pyramid_count(members, KNN_LEAF_BITS + KNN_FAN_BITS * level))
                break;
            k = (k - 1) >> KNN_FAN_BITS;
        }
    }
}

/* The candidates of a query: its own leaf, then those beside it, level by level. */
static inline void knn_search(const knn_tree *t, const knn_query *q, knn_list *list) {
    i64 own = (q->own - q->begin) >> KNN_LEAF_BITS;
    knn_descend(t, q, 0, own, list);
    for (i64 level = 0;; level++, own >>= KNN_FAN_BITS) {
        const i64 count =
            pyramid_count(q->end - q->begin, KNN_LEAF_BITS + KNN_FAN_BITS * level);
        if (count == 1)
            return;
        const i64 begin = own & ~(i64)(KNN_FAN - 1);
        for (i64 k = begin; k < begin + KNN_FAN && k < count; k++)
            if (k != own)
                knn_descend(t, q, level, k, list);
    }
}

/* What is written of each member m: the first `listed` neighbours, from m listed on; and
 * all k distances, from m k on, or the last one alone. */
typedef struct knn_found {
    u32 k, listed, distances;
    GLOBAL u32 *neighbour;
    GLOBAL f64 *distance2;
} knn_found;

static inline void knn_write(knn_list *list, GLOBAL const u32 *order, i64 m,
                             const knn_found *to) {
    const f64 infinite = bits_f64((u64)0x7ff << 52);
    const u32 count = min(list->count, to->k), listed = min(count, to->listed);
    u32 rank[KNN_ROOM], place[KNN_ROOM];
    f64 d2[KNN_ROOM];
    knn_ranks(list, order, rank);
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

/* The neighbours of the member at a place of the tree, in a halo. */
static inline void knn_of(const knn_tree *t, i64 halo, i64 place, const knn_found *to) {
    knn_query q;
    knn_list list;
    q.halo = halo;
    q.begin = t->offset[halo];
    q.end = t->offset[halo + 1];
    q.own = place;
    q.x = t->x[place];
    q.y = t->y[place];
    q.z = t->z[place];
    q.wraps = (i32)t->wraps[halo];
    list.k = to->k;
    list.count = 0;
    list.room = 2 * to->k + 3 * KNN_LEAF;
    list.last = (i64)1 << 62;
    list.limit = bits_f64((u64)0x7ff << 52);
    knn_search(t, &q, &list);
    knn_lower(&list);
    knn_write(&list, t->order, (i64)t->order[place], to);
}

/* The neighbours of the member at a place, where many work-items run. */
static inline void knn_of_member(index_t i, knn_tree t, knn_found to) {
    knn_of(&t, knn_tree_halo(i, t.halos, t.offset), i, &to);
}

#endif
