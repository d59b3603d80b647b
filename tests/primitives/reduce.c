/* Reductions against loops: every size, type and operator, in memory and lazy. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"
#include "operators.kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u8, u8, (in, u8, x))
WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))
WEFT_GENERATOR(lazy_f32, f32, (in, f32, x))
WEFT_OPERATOR(operators_join, operators_box, {INT32_MAX, INT32_MIN, 0, 0})
WEFT_OPERATOR(operators_keep, operators_giant, {{0}})

static void define(const weft_operator *op, const char *in, i64 n, char *sum) {
    const size_t size = WEFT_SIZE(op->type);
    memcpy(sum, op->identity, size);
    for (i64 i = 0; i < n; i++)
        op->combine(sum, in + (size_t)i * size, sum, 1);
}

static void check(const weft_operator *op, const char *in, i64 n) {
    const size_t size = WEFT_SIZE(op->type);
    char expected[64], got[64], pair[128] = {0}, zeros[64] = {0};
    define(op, in, n, expected);
    const weft_array a = test_array(op->type, in, n), out = test_array(op->type, pair, 2);
    weft_reduce(device, a, op, got);
    test_ok();
    ck_assert_mem_eq(got, expected, size);
    weft_reduce_into(device, a, op, out);
    weft_read(device, out, pair);
    test_ok();
    ck_assert_mem_eq(pair, expected, size);
    ck_assert_mem_eq(pair + size, zeros, size);
    weft_array_free(device, a);
    weft_array_free(device, out);
}

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++) {
        const i64 n = test_sizes[s];
        char *in = new_keys(WEFT_STRUCTS | 16, n, KEYS_RANDOM, (u64)s);
        check(weft_plus(WEFT_U32), in, n);
        check(weft_maximum(WEFT_I64), in, n);
        check(weft_op(operators_join), in, n);
        free(in);
    }
}
END_TEST

START_TEST(all_types) {
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int s = 0; s < SOME_SIZES; s++) {
            const i64 n = some_sizes[s];
            char *in = new_keys(key_types[t], n, KEYS_RANDOM, (u64)t);
            check(weft_maximum(key_types[t]), in, n);
            if (key_types[t] < WEFT_F32)
                check(weft_plus(key_types[t]), in, n);
            free(in);
        }
}
END_TEST

/* (What the operators do to each type is tested in operators.c.) */
START_TEST(all_operators) {
    for (int s = 0; s < SOME_SIZES; s++) {
        const i64 n = some_sizes[s];
        char *in = new_keys(WEFT_U32, n, KEYS_RANDOM, (u64)s);
        check(weft_minimum(WEFT_U32), in, n);
        check(weft_times(WEFT_U32), in, n);
        check(weft_bit_or(WEFT_U32), in, n);
        check(weft_bit_and(WEFT_U32), in, n);
        free(in);
    }
}
END_TEST

/* Sums of floats lie within their error bound, and are the same each time. */
START_TEST(float_sums) {
    const i64 n = 100003;
    f32 *in = new_zeros(WEFT_F32, n), sum, again;
    u64 seed = 3;
    f64 exact = 0, size = 0;
    for (i64 i = 0; i < n; i++) {
        in[i] = (f32)((f64)(i64)test_random(&seed) * 0x1p-63);
        exact += in[i], size += fabs(in[i]);
    }
    const weft_array a = test_array(WEFT_F32, in, n);
    weft_reduce(device, a, weft_plus(WEFT_F32), &sum);
    weft_reduce(device, weft_lazy(n, lazy_f32, .x = a), weft_plus(WEFT_F32), &again);
    test_ok();
    ck_assert_double_le(fabs(sum - exact), size * 0x1p-24 * 1000);
    ck_assert_mem_eq(&sum, &again, sizeof sum);
    free(in);
}
END_TEST

