/* The k nearest of the members of a leaf together, for processors with vectors: one list of
 * those who may be near any of them, and from it what is within a limit of each. */
#ifndef WEFT_KNN_GROUP_KERNEL_H
#define WEFT_KNN_GROUP_KERNEL_H

#include "knn.kernel.h"

/* Candidates of a leaf, in places of the tree: up to 64 rows of KNN_LEAF. */
enum { KNN_GROUP_MOST = 1024, KNN_GROUP_MANY = 256 };
typedef struct knn_group {
    u32 count;
    f64 x[KNN_GROUP_MOST], y[KNN_GROUP_MOST], z[KNN_GROUP_MOST], d2[KNN_GROUP_MOST];
    u32 place[KNN_GROUP_MOST], near[KNN_GROUP_MOST];
} knn_group;

/* The members that ask together: places, and squared distances that their neighbours are
 * not beyond; and the periods of a halo that wraps, infinite where an axis has none. */
typedef struct knn_group_query {
    i64 halo, begin, end; /* the members of the halo */
    i64 first;            /* the first who asks, */
    u32 asking;           /*   and how many do */
    i32 wraps;
    f64 period[3];
    f64 x[KNN_LEAF], y[KNN_LEAF], z[KNN_LEAF], limit[KNN_LEAF];
} knn_group_query;

/* The size of a difference on an axis with a period, of one below two periods: that of its
 * remainder, exactly. */
static inline f64 knn_group_around(f64 d, f64 period) {
    const f64 a = fabs(d), b = a - period, c = fabs(b - period);
    return a <= 0.5 * period ? a : b < 0.5 * period ? fabs(b) : c;
}

/* Squared distances of all candidates from who asks. */
static inline void knn_group_measure(const knn_group_query *q, u32 who,
                                     GLOBAL knn_group *g) {
    const u32 end = (g->count + KNN_LEAF - 1) & ~(u32)(KNN_LEAF - 1);
    const f64 x = q->x[who], y = q->y[who], z = q->z[who];
    if (q->wraps) {
        const f64 a = q->period[0], b = q->period[1], c = q->period[2];
        for (u32 row = 0; row < end; row += KNN_LEAF)
            for (u32 l = 0; l < KNN_LEAF; l++) {
                const f64 dx = knn_group_around(g->x[row + l] - x, a);
                const f64 dy = knn_group_around(g->y[row + l] - y, b);
                const f64 dz = knn_group_around(g->z[row + l] - z, c);
                g->d2[row + l] = (dx * dx + dy * dy) + dz * dz;
            }
        return;
    }
    for (u32 row = 0; row < end; row += KNN_LEAF)
        for (u32 l = 0; l < KNN_LEAF; l++) {
            const f64 dx = g->x[row + l] - x, dy = g->y[row + l] - y,
                      dz = g->z[row + l] - z;
            g->d2[row + l] = (dx * dx + dy * dy) + dz * dz;
        }
}

static inline void knn_group_add(GLOBAL knn_group *g, const knn_tree *t, i64 from, i64 to) {
    const u32 n = (u32)(to - from), at = g->count;
    for (u32 l = 0; l < n; l++) {
        g->x[at + l] = t->x[from + l];
        g->y[at + l] = t->y[from + l];
        g->z[at + l] = t->z[from + l];
        g->place[at + l] = (u32)from + l;
    }
    g->count += n;
}

/* Fills the last row with what is near nobody. */
static inline void knn_group_end(GLOBAL knn_group *g) {
    const u32 end = (g->count + KNN_LEAF - 1) & ~(u32)(KNN_LEAF - 1);
    for (u32 c = g->count; c < end; c++) {
        g->x[c] = g->y[c] = g->z[c] = bits_f64((u64)0x7ff << 52);
        g->place[c] = 0;
    }
}

/* How many of the first rows are within a limit. */
static inline u32 knn_group_within(GLOBAL const knn_group *g, u32 end, f64 limit) {
    u64 count[KNN_LEAF];
    u64 all = 0;
    for (u32 l = 0; l < KNN_LEAF; l++)
        count[l] = 0;
    for (u32 row = 0; row < end; row += KNN_LEAF)
        for (u32 l = 0; l < KNN_LEAF; l++)
            count[l] += g->d2[row + l] <= limit;
    for (u32 l = 0; l < KNN_LEAF; l++)
        all += count[l];
    return (u32)all;
}

