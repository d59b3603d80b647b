/* Friends-of-friends against its definition, and the laws that it must satisfy. */
#include "definitions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

START_TEST(clumps) {
    const f64 lengths[9] = {0.001, 0.01, 0.03, 0.1, 0.24, 0.34, 0.6, 1.1, 2};
    for (int wide = 0; wide <= 1; wide++)
        for (int periodic = 0; periodic < 8; periodic += wide ? 1 : 7)
            for (int k = periodic % kind_step; k < 9; k += kind_step) {
                cloud c = cloud_clumps(400 + 37 * k, wide, (u64)(7 * k + periodic));
                expect_fof(&c, (weft_fof_options){.linking_length = lengths[k],
                                                  .box = {periodic & 1, periodic >> 1 & 1,
                                                          periodic >> 2}});
                cloud_free(&c);
            }
}
END_TEST

START_TEST(all_sizes) {
    const i64 sizes[] = {0, 1, 2, 3, 63, 64, 65, 1000, 1025};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        cloud c = cloud_clumps(sizes[k], 0, k);
        expect_fof(&c, (weft_fof_options){.linking_length = 0.02, .box = {1, 1, 1}});
        cloud_free(&c);
    }
}
END_TEST

START_TEST(few_friends_take_no_part) {
    const f64 lengths[] = {0.02, 0.3, 0.4, 0.7, 1.2}; /* of three cells, of two, of one */
    for (i64 least = 1; least < 6; least += 2)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            cloud c = cloud_clumps(k ? 300 : 700, (int)(least & 2), (u64)least + 8 * k);
            const i64 few = k ? least * (k < 3 ? 20 : 60) : least;
            expect_fof(&c, (weft_fof_options){.linking_length = lengths[k],
                                              .box = {1, 0, 1},
                                              .min_friends = few});
            cloud_free(&c);
        }
}
END_TEST

/* Cells' faces and the box's: lattice points exactly a length apart. */
START_TEST(lattices) {
    for (int periodic = 0; periodic < 2; periodic++)
        for (int wide = 0; wide < 2; wide++) {
            cloud c = cloud_new(512, wide);
            for (int i = 0; i < 512; i++)
                cloud_set(&c, i, 0.25 * (i & 7), 0.25 * (i >> 3 & 7), 0.25 * (i >> 6));
            for (int k = -1; k <= 1; k++) {
                const f64 lengths[] = {0.25, 0.25 * sqrt(2), 0.25 * sqrt(3), 0.5};
                for (int l = 0; l < 4; l++) {
                    const f64 length = k < 0   ? nextafter(lengths[l], 0)
                                       : k > 0 ? nextafter(lengths[l], 1)
                                               : lengths[l];
                    const f64 box = periodic ? 2 : 0;
                    expect_fof(&c, (weft_fof_options){.linking_length = length,
                                                      .box = {box, box, box}});
                }
            }
            cloud_free(&c);
        }
}
END_TEST

/* A pair whose squared distance is the next number below, at, or next above the squared
 * linking length: near the origin, far from it, and across the wrap of a wide box. */
static void plant(int wide, f64 corner, f64 box, int relation, u64 seed) {
    const f64 scale = wide ? 0x1p-30 : 0x1p-12;
    cloud c = cloud_new(2, wide);
    weft_fof_options o = {.linking_length = 0, .box = {box, box, box}};
    for (;;) {
        f64 a[3], b[3];
        for (int k = 0; k < 3; k++) {
            const f64 apart = floor((f64)(test_random(&seed) >> 44)) * scale;
            a[k] = box > 0 ? apart / 2 : corner;
            b[k] = box > 0 ? box - apart / 2 : corner + apart;
        }
        cloud_set(&c, 0, a[0], a[1], a[2]);
        cloud_set(&c, 1, b[0], b[1], b[2]);
        volatile f64 d2 = 0;
        for (int k = 0; k < 3; k++) {
            const f64 d = c.at[k] - c.at[3 + k], r = box > 0 ? remainder(d, box) : d;
            const volatile f64 square = r * r;
            d2 = d2 + square;
        }
        if (!(d2 > 0))
            continue;
        /* A length whose square is d2's neighbour: about one d2 in two has one. */
        const f64 target = relation < 0   ? nextafter(d2, INFINITY)
                           : relation > 0 ? nextafter(d2, 0)
                                          : d2;
        f64 length = sqrt(target);
        for (int k = 0; k < 3 && length * length != target; k++)
            length = nextafter(length, length * length < target ? INFINITY : 0);
        o.linking_length = length;
        if (length * length == target)
            break;
    }
    ck_assert_int_eq(define_friends(&c, 0, 1, o.linking_length, o.box), relation <= 0);
    expect_fof(&c, o);
    cloud_free(&c);
}

START_TEST(exact_decisions) {
    for (int wide = 0; wide <= 1; wide++)
        for (int relation = -1; relation <= 1; relation++)
            for (u64 seed = 0; seed < 10; seed++) {
                plant(wide, 0, 0, relation, seed);
                plant(wide, wide ? 1 << 20 : 1 << 10, 0, relation, seed);
                plant(wide, 0, wide ? 1e3 : 1 << 11, relation, seed);
            }
}
END_TEST

