/* Fourier transforms against their definition, and their laws. */
#define _DEFAULT_SOURCE
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const f64 pi = 3.14159265358979323846;

static const struct {
    i64 n[3];
    weft_type type;
} grids[] = {
    {{1, 1, 2}, WEFT_F64},   {{2, 3, 4}, WEFT_F32},   {{5, 7, 6}, WEFT_F64},
    {{4, 4, 32}, WEFT_F32},  {{9, 1, 10}, WEFT_F32},  {{3, 15, 14}, WEFT_F64},
    {{8, 16, 2}, WEFT_F64},  {{1, 32, 70}, WEFT_F32}, {{21, 6, 18}, WEFT_F64},
    {{2, 4, 512}, WEFT_F32}, {{256, 3, 2}, WEFT_F64}, {{1, 512, 6}, WEFT_F32},
    {{8, 48, 64}, WEFT_F64},
};
enum { GRIDS = sizeof grids / sizeof *grids };

static f64 *random_numbers(i64 count, u64 seed) {
    f64 *x = malloc((size_t)count * sizeof *x);
    for (i64 i = 0; i < count; i++)
        x[i] = (f64)(f32)((f64)(i64)test_random(&seed) * 0x1p-63);
    return x;
}

/* An array of f32 or f64, and what it holds. */
static weft_array array_of(weft_type type, const f64 *x, i64 count) {
    if (type == WEFT_F64)
        return test_array(type, x, count);
    f32 *narrow = malloc((size_t)count * sizeof *narrow);
    for (i64 i = 0; i < count; i++)
        narrow[i] = (f32)x[i];
    const weft_array a = test_array(type, narrow, count);
    free(narrow);
    return a;
}

static f64 *numbers_of(weft_array a, i64 count) {
    f64 *x = malloc((size_t)count * sizeof *x);
    if (a.type == WEFT_F32) {
        f32 *narrow = malloc((size_t)a.length * sizeof *narrow);
        weft_read(device, a, narrow);
        for (i64 i = 0; i < count; i++)
            x[i] = (f64)narrow[i];
        free(narrow);
    } else
        weft_read(device, weft_slice(device, a, 0, count), x);
    test_ok();
    return x;
}

/* One axis of complex numbers [before][n][behind] by definition. */
static void define_axis(i64 before, i64 n, i64 behind, f64 *z) {
    f64 *line = malloc((size_t)n * 2 * sizeof *line);
    for (i64 b = 0; b < before * behind; b++) {
        f64 *at = z + 2 * (b / behind * n * behind + b % behind);
        for (i64 k = 0; k < n; k++) {
            line[2 * k] = line[2 * k + 1] = 0;
            for (i64 j = 0; j < n; j++) {
                const f64 angle = 2 * pi * (f64)(j * k % n) / (f64)n;
                const f64 re = at[2 * j * behind], im = at[2 * j * behind + 1];
                line[2 * k] += re * cos(angle) + im * sin(angle);
                line[2 * k + 1] += im * cos(angle) - re * sin(angle);
            }
        }
        for (i64 k = 0; k < 2 * n; k++)
            at[k / 2 * 2 * behind + k % 2] = line[k];
    }
    free(line);
}

/* All of the spectrum, [n0][n1][n2] complex. */
static f64 *define(const i64 n[3], const f64 *x) {
    const i64 all = n[0] * n[1] * n[2];
    f64 *z = calloc((size_t)all * 2, sizeof *z);
    for (i64 i = 0; i < all; i++)
        z[2 * i] = x[i];
    define_axis(n[0] * n[1], n[2], 1, z);
    define_axis(n[0], n[1], n[2], z);
    define_axis(1, n[0], n[1] * n[2], z);
    return z;
}

static f64 bound(weft_type type, i64 all) {
    return (type == WEFT_F32 ? 0x1p-24 : 0x1p-53) * 16 * sqrt((f64)all) *
           (1 + log2((f64)all));
}

