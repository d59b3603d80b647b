/* Histograms by ranges against a loop over all bins for each number. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))

/* x[i] <= y[j], as C compares. */
static int not_above(weft_type type, const void *x, i64 i, const void *y, i64 j) {
    switch (type) {
    case WEFT_F32:
        return ((const f32 *)x)[i] <= ((const f32 *)y)[j];
    case WEFT_F64:
        return ((const f64 *)x)[i] <= ((const f64 *)y)[j];
    default:
        return compare_keys(type, x, i, y, j) <= 0;
    }
}

static int below(weft_type type, const void *x, i64 i, const void *y, i64 j) {
    return not_above(type, x, i, y, j) && !not_above(type, y, j, x, i);
}

static i64 *new_counts(weft_type type, const void *x, i64 n, const void *edges, i64 k) {
    i64 *counts = new_zeros(WEFT_I64, k);
    for (i64 i = 0; i < n; i++)
        for (i64 b = 0; b < k; b++)
            counts[b] += not_above(type, edges, b, x, i) && below(type, x, i, edges, b + 1);
    return counts;
}

/* Edges that are random, or extreme with infinities; NaN is none. */
static void *new_edges(weft_type type, i64 k, key_pattern pattern) {
    void *edges = new_keys(type, k + 1, pattern, 7);
    const weft_array sorted = test_array(type, edges, k + 1);
    for (i64 b = 0; b <= k; b++) {
        if (type == WEFT_F32 && isnan(((f32 *)edges)[b]))
            ((f32 *)edges)[b] = (f32)b;
        if (type == WEFT_F64 && isnan(((f64 *)edges)[b]))
            ((f64 *)edges)[b] = (f64)b;
    }
    weft_write(device, sorted, edges);
    weft_sort(device, sorted, WEFT_ASCENDING);
    weft_read(device, sorted, edges);
    weft_array_free(device, sorted);
    return edges;
}

static void check_ranges(weft_type type, i64 n, i64 k, key_pattern pattern) {
    void *x = new_keys(type, n, pattern, 1), *edges = new_edges(type, k, pattern);
    i64 *expected = new_counts(type, x, n, edges, k);
    const weft_array a = test_array(type, x, n), e = test_array(type, edges, k + 1),
                     narrow = test_array(WEFT_U32, expected, k),
                     wide = test_array(WEFT_I64, expected, k);
    weft_histogram_ranges(device, a, e, narrow);
    expect_counts(narrow, expected);
    weft_histogram_ranges(device, a, e, wide);
    expect_counts(wide, expected);
    weft_array_free(device, a), weft_array_free(device, e);
    weft_array_free(device, narrow), weft_array_free(device, wide);
    free(x), free(edges), free(expected);
}

START_TEST(ranges) {
    static const i64 bins[] = {0, 1, 2, 7, 64, 300};
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int s = 0; s < 12; s++)
            check_ranges(key_types[t], some_sizes[s % 6], bins[(s + t) % 6],
                         s & 1   ? KEYS_EXTREME
                         : s & 2 ? KEYS_FEW
                                 : KEYS_RANDOM);
}
END_TEST

/* Integers by the quotient itself; of 32 bits, so that products fit. */
START_TEST(even_integers) {
    static const i64 bins[] = {1, 3, 10, 1000};
    static const i32 bounds[][2] = {{0, 10},
                                    {-5, 6},
                                    {-1000, 2147483647},
                                    {100, 107},
                                    {-2147483647 - 1, 2147483647},
                                    {2147483640, 2147483647}};
    enum { N = 3000 };
    i32 *x = new_keys(WEFT_I32, N, KEYS_RANDOM, 3);
    for (i32 i = 0; i < 2000; i++)
        x[i] = i < 1000 ? i - 500 : i < 1200 ? 2147483647 - (i - 1000) : x[i];
    const weft_array a = test_array(WEFT_I32, x, N);
    for (int s = 0; s < 24; s++) {
        const i64 k = bins[s % 4];
        const i32 low = bounds[s / 4][0], high = bounds[s / 4][1];
        i64 *expected = new_zeros(WEFT_I64, k);
        for (int i = 0; i < N; i++)
            if (low <= x[i] && x[i] < high)
                expected[((i64)x[i] - low) * k / ((i64)high - low)]++;
        const weft_array counts = test_array(WEFT_U32, expected, k);
        weft_histogram_even(device, a, &low, &high, counts);
        expect_counts(counts, expected);
        free(expected);
    }
    free(x);
}
END_TEST

/* Floats at, just below and just above each edge, of which the definition is the header's.
 */
static void check_even_floats(weft_type type, f64 low, f64 high, i64 k) {
    const i64 n = 3 * (k + 1) + 40;
    char *edges = new_zeros(type, k + 1), *x = new_keys(type, n, KEYS_EXTREME, 5);
    f32 low_narrow = (f32)low, high_narrow = (f32)high;
    f64 before = low;
    for (i64 b = 0; b <= k; b++) {
        const f64 s = (f64)b / (f64)k;
        const f64 there = b == 0 ? low : b == k ? high : low * (1 - s) + high * s;
        const f64 edge = there < before ? before : there > high ? high : there;
        before = edge;
        f32 narrow = (f32)edge;
        if ((f64)narrow < edge)
            narrow = nextafterf(narrow, INFINITY);
        if (type == WEFT_F32) {
            ((f32 *)edges)[b] = narrow;
            ((f32 *)x)[3 * b] = narrow;
            ((f32 *)x)[3 * b + 1] = nextafterf(narrow, -INFINITY);
            ((f32 *)x)[3 * b + 2] = nextafterf(narrow, INFINITY);
        } else {
            ((f64 *)edges)[b] = edge;
            ((f64 *)x)[3 * b] = edge;
            ((f64 *)x)[3 * b + 1] = nextafter(edge, -INFINITY);
            ((f64 *)x)[3 * b + 2] = nextafter(edge, INFINITY);
        }
    }
    i64 *expected = new_counts(type, x, n, edges, k);
    const weft_array a = test_array(type, x, n), counts = test_array(WEFT_I64, expected, k);
    const void *from = &low, *to = &high;
    if (type == WEFT_F32)
        from = &low_narrow, to = &high_narrow;
    weft_histogram_even(device, a, from, to, counts);
    expect_counts(counts, expected);
    weft_array_free(device, a), weft_array_free(device, counts);
    free(edges), free(x), free(expected);
}

