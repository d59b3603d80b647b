/* Ranks and first elements, against a stable sort by the definition of the order. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))

static void expect_rank(weft_array x, const i64 *order, i64 nth, int descending) {
    i64 index = -7;
    weft_nth_element(device, x, nth, (weft_order)descending, &index);
    test_ok();
    if (index != order[nth])
        ck_abort_msg("of %lld, rank %lld%s is %lld, not %lld", (long long)x.length,
                     (long long)nth, descending ? " from the top" : "", (long long)index,
                     (long long)order[nth]);
}

static void expect_moved(weft_array out, const void *in, const i64 *order, i64 k) {
    const size_t size = WEFT_SIZE(out.type);
    char *got = new_zeros(out.type, out.length), *zero = new_zeros(out.type, 1);
    weft_read(device, out, got);
    test_ok();
    for (i64 i = 0; i < out.length; i++) {
        const char *right = i < k ? (const char *)in + (size_t)order[i] * size : zero;
        if (memcmp(got + (size_t)i * size, right, size) != 0)
            ck_abort_msg("element %lld of the first %lld is wrong", (long long)i,
                         (long long)k);
    }
    free(got), free(zero);
}

static weft_array new_zeroed(weft_type type, i64 n) {
    void *zeros = new_zeros(type, n);
    const weft_array array = test_array(type, zeros, n);
    free(zeros);
    return array;
}

/* Keys and values, keys alone, values alone. */
static void expect_first(weft_array x, const void *keys, weft_array values,
                         const void *moved, const i64 *order, i64 k, int descending) {
    const weft_array none = {0};
    for (int asked = 1; asked < 4; asked++) {
        const weft_array keys_out = asked & 1 ? new_zeroed(x.type, k + 3) : none;
        const weft_array values_out = asked & 2 ? new_zeroed(values.type, k + 2) : none;
        weft_top_k(device, x, asked & 2 ? values : none, k, (weft_order)descending,
                   keys_out, values_out);
        test_ok();
        if (asked & 1)
            expect_moved(keys_out, keys, order, k);
        if (asked & 2)
            expect_moved(values_out, moved, order, k);
        weft_array_free(device, keys_out), weft_array_free(device, values_out);
    }
}

static void check(weft_type type, weft_type moved, i64 n, key_pattern pattern) {
    void *keys = new_keys(type, n, pattern, 1),
         *values = new_keys(moved, n, KEYS_RANDOM, 2);
    const weft_array x = test_array(type, keys, n), v = test_array(moved, values, n);
    u64 seed = 3;
    for (int descending = 0; descending < 2; descending++) {
        i64 *order = new_order(type, keys, n, descending);
        const i64 ranks[] = {0, n - 1, n / 2, n / 1000,
                             n > 0 ? (i64)(test_random(&seed) % (u64)n) : 0};
        for (int r = 0; r < 5 && n > 0; r++)
            expect_rank(x, order, ranks[r], descending);
        for (int r = 0; r < 3; r++)
            expect_first(x, keys, v, values, order, n > 0 ? ranks[r] + 1 : 0, descending);
        expect_first(x, keys, v, values, order, 0, descending);
        free(order);
    }
    weft_array_free(device, x), weft_array_free(device, v);
    free(keys), free(values);
}

START_TEST(every_type) {
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int p = 0; p < KEY_PATTERNS; p++)
            for (int s = 0; s < SOME_SIZES; s++)
                check(key_types[t], WEFT_U32, some_sizes[s], (key_pattern)p);
}
END_TEST

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++)
        check(WEFT_F32, WEFT_U64, test_sizes[s], KEYS_RANDOM);
}
END_TEST

/* Large enough for brackets, of few different keys and of many. */
START_TEST(brackets) {
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int p = t % 2; p < KEY_PATTERNS; p += 2)
            check(key_types[t], WEFT_U32, 40000, (key_pattern)p);
}
END_TEST

/* Brackets in brackets. */
START_TEST(two_rounds) {
    static const weft_type types[] = {WEFT_U32, WEFT_F64, WEFT_I16};
    enum { N = 600000 };
    for (int t = first_kind % 3; t < 3; t += kind_step) {
        void *keys = new_keys(types[t], N, KEYS_RANDOM, 5);
        const weft_array x = test_array(types[t], keys, N);
        i64 *order = new_order(types[t], keys, N, t == 1);
        for (i64 nth = 0; nth < N; nth += N / 4 - 1)
            expect_rank(x, order, nth, t == 1);
        weft_array_free(device, x);
        free(keys), free(order);
    }
}
END_TEST