START_TEST(definition) {
    for (int g = first_kind % GRIDS; g < GRIDS; g += kind_step) {
        const i64 *n = grids[g].n, all = n[0] * n[1] * n[2], half = n[2] / 2 + 1;
        f64 *x = random_numbers(all, (u64)g), *z = define(n, x);
        const i64 length = weft_fourier_length(n);
        ck_assert_int_eq(length, 2 * n[0] * n[1] * half);
        const weft_array real = array_of(grids[g].type, x, all);
        const weft_array spectrum = weft_array_new(device, real.type, length);
        weft_fourier_transform(device, n, WEFT_FOURIER_FORWARD, real, spectrum);
        f64 *got = numbers_of(spectrum, length), *kept = numbers_of(real, all);
        for (i64 k = 0; k < length; k++) {
            const i64 line = k / 2 / half, c = k / 2 % half;
            const f64 expected = z[2 * (line * n[2] + c) + k % 2];
            if (!(fabs(got[k] - expected) <= bound(real.type, all)))
                ck_abort_msg("grid %d: number %lld is %g, not %g", g, (long long)k, got[k],
                             expected);
        }
        ck_assert_mem_eq(kept, x, (size_t)all * sizeof *x);
        weft_fourier_transform(device, n, WEFT_FOURIER_INVERSE, real, spectrum);
        f64 *back = numbers_of(real, all);
        for (i64 i = 0; i < all; i++)
            if (!(fabs(back[i] - (f64)all * x[i]) <=
                  sqrt((f64)all) * bound(real.type, all)))
                ck_abort_msg("grid %d: %lld comes back as %g, not %g", g, (long long)i,
                             back[i] / (f64)all, x[i]);
        weft_array_free(device, real);
        weft_array_free(device, spectrum);
        free(x), free(z), free(got), free(kept), free(back);
    }
}
END_TEST

/* A spectrum that no real numbers have: the inverse is that of its Hermitian part. */
START_TEST(inverse_of_any_spectrum) {
    const i64 n[3] = {6, 5, 4}, all = 120, half = 3, length = weft_fourier_length(n);
    f64 *s = random_numbers(length, 4);
    const weft_array spectrum = test_array(WEFT_F64, s, length);
    const weft_array real = weft_array_new(device, WEFT_F64, all);
    weft_fourier_transform(device, n, WEFT_FOURIER_INVERSE, real, spectrum);
    f64 *got = numbers_of(real, all);
    for (i64 i = 0; i < all; i++) {
        f64 sum = 0;
        for (i64 k = 0; k < length / 2; k++) {
            const i64 line = k / half, c = k % half, a = line / n[1], b = line % n[1];
            const f64 turns = (f64)(a * (i / 20)) / 6 + (f64)(b * (i / 4 % 5)) / 5 +
                              (f64)(c * (i % 4)) / 4;
            const f64 times = c == 1 ? 2 : 1;
            sum += times *
                   (s[2 * k] * cos(2 * pi * turns) - s[2 * k + 1] * sin(2 * pi * turns));
        }
        ck_assert_double_eq_tol(got[i], sum, 1e-12);
    }
    free(s), free(got);
}
END_TEST

/* Numbers for laws, which need no definition, on a larger grid. */
static const i64 large[3] = {16, 15, 14};
enum { LARGE = 16 * 15 * 14 };

static f64 *spectrum_of(const f64 *x) {
    const i64 length = weft_fourier_length(large);
    const weft_array real = test_array(WEFT_F64, x, LARGE);
    const weft_array spectrum = weft_array_new(device, WEFT_F64, length);
    weft_fourier_transform(device, large, WEFT_FOURIER_FORWARD, real, spectrum);
    f64 *s = numbers_of(spectrum, length);
    weft_array_free(device, real);
    weft_array_free(device, spectrum);
    return s;
}