/* A squared distance, at most `high`, within which more than k of the candidates are, and
 * up to `spare` more if a few rounds tell. The query is one of the candidates. */
static inline f64 knn_group_limit(GLOBAL const knn_group *g, u32 k, u32 spare, f64 high) {
    const u32 end = (g->count + KNN_LEAF - 1) & ~(u32)(KNN_LEAF - 1);
    f64 low = 0;
    for (i32 round = 0; round < 8; round++) {
        const f64 middle = low + (high - low) * 0.5;
        const u32 count = knn_group_within(g, end, middle);
        low = count > k ? low : middle;
        high = count > k ? middle : high;
        if (count > k && count <= k + spare)
            break;
    }
    return high;
}

/* What none of them is beyond. */
static inline f64 knn_group_farthest(GLOBAL const knn_group *g) {
    f64 high = 0, most[KNN_LEAF];
    for (u32 l = 0; l < KNN_LEAF; l++)
        most[l] = g->d2[0];
    for (u32 row = 0; row + KNN_LEAF <= g->count; row += KNN_LEAF)
        for (u32 l = 0; l < KNN_LEAF; l++)
            most[l] = max(most[l], g->d2[row + l]);
    for (u32 c = g->count & ~(u32)(KNN_LEAF - 1); c < g->count; c++)
        high = max(high, g->d2[c]);
    for (u32 l = 0; l < KNN_LEAF; l++)
        high = max(high, most[l]);
    return high;
}

/* How far a place is from an interval, at least, where that may be across a period. */
static inline f64 knn_group_gap(f64 x, f64 low, f64 high, f64 period) {
    const f64 middle = 0.5 * low + 0.5 * high, half_width = 0.5 * high - 0.5 * low;
    const f64 rounding = (fabs(x) + fabs(low) + fabs(high)) * 0x1p-48;
    const f64 d = knn_group_around(x - middle, period);
    return max(d - half_width - rounding, 0.0);
}

/* Whether a box is within the limit of one of those who ask. */
static inline u32 knn_group_needs(const knn_group_query *q, GLOBAL const knn_box *box) {
    const knn_box b = *box;
    u32 near = 0;
    if (q->wraps)
        for (u32 l = 0; l < KNN_LEAF; l++) {
            const f64 dx = knn_group_gap(q->x[l], b.low[0], b.high[0], q->period[0]);
            const f64 dy = knn_group_gap(q->y[l], b.low[1], b.high[1], q->period[1]);
            const f64 dz = knn_group_gap(q->z[l], b.low[2], b.high[2], q->period[2]);
            near |= (u32)((dx * dx + dy * dy) + dz * dz <= q->limit[l]);
        }
    else
        for (u32 l = 0; l < KNN_LEAF; l++) {
            const f64 dx = max(max(b.low[0] - q->x[l], q->x[l] - b.high[0]), 0.0);
            const f64 dy = max(max(b.low[1] - q->y[l], q->y[l] - b.high[1]), 0.0);
            const f64 dz = max(max(b.low[2] - q->z[l], q->z[l] - b.high[2]), 0.0);
            near |= (u32)((dx * dx + dy * dy) + dz * dz <= q->limit[l]);
        }
    return near;
}

/* All leaves that one of those who ask needs; 0 where that is too many. */
static inline i32 knn_group_gather(const knn_tree *t, const knn_group_query *q,
                                   GLOBAL knn_group *g) {
    const i64 members = q->end - q->begin;
    i64 top = 0, k = 0;
    while (pyramid_count(members, KNN_LEAF_BITS + KNN_FAN_BITS * top) > 1)
        top++;
    g->count = 0;
    for (i64 level = top;;) {
        const i64 bits = KNN_LEAF_BITS + KNN_FAN_BITS * level;
        if (knn_group_needs(q, t->box + t->begin[level] +
                                   pyramid_first(q->begin, q->halo, bits) + k)) {
            if (level > 0) {
                level--;
                k <<= KNN_FAN_BITS;
                continue;
            }
            if (g->count + KNN_LEAF > KNN_GROUP_MOST)
                return 0;
            const i64 from = q->begin + (k << KNN_LEAF_BITS);
            knn_group_add(g, t, from, min(from + KNN_LEAF, q->end));
        }
        for (;; level++) {
            if (level == top)
                return 1;
            k++;
            if ((k & (KNN_FAN - 1)) != 0 &&
                k < pyramid_count(members, KNN_LEAF_BITS + KNN_FAN_BITS * level))
                break;
            k = (k - 1) >> KNN_FAN_BITS;
        }
    }
}

