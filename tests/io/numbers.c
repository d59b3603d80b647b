/* Passes over numbers, value by value. */
#include "io/files/numbers.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 10000 };

/* As many around blocks and lanes. */
static const int64_t sizes[] = {0, 1, 2, 7, 23, 24, 25, 48, 49, 4095, 4096, 4097, MOST};

static void put(void *values, int bytes, int64_t i, double x) {
    if (bytes == 4)
        ((float *)values)[i] = (float)x;
    else
        ((double *)values)[i] = x;
}

START_TEST(extents) {
    static double values[MOST * 4];
    for (int bytes = 4; bytes <= 8; bytes += 4)
        for (int axes = 1; axes <= 4; ++axes)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
                const int64_t n = sizes[s];
                double low[4], high[4];
                for (int64_t i = 0; i < n * axes; ++i)
                    put(values, bytes, i,
                        rand() % 9 == 0 ? NAN : (double)(rand() % 100000 - 50000));
                io_extent((int)(n % 7), values, bytes, axes, n, low, high);
                for (int axis = 0; axis < axes; ++axis) {
                    double least = INFINITY, most = -INFINITY;
                    for (int64_t i = axis; i < n * axes; i += axes) {
                        least = fmin(least, io_value(values, bytes, i));
                        most = fmax(most, io_value(values, bytes, i));
                    }
                    ck_assert(low[axis] == least && high[axis] == most);
                }
            }
}
END_TEST

/* The first of what each call looks for, wherever it is, and nothing else. */
START_TEST(firsts) {
    static double values[MOST];
    const double bad[] = {NAN, -NAN, INFINITY, -INFINITY}, low[] = {0, -0.0, -1e-40, NAN};
    for (int bytes = 4; bytes <= 8; bytes += 4)
        for (int64_t at = -1; at < MOST; at += at < 30 ? 1 : 997)
            for (int k = 0; k < 4; ++k) {
                for (int64_t i = 0; i < MOST; ++i)
                    put(values, bytes, i, i % 2 ? 1e-40 : 3e38);
                ck_assert_int_eq(io_first_not_finite((int)at & 3, values, bytes, MOST), -1);
                ck_assert_int_eq(io_first_not_positive((int)at & 3, values, bytes, MOST),
                                 -1);
                for (int64_t i = at; i >= 0 && i < MOST; i += 5000)
                    put(values, bytes, i, bad[k]);
                ck_assert_int_eq(io_first_not_finite((int)at & 3, values, bytes, MOST), at);
                for (int64_t i = at; i >= 0 && i < MOST; i += 5000)
                    put(values, bytes, i, low[k]);
                ck_assert_int_eq(io_first_not_positive((int)at & 3, values, bytes, MOST),
                                 at);
                ck_assert_int_eq(
                    io_first_not_positive((int)at & 3, values, bytes, at < 0 ? 0 : at), -1);
            }
}
END_TEST

/* Wherever the least and the largest lie, by any number of threads, and factors in each
 * part. */
START_TEST(ranges) {
    static int64_t values[MOST];
    static double numbers[MOST];
    for (int threads = 0; threads < 9; ++threads) {
        for (int64_t at = 0; at < MOST; at += at < 30 ? 1 : 997) {
            const int64_t n = MOST - at / 2, end = n - 1 - at % n;
            int64_t smallest, largest;
            memset(values, 0, sizeof values);
            values[at % n] = -7;
            values[end] += 9;
            io_range(threads, values, n, &smallest, &largest);
            ck_assert_int_eq(smallest, end == at % n ? 0 : -7);
            ck_assert_int_eq(largest, end == at % n ? 2 : 9);
        }
        for (int bytes = 4; bytes <= 8; bytes += 4) {
            for (int64_t i = 0; i < MOST; ++i)
                put(numbers, bytes, i, (double)i);
            io_scale(threads, numbers, bytes, MOST, 0.5);
            for (int64_t i = 0; i < MOST; ++i)
                ck_assert(io_value(numbers, bytes, i) == 0.5 * (double)i);
        }
    }
}
END_TEST

/* Rows that are looked at some at a time, and elsewhere, are as those looked at together.
 */
START_TEST(seen) {
    static double values[MOST];
    static int64_t integers[MOST];
    for (int axes = 1; axes <= 3; ++axes)
        for (int k = 0; k < 30; ++k) {
            const int64_t n = k < 10 ? k : rand() % (MOST / axes);
            const bool odd = k % 3 == 0 && n > 0;
            struct io_seen all = io_seen_none(), part = io_seen_none();
            double low[3] = {INFINITY, INFINITY, INFINITY}, high[3];
            for (int64_t i = 0; i < n * axes; ++i) {
                values[i] = rand() % 1000 - 500;
                integers[i] = rand() % 1000 - 500;
            }
            if (odd)
                values[rand() % (n * axes)] = k % 2 ? NAN : INFINITY;
            io_extent(1, values, 8, axes, n, low, high);
            for (int64_t i = 0, some; i < n; i += some) {
                some = rand() % (n - i) + 1;
                io_see(&part, values + i * axes, 8, axes, some);
                io_see_integers(&part, integers + i, 0);
            }
            io_seen_join(&all, &part);
            ck_assert(all.rows == n && all.odd == odd);
            for (int axis = 0; axis < axes; ++axis)
                ck_assert(all.low[axis] == low[axis] && all.high[axis] == high[axis]);
            all = io_seen_none();
            io_see_integers(&all, integers, n / 2);
            io_see_integers(&all, integers + n / 2, n - n / 2);
            ck_assert_int_eq(all.rows, n);
            int64_t smallest, largest;
            if (n > 0) {
                io_range(1, integers, n, &smallest, &largest);
                ck_assert(all.smallest == smallest && all.largest == largest);
            }
        }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {extents, firsts, ranges, seen};
    return io_test_main("numbers", tests, sizeof tests / sizeof *tests);
}
