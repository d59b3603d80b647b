/* What is written of a member, from its list of keys or, where these do not tell, by
 * distances alone. */
#ifndef WEFT_KNN_EACH_KERNEL_H
#define WEFT_KNN_EACH_KERNEL_H

#include "knn_member.kernel.h"

/* Whether one of the first k keys and the next are of equal parts. */
static inline i32 knn_each_doubt(const knn_member_list *g) {
    i32 doubt = 0;
    for (i32 i = 0; i <= KNN_MEMBER_LAST; i++) {
        const i32 parts = g->key[i] >> KNN_MEMBER_BITS;
        doubt |= parts >= 0 && parts < KNN_MEMBER_FAR &&
                 parts == g->key[i + 1] >> KNN_MEMBER_BITS;
    }
    return doubt;
}

/* All of a list that may be among the first, by their distances; 0 where others may be that
 * are not in it. */
static inline i32 knn_each_exactly(const knn_tree *t, const knn_member_list *g,
                                   const u32 *leaves, i64 m, const knn_found *to) {
    const i32 most = min(g->key[KNN_MEMBER_LAST] >> KNN_MEMBER_BITS, KNN_MEMBER_FAR - 1);
    i32 key[KNN_FEW];
    knn_first first;
    knn_begin(&first, g->k);
    if (g->key[KNN_FEW - 1] >> KNN_MEMBER_BITS <= most)
        return 0;
    for (i32 i = 0; i < KNN_FEW; i++)
        key[i] = g->key[i];
    for (i32 i = KNN_MEMBER_MOST - (i32)g->k; key[i] >> KNN_MEMBER_BITS <= most; i++) {
        const i64 place = knn_member_place(g, leaves, key[i]);
        const f64 d2 = knn_member_apart(t, g, place);
        if (knn_counts(&first, d2, (i64)t->order[place]))
            knn_insert(&first, d2, t->order[place]);
    }
    knn_write(&first, m, to);
    return 1;
}

static inline void knn_each_write(const knn_tree *t, const knn_member_list *g,
                                  const u32 *leaves, i64 m, const knn_found *to) {
    const f64 infinite = bits_f64((u64)0x7ff << 52);
    const i32 begin = KNN_MEMBER_MOST - (i32)g->k;
    const i32 count = (i32)min((i64)g->k, g->q.end - g->q.begin - 1);
    i32 last = 0;
    for (i32 i = 0; i <= KNN_MEMBER_LAST; i++) {
        const i32 key = g->key[i], n = i - begin, is_there = n < count;
        if (n >= 0 && n < (i32)to->listed)
            to->neighbour[m * to->listed + n] =
                is_there ? t->order[knn_member_place(g, leaves, key)] : ~(u32)0;
        if (n >= 0 && to->distances > 1)
            to->distance2[m * to->k + n] =
                is_there ? knn_member_apart(t, g, knn_member_place(g, leaves, key))
                         : infinite;
        last = n == count - 1 ? key : last;
    }
    if (to->distances == 1)
        to->distance2[m] =
            count > 0 ? knn_member_apart(t, g, knn_member_place(g, leaves, last)) : 0;
}

/* The neighbours of the member at a place. */
static inline void knn_each(index_t i, knn_tree t, knn_found to) {
    const i64 halo = pyramid_segment(i, t.halos, t.offset), m = (i64)t.order[i];
    u32 leaves[KNN_MEMBER_LEAVES];
    knn_member_list g;
    g.q = knn_query_of(&t, halo, i);
    g.k = to.k;
    if (to.k <= KNN_MEMBER_MOST && knn_periods(&t, halo, g.period) &&
        knn_member_start(&t, &g) && knn_member_search(&t, &g, leaves)) {
        if (!knn_each_doubt(&g)) {
            knn_each_write(&t, &g, leaves, m, &to);
            return;
        }
        if (knn_each_exactly(&t, &g, leaves, m, &to))
            return;
    }
    const knn_tree other = t;
    knn_of(&other, halo, i, &to);
}

#endif