/* Lists those within the limit, but for the query; 0 where there is no room. A bit a row,
 * in as many masks as a row has candidates. */
static inline i32 knn_group_list(GLOBAL const knn_group *g, i64 own, knn_list *list) {
    const u32 rows = (g->count + KNN_LEAF - 1) / KNN_LEAF;
    u64 near[KNN_LEAF];
    u32 count = 0;
    for (u32 l = 0; l < KNN_LEAF; l++)
        near[l] = 0;
    for (u32 row = 0; row < rows; row++)
        for (u32 l = 0; l < KNN_LEAF; l++)
            near[l] |= (u64)(g->d2[row * KNN_LEAF + l] <= list->limit) << row;
    for (u32 l = 0; l < KNN_LEAF; l++)
        for (u64 left = near[l]; left; left &= left - 1) {
            const u32 row = 63 - (u32)clz(left & (0 - left)), c = row * KNN_LEAF + l;
            if (count == KNN_ROOM)
                return 0;
            list->d2[count] = g->d2[c];
            list->place[count] = g->place[c];
            count += c < g->count && (i64)g->place[c] != own;
        }
    list->count = count;
    return 1;
}

/* Who asks: `asking` members from place `first` on, with limits by those beside them on
 * the curve. */
static inline void knn_group_ask(const knn_tree *t, knn_group_query *q, i64 first,
                                 u32 asking, u32 k, GLOBAL knn_group *g) {
    const i64 beside = max((i64)k, (i64)2 * KNN_LEAF);
    q->first = first;
    q->asking = asking;
    for (u32 l = 0; l < KNN_LEAF; l++) {
        const i64 place = first + min(l, asking - 1);
        q->x[l] = t->x[place];
        q->y[l] = t->y[place];
        q->z[l] = t->z[place];
        q->limit[l] = -1;
    }
    g->count = 0;
    knn_group_add(g, t, max(first - beside, q->begin),
                  min(first + asking + beside, q->end));
    knn_group_end(g);
    for (u32 l = 0; l < asking; l++) {
        knn_group_measure(q, l, g);
        if (g->count > k)
            q->limit[l] = knn_group_limit(g, k, k, knn_group_farthest(g));
        else
            q->limit[l] = bits_f64((u64)0x7ff << 52);
    }
}

/* Limits by the leaves around those who ask: those beside them on the curve may be far. */
static inline void knn_group_narrow(const knn_tree *t, knn_group_query *q, u32 k,
                                    GLOBAL knn_group *g) {
    f64 reach = q->limit[0], limit[KNN_LEAF];
    i32 all = 0;
    for (u32 l = 0; l < q->asking; l++) {
        limit[l] = q->limit[l];
        reach = min(reach, limit[l]);
    }
    for (i32 round = 0; round < 4 && !all; round++) {
        reach *= 0.25;
        for (u32 l = 0; l < q->asking; l++)
            q->limit[l] = reach;
        all = knn_group_gather(t, q, g);
    }
    knn_group_end(g);
    for (u32 l = 0; l < q->asking; l++) {
        q->limit[l] = limit[l];
        knn_group_measure(q, l, g);
        if (all && g->count > k)
            q->limit[l] = min(limit[l], knn_group_limit(g, k, k, knn_group_farthest(g)));
    }
}

