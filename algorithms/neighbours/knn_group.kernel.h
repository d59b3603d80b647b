/* The k nearest of the members of a leaf together, for processors with vectors: which
 * leaves each of them needs is told for all at once, and their distances are found in rows.
 */
#ifndef WEFT_KNN_GROUP_KERNEL_H
#define WEFT_KNN_GROUP_KERNEL_H

#include "knn_near.kernel.h"

/* Leaves that are needed together, a bit each; and so many rows are looked through at once.
 */
enum { KNN_GROUP_LEAVES = 64, KNN_GROUP_ROWS = 4, KNN_GROUP_STEP = 64 };

/* The members that ask together: places, and squared distances that their neighbours are
 * not beyond; and the periods of a halo that wraps, infinite where an axis has none. */
typedef struct knn_group {
    i64 halo, begin, end; /* the members of the halo */
    i64 first;            /* the first who asks, */
    u32 asking;           /*   and how many do */
    i32 wraps;
    f64 period[3];
    f64 x[KNN_LEAF], y[KNN_LEAF], z[KNN_LEAF], limit[KNN_LEAF];
    u32 leaves; /* that one of them needs: numbers in the halo, */
    i64 leaf[KNN_GROUP_LEAVES];
    u64 needs[KNN_LEAF]; /*   and which of them each needs */
} knn_group;

/* Rows of squared distances from one who asks, NaN where a leaf has no more members; their
 * number is a multiple of KNN_GROUP_ROWS. */
typedef struct knn_rows {
    f64 d2[KNN_GROUP_LEAVES * KNN_LEAF];
    i64 from[KNN_GROUP_LEAVES]; /* the place of the first of each */
    u32 rows;
} knn_rows;

/* The size of a difference on an axis with a period, of one below two periods: that of its
 * remainder, exactly. */
static inline f64 knn_group_around(f64 d, f64 period) {
    const f64 a = fabs(d), b = a - period, c = fabs(b - period);
    return a <= 0.5 * period ? a : b < 0.5 * period ? fabs(b) : c;
}

/* Squared distances of the members of a leaf, from place `from` on. */
static inline void knn_group_row(const knn_tree *t, const knn_group *g, u32 who, i64 from,
                                 f64 *d2) {
    const f64 none = bits_f64((u64)0x7ff8 << 48);
    const f64 x = g->x[who], y = g->y[who], z = g->z[who];
    const i64 n = g->end - from;
    if (g->wraps)
        for (i64 l = 0; l < KNN_LEAF; l++) {
            const f64 dx = knn_group_around(t->x[from + l] - x, g->period[0]);
            const f64 dy = knn_group_around(t->y[from + l] - y, g->period[1]);
            const f64 dz = knn_group_around(t->z[from + l] - z, g->period[2]);
            d2[l] = l < n ? (dx * dx + dy * dy) + dz * dz : none;
        }
    else
        for (i64 l = 0; l < KNN_LEAF; l++) {
            const f64 dx = t->x[from + l] - x, dy = t->y[from + l] - y,
                      dz = t->z[from + l] - z;
            d2[l] = l < n ? (dx * dx + dy * dy) + dz * dz : none;
        }
}

/* The rows of the leaves that one needs. */
static inline void knn_group_measure(const knn_tree *t, const knn_group *g, u32 who,
                                     knn_rows *r) {
    u32 row = 0;
    for (u64 left = g->needs[who]; left; left &= left - 1, row++) {
        const i64 leaf = g->leaf[63 - (u32)clz(left & (0 - left))];
        r->from[row] = g->begin + (leaf << KNN_LEAF_BITS);
        knn_group_row(t, g, who, r->from[row], r->d2 + row * KNN_LEAF);
    }
    for (; row % KNN_GROUP_ROWS != 0; row++)
        for (i64 l = 0; l < KNN_LEAF; l++)
            r->d2[row * KNN_LEAF + l] = bits_f64((u64)0x7ff8 << 48);
    r->rows = row;
}

/* How many are within a limit. */
static inline u32 knn_group_within(const knn_rows *r, f64 limit) {
    u64 count[KNN_LEAF];
    u64 all = 0;
    for (index_t l = 0; l < KNN_LEAF; l++)
        count[l] = 0;
    for (index_t row = 0; row < (index_t)r->rows * KNN_LEAF; row += KNN_LEAF)
        for (index_t l = 0; l < KNN_LEAF; l++)
            count[l] += r->d2[row + l] <= limit;
    for (index_t l = 0; l < KNN_LEAF; l++)
        all += count[l];
    return (u32)all;
}

/* The largest of the first rows. */
static inline f64 knn_group_farthest(const knn_rows *r, u32 rows) {
    f64 most[KNN_LEAF], high = 0;
    for (index_t l = 0; l < KNN_LEAF; l++)
        most[l] = 0;
    for (index_t row = 0; row < (index_t)rows * KNN_LEAF; row += KNN_LEAF)
        for (index_t l = 0; l < KNN_LEAF; l++)
            most[l] = r->d2[row + l] > most[l] ? r->d2[row + l] : most[l];
    for (index_t l = 0; l < KNN_LEAF; l++)
        high = max(high, most[l]);
    return high;
}

