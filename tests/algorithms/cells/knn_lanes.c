/* What f32 says of distances between members, which a search trusts: networks, keys, limits
 * and boxes. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/neighbours/knn_answer.kernel.h"

enum { MEMBERS = 3 * KNN_LEAF, ASKS = KNN_LEAF, K = 20 };

static int by_value(const void *a, const void *b) {
    const i32 x = *(const i32 *)a, y = *(const i32 *)b;
    return (x > y) - (x < y);
}

/* The smallest of all keys so far, in every lane, some of them equal. */
START_TEST(networks) {
    static i32 list[KNN_LIST_MOST * KNN_LANES], more[KNN_KEYS * KNN_LANES];
    static i32 all[KNN_LANES][KNN_LIST_MOST + 20 * KNN_KEYS];
    u64 state = 1;
    for (i32 rows = 32; rows <= KNN_LIST_MOST; rows *= 2) {
        for (i32 i = 0; i < rows * KNN_LANES; i++)
            list[i] = all[i % KNN_LANES][i / KNN_LANES] = KNN_NO_KEY;
        for (i32 seen = rows; seen < rows + 20 * KNN_KEYS; seen += KNN_KEYS) {
            for (i32 i = 0; i < KNN_KEYS * KNN_LANES; i++)
                more[i] = all[i % KNN_LANES][seen + i / KNN_LANES] =
                    (i32)(test_random(&state) % 500);
            knn_keys_put(list, rows, more);
            for (i32 l = 0; l < KNN_LANES; l++) {
                qsort(all[l], (size_t)(seen + KNN_KEYS), sizeof(i32), by_value);
                for (i32 i = 0; i < rows; i++)
                    ck_assert_int_eq(list[i * KNN_LANES + l], all[l][i]);
            }
        }
    }
}
END_TEST

static f64 uniform(u64 *state) {
    return (f64)(test_random(state) >> 11) * 0x1p-53;
}

/* Three leaves, of which the second asks; around its first member lie the others of the
 * first two at nearly the same distance, those of the third wide around. Raw coordinates
 * are up to two periods apart. */
typedef struct scene {
    f64 x[MEMBERS + KNN_LEAF], y[MEMBERS + KNN_LEAF], z[MEMBERS + KNN_LEAF];
    u32 order[MEMBERS], wraps;
    i64 offset[2];
    knn_tree tree;
    knn_lanes lanes;
} scene;

static void place(scene *s, u64 *state, f64 size, f64 period, i32 wraps) {
    f64 *const axes[] = {s->x, s->y, s->z};
    f64 middle[3];
    for (i32 a = 0; a < 3; a++)
        middle[a] = wraps ? (test_random(state) % 2 ? period * uniform(state) : 0)
                          : size * 1000 * uniform(state);
    for (i64 m = 0; m < MEMBERS; m++) {
        f64 way[3], length = 0;
        for (i32 a = 0; a < 3; a++) {
            way[a] = uniform(state) - 0.5;
            length += way[a] * way[a];
        }
        const f64 near = (1 + 0x1p-21 * uniform(state)) / sqrt(length);
        const f64 far = m == ASKS ? 0 : m < 2 * KNN_LEAF ? near : 5;
        for (i32 a = 0; a < 3; a++) {
            f64 at = middle[a] + size * far * way[a];
            if (wraps) {
                at = fmod(at, period);
                at += at < 0 ? period : 0;
                at += period * (f64)(test_random(state) % 2);
            }
            axes[a][m] = at;
        }
        s->order[m] = (u32)m;
    }
    for (i64 m = MEMBERS; m < MEMBERS + KNN_LEAF; m++)
        for (i32 a = 0; a < 3; a++)
            axes[a][m] = axes[a][m - 1];
}

/* Lists of the members that ask; 0 where there is no frame. */
static i32 start(scene *s, f64 period, i32 wraps) {
    knn_lanes *g = &s->lanes;
    const f64 along = period > 0 ? period : INFINITY;
    s->wraps = (u32)wraps;
    s->offset[0] = 0;
    s->offset[1] = MEMBERS;
    s->tree = (knn_tree){.period = {{period, period, period}},
                         .offset = s->offset,
                         .wraps = &s->wraps,
                         .order = s->order,
                         .x = s->x,
                         .y = s->y,
                         .z = s->z};
    *g = (knn_lanes){.begin = 0,
                     .end = MEMBERS,
                     .first = ASKS,
                     .asking = KNN_LANES,
                     .wraps = wraps,
                     .period = {along, along, along},
                     .k = K,
                     .rows = 64};
    return knn_group_start(&s->tree, g);
}

/* Keys that differ by more than they are off by tell an order, and no limit leaves out one
 * of the k nearest. */