/* Extremes of floats do not depend on the order of the elements, nor do zeros and NaN. */
START_TEST(law_of_permuting) {
    const i64 n = 1000;
    f32 *in = new_keys(WEFT_F32, n, KEYS_EXTREME, 4), low, high, low_back, high_back;
    for (i64 i = 0; i < n; i++)
        if (isinf(in[i]) || in[i] < 0)
            in[i] = 0.0f;
    f32 *back = new_zeros(WEFT_F32, n);
    for (i64 i = 0; i < n; i++)
        back[i] = in[n - 1 - i];
    const weft_array a = test_array(WEFT_F32, in, n), b = test_array(WEFT_F32, back, n);
    weft_reduce(device, a, weft_minimum(WEFT_F32), &low);
    weft_reduce(device, b, weft_minimum(WEFT_F32), &low_back);
    weft_reduce(device, a, weft_maximum(WEFT_F32), &high);
    weft_reduce(device, b, weft_maximum(WEFT_F32), &high_back);
    ck_assert_mem_eq(&low, &low_back, sizeof low);
    ck_assert_mem_eq(&high, &high_back, sizeof high);
    ck_assert(low == 0 && signbit(low));
    ck_assert(high == 1e-42f);
    free(in);
    free(back);
}
END_TEST

static void check_extremes(weft_type type, const void *keys, i64 n, weft_array in) {
    i64 low = n > 0 ? 0 : -1, high = low, least = 5, greatest = 5;
    for (i64 i = 1; i < n; i++) {
        low = compare_keys(type, keys, i, keys, low) < 0 ? i : low;
        high = compare_keys(type, keys, i, keys, high) > 0 ? i : high;
    }
    weft_min_element(device, in, &least);
    weft_max_element(device, in, &greatest);
    test_ok();
    ck_assert_int_eq(least, low);
    ck_assert_int_eq(greatest, high);
    weft_minmax_element(device, in, &least, &greatest);
    test_ok();
    ck_assert_int_eq(least, low);
    ck_assert_int_eq(greatest, high);
}

START_TEST(extremes_of_all_types) {
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int s = 0; s < SOME_SIZES; s++)
            for (int p = 0; p < KEY_PATTERNS; p++) {
                const i64 n = some_sizes[s];
                void *keys = new_keys(key_types[t], n, (key_pattern)p, (u64)p);
                const weft_array in = test_array(key_types[t], keys, n);
                check_extremes(key_types[t], keys, n, in);
                weft_array_free(device, in);
                free(keys);
            }
}
END_TEST

START_TEST(extremes_of_all_sizes) {
    for (int s = 0; s < test_size_count; s++) {
        const i64 n = test_sizes[s];
        void *keys = new_keys(WEFT_F32, n, s % 2 ? KEYS_RANDOM : KEYS_FEW, (u64)s);
        const weft_array in = test_array(WEFT_F32, keys, n);
        check_extremes(WEFT_F32, keys, n, in);
        check_extremes(WEFT_F32, keys, n, weft_lazy(n, lazy_f32, .x = in));
        free(keys);
    }
}
END_TEST

START_TEST(counts) {
    for (int s = 0; s < test_size_count; s++)
        for (int p = 0; p < 4; p++) {
            const i64 n = test_sizes[s];
            u32 *flags = new_zeros(WEFT_U32, n);
            i64 expected = 0, count = -1;
            u64 seed = 5;
            for (i64 i = 0; i < n; i++) {
                const u32 bits = (u32)test_random(&seed) | 0x80000000u;
                flags[i] = p == 0 ? 0 : p == 1 ? bits : p == 2 ? bits % 3 : i != n - 1;
                expected += flags[i] != 0;
            }
            const weft_array a = test_array(WEFT_U32, flags, n);
            int all = -1, any = -1, none = -1;
            weft_count_if(device, a, &count);
            ck_assert_int_eq(count, expected);
            weft_count_if(device, weft_lazy(n, lazy_u32, .x = a), &count);
            ck_assert_int_eq(count, expected);
            weft_all(device, weft_lazy(n, lazy_u32, .x = a), &all);
            weft_any(device, a, &any);
            weft_none(device, weft_lazy(n, lazy_u32, .x = a), &none);
            test_ok();
            ck_assert_int_eq(all, expected == n);
            ck_assert_int_eq(any, expected > 0);
            ck_assert_int_eq(none, expected == 0);
            free(flags);
        }
}
END_TEST

