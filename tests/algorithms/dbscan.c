/* DBSCAN against its definition, and the laws that it must satisfy. */
#include "definitions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/dbscan.h>

/* are[i n + j]: whether i and j are neighbours. */
static u8 *define_neighbours(const cloud *c, const weft_dbscan_options *o) {
    const i64 n = c->count;
    u8 *are = malloc((size_t)(n * n + 1));
    for (i64 i = 0; i < n; i++)
        for (i64 j = 0; j <= i; j++)
            are[i * n + j] = are[j * n + i] = (u8)define_friends(c, i, j, o->eps, o->box);
    return are;
}

/* The clusters by looking at all pairs. */
static void define_dbscan(const u8 *are, i64 n, const weft_dbscan_options *o, i64 *label) {
    u8 *core = malloc((size_t)(n + 1));
    i64 *stack = malloc((size_t)(n + 1) * sizeof *stack), clusters = 0;
    for (i64 i = 0; i < n; i++) {
        i64 within = 0;
        for (i64 j = 0; j < n; j++)
            within += are[i * n + j];
        core[i] = within >= o->min_points;
        label[i] = -1;
    }
    for (i64 seed = 0; seed < n; seed++) {
        if (!core[seed] || label[seed] >= 0)
            continue;
        i64 waiting = 1;
        stack[0] = seed;
        label[seed] = clusters;
        while (waiting > 0) {
            const i64 i = stack[--waiting];
            for (i64 j = 0; j < n; j++)
                if (core[j] && label[j] < 0 && are[i * n + j]) {
                    label[j] = clusters;
                    stack[waiting++] = j;
                }
        }
        clusters++;
    }
    for (i64 i = 0; i < n && !o->core_only; i++)
        for (i64 j = 0; !core[i] && j < n; j++)
            if (core[j] && are[i * n + j] && (label[i] < 0 || label[j] < label[i]))
                label[i] = label[j];
    for (i64 i = 0; i < n && o->borders_apart; i++)
        label[i] = core[i] || label[i] < 0 ? label[i] : -2 - label[i];
    free(core);
    free(stack);
}

/* weft_dbscan of a cloud; with `flat` its z is left out. */
static void run_dbscan(const cloud *c, int flat, const weft_dbscan_options *options,
                       i64 *label) {
    const i64 n = c->count, axes = flat ? 2 : 3;
    f64 *wide = malloc((size_t)(3 * n + 1) * sizeof *wide);
    f32 *narrow = malloc((size_t)(3 * n + 1) * sizeof *narrow);
    for (i64 i = 0; i < n; i++)
        for (i64 k = 0; k < axes; k++) {
            wide[axes * i + k] = c->at[3 * i + k];
            narrow[axes * i + k] = (f32)c->at[3 * i + k];
        }
    const weft_array at = test_array(c->wide ? WEFT_F64 : WEFT_F32,
                                     c->wide ? (void *)wide : narrow, axes * n);
    const weft_points points =
        flat ? weft_points_interleaved_2d(device, at) : weft_points_interleaved(device, at);
    const weft_array out = weft_array_new(device, WEFT_I64, n);
    weft_dbscan(device, &points, options, out);
    weft_read(device, out, label);
    weft_array_free(device, at);
    weft_array_free(device, out);
    free(wide);
    free(narrow);
}

static void compare_in(const cloud *c, int flat, weft_dbscan_options options) {
    const size_t bytes = (size_t)(c->count + 1) * sizeof(i64);
    i64 *expected = malloc(bytes), *got = malloc(bytes);
    u8 *are = define_neighbours(c, &options);
    options.borders_apart = options.min_points % 2;
    for (options.core_only = 0; options.core_only < 2; options.core_only++) {
        define_dbscan(are, c->count, &options, expected);
        run_dbscan(c, flat, &options, got);
        test_ok();
        for (i64 i = 0; i < c->count; i++)
            ck_assert_msg(got[i] == expected[i],
                          "point %lld of %lld: label %lld, not %lld (eps %.17g, "
                          "min_points %lld, box %g %g %g, core_only %d, flat %d, wide %d)",
                          (long long)i, (long long)c->count, (long long)got[i],
                          (long long)expected[i], options.eps,
                          (long long)options.min_points, options.box[0], options.box[1],
                          options.box[2], options.core_only, flat, c->wide);
    }
    free(are);
    free(expected);
    free(got);
}