static void check_keys(const scene *s) {
    const knn_lanes *g = &s->lanes;
    for (u32 l = 0; l < KNN_LANES; l++) {
        const knn_query q = knn_query_of(&s->tree, g->halo, g->first + l);
        f64 d2[MEMBERS];
        for (i64 m = 0; m < MEMBERS; m++)
            d2[m] = knn_apart(&s->tree, &q, m);
        for (u32 i = 0; i + 1 < MEMBERS; i++)
            for (u32 j = 0; j + 1 < MEMBERS; j++) {
                const i32 a = g->list[i * KNN_LANES + l], b = g->list[j * KNN_LANES + l];
                if ((b >> KNN_NUMBER_BITS) - (a >> KNN_NUMBER_BITS) > g->off[l])
                    ck_assert_msg(d2[knn_answer_place(g, l, i)] <
                                      d2[knn_answer_place(g, l, j)],
                                  "lane %u: keys %d and %d", l, a, b);
            }
        for (i64 m = 0; m < MEMBERS; m++) {
            i32 nearer = 0;
            for (i64 other = 0; other < MEMBERS; other++)
                nearer += d2[other] < d2[m];
            const f32 x = (f32)(g->scale *
                                points_remainder(s->x[m] - g->center[0], g->period[0])),
                      y = (f32)(g->scale *
                                points_remainder(s->y[m] - g->center[1], g->period[1])),
                      z = (f32)(g->scale *
                                points_remainder(s->z[m] - g->center[2], g->period[2]));
            ck_assert_msg(nearer > K ||
                              knn_lanes_square(g, (index_t)l, x, y, z) <= g->limit[l],
                          "lane %u: %lld is number %d, and not within the limit", l,
                          (long long)m, nearer);
        }
    }
}

/* A box is no farther from a lane than what is in it, of what is near. */
static void check_boxes(const scene *s, u64 *state) {
    const knn_lanes *g = &s->lanes;
    GLOBAL const f64 *const axes[] = {s->x, s->y, s->z};
    const f64 period = g->period[0], unit = 1 / g->scale;
    for (i32 round = 0; round < 200; round++) {
        const i32 axis = round % 3;
        knn_box box = {{0}, {0}, 0};
        f64 width = g->wraps ? period * uniform(state) : 100 * unit * uniform(state);
        width *= round % 2 ? 1 : uniform(state) * uniform(state);
        const f64 in = g->center[axis] + unit * 8 * (uniform(state) - 0.5);
        box.low[axis] = in - width * uniform(state);
        box.high[axis] = box.low[axis] + width;
        const f64 image = g->wraps ? period * (f64)(round / 3 % 3 - 1) : 0;
        box.low[axis] += image;
        box.high[axis] += image;
        f32 low, high;
        knn_group_ends(g, &box, axis, &low, &high);
        for (u32 l = 0; l < KNN_LANES; l++) {
            const f32 at = axis == 0 ? g->x[l] : axis == 1 ? g->y[l] : g->z[l];
            const f32 gap = max(max(low - at, at - high), 0.0f);
            const f64 d = in - axes[axis][g->first + l];
            const f64 way = fabs(g->wraps ? points_remainder(d, period) : d) * g->scale;
            ck_assert_msg(way > 4.6 || in + image < box.low[axis] ||
                              in + image > box.high[axis] || (f64)gap <= way + 4e-6,
                          "lane %u: a gap of %g and a way of %g", l, (f64)gap, way);
        }
    }
}

START_TEST(squares) {
    u64 state = 7;
    int framed[2] = {0};
    scene *s = malloc(sizeof *s);
    for (int round = 0; round < 3000; round++) {
        const i32 wraps = round & 1;
        const f64 size = ldexp(1 + uniform(&state), (int)(test_random(&state) % 200) - 100);
        const f64 period =
            wraps ? size * ldexp(1 + uniform(&state), (int)(test_random(&state) % 44))
                  : INFINITY;
        place(s, &state, size, period, wraps);
        if (!start(s, wraps ? period : 0, wraps))
            continue;
        framed[wraps]++;
        check_keys(s);
        check_boxes(s, &state);
    }
    ck_assert_int_eq(framed[0], 1500);
    ck_assert_int_gt(framed[1], 500);
    free(s);
}
END_TEST

/* Nothing is said of what f32 cannot hold, or what has no size. */
START_TEST(no_frame) {
    const f64 sizes[] = {0, 0x1p-402, 0x1p401, 0x1p1000};
    u64 state = 3;
    scene *s = malloc(sizeof *s);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        place(s, &state, sizes[k], INFINITY, 0);
        ck_assert_int_eq(start(s, 0, 0), 0);
    }
    free(s);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {networks, squares, no_frame};
    return test_main(argc, argv, "knn_lanes", tests, sizeof tests / sizeof *tests);
}