START_TEST(inner_products) {
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int s = 0; s < SOME_SIZES; s++) {
            const weft_type type = key_types[t];
            const i64 n = some_sizes[s];
            const size_t size = WEFT_SIZE(type);
            char *a = new_keys(type, n, KEYS_RANDOM, 6),
                 *b = new_keys(type, n, KEYS_RANDOM, 7);
            char *products = new_zeros(type, n), expected[8], got[8];
            for (i64 i = 0; i < n; i++) { /* small whole numbers: floats add exactly */
                if (type == WEFT_F32)
                    ((f32 *)(void *)a)[i] = (f32)(i % 13),
                                  ((f32 *)(void *)b)[i] = (f32)(i % 7);
                if (type == WEFT_F64)
                    ((f64 *)(void *)a)[i] = (f64)(i % 13),
                                  ((f64 *)(void *)b)[i] = (f64)(i % 7);
            }
            weft_times(type)->combine(a, b, products, n);
            define(weft_plus(type), products, n, expected);
            weft_inner_product(device, test_array(type, a, n), test_array(type, b, n), got);
            test_ok();
            ck_assert_mem_eq(got, expected, size);
            free(a), free(b), free(products);
        }
}
END_TEST

START_TEST(lazy_inputs) {
    const i64 n = 100003;
    u8 *bytes = new_keys(WEFT_U8, n, KEYS_RANDOM, 8), sum, expected = 0, product, inner = 0;
    for (i64 i = 0; i < n; i++) {
        expected = (u8)(expected + bytes[i]);
        inner = (u8)(inner + bytes[i] * bytes[i]);
    }
    const weft_array a = test_array(WEFT_U8, bytes, n);
    weft_reduce(device, weft_lazy(n, lazy_u8, .x = a), weft_plus(WEFT_U8), &sum);
    weft_inner_product(device, weft_lazy(n, lazy_u8, .x = a), a, &product);
    test_ok();
    ck_assert_uint_eq(sum, expected);
    ck_assert_uint_eq(product, inner);
    free(bytes);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {1}, result = 9;
    i64 index = 9, other = 9;
    int yes = 9;
    const weft_operator *plus = weft_plus(WEFT_U32);
    const weft_array none = {0}, a = test_array(WEFT_U32, host, 8);
    const weft_array f = weft_array_new(device, WEFT_F32, 8),
                     empty = weft_array_new(device, WEFT_U32, 0);
    const weft_array s = weft_array_new(device, WEFT_STRUCTS | 12, 8);
    const weft_array fixed = weft_borrow_const(device, WEFT_U32, host, 8);
    const weft_array giants = weft_array_new(device, WEFT_STRUCT(operators_giant), 2);
    weft_reduce(device, none, plus, &result);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce: array 'in' is missing");
    ck_assert_uint_eq(result, 0);
    weft_reduce(device, a, plus, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce: 'result' is NULL");
    weft_reduce(device, a, NULL, &result);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce: operator 'op' is NULL");
    weft_reduce(device, f, weft_bit_or(WEFT_F32), (void *)&result);
    test_expect_error(WEFT_E_ARGUMENT, "for types that have none: the elements are f32");
    weft_reduce(device, f, plus, (void *)&result);
    test_expect_error(WEFT_E_TYPE, "takes u32, but the elements are f32");
    weft_reduce_into(device, giants, weft_op(operators_keep), giants);
    test_expect_error(WEFT_E_TYPE, "takes 4100 bytes");
    weft_reduce_into(device, a, plus, none);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_into: array 'out' is missing");
    weft_reduce_into(device, a, plus, empty);
    test_expect_error(WEFT_E_SHAPE, "'out' has 0 elements, at least 1");
    weft_reduce_into(device, a, plus, f);
    test_expect_error(WEFT_E_TYPE, "weft_reduce_into: array 'out' has elements of f32");
    weft_reduce_into(device, a, plus, fixed);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_into: array 'out' is read-only");
    weft_reduce_into(device, a, plus, weft_lazy(8, lazy_u32, .x = a));
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_into: array 'out' is lazy");
    weft_reduce_into(device, a, plus, weft_slice(device, a, 7, 1));
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_into: array 'out' overlaps");
    weft_inner_product(device, s, s, (void *)&result);
    test_expect_error(WEFT_E_TYPE,
                      "weft_inner_product: array 'a' has elements of a struct");
    weft_inner_product(device, a, f, &result);
    test_expect_error(WEFT_E_TYPE, "weft_inner_product: array 'b' has elements of f32");
    weft_inner_product(device, a, empty, &result);
    test_expect_error(WEFT_E_SHAPE, "weft_inner_product: array 'b' has 0 elements");
    weft_inner_product(device, a, a, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_inner_product: 'result' is NULL");
    weft_min_element(device, s, &index);
    test_expect_error(WEFT_E_TYPE, "weft_min_element: array 'in' has elements of a struct");
    ck_assert_int_eq(index, 0);
    weft_max_element(device, none, &index);
    test_expect_error(WEFT_E_ARGUMENT, "weft_max_element: array 'in' is missing");
    weft_max_element(device, a, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_max_element: 'index' is NULL");
    weft_minmax_element(device, a, NULL, &other);
    test_expect_error(WEFT_E_ARGUMENT, "weft_minmax_element: 'least' is NULL");
    weft_minmax_element(device, a, &index, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_minmax_element: 'greatest' is NULL");
    ck_assert_int_eq(index, 0);
    weft_count_if(device, f, &index);
    test_expect_error(WEFT_E_TYPE,
                      "weft_count_if: array 'flags' has elements of f32, not u32");
    weft_count_if(device, a, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_count_if: 'count' is NULL");
    weft_all(device, f, &yes);
    test_expect_error(WEFT_E_TYPE, "weft_all: array 'flags' has elements of f32");
    ck_assert_int_eq(yes, 0);
    weft_any(device, none, &yes);
    test_expect_error(WEFT_E_ARGUMENT, "weft_any: array 'flags' is missing");
    weft_none(device, a, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_none: 'result' is NULL");
}
END_TEST

/* After an error every result in host memory is 0. */
START_TEST(results_after_an_error) {
    u32 host[8] = {1}, sum = 9, product = 9;
    i64 index = 9, least = 9, greatest = 9, count = 9;
    int all = 9;
    const weft_array a = test_array(WEFT_U32, host, 8);
    weft_fail(device, WEFT_E_CHECK, "on purpose");
    ck_assert_int_eq(weft_reduce(device, a, weft_plus(WEFT_U32), &sum), WEFT_E_CHECK);
    weft_inner_product(device, a, a, &product);
    weft_min_element(device, a, &index);
    weft_minmax_element(device, a, &least, &greatest);
    weft_count_if(device, a, &count);
    weft_all(device, a, &all);
    test_expect_error(WEFT_E_CHECK, "on purpose");
    ck_assert(sum == 0 && product == 0 && index == 0 && least == 0 && greatest == 0);
    ck_assert(count == 0 && all == 0);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_sizes,
                                  all_types,
                                  all_operators,
                                  float_sums,
                                  law_of_permuting,
                                  extremes_of_all_types,
                                  extremes_of_all_sizes,
                                  counts,
                                  inner_products,
                                  lazy_inputs,
                                  wrong_arguments,
                                  results_after_an_error};
    return test_main(argc, argv, "reduce", tests, sizeof tests / sizeof *tests);
}
