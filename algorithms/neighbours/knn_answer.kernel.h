/* What is written of the members of a leaf, and who is asked otherwise. */
#ifndef WEFT_KNN_ANSWER_KERNEL_H
#define WEFT_KNN_ANSWER_KERNEL_H

#include "knn_group.kernel.h"

static inline i64 knn_answer_place(const knn_lanes *g, u32 l, u32 i) {
    return (i64)g->place[g->list[i * KNN_LANES + l] & (KNN_NUMBERS - 1)];
}

/* Which lanes have keys that do not tell the order of their first members. */
static inline void knn_answer_doubts(const knn_lanes *g, u32 count, i32 *doubt) {
    for (index_t l = 0; l < KNN_LANES; l++)
        doubt[l] = 0;
    for (u32 i = 0; i < count; i++)
        for (index_t l = 0; l < KNN_LANES; l++) {
            const i32 *key = g->list + (index_t)i * KNN_LANES + l;
            doubt[l] |= (key[KNN_LANES] >> KNN_NUMBER_BITS) - (*key >> KNN_NUMBER_BITS) <=
                        g->off[l];
        }
}

/* The first `count` of a list, as it is. */
static inline void knn_answer_write(const knn_tree *t, const knn_lanes *g, u32 l, u32 count,
                                    const knn_found *to) {
    const f64 infinite = bits_f64((u64)0x7ff << 52);
    const knn_query q = knn_query_of(t, g->halo, g->first + l);
    const i64 m = (i64)t->order[q.own];
    for (u32 i = 0; i < to->listed; i++)
        to->neighbour[m * to->listed + i] =
            i < count ? t->order[knn_answer_place(g, l, i)] : ~(u32)0;
    for (u32 i = 0; i < to->k && to->distances > 1; i++)
        to->distance2[m * to->k + i] =
            i < count ? knn_apart(t, &q, knn_answer_place(g, l, i)) : infinite;
    if (to->distances == 1)
        to->distance2[m] =
            count > 0 ? knn_apart(t, &q, knn_answer_place(g, l, count - 1)) : 0;
}

/* All of a list that may be among the first, by their distances as defined; 0 where others
 * may be that are not in it. */
static inline i32 knn_answer_exactly(const knn_tree *t, const knn_lanes *g, u32 l,
                                     const knn_found *to) {
    const i32 *key = g->list + l;
    const i32 most =
        min((key[((i32)g->k - 1) * KNN_LANES] >> KNN_NUMBER_BITS) + g->off[l], KNN_FAR - 1);
    const knn_query q = knn_query_of(t, g->halo, g->first + l);
    knn_first first;
    knn_begin(&first, g->k);
    if (key[(g->rows - 1) * KNN_LANES] >> KNN_NUMBER_BITS <= most)
        return 0;
    for (u32 i = 0; key[i * KNN_LANES] >> KNN_NUMBER_BITS <= most; i++) {
        const i64 place = knn_answer_place(g, l, i);
        const f64 d2 = knn_apart(t, &q, place);
        if (knn_counts(&first, d2, (i64)t->order[place]))
            knn_insert(&first, d2, t->order[place]);
    }
    knn_write(&first, (i64)t->order[q.own], to);
    return 1;
}

/* The neighbours of those who ask; 0 where they are too far apart. */
static inline i32 knn_answer_all(const knn_tree *t, knn_lanes *g, const knn_found *to) {
    const u32 count = (u32)min((i64)to->k, g->end - g->begin - 1);
    i32 doubt[KNN_LANES];
    if (!knn_group_start(t, g) || !knn_group_walk(t, g))
        return 0;
    if (g->waiting > 0)
        knn_group_take(g);
    knn_answer_doubts(g, count, doubt);
    for (u32 l = 0; l < g->asking; l++)
        if (!doubt[l])
            knn_answer_write(t, g, l, count, to);
        else if (!knn_answer_exactly(t, g, l, to))
            knn_of(t, g->halo, g->first + l, to);
    return 1;
}

/* The neighbours of the members of leaf i: of all together, or of fewer, where they are far
 * apart. */
static inline void knn_answer_leaf(index_t i, knn_tree t, knn_found to) {
    const pyramid_range r = pyramid_range_of(i, t.halos, KNN_LEAF_BITS, t.offset);
    knn_lanes g;
    g.halo = r.segment;
    g.begin = t.offset[r.segment];
    g.end = t.offset[r.segment + 1];
    g.k = to.k;
    g.rows = to.k < 32 ? 32 : to.k < 64 ? 64 : KNN_LIST_MOST;
    if (r.begin >= r.end)
        return;
    i64 size = knn_periods(&t, g.halo, g.period) ? KNN_LANES : 1;
    g.wraps = (i32)t.wraps[g.halo];
    for (i64 first = r.begin; first < r.end;) {
        const i64 end = min(first + size, r.end);
        g.first = first;
        g.asking = (u32)(end - first);
        if (size == 1) {
            knn_of(&t, r.segment, first, &to);
        } else if (!knn_answer_all(&t, &g, &to)) {
            size /= 4;
            continue;
        }
        first = end;
    }
}

#endif
