/* Outputs that are not wanted: those that are, and counts, are what they are when all are
 * asked for, which the tests of each call hold to its definition. */
#include "harness.h"
#include "keys.h"

#include <stdlib.h>
#include <string.h>

static const weft_array none;

/* What a call is made with: keys that rise, a of n and b of m, and their values. */
typedef struct discard_case {
    weft_array a, b, a_values, b_values, counts;
    weft_array keys_out, values_out;
    i64 n, m;
} discard_case;

typedef void discard_call(const discard_case *c, weft_array first, weft_array second,
                          i64 *count);

static void unique_by_key(const discard_case *c, weft_array first, weft_array second,
                          i64 *count) {
    weft_unique_by_key(device, c->a, c->a_values, first, second, count);
}
static void reduce_by_key(const discard_case *c, weft_array first, weft_array second,
                          i64 *count) {
    weft_reduce_by_key(device, c->a, c->counts, weft_plus(WEFT_U32), first, second, count);
}
static void run_length_encode(const discard_case *c, weft_array first, weft_array second,
                              i64 *count) {
    weft_run_length_encode(device, c->a, first, second, count);
}
static void expand_sources(const discard_case *c, weft_array first, weft_array second,
                           i64 *count) {
    weft_expand_sources(device, c->counts, first, second, count);
}
static void merge_by_key(const discard_case *c, weft_array first, weft_array second,
                         i64 *count) {
    weft_merge_by_key(device, c->a, c->a_values, c->b, c->b_values, first, second);
    *count = c->n + c->m;
}
static void union_by_key(const discard_case *c, weft_array first, weft_array second,
                         i64 *count) {
    weft_set_union_by_key(device, c->a, c->a_values, c->b, c->b_values, first, second,
                          count);
}
static void intersection_by_key(const discard_case *c, weft_array first, weft_array second,
                                i64 *count) {
    weft_set_intersection_by_key(device, c->a, c->a_values, c->b, first, second, count);
}
static void difference_by_key(const discard_case *c, weft_array first, weft_array second,
                              i64 *count) {
    weft_set_difference_by_key(device, c->a, c->a_values, c->b, first, second, count);
}
static void symmetric_by_key(const discard_case *c, weft_array first, weft_array second,
                             i64 *count) {
    weft_set_symmetric_difference_by_key(device, c->a, c->a_values, c->b, c->b_values,
                                         first, second, count);
}

enum { OWN, NUMBERS }; /* what the second output is of: the values' type, or u32 */
static const struct {
    const char *name;
    discard_call *call;
    int first, second;
} calls[] = {{"unique_by_key", unique_by_key, OWN, OWN},
             {"reduce_by_key", reduce_by_key, OWN, NUMBERS},
             {"run_length_encode", run_length_encode, OWN, NUMBERS},
             {"expand_sources", expand_sources, NUMBERS, NUMBERS},
             {"merge_by_key", merge_by_key, OWN, OWN},
             {"set_union_by_key", union_by_key, OWN, OWN},
             {"set_intersection_by_key", intersection_by_key, OWN, OWN},
             {"set_difference_by_key", difference_by_key, OWN, OWN},
             {"set_symmetric_difference_by_key", symmetric_by_key, OWN, OWN}};

enum { CALLS = sizeof calls / sizeof *calls };

static weft_array new_zeroed(weft_type type, i64 n) {
    void *zeros = new_zeros(type, n);
    const weft_array array = test_array(type, zeros, n);
    free(zeros);
    return array;
}

static void expect_same(const char *name, weft_array given, weft_array right) {
    const size_t size = WEFT_SIZE(given.type) * (size_t)given.length;
    char *got = new_zeros(given.type, given.length),
         *expected = new_zeros(right.type, right.length);
    weft_read(device, given, got);
    weft_read(device, right, expected);
    test_ok();
    ck_assert_msg(memcmp(got, expected, size) == 0, "%s: an output differs", name);
    free(got), free(expected);
}

