/* Searches: what is looked for stands at every kind of place, once, twice or nowhere. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))

/* Places in an array of n, around the blocks of searches, too. */
enum { PLACES = 12 };
static int places_in(i64 n, i64 *places) {
    const i64 all[PLACES] = {0,     1,         n / 2,         4095,     4096,  4097,
                             36863, 36864 - 8, 36864 + 32768, n - 4097, n - 2, n - 1};
    int count = 0;
    for (int k = 0; k < PLACES; k++)
        if (all[k] >= 0 && all[k] < n)
            places[count++] = all[k];
    return count;
}

static void expect_flag(weft_array flags, i64 n, i64 first_set, i64 first_not) {
    i64 index = -2, unset = -2, lazy = -2;
    weft_find_if(device, flags, &index);
    weft_find_if_not(device, flags, &unset);
    weft_find_if(device, weft_lazy(n, lazy_u32, .x = flags), &lazy);
    test_ok();
    ck_assert_int_eq(index, first_set);
    ck_assert_int_eq(lazy, first_set);
    ck_assert_int_eq(unset, first_not);
}

static void check_flags(i64 n) {
    i64 places[PLACES];
    const int count = places_in(n, places);
    u32 *host = new_zeros(WEFT_U32, n);
    const weft_array flags = weft_array_new(device, WEFT_U32, n);
    weft_write(device, flags, host);
    expect_flag(flags, n, -1, n > 0 ? 0 : -1);
    for (int k = 0; k < count; k++) {
        host[places[k]] = 0x80000000u;
        host[n - 1] = 5; /* a later one does unset matter */
        weft_write(device, flags, host);
        i64 unset = 0;
        while (unset < n && host[unset])
            unset++;
        expect_flag(flags, n, places[k], unset < n ? unset : -1);
        host[places[k]] = host[n - 1] = 0;
        for (i64 i = 0; i < n; i++)
            host[i] = i < places[k];
        weft_write(device, flags, host);
        i64 point = -2;
        int is = -2;
        weft_partition_point(device, flags, &point);
        weft_is_partitioned(device, weft_lazy(n, lazy_u32, .x = flags), &is);
        ck_assert_int_eq(point, places[k]);
        ck_assert_int_eq(is, 1);
        expect_flag(flags, n, places[k] > 0 ? 0 : -1, places[k]);
        host[n - 1] = 1;
        weft_write(device, flags, host);
        weft_is_partitioned(device, flags, &is);
        ck_assert_int_eq(is, places[k] == n - 1);
        memset(host, 0, (size_t)n * sizeof *host);
    }
    weft_array_free(device, flags);
    free(host);
}

START_TEST(flags_of_all_sizes) {
    for (int s = 0; s < test_size_count; s++)
        check_flags(test_sizes[s]);
    i64 point = -2;
    weft_partition_point(device, weft_constant(100000, 1u), &point);
    ck_assert_int_eq(point, 100000);
    weft_partition_point(device, weft_constant(0, 1u), &point);
    ck_assert_int_eq(point, 0);
}
END_TEST

/* In what threads share: the first of those that they find. */
START_TEST(the_first_of_several) {
    enum { N = 700001, EDGES = 96, EACH = 8191 };
    i64 edges[EDGES]; /* around those of blocks, whatever they are, and elsewhere */
    for (i64 k = 0; k < EDGES; k++)
        edges[k] = k < 90 ? (k / 2 + 1) * EACH + (k + 1) / 2 + k % 2 : N - EDGES + k;
    const weft_array flags = weft_array_new(device, WEFT_U32, N);
    weft_fill(device, flags, &(u32){0});
    for (int k = EDGES - 1; k >= 0; k--) {
        i64 index = -2;
        weft_put(device, flags, edges[k], &(u32){1});
        weft_find_if(device, flags, &index);
        test_ok();
        ck_assert_int_eq(index, edges[k]);
    }
    weft_array_free(device, flags);
}
END_TEST