static void compare(const cloud *c, weft_dbscan_options options) {
    compare_in(c, 0, options);
}

START_TEST(clumps) {
    const f64 lengths[] = {0.003, 0.02, 0.05, 0.13, 0.26, 0.34, 0.6, 1.2};
    const i64 least[] = {1, 2, 3, 5, 12, 60};
    for (int wide = 0; wide <= 1; wide++)
        for (int periodic = 0; periodic < 8; periodic += wide ? 3 : 7)
            for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
                for (size_t m = k % (size_t)kind_step; m < sizeof least / sizeof *least;
                     m += (size_t)kind_step) {
                    cloud c =
                        cloud_clumps(200 + 37 * (i64)k, wide, 7 * k + (u64)periodic + m);
                    compare(&c,
                            (weft_dbscan_options){
                                .eps = lengths[k],
                                .min_points = least[m],
                                .box = {periodic & 1, periodic >> 1 & 1, periodic >> 2}});
                    cloud_free(&c);
                }
}
END_TEST

START_TEST(planes) {
    for (int wide = 0; wide <= 1; wide++)
        for (int periodic = 0; periodic <= 1; periodic++)
            for (i64 least = 1; least < 20; least += 3) {
                cloud c = cloud_clumps(500, wide, (u64)least);
                for (i64 i = 0; i < c.count; i++)
                    c.at[3 * i + 2] = 0;
                const weft_dbscan_options o = {.eps = 0.01 * (f64)least,
                                               .min_points = least,
                                               .box = {periodic, periodic, 0}};
                compare_in(&c, 1, o);
                cloud_free(&c);
            }
}
END_TEST

START_TEST(all_sizes) {
    const i64 sizes[] = {0, 1, 2, 3, 63, 64, 65, 1000, 1025};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (i64 least = 1; least < 6; least++) {
            cloud c = cloud_clumps(sizes[k], 0, k);
            compare(&c, (weft_dbscan_options){
                            .eps = 0.04, .min_points = least, .box = {1, 1, 1}});
            cloud_free(&c);
        }
}
END_TEST

/* Lattice points exactly eps apart, some of them twice. */
START_TEST(lattices) {
    for (int periodic = 0; periodic < 2; periodic++)
        for (int wide = 0; wide < 2; wide++) {
            cloud c = cloud_new(500, wide);
            for (int i = 0; i < 500; i++) {
                const int k = i < 343 ? i : (i * 31) % 343;
                cloud_set(&c, i, 0.25 * (k % 7), 0.25 * (k / 7 % 7), 0.25 * (k / 49));
            }
            const i64 least[] = {2, 3, 7, 8, 9, 12, 19, 27};
            const f64 lengths[] = {0.25, 0.25 * sqrt(2), 0.5};
            for (size_t m = 0; m < sizeof least / sizeof *least; m++)
                for (int l = 0; l < 3; l++) {
                    const f64 box = periodic ? 1.75 : 0;
                    compare(&c, (weft_dbscan_options){.eps = lengths[l],
                                                      .min_points = least[m],
                                                      .box = {box, box, box}});
                    compare(&c, (weft_dbscan_options){.eps = nextafter(lengths[l], 0),
                                                      .min_points = least[m],
                                                      .box = {box, box, box}});
                }
            cloud_free(&c);
        }
}
END_TEST

/* A border point between clusters goes to the one that comes first in the input, whatever
 * lies nearer. */
START_TEST(borders) {
    cloud c = cloud_new(13, 1);
    for (int i = 0; i < 6; i++) {
        cloud_set(&c, i, 1.92 + 0.15 * i, 0, 0);
        cloud_set(&c, 6 + i, -0.15 * i, 0, 0);
    }
    cloud_set(&c, 12, 0.95, 0, 0);
    const weft_dbscan_options o = {.eps = 0.97, .min_points = 5};
    i64 label[13];
    run_dbscan(&c, 0, &o, label);
    test_ok();
    ck_assert_int_eq(label[0], 0);
    ck_assert_int_eq(label[6], 1);
    ck_assert_int_eq(label[12], 0);
    compare(&c, o);
    cloud_free(&c);
}
END_TEST