START_TEST(even_floats) {
    static const f64 bounds[][2] = {{0, 1},         {-1, 1},         {0.1f, 0.7f},
                                    {1e6, 1000001}, {-3e38f, 3e38f}, {0, 1e-42f}};
    static const i64 bins[] = {1, 3, 100, 700};
    for (int s = 0; s < 24; s++) {
        check_even_floats(WEFT_F32, bounds[s / 4][0], bounds[s / 4][1], bins[s % 4]);
        check_even_floats(WEFT_F64, bounds[s / 4][0], bounds[s / 4][1], bins[s % 4]);
    }
    check_even_floats(WEFT_F64, -1.7e308, 1.7e308, 10);
    check_even_floats(WEFT_F64, 1, 1 + 0x1p-43, 700); /* more edges than numbers, */
    for (i64 k = 250; k < 260; k++)                   /*   and rounded out of order */
        check_even_floats(WEFT_F64, 0x1p53, 0x1p53 + 8, k);
    check_even_floats(WEFT_F64, 0x1p53, 0x1p53 + 8, 5000);
}
END_TEST

/* Of every type, as by the edges that integers have where k divides the span. */
START_TEST(even_types) {
    for (int t = 0; t < 8; t++) {
        const weft_type type = key_types[t];
        u64 low = 10, high = 10 + 4 * 17, edges[18];
        char packed[18 * 8];
        void *x = new_keys(type, 4097, KEYS_RANDOM, 6);
        for (u64 b = 0; b < 18; b++) {
            edges[b] = 10 + 4 * b;
            memcpy(packed + b * WEFT_SIZE(type), &edges[b], WEFT_SIZE(type));
        }
        for (int i = 0; i < 2000; i++) {
            const u64 near = (u64)i % 100;
            memcpy((char *)x + (size_t)i * WEFT_SIZE(type), &near, WEFT_SIZE(type));
        }
        i64 *expected = new_counts(type, x, 4097, packed, 17);
        const weft_array a = test_array(type, x, 4097),
                         counts = test_array(WEFT_I64, expected, 17);
        weft_histogram_even(device, a, (const void *)&low, (const void *)&high, counts);
        expect_counts(counts, expected);
        free(x), free(expected);
    }
}
END_TEST

START_TEST(lazy_inputs) {
    enum { N = 1000, K = 9 };
    u32 *x = new_keys(WEFT_U32, N, KEYS_RANDOM, 1);
    u32 *edges = new_edges(WEFT_U32, K, KEYS_RANDOM);
    i64 *expected = new_counts(WEFT_U32, x, N, edges, K);
    const weft_array a = test_array(WEFT_U32, x, N), e = test_array(WEFT_U32, edges, K + 1),
                     counts = test_array(WEFT_I64, expected, K);
    weft_histogram_ranges(device, weft_lazy(N, lazy_u32, .x = a),
                          weft_lazy(K + 1, lazy_u32, .x = e), counts);
    expect_counts(counts, expected);
    free(x), free(edges), free(expected);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0}, low = 3, high = 9;
    const f32 none_is_one = NAN, one = 1;
    const weft_array none = {0}, a = test_array(WEFT_U32, host, 8),
                     counts = weft_array_new(device, WEFT_U32, 8),
                     f = weft_array_new(device, WEFT_F32, 9);
    weft_histogram_ranges(device, none, a, counts);
    test_expect_error(WEFT_E_ARGUMENT, "weft_histogram_ranges: array 'in' is missing");
    weft_histogram_ranges(device, a, f, counts);
    test_expect_error(WEFT_E_TYPE, "weft_histogram_ranges: array 'edges' has elements of");
    weft_histogram_ranges(device, a, a, counts);
    test_expect_error(WEFT_E_SHAPE, "weft_histogram_ranges: array 'edges' has 8 elements");
    weft_histogram_ranges(device, f, f, f);
    test_expect_error(WEFT_E_TYPE, "'counts' has elements of f32, not u32 or i64");
    weft_histogram_even(device, a, &high, &low, counts);
    test_expect_error(WEFT_E_ARGUMENT, "weft_histogram_even: 'low' is not below 'high'");
    weft_histogram_even(device, f, &none_is_one, &one, counts);
    test_expect_error(WEFT_E_ARGUMENT, "weft_histogram_even: 'low' is not below 'high'");
    weft_histogram_even(device, f, &low, &one, counts);
    test_expect_error(WEFT_E_TYPE, "weft_histogram_even: 'low'");
    weft_histogram_even(device, a, (const void *)NULL, &high, counts);
    test_expect_error(WEFT_E_ARGUMENT, "weft_histogram_even: 'low' is NULL");
    weft_histogram_even(device, a, &low, &high, a);
    test_expect_error(WEFT_E_ARGUMENT, "weft_histogram_even: array 'counts' overlaps");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {ranges,     even_integers, even_floats,
                                  even_types, lazy_inputs,   wrong_arguments};
    return test_main(argc, argv, "histogram_ranges", tests, sizeof tests / sizeof *tests);
}