/* Two kinds of elements, at the ranks around where one ends, and what no sample has. */
START_TEST(boundaries) {
    enum { N = 50000 };
    u32 *keys = new_zeros(WEFT_U32, N);
    for (i64 part = 3; part < N; part *= 6) {
        for (i64 i = 0; i < N; i++)
            keys[i] = (u64)i * 7919 % N < (u64)part ? 3 : 9;
        keys[1] = 0, keys[N / 2] = 4000000000u;
        const weft_array x = test_array(WEFT_U32, keys, N);
        i64 *order = new_order(WEFT_U32, keys, N, 0);
        for (i64 nth = part - 4 > 0 ? part - 4 : 0; nth < part + 4; nth++)
            expect_rank(x, order, nth, 0);
        expect_rank(x, order, 0, 0), expect_rank(x, order, N - 1, 0);
        weft_array_free(device, x);
        free(order);
    }
    free(keys);
}
END_TEST

START_TEST(values_of_every_type) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        check(WEFT_I16, moved_types[t], 300, KEYS_FEW);
}
END_TEST

START_TEST(lazy_inputs) {
    enum { N = 40000, K = 100 };
    u32 *keys = new_keys(WEFT_U32, N, KEYS_RANDOM, 1), *ids = new_zeros(WEFT_U32, N);
    i64 *order = new_order(WEFT_U32, keys, N, 1);
    for (u32 i = 0; i < N; i++)
        ids[i] = i + 7;
    const weft_array x = test_array(WEFT_U32, keys, N),
                     out = weft_array_new(device, WEFT_U32, K),
                     ids_out = weft_array_new(device, WEFT_U32, K);
    expect_rank(weft_lazy(N, lazy_u32, .x = x), order, N / 3, 1);
    weft_top_k(device, weft_lazy(N, lazy_u32, .x = x), weft_counting(N, 7u), K,
               WEFT_DESCENDING, out, ids_out);
    expect_moved(out, keys, order, K);
    expect_moved(ids_out, ids, order, K);
    free(keys), free(ids), free(order);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    i64 index = 4;
    const weft_array none = {0}, a = test_array(WEFT_U32, host, 8),
                     b = weft_array_new(device, WEFT_U32, 8),
                     c = weft_array_new(device, WEFT_U32, 8),
                     structs = weft_array_new(device, WEFT_STRUCTS | 12, 8);
    weft_nth_element(device, none, 0, WEFT_ASCENDING, &index);
    test_expect_error(WEFT_E_ARGUMENT, "weft_nth_element: array 'in' is missing");
    ck_assert_int_eq(index, 0);
    weft_nth_element(device, structs, 0, WEFT_ASCENDING, &index);
    test_expect_error(WEFT_E_TYPE, "weft_nth_element: array 'in' has elements of");
    weft_nth_element(device, a, 0, WEFT_ASCENDING, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_nth_element: 'index' is NULL");
    weft_nth_element(device, a, 8, WEFT_ASCENDING, &index);
    test_expect_error(WEFT_E_ARGUMENT, "nth is 8, but 'in' has 8 elements");
    weft_nth_element(device, a, -1, WEFT_ASCENDING, &index);
    test_expect_error(WEFT_E_ARGUMENT, "nth is -1, but 'in' has 8 elements");
    weft_nth_element(device, a, 0, (weft_order)2, &index);
    test_expect_error(WEFT_E_ARGUMENT, "weft_nth_element: order is 2");
    weft_top_k(device, a, none, 2, WEFT_ASCENDING, b, c);
    test_expect_error(WEFT_E_ARGUMENT, "weft_top_k: array 'values' is missing");
    weft_top_k(device, a, a, 9, WEFT_ASCENDING, b, c);
    test_expect_error(WEFT_E_ARGUMENT, "k is 9, but 'keys' has 8 elements");
    weft_top_k(device, a, a, 3, (weft_order)5, b, c);
    test_expect_error(WEFT_E_ARGUMENT, "weft_top_k: order is 5");
    weft_top_k(device, a, a, 3, WEFT_ASCENDING, weft_slice(device, b, 0, 2), c);
    test_expect_error(WEFT_E_SHAPE, "weft_top_k: array 'keys_out' has 2 elements");
    weft_top_k(device, a, b, 3, WEFT_ASCENDING, a, c);
    test_expect_error(WEFT_E_ARGUMENT, "weft_top_k: array 'keys_out' overlaps");
    weft_top_k(device, a, b, 3, WEFT_ASCENDING, c, c);
    test_expect_error(WEFT_E_ARGUMENT, "weft_top_k: array 'values_out' overlaps");
    weft_top_k(device, a, b, 3, WEFT_ASCENDING, none, b);
    test_expect_error(WEFT_E_ARGUMENT, "weft_top_k: array 'values_out' overlaps");
    weft_top_k(device, a, b, 3, WEFT_ASCENDING, none, structs);
    test_expect_error(WEFT_E_TYPE, "weft_top_k: array 'values_out' has elements of");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {every_type,  all_sizes,      brackets,
                                  two_rounds,  boundaries,     values_of_every_type,
                                  lazy_inputs, wrong_arguments};
    return test_main(argc, argv, "nth", tests, sizeof tests / sizeof *tests);
}
