/* Arrays that travel together, as one parameter of kernels, generators and pairs. */
#include "harness.h"
#include "bundles.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_BUNDLE(bundles_cells, (in, u32, start, n + 1), (value, u32, shift),
            (in, bundles_span, span), (optional, f64, weight), (value, f64, scale))
WEFT_BUNDLE(bundles_sums, (out, u32, count), (inout, u32, total), (shared, u32, used, 3))
WEFT_BUNDLE(bundles_table, (in, u32, factor, 1), (value, u32, length))
WEFT_BUNDLE(bundles_many, (in, u32, a), (in, u32, b), (in, u32, c), (in, u32, d),
            (in, u32, e), (in, u32, f), (in, u32, g), (in, u32, h), (in, u32, j),
            (in, u32, k), (in, u32, l))
WEFT_KERNEL(bundles_add, (value, u32, a), (bundle, bundles_cells, cells),
            (optional, u32, extra), (bundle, bundles_sums, sums))
WEFT_KERNEL(bundles_two, (bundle, bundles_cells, a), (bundle, bundles_cells, b),
            (out, u32, y))
WEFT_GENERATOR(bundles_lazy, u32, (bundle, bundles_cells, cells), (value, u32, salt))
WEFT_PAIRS(bundles_fold, u32, 5, (in, u32, p), (bundle, bundles_table, table),
           (in, u32, offset, 1), (value, u32, c))
WEFT_KERNEL(bundles_forty, (bundle, bundles_many, p), (bundle, bundles_many, q),
            (bundle, bundles_many, r), (bundle, bundles_many, s), (out, u32, y))
WEFT_KERNEL(bundles_fifty, (bundle, bundles_many, p), (bundle, bundles_many, q),
            (bundle, bundles_many, r), (bundle, bundles_many, s), (bundle, bundles_many, t),
            (out, u32, y))

enum { N = 1000, BEFORE = 5 }; /* arrays are slices that begin behind BEFORE elements */

/* What the device's arrays hold, for the plain loops beside. */
static u32 start[N + 1];
static bundles_span span[N];
static f64 weight[N];

static weft_array sliced(weft_type type, const void *host, i64 n) {
    const size_t size = WEFT_SIZE(type);
    char *longer = calloc((size_t)(n + BEFORE), size);
    memcpy(longer + BEFORE * size, host, (size_t)n * size);
    const weft_array x = test_array(type, longer, n + BEFORE);
    free(longer);
    return weft_slice(device, x, BEFORE, n);
}

static bundles_cells_arrays make_cells(int weighted) {
    u64 state = 3;
    for (int i = 0; i < N; i++) {
        start[i + 1] = start[i] + (u32)(test_random(&state) % 9);
        span[i] = (bundles_span){(u32)i, (u32)(test_random(&state) >> 40)};
        weight[i] = i % 64 + 0.5;
    }
    bundles_cells_arrays cells = {.start = sliced(WEFT_U32, start, N + 1),
                                  .shift = 3,
                                  .span = sliced(WEFT_STRUCT(bundles_span), span, N),
                                  .scale = 2};
    if (weighted)
        cells.weight = sliced(WEFT_F64, weight, N);
    return cells;
}

static bundles_cells on_host(int weighted) {
    return (bundles_cells){start, 3, span, weighted ? weight : NULL, 2};
}

static bundles_sums_arrays make_sums(void) {
    static const u32 zeros[N];
    return (bundles_sums_arrays){.count = weft_array_new(device, WEFT_U32, N),
                                 .total = sliced(WEFT_U32, zeros, N),
                                 .used = sliced(WEFT_U32, zeros, 3)};
}

START_TEST(kernel) {
    static u32 extra[N], count[N], total[N];
    u32 used[3];
    for (u32 i = 0; i < N; i++)
        extra[i] = i * i;
    for (int with = 0; with < 4; with++) {
        const bundles_cells_arrays cells = make_cells(with & 1);
        const bundles_sums_arrays sums = make_sums();
        weft_array more = {0};
        if (with & 2)
            more = sliced(WEFT_U32, extra, N);
        for (int twice = 0; twice < 2; twice++)
            weft_for_each(device, N, bundles_add, .a = 17, .cells = cells, .extra = more,
                          .sums = sums);
        weft_read(device, sums.count, count);
        weft_read(device, sums.total, total);
        weft_read(device, sums.used, used);
        test_ok();
        for (i64 i = 0; i < N; i++) {
            ck_assert_uint_eq(count[i], 17 + bundles_mix(i, on_host(with & 1)) +
                                            (with & 2 ? extra[i] : 11));
            ck_assert_uint_eq(total[i], 2 * start[i]);
        }
        ck_assert(used[0] == 2 * 334 && used[1] == 2 * 333 && used[2] == 2 * 333);
    }
}
END_TEST

START_TEST(two_of_one_type) {
    static u32 host[N];
    const weft_array y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, bundles_two, .a = make_cells(1), .b = make_cells(0), .y = y);
    weft_read(device, y, host);
    test_ok();
    for (i64 i = 0; i < N; i++)
        ck_assert_uint_eq(host[i],
                          bundles_mix(i, on_host(1)) - 3 * bundles_mix(i, on_host(0)));
}
END_TEST

