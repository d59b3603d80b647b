/* Launches: arguments by name, and a sentence for each wrong one. */
#include "harness.h"
#include "launch.kernel.h"

#include <stdlib.h>

WEFT_KERNEL(launch_saxpy, (value, f32, a), (in, f32, x), (inout, f32, y))

START_TEST(saxpy) {
    for (int s = 0; s < test_size_count; s++) {
        const i64 n = test_sizes[s];
        f32 *x = malloc((size_t)(n + 1) * sizeof *x),
            *y = malloc((size_t)(n + 1) * sizeof *y);
        for (i64 i = 0; i < n; i++)
            x[i] = (f32)i, y[i] = 1;
        const weft_array in = test_array(WEFT_F32, x, n), out = test_array(WEFT_F32, y, n);
        weft_for_each(device, n, launch_saxpy, .a = 2, .x = in, .y = out);
        weft_read(device, out, y);
        test_ok();
        for (i64 i = 0; i < n; i++)
            ck_assert_float_eq(y[i], 2 * (f32)i + 1);
        free(x);
        free(y);
    }
}
END_TEST

START_TEST(wrong_arguments) {
    f32 host[5] = {1, 2, 3, 4, 5};
    const weft_array x = weft_borrow_const(device, WEFT_F32, host, 5);
    const weft_array y = test_array(WEFT_F32, host, 5);
    const weft_array words = weft_as(device, y, WEFT_U32);
    weft_for_each(device, 6, launch_saxpy, .a = 2, .x = x, .y = y);
    test_expect_error(WEFT_E_SHAPE, "launch_saxpy: array 'x' has 5 elements, at least 6");
    weft_for_each(device, -1, launch_saxpy, .a = 2, .x = x, .y = y);
    test_expect_error(WEFT_E_ARGUMENT, "launch_saxpy: n is -1");
    weft_for_each(device, 5, launch_saxpy, .a = 2, .x = x);
    test_expect_error(WEFT_E_ARGUMENT, "array 'y' is missing");
    weft_for_each(device, 5, launch_saxpy, .a = 2, .x = x, .y = x);
    test_expect_error(WEFT_E_ARGUMENT, "array 'y' is read-only");
    weft_for_each(device, 5, launch_saxpy, .a = 2, .x = words, .y = y);
    test_expect_error(WEFT_E_TYPE, "array 'x' has elements of u32, not f32");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {saxpy, wrong_arguments};
    return test_main(argc, argv, "launch", tests, sizeof tests / sizeof *tests);
}