START_TEST(wide_box) {
    /* The box is a million linking lengths wide; pairs lie across its faces. */
    for (u64 seed = 0; seed < 10; seed++)
        for (int relation = -1; relation <= 1; relation++)
            plant(1, 0, 1e9, relation, seed);
    cloud c = cloud_new(600, 1);
    u64 state = 5;
    for (i64 i = 0; i < 600; i++) {
        const f64 r = (f64)(test_random(&state) >> 11) * 0x1p-53;
        cloud_set(&c, i, i % 3 ? r : 1e6 - r, i % 5 ? r * r : 1e6 - r * r, 0.1 * r);
    }
    expect_fof(&c, (weft_fof_options){.linking_length = 0.02, .box = {1e6, 1e6, 1e6}});
    cloud_free(&c);
}
END_TEST

/* Permuted, shifted, wrapped and scaled input gives the same groups. */
START_TEST(laws) {
    const i64 n = 3000;
    cloud c = cloud_clumps(n, 1, 3), moved = cloud_new(n, 1);
    const weft_fof_options o = {.linking_length = 0.01, .box = {1, 1, 1}},
                           scaled = {.linking_length = 0.08, .box = {8, 8, 8}};
    u32 *label = malloc((size_t)n * sizeof *label),
        *other = malloc((size_t)n * sizeof *other);
    for (i64 k = 0; k < 3 * n; k++) /* so that shifts are exact */
        c.at[k] = floor(c.at[k] * 0x1p40) * 0x1p-40;
    run_fof(&c, &o, label);
    for (i64 i = 0; i < n; i++) /* the stride is prime to n */
        memcpy(moved.at + 3 * (i * 1009 % n), c.at + 3 * i, 3 * sizeof(f64));
    run_fof(&moved, &o, other);
    for (i64 i = 0; i < n; i++)
        ck_assert_uint_eq(other[i * 1009 % n], other[label[i] * 1009 % n]);
    for (i64 k = 0; k < 3 * n; k++)
        moved.at[k] = c.at[k] + 0.375 * (f64)(k % 3) - (f64)(k % 7);
    run_fof(&moved, &o, other);
    ck_assert_mem_eq(label, other, (size_t)n * sizeof *label);
    for (i64 k = 0; k < 3 * n; k++)
        moved.at[k] = 8 * c.at[k];
    run_fof(&moved, &scaled, other);
    ck_assert_mem_eq(label, other, (size_t)n * sizeof *label);
    test_ok();
    free(label);
    free(other);
    cloud_free(&c);
    cloud_free(&moved);
}
END_TEST

/* Twice the box with the particles twice over: each group twice. */
START_TEST(tiles) {
    const i64 n = 2000;
    cloud c = cloud_clumps(n, 0, 11), two = cloud_new(2 * n, 0);
    for (i64 k = 0; k < 3 * n; k++)
        c.at[k] = floor((c.at[k] - floor(c.at[k])) * 0x1p16) * 0x1p-16;
    for (i64 i = 0; i < 2 * n; i++)
        cloud_set(&two, i, c.at[3 * (i % n)] + (i < n ? 0 : 1), c.at[3 * (i % n) + 1],
                  c.at[3 * (i % n) + 2]);
    u32 *one = malloc((size_t)n * sizeof *one),
        *both = malloc((size_t)(2 * n) * sizeof *both);
    i64 groups = 0, twice = 0;
    run_fof(&c, &(weft_fof_options){.linking_length = 0.01, .box = {1, 1, 1}}, one);
    run_fof(&two, &(weft_fof_options){.linking_length = 0.01, .box = {2, 1, 1}}, both);
    test_ok();
    for (i64 i = 0; i < n; i++)
        groups += one[i] == i;
    for (i64 i = 0; i < 2 * n; i++) {
        twice += both[i] == i;
        ck_assert_uint_eq(one[i % n], one[both[i] % n]);
    }
    ck_assert_int_eq(twice, 2 * groups);
    free(one);
    free(both);
    cloud_free(&c);
    cloud_free(&two);
}
END_TEST

