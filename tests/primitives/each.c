/* Several arrays at once are as each by itself: of many types, in place, by lazy flags. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))
WEFT_GENERATOR(lazy_i64, i64, (in, i64, x))

enum { ARRAYS = 4 };
static const weft_type types[ARRAYS] = {WEFT_U32, WEFT_F64, WEFT_U8, WEFT_STRUCTS | 12};

static void make(i64 n, weft_array *in, weft_array *out, weft_array *expected) {
    for (int k = 0; k < ARRAYS; k++) {
        void *host = new_keys(types[k], n, KEYS_RANDOM, (u64)k),
             *before = new_keys(types[k], n, KEYS_RANDOM, 9);
        in[k] = test_array(types[k], host, n);
        out[k] = test_array(types[k], before, n);
        expected[k] = test_array(types[k], before, n);
        free(host), free(before);
    }
}

/* Byte by byte: some are NaN. Frees all. */
static void expect(weft_array *in, weft_array *out, weft_array *expected) {
    for (int k = 0; k < ARRAYS; k++) {
        int equal = -1;
        weft_equal(device, weft_as(device, out[k], WEFT_U8),
                   weft_as(device, expected[k], WEFT_U8), &equal);
        test_ok();
        ck_assert_int_eq(equal, 1);
        weft_array_free(device, in[k]);
        weft_array_free(device, out[k]);
        weft_array_free(device, expected[k]);
    }
}

static void check_moves(i64 n) {
    i64 *map = new_zeros(WEFT_I64, n);
    for (i64 i = 0; i < n; i++) /* one to one: n is no multiple of 7 */
        map[i] = n % 7 ? i * 7 % n : n - 1 - i;
    const weft_array m = test_array(WEFT_I64, map, n);
    weft_array in[ARRAYS], out[ARRAYS], expected[ARRAYS];
    make(n, in, out, expected);
    for (int k = 0; k < ARRAYS; k++)
        weft_gather(device, in[k], m, expected[k]);
    weft_gather_each(device, ARRAYS, in, m, out);
    expect(in, out, expected);
    make(n, in, out, expected);
    for (int k = 0; k < ARRAYS; k++)
        weft_scatter(device, in[k], m, expected[k]);
    weft_scatter_each(device, ARRAYS, in, weft_lazy(n, lazy_i64, .x = m), out);
    expect(in, out, expected);
    weft_array_free(device, m);
    free(map);
}

static void check_selections(i64 n) {
    u32 *flags = new_keys(WEFT_U32, n, KEYS_EXTREME, 5);
    const weft_array f = test_array(WEFT_U32, flags, n),
                     lazy = weft_lazy(n, lazy_u32, .x = f);
    weft_array in[ARRAYS], out[ARRAYS], expected[ARRAYS];
    i64 count = -1, each = -1;
    make(n, in, out, expected);
    for (int k = 0; k < ARRAYS; k++)
        weft_copy_if(device, in[k], f, expected[k], &count);
    weft_copy_if_each(device, ARRAYS, in, lazy, out, &each);
    ck_assert_int_eq(each, count);
    expect(in, out, expected);
    make(n, in, out, expected);
    for (int k = 0; k < ARRAYS; k++)
        weft_partition(device, in[k], f, expected[k], &count);
    weft_partition_each(device, ARRAYS, in, f, out, NULL);
    expect(in, out, expected);
    /* By the values of the first, which the call itself changes. */
    make(n, in, out, expected);
    weft_copy(device, f, in[0]);
    for (int k = 0; k < ARRAYS; k++) {
        weft_copy(device, in[k], out[k]);
        weft_copy(device, in[k], expected[k]);
        weft_copy_if(device, in[k], f, expected[k], &count);
    }
    weft_copy_if_each(device, ARRAYS, out, weft_lazy(n, lazy_u32, .x = out[0]), out, &each);
    ck_assert_int_eq(each, count);
    expect(in, out, expected);
    weft_array_free(device, f);
    free(flags);
}

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++) {
        check_moves(test_sizes[s]);
        check_selections(test_sizes[s]);
    }
}
END_TEST

/* Maps of more than one piece. */
START_TEST(pieces) {
    check_moves(((i64)1 << 18) + 5);
}
END_TEST

START_TEST(wrong_arguments) {
    const u32 host[8] = {0};
    i64 count = 9;
    const weft_array a = test_array(WEFT_U32, host, 8), b = test_array(WEFT_U32, host, 8),
                     map = test_array(WEFT_U32, host, 8),
                     c = weft_array_new(device, WEFT_U32, 8),
                     d = weft_array_new(device, WEFT_U32, 8),
                     few = weft_array_new(device, WEFT_U32, 7),
                     f = weft_array_new(device, WEFT_F32, 8);
    const weft_array in[] = {a, b}, out[] = {c, d}, short_in[] = {a, few},
                     short_out[] = {c, few}, other[] = {c, f}, twice[] = {c, c},
                     crossed[] = {b, c}, over_map[] = {c, map}, none[] = {a, {0}};
    weft_gather_each(device, 0, in, map, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather_each: 'count' is below 1");
    weft_gather_each(device, 2, NULL, map, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather_each: 'in' is NULL");
    weft_gather_each(device, 2, in, map, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather_each: 'out' is NULL");
    weft_gather_each(device, 2, none, map, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather_each: array 'in[1]' is missing");
    weft_gather_each(device, 2, in, f, out);
    test_expect_error(WEFT_E_TYPE, "weft_gather_each: array 'map' has elements of f32");
    weft_gather_each(device, 2, in, map, short_out);
    test_expect_error(WEFT_E_SHAPE, "weft_gather_each: array 'out[1]' has 7 elements");
    weft_gather_each(device, 2, in, map, other);
    test_expect_error(WEFT_E_TYPE, "weft_gather_each: array 'out[1]' has elements of f32");
    weft_gather_each(device, 2, in, map, twice);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather_each: array 'out[1]' overlaps");
    weft_gather_each(device, 2, in, map, crossed);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather_each: array 'out[0]' overlaps");
    weft_gather_each(device, 2, in, map, over_map);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather_each: array 'out[1]' overlaps");
    weft_gather_each(device, 2, in, map, in);
    test_expect_error(WEFT_E_ARGUMENT, "weft_gather_each: array 'out[0]' overlaps");
    weft_scatter_each(device, 2, short_in, map, out);
    test_expect_error(WEFT_E_SHAPE, "weft_scatter_each: array 'in[1]' has 7 elements");
    weft_copy_if_each(device, 2, in, f, out, &count);
    test_expect_error(WEFT_E_TYPE, "weft_copy_if_each: array 'flags' has elements of f32");
    ck_assert_int_eq(count, 0);
    weft_copy_if_each(device, 2, short_in, map, out, NULL);
    test_expect_error(WEFT_E_SHAPE, "weft_copy_if_each: array 'in[1]' has 7 elements");
    weft_copy_if_each(device, 2, in, map, crossed, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_copy_if_each: array 'out[0]' overlaps");
    weft_partition_each(device, 2, in, map, short_out, NULL);
    test_expect_error(WEFT_E_SHAPE, "weft_partition_each: array 'out[1]' has 7 elements");
    weft_partition_each(device, -1, in, map, out, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_partition_each: 'count' is below 1");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_sizes, pieces, wrong_arguments};
    return test_main(argc, argv, "each", tests, sizeof tests / sizeof *tests);
}
