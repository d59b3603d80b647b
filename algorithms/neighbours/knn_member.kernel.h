/* The k nearest members of one, where many work-items run: all of a leaf are put into its
 * list at once, in registers, so that work-items side by side do the same.
 *
 * A key is the squared distance as defined, in parts of what is far, rounded, above the
 * candidate's number. Rounding is monotonic, so keys of different parts are in the order of
 * distances; where parts are equal, distances as defined are looked at once more. */
#ifndef WEFT_KNN_MEMBER_KERNEL_H
#define WEFT_KNN_MEMBER_KERNEL_H

#include "knn.kernel.h"
#include "knn_few.kernel.h"

enum {
    KNN_MEMBER_BITS = 10, /* of a candidate's number: of its leaf, and of it there */
    KNN_MEMBER_LEAVES = (1 << KNN_MEMBER_BITS) / KNN_LEAF,
    KNN_MEMBER_FAR = (1 << 21) - 1,
    KNN_MEMBER_WITHIN = 2095000, /* parts of the farthest of k others, below `far` */
    KNN_MEMBER_AHEAD = 4,        /* leaves that are found before they are looked at */
    KNN_MEMBER_NONE = 0x7fffffff,
    KNN_MEMBER_LAST = 28, /* where the k-th key is: -1 is before the first */
    KNN_MEMBER_MOST = KNN_MEMBER_LAST + 1
};

typedef struct knn_member_list {
    knn_query q;
    f64 period[3]; /* infinite: an axis without period */
    f64 factor;    /* parts of a squared distance */
    u32 k, leaves; /* how many leaves were looked at, which are listed elsewhere: */
    i64 low, high; /*   those in [low, high) first, */
    i32 key[KNN_FEW];
} knn_member_list;

/* What is left of a walk: four blocks of each level, a bit each, lower levels first; where
 * it is; and the level up to which all around its own leaf is done. */
typedef struct knn_member_walk {
    u64 left;
    i64 place, own;
    i32 done, top;
    u32 found; /* leaves that are listed */
} knn_member_walk;

/* The square of a distance of less than two periods on each axis. */
static inline f64 knn_member_square(const knn_member_list *g, f64 dx, f64 dy, f64 dz) {
    if (g->q.wraps) {
        dx = points_remainder_near(dx, g->period[0]);
        dy = points_remainder_near(dy, g->period[1]);
        dz = points_remainder_near(dz, g->period[2]);
    }
    return (dx * dx + dy * dy) + dz * dz;
}

static inline f64 knn_member_apart(const knn_tree *t, const knn_member_list *g, i64 place) {
    return knn_member_square(g, t->x[place] - g->q.x, t->y[place] - g->q.y,
                             t->z[place] - g->q.z);
}

/* Key c of a leaf; that of who asks, and of what is no member, is none. The sum with 2^52
 * has the number of parts in its last bits. */
static inline void knn_member_key(const knn_tree *t, const knn_member_list *g, i64 from,
                                  u32 is_other, i32 c, i32 *key) {
    const f64 parts =
        min(knn_member_apart(t, g, from + c) * g->factor, (f64)KNN_MEMBER_FAR);
    const i32 number = (i32)(g->leaves * KNN_LEAF) + c;
    const i32 k = (i32)f64_bits(parts + 0x1p52) << KNN_MEMBER_BITS | number;
    key[c] = is_other >> c & 1 ? k : KNN_MEMBER_NONE;
}

/* Puts the members of a leaf into the list. */
static inline void knn_member_visit(const knn_tree *t, knn_member_list *g, i64 leaf) {
    const i64 from = g->q.begin + (leaf << KNN_LEAF_BITS), self = g->q.own - from;
    const i64 count = min(g->q.end - from, (i64)KNN_LEAF);
    const u32 all = ((u32)1 << count) - 1;
    const u32 other = self >= 0 && self < KNN_LEAF ? all & ~((u32)1 << self) : all;
    i32 key[KNN_KEYS];
    knn_member_key(t, g, from, other, 0, key), knn_member_key(t, g, from, other, 1, key);
    knn_member_key(t, g, from, other, 2, key), knn_member_key(t, g, from, other, 3, key);
    knn_member_key(t, g, from, other, 4, key), knn_member_key(t, g, from, other, 5, key);
    knn_member_key(t, g, from, other, 6, key), knn_member_key(t, g, from, other, 7, key);
    knn_member_key(t, g, from, other, 8, key), knn_member_key(t, g, from, other, 9, key);
    knn_member_key(t, g, from, other, 10, key), knn_member_key(t, g, from, other, 11, key);
    knn_member_key(t, g, from, other, 12, key), knn_member_key(t, g, from, other, 13, key);
    knn_member_key(t, g, from, other, 14, key), knn_member_key(t, g, from, other, 15, key);
    knn_few_put(g->key, key);
}

