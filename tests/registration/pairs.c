/* All pairs within segments, against two plain loops. */
#include "harness.h"
#include "pairs.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_PAIRS(pairs_count, u32, 0, (in, pairs_point, p), (value, f32, length2))
WEFT_PAIRS(pairs_weigh, pairs_sum, {0}, (in, pairs_point, p), (value, f32, length2),
           (value, u32, times))
WEFT_PAIRS(pairs_potential, f32, 0.0f, (in, pairs_point, p), (value, f32, epsilon2))
WEFT_PAIRS(pairs_less, i64, 1000, (in, i64, x))

/* Segments of every awkward size, empty ones first, last and in a row. */
static const i64 sizes[] = {0,   0,   1,   2,   63,  64, 65, 0, 127, 128,  129,
                            255, 256, 257, 511, 513, 3,  0,  0, 0,   1000, 0};
enum { SEGMENTS = sizeof sizes / sizeof *sizes };

static i64 offsets[SEGMENTS + 1];
static pairs_point *points;
static i64 n;

/* Half the coordinates lie on a coarse lattice, so that many pairs are equally far. */
static void make_points(void) {
    u64 state = 1;
    n = 0;
    for (int s = 0; s < SEGMENTS; s++) {
        offsets[s] = n;
        n += sizes[s];
    }
    offsets[SEGMENTS] = n;
    points = malloc((size_t)n * sizeof *points);
    for (i64 i = 0; i < n; i++) {
        const f32 x = (f32)(test_random(&state) % 16), y = (f32)(test_random(&state) % 16);
        points[i] = (pairs_point){x, y, (f32)(i % 7), (u32)(test_random(&state) >> 32)};
    }
}

static const i64 *segment_of(i64 i) {
    const i64 *o = offsets;
    while (o[1] <= i)
        o++;
    return o;
}

START_TEST(counts) {
    make_points();
    u32 *out = malloc((size_t)n * sizeof *out);
    const weft_array result = weft_array_new(device, WEFT_U32, n);
    weft_pairs(device, test_array(WEFT_I64, offsets, SEGMENTS + 1), result, pairs_count,
               .p = test_array(WEFT_STRUCT(pairs_point), points, n), .length2 = 9);
    weft_read(device, result, out);
    test_ok();
    for (i64 i = 0; i < n; i++) {
        const i64 *o = segment_of(i);
        u32 expected = 0;
        for (i64 j = o[0]; j < o[1]; j++)
            expected = pairs_count(expected, points[i], points[j], 9);
        ck_assert_uint_eq(out[i], expected);
    }
    free(out);
    free(points);
}
END_TEST

START_TEST(structs) {
    make_points();
    pairs_sum *out = malloc((size_t)n * sizeof *out);
    const weft_array result = weft_array_new(device, WEFT_STRUCT(pairs_sum), n);
    weft_pairs(device, test_array(WEFT_I64, offsets, SEGMENTS + 1), result, pairs_weigh,
               .p = test_array(WEFT_STRUCT(pairs_point), points, n), .length2 = 25,
               .times = 3);
    weft_read(device, result, out);
    test_ok();
    for (i64 i = 0; i < n; i++) {
        const i64 *o = segment_of(i);
        pairs_sum expected = {0};
        for (i64 j = o[0]; j < o[1]; j++)
            expected = pairs_weigh(expected, points[i], points[j], 25, 3);
        ck_assert_mem_eq(&out[i], &expected, sizeof expected);
    }
    free(out);
    free(points);
}
END_TEST

START_TEST(potentials) {
    make_points();
    f32 *out = malloc((size_t)n * sizeof *out), *again = malloc((size_t)n * sizeof *again);
    const weft_array p = test_array(WEFT_STRUCT(pairs_point), points, n);
    const weft_array ends = test_array(WEFT_I64, offsets, SEGMENTS + 1);
    const weft_array result = weft_array_new(device, WEFT_F32, n);
    weft_pairs(device, ends, result, pairs_potential, .p = p, .epsilon2 = 0.01f);
    weft_read(device, result, out);
    weft_pairs(device, ends, result, pairs_potential, .p = p, .epsilon2 = 0.01f);
    weft_read(device, result, again);
    test_ok();
    ck_assert_msg(memcmp(out, again, (size_t)n * sizeof *out) == 0,
                  "two runs give different sums");
    for (i64 i = 0; i < n; i++) {
        const i64 *o = segment_of(i);
        f64 truth = 0;
        for (i64 j = o[0]; j < o[1]; j++) {
            const f64 r2 = pairs_squared(points[i], points[j]) + 0.01;
            truth -= points[j].mass / (sqrt)(r2);
        }
        ck_assert_double_le(out[i] / truth, 1 + 1e-4);
        ck_assert_double_ge(out[i] / truth, 1 - 1e-4);
    }
    free(out);
    free(again);
    free(points);
}
END_TEST

