/* Whether any particle of one set is a friend of any of another. */
#ifndef WEFT_LINKED_KERNEL_H
#define WEFT_LINKED_KERNEL_H

#include "algorithms/cells/friends.kernel.h"

/* From some particle, in linking lengths. */
typedef struct linked_vector {
    f32 x, y, z;
} linked_vector;

typedef struct linked_box {
    linked_vector low, high;
} linked_box;

static inline linked_vector linked_from(const friends_rule *rule, grid_point origin,
                                        grid_point p) {
    linked_vector v;
    v.x = (f32)(i32)(p.x - origin.x) * rule->unit[0];
    v.y = (f32)(i32)(p.y - origin.y) * rule->unit[1];
    v.z = (f32)(i32)(p.z - origin.z) * rule->unit[2];
    return v;
}

static inline f32 linked_dot(linked_vector a, linked_vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline linked_vector linked_minus(linked_vector a, linked_vector b) {
    a.x -= b.x;
    a.y -= b.y;
    a.z -= b.z;
    return a;
}

static inline linked_box linked_at(linked_vector v) {
    linked_box box;
    box.low = box.high = v;
    return box;
}

static inline linked_box linked_enclose(linked_box a, linked_vector v) {
    a.low.x = min(a.low.x, v.x), a.high.x = max(a.high.x, v.x);
    a.low.y = min(a.low.y, v.y), a.high.y = max(a.high.y, v.y);
    a.low.z = min(a.low.z, v.z), a.high.z = max(a.high.z, v.z);
    return a;
}

/* Whether a box is so far away that nothing in it is a friend of anything at v. A gap is
 * off by no more than twice what a distance is, which the filter has room for. */
static inline i32 linked_parted(const friends_rule *rule, linked_box a, linked_vector v) {
    const f32 x = max(max(a.low.x - v.x, v.x - a.high.x), 0.0f);
    const f32 y = max(max(a.low.y - v.y, v.y - a.high.y), 0.0f);
    const f32 z = max(max(a.low.z - v.z, v.z - a.high.z), 0.0f);
    return x * x + y * y + z * z > 2 * rule->far - 1;
}

/* As friends_exactly, by itself, so that what is ready for it takes no registers of the
 * loops that may ask. (On a GPU it is a part of them: else each work-item would copy the
 * view to memory of its own, where a function can find it, before any asks.) */
static SELDOM i32 linked_exactly(const friends_view *f, u32 i, u32 j) {
    return friends_exactly(f, (index_t)i, (index_t)j);
}

/* Whether any particle of [a, a_end) is a friend of any of [b, b_end). Where `left` is not
 * NULL, what only f64 or more than a look at each pair can tell is set there and taken for
 * no: where many work-items run, the registers that these need would keep others from
 * running. */
static inline i32 linked_few(const friends_view *f, const grid_view *cells, u32 a,
                             u32 a_end, u32 b, u32 b_end, i32 *left) {
    GLOBAL const grid_point *point = cells->point;
    for (u32 i = a_end; i-- > a;) {
        const grid_point p = point[i];
        for (u32 j = b; j < b_end; j++) {
            const f32 d2 = friends_apart(&f->rule, p, point[j]);
            if (!(d2 <= f->rule.far))
                continue;
            if (d2 <= f->rule.near)
                return 1;
            if (left)
                *left = 1;
            else if (linked_exactly(f, p.index, point[j].index))
                return 1;
        }
    }
    return 0;
}

/* Particles whose places along v differ by more than this are no friends: this has room for
 * some 6 roundings of 2^-24 of either place. */
static inline f32 linked_reach(const friends_rule *rule, linked_vector v) {
    return (4 * rule->far - 3) * sqrt(linked_dot(v, v));
}

/* Of [begin, end) the particle that lies furthest along v, or back (sign -1). */
static inline linked_vector linked_furthest(const friends_rule *rule, grid_point origin,
                                            u32 begin, u32 end, f32 sign, linked_vector v,
                                            GLOBAL const grid_point *point) {
    linked_vector best = linked_from(rule, origin, point[begin]);
    f32 most = sign * linked_dot(v, best);
    for (u32 i = begin + 1; i < end; i++) {
        const linked_vector p = linked_from(rule, origin, point[i]);
        const f32 along = sign * linked_dot(v, p);
        if (along > most) {
            most = along;
            best = p;
        }
    }
    return best;
}

/* From the convex hull of [a, a_end) to that of [b, b_end) the shortest way, or one that
 * tells already whether they are further apart than a length. Each round adds the
 * difference of two particles that goes least along the way so far (Gilbert 1966), and
 * weighs those that there are anew (Mitchell, Dem'yanov and Malozemov 1974). */
enum { LINKED_ROUNDS = 8, LINKED_STEPS = 32 };
static inline linked_vector linked_across(const friends_rule *rule, grid_point origin,
                                          u32 a, u32 a_end, u32 b, u32 b_end,
                                          GLOBAL const grid_point *point) {
    linked_vector way[LINKED_ROUNDS];
    f32 weight[LINKED_ROUNDS];
    linked_vector v = linked_minus(linked_from(rule, origin, point[b]),
                                   linked_from(rule, origin, point[a]));
    way[0] = v;
    weight[0] = 1;
    for (i32 n = 1; n < LINKED_ROUNDS && linked_dot(v, v) > 1; n++) {
        way[n] = linked_minus(linked_furthest(rule, origin, b, b_end, -1, v, point),
                              linked_furthest(rule, origin, a, a_end, 1, v, point));
        weight[n] = 0;
        if (linked_dot(v, way[n]) > linked_reach(rule, v))
            break;
        for (i32 step = 0; step < LINKED_STEPS; step++) {
            i32 to = 0, from = -1;
            for (i32 k = 0; k <= n; k++) {
                to = linked_dot(v, way[k]) < linked_dot(v, way[to]) ? k : to;
                if (weight[k] > 0 &&
                    (from < 0 || linked_dot(v, way[k]) > linked_dot(v, way[from])))
                    from = k;
            }
            const linked_vector d = linked_minus(way[from], way[to]);
            const f32 less = linked_dot(v, d);
            if (!(less > 0))
                break;
            const f32 t = min(less / linked_dot(d, d), weight[from]);
            v.x -= t * d.x;
            v.y -= t * d.y;
            v.z -= t * d.z;
            weight[to] += t;
            weight[from] -= t;
        }
    }
    return v;
}

/* The same as linked_few for many: of blocks of [a, a_end) only those count that lie within
 * reach of the box around [b, b_end), and along the way across of the nearest of these;
 * only what lies within reach of those is tried. */
enum { LINKED_BLOCK = 32 };
static inline i32 linked_many(const friends_view *f, const grid_view *cells, u32 a,
                              u32 a_end, u32 b, u32 b_end) {
    const friends_rule *rule = &f->rule;
    GLOBAL const grid_point *point = cells->point;
    if (linked_few(f, cells, a, a + LINKED_BLOCK, b, b + LINKED_BLOCK, NULL))
        return 1;
    const grid_point origin = point[b];
    const linked_vector v = linked_across(rule, origin, a, a_end, b, b_end, point);
    const f32 reach = linked_reach(rule, v);
    linked_vector p = linked_from(rule, origin, origin);
    linked_box all = linked_at(p);
    f32 least = linked_dot(v, p);
    for (u32 j = b + 1; j < b_end; j++) {
        p = linked_from(rule, origin, point[j]);
        all = linked_enclose(all, p);
        least = min(least, linked_dot(v, p));
    }
    for (u32 first = a; first < a_end; first += LINKED_BLOCK) {
        const u32 last = a_end - first < LINKED_BLOCK ? a_end : first + LINKED_BLOCK;
        linked_box some = all;
        f32 most = 0;
        i32 any = 0;
        for (u32 i = first; i < last; i++) {
            p = linked_from(rule, origin, point[i]);
            const f32 along = linked_dot(v, p);
            if (!(least - along > reach) && !linked_parted(rule, all, p)) {
                some = any ? linked_enclose(some, p) : linked_at(p);
                most = any ? max(most, along) : along;
                any = 1;
            }
        }
        for (u32 j = b; any && j < b_end; j++) {
            p = linked_from(rule, origin, point[j]);
            if (!(linked_dot(v, p) - most > reach) && !linked_parted(rule, some, p) &&
                linked_few(f, cells, first, last, j, j + 1, NULL))
                return 1;
        }
    }
    return 0;
}

static inline i32 linked_sets(const friends_view *f, const grid_view *cells, u32 a,
                              u32 a_end, u32 b, u32 b_end, i32 *left) {
    const i32 many = a_end - a > 4 * LINKED_BLOCK && b_end - b > 4 * LINKED_BLOCK;
    if (!many)
        return linked_few(f, cells, a, a_end, b, b_end, left);
    if (!left)
        return linked_many(f, cells, a, a_end, b, b_end);
    *left = 1;
    return 0;
}

#endif
