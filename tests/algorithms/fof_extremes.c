/* Friends-of-friends of many particles where other ways to find them take minutes or fail:
 * crowds, chains, lengths far above and below what particles are apart. */
#include "definitions.h"

#include <math.h>
#include <stdlib.h>

/* (check's own assertions take longer than the groups.) */
static void expect_label(const u32 *label, i64 i, i64 expected) {
    if (label[i] != expected)
        ck_abort_msg("particle %lld: label %u, not %lld", (long long)i, label[i],
                     (long long)expected);
}

static void expect_one_group(const cloud *c, weft_fof_options o) {
    u32 *label = malloc((size_t)c->count * sizeof *label);
    run_fof(c, &o, label);
    test_ok();
    for (i64 i = 0; i < c->count; i++)
        expect_label(label, i, 0);
    free(label);
}

/* Up to a million particles: a chain of exact links in the worst order, at one place, and
 * all within the length, of 2 boxes, or near the largest number. */
START_TEST(one_group) {
    const i64 n = 2 * (500000 / kind_step);
    cloud c = cloud_new(n, 1);
    u64 state = 3;
    for (i64 i = 0; i < n; i++)
        cloud_set(&c, i, 0.5 * (f64)(i % 2 ? n - i : i), 0, 0);
    expect_one_group(&c, (weft_fof_options){.linking_length = 0.5});
    for (i64 i = 0; i < n; i++)
        cloud_set(&c, i, 0.3, 0.3, 0.3);
    expect_one_group(&c, (weft_fof_options){.linking_length = 0.01, .box = {1, 1, 1}});
    expect_one_group(&c, (weft_fof_options){.linking_length = 0});
    for (i64 k = 0; k < 3 * n; k++)
        c.at[k] = (f64)(test_random(&state) >> 11) * 0x1p-53;
    expect_one_group(&c, (weft_fof_options){.linking_length = 2, .box = {1, 1, 1}});
    expect_one_group(&c, (weft_fof_options){.linking_length = 2});
    expect_one_group(&c, (weft_fof_options){.linking_length = 1e308, .box = {1, 1, 1}});
    expect_one_group(&c, (weft_fof_options){.linking_length = 1e308});
    cloud_free(&c);
}
END_TEST

/* Particles all over a cube, of which each tenth lies close to the one before. */
static void expect_pairs(f64 low, f64 side, f64 length, int periodic) {
    const i64 n = 10 * (30000 / kind_step);
    cloud c = cloud_new(n, 1);
    u32 *label = malloc((size_t)n * sizeof *label);
    u64 state = 7;
    for (i64 i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const f64 r = (f64)(test_random(&state) >> 11) * 0x1p-53;
            c.at[3 * i + k] =
                i % 10 == 9 ? c.at[3 * (i - 1) + k] + (r - 0.5) * length : low + r * side;
        }
    const f64 box = periodic ? side : 0;
    run_fof(&c, &(weft_fof_options){.linking_length = length, .box = {box, box, box}},
            label);
    test_ok();
    for (i64 i = 0; i < n; i++)
        expect_label(label, i, i % 10 == 9 ? i - 1 : i);
    free(label);
    cloud_free(&c);
}

/* One particle a cell: lengths of 1e-6 of the mean separation, boxes of 1e9 lengths, whose
 * cells are more than 64 bits count, and far from the origin. */
START_TEST(sparse) {
    for (int periodic = 0; periodic <= 1; periodic++) {
        expect_pairs(0, 67, 1e-6, periodic);
        expect_pairs(0, 1e9, 1, periodic);
        expect_pairs(1e12, 1e9, 1, periodic);
    }
}
END_TEST

/* Two heaps just out of each other's reach, and balls of as many: 1.6e11 pairs, which are
 * not to be tried one by one. */