START_TEST(laws) {
    const i64 count = weft_fourier_length(large) / 2, half = 8, by[3] = {5, 14, 3};
    f64 *x = random_numbers(LARGE, 1), *y = random_numbers(LARGE, 2);
    f64 *sum = malloc(LARGE * sizeof *sum), squares = 0, power = 0;
    f64 *moved = malloc(LARGE * sizeof *moved);
    for (i64 i = 0; i < LARGE; i++) {
        const i64 at[3] = {i / 210, i / 14 % 15, i % 14};
        sum[i] = 2 * x[i] - 3 * y[i];
        squares += x[i] * x[i];
        moved[((at[0] + by[0]) % 16 * 15 + (at[1] + by[1]) % 15) * 14 +
              (at[2] + by[2]) % 14] = x[i];
    }
    f64 *sx = spectrum_of(x), *sy = spectrum_of(y), *ss = spectrum_of(sum);
    f64 *sm = spectrum_of(moved);
    const f64 near = 8 * bound(WEFT_F64, LARGE);
    for (i64 k = 0; k < count; k++) {
        const i64 c = k % half, b = k / half % 15, a = k / half / 15;
        const f64 angle =
            -2 * pi *
            ((f64)(a * by[0]) / 16 + (f64)(b * by[1]) / 15 + (f64)(c * by[2]) / 14);
        const f64 re = sx[2 * k], im = sx[2 * k + 1];
        power += (c == 0 || c == 7 ? 1 : 2) * (re * re + im * im);
        for (int part = 0; part < 2; part++)
            ck_assert_double_eq_tol(ss[2 * k + part],
                                    2 * sx[2 * k + part] - 3 * sy[2 * k + part], near);
        ck_assert_double_eq_tol(sm[2 * k], re * cos(angle) - im * sin(angle), near);
        ck_assert_double_eq_tol(sm[2 * k + 1], im * cos(angle) + re * sin(angle), near);
    }
    ck_assert_double_eq_tol(power / LARGE / squares, 1, 1e-12);
    free(x), free(y), free(sum), free(moved), free(sx), free(sy), free(ss), free(sm);
}
END_TEST

/* Numbers of a grid forward, and of what comes back, on a device that is not the test's;
 * false where the backend is not built in. */
static int transform_on(const char *backend, int g, const f64 *x, f64 *spectrum,
                        f64 *back) {
    const i64 *n = grids[g].n, all = n[0] * n[1] * n[2], length = weft_fourier_length(n);
    weft_device *here = device;
    device = weft_open(backend);
    const int there = weft_check(device) != WEFT_E_BACKEND;
    if (there) {
        const weft_array real = array_of(grids[g].type, x, all);
        const weft_array waves = weft_array_new(device, real.type, length);
        weft_fourier_transform(device, n, WEFT_FOURIER_FORWARD, real, waves);
        f64 *numbers = numbers_of(waves, length);
        memcpy(spectrum, numbers, (size_t)length * sizeof *numbers);
        free(numbers);
        weft_fourier_transform(device, n, WEFT_FOURIER_INVERSE, real, waves);
        numbers = numbers_of(real, all);
        memcpy(back, numbers, (size_t)all * sizeof *numbers);
        free(numbers);
    }
    weft_close(device);
    device = here;
    return there;
}

/* The same bytes as on the serial backend in both styles, where it is built in. */
START_TEST(same_everywhere) {
    static const char *const styles[] = {"simd", "simt"};
    const char *style = getenv("WEFT_STYLE");
    char *kept = style ? strdup(style) : NULL;
    for (int g = first_kind % GRIDS; g < GRIDS; g += kind_step) {
        const i64 *n = grids[g].n, all = n[0] * n[1] * n[2],
                  length = weft_fourier_length(n);
        f64 *x = random_numbers(all, (u64)g + 90);
        f64 *spectrum = calloc((size_t)length, 2 * sizeof *x),
            *back = calloc((size_t)all, 16);
        const weft_array real = array_of(grids[g].type, x, all);
        const weft_array waves = weft_array_new(device, real.type, length);
        weft_fourier_transform(device, n, WEFT_FOURIER_FORWARD, real, waves);
        f64 *here = numbers_of(waves, length);
        weft_fourier_transform(device, n, WEFT_FOURIER_INVERSE, real, waves);
        f64 *here_back = numbers_of(real, all);
        for (int k = 0; k < 2; k++) {
            setenv("WEFT_STYLE", styles[k], 1);
            if (!transform_on("serial", g, x, spectrum, back))
                continue;
            ck_assert_mem_eq(here, spectrum, (size_t)length * sizeof *here);
            ck_assert_mem_eq(here_back, back, (size_t)all * sizeof *here);
        }
        weft_array_free(device, real);
        weft_array_free(device, waves);
        free(x), free(spectrum), free(back), free(here), free(here_back);
    }
    if (kept)
        setenv("WEFT_STYLE", kept, 1);
    else
        unsetenv("WEFT_STYLE");
    free(kept);
}
END_TEST