START_TEST(generator) {
    static u32 running[N + 1];
    const bundles_cells_arrays cells = make_cells(1);
    const i64 lengths[] = {0, 1, 63, 257, N};
    for (int s = 0; s < 5; s++) {
        const i64 n = lengths[s];
        u32 sum, expected = 0;
        const weft_array lazy = weft_lazy(n, bundles_lazy, .cells = cells, .salt = 99);
        const weft_array out = weft_array_new(device, WEFT_U32, n);
        weft_reduce(device, lazy, weft_plus(WEFT_U32), &sum);
        weft_scan(device, lazy, weft_plus(WEFT_U32), WEFT_INCLUSIVE, out);
        weft_read(device, out, running);
        test_ok();
        for (i64 i = 0; i < n; i++) {
            expected += bundles_lazy(i, on_host(1), 99);
            ck_assert_uint_eq(running[i], expected);
        }
        ck_assert_uint_eq(sum, expected);
    }
    const weft_array map = weft_lazy(N, bundles_lazy, .cells = cells, .salt = 99);
    weft_gather(device, cells.start, map, weft_slice(device, cells.start, 0, N));
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather: array 'out' overlaps what is read");
}
END_TEST

START_TEST(pairs) {
    enum { SEGMENTS = 4 };
    static u32 points[N], out[N];
    const i64 offsets[SEGMENTS + 1] = {0, 1, 130, 130, N};
    const u32 factor[4] = {3, 5, 7, 11}, offset = 1000;
    for (u32 i = 0; i < N; i++)
        points[i] = i * 2654435761u;
    const bundles_table_arrays table = {.factor = sliced(WEFT_U32, factor, 4), .length = 4};
    const weft_array result = weft_array_new(device, WEFT_U32, N);
    weft_pairs(device, test_array(WEFT_I64, offsets, SEGMENTS + 1), result, bundles_fold,
               .p = sliced(WEFT_U32, points, N), .table = table,
               .offset = sliced(WEFT_U32, &offset, 1), .c = 13);
    weft_read(device, result, out);
    test_ok();
    for (int s = 0; s < SEGMENTS; s++)
        for (i64 i = offsets[s]; i < offsets[s + 1]; i++) {
            u32 expected = 5;
            for (i64 j = offsets[s]; j < offsets[s + 1]; j++)
                expected = bundles_fold(expected, points[i], points[j],
                                        (bundles_table){factor, 4}, &offset, 13);
            ck_assert_uint_eq(out[i], expected);
        }
}
END_TEST

/* A call has room for 48 values and arrays, those of bundles counted. */
START_TEST(many) {
    static u32 host[N];
    for (u32 i = 0; i < N; i++)
        host[i] = i;
    const weft_array x = test_array(WEFT_U32, host, N), one = sliced(WEFT_U32, host, N);
    const weft_array y = weft_array_new(device, WEFT_U32, N);
    const bundles_many_arrays all = {x, x, x, one, x, x, x, x, x, x, x};
    weft_for_each(device, N, bundles_forty, .p = all, .q = all, .r = all, .s = all, .y = y);
    weft_read(device, y, host);
    test_ok();
    for (u32 i = 0; i < N; i++)
        ck_assert_uint_eq(host[i], 4 * 66 * i);
    weft_for_each(device, N, bundles_fifty, .p = all, .q = all, .r = all, .s = all,
                  .t = all, .y = y);
    test_expect_error(WEFT_E_ARGUMENT, "bundles_fifty: more than 48 values and arrays");
}
END_TEST

static void launch(bundles_cells_arrays cells, bundles_sums_arrays sums) {
    weft_for_each(device, N, bundles_add, .cells = cells, .sums = sums);
}

/* An error names the bundle and the field. */
START_TEST(errors) {
    const bundles_cells_arrays good = make_cells(1);
    const bundles_sums_arrays sums = make_sums();
    bundles_cells_arrays cells = good;
    cells.start = weft_slice(device, good.start, 0, N);
    launch(cells, sums);
    test_expect_error(WEFT_E_SHAPE, "bundles_add: array 'cells.start' has 1000 elements, "
                                    "at least 1001 are needed");
    cells = good;
    cells.span = (weft_array){0};
    launch(cells, sums);
    test_expect_error(WEFT_E_ARGUMENT, "bundles_add: array 'cells.span' is missing");
    cells = good;
    cells.weight = weft_slice(device, good.start, 0, N);
    launch(cells, sums);
    test_expect_error(WEFT_E_TYPE, "array 'cells.weight' has elements of u32, not f64");
    cells.weight = weft_slice(device, good.weight, 0, 7);
    launch(cells, sums);
    test_expect_error(WEFT_E_SHAPE, "array 'cells.weight' has 7 elements");
    cells = good;
    cells.start = weft_lazy(N + 1, bundles_lazy, .cells = good);
    launch(cells, sums);
    test_expect_error(WEFT_E_ARGUMENT, "array 'cells.start' is lazy, but must lie");
    bundles_sums_arrays written = sums;
    written.total = weft_borrow_const(device, WEFT_U32, start, N);
    launch(good, written);
    test_expect_error(WEFT_E_ARGUMENT, "array 'sums.total' is read-only");
    weft_for_each(device, N, bundles_add, .cells = good);
    test_expect_error(WEFT_E_ARGUMENT, "array 'sums.count' is missing");
    weft_for_each(device, N, bundles_add, .cells = good, .sums = sums,
                  .extra = weft_slice(device, sums.total, 0, 1));
    test_expect_error(WEFT_E_SHAPE, "array 'extra' has 1 elements");
    launch(good, sums);
    test_ok();
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {kernel, two_of_one_type, generator, pairs, many, errors};
    return test_main(argc, argv, "bundles", tests, sizeof tests / sizeof *tests);
}