/* A squared distance, at most `limit`, that the k nearest others are not beyond: that of
 * more than k of these, and of up to `spare` more if a few rounds tell. Who asks is one. */
static inline f64 knn_group_limit(const knn_rows *r, u32 k, u32 spare, f64 limit) {
    const i32 anywhere = !(limit < bits_f64((u64)0x7ff << 52));
    const u32 first = min(k / KNN_LEAF + 1, r->rows);
    f64 low = 0, high = anywhere ? knn_group_farthest(r, first) : limit;
    u32 within = knn_group_within(r, high);
    if (within <= k && anywhere) {
        high = knn_group_farthest(r, r->rows);
        within = knn_group_within(r, high);
    }
    if (within <= k)
        return limit;
    for (i32 round = 0; round < 8 && within > k + spare; round++) {
        const f64 middle = low + (high - low) * 0.5;
        const u32 count = knn_group_within(r, middle);
        low = count > k ? low : middle;
        high = count > k ? middle : high;
        within = count > k ? count : within;
    }
    return high;
}

/* How far a place is from an interval, at least, where that may be across a period. */
static inline f64 knn_group_gap(f64 x, f64 low, f64 high, f64 period) {
    const f64 middle = 0.5 * low + 0.5 * high, half_width = 0.5 * high - 0.5 * low;
    const f64 rounding = (fabs(x) + fabs(low) + fabs(high)) * 0x1p-48;
    const f64 d = knn_group_around(x - middle, period);
    return max(d - half_width - rounding, 0.0);
}

/* Which of those who ask have a part of a box within a part of their limits; whether any.
 */
static inline u64 knn_group_near(const knn_group *g, GLOBAL const knn_box *box, f64 part,
                                 u64 *near) {
    const knn_box b = *box;
    u64 any = 0;
    if (g->wraps)
        for (u32 l = 0; l < KNN_LEAF; l++) {
            const f64 dx = knn_group_gap(g->x[l], b.low[0], b.high[0], g->period[0]);
            const f64 dy = knn_group_gap(g->y[l], b.low[1], b.high[1], g->period[1]);
            const f64 dz = knn_group_gap(g->z[l], b.low[2], b.high[2], g->period[2]);
            near[l] = (dx * dx + dy * dy) + dz * dz <= part * g->limit[l];
        }
    else
        for (u32 l = 0; l < KNN_LEAF; l++) {
            const f64 dx = max(max(b.low[0] - g->x[l], g->x[l] - b.high[0]), 0.0);
            const f64 dy = max(max(b.low[1] - g->y[l], g->y[l] - b.high[1]), 0.0);
            const f64 dz = max(max(b.low[2] - g->z[l], g->z[l] - b.high[2]), 0.0);
            near[l] = (dx * dx + dy * dy) + dz * dz <= part * g->limit[l];
        }
    for (u32 l = 0; l < KNN_LEAF; l++)
        any |= near[l];
    return any;
}

