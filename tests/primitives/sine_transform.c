/* Sine transforms against their definition, and the laws of eigenfunctions. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>

static const f64 pi = 3.14159265358979323846;

static f64 sine(i64 n, i64 i, i64 p) {
    return sin(pi * (f64)((i + 1) * (p + 1) % (2 * n + 2)) / (f64)(n + 1));
}

static f32 *random_cubes(i64 count, u64 seed) {
    f32 *x = malloc((size_t)(count + 1) * sizeof *x);
    for (i64 i = 0; i < count; i++)
        x[i] = (f32)((f64)(i64)test_random(&seed) * 0x1p-63);
    return x;
}

/* The definition, one axis after the other, in f64; the last axis becomes the first. */
static void define_axis(i64 n, const f64 *in, f64 *out) {
    for (i64 i = 0; i < n; i++)
        for (i64 line = 0; line < n * n; line++) {
            f64 sum = 0;
            for (i64 p = 0; p < n; p++)
                sum += 2 * sine(n, i, p) * in[line * n + p];
            out[i * n * n + line] = sum;
        }
}

static void define(i64 n, const f32 *x, f64 *out) {
    const i64 count = n * n * n;
    f64 *a = malloc((size_t)count * sizeof *a);
    for (i64 i = 0; i < count; i++)
        out[i] = (f64)x[i];
    define_axis(n, out, a);
    define_axis(n, a, out);
    define_axis(n, out, a);
    for (i64 i = 0; i < count; i++)
        out[i] = a[i];
    free(a);
}

/* That a cube is what is expected, to the rounding that the header allows: of values of
 * root mean square `size`, sums of n^3. */
static void expect_near(i64 n, const f32 *got, const f64 *expected, f64 size) {
    const f64 bound = 16 * 0x1p-24 * 8 * size * sqrt((f64)(n * n * n));
    for (i64 i = 0; i < n * n * n; i++)
        if (!(fabs((f64)got[i] - expected[i]) <= bound))
            ck_abort_msg("n = %lld: element %lld is %g, not %g (bound %g)", (long long)n,
                         (long long)i, (f64)got[i], expected[i], bound);
}

/* Some cubes within a longer array: each by definition, what lies beside them untouched,
 * and all the same when it is done again. */
static void check(i64 n, i64 cubes) {
    const i64 cube = n * n * n, count = cubes * cube, beside = 3;
    f32 *x = random_cubes(count + 2 * beside, (u64)n);
    f32 *got = malloc((size_t)(count + 2 * beside) * sizeof *got);
    f32 *again = malloc((size_t)(count + 2 * beside) * sizeof *again);
    f64 *expected = malloc((size_t)cube * sizeof *expected);
    const weft_array a = test_array(WEFT_F32, x, count + 2 * beside);
    weft_sine_transform(device, n, weft_slice(device, a, beside, count));
    weft_read(device, a, got);
    weft_write(device, a, x);
    weft_sine_transform(device, n, weft_slice(device, a, beside, count));
    weft_read(device, a, again);
    test_ok();
    ck_assert_mem_eq(got, again, (size_t)(count + 2 * beside) * sizeof *got);
    ck_assert_mem_eq(got, x, (size_t)beside * sizeof *x);
    ck_assert_mem_eq(got + beside + count, x + beside + count, (size_t)beside * sizeof *x);
    for (i64 k = 0; k<cubes; k += cubes> 3 ? cubes - 1 : 1) {
        define(n, x + beside + k * cube, expected);
        expect_near(n, got + beside + k * cube, expected, 1);
    }
    weft_array_free(device, a);
    free(x), free(got), free(again), free(expected);
}

START_TEST(definition) {
    const i64 sizes[] = {1, 2, 3, 4, 5, 6, 7, 10, 15, 16, 17, 31};
    for (int k = first_kind; k < 12; k += kind_step)
        check(sizes[k], 1 + k % 3);
    check(7, 0);
    check(7, 2000);
    check(15, 33);
    check(63, 3);
}
END_TEST

/* A product of sines is one number, and that number is it again. */
START_TEST(eigenfunctions) {
    const i64 sizes[] = {7, 15, 31, 63};
    for (int s = first_kind % 4; s < 4; s += kind_step) {
        const i64 n = sizes[s], cube = n * n * n, mode[3] = {n - 1, n / 3, 2};
        f32 *x = malloc((size_t)cube * sizeof *x);
        f64 *spike = calloc((size_t)cube, sizeof *spike);
        for (i64 i = 0; i < cube; i++)
            x[i] = (f32)(sine(n, i / (n * n), mode[0]) * sine(n, i / n % n, mode[1]) *
                         sine(n, i % n, mode[2]));
        spike[(mode[0] * n + mode[1]) * n + mode[2]] = pow((f64)(n + 1), 3);
        const weft_array a = test_array(WEFT_F32, x, cube);
        weft_sine_transform(device, n, a);
        f32 *got = malloc((size_t)cube * sizeof *got);
        weft_read(device, a, got);
        expect_near(n, got, spike, sqrt((f64)cube));
        weft_array_free(device, a);
        free(x), free(spike), free(got);
    }
}
END_TEST

START_TEST(twice) {
    const i64 sizes[] = {1, 4, 7, 15, 63};
    for (int s = first_kind % 5; s < 5; s += kind_step) {
        const i64 n = sizes[s], count = 2 * n * n * n;
        f32 *x = random_cubes(count, 7), *got = malloc((size_t)count * sizeof *got);
        const weft_array a = test_array(WEFT_F32, x, count);
        weft_sine_transform(device, n, a);
        weft_sine_transform(device, n, a);
        weft_read(device, a, got);
        for (i64 i = 0; i < count; i++)
            ck_assert_double_eq_tol((f64)got[i] / pow(2.0 * (f64)(n + 1), 3), (f64)x[i],
                                    1e-5);
        weft_array_free(device, a);
        free(x), free(got);
    }
}
END_TEST

START_TEST(wrong_arguments) {
    const f32 x[28] = {0};
    const weft_array a = test_array(WEFT_F32, x, 27), longer = test_array(WEFT_F32, x, 28);
    weft_sine_transform(device, 0, a);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sine_transform: n is 0, not 1 to 511");
    weft_sine_transform(device, 512, a);
    test_expect_error(WEFT_E_ARGUMENT, "n is 512");
    weft_sine_transform(device, 3, longer);
    test_expect_error(WEFT_E_SHAPE, "28 numbers are no cubes of 3^3");
    weft_sine_transform(device, 3, weft_as(device, a, WEFT_U32));
    test_expect_error(WEFT_E_TYPE, "array 'cubes' has elements of u32, not f32");
    const weft_array lent = weft_borrow_const(device, WEFT_F32, x, 27);
    weft_sine_transform(device, 3, lent);
    test_expect_error(WEFT_E_ARGUMENT, "array 'cubes' is read-only");
    weft_return(device, lent);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {definition, eigenfunctions, twice, wrong_arguments};
    return test_main(argc, argv, "sine_transform", tests, sizeof tests / sizeof *tests);
}
