/* Whether any particle of one set is a friend of any of another. */
#ifndef WEFT_TOUCH_KERNEL_H
#define WEFT_TOUCH_KERNEL_H

#include "algorithms/cells/friends.kernel.h"

/* From some particle, in linking lengths. */
typedef struct touch_vector {
    f32 x, y, z;
} touch_vector;

typedef struct touch_box {
    touch_vector low, high;
} touch_box;

static inline touch_vector touch_from(const friends_rule *rule, grid_point origin,
                                      grid_point p) {
    touch_vector v;
    v.x = (f32)(i32)(p.x - origin.x) * rule->unit[0];
    v.y = (f32)(i32)(p.y - origin.y) * rule->unit[1];
    v.z = (f32)(i32)(p.z - origin.z) * rule->unit[2];
    return v;
}

static inline f32 touch_dot(touch_vector a, touch_vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline touch_vector touch_minus(touch_vector a, touch_vector b) {
    a.x -= b.x;
    a.y -= b.y;
    a.z -= b.z;
    return a;
}

static inline touch_box touch_at(touch_vector v) {
    touch_box box;
    box.low = box.high = v;
    return box;
}

static inline touch_box touch_enclose(touch_box a, touch_vector v) {
    a.low.x = min(a.low.x, v.x), a.high.x = max(a.high.x, v.x);
    a.low.y = min(a.low.y, v.y), a.high.y = max(a.high.y, v.y);
    a.low.z = min(a.low.z, v.z), a.high.z = max(a.high.z, v.z);
    return a;
}

/* Whether a box is so far away that nothing in it is a friend of anything at v. A gap is
 * off by no more than twice what a distance is, which the filter has room for. */
static inline i32 touch_parted(const friends_rule *rule, touch_box a, touch_vector v) {
    const f32 x = max(max(a.low.x - v.x, v.x - a.high.x), 0.0f);
    const f32 y = max(max(a.low.y - v.y, v.y - a.high.y), 0.0f);
    const f32 z = max(max(a.low.z - v.z, v.z - a.high.z), 0.0f);
    return x * x + y * y + z * z > 2 * rule->far - 1;
}

/* Whether any particle of [a, a_end) is a friend of any of [b, b_end). Where `left` is not
 * NULL, what only f64 or more than a look at each pair can tell is set there and taken for
 * no: where many work-items run, the registers that these need would keep others from
 * running. */
static inline i32 touch_few(const friends_rule *rule, u32 a, u32 a_end, u32 b, u32 b_end,
                            GLOBAL const grid_point *point, GLOBAL const u32 *x,
                            GLOBAL const u32 *y, GLOBAL const u32 *z, i32 *left) {
    for (u32 i = a; i < a_end; i++) {
        const grid_point p = point[i];
        for (u32 j = b; j < b_end; j++) {
            const f32 d2 = friends_apart(rule, p, point[j]);
            if (d2 <= rule->near)
                return 1;
            if (d2 <= rule->far) {
                if (left)
                    *left = 1;
                else if (friends_exactly(rule, p.index, point[j].index, x, y, z))
                    return 1;
            }
        }
    }
    return 0;
}

/* Particles whose places along v differ by more than this are no friends: this has room for
 * some 6 roundings of 2^-24 of either place. */
static inline f32 touch_reach(const friends_rule *rule, touch_vector v) {
    return (4 * rule->far - 3) * sqrt(touch_dot(v, v));
}

/* Of [begin, end) the particle that lies furthest along v, or back (sign -1). */
static inline touch_vector touch_furthest(const friends_rule *rule, grid_point origin,
                                          u32 begin, u32 end, f32 sign, touch_vector v,
                                          GLOBAL const grid_point *point) {
    touch_vector best = touch_from(rule, origin, point[begin]);
    f32 most = sign * touch_dot(v, best);
    for (u32 i = begin + 1; i < end; i++) {
        const touch_vector p = touch_from(rule, origin, point[i]);
        const f32 along = sign * touch_dot(v, p);
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
enum { TOUCH_ROUNDS = 8, TOUCH_STEPS = 32 };
static inline touch_vector touch_across(const friends_rule *rule, grid_point origin, u32 a,
                                        u32 a_end, u32 b, u32 b_end,
                                        GLOBAL const grid_point *point) {
    touch_vector way[TOUCH_ROUNDS];
    f32 weight[TOUCH_ROUNDS];
    touch_vector v =
        touch_minus(touch_from(rule, origin, point[b]), touch_from(rule, origin, point[a]));
    way[0] = v;
    weight[0] = 1;
    for (i32 n = 1; n < TOUCH_ROUNDS && touch_dot(v, v) > 1; n++) {
        way[n] = touch_minus(touch_furthest(rule, origin, b, b_end, -1, v, point),
                             touch_furthest(rule, origin, a, a_end, 1, v, point));
        weight[n] = 0;
        if (touch_dot(v, way[n]) > touch_reach(rule, v))
            break;
        for (i32 step = 0; step < TOUCH_STEPS; step++) {
            i32 to = 0, from = -1;
            for (i32 k = 0; k <= n; k++) {
                to = touch_dot(v, way[k]) < touch_dot(v, way[to]) ? k : to;
                if (weight[k] > 0 &&
                    (from < 0 || touch_dot(v, way[k]) > touch_dot(v, way[from])))
                    from = k;
            }
            const touch_vector d = touch_minus(way[from], way[to]);
            const f32 less = touch_dot(v, d);
            if (!(less > 0))
                break;
            const f32 t = min(less / touch_dot(d, d), weight[from]);
            v.x -= t * d.x;
            v.y -= t * d.y;
            v.z -= t * d.z;
            weight[to] += t;
            weight[from] -= t;
        }
    }
    return v;
}

/* The same as touch_few for many: of blocks of [a, a_end) only those count that lie within
 * reach of the box around [b, b_end), and along the way across of the nearest of these;
 * only what lies within reach of those is tried. */
enum { TOUCH_BLOCK = 32 };
static inline i32 touch_many(const friends_rule *rule, u32 a, u32 a_end, u32 b, u32 b_end,
                             GLOBAL const grid_point *point, GLOBAL const u32 *x,
                             GLOBAL const u32 *y, GLOBAL const u32 *z) {
    if (touch_few(rule, a, a + TOUCH_BLOCK, b, b + TOUCH_BLOCK, point, x, y, z, NULL))
        return 1;
    const grid_point origin = point[b];
    const touch_vector v = touch_across(rule, origin, a, a_end, b, b_end, point);
    const f32 reach = touch_reach(rule, v);
    touch_vector p = touch_from(rule, origin, origin);
    touch_box all = touch_at(p);
    f32 least = touch_dot(v, p);
    for (u32 j = b + 1; j < b_end; j++) {
        p = touch_from(rule, origin, point[j]);
        all = touch_enclose(all, p);
        least = min(least, touch_dot(v, p));
    }
    for (u32 first = a; first < a_end; first += TOUCH_BLOCK) {
        const u32 last = a_end - first < TOUCH_BLOCK ? a_end : first + TOUCH_BLOCK;
        touch_box some = all;
        f32 most = 0;
        i32 any = 0;
        for (u32 i = first; i < last; i++) {
            p = touch_from(rule, origin, point[i]);
            const f32 along = touch_dot(v, p);
            if (!(least - along > reach) && !touch_parted(rule, all, p)) {
                some = any ? touch_enclose(some, p) : touch_at(p);
                most = any ? max(most, along) : along;
                any = 1;
            }
        }
        for (u32 j = b; any && j < b_end; j++) {
            p = touch_from(rule, origin, point[j]);
            if (!(touch_dot(v, p) - most > reach) && !touch_parted(rule, some, p) &&
                touch_few(rule, first, last, j, j + 1, point, x, y, z, NULL))
                return 1;
        }
    }
    return 0;
}

static inline i32 touch_sets(const friends_rule *rule, u32 a, u32 a_end, u32 b, u32 b_end,
                             GLOBAL const grid_point *point, GLOBAL const u32 *x,
                             GLOBAL const u32 *y, GLOBAL const u32 *z, i32 *left) {
    const i32 many = a_end - a > 4 * TOUCH_BLOCK && b_end - b > 4 * TOUCH_BLOCK;
    if (!many)
        return touch_few(rule, a, a_end, b, b_end, point, x, y, z, left);
    if (!left)
        return touch_many(rule, a, a_end, b, b_end, point, x, y, z);
    *left = 1;
    return 0;
}

#endif
