/* The nearest of some points, by looking at all pairs. */
#include "definitions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points of which some are targets, with ids of which some are the same. */
typedef struct scene {
    cloud cloud;
    u32 *target;
    i64 *id; /* NULL: the index */
} scene;

static scene scene_of(cloud c, u64 one_in, int with_ids, u64 seed) {
    scene s = {c, malloc((size_t)(c.count + 1) * sizeof(u32)),
               with_ids ? malloc((size_t)(c.count + 1) * sizeof(i64)) : NULL};
    for (i64 i = 0; i < c.count; i++) {
        s.target[i] = test_random(&seed) % one_in == 0 ? (u32)(1 + i % 3) : 0;
        if (s.id)
            s.id[i] = (i64)(test_random(&seed) % 50) - 10;
    }
    return s;
}

static void scene_free(scene *s) {
    cloud_free(&s->cloud);
    free(s->target);
    free(s->id);
}

static u32 define_nearest(const scene *s, i64 i, f64 length, const f64 box[3]) {
    const volatile f64 length2 = length * length;
    f64 least = length2;
    i64 best = -1;
    if (s->target[i])
        return (u32)i;
    for (i64 j = 0; j < s->cloud.count; j++) {
        const f64 d2 = s->target[j] ? define_squared(&s->cloud, i, j, box) : INFINITY;
        if (d2 < least ||
            (d2 <= least && (best < 0 || (s->id && s->id[j] < s->id[best])))) {
            least = d2;
            best = j;
        }
    }
    return best < 0 ? UINT32_MAX : (u32)best;
}

static void run(const scene *s, weft_nearest_options o, u32 *nearest) {
    const cloud *c = &s->cloud;
    const i64 n = c->count;
    f32 *narrow = malloc((size_t)(3 * n + 1) * sizeof *narrow);
    for (i64 k = 0; k < 3 * n; k++)
        narrow[k] = (f32)c->at[k];
    const weft_array at = test_array(c->wide ? WEFT_F64 : WEFT_F32,
                                     c->wide ? (void *)c->at : narrow, 3 * n),
                     target = test_array(WEFT_U32, s->target, n),
                     out = weft_array_new(device, WEFT_U32, n);
    const weft_points points = weft_points_interleaved(device, at);
    if (s->id)
        o.id = test_array(WEFT_I64, s->id, n);
    weft_nearest(device, &points, &o, target, out);
    weft_read(device, out, nearest);
    weft_array_free(device, at);
    weft_array_free(device, target);
    weft_array_free(device, out);
    if (s->id)
        weft_array_free(device, o.id);
    free(narrow);
}

static void compare(const scene *s, f64 length, f64 x, f64 y, f64 z) {
    const i64 n = s->cloud.count;
    const weft_nearest_options o = {.length = length, .box = {x, y, z}};
    u32 *got = malloc((size_t)(n + 1) * sizeof *got);
    run(s, o, got);
    test_ok();
    for (i64 i = 0; i < n; i++) {
        const u32 expected = define_nearest(s, i, length, o.box);
        ck_assert_msg(
            got[i] == expected,
            "point %lld of %lld: %u, not %u (length %.17g, box %g %g %g, wide %d)",
            (long long)i, (long long)n, got[i], expected, length, x, y, z, s->cloud.wide);
    }
    free(got);
}

START_TEST(clumps) {
    const f64 lengths[] = {0, 0.003, 0.02, 0.07, 0.26, 0.6, 2};
    for (int wide = 0; wide <= 1; wide++)
        for (int periodic = 0; periodic < 8; periodic += wide ? 3 : 7)
            for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
                scene s = scene_of(cloud_clumps(150 + 31 * (i64)k, wide, k + 1), 1 + k % 4,
                                   k % 2, k);
                compare(&s, lengths[k], periodic & 1, periodic >> 1 & 1, periodic >> 2);
                scene_free(&s);
            }
}
END_TEST

START_TEST(all_sizes) {
    const i64 sizes[] = {0, 1, 2, 3, 63, 64, 65, 1025};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        scene s = scene_of(cloud_clumps(sizes[k], 0, k), 2, 1, k);
        compare(&s, 0.05, 1, 1, 1);
        scene_free(&s);
    }
}
END_TEST

