/* Set operations against their definition: counts of each key. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_f32, f32, (in, f32, x))
WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))

enum { UNION, INTERSECTION, DIFFERENCE, SYMMETRIC_DIFFERENCE, OPERATIONS };

/* Sorted keys of a[0 .. n) and, after those, of b[0 .. m); every third of b is one of a. */
static char *new_sides(weft_type type, i64 n, i64 m, key_pattern pattern) {
    const size_t size = WEFT_SIZE(type);
    char *keys = new_keys(type, n + m, pattern, 1), *sides = new_zeros(type, n + m);
    for (i64 j = 0; n > 0 && j < m; j += 3)
        memcpy(keys + (size_t)(n + j) * size, keys + (size_t)(j * 7 % n) * size, size);
    i64 *first = new_order(type, keys, n, 0);
    i64 *second = new_order(type, keys + (size_t)n * size, m, 0);
    for (i64 i = 0; i < n + m; i++)
        memcpy(sides + (size_t)i * size,
               keys + (size_t)(i < n ? first[i] : n + second[i - n]) * size, size);
    free(keys), free(first), free(second);
    return sides;
}

static i64 add(i64 *list, i64 count, i64 first, i64 end) {
    for (; first < end; first++)
        list[count++] = first;
    return count;
}

/* The numbers of what is in the result, those of b from n on; returns how many. */
static i64 expected(int operation, weft_type type, const void *keys, i64 n, i64 m,
                    i64 *list) {
    i64 count = 0;
    for (i64 i = 0, j = n; i < n || j < n + m;) {
        const int b_first =
            i == n || (j < n + m && compare_keys(type, keys, j, keys, i) < 0);
        const i64 key = b_first ? j : i;
        i64 a_end = i, b_end = j;
        while (a_end < n && compare_keys(type, keys, a_end, keys, key) == 0)
            a_end++;
        while (b_end < n + m && compare_keys(type, keys, b_end, keys, key) == 0)
            b_end++;
        const i64 p = a_end - i, q = b_end - j, both = p < q ? p : q;
        if (operation == UNION)
            count = add(list, add(list, count, i, a_end), j + both, b_end);
        else if (operation == INTERSECTION)
            count = add(list, count, i, i + both);
        else if (operation == DIFFERENCE)
            count = add(list, count, i + both, a_end);
        else
            count = add(list, add(list, count, i + both, a_end), j + both, b_end);
        i = a_end, j = b_end;
    }
    return count;
}

typedef weft_status set_operation(weft_device *, weft_array, weft_array, weft_array, i64 *);
static set_operation *const operations[] = {weft_set_union, weft_set_intersection,
                                            weft_set_difference,
                                            weft_set_symmetric_difference};

static void run_by_key(int operation, weft_array a, weft_array av, weft_array b,
                       weft_array bv, weft_array out, weft_array values, i64 *count) {
    if (operation == UNION)
        weft_set_union_by_key(device, a, av, b, bv, out, values, count);
    else if (operation == INTERSECTION)
        weft_set_intersection_by_key(device, a, av, b, out, values, count);
    else if (operation == DIFFERENCE)
        weft_set_difference_by_key(device, a, av, b, out, values, count);
    else
        weft_set_symmetric_difference_by_key(device, a, av, b, bv, out, values, count);
}

static i64 room(int operation, i64 n, i64 m) {
    return operation == INTERSECTION ? (n < m ? n : m)
           : operation == DIFFERENCE ? n
                                     : n + m;
}

/* The listed elements, and after them what was there: zeros. */
static void expect_listed(weft_array out, const char *in, const i64 *list, i64 count) {
    const size_t size = WEFT_SIZE(out.type);
    char *got = new_zeros(out.type, out.length), *zeros = new_zeros(out.type, out.length);
    weft_read(device, out, got);
    test_ok();
    for (i64 i = 0; i < count; i++)
        if (memcmp(got + (size_t)i * size, in + (size_t)list[i] * size, size) != 0)
            ck_abort_msg("element %lld is not input %lld", (long long)i,
                         (long long)list[i]);
    ck_assert_mem_eq(got + (size_t)count * size, zeros,
                     (size_t)(out.length - count) * size);
    free(got), free(zeros);
}

static weft_array new_cleared(weft_type type, i64 n) {
    void *zeros = new_zeros(type, n);
    const weft_array array = test_array(type, zeros, n);
    free(zeros);
    return array;
}

