/* Poisson's equation on cubes: against a direct solution, and put back into the equation;
 * with open boundaries against the sum over all masses. */
#include "algorithms/poisson/poisson.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>

static f32 *random_density(i64 count) {
    u64 seed = 3;
    f32 *density = malloc((size_t)count * sizeof *density);
    for (i64 i = 0; i < count; i++)
        density[i] = test_random(&seed) % 3 ? 0 : (f32)(test_random(&seed) >> 40);
    return density;
}

static f32 *solve(i64 n, i64 cubes, const f32 *density) {
    const i64 count = cubes * n * n * n;
    f32 *depth = malloc((size_t)count * sizeof *depth);
    const weft_array a = test_array(WEFT_F32, density, count);
    poisson_solve(device, n, a);
    weft_read(device, a, depth);
    test_ok();
    weft_array_free(device, a);
    return depth;
}

/* 6 where i = j, -1 where they are neighbours, else 0. */
static f64 laplacian(i64 n, i64 i, i64 j) {
    const i64 d = llabs(i / (n * n) - j / (n * n)) + llabs(i / n % n - j / n % n) +
                  llabs(i % n - j % n);
    return d == 0 ? 6 : d == 1 ? -1 : 0;
}

/* The largest size of a value. */
static f64 most_of(const f32 *values, i64 count) {
    f64 most = 0;
    for (i64 i = 0; i < count; i++)
        most = fmax(most, fabs((f64)values[i]));
    return most;
}

/* Elimination without pivots: the matrix is positive definite. */
static void eliminate(i64 m, f64 *a, f64 *x) {
    for (i64 k = 0; k < m; k++)
        for (i64 i = k + 1; i < m; i++) {
            const f64 factor = a[i * m + k] / a[k * m + k];
            if (factor == 0)
                continue;
            for (i64 j = k; j < m; j++)
                a[i * m + j] -= factor * a[k * m + j];
            x[i] -= factor * x[k];
        }
    for (i64 k = m; k-- > 0;) {
        for (i64 j = k + 1; j < m; j++)
            x[k] -= a[k * m + j] * x[j];
        x[k] /= a[k * m + k];
    }
}

START_TEST(direct) {
    const i64 sizes[] = {1, 2, 3, 5, 7};
    for (int s = 0; s < 5; s++) {
        const i64 n = sizes[s], m = n * n * n;
        f64 *a = malloc((size_t)(m * m) * sizeof *a), *x = malloc((size_t)m * sizeof *x);
        f32 *density = random_density(2 * m), *depth = solve(n, 2, density);
        f64 most = 0;
        for (i64 i = 0; i < m; i++)
            for (i64 j = 0; j < m; j++)
                a[i * m + j] = laplacian(n, i, j);
        for (i64 i = 0; i < m; i++)
            x[i] = (f64)density[m + i];
        eliminate(m, a, x);
        for (i64 i = 0; i < m; i++)
            most = fmax(most, fabs(x[i]));
        for (i64 i = 0; i < m; i++)
            ck_assert_double_eq_tol((f64)depth[m + i], x[i], 1e-5 * most + 1e-30);
        free(a), free(x), free(density), free(depth);
    }
}
END_TEST

static f64 at(i64 n, const f32 *d, i64 i, i64 j, i64 k) {
    const int within = i >= 0 && j >= 0 && k >= 0 && i < n && j < n && k < n;
    return within ? (f64)d[(i * n + j) * n + k] : 0;
}

START_TEST(put_back) {
    const i64 sizes[] = {4, 15, 31, 63, 64};
    for (int s = 0; s < 5; s++) {
        const i64 n = sizes[s];
        f32 *density = random_density(n * n * n), *d = solve(n, 1, density);
        const f64 most = most_of(d, n * n * n);
        for (i64 i = 0; i < n; i++)
            for (i64 j = 0; j < n; j++)
                for (i64 k = 0; k < n; k++) {
                    const f64 sum = at(n, d, i - 1, j, k) + at(n, d, i + 1, j, k) +
                                    at(n, d, i, j - 1, k) + at(n, d, i, j + 1, k) +
                                    at(n, d, i, j, k - 1) + at(n, d, i, j, k + 1);
                    ck_assert_double_eq_tol(6 * at(n, d, i, j, k) - sum,
                                            at(n, density, i, j, k), 2e-5 * most);
                }
        free(density), free(d);
    }
}
END_TEST

/* The sum of density[j] / r over all points j, in f64. */
static f64 sum_over(i64 n, const f32 *density, i64 i) {
    const f64 own = 3 * log(2 + sqrt(3)) - acos(-1) / 2;
    f64 sum = own * (f64)density[i];
    for (i64 j = 0; j < n * n * n; j++) {
        const f64 x = (f64)(i / (n * n) - j / (n * n)), z = (f64)(i % n - j % n),
                  y = (f64)(i / n % n - j / n % n);
        sum += j == i ? 0 : (f64)density[j] / sqrt(x * x + y * y + z * z);
    }
    return sum;
}

static void expect_sums(i64 n, i64 cubes, i64 step, const f32 *density) {
    const i64 points = n * n * n;
    f32 *depth = malloc((size_t)(cubes * points) * sizeof *depth);
    const weft_array a = test_array(WEFT_F32, density, cubes * points);
    weft_scope_open(device);
    poisson_solve_open(device, n, poisson_symbol(device, n), a);
    weft_scope_close(device);
    weft_read(device, a, depth);
    test_ok();
    for (i64 c = 0; c < cubes; c++) {
        const f64 most = most_of(depth + c * points, points);
        for (i64 i = 0; i < points; i += step) {
            const f64 sum = sum_over(n, density + c * points, i);
            const f64 got = (f64)depth[c * points + i];
            if (!(fabs(got - sum) <= 4e-6 * most))
                ck_abort_msg("n = %lld, cube %lld: point %lld is %.9g, not %.9g",
                             (long long)n, (long long)c, (long long)i, got, sum);
        }
    }
    weft_array_free(device, a);
    free(depth);
}

START_TEST(open_space) {
    const i64 sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 31, 32};
    for (int s = 0; s < 12; s++) {
        const i64 n = sizes[s];
        f32 *density = random_density(3 * n * n * n);
        expect_sums(n, 3, n > 10 ? n * n + 2 : 1, density);
        free(density);
    }
    f32 *density = random_density(63 * 63 * 63);
    expect_sums(63, 1, 2503, density);
    free(density);
}
END_TEST

/* The corners, where images are nearest: one mass is seen once, in each place. */
START_TEST(corners) {
    const i64 sizes[] = {2, 3, 7, 8, 15};
    for (int s = 0; s < 5; s++) {
        const i64 n = sizes[s], points = n * n * n;
        f32 *density = calloc((size_t)(8 * points), sizeof *density);
        for (i64 c = 0; c < 8; c++)
            density[c * points +
                    (n - 1) * ((c & 1) + n * (c >> 1 & 1) + n * n * (c >> 2))] = 1;
        expect_sums(n, 8, 1, density);
        free(density);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {direct, put_back, open_space, corners};
    return test_main(argc, argv, "poisson_solve", tests, 4);
}