/* Reordered input gives the same core points, noise and partition of core points. */
START_TEST(permutation) {
    const i64 n = 3000;
    cloud c = cloud_clumps(n, 1, 3), moved = cloud_new(n, 1);
    const weft_dbscan_options o = {
        .eps = 0.02, .min_points = 6, .box = {1, 1, 1}, .core_only = 1};
    i64 *label = malloc((size_t)n * sizeof *label),
        *other = malloc((size_t)n * sizeof *other),
        *partner = malloc((size_t)n * sizeof *partner);
    for (i64 i = 0; i < n; i++) {
        memcpy(moved.at + 3 * (i * 1009 % n), c.at + 3 * i, 3 * sizeof(f64));
        partner[i] = -1;
    }
    run_dbscan(&c, 0, &o, label);
    run_dbscan(&moved, 0, &o, other);
    test_ok();
    i64 clusters = 0;
    for (i64 i = 0; i < n; i++) {
        const i64 there = other[i * 1009 % n];
        ck_assert_int_eq(label[i] < 0, there < 0);
        if (label[i] < 0)
            continue;
        clusters += label[i] == clusters;
        ck_assert_int_lt(label[i], clusters); /* numbered as they appear */
        if (partner[label[i]] < 0)
            partner[label[i]] = there;
        ck_assert_int_eq(partner[label[i]], there);
    }
    ck_assert_int_gt(clusters, 10);
    free(label);
    free(other);
    free(partner);
    cloud_free(&c);
    cloud_free(&moved);
}
END_TEST

/* Many points at one place, and at two places near each other: no work for each pair. */
START_TEST(heaps) {
    const i64 n = 20003;
    cloud c = cloud_new(n, 1);
    i64 *label = malloc((size_t)n * sizeof *label);
    const i64 least[] = {1, 2, 5, n / 2, n, n + 1, (i64)1 << 40};
    for (int places = 1; places <= 2; places++) {
        for (i64 i = 0; i < n; i++)
            cloud_set(&c, i, i % places ? 0.37 : 0.3, 0.3, 0.3);
        for (size_t m = 0; m < sizeof least / sizeof *least; m++)
            for (int k = 0; k < 3; k++) {
                const f64 lengths[] = {0, 0.06, 0.1};
                const weft_dbscan_options o = {
                    .eps = lengths[k], .min_points = least[m], .box = {1, 1, 1}};
                run_dbscan(&c, 0, &o, label);
                test_ok();
                for (i64 i = 0; i < n; i++) {
                    const i64 other = n / places, heap = k == 2 ? n
                                                         : i % places
                                                             ? other
                                                             : n - (places - 1) * other;
                    ck_assert_int_eq(label[i] >= 0, heap >= least[m]);
                }
            }
    }
    free(label);
    cloud_free(&c);
}
END_TEST

/* Borders that join what core_only found are those of the whole. */
START_TEST(borders_alone) {
    for (int k = 0; k < 24; k++) {
        const i64 n = k % 3 == 2 ? k % 4 : 2500;
        cloud c = cloud_clumps(n, k % 2, (u64)k);
        weft_dbscan_options o = {.eps = k % 6 == 5 ? 0 : 0.004 * (k % 8 + 1),
                                 .min_points = 3 + k % 5,
                                 .box = {k % 4 > 1, k % 4 > 1, 0}};
        i64 *expected = malloc((size_t)(n + 1) * sizeof *expected);
        i64 *label = malloc((size_t)(n + 1) * sizeof *label);
        u32 *cluster = malloc((size_t)(n + 1) * sizeof *cluster);
        run_dbscan(&c, 0, &o, expected);
        o.core_only = 1;
        run_dbscan(&c, 0, &o, label);
        for (i64 i = 0; i < n; i++)
            cluster[i] = label[i] < 0 ? UINT32_MAX : 7 + 3 * (u32)label[i];
        const weft_points points =
            weft_points_interleaved(device, test_array(WEFT_F64, c.at, 3 * n));
        const weft_array out = test_array(WEFT_U32, cluster, n);
        weft_dbscan_borders(device, &points, &o, out);
        weft_read(device, out, cluster);
        test_ok();
        for (i64 i = 0; i < n; i++)
            ck_assert_uint_eq(cluster[i],
                              expected[i] < 0 ? UINT32_MAX : 7 + 3 * (u32)expected[i]);
        free(expected);
        free(label);
        free(cluster);
        cloud_free(&c);
    }
    const weft_dbscan_options o = {.eps = 1, .min_points = 5};
    f32 zeros[30] = {0};
    const weft_points points =
        weft_points_interleaved(device, test_array(WEFT_F32, zeros, 30));
    weft_dbscan_borders(device, &points, &o, weft_array_new(device, WEFT_I64, 10));
    test_expect_error(WEFT_E_TYPE, "'cluster' is not of type u32");
    weft_dbscan_borders(device, &points, &o, weft_array_new(device, WEFT_U32, 9));
    test_expect_error(WEFT_E_SHAPE, "'cluster' has 9 elements, at least 10");
    weft_dbscan_borders(device, &points, NULL, weft_array_new(device, WEFT_U32, 10));
    test_expect_error(WEFT_E_ARGUMENT, "'options' is NULL");
}
END_TEST

