/* The k nearest of the members of a leaf together, for processors with vectors: the leaves
 * beside theirs, then all others that one of them needs. */
#ifndef WEFT_KNN_GROUP_KERNEL_H
#define WEFT_KNN_GROUP_KERNEL_H

#include "knn_lanes.kernel.h"

enum { KNN_LEVELS = 32 };

/* Who is looked at first: the leaves beside on the curve, in which are more than k of the
 * next members, if the halo has as many. */
static inline void knn_group_beside(knn_lanes *g) {
    const i64 own = (g->first - g->begin) >> KNN_LEAF_BITS;
    const i64 beside = (i64)g->k / KNN_LEAF + 1, needed = (i64)g->k + 1;
    g->low = max(own - beside, (i64)0);
    g->high = min(own + beside + 1, pyramid_count(g->end - g->begin, KNN_LEAF_BITS));
    g->from = max(g->begin, min(g->first, g->end - needed));
    g->to = min(max(g->from + needed, g->first + (i64)g->asking), g->end);
}

/* Lists of these; 0 where there is no frame for them. */
static inline i32 knn_group_start(const knn_tree *t, knn_lanes *g) {
    f32 x[KNN_BESIDE_MOST * KNN_LEAF], y[KNN_BESIDE_MOST * KNN_LEAF],
        z[KNN_BESIDE_MOST * KNN_LEAF];
    knn_group_beside(g);
    if (!knn_lanes_frame(t, g))
        return 0;
    const i64 from = g->begin + (g->low << KNN_LEAF_BITS);
    const index_t own = (index_t)(g->first - from), first = (index_t)(g->from - from);
    const index_t end = (index_t)((g->high - g->low) << KNN_LEAF_BITS);
    for (index_t c = 0; c < end; c += KNN_LEAF)
        knn_lanes_columns(t, g, from + c, x + c, y + c, z + c);
    for (index_t l = 0; l < KNN_LANES; l++) {
        const index_t c = own + min(l, (index_t)g->asking - 1);
        g->x[l] = x[c];
        g->y[l] = y[c];
        g->z[l] = z[c];
    }
    knn_lanes_parts(g, x + first, y + first, z + first, (index_t)(g->to - g->from));
    for (i32 i = 0; i < g->rows * KNN_LANES; i++)
        g->list[i] = KNN_NO_KEY;
    g->numbers = g->waiting = 0;
    for (index_t c = 0; c < end; c += KNN_LEAF) {
        for (index_t l = 0; l < KNN_LEAF; l++)
            g->place[c + l] = (u32)(from + c + l);
        const i32 is_own = c <= own && own < c + KNN_LEAF;
        knn_lanes_put(g, x + c, y + c, z + c, is_own ? (i64)(own - c) : -1);
    }
    return 1;
}

/* The ends of a box on an axis, all that there is where it may be beside both ends of a
 * period. */
static inline void knn_group_ends(const knn_lanes *g, GLOBAL const knn_box *box, i32 axis,
                                  f32 *low, f32 *high) {
    f64 from = box->low[axis] - g->center[axis], to = box->high[axis] - g->center[axis];
    if (g->wraps) {
        const f64 reach = 0.5 * to - 0.5 * from, period = g->period[axis];
        const f64 middle = points_remainder_near(0.5 * to + 0.5 * from, period);
        const i32 is_whole = !(fabs(middle) + reach < 0.5 * period);
        from = is_whole ? -0x1p500 : middle - reach;
        to = is_whole ? 0x1p500 : middle + reach;
    }
    *low = (f32)max(from * g->scale, -0x1p40);
    *high = (f32)min(to * g->scale, 0x1p40);
}

/* Which of some boxes have a candidate for one who asks, a bit each. Rounding is monotonic:
 * a box is no farther than what is in it. */
static inline u32 knn_group_near(const knn_lanes *g, GLOBAL const knn_box *box, i64 count) {
    u32 near[KNN_LANES], any = 0;
    for (index_t l = 0; l < KNN_LANES; l++)
        near[l] = 0;
    for (i64 b = 0; b < count; b++) {
        f32 x0, x1, y0, y1, z0, z1;
        knn_group_ends(g, box + b, 0, &x0, &x1);
        knn_group_ends(g, box + b, 1, &y0, &y1);
        knn_group_ends(g, box + b, 2, &z0, &z1);
        for (index_t l = 0; l < KNN_LANES; l++) {
            const f32 x = g->x[l], y = g->y[l], z = g->z[l];
            const f32 dx = max(x0 - x, x - x1), dy = max(y0 - y, y - y1),
                      dz = max(z0 - z, z - z1);
            /* Twice what is above 0, without a comparison. */
            const f32 ax = dx + fabs(dx), ay = dy + fabs(dy), az = dz + fabs(dz);
            const u32 is_near = 0.25f * ((ax * ax + ay * ay) + az * az) <= g->limit[l];
            near[l] |= is_near << b;
        }
    }
    for (index_t l = 0; l < KNN_LANES; l++)
        any |= near[l];
    return any;
}