/* One segment of every size, from an initial value on: ranks. */
START_TEST(one_segment) {
    for (int s = 0; s < test_size_count && test_sizes[s] <= 4097; s++) {
        const i64 m = test_sizes[s], ends[2] = {0, m};
        i64 *x = malloc((size_t)(m + 1) * sizeof *x),
            *out = calloc((size_t)m + 1, sizeof *x);
        for (i64 i = 0; i < m; i++)
            x[i] = (m - i) * ((i64)1 << 35);
        const weft_array result = weft_array_new(device, WEFT_I64, m);
        weft_pairs(device, test_array(WEFT_I64, ends, 2), result, pairs_less,
                   .x = test_array(WEFT_I64, x, m));
        weft_read(device, result, out);
        test_ok();
        for (i64 i = 0; i < m; i++)
            ck_assert_int_eq((int)out[i], (int)(1000 + m - 1 - i));
        free(x);
        free(out);
    }
}
END_TEST

static void fold(const i64 *ends, i64 count, weft_array out, weft_array x) {
    weft_pairs(device, test_array(WEFT_I64, ends, count), out, pairs_less, .x = x);
}

START_TEST(wrong_arguments) {
    const i64 numbers[4] = {4, 3, 2, 1};
    const weft_array x = test_array(WEFT_I64, numbers, 4);
    const weft_array lent = weft_borrow_const(device, WEFT_I64, numbers, 4);
    const weft_array out = weft_array_new(device, WEFT_I64, 4);
    const i64 good[2] = {0, 4};
    fold((const i64[]){0, 5}, 2, out, x);
    test_expect_error(WEFT_E_SHAPE,
                      "pairs_less: the segments end at 5, beyond the 4 points");
    fold((const i64[]){0, 3, 2, 4}, 4, out, x);
    test_expect_error(WEFT_E_SHAPE, "pairs_less: segment 1 is [3, 2)");
    fold((const i64[]){-1, 4}, 2, out, x);
    test_expect_error(WEFT_E_SHAPE, "pairs_less: segment 0 is [-1, 4)");
    fold(good, 0, out, x);
    test_expect_error(WEFT_E_SHAPE, "array 'offsets' has 0 elements");
    fold(good, 2, weft_slice(device, out, 0, 3), x);
    test_expect_error(WEFT_E_SHAPE, "array 'out' has 3 elements, at least 4 are needed");
    fold(good, 2, lent, x);
    test_expect_error(WEFT_E_ARGUMENT, "array 'out' is read-only");
    fold(good, 2, weft_as(device, out, WEFT_U64), x);
    test_expect_error(WEFT_E_TYPE, "array 'out' has elements of u64, not i64");
    fold(good, 2, out, weft_as(device, x, WEFT_F64));
    test_expect_error(WEFT_E_TYPE, "array 'x' has elements of f64, not i64");
    fold(good, 2, out, (weft_array){0});
    test_expect_error(WEFT_E_ARGUMENT, "array 'x' is missing");
    fold(good, 2, x, x);
    test_expect_error(WEFT_E_ARGUMENT, "pairs_less: array 'out' overlaps array 'x'");
    weft_copy(device, x, out);
    fold((const i64[]){0, 3}, 2, weft_slice(device, out, 1, 3),
         weft_slice(device, out, 0, 3));
    test_expect_error(WEFT_E_ARGUMENT, "pairs_less: array 'out' overlaps array 'x'");
    fold((const i64[]){0, 2}, 2, weft_slice(device, out, 2, 2),
         weft_slice(device, out, 0, 2));
    test_ok();
    weft_pairs(device, x, out, pairs_less, .x = x);
    test_expect_error(WEFT_E_SHAPE, "pairs_less: segment 0 is [4, 3)");
    weft_return(device, lent);
}
END_TEST

/* No segment at all, and points that no segment holds, are left alone. */
START_TEST(few_segments) {
    const i64 numbers[4] = {4, 3, 2, 1}, before[4] = {-1, -1, -1, -1};
    i64 out[4];
    const weft_array x = test_array(WEFT_I64, numbers, 4);
    const weft_array result = test_array(WEFT_I64, before, 4);
    fold((const i64[]){0}, 1, result, x);
    weft_read(device, result, out);
    ck_assert_mem_eq(out, before, sizeof before);
    fold((const i64[]){1, 1, 3}, 3, result, x);
    weft_read(device, result, out);
    ck_assert_int_eq((int)out[1], 1001);
    ck_assert_int_eq((int)out[2], 1000);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {counts,      structs,         potentials,
                                  one_segment, wrong_arguments, few_segments};
    return test_main(argc, argv, "pairs", tests, sizeof tests / sizeof *tests);
}
