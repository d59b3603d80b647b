/* Searches against counting: how many keys come before a query, or not after it. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_f32, f32, (in, f32, x))

/* By bisection with compare_keys alone, over keys in order. */
static i64 rank_of(weft_type type, const void *sorted, i64 m, const void *queries, i64 q,
                   int upper) {
    i64 first = 0, end = m;
    while (first < end) {
        const i64 middle = (first + end) / 2;
        const int c = compare_keys(type, sorted, middle, queries, q);
        if (c < 0 || (upper && c == 0))
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static void expect(weft_array out, weft_type type, const void *sorted, i64 m,
                   const void *queries, i64 n, int upper) {
    char *got = new_zeros(out.type, n);
    weft_read(device, out, got);
    test_ok();
    for (i64 q = 0; q < n; q++) {
        i64 rank = 0;
        memcpy(&rank, got + (size_t)q * WEFT_SIZE(out.type), WEFT_SIZE(out.type));
        if (rank != rank_of(type, sorted, m, queries, q, upper))
            ck_abort_msg("query %lld: %lld", (long long)q, (long long)rank);
    }
    free(got);
}

static void check(weft_type type, weft_type out_type, i64 m, i64 n, key_pattern pattern) {
    char *keys = new_keys(type, m, pattern, 1), *sorted = new_zeros(type, m);
    char *queries = new_keys(type, n, pattern == KEYS_EQUAL ? KEYS_RANDOM : pattern, 2);
    i64 *order = new_order(type, keys, m, 0);
    const size_t size = WEFT_SIZE(type);
    for (i64 i = 0; i < m; i++)
        memcpy(sorted + (size_t)i * size, keys + (size_t)order[i] * size, size);
    for (i64 i = 0; m > 0 && i < n; i += 2) /* half of the queries are there */
        memcpy(queries + (size_t)i * size, keys + (size_t)(i % m) * size, size);
    const weft_array s = test_array(type, sorted, m), q = test_array(type, queries, n);
    const weft_array lower = weft_array_new(device, out_type, n);
    const weft_array upper = weft_array_new(device, out_type, n);
    weft_lower_bound(device, s, q, lower);
    weft_upper_bound(device, s, q, upper);
    expect(lower, type, sorted, m, queries, n, 0);
    expect(upper, type, sorted, m, queries, n, 1);
    weft_equal_range(device, s, q, upper, lower);
    expect(upper, type, sorted, m, queries, n, 0);
    expect(lower, type, sorted, m, queries, n, 1);
    weft_array_free(device, s);
    weft_array_free(device, q);
    weft_array_free(device, lower);
    weft_array_free(device, upper);
    free(keys), free(sorted), free(queries), free(order);
}

START_TEST(all_types) {
    static const i64 sizes[] = {0, 1, 2, 3, 65, 1000};
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int p = 0; p < KEY_PATTERNS; p++)
            for (int s = 0; s < 6; s++)
                check(key_types[t], p % 2 ? WEFT_I64 : WEFT_U32, sizes[s],
                      sizes[(s + p) % 6], (key_pattern)p);
}
END_TEST

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++) {
        check(WEFT_U32, WEFT_U32, test_sizes[s], 1000, KEYS_RANDOM);
        check(WEFT_U64, WEFT_I64, 1000, test_sizes[s], KEYS_RANDOM);
        check(WEFT_F32, WEFT_U32, test_sizes[s], test_sizes[s], KEYS_EXTREME);
    }
}
END_TEST

/* In so many, random queries are sorted first. */
START_TEST(more_than_caches_hold) {
    const i64 m = 700001;
    check(WEFT_U32, WEFT_U32, m, 20011, KEYS_RANDOM);
    check(WEFT_F32, WEFT_I64, m, 1100003, KEYS_FEW);
    check(WEFT_F64, WEFT_I64, m, 20011, KEYS_RANDOM);
}
END_TEST

