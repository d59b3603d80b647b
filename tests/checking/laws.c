/* The checking backend tries the laws of operators, and the indices of maps. */
#include "harness.h"
#include "laws.kernel.h"

#include <string.h>

WEFT_OPERATOR(laws_minus, u32, 0)
WEFT_OPERATOR(laws_last, u32, 0)
WEFT_OPERATOR(laws_min, u32, 0)
WEFT_OPERATOR(laws_most_of, f32, 0)
WEFT_OPERATOR(laws_mean, f32, 0)
WEFT_OPERATOR(laws_difference, f64, 0)
WEFT_OPERATOR(laws_twice, f32, 0)
WEFT_OPERATOR(laws_sum, f64, 0)
WEFT_OPERATOR(laws_product, f32, 1)
WEFT_OPERATOR(laws_longer, f32, 0)
WEFT_OPERATOR(laws_plus, u32, 0)
WEFT_OPERATOR(laws_pair_plus, laws_pair, {0})
WEFT_OPERATOR(laws_pair_minus, laws_pair, {0})
WEFT_OPERATOR(laws_pair_last, laws_pair, {0})
WEFT_OPERATOR(laws_mean_join, laws_mean_of, {0})
WEFT_OPERATOR(laws_mean_halves, laws_mean_of, {0})
WEFT_OPERATOR(laws_heaviest_of, laws_heaviest, {UINT32_MAX, -INFINITY})
WEFT_OPERATOR(laws_heaviest_zero, laws_heaviest, {0, 0})
WEFT_OPERATOR(laws_unknown_minus, laws_unknown, {0})

enum { N = 100 };

static weft_array numbers(i64 n) {
    u32 host[2 * N];
    for (u32 i = 0; i < 2 * N; i++)
        host[i] = i + 1;
    return test_array(WEFT_U32, host, n);
}

START_TEST(operators) {
    u32 sum;
    const weft_array x = numbers(N), y = weft_array_new(device, WEFT_U32, N);
    weft_reduce(device, x, weft_op(laws_minus), &sum);
    test_expect_error(WEFT_E_CHECK, "laws_minus: operator changes a value that meets");
    weft_reduce(device, x, weft_op(laws_min), &sum);
    test_expect_error(WEFT_E_CHECK, "laws_min: operator changes a value that meets its"
                                    " identity (tried with the bits of 1)");
    weft_reduce(device, x, weft_op(laws_last), &sum);
    test_expect_error(WEFT_E_CHECK, "laws_last: operator does not commute");
    weft_scan(device, x, weft_op(laws_last), WEFT_INCLUSIVE, y);
    weft_reduce(device, x, weft_op(laws_plus), &sum);
    ck_assert_uint_eq(sum, N * (N + 1) / 2);
}
END_TEST

START_TEST(operators_on_floats) {
    f32 narrow[N], least;
    f64 wide[N], sum;
    for (int i = 0; i < N; i++) {
        narrow[i] = 0.37f * (f32)(i - 20);
        wide[i] = 1e9 / (i + 1) - 3e7;
    }
    const weft_array x = test_array(WEFT_F32, narrow, N), y = test_array(WEFT_F64, wide, N);
    weft_reduce(device, x, weft_op(laws_most_of), &least);
    test_expect_error(WEFT_E_CHECK, "laws_most_of: operator changes a value that meets "
                                    "its identity (tried with -7.4");
    weft_reduce(device, x, weft_op(laws_mean), &least);
    test_expect_error(WEFT_E_CHECK, "laws_mean: operator changes a value that meets");
    weft_reduce(device, y, weft_op(laws_difference), &sum);
    test_expect_error(WEFT_E_CHECK, "laws_difference: operator changes a value");
    weft_reduce(device, x, weft_op(laws_longer), &least);
    test_ok();
    weft_scan(device, x, weft_op(laws_twice), WEFT_INCLUSIVE,
              weft_array_new(device, WEFT_F32, N));
    test_expect_error(WEFT_E_CHECK, "laws_twice: operator changes a value that meets");
    weft_reduce(device, y, weft_op(laws_sum), &sum);
    weft_reduce(device, x, weft_op(laws_product), &least);
    weft_reduce(device, x, weft_minimum(WEFT_F32), &least);
    test_ok();
}
END_TEST