/* Planes and then lines are the whole, and back: bytes. */
START_TEST(parts_are_the_whole) {
    for (int g = first_kind % GRIDS; g < GRIDS; g += kind_step) {
        const i64 *n = grids[g].n, all = n[0] * n[1] * n[2], inner = n[1] * (n[2] / 2 + 1);
        const i64 length = weft_fourier_length(n);
        f64 *x = random_numbers(all, (u64)g + 50);
        const weft_array real = array_of(grids[g].type, x, all);
        const weft_array back = weft_array_new(device, real.type, all);
        const weft_array whole = weft_array_new(device, real.type, length);
        const weft_array parts = weft_array_new(device, real.type, length);
        weft_fourier_transform(device, n, WEFT_FOURIER_FORWARD, real, whole);
        weft_fourier_planes(device, n, WEFT_FOURIER_FORWARD, real, parts);
        weft_fourier_lines(device, n[0], inner, WEFT_FOURIER_FORWARD, parts);
        f64 *a = numbers_of(whole, length), *b = numbers_of(parts, length);
        ck_assert_mem_eq(a, b, (size_t)length * sizeof *a);
        weft_fourier_lines(device, n[0], inner, WEFT_FOURIER_INVERSE, parts);
        weft_fourier_planes(device, n, WEFT_FOURIER_INVERSE, back, parts);
        weft_fourier_transform(device, n, WEFT_FOURIER_INVERSE, real, whole);
        f64 *c = numbers_of(real, all), *d = numbers_of(back, all);
        ck_assert_mem_eq(c, d, (size_t)all * sizeof *c);
        weft_array_free(device, real), weft_array_free(device, back);
        weft_array_free(device, whole), weft_array_free(device, parts);
        free(x), free(a), free(b), free(c), free(d);
    }
}
END_TEST

/* Lines do not know of each other: of any number of them each is as it is alone. */
START_TEST(lines_by_themselves) {
    static const i64 counts[] = {0, 1, 2, 15, 16, 17, 31, 33, 100};
    static const i64 sides[] = {1, 2, 3, 8, 12, 16, 35};
    for (i64 k = 0; k < (i64)(sizeof counts / sizeof *counts * 7); k++) {
        const i64 n = sides[k % 7], lines = counts[k / 7], all = 2 * n * lines;
        f64 *x = random_numbers(all + 1, (u64)k), *line = malloc((size_t)n * 16);
        const weft_array numbers = test_array(WEFT_F64, x, all);
        const weft_array one = weft_array_new(device, WEFT_F64, 2 * n);
        weft_fourier_lines(device, n, lines, WEFT_FOURIER_INVERSE, numbers);
        f64 *got = numbers_of(numbers, all);
        for (i64 l = 0; l < lines; l += 1 + lines / 3) {
            for (i64 i = 0; i < 2 * n; i++)
                line[i] = x[2 * (i / 2 * lines + l) + i % 2];
            weft_write(device, one, line);
            weft_fourier_lines(device, n, 1, WEFT_FOURIER_INVERSE, one);
            weft_read(device, one, line);
            for (i64 i = 0; i < 2 * n; i++)
                ck_assert_double_eq(got[2 * (i / 2 * lines + l) + i % 2], line[i]);
        }
        test_ok();
        weft_array_free(device, numbers), weft_array_free(device, one);
        free(x), free(line), free(got);
    }
}
END_TEST