/* The definition of both. */
static void check_values(weft_type type, i64 n) {
    const size_t size = WEFT_SIZE(type);
    char *in = new_keys(type, n, KEYS_RISING, 1), *value = new_zeros(type, 1);
    memset(in, 0, (size_t)n * size);
    for (i64 i = 0; i < n; i++)
        in[(size_t)i * size] = (char)(i % 2 ? 1 : 2); /* small numbers of every type */
    value[0] = 3;
    i64 places[PLACES], index = -2;
    const int count = places_in(n, places);
    const weft_array x = weft_array_new(device, type, n);
    weft_write(device, x, (void *)in);
    weft_find(device, x, (void *)value, &index);
    ck_assert_int_eq(index, -1);
    weft_adjacent_find(device, x, &index);
    ck_assert_int_eq(index, -1);
    for (int k = 0; k < count; k++) {
        char *here = in + (size_t)places[k] * size;
        const char before = *here;
        *here = 3;
        weft_write(device, x, (void *)in);
        weft_find(device, x, (void *)value, &index);
        ck_assert_int_eq(index, places[k]);
        *here = before == 1 ? 2 : 1; /* equals both neighbours */
        weft_write(device, x, (void *)in);
        weft_adjacent_find(device, x, &index);
        test_ok();
        ck_assert_int_eq(index, n == 1 ? -1 : places[k] > 0 ? places[k] - 1 : 0);
        *here = before;
    }
    weft_array_free(device, x);
    free(in), free(value);
}

START_TEST(values) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step) {
        check_values(moved_types[t], 1000);
        check_values(moved_types[t], 1);
        check_values(moved_types[t], 0);
    }
    for (int s = 0; s < test_size_count; s++)
        check_values(WEFT_U32, test_sizes[s]);
}
END_TEST

START_TEST(values_as_c_compares_them) {
    const f32 host[] = {NAN, -0.0f, 1.0f, NAN, NAN};
    i64 index;
    const weft_array x = test_array(WEFT_F32, host, 5);
    weft_find(device, x, &(f32){0.0f}, &index);
    ck_assert_int_eq(index, 1);
    weft_find(device, x, &(f32){NAN}, &index);
    ck_assert_int_eq(index, -1);
    weft_adjacent_find(device, x, &index);
    ck_assert_int_eq(index, -1);
}
END_TEST

static void expect_sorted(weft_array x, i64 until) {
    int sorted = -2;
    i64 index = -2;
    weft_is_sorted(device, x, &sorted);
    weft_is_sorted_until(device, x, &index);
    test_ok();
    ck_assert_int_eq(index, until);
    ck_assert_int_eq(sorted, until == x.length);
}

START_TEST(sorted) {
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int pattern = 0; pattern < KEY_PATTERNS; pattern++) {
            const i64 n = 5000;
            void *in = new_keys(key_types[t], n, (key_pattern)pattern, 1);
            const weft_array x = test_array(key_types[t], in, n);
            i64 until = 1;
            while (until < n && compare_keys(key_types[t], in, until, in, until - 1) >= 0)
                until++;
            expect_sorted(x, until);
            weft_sort(device, x, WEFT_ASCENDING);
            expect_sorted(x, n);
            weft_array_free(device, x);
            free(in);
        }
    for (int s = 0; s < test_size_count; s++) {
        i64 places[PLACES];
        const i64 n = test_sizes[s];
        const int count = places_in(n, places);
        u32 *in = new_zeros(WEFT_U32, n);
        for (i64 i = 0; i < n; i++)
            in[i] = (u32)i + 10;
        const weft_array x = test_array(WEFT_U32, in, n);
        expect_sorted(x, n);
        for (int k = 0; k < count; k++)
            if (places[k] > 0) {
                weft_put(device, x, places[k], &(u32){0});
                expect_sorted(weft_lazy(n, lazy_u32, .x = x), places[k]);
                weft_put(device, x, places[k], &in[places[k]]);
            }
        weft_array_free(device, x);
        free(in);
    }
}
END_TEST