/* The inputs that other codes were seen to stumble over. */
START_TEST(hard_inputs) {
    const f64 at[5][3] = {{0, 0, 0}, {0, 1, 0}, {10, 0, 0}, {10, 5, 0}, {0, 5, 5}};
    cloud c = cloud_new(5, 1);
    for (int i = 0; i < 5; i++)
        cloud_set(&c, i, at[i][0], at[i][1], at[i][2]);
    expect_fof(&c, (weft_fof_options){.linking_length = sqrt(3)});
    cloud_set(&c, 4, 1e30, 0, 0);
    expect_fof(&c, (weft_fof_options){.linking_length = sqrt(3)});
    cloud_set(&c, 3, 0, 0, 0);
    expect_fof(&c, (weft_fof_options){.linking_length = 0});
    cloud_set(&c, 3, 1e-170, 0, 0); /* its square is 0 */
    expect_fof(&c, (weft_fof_options){.linking_length = 0});
    expect_fof(&c, (weft_fof_options){.linking_length = 1e-300, .box = {20, 20, 20}});
    cloud_free(&c);
    c = cloud_clumps(900, 1, 4);
    expect_fof(&c, (weft_fof_options){.linking_length = 1e-9});
    expect_fof(&c, (weft_fof_options){.linking_length = 1e-9, .box = {1, 1, 1}});
    expect_fof(&c, (weft_fof_options){.linking_length = 0, .box = {1, 1, 1}});
    for (i64 k = 0; k < 3 * c.count; k++) /* far from the origin */
        c.at[k] += 1e9;
    expect_fof(&c, (weft_fof_options){.linking_length = 0.01});
    expect_fof(&c, (weft_fof_options){.linking_length = 0.01, .box = {1, 1, 1}});
    cloud_free(&c);
}
END_TEST

START_TEST(separate_arrays) {
    cloud c = cloud_clumps(1000, 0, 9);
    const weft_fof_options o = {.linking_length = 0.02, .box = {1, 1, 1}};
    u32 together[1000], apart[1000];
    f32 axis[3][1000];
    for (int i = 0; i < 3000; i++)
        axis[i % 3][i / 3] = (f32)c.at[i];
    run_fof(&c, &o, together);
    const weft_points points = weft_points_separate(
        device, test_array(WEFT_F32, axis[0], 1000), test_array(WEFT_F32, axis[1], 1000),
        test_array(WEFT_F32, axis[2], 1000));
    const weft_array label = weft_array_new(device, WEFT_U32, 1000);
    weft_fof(device, &points, &o, label);
    weft_read(device, label, apart);
    test_ok();
    ck_assert_mem_eq(together, apart, sizeof apart);
    cloud_free(&c);
}
END_TEST

START_TEST(wrong_arguments) {
    cloud c = cloud_clumps(10, 0, 9);
    u32 label[10];
    run_fof(&c, &(weft_fof_options){.linking_length = -1}, label);
    test_expect_error(WEFT_E_ARGUMENT, "linking length -1");
    run_fof(&c, &(weft_fof_options){.linking_length = NAN}, label);
    test_expect_error(WEFT_E_ARGUMENT, "linking length nan");
    run_fof(&c, &(weft_fof_options){.linking_length = INFINITY}, label);
    test_expect_error(WEFT_E_ARGUMENT, "linking length inf");
    run_fof(&c, &(weft_fof_options){.linking_length = 1, .box = {0, -2, 0}}, label);
    test_expect_error(WEFT_E_ARGUMENT, "box size -2");
    run_fof(&c, &(weft_fof_options){.linking_length = 1, .box = {0, 0x1p-961, 0}}, label);
    test_expect_error(WEFT_E_ARGUMENT, "box size 5.13067e-290");
    run_fof(&c, &(weft_fof_options){.linking_length = 1, .min_friends = -1}, label);
    test_expect_error(WEFT_E_ARGUMENT, "min_friends is -1");
    c.at[3 * 7 + 1] = NAN;
    c.at[3 * 8 + 2] = INFINITY;
    run_fof(&c, &(weft_fof_options){.linking_length = 1, .box = {1, 1, 1}}, label);
    test_expect_error(WEFT_E_ARGUMENT, "particle 7 has a coordinate that is not finite");
    c.at[0] = c.at[1] = c.at[2] = NAN;
    run_fof(&c, &(weft_fof_options){.linking_length = 1}, label);
    test_expect_error(WEFT_E_ARGUMENT, "particle 0 has a coordinate that is not finite");
    const weft_array words = weft_array_new(device, WEFT_U32, 30);
    weft_points points = weft_points_interleaved(device, words);
    const weft_fof_options o = {.linking_length = 1};
    weft_fof(device, &points, &o, words);
    test_expect_error(WEFT_E_TYPE, "x coordinates are neither f32 nor f64");
    points = weft_points_interleaved(device, weft_array_new(device, WEFT_F32, 30));
    points.count = 11;
    weft_fof(device, &points, &o, words);
    test_expect_error(WEFT_E_SHAPE, "fewer than 11 coordinates");
    points.count = 10;
    weft_fof(device, &points, &o, weft_slice(device, words, 0, 9));
    test_expect_error(WEFT_E_SHAPE, "'label' has 9 elements for 10 particles");
    weft_points_interleaved(device, weft_array_new(device, WEFT_F32, 31));
    test_expect_error(WEFT_E_SHAPE, "31 coordinates are not three a particle");
    cloud_free(&c);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_sizes,
                                  clumps,
                                  few_friends_take_no_part,
                                  lattices,
                                  exact_decisions,
                                  wide_box,
                                  laws,
                                  tiles,
                                  hard_inputs,
                                  separate_arrays,
                                  wrong_arguments};
    return test_main(argc, argv, "fof", tests, sizeof tests / sizeof *tests);
}
