/* Equal and mismatch: one element changed, at every kind of place. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))

static void expect(weft_array a, weft_array b, i64 expected) {
    i64 index = -2;
    int equal = -1;
    weft_mismatch(device, a, b, &index);
    weft_equal(device, b, a, &equal);
    test_ok();
    ck_assert_int_eq(index, expected);
    ck_assert_int_eq(equal, expected == -1);
}

static void check(weft_type type, i64 n) {
    const size_t size = WEFT_SIZE(type);
    char *in = new_keys(type, n,
                        type == WEFT_F32 || type == WEFT_F64 ? KEYS_EQUAL : KEYS_RANDOM, 1);
    const i64 places[] = {0, 1, n / 2, n - 2, n - 1};
    const weft_array a = test_array(type, in, n), b = test_array(type, in, n);
    expect(a, b, -1);
    if (n > 0)
        expect(weft_slice(device, a, 0, n - 1), b, n - 1);
    for (int p = 0; p < 5; p++)
        if (places[p] >= 0 && places[p] < n) {
            char *last_byte = in + (size_t)(places[p] + 1) * size - 1;
            *last_byte ^= 1;
            weft_write(device, b, in);
            expect(a, b, places[p]);
            in[(size_t)n * size - 1] ^= 2; /* a later one does not matter */
            weft_write(device, b, in);
            expect(a, b, places[p]);
            in[(size_t)n * size - 1] ^= 2;
            *last_byte ^= 1;
        }
    weft_array_free(device, a);
    weft_array_free(device, b);
    free(in);
}

START_TEST(all_types) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step) {
        check(moved_types[t], 1000);
        check(moved_types[t], 2);
    }
}
END_TEST

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++)
        check(WEFT_U32, test_sizes[s]);
}
END_TEST

START_TEST(floats_as_c_compares_them) {
    const f32 a[] = {0.0f, 1.0f, NAN}, b[] = {-0.0f, 1.0f, NAN};
    const f64 c[] = {-0.0, INFINITY, NAN}, d[] = {0.0, INFINITY, NAN};
    expect(test_array(WEFT_F32, a, 2), test_array(WEFT_F32, b, 2), -1);
    expect(test_array(WEFT_F32, a, 3), test_array(WEFT_F32, b, 3), 2);
    expect(test_array(WEFT_F64, c, 2), test_array(WEFT_F64, d, 2), -1);
    expect(test_array(WEFT_F64, c, 3), test_array(WEFT_F64, d, 3), 2);
}
END_TEST

START_TEST(lazy_inputs) {
    const i64 n = 4097;
    u32 *in = new_keys(WEFT_U32, n, KEYS_RANDOM, 2);
    const weft_array a = test_array(WEFT_U32, in, n);
    in[4000]++;
    const weft_array b = test_array(WEFT_U32, in, n);
    expect(weft_lazy(n, lazy_u32, .x = a), b, 4000);
    expect(weft_lazy(n, lazy_u32, .x = a), a, -1);
    expect(weft_lazy(n, lazy_u32, .x = a), weft_lazy(n - 1, lazy_u32, .x = b), 4000);
    free(in);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    i64 index = 9;
    int equal = 9;
    const weft_array none = {0}, a = test_array(WEFT_U32, host, 8),
                     f = weft_array_new(device, WEFT_F32, 8);
    weft_equal(device, none, a, &equal);
    test_expect_error(WEFT_E_ARGUMENT, "weft_equal: array 'a' is missing");
    ck_assert_int_eq(equal, 0);
    weft_equal(device, a, none, &equal);
    test_expect_error(WEFT_E_ARGUMENT, "weft_equal: array 'b' is missing");
    weft_equal(device, a, f, &equal);
    test_expect_error(WEFT_E_TYPE, "weft_equal: array 'b' has elements of f32, not u32");
    weft_equal(device, a, a, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_equal: 'result' is NULL");
    weft_mismatch(device, none, a, &index);
    test_expect_error(WEFT_E_ARGUMENT, "weft_mismatch: array 'a' is missing");
    ck_assert_int_eq(index, 0);
    weft_mismatch(device, a, f, &index);
    test_expect_error(WEFT_E_TYPE, "weft_mismatch: array 'b' has elements of f32, not u32");
    weft_mismatch(device, a, a, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_mismatch: 'index' is NULL");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_types, all_sizes, floats_as_c_compares_them,
                                  lazy_inputs, wrong_arguments};
    return test_main(argc, argv, "compare", tests, sizeof tests / sizeof *tests);
}