/* Which of the four blocks that hold a leaf on a level may have one for the list. */
static inline u64 knn_member_near(const knn_tree *t, const knn_member_list *g, i64 place,
                                  i32 level) {
    const i64 bits = KNN_LEAF_BITS + KNN_FAN_BITS * level;
    const i64 first = place >> KNN_FAN_BITS * (level + 1) << KNN_FAN_BITS;
    const i64 last = pyramid_count(g->q.end - g->q.begin, bits) - 1 - first;
    const f64 bound = (f64)((g->key[KNN_MEMBER_LAST] >> KNN_MEMBER_BITS) + 1);
    GLOBAL const knn_box *box =
        t->box + t->begin[level] + pyramid_first(g->q.begin, g->q.halo, bits) + first;
    u64 near = 0;
    for (i32 b = 0; b < KNN_FAN; b++) {
        const f64 least = knn_nearest(t, &g->q, box + min((i64)b, last));
        const i32 was_first = level == 0 && first + b >= g->low && first + b < g->high;
        near |= (u64)(b <= last && !was_first && least * g->factor < bound) << b;
    }
    return near;
}

/* Looks at four blocks: those that are leaves are listed, others walked later. Blocks of a
 * level are taken after all below them, so the first of all bits is next; 0 after the last.
 */
static inline i32 knn_member_step(const knn_tree *t, const knn_member_list *g,
                                  knn_member_walk *w, u32 *leaves) {
    i32 level;
    u64 but = 0;
    if (w->left == 0) {
        level = ++w->done;
        w->place = w->own;
        but = (u64)1 << (w->own >> KNN_FAN_BITS * level & (KNN_FAN - 1));
    } else {
        const i32 bit = 63 - (i32)clz(w->left & (0 - w->left));
        level = bit / KNN_FAN;
        w->left &= w->left - 1;
        w->place = ((w->place >> KNN_FAN_BITS * (level + 1) << KNN_FAN_BITS) +
                    (bit & (KNN_FAN - 1)))
                   << KNN_FAN_BITS * level;
        level--;
    }
    u64 near = knn_member_near(t, g, w->place, level) & ~but;
    if (level > 0)
        w->left |= near << KNN_FAN * level;
    const u32 first = (u32)(w->place & ~(i64)(KNN_FAN - 1));
    for (; level == 0 && near; near &= near - 1)
        leaves[w->found++] = first + 63 - (u32)clz(near & (0 - near));
    return w->left != 0 || w->done + 1 < w->top;
}

/* What is far, by k others that lie beside on the curve, and the leaves that these are in;
 * 0 where keys would not tell. */
static inline i32 knn_member_start(const knn_tree *t, knn_member_list *g) {
    const i64 needed = (i64)g->k + 1, begin = g->q.begin, end = g->q.end;
    const i64 from = max(begin, min(g->q.own - (i64)g->k / 2, end - needed));
    const i64 to = min(from + needed, end);
    f64 far = 0;
    for (i64 p = from; p < to; p++)
        far = max(far, knn_member_apart(t, g, p));
    g->factor = KNN_MEMBER_WITHIN / far;
    g->leaves = 0;
    g->low = (from - begin) >> KNN_LEAF_BITS;
    g->high = pyramid_count(to - begin, KNN_LEAF_BITS);
    for (i32 i = 0; i < KNN_FEW; i++)
        g->key[i] = i < KNN_MEMBER_MOST - (i32)g->k ? -1 : KNN_MEMBER_NONE;
    return far > 0x1p-900 && far < 0x1p900;
}

/* All that may be among the first; 0 where they are in too many leaves. Some leaves are
 * found before they are looked at, so that work-items side by side wait less often for one
 * that has far to go. */
static inline i32 knn_member_search(const knn_tree *t, knn_member_list *g, u32 *leaves) {
    knn_member_walk w = {0, 0, (g->q.own - g->q.begin) >> KNN_LEAF_BITS, -1, 0, 0};
    while (pyramid_count(g->q.end - g->q.begin, KNN_LEAF_BITS + KNN_FAN_BITS * w.top) > 1)
        w.top++;
    for (i64 leaf = g->low; leaf < g->high; leaf++)
        leaves[w.found++] = (u32)leaf;
    i32 goes_on = w.top > 0;
    while (g->leaves < w.found) {
        for (; g->leaves < w.found; g->leaves++)
            knn_member_visit(t, g, (i64)leaves[g->leaves]);
        while (goes_on && w.found < g->leaves + KNN_MEMBER_AHEAD)
            goes_on =
                w.found + KNN_FAN <= KNN_MEMBER_LEAVES && knn_member_step(t, g, &w, leaves);
    }
    return w.found + KNN_FAN <= KNN_MEMBER_LEAVES;
}

static inline i64 knn_member_place(const knn_member_list *g, const u32 *leaves, i32 key) {
    const u32 number = (u32)key & ((1 << KNN_MEMBER_BITS) - 1);
    return g->q.begin + ((i64)leaves[number / KNN_LEAF] << KNN_LEAF_BITS) +
           (number & (KNN_LEAF - 1));
}

#endif
