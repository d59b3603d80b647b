/* One element of every type, read and written, and no other. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_struct, lazy_twelve, (in, lazy_twelve, x))

START_TEST(every_type) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step) {
        const weft_type type = moved_types[t];
        const size_t size = WEFT_SIZE(type);
        const i64 n = 65;
        char *host = new_keys(type, n, KEYS_RANDOM, 1), *got = new_zeros(type, n);
        char *other = new_keys(type, n, KEYS_RANDOM, 2);
        const weft_array x = test_array(type, host, n);
        for (i64 i = 0; i < n; i += 32) {
            weft_get(device, x, i, (void *)got);
            ck_assert_mem_eq(got, host + (size_t)i * size, size);
            weft_put(device, x, i, (void *)(other + (size_t)i * size));
            memcpy(host + (size_t)i * size, other + (size_t)i * size, size);
        }
        weft_read(device, x, (void *)got);
        test_ok();
        ck_assert_mem_eq(got, host, (size_t)n * size);
        free(host), free(got), free(other);
    }
}
END_TEST

START_TEST(of_lazy_arrays) {
    const lazy_twelve host[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    const weft_array x = test_array(WEFT_STRUCT(lazy_twelve), host, 3);
    lazy_twelve got = {0};
    u32 number = 0;
    weft_get(device, weft_lazy(3, lazy_struct, .x = x), 2, &got);
    ck_assert_mem_eq(&got, &host[2], sizeof got);
    weft_get(device, weft_counting(100, (u32)7), 99, &number);
    ck_assert_uint_eq(number, 106);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[4] = {1, 2, 3, 4}, value = 9;
    f64 wide = 9;
    const weft_array none = {0}, x = test_array(WEFT_U32, host, 4),
                     fixed = weft_borrow_const(device, WEFT_U32, host, 4);
    weft_get(device, none, 0, &value);
    test_expect_error(WEFT_E_ARGUMENT, "weft_get: array 'array' is missing");
    value = 9;
    weft_get(device, x, 4, &value);
    test_expect_error(WEFT_E_SHAPE, "weft_get: array 'array' has 4 elements, no 4");
    ck_assert_uint_eq(value, 0);
    weft_get(device, x, -1, &value);
    test_expect_error(WEFT_E_SHAPE, "weft_get: array 'array' has 4 elements, no -1");
    weft_get(device, x, 0, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_get: 'value' is NULL");
    weft_get(device, x, 0, &wide);
    test_expect_error(WEFT_E_TYPE, "weft_get: 'value' points to f64, but the elements are");
    weft_put(device, none, 0, &value);
    test_expect_error(WEFT_E_ARGUMENT, "weft_put: array 'array' is missing");
    weft_put(device, x, 4, &value);
    test_expect_error(WEFT_E_SHAPE, "weft_put: array 'array' has 4 elements, no 4");
    weft_put(device, fixed, 0, &value);
    test_expect_error(WEFT_E_ARGUMENT, "weft_put: array 'array' is read-only");
    weft_put(device, weft_counting(4, (u32)0), 0, &value);
    test_expect_error(WEFT_E_ARGUMENT, "weft_put: array 'array' is lazy");
    weft_put(device, x, 0, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_put: 'value' is NULL");
    weft_put(device, x, 0, &wide);
    test_expect_error(WEFT_E_TYPE, "weft_put: 'value' points to f64, but the elements are");
    weft_return(device, fixed);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {every_type, of_lazy_arrays, wrong_arguments};
    return test_main(argc, argv, "element", tests, sizeof tests / sizeof *tests);
}