/* Every even number is one, or the next is the same as that of the number behind it. */
START_TEST(sides) {
    ck_assert_int_eq(weft_fourier_side(-1), 2);
    ck_assert_int_eq(weft_fourier_side(WEFT_FOURIER_MOST - 1), WEFT_FOURIER_MOST);
    ck_assert_int_eq(weft_fourier_side(WEFT_FOURIER_MOST + 1), 0);
    for (i64 least = 2; least < 3000; least++) {
        i64 rest = least;
        for (i64 factor = 2; factor < 8; factor++)
            while (rest % factor == 0)
                rest /= factor;
        const int is_side = least % 2 == 0 && rest == 1;
        ck_assert_int_eq(weft_fourier_side(least),
                         is_side ? least : weft_fourier_side(least + 1));
    }
}
END_TEST

START_TEST(wrong_arguments) {
    const f64 x[24] = {0};
    const i64 n[3] = {1, 2, 4}, odd[3] = {1, 2, 3}, eleven[3] = {11, 1, 2},
              none[3] = {0, 2, 2};
    const weft_array real = test_array(WEFT_F64, x, 8),
                     spectrum = test_array(WEFT_F64, x, 12);
    weft_fourier_transform(device, none, WEFT_FOURIER_FORWARD, real, spectrum);
    test_expect_error(WEFT_E_ARGUMENT, "n[0] is 0, not 1 to 1048576");
    weft_fourier_transform(device, eleven, WEFT_FOURIER_FORWARD, real, spectrum);
    test_expect_error(WEFT_E_ARGUMENT, "n[0] is 11, which has a factor other than");
    weft_fourier_transform(device, odd, WEFT_FOURIER_FORWARD, real, spectrum);
    test_expect_error(WEFT_E_ARGUMENT, "n[2] is 3, which is odd");
    weft_fourier_transform(device, n, (weft_fourier_direction)2, real, spectrum);
    test_expect_error(WEFT_E_ARGUMENT, "there is no direction 2");
    weft_fourier_transform(device, n, WEFT_FOURIER_FORWARD, weft_as(device, real, WEFT_I64),
                           spectrum);
    test_expect_error(WEFT_E_TYPE, "array 'real' is neither f32 nor f64");
    weft_fourier_transform(device, n, WEFT_FOURIER_FORWARD, real,
                           weft_as(device, spectrum, WEFT_F32));
    test_expect_error(WEFT_E_TYPE, "array 'spectrum' has elements of f32, not f64");
    weft_fourier_transform(device, n, WEFT_FOURIER_FORWARD, spectrum, real);
    test_expect_error(WEFT_E_SHAPE, "'spectrum'");
    weft_fourier_transform(device, n, WEFT_FOURIER_INVERSE, spectrum, spectrum);
    test_expect_error(WEFT_E_ARGUMENT, "'spectrum'");
    const i64 few[3] = {-1, 2, 4};
    weft_fourier_planes(device, few, WEFT_FOURIER_FORWARD, real, spectrum);
    test_expect_error(WEFT_E_ARGUMENT, "weft_fourier_planes: n[0] is -1, not 0 to");
    weft_fourier_planes(device, none, WEFT_FOURIER_INVERSE, real, spectrum);
    test_ok();
    weft_fourier_lines(device, 22, 0, WEFT_FOURIER_FORWARD, real);
    test_expect_error(WEFT_E_ARGUMENT, "weft_fourier_lines: n is 22, which has a factor");
    weft_fourier_lines(device, 2, -1, WEFT_FOURIER_FORWARD, real);
    test_expect_error(WEFT_E_ARGUMENT, "there are no -1 lines");
    weft_fourier_lines(device, 5, 1, WEFT_FOURIER_FORWARD, real);
    test_expect_error(WEFT_E_SHAPE, "'numbers'");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {
        definition,          inverse_of_any_spectrum, laws,  same_everywhere,
        parts_are_the_whole, lines_by_themselves,     sides, wrong_arguments};
    return test_main(argc, argv, "fourier", tests, sizeof tests / sizeof *tests);
}
