/* Modes that a seed makes, and displacements against closed forms. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>

static const f64 pi = 3.14159265358979323846;
enum { N = 12, ALL = N * N * N, LENGTH = 2 * N * N * (N / 2 + 1) };

static f64 *modes_of(i64 n, u64 seed, int fixed) {
    const i64 sides[3] = {n, n, n}, length = weft_fourier_length(sides);
    const i64 most = weft_ics_most(n);
    f64 *amplitude = malloc((size_t)(most + 1) * sizeof *amplitude);
    f64 *spectrum = malloc((size_t)length * sizeof *spectrum);
    for (i64 k = 0; k <= most; k++)
        amplitude[k] = 1 / (1 + (f64)k);
    const weft_array a = test_array(WEFT_F64, amplitude, most + 1);
    const weft_array s = weft_array_new(device, WEFT_F64, length);
    weft_ics_modes(device, n, seed, fixed, a, s);
    weft_read(device, s, spectrum);
    test_ok();
    weft_array_free(device, a);
    weft_array_free(device, s);
    free(amplitude);
    return spectrum;
}

static i64 signed_of(i64 i, i64 n) {
    return 2 * i > n ? i - n : i;
}

static const f64 *mode(const f64 *spectrum, i64 n, i64 a, i64 b, i64 c) {
    return spectrum + 2 * ((((a + n) % n) * n + (b + n) % n) * (n / 2 + 1) + c);
}

/* Real fields, modes that every resolution shares, amplitudes, and none of Nyquist's. */
START_TEST(modes) {
    for (int fixed = 0; fixed < 2; fixed++) {
        f64 *small = modes_of(N, 7, fixed), *large = modes_of(20, 7, fixed);
        f64 *other = modes_of(N, 8, fixed);
        f64 sum = 0, cross = 0, count = 0;
        for (i64 t = 0; t < LENGTH / 2; t++) {
            const i64 c = t % (N / 2 + 1), b = signed_of(t / (N / 2 + 1) % N, N);
            const i64 a = signed_of(t / (N / 2 + 1) / N, N), square = a * a + b * b + c * c;
            const f64 *s = small + 2 * t, *l = mode(large, 20, a, b, c);
            if (2 * a == N || 2 * b == N || 2 * c == N || square == 0) {
                ck_assert(s[0] == 0 && s[1] == 0);
                continue;
            }
            ck_assert(s[0] == l[0] && s[1] == l[1]);
            const f64 *minus = c == 0 ? mode(small, N, -a, -b, 0) : NULL;
            ck_assert(!minus || (minus[0] == s[0] && minus[1] == -s[1]));
            const f64 size = (1 + (f64)square) * hypot(s[0], s[1]);
            ck_assert(!fixed || fabs(size - 1) < 1e-14);
            sum += size * size, count += 1;
            cross += (1 + (f64)square) * (1 + (f64)square) *
                     (s[0] * other[2 * t] + s[1] * other[2 * t + 1]);
        }
        ck_assert_double_eq_tol(sum / count, 1, 5 / sqrt(count));
        ck_assert_double_eq_tol(cross / count, 0, 5 / sqrt(count));
        free(small), free(large), free(other);
    }
}
END_TEST

/* The spectrum of a field, as coefficients. */
static weft_array series_of(const f64 *field) {
    const i64 sides[3] = {N, N, N};
    f64 *s = malloc(LENGTH * sizeof *s);
    const weft_array real = test_array(WEFT_F64, field, ALL);
    const weft_array spectrum = weft_array_new(device, WEFT_F64, LENGTH);
    weft_fourier_transform(device, sides, WEFT_FOURIER_FORWARD, real, spectrum);
    weft_read(device, spectrum, s);
    for (int k = 0; k < LENGTH; k++)
        s[k] /= ALL;
    weft_write(device, spectrum, s);
    weft_array_free(device, real);
    free(s);
    return spectrum;
}

static void expect_displacement(weft_array spectrum, f64 box, int axis,
                                const f64 *expected) {
    static f64 got[ALL];
    const weft_array d = weft_array_new(device, WEFT_F64, ALL);
    weft_ics_displacement(device, N, box, axis, spectrum, d);
    weft_read(device, d, got);
    test_ok();
    for (int i = 0; i < ALL; i++)
        if (!(fabs(got[i] - expected[i]) < 1e-12))
            ck_abort_msg("axis %d: point %d moves %g, not %g", axis, i, got[i],
                         expected[i]);
    weft_array_free(device, d);
}

