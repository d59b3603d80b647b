/* Merges against a stable sort of both inputs, one after the other. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_f32, f32, (in, f32, x))
WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))

static void expect_taken(weft_array out, const char *in, const i64 *order, i64 n) {
    const size_t size = WEFT_SIZE(out.type);
    char *got = new_zeros(out.type, out.length);
    weft_read(device, out, got);
    test_ok();
    for (i64 i = 0; i < n; i++)
        if (memcmp(got + (size_t)i * size, in + (size_t)order[i] * size, size) != 0)
            ck_abort_msg("element %lld is not input %lld", (long long)i,
                         (long long)order[i]);
    free(got);
}

/* n and m sorted keys, one after the other. */
static char *new_halves(weft_type type, i64 n, i64 m, key_pattern pattern) {
    const size_t size = WEFT_SIZE(type);
    char *keys = new_keys(type, n + m, pattern, 1), *halves = new_zeros(type, n + m);
    i64 *first = new_order(type, keys, n, 0);
    i64 *second = new_order(type, keys + (size_t)n * size, m, 0);
    for (i64 i = 0; i < n + m; i++)
        memcpy(halves + (size_t)i * size,
               keys + (size_t)(i < n ? first[i] : n + second[i - n]) * size, size);
    free(keys), free(first), free(second);
    return halves;
}

static void check(weft_type type, weft_type value_type, i64 n, i64 m, key_pattern pattern) {
    char *keys = new_halves(type, n, m, pattern),
         *values = new_keys(value_type, n + m, KEYS_RANDOM, 2);
    i64 *order = new_order(type, keys, n + m, 0);
    const weft_array k = test_array(type, keys, n + m),
                     v = test_array(value_type, values, n + m);
    const weft_array a = weft_slice(device, k, 0, n), b = weft_slice(device, k, n, m);
    const weft_array av = weft_slice(device, v, 0, n), bv = weft_slice(device, v, n, m);
    const weft_array out = weft_array_new(device, type, n + m);
    const weft_array values_out = weft_array_new(device, value_type, n + m);
    weft_merge(device, a, b, out);
    expect_taken(out, keys, order, n + m);
    weft_merge_by_key(device, a, av, b, bv, out, values_out);
    expect_taken(out, keys, order, n + m);
    expect_taken(values_out, values, order, n + m);
    weft_array_free(device, k), weft_array_free(device, v);
    weft_array_free(device, out), weft_array_free(device, values_out);
    free(keys), free(values), free(order);
}

START_TEST(all_keys) {
    static const i64 sizes[] = {0, 1, 65, 1000};
    check_all_keys(check, sizes);
}
END_TEST

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++) {
        check(WEFT_U32, WEFT_U64, test_sizes[s], test_sizes[(s + 5) % test_size_count],
              KEYS_RANDOM);
        check(WEFT_F32, WEFT_U32, 100, test_sizes[s], KEYS_FEW);
    }
}
END_TEST

START_TEST(values_of_every_type) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        check(WEFT_U32, moved_types[t], 300, 700, KEYS_FEW);
}
END_TEST

START_TEST(lazy_inputs) {
    const i64 n = 1000, m = 500;
    char *keys = new_halves(WEFT_F32, n, m, KEYS_RANDOM),
         *values = new_keys(WEFT_U32, n + m, KEYS_RANDOM, 3);
    i64 *order = new_order(WEFT_F32, keys, n + m, 0);
    const weft_array k = test_array(WEFT_F32, keys, n + m),
                     v = test_array(WEFT_U32, values, n + m);
    const weft_array b = weft_slice(device, k, n, m), bv = weft_slice(device, v, n, m);
    const weft_array out = weft_array_new(device, WEFT_F32, n + m),
                     values_out = weft_array_new(device, WEFT_U32, n + m);
    weft_merge_by_key(device, weft_lazy(n, lazy_f32, .x = k),
                      weft_lazy(n, lazy_u32, .x = v), weft_lazy(m, lazy_f32, .x = b),
                      weft_lazy(m, lazy_u32, .x = bv), out, values_out);
    expect_taken(out, keys, order, n + m);
    expect_taken(values_out, values, order, n + m);
    weft_merge(device, weft_lazy(n, lazy_f32, .x = k), b, out);
    expect_taken(out, keys, order, n + m);
    free(keys), free(values), free(order);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    const weft_array none = {0}, a = test_array(WEFT_U32, host, 8),
                     b = test_array(WEFT_U32, host, 8);
    const weft_array out = weft_array_new(device, WEFT_U32, 16),
                     more = weft_array_new(device, WEFT_U32, 16);
    const weft_array few = weft_array_new(device, WEFT_U32, 7),
                     f = weft_array_new(device, WEFT_F32, 16);
    const weft_array s = weft_array_new(device, WEFT_STRUCTS | 12, 16);
    const weft_array fixed = weft_borrow_const(device, WEFT_U32, host, 8);
    weft_merge(device, none, b, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_merge: array 'a' is missing");
    weft_merge(device, a, none, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_merge: array 'b' is missing");
    weft_merge(device, s, weft_slice(device, s, 0, 0), s);
    test_expect_error(WEFT_E_ARGUMENT, "weft_merge: array 'out' overlaps");
    weft_merge(device, weft_slice(device, s, 0, 4), weft_slice(device, s, 4, 4),
               weft_slice(device, s, 8, 8));
    test_expect_error(WEFT_E_TYPE, "weft_merge: array 'a' has elements of a struct");
    weft_merge(device, a, f, out);
    test_expect_error(WEFT_E_TYPE, "weft_merge: array 'b' has elements of f32");
    weft_merge(device, a, b, more);
    test_ok();
    weft_merge(device, a, b, weft_slice(device, out, 0, 15));
    test_expect_error(WEFT_E_SHAPE, "weft_merge: array 'out' has 15 elements, at least 16");
    weft_merge(device, few, weft_slice(device, few, 0, 1), fixed);
    test_expect_error(WEFT_E_ARGUMENT, "weft_merge: array 'out' is read-only");
    weft_merge(device, a, b, none);
    test_expect_error(WEFT_E_ARGUMENT, "weft_merge: array 'out' is missing");
    weft_merge_by_key(device, none, a, b, b, out, more);
    test_expect_error(WEFT_E_ARGUMENT, "weft_merge_by_key: array 'a_keys' is missing");
    weft_merge_by_key(device, a, few, b, b, out, more);
    test_expect_error(WEFT_E_SHAPE, "weft_merge_by_key: array 'a_values' has 7 elements");
    weft_merge_by_key(device, a, a, f, b, out, more);
    test_expect_error(WEFT_E_TYPE, "weft_merge_by_key: array 'b_keys' has elements of f32");
    weft_merge_by_key(device, a, a, b, f, out, more);
    test_expect_error(WEFT_E_TYPE,
                      "weft_merge_by_key: array 'b_values' has elements of f32");
    weft_merge_by_key(device, a, a, b, b, few, more);
    test_expect_error(WEFT_E_SHAPE, "weft_merge_by_key: array 'keys_out' has 7 elements");
    weft_merge_by_key(device, a, a, b, b, out, f);
    test_expect_error(WEFT_E_TYPE,
                      "weft_merge_by_key: array 'values_out' has elements of f32");
    weft_merge_by_key(device, a, a, b, b, out, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_merge_by_key: array 'values_out' overlaps");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_keys, all_sizes, values_of_every_type, lazy_inputs,
                                  wrong_arguments};
    return test_main(argc, argv, "merge", tests, sizeof tests / sizeof *tests);
}