START_TEST(heaps_apart) {
    const i64 half = 400000 / kind_step, n = 2 * half;
    cloud c = cloud_new(n, 1);
    u32 *label = malloc((size_t)n * sizeof *label);
    for (int balls = 0; balls <= 1; balls++) {
        u64 state = 1;
        for (i64 i = 0; i < n; i++) {
            f64 r[3] = {0, 0, 0}; /* within 0.12 of (0, 0, 0) or (1.25, 0.1, 0.1) */
            for (int k = 0; balls && k < 3; k++)
                r[k] = 0.12 * ((f64)(test_random(&state) >> 11) * 0x1p-52 - 1) / sqrt(3);
            const f64 at = (f64)(i % 2);
            cloud_set(&c, i, 1.25 * at + r[0], 0.1 * at + r[1], 0.1 * at + r[2]);
        }
        run_fof(&c, &(weft_fof_options){.linking_length = 1.0}, label);
        test_ok();
        for (i64 i = 0; i < n; i++)
            expect_label(label, i, i % 2);
    }
    free(label);
    cloud_free(&c);
}
END_TEST

/* Two sheets that face each other askew, a little further apart than the length: 1.6e11
 * pairs, which boxes cannot tell apart. In the end one particle stands closer. */
START_TEST(sheets_askew) {
    const i64 half = 400000 / kind_step, n = 2 * half;
    const f64 along[3] = {3. / 7, -6. / 7, 2. / 7}, beside[3] = {6. / 7, 2. / 7, -3. / 7},
              across[3] = {2. / 7, 3. / 7, 6. / 7};
    cloud c = cloud_new(n, 1);
    u32 *label = malloc((size_t)n * sizeof *label);
    for (int joined = 0; joined <= 1; joined++) {
        u64 state = 1;
        for (i64 i = 0; i < n; i++) {
            f64 at[3];
            const f64 u = 0.2 * ((f64)(test_random(&state) >> 11) * 0x1p-53 - 0.5);
            const f64 v = 0.2 * ((f64)(test_random(&state) >> 11) * 0x1p-53 - 0.5);
            const f64 w = i % 2 == 0 ? 0 : joined && i == n - 1 ? 0.9999 : 1.0001;
            for (int k = 0; k < 3; k++)
                at[k] = u * along[k] + v * beside[k] + w * across[k];
            cloud_set(&c, i, at[0], at[1], at[2]);
        }
        run_fof(&c, &(weft_fof_options){.linking_length = 1}, label);
        test_ok();
        for (i64 i = 0; i < n; i++)
            expect_label(label, i, joined ? 0 : i % 2);
    }
    free(label);
    cloud_free(&c);
}
END_TEST

/* Two balls with a gap of just the length, and of the next number above it. */
START_TEST(two_balls) {
    const i64 half = 20000, n = 2 * half;
    cloud c = cloud_new(n, 1);
    u32 *label = malloc((size_t)n * sizeof *label);
    for (int apart = 0; apart <= 1; apart++) {
        u64 state = 1;
        for (i64 i = 0; i < n; i++) {
            f64 r[3];
            for (int k = 0; k < 3; k++)
                r[k] = (f64)(test_random(&state) >> 11) * 0x1p-53;
            const f64 face = apart ? nextafter(1, 2) : 1;
            cloud_set(&c, i, i < half ? -0.5 * r[0] : face + 0.5 * r[0], 0.3 * r[1],
                      0.3 * r[2]);
        }
        cloud_set(&c, 17, 0, 0.1, 0.1);
        cloud_set(&c, half + 17, apart ? nextafter(1, 2) : 1, 0.1, 0.1);
        run_fof(&c, &(weft_fof_options){.linking_length = 1}, label);
        test_ok();
        for (i64 i = 0; i < n; i++)
            expect_label(label, i, i < half || !apart ? 0 : half);
    }
    free(label);
    cloud_free(&c);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {one_group, sparse, two_balls, heaps_apart, sheets_askew};
    return test_main(argc, argv, "fof_extremes", tests, sizeof tests / sizeof *tests);
}
