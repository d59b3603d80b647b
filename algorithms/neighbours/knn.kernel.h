/* The k nearest members of one, from its own leaf upwards. */
#ifndef WEFT_KNN_KERNEL_H
#define WEFT_KNN_KERNEL_H

#include "knn_tree.kernel.h"

/* Members in the order of their tree, and its boxes: those of level l begin at begin[l]. */
typedef struct knn_tree {
    i64 halos;
    points_period period;
    GLOBAL const i64 *offset, *begin;
    GLOBAL const u32 *wraps, *order;
    GLOBAL const f64 *x, *y, *z;
    GLOBAL const knn_box *box;
} knn_tree;

/* What is written of each member m: the first `listed` neighbours, from m listed on; and
 * all k distances, from m k on, or the last one alone. */
typedef struct knn_found {
    u32 k, listed, distances;
    GLOBAL u32 *neighbour;
    GLOBAL f64 *distance2;
} knn_found;

/* The first of those seen, at most k, by (d2, member). */
enum { KNN_MOST = 64 };
typedef struct knn_first {
    u32 k, count;
    i64 last;  /* once there are k: the last one's member, */
    f64 limit; /*   and its d2; before, all may count */
    f64 d2[KNN_MOST];
    u32 member[KNN_MOST];
} knn_first;

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

/* The squared distance to the member at a place. */
static inline f64 knn_apart(const knn_tree *t, const knn_query *q, i64 place) {
    f64 dx = t->x[place] - q->x, dy = t->y[place] - q->y, dz = t->z[place] - q->z;
    if (q->wraps) {
        dx = knn_difference(t->x[place], q->x, t->period.axis[0]);
        dy = knn_difference(t->y[place], q->y, t->period.axis[1]);
        dz = knn_difference(t->z[place], q->z, t->period.axis[2]);
    }
    return (dx * dx + dy * dy) + dz * dz;
}

/* Whether a member at least that far may be among the first. */
static inline i32 knn_counts(const knn_first *list, f64 d2, i64 member) {
    return d2 < list->limit || (d2 == list->limit && member < list->last);
}

/* Puts one in its place; the last makes room. */
static inline void knn_insert(knn_first *list, f64 d2, u32 member) {
    u32 at = list->count;
    if (list->count < list->k)
        list->count++;
    else
        at--;
    for (; at > 0; at--) {
        const f64 before = list->d2[at - 1];
        const u32 whose = list->member[at - 1];
        if (before < d2 || (before == d2 && whose < member))
            break;
        list->d2[at] = before;
        list->member[at] = whose;
    }
    list->d2[at] = d2;
    list->member[at] = member;
    if (list->count == list->k) {
        list->limit = list->d2[list->k - 1];
        list->last = (i64)list->member[list->k - 1];
    }
}

/* The members [from, to) of a leaf: those that may count are found together, so that
 * work-items side by side insert at the same time. */
static inline void knn_leaf(const knn_tree *t, const knn_query *q, i64 from, i64 to,
                            knn_first *list) {
    u64 near = 0;
    for (i64 l = 0; l < KNN_LEAF; l++) {
        const i32 other = from + l < to && from + l != q->own;
        near |= (u64)(other && knn_apart(t, q, from + l) <= list->limit) << l;
    }
    for (; near; near &= near - 1) {
        const i64 place = from + 63 - (i64)clz(near & (0 - near));
        const f64 d2 = knn_apart(t, q, place);
        const u32 member = t->order[place];
        if (knn_counts(list, d2, (i64)member))
            knn_insert(list, d2, member);
    }
}

/* Block k of a halo, on a level, and all below it. */
static inline void knn_descend(const knn_tree *t, const knn_query *q, i64 top, i64 k,
                               knn_first *list) {
    const i64 members = q->end - q->begin;
    for (i64 level = top;;) {
        const i64 bits = KNN_LEAF_BITS + KNN_FAN_BITS * level;
        GLOBAL const knn_box *b =
            t->box + t->begin[level] + pyramid_first(q->begin, q->halo, bits) + k;
        const f64 least = knn_nearest(t, q, b);
        if (knn_counts(list, least, b->first)) {
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

/* The first of all members: of its own leaf, then those beside it, level by level. */
static inline void knn_search(const knn_tree *t, const knn_query *q, knn_first *list) {
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

/* The member at a place asks. */
static inline knn_query knn_query_of(const knn_tree *t, i64 halo, i64 place) {
    const knn_query q = {t->x[place], t->y[place],        t->z[place],
                         halo,        t->offset[halo],    t->offset[halo + 1],
                         place,       (i32)t->wraps[halo]};
    return q;
}

/* A list of none yet, of k. */
static inline void knn_begin(knn_first *list, u32 k) {
    list->k = k;
    list->count = 0;
    list->last = (i64)1 << 62;
    list->limit = bits_f64((u64)0x7ff << 52);
}

/* The periods of the axes, infinite where there is none; whether remainders in a halo are
 * of less than two. */
static inline i32 knn_periods(const knn_tree *t, i64 halo, f64 *period) {
    const i64 begin = t->offset[halo], members = t->offset[halo + 1] - begin;
    i64 top = 0;
    while (pyramid_count(members, KNN_LEAF_BITS + KNN_FAN_BITS * top) > 1)
        top++;
    GLOBAL const knn_box *all =
        t->box + t->begin[top] +
        pyramid_first(begin, halo, KNN_LEAF_BITS + KNN_FAN_BITS * top);
    i32 fits = 1;
    for (i32 k = 0; k < 3; k++) {
        const f64 own = t->period.axis[k];
        period[k] = own > 0 ? own : bits_f64((u64)0x7ff << 52);
        fits &= !t->wraps[halo] || all->high[k] - all->low[k] < 2 * period[k];
    }
    return fits;
}

/* What is not there is ~0, or infinitely far. */
static inline void knn_write(const knn_first *list, i64 m, const knn_found *to) {
    const f64 infinite = bits_f64((u64)0x7ff << 52);
    for (u32 i = 0; i < to->listed; i++)
        to->neighbour[m * to->listed + i] = i < list->count ? list->member[i] : ~(u32)0;
    for (u32 i = 0; i < to->k && to->distances > 1; i++)
        to->distance2[m * to->k + i] = i < list->count ? list->d2[i] : infinite;
    if (to->distances == 1)
        to->distance2[m] = list->count > 0 ? list->d2[list->count - 1] : 0;
}

/* The neighbours of the member at a place of the tree, in a halo. */
static inline void knn_of(const knn_tree *t, i64 halo, i64 place, const knn_found *to) {
    const knn_query q = knn_query_of(t, halo, place);
    knn_first list;
    knn_begin(&list, to->k);
    knn_search(t, &q, &list);
    knn_write(&list, (i64)t->order[place], to);
}

#endif