/* In the style of GPUs so many random queries have a work-item each, as few have. */
START_TEST(many_queries) {
    if (weft_device_style(device) == WEFT_SIMT)
        check(WEFT_U16, WEFT_U32, 1000, (1 << 21) + 5, KEYS_RANDOM);
}
END_TEST

START_TEST(lazy_inputs) {
    const i64 m = 1000, n = 4097;
    f32 *sorted = new_keys(WEFT_F32, m, KEYS_RISING, 3),
        *queries = new_keys(WEFT_F32, n, KEYS_RANDOM, 4);
    const weft_array s = test_array(WEFT_F32, sorted, m),
                     q = test_array(WEFT_F32, queries, n);
    const weft_array out = weft_array_new(device, WEFT_U32, n + 1);
    weft_lower_bound(device, weft_lazy(m, lazy_f32, .x = s), weft_lazy(n, lazy_f32, .x = q),
                     out);
    expect(out, WEFT_F32, sorted, m, queries, n, 0);
    free(sorted), free(queries);
}
END_TEST

/* What the sort puts in order, the searches find in order. */
START_TEST(agrees_with_the_sort) {
    const i64 n = 1000;
    f64 *keys = new_keys(WEFT_F64, n, KEYS_EXTREME, 5);
    const weft_array k = test_array(WEFT_F64, keys, n),
                     out = weft_array_new(device, WEFT_I64, n);
    weft_sort(device, k, WEFT_ASCENDING);
    weft_read(device, k, keys);
    weft_upper_bound(device, k, k, out);
    expect(out, WEFT_F64, keys, n, keys, n, 1);
    free(keys);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    const weft_array none = {0}, a = test_array(WEFT_U32, host, 8),
                     q = test_array(WEFT_U32, host, 8);
    const weft_array out = weft_array_new(device, WEFT_U32, 8),
                     few = weft_array_new(device, WEFT_U32, 7);
    const weft_array f = weft_array_new(device, WEFT_F32, 8),
                     s = weft_array_new(device, WEFT_STRUCTS | 12, 8);
    const weft_array fixed = weft_borrow_const(device, WEFT_U32, host, 8);
    weft_lower_bound(device, none, q, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_lower_bound: array 'sorted' is missing");
    weft_lower_bound(device, s, s, out);
    test_expect_error(WEFT_E_TYPE,
                      "weft_lower_bound: array 'sorted' has elements of a struct");
    weft_lower_bound(device, a, none, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_lower_bound: array 'queries' is missing");
    weft_upper_bound(device, a, f, out);
    test_expect_error(WEFT_E_TYPE, "weft_upper_bound: array 'queries' has elements of f32");
    weft_upper_bound(device, a, q, none);
    test_expect_error(WEFT_E_ARGUMENT, "weft_upper_bound: array 'out' is missing");
    weft_upper_bound(device, a, q, f);
    test_expect_error(WEFT_E_TYPE, "'out' has elements of f32, not u32 or i64");
    weft_upper_bound(device, a, q, few);
    test_expect_error(WEFT_E_SHAPE, "weft_upper_bound: array 'out' has 7 elements");
    weft_upper_bound(device, a, q, fixed);
    test_expect_error(WEFT_E_ARGUMENT, "weft_upper_bound: array 'out' is read-only");
    weft_upper_bound(device, a, q, q);
    test_expect_error(WEFT_E_ARGUMENT, "weft_upper_bound: array 'out' overlaps");
    weft_equal_range(device, a, q, few, out);
    test_expect_error(WEFT_E_SHAPE, "weft_equal_range: array 'lower' has 7 elements");
    weft_equal_range(device, a, q, out, none);
    test_expect_error(WEFT_E_ARGUMENT, "weft_equal_range: array 'upper' is missing");
    weft_equal_range(device, a, q, out, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_equal_range: array 'upper' overlaps");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_types,      all_sizes,   more_than_caches_hold,
                                  many_queries,   lazy_inputs, agrees_with_the_sort,
                                  wrong_arguments};
    return test_main(argc, argv, "search", tests, sizeof tests / sizeof *tests);
}