static void check(weft_type type, weft_type value_type, i64 n, i64 m, key_pattern pattern) {
    char *keys = new_sides(type, n, m, pattern),
         *values = new_keys(value_type, n + m, KEYS_RANDOM, 2);
    i64 *list = malloc((size_t)(n + m + 1) * sizeof *list), count;
    const weft_array k = test_array(type, keys, n + m),
                     v = test_array(value_type, values, n + m);
    const weft_array a = weft_slice(device, k, 0, n), b = weft_slice(device, k, n, m);
    const weft_array av = weft_slice(device, v, 0, n), bv = weft_slice(device, v, n, m);
    for (int o = 0; o < OPERATIONS; o++) {
        const i64 right = expected(o, type, keys, n, m, list), most = room(o, n, m);
        weft_array out = new_cleared(type, most),
                   values_out = new_cleared(value_type, most);
        operations[o](device, a, b, out, &count);
        test_ok();
        ck_assert_int_eq(count, right);
        expect_listed(out, keys, list, right);
        weft_array_free(device, out);
        out = new_cleared(type, most);
        run_by_key(o, a, av, b, bv, out, values_out, &count);
        test_ok();
        ck_assert_int_eq(count, right);
        expect_listed(out, keys, list, right);
        expect_listed(values_out, values, list, right);
        weft_array_free(device, out), weft_array_free(device, values_out);
    }
    weft_array_free(device, k), weft_array_free(device, v);
    free(keys), free(values), free(list);
}

START_TEST(all_keys) {
    static const i64 sizes[] = {0, 1, 65, 3000};
    check_all_keys(check, sizes);
}
END_TEST

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++) {
        check(WEFT_U32, WEFT_U64, test_sizes[s], test_sizes[(s + 5) % test_size_count],
              KEYS_RANDOM);
        check(WEFT_F32, WEFT_U32, 100, test_sizes[s], KEYS_FEW);
        check(WEFT_U16, WEFT_U8, test_sizes[s], test_sizes[s], KEYS_FEW);
    }
}
END_TEST

/* Where every cut lies in one run, whichever side has more of it. */
START_TEST(one_run) {
    static const i64 sizes[] = {1, 2047, 2048, 2049, 4095, 4096, 4097, 9000};
    for (int s = 0; s < 8; s++)
        for (int t = 0; t < 8; t++)
            check(WEFT_U32, WEFT_U32, sizes[s], sizes[t], KEYS_EQUAL);
}
END_TEST

START_TEST(values_of_every_type) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        check(WEFT_I32, moved_types[t], 300, 700, KEYS_FEW);
}
END_TEST

START_TEST(lazy_inputs) {
    const i64 n = 1000, m = 500;
    char *keys = new_sides(WEFT_F32, n, m, KEYS_RANDOM),
         *values = new_keys(WEFT_U32, n + m, KEYS_RANDOM, 3);
    i64 *list = malloc((size_t)(n + m) * sizeof *list), count;
    const i64 right = expected(UNION, WEFT_F32, keys, n, m, list);
    const weft_array k = test_array(WEFT_F32, keys, n + m),
                     v = test_array(WEFT_U32, values, n + m);
    const weft_array b = weft_slice(device, k, n, m), bv = weft_slice(device, v, n, m);
    const weft_array out = new_cleared(WEFT_F32, n + m),
                     values_out = new_cleared(WEFT_U32, n + m);
    weft_set_union_by_key(device, weft_lazy(n, lazy_f32, .x = k),
                          weft_lazy(n, lazy_u32, .x = v), weft_lazy(m, lazy_f32, .x = b),
                          weft_lazy(m, lazy_u32, .x = bv), out, values_out, NULL);
    expect_listed(out, keys, list, right);
    expect_listed(values_out, values, list, right);
    weft_set_union(device, weft_lazy(n, lazy_f32, .x = k), b, out, &count);
    ck_assert_int_eq(count, right);
    weft_set_union(device, k, weft_slice(device, b, 0, 0), out, NULL);
    test_ok();
    free(keys), free(values), free(list);
}
END_TEST

/* What keys in no order give is undefined; but it is no more than there may be, and nothing
 * else is touched. */