static void check_call(int which, const discard_case *c) {
    const char *name = calls[which].name;
    const i64 room = 8 * (c->n + c->m);
    const weft_type first = calls[which].first == OWN ? c->a.type : WEFT_U32,
                    second = calls[which].second == OWN ? c->a_values.type : WEFT_U32;
    const weft_array right_first = new_zeroed(first, room),
                     right_second = new_zeroed(second, room);
    i64 right = -1;
    calls[which].call(c, right_first, right_second, &right);
    test_ok();
    for (int asked = 0; asked < 3; asked++) {
        const weft_array x = asked & 1 ? new_zeroed(first, room) : none,
                         y = asked & 2 ? new_zeroed(second, room) : none;
        i64 count = -2;
        calls[which].call(c, x, y, &count);
        ck_assert_msg(weft_check(device) == WEFT_OK, "%s: %s", name, weft_error(device));
        ck_assert_msg(count == right, "%s: %lld, not %lld", name, (long long)count,
                      (long long)right);
        if (asked & 1)
            expect_same(name, x, right_first);
        if (asked & 2)
            expect_same(name, y, right_second);
        weft_array_free(device, x), weft_array_free(device, y);
    }
    weft_array_free(device, right_first), weft_array_free(device, right_second);
}

static void check(weft_type type, weft_type values, i64 n, i64 m, u64 seed) {
    void *keys = new_keys(type, n + m, KEYS_FEW, seed);
    void *moved = new_keys(values, n + m, KEYS_RANDOM, seed + 1);
    u32 *counts = new_zeros(WEFT_U32, n);
    for (i64 i = 0; i < n; i++)
        counts[i] = (u32)(test_random(&seed) % 7);
    discard_case c = {
        .a = test_array(type, keys, n),
        .b = test_array(type, (char *)keys + (size_t)n * WEFT_SIZE(type), m),
        .a_values = test_array(values, moved, n),
        .b_values = test_array(values, (char *)moved + (size_t)n * WEFT_SIZE(values), m),
        .counts = test_array(WEFT_U32, counts, n),
        .n = n,
        .m = m};
    weft_sort(device, c.a, WEFT_ASCENDING);
    weft_sort(device, c.b, WEFT_ASCENDING);
    for (int k = 0; k < CALLS; k++)
        check_call(k, &c);
    weft_array_free(device, c.a), weft_array_free(device, c.b);
    weft_array_free(device, c.a_values), weft_array_free(device, c.b_values);
    weft_array_free(device, c.counts);
    free(keys), free(moved), free(counts);
}

START_TEST(sizes) {
    for (int s = 0; s < SOME_SIZES; s++)
        check(WEFT_U32, WEFT_U32, some_sizes[s], some_sizes[(s + 2) % SOME_SIZES], (u64)s);
    check(WEFT_U64, WEFT_F32, 30000, 20000, 9);
}
END_TEST

START_TEST(types) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        check(key_types[t % KEY_TYPES], moved_types[t], 300, 200, (u64)t);
}
END_TEST

START_TEST(in_place) {
    u32 keys[] = {1, 1, 2, 3, 3, 3}, values[] = {10, 11, 12, 13, 14, 15}, got[6];
    const weft_array a = test_array(WEFT_U32, keys, 6), v = test_array(WEFT_U32, values, 6);
    i64 count = 0;
    weft_unique_by_key(device, a, v, none, v, &count);
    weft_read(device, v, got);
    test_ok();
    ck_assert_int_eq(count, 3);
    ck_assert(got[0] == 10 && got[1] == 12 && got[2] == 13);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    i64 count = 4;
    const weft_array a = test_array(WEFT_U32, host, 8), b = test_array(WEFT_U32, host, 8);
    weft_unique_by_key(device, a, none, b, none, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_unique_by_key: array 'values' is missing");
    weft_merge_by_key(device, a, none, a, b, new_zeroed(WEFT_U32, 16), none);
    test_expect_error(WEFT_E_ARGUMENT, "weft_merge_by_key: array 'a_values' is missing");
    weft_reduce_by_key(device, a, a, NULL, none, b, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_by_key: operator 'op' is NULL");
    weft_set_union(device, a, a, none, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_set_union: array 'out' is missing");
    weft_merge(device, a, a, none);
    test_expect_error(WEFT_E_ARGUMENT, "weft_merge: array 'out' is missing");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {sizes, types, in_place, wrong_arguments};
    return test_main(argc, argv, "discard", tests, sizeof tests / sizeof *tests);
}