/* Many targets at the same distance: the smallest id, and of those the first. */
START_TEST(ties) {
    for (int ids = 0; ids < 2; ids++)
        for (int periodic = 0; periodic < 2; periodic++) {
            cloud c = cloud_new(500, periodic);
            for (int i = 0; i < 500; i++) {
                const int k = i < 343 ? i : i * 31 % 343;
                cloud_set(&c, i, 0.25 * (k % 7), 0.25 * (k / 7 % 7), 0.25 * (k / 49));
            }
            scene s = scene_of(c, 3, ids, 5);
            const f64 box = periodic ? 1.75 : 0;
            compare(&s, 0.25, box, box, box);
            compare(&s, nextafter(0.25, 0), box, box, box);
            compare(&s, 0.25 * sqrt(2), box, box, box);
            scene_free(&s);
        }
}
END_TEST

/* So many in a cell that shorter lengths come first; far from all there is one more. */
START_TEST(crowds) {
    for (int box = 0; box <= 1; box++) {
        cloud c = cloud_new(2500, 1);
        u64 seed = 3;
        for (i64 i = 0; i < c.count; i++) {
            f64 at[3];
            const f64 scale = pow(10, -(f64)(i % 7));
            for (int k = 0; k < 3; k++)
                at[k] = 0.4 + 0.3 * scale * (f64)(test_random(&seed) >> 11) * 0x1p-53;
            cloud_set(&c, i, at[0], at[1], at[2]);
        }
        cloud_set(&c, 7, 0.9, 0.9, 0.9);
        scene s = scene_of(c, 2, 1, 11);
        s.target[7] = 0;
        compare(&s, 0.4, box, box, box);
        compare(&s, 0.05, box, box, box);
        scene_free(&s);
    }
}
END_TEST

START_TEST(all_or_none) {
    scene s = scene_of(cloud_clumps(300, 1, 2), 1, 0, 1);
    compare(&s, 0.1, 1, 1, 1);
    memset(s.target, 0, 300 * sizeof(u32));
    compare(&s, 0.1, 1, 1, 1);
    scene_free(&s);
}
END_TEST

START_TEST(lengths_of_all_scales) {
    const f64 scales[] = {1e-300, 1e-160, 1e-30, 1e30, 1e150};
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
        cloud c = cloud_clumps(120, 1, k);
        for (i64 i = 0; i < 3 * c.count; i++)
            c.at[i] *= scales[k];
        scene s = scene_of(c, 2, 0, k);
        compare(&s, 0.1 * scales[k], 0, 0, 0);
        scene_free(&s);
    }
}
END_TEST

START_TEST(mistakes) {
    const u32 zeros[4] = {1};
    const f64 at[12] = {0, 0, 0, NAN};
    const weft_array target = test_array(WEFT_U32, zeros, 4),
                     out = weft_array_new(device, WEFT_U32, 4),
                     position = test_array(WEFT_F64, at, 12);
    const weft_points points = weft_points_interleaved(device, position);
    weft_nearest_options o = {.length = 1};
    weft_nearest(device, &points, NULL, target, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_nearest: 'options' is NULL");
    weft_nearest(device, &points, &o, target, out);
    test_expect_error(WEFT_E_ARGUMENT, "particle 1 has a coordinate");
    weft_nearest(device, &points, &o, target, position);
    test_expect_error(WEFT_E_TYPE, "array 'nearest' is not of type u32");
    o.length = -1;
    weft_nearest(device, &points, &o, target, out);
    test_expect_error(WEFT_E_ARGUMENT, "the length -1 is not a finite number");
    o.length = 1, o.id = target;
    weft_nearest(device, &points, &o, target, out);
    test_expect_error(WEFT_E_TYPE, "array 'id' is not of type i64");
    o.id = (weft_array){0}, o.reserved[5] = 1;
    weft_nearest(device, &points, &o, target, out);
    test_expect_error(WEFT_E_ARGUMENT, "does not know");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {
        clumps, all_sizes, ties, crowds, all_or_none, lengths_of_all_scales, mistakes};
    return test_main(argc, argv, "nearest", tests, sizeof tests / sizeof *tests);
}