static void check_out_of_order(weft_type type, i64 n, i64 m, u64 seed) {
    const i64 around = 8;
    char *keys = new_keys(type, n + m, KEYS_RANDOM, seed);
    const weft_array all = test_array(type, keys, n + m);
    const weft_array a = weft_slice(device, all, 0, n), b = weft_slice(device, all, n, m);
    for (int operation = 0; operation < OPERATIONS; operation++)
        for (int by_key = 0; by_key < 2; by_key++) {
            const i64 most = room(operation, n, m), length = most + 2 * around;
            const weft_array to = new_cleared(type, length),
                             vto = new_cleared(type, length);
            const weft_array out = weft_slice(device, to, around, most),
                             values = weft_slice(device, vto, around, most);
            i64 count = -1;
            if (by_key)
                run_by_key(operation, a, a, b, b, out, values, &count);
            else
                operations[operation](device, a, b, out, &count);
            test_ok();
            ck_assert_msg(count >= 0 && count <= most, "%lld of %lld", (long long)count,
                          (long long)most);
            char *got = new_zeros(type, length), *zeros = new_zeros(type, around);
            for (int k = 0; k < 2; k++) {
                weft_read(device, k ? vto : to, got);
                const size_t bytes = (size_t)around * WEFT_SIZE(type);
                ck_assert_mem_eq(got, zeros, bytes);
                ck_assert_mem_eq(got + (size_t)length * WEFT_SIZE(type) - bytes, zeros,
                                 bytes);
            }
            free(got), free(zeros);
            weft_array_free(device, to), weft_array_free(device, vto);
        }
    weft_array_free(device, all);
    free(keys);
}

START_TEST(keys_out_of_order) {
    static const i64 sizes[][2] = {{1000, 1000}, {9000, 20000}, {20000, 300}, {17, 40000}};
    if (weft_device_style(device) == WEFT_SIMT &&
        strcmp(weft_backend_name(device), "opencl") == 0)
        return; /* NVIDIA's GPUs have a way of their own, which relies on the order */
    for (int s = 0; s < 4; s++)
        for (int t = first_kind; t < KEY_TYPES; t += 3 * kind_step)
            check_out_of_order(key_types[t], sizes[s][0], sizes[s][1], (u64)(4 * t + s));
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    i64 count = 5;
    const weft_array none = {0}, a = test_array(WEFT_U32, host, 8),
                     b = test_array(WEFT_U32, host, 6);
    const weft_array out = weft_array_new(device, WEFT_U32, 14),
                     more = weft_array_new(device, WEFT_U32, 14),
                     f = weft_array_new(device, WEFT_F32, 14);
    weft_set_union(device, none, b, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_set_union: array 'a' is missing");
    ck_assert_int_eq(count, 0);
    weft_set_union(device, a, f, out, &count);
    test_expect_error(WEFT_E_TYPE, "weft_set_union: array 'b' has elements of f32");
    weft_set_union(device, a, b, weft_slice(device, out, 0, 13), &count);
    test_expect_error(WEFT_E_SHAPE, "weft_set_union: array 'out' has 13 elements");
    weft_set_difference(device, a, b, weft_slice(device, out, 0, 7), &count);
    test_expect_error(WEFT_E_SHAPE, "weft_set_difference: array 'out' has 7 elements");
    weft_set_intersection(device, a, b, weft_slice(device, out, 0, 5), &count);
    test_expect_error(WEFT_E_SHAPE, "weft_set_intersection: array 'out' has 5 elements");
    weft_set_symmetric_difference(device, a, weft_slice(device, out, 0, 2), out, &count);
    test_expect_error(WEFT_E_ARGUMENT,
                      "weft_set_symmetric_difference: array 'out' overlaps");
    weft_set_union_by_key(device, a, none, b, b, out, more, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_set_union_by_key: array 'a_values' is miss");
    weft_set_union_by_key(device, a, a, b, f, out, more, &count);
    test_expect_error(WEFT_E_TYPE, "weft_set_union_by_key: array 'b_values' has elements");
    weft_set_union_by_key(device, a, a, b, b, out, out, &count);
    test_expect_error(WEFT_E_ARGUMENT,
                      "weft_set_union_by_key: array 'values_out' overlaps");
    weft_set_intersection_by_key(device, a, a, b, out, f, &count);
    test_expect_error(WEFT_E_TYPE,
                      "weft_set_intersection_by_key: array 'values_out' has elements");
    weft_set_difference_by_key(device, a, weft_slice(device, more, 0, 8), b, out, more,
                               &count);
    test_expect_error(WEFT_E_ARGUMENT,
                      "weft_set_difference_by_key: array 'values_out' overlaps");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {
        all_keys,    all_sizes,         one_run,        values_of_every_type,
        lazy_inputs, keys_out_of_order, wrong_arguments};
    return test_main(argc, argv, "sets", tests, sizeof tests / sizeof *tests);
}