/* delta = A cos(k.x) is moved by -A k / k^2 sin(k.x), and has no second order. */
START_TEST(one_wave) {
    const f64 box = 5, wave[3] = {2 * pi / box, -4 * pi / box, 6 * pi / box};
    const f64 square = wave[0] * wave[0] + wave[1] * wave[1] + wave[2] * wave[2];
    static f64 field[ALL], expected[ALL], second[LENGTH];
    f64 phase[ALL];
    for (int i = 0; i < ALL; i++) {
        phase[i] =
            box / N * (wave[0] * (i / 144) + wave[1] * (i / 12 % 12) + wave[2] * (i % 12));
        field[i] = 0.3 * cos(phase[i]);
    }
    const weft_array spectrum = series_of(field);
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < ALL; i++)
            expected[i] = -0.3 * wave[axis] / square * sin(phase[i]);
        expect_displacement(spectrum, box, axis, expected);
    }
    const weft_array s = weft_array_new(device, WEFT_F64, LENGTH);
    weft_ics_second(device, N, spectrum, s);
    weft_read(device, s, second);
    test_ok();
    for (int k = 0; k < LENGTH; k++)
        ck_assert_double_eq_tol(second[k], 0, 1e-15);
}
END_TEST

/* delta = A cos(k x) + B cos(k y): the source is A B cos(k x) cos(k y), which moves by
 * -A B / (2 k) sin(k x) cos(k y) along x; of two waves along x and x + z, less. */
START_TEST(crossed_waves) {
    const f64 box = 2 * pi;
    static f64 field[ALL], expected[ALL];
    const weft_array second = weft_array_new(device, WEFT_F64, LENGTH);
    for (int i = 0; i < ALL; i++) {
        const f64 x = box / N * (i / 144), y = box / N * (i / 12 % 12);
        field[i] = 0.3 * cos(x) + 0.5 * cos(y);
        expected[i] = -0.3 * 0.5 / 2 * sin(x) * cos(y);
    }
    weft_ics_second(device, N, series_of(field), second);
    expect_displacement(second, box, 0, expected);
    /* phi_xx phi_zz - phi_xz^2 of cos x and cos(x + z): the former's phi_xx alone meets the
     * latter's phi_zz, which is half of it, so the source is half the product. */
    for (int i = 0; i < ALL; i++) {
        const f64 x = box / N * (i / 144), z = box / N * (i % 12);
        field[i] = 0.3 * cos(x) + 0.5 * cos(x + z);
        expected[i] = -0.3 * 0.5 / 4 * (sin(2 * x + z) / 5 - sin(-z));
    }
    weft_ics_second(device, N, series_of(field), second);
    expect_displacement(second, box, 2, expected);
}
END_TEST

START_TEST(wrong_arguments) {
    const f64 x[8] = {0};
    const weft_array a = test_array(WEFT_F64, x, 8);
    weft_ics_modes(device, 3, 0, 0, a, a);
    test_expect_error(WEFT_E_ARGUMENT, "n is 3, not an even number");
    weft_ics_modes(device, 2, 0, 0, a, a);
    test_expect_error(WEFT_E_SHAPE, "array 'spectrum' has 8 elements, at least 16");
    weft_ics_displacement(device, 22, 1, 0, weft_array_new(device, WEFT_F64, 11616),
                          weft_array_new(device, WEFT_F64, 10648));
    test_expect_error(WEFT_E_ARGUMENT, "n[0] is 22, which has a factor");
    const weft_array s = weft_array_new(device, WEFT_F64, 16);
    weft_ics_modes(device, 2, 0, 0, weft_slice(device, a, 0, 3), s);
    test_expect_error(WEFT_E_SHAPE, "array 'amplitude' has 3 elements, at least 4");
    weft_ics_displacement(device, 2, 1, 3, s, a);
    test_expect_error(WEFT_E_ARGUMENT, "there is no axis 3");
    weft_ics_displacement(device, 2, -1, 2, s, a);
    test_expect_error(WEFT_E_ARGUMENT, "box is -1");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {modes, one_wave, crossed_waves, wrong_arguments};
    return test_main(argc, argv, "ics", tests, sizeof tests / sizeof *tests);
}