/* Leaves out who is beyond the limits of all, as all who are listed have them. */
static inline void knn_group_drop(knn_group_query *q, u32 k, GLOBAL knn_group *g) {
    const u32 rows = (g->count + KNN_LEAF - 1) / KNN_LEAF;
    u32 count = 0;
    for (u32 c = 0; c < rows * KNN_LEAF; c++)
        g->near[c] = 0;
    for (u32 l = 0; l < q->asking; l++) {
        knn_group_measure(q, l, g);
        if (q->limit[l] < bits_f64((u64)0x7ff << 52))
            q->limit[l] = knn_group_limit(g, k, KNN_SPARE, q->limit[l]);
        for (u32 row = 0; row < rows; row++)
            for (u32 j = 0; j < KNN_LEAF; j++)
                g->near[row * KNN_LEAF + j] |=
                    (u32)(g->d2[row * KNN_LEAF + j] <= q->limit[l]);
    }
    for (u32 c = 0; c < g->count; c++) {
        g->x[count] = g->x[c];
        g->y[count] = g->y[c];
        g->z[count] = g->z[c];
        g->place[count] = g->place[c];
        count += g->near[c];
    }
    g->count = count;
    knn_group_end(g);
}

/* The neighbours of those who ask; 0 where there are too many candidates. */
static inline i32 knn_group_answer(const knn_tree *t, knn_group_query *q,
                                   const knn_found *to, GLOBAL knn_group *g) {
    knn_list list;
    list.k = to->k;
    if (!knn_group_gather(t, q, g)) {
        knn_group_narrow(t, q, to->k, g);
        if (!knn_group_gather(t, q, g))
            return 0;
    }
    knn_group_end(g);
    if (g->count > KNN_GROUP_MANY)
        knn_group_drop(q, to->k, g);
    for (u32 l = 0; l < q->asking; l++) {
        const i64 place = q->first + l;
        list.limit = q->limit[l];
        knn_group_measure(q, l, g);
        if (knn_group_list(g, place, &list)) {
            knn_lower(&list);
            knn_write(&list, t->order, (i64)t->order[place], to);
        } else {
            knn_of(t, q->halo, place, to);
        }
    }
    return 1;
}

/* Periods of a halo; 0 where it is as wide as two of them. */
static inline i32 knn_group_wrap(const knn_tree *t, knn_group_query *q) {
    q->wraps = (i32)t->wraps[q->halo];
    for (i32 k = 0; k < 3; k++)
        q->period[k] =
            t->period.axis[k] > 0 ? t->period.axis[k] : bits_f64((u64)0x7ff << 52);
    if (!q->wraps)
        return 1;
    i64 top = 0;
    while (pyramid_count(q->end - q->begin, KNN_LEAF_BITS + KNN_FAN_BITS * top) > 1)
        top++;
    GLOBAL const knn_box *all =
        t->box + t->begin[top] +
        pyramid_first(q->begin, q->halo, KNN_LEAF_BITS + KNN_FAN_BITS * top);
    for (i32 k = 0; k < 3; k++)
        if (!(all->high[k] - all->low[k] < 2 * q->period[k]))
            return 0;
    return 1;
}

/* The neighbours of the members of leaf i: of all together, or of fewer, where they are far
 * apart. */
static inline void knn_group_leaf(i64 i, const knn_tree *t, const knn_found *to,
                                  GLOBAL knn_group *g) {
    const knn_range r = knn_tree_range(i, t->halos, KNN_LEAF_BITS, t->offset);
    knn_group_query q;
    q.halo = r.halo;
    q.begin = t->offset[r.halo];
    q.end = t->offset[r.halo + 1];
    if (r.begin >= r.end)
        return;
    const i32 together = knn_group_wrap(t, &q);
    for (i64 first = r.begin, size = KNN_LEAF; first < r.end;) {
        const i64 end = min(first + size, r.end);
        if (together && size > 1) {
            knn_group_ask(t, &q, first, (u32)(end - first), to->k, g);
            if (!knn_group_answer(t, &q, to, g)) {
                size /= 4;
                continue;
            }
        } else {
            for (i64 place = first; place < end; place++)
                knn_of(t, r.halo, place, to);
        }
        first = end;
    }
}

/* Part n of `parts` of all leaves, with a list of its own. */
static inline void knn_group_part(index_t n, i64 leaves, i64 parts, knn_tree t,
                                  knn_found to, GLOBAL knn_group *lists) {
    const i64 each = (leaves + parts - 1) / parts, begin = (i64)n * each;
    for (i64 i = begin; i < min(begin + each, leaves); i++)
        knn_group_leaf(i, &t, &to, lists + n);
}

#endif