/* Puts as many of those who wait as fit, and these alone, into the lists. The others are
 * far on all axes: of NaN, which may be in memory, no backend need make the same key. */
static inline void knn_group_take(knn_lanes *g) {
    const u32 left = g->waiting - min(g->waiting, (u32)KNN_KEYS);
    for (u32 c = g->waiting; c < KNN_KEYS; c++)
        g->next_x[c] = g->next_y[c] = g->next_z[c] = 0x1p40f;
    knn_lanes_put(g, g->next_x, g->next_y, g->next_z, -1);
    for (index_t c = 0; c < KNN_KEYS; c++) {
        g->next_x[c] = g->next_x[KNN_KEYS + c];
        g->next_y[c] = g->next_y[KNN_KEYS + c];
        g->next_z[c] = g->next_z[KNN_KEYS + c];
    }
    g->waiting = left;
}

/* The members of a leaf who are candidates for one who asks; 0 where there are too many. */
static inline i32 knn_group_visit(const knn_tree *t, knn_lanes *g, i64 leaf) {
    const i64 from = g->begin + (leaf << KNN_LEAF_BITS);
    f32 x[KNN_LEAF], y[KNN_LEAF], z[KNN_LEAF];
    u32 near[KNN_LEAF], which[KNN_LEAF], count = 0;
    knn_lanes_columns(t, g, from, x, y, z);
    for (index_t c = 0; c < KNN_LEAF; c++)
        near[c] = 0;
    for (index_t l = 0; l < KNN_LANES; l++)
        for (index_t c = 0; c < KNN_LEAF; c++)
            near[c] |= knn_lanes_square(g, l, x[c], y[c], z[c]) <= g->limit[l];
    for (u32 c = 0; c < KNN_LEAF; c++) {
        which[count] = c;
        count += near[c];
    }
    for (u32 i = 0; i < count; i++) {
        const u32 c = which[i], at = g->waiting + i;
        g->next_x[at] = x[c];
        g->next_y[at] = y[c];
        g->next_z[at] = z[c];
        g->place[g->numbers + at] = (u32)from + c;
    }
    g->waiting += count;
    if (g->waiting < KNN_KEYS)
        return 1;
    if (g->numbers + 2 * KNN_KEYS > KNN_NUMBERS)
        return 0;
    knn_group_take(g);
    return 1;
}

/* All candidates of the halo; 0 where there are too many. Of each level the children of one
 * box are tested together, and those that are left are a bit each. */
static inline i32 knn_group_walk(const knn_tree *t, knn_lanes *g) {
    const i64 members = g->end - g->begin;
    i64 begin[KNN_LEVELS];
    u32 left[KNN_LEVELS];
    i32 level = 0;
    while (pyramid_count(members, KNN_LEAF_BITS + KNN_FAN_BITS * level) > 1)
        level++;
    const i32 top = level;
    begin[top] = 0;
    left[top] = top > 0;
    for (;;) {
        if (left[level] == 0) {
            if (level == top)
                return 1;
            level++;
            continue;
        }
        const i64 block = begin[level] + 31 - (i64)clz(left[level] & (0 - left[level]));
        left[level] &= left[level] - 1;
        if (level == 0) {
            if (!knn_group_visit(t, g, block))
                return 0;
            continue;
        }
        const i64 bits = KNN_LEAF_BITS + KNN_FAN_BITS * --level;
        const i64 child = block << KNN_FAN_BITS;
        GLOBAL const knn_box *box =
            t->box + t->begin[level] + pyramid_first(g->begin, g->halo, bits) + child;
        begin[level] = child;
        left[level] =
            knn_group_near(g, box, min((i64)KNN_FAN, pyramid_count(members, bits) - child));
        for (i64 b = max(g->low, child); level == 0 && b < min(g->high, child + KNN_FAN);
             b++)
            left[0] &= ~((u32)1 << (b - child));
    }
}

#endif