/* Lists the leaves that are needed; 0 where that are too many. */
static inline i32 knn_group_gather(const knn_tree *t, knn_group *g, f64 part) {
    const i64 members = g->end - g->begin;
    u64 near[KNN_LEAF];
    i64 top = 0, k = 0;
    while (pyramid_count(members, KNN_LEAF_BITS + KNN_FAN_BITS * top) > 1)
        top++;
    g->leaves = 0;
    for (u32 l = 0; l < KNN_LEAF; l++)
        g->needs[l] = 0;
    for (i64 level = top;;) {
        const i64 bits = KNN_LEAF_BITS + KNN_FAN_BITS * level;
        if (knn_group_near(
                g, t->box + t->begin[level] + pyramid_first(g->begin, g->halo, bits) + k,
                part, near)) {
            if (level > 0) {
                level--;
                k <<= KNN_FAN_BITS;
                continue;
            }
            if (g->leaves == KNN_GROUP_LEAVES)
                return 0;
            for (u32 l = 0; l < KNN_LEAF; l++)
                g->needs[l] |= near[l] << g->leaves;
            g->leaf[g->leaves++] = k;
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

/* Limits by the leaves that are listed. */
static inline void knn_group_narrow(const knn_tree *t, knn_group *g, u32 k, u32 spare) {
    knn_rows rows;
    for (u32 l = 0; l < g->asking; l++) {
        knn_group_measure(t, g, l, &rows);
        g->limit[l] = knn_group_limit(&rows, k, spare, g->limit[l]);
    }
}

/* Who asks: `asking` members from place `first` on, with limits by the leaves beside them
 * on the curve. */
static inline void knn_group_ask(const knn_tree *t, knn_group *g, i64 first, u32 asking,
                                 u32 k) {
    const i64 beside = max((i64)k / KNN_LEAF, (i64)2);
    const i64 own = (first - g->begin) >> KNN_LEAF_BITS;
    const i64 last = pyramid_count(g->end - g->begin, KNN_LEAF_BITS) - 1;
    g->first = first;
    g->asking = asking;
    g->leaves = 1;
    g->leaf[0] = own;
    for (i64 away = 1; away <= beside; away++) {
        if (own + away <= last)
            g->leaf[g->leaves++] = own + away;
        if (own - away >= 0)
            g->leaf[g->leaves++] = own - away;
    }
    for (u32 l = 0; l < KNN_LEAF; l++) {
        const i64 place = first + min(l, asking - 1);
        g->x[l] = t->x[place];
        g->y[l] = t->y[place];
        g->z[l] = t->z[place];
        g->limit[l] = l < asking ? bits_f64((u64)0x7ff << 52) : -1;
        g->needs[l] = ((u64)1 << g->leaves) - 1;
    }
    knn_group_narrow(t, g, k, k);
}

/* Lists those within the limit, but for who asks; 0 where there is no room. */
static inline i32 knn_group_list(const knn_rows *r, i64 own, knn_near *list) {
    u32 count = 0;
    for (u32 row = 0; row < r->rows; row += KNN_GROUP_ROWS) {
        const f64 *d2 = r->d2 + row * KNN_LEAF;
        u64 near = 0;
        for (i64 c = 0; c < KNN_GROUP_STEP; c++)
            near |= (u64)(d2[c] <= list->limit) << c;
        for (; near; near &= near - 1) {
            const u32 c = row * KNN_LEAF + 63 - (u32)clz(near & (0 - near));
            const i64 place = r->from[c / KNN_LEAF] + c % KNN_LEAF;
            if (count == KNN_ROOM)
                return 0;
            list->d2[count] = r->d2[c];
            list->place[count] = (u32)place;
            count += place != own;
        }
    }
    list->count = count;
    return 1;
}

/* The neighbours of those who ask; 0 where they need too many leaves. */
static inline i32 knn_group_answer(const knn_tree *t, knn_group *g, const knn_found *to) {
    knn_rows rows;
    knn_near list;
    list.k = to->k;
    for (f64 part = 0.25; part > 0x1p-10 && !knn_group_gather(t, g, part); part *= 0.25)
        continue;
    knn_group_narrow(t, g, to->k, KNN_SPARE);
    if (!knn_group_gather(t, g, 1))
        return 0;
    for (u32 l = 0; l < g->asking; l++) {
        const i64 place = g->first + l;
        list.limit = g->limit[l];
        knn_group_measure(t, g, l, &rows);
        if (knn_group_list(&rows, place, &list)) {
            knn_near_lower(&list);
            knn_near_write(&list, t->order, (i64)t->order[place], to);
        } else {
            knn_of(t, g->halo, place, to);
        }
    }
    return 1;
}

/* Periods of a halo; 0 where it is as wide as two of them. */
static inline i32 knn_group_wrap(const knn_tree *t, knn_group *g) {
    g->wraps = (i32)t->wraps[g->halo];
    for (i32 k = 0; k < 3; k++)
        g->period[k] =
            t->period.axis[k] > 0 ? t->period.axis[k] : bits_f64((u64)0x7ff << 52);
    if (!g->wraps)
        return 1;
    i64 top = 0;
    while (pyramid_count(g->end - g->begin, KNN_LEAF_BITS + KNN_FAN_BITS * top) > 1)
        top++;
    GLOBAL const knn_box *all =
        t->box + t->begin[top] +
        pyramid_first(g->begin, g->halo, KNN_LEAF_BITS + KNN_FAN_BITS * top);
    for (i32 k = 0; k < 3; k++)
        if (!(all->high[k] - all->low[k] < 2 * g->period[k]))
            return 0;
    return 1;
}

/* The neighbours of the members of leaf i: of all together, or of fewer, where they are far
 * apart. */
static inline void knn_group_leaf(index_t i, knn_tree t, knn_found to) {
    const knn_range r = knn_tree_range(i, t.halos, KNN_LEAF_BITS, t.offset);
    knn_group g;
    g.halo = r.halo;
    g.begin = t.offset[r.halo];
    g.end = t.offset[r.halo + 1];
    if (r.begin >= r.end)
        return;
    const i32 together = knn_group_wrap(&t, &g);
    for (i64 first = r.begin, size = KNN_LEAF; first < r.end;) {
        const i64 end = min(first + size, r.end);
        if (together && size > 1) {
            knn_group_ask(&t, &g, first, (u32)(end - first), to.k);
            if (!knn_group_answer(&t, &g, &to)) {
                size /= 4;
                continue;
            }
        } else {
            for (i64 place = first; place < end; place++)
                knn_of(&t, r.halo, place, &to);
        }
        first = end;
    }
}

#endif