START_TEST(narrow_labels) {
    cloud c = cloud_clumps(1000, 0, 5);
    const weft_dbscan_options o = {.eps = 0.02, .min_points = 5};
    i64 label[1000];
    i32 narrow[1000];
    f32 at[3000];
    for (int k = 0; k < 3000; k++)
        at[k] = (f32)c.at[k];
    run_dbscan(&c, 0, &o, label);
    const weft_points points =
        weft_points_interleaved(device, test_array(WEFT_F32, at, 3000));
    const weft_array out = weft_array_new(device, WEFT_I32, 1000);
    weft_dbscan(device, &points, &o, out);
    weft_read(device, out, narrow);
    test_ok();
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(narrow[i], label[i]);
    cloud_free(&c);
}
END_TEST

START_TEST(wrong_arguments) {
    cloud c = cloud_clumps(10, 0, 9);
    i64 label[10];
    run_dbscan(&c, 0, &(weft_dbscan_options){.eps = -1, .min_points = 5}, label);
    test_expect_error(WEFT_E_ARGUMENT, "eps -1");
    run_dbscan(&c, 0, &(weft_dbscan_options){.eps = NAN, .min_points = 5}, label);
    test_expect_error(WEFT_E_ARGUMENT, "eps nan");
    run_dbscan(&c, 0, &(weft_dbscan_options){.eps = 1, .min_points = 0}, label);
    test_expect_error(WEFT_E_ARGUMENT, "min_points is 0");
    run_dbscan(&c, 0, &(weft_dbscan_options){.eps = 1, .min_points = 5, .box = {0, 0, NAN}},
               label);
    test_expect_error(WEFT_E_ARGUMENT, "box size nan");
    c.at[3 * 7 + 1] = NAN;
    run_dbscan(&c, 0, &(weft_dbscan_options){.eps = 1, .min_points = 5}, label);
    test_expect_error(WEFT_E_ARGUMENT, "particle 7 has a coordinate that is not finite");
    weft_points_interleaved_2d(device, weft_array_new(device, WEFT_F32, 31));
    test_expect_error(WEFT_E_SHAPE, "31 coordinates are not two a point");
    const weft_array at = weft_array_new(device, WEFT_F32, 30);
    const weft_points points = weft_points_interleaved(device, at);
    const weft_dbscan_options o = {.eps = 1, .min_points = 5};
    weft_dbscan(device, &points, &o, weft_array_new(device, WEFT_U32, 10));
    test_expect_error(WEFT_E_TYPE, "neither i32 nor i64");
    weft_dbscan(device, &points, &o, weft_array_new(device, WEFT_I64, 9));
    test_expect_error(WEFT_E_SHAPE, "'labels' has 9 elements for 10 points");
    weft_dbscan(device, &points, NULL, weft_array_new(device, WEFT_I64, 10));
    test_expect_error(WEFT_E_ARGUMENT, "'options' is NULL");
    cloud_free(&c);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {clumps,        planes,         all_sizes, lattices,
                                  borders,       permutation,    heaps,     borders_alone,
                                  narrow_labels, wrong_arguments};
    return test_main(argc, argv, "dbscan", tests, sizeof tests / sizeof *tests);
}