START_TEST(operators_on_structs) {
    laws_pair pair[N], sum;
    laws_mean_of mean[N], join;
    laws_heaviest heavy[N], first;
    laws_unknown unknown[N], difference;
    memset(heavy, 0xa5, sizeof heavy); /* what lies between members is nobody's */
    memset(&first, 0, sizeof first);
    for (int i = 0; i < N; i++) {
        pair[i] = (laws_pair){(u32)i * 7, {(u16)(i % 5), (u16)(i % 3 + 1)}};
        mean[i] = (laws_mean_of){0.37f * (f32)(i - 20), (f32)(i % 4 + 1)};
        heavy[i].id = (u32)(N - i);
        heavy[i].mass = -1.0 / (i % 7 + 1);
        unknown[i] = (laws_unknown){{(u32)i, 1}};
    }
    const weft_array x = test_array(WEFT_STRUCT(laws_pair), pair, N),
                     y = test_array(WEFT_STRUCT(laws_mean_of), mean, N),
                     z = test_array(WEFT_STRUCT(laws_heaviest), heavy, N);
    weft_reduce(device, x, weft_op(laws_pair_plus), &sum);
    weft_reduce(device, y, weft_op(laws_mean_join), &join);
    weft_reduce(device, z, weft_op(laws_heaviest_of), &first);
    test_ok();
    ck_assert_uint_eq(sum.low, 7 * N * (N - 1) / 2);
    weft_reduce(device, x, weft_op(laws_pair_minus), &sum);
    test_expect_error(WEFT_E_CHECK,
                      "laws_pair_minus: operator changes a value that meets its"
                      " identity (tried with the bits of {0, 0, 1})");
    weft_scan(device, x, weft_op(laws_pair_last), WEFT_INCLUSIVE,
              weft_array_new(device, WEFT_STRUCT(laws_pair), N));
    test_expect_error(WEFT_E_CHECK, "laws_pair_last: operator changes a value that meets");
    weft_reduce(device, y, weft_op(laws_mean_halves), &join);
    test_expect_error(WEFT_E_CHECK, "laws_mean_halves: operator does not commute (tried");
    weft_scan(device, y, weft_op(laws_mean_halves), WEFT_INCLUSIVE, y); /* in place */
    test_expect_error(WEFT_E_CHECK, "laws_mean_halves: operator is not associative (tried "
                                    "with {-6.65999");
    weft_reduce(device, z, weft_op(laws_heaviest_zero), &first);
    test_expect_error(WEFT_E_CHECK, "laws_heaviest_zero: operator changes a value");
    weft_reduce(device, test_array(WEFT_STRUCT(laws_unknown), unknown, N),
                weft_op(laws_unknown_minus), &difference);
    test_ok();
}
END_TEST

START_TEST(maps_inside) {
    i32 map[N];
    u32 flags[N];
    for (int i = 0; i < N; i++) {
        map[i] = N - 1 - i;
        flags[i] = i != 17;
    }
    const weft_array in = numbers(N), out = weft_array_new(device, WEFT_U32, N),
                     some = test_array(WEFT_U32, flags, N);
    weft_gather(device, in, test_array(WEFT_I32, map, N), out);
    weft_scatter(device, in, test_array(WEFT_I32, map, N), out);
    test_ok();
    map[17] = -3;
    const weft_array negative = test_array(WEFT_I32, map, N);
    weft_gather(device, in, negative, out);
    test_expect_error(WEFT_E_CHECK,
                      "weft_gather: element 17 of 'map' is -3, but 'in' has 100 elements");
    weft_scatter(device, in, negative, out);
    test_expect_error(
        WEFT_E_CHECK,
        "weft_scatter: element 17 of 'map' is -3, but 'out' has 100 elements");
    weft_gather_if(device, in, negative, some, out);
    weft_scatter_if(device, in, negative, some, out);
    test_ok();
    const weft_array large = weft_as(device, negative, WEFT_U32);
    weft_gather(device, in, large, out);
    test_expect_error(WEFT_E_CHECK, "element 17 of 'map' is 4294967293, but 'in' has 100");
    const u64 wide[3] = {0, N, (u64)-1};
    weft_gather(device, in, test_array(WEFT_U64, wide, 1), out);
    test_ok();
    weft_gather(device, in, test_array(WEFT_U64, wide, 2), out);
    test_expect_error(WEFT_E_CHECK, "element 1 of 'map' is 100, but 'in' has 100 elements");
    weft_scatter(device, in, test_array(WEFT_U64, wide + 2, 1), out);
    test_expect_error(WEFT_E_CHECK,
                      "element 0 of 'map' is 18446744073709551615, but 'out'");
    weft_scatter(device, in, test_array(WEFT_I64, wide + 2, 1), out);
    test_expect_error(WEFT_E_CHECK, "element 0 of 'map' is -1, but 'out'");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {operators, operators_on_floats, operators_on_structs,
                                  maps_inside};
    return test_main(argc, argv, "laws", tests, sizeof tests / sizeof *tests);
}