START_TEST(binary_searches) {
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int pattern = KEYS_RANDOM; pattern < KEY_PATTERNS; pattern++) {
            const weft_type type = key_types[t];
            const i64 n = 700, m = pattern == KEYS_EQUAL ? 0 : 300;
            char *in = new_keys(type, m, (key_pattern)pattern, 1),
                 *queries = new_keys(type, n, (key_pattern)pattern, 2);
            memcpy(queries, in, (size_t)(m / 2) * WEFT_SIZE(type));
            u32 got[700];
            const weft_array x = test_array(type, in, m), q = test_array(type, queries, n),
                             out = weft_array_new(device, WEFT_U32, n);
            weft_sort(device, x, WEFT_ASCENDING);
            weft_binary_search(device, x, q, out);
            weft_read(device, out, got);
            test_ok();
            for (i64 i = 0; i < n; i++) {
                u32 found = 0;
                for (i64 j = 0; j < m && !found; j++)
                    found = compare_keys(type, queries, i, in, j) == 0;
                ck_assert_uint_eq(got[i], found);
            }
            weft_array_free(device, x), weft_array_free(device, q);
            weft_array_free(device, out);
            free(in), free(queries);
        }
}
END_TEST

START_TEST(wrong_arguments) {
    const u32 host[8] = {0};
    i64 index = 9;
    int result = 9;
    const weft_array none = {0}, x = test_array(WEFT_U32, host, 8),
                     f = weft_array_new(device, WEFT_F32, 8),
                     s = weft_array_new(device, WEFT_STRUCT(lazy_twelve), 8);
    weft_find_if(device, none, &index);
    test_expect_error(WEFT_E_ARGUMENT, "weft_find_if: array 'flags' is missing");
    ck_assert_int_eq(index, 0);
    weft_find_if(device, f, &index);
    test_expect_error(WEFT_E_TYPE, "weft_find_if: array 'flags' has elements of f32");
    weft_find_if_not(device, x, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_find_if_not: 'index' is NULL");
    weft_find(device, none, host, &index);
    test_expect_error(WEFT_E_ARGUMENT, "weft_find: array 'in' is missing");
    weft_find(device, x, NULL, &index);
    test_expect_error(WEFT_E_ARGUMENT, "weft_find: 'value' is NULL");
    weft_find(device, x, &(f32){1}, &index);
    test_expect_error(WEFT_E_TYPE, "weft_find: 'value' points to f32");
    weft_find(device, x, host, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_find: 'index' is NULL");
    weft_adjacent_find(device, none, &index);
    test_expect_error(WEFT_E_ARGUMENT, "weft_adjacent_find: array 'in' is missing");
    weft_is_sorted(device, s, &result);
    test_expect_error(WEFT_E_TYPE, "weft_is_sorted: array 'in' has elements of a struct");
    ck_assert_int_eq(result, 0);
    weft_is_sorted_until(device, x, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_is_sorted_until: 'index' is NULL");
    weft_is_partitioned(device, x, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_is_partitioned: 'result' is NULL");
    weft_partition_point(device, f, &index);
    test_expect_error(WEFT_E_TYPE, "weft_partition_point: array 'flags' has elements of");
    weft_binary_search(device, x, f, x);
    test_expect_error(WEFT_E_TYPE, "weft_binary_search: array 'queries' has elements of");
    weft_binary_search(device, x, x, f);
    test_expect_error(WEFT_E_TYPE, "weft_binary_search: array 'out' has elements of f32");
    weft_binary_search(device, x, x, x);
    test_expect_error(WEFT_E_ARGUMENT, "weft_binary_search: array 'out' overlaps");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {
        flags_of_all_sizes, the_first_of_several, values, values_as_c_compares_them, sorted,
        binary_searches,    wrong_arguments};
    return test_main(argc, argv, "find", tests, sizeof tests / sizeof *tests);
}
