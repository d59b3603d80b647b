/* Numbers as text, beside printf. */
#include "io/catalogue/print.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void try(double x) {
    char ours[IO_PRINT_MOST + 1], theirs[64];
    *io_print_f64(ours, x) = '\0';
    snprintf(theirs, sizeof theirs, "%.17g", x);
    ck_assert_str_eq(ours, theirs);
}

/* It and its neighbours, of both signs. */
static void try_around(double x) {
    const double values[] = {x, nextafter(x, INFINITY), nextafter(x, -INFINITY)};
    for (int k = 0; k < 3; ++k) {
        try(values[k]);
        try(-values[k]);
    }
}

START_TEST(doubles) {
    const double edges[] = {
        0,      INFINITY, NAN, 5e-324,  2.2250738585072014e-308, 1e-10, 1e40, 0x1p53,
        0x1p63, 0.5,      0.1, 1.0 / 3, 99999999999999995e3};
    for (size_t k = 0; k < sizeof edges / sizeof *edges; ++k)
        try_around(edges[k]);
    for (int k = -320; k < 308; ++k)
        for (int digit = 1; digit < 10; ++digit)
            try_around(digit * pow(10, k));
    for (int k = -1070; k < 1023; ++k)
        try_around(ldexp(1, k));
    for (int k = 0; k < 50000; ++k) {
        const uint64_t bits = next();
        double any;
        memcpy(&any, &bits, sizeof any);
        try(any);
        try(ldexp((double)(bits >> 11), (int)(next() % 200) - 120));
        try((double)(int64_t)bits / (double)((uint64_t)1 << next() % 64));
        try((double)(bits % 1000000) * pow(10, -(int)(next() % 12))); /* few digits */
        try(((double)(bits >> 12) + 0.5) * (double)(1 + next() % 8)); /* ties */
    }
}
END_TEST

START_TEST(integers) {
    for (int k = 0; k < 50000; ++k) {
        const int64_t some = (int64_t)(next() >> next() % 64);
        const int64_t values[] = {some, -some, k, INT64_MIN, INT64_MAX};
        for (int i = 0; i < 5; ++i) {
            char ours[IO_PRINT_MOST + 1], theirs[64];
            *io_print_i64(ours, values[i]) = '\0';
            snprintf(theirs, sizeof theirs, "%lld", (long long)values[i]);
            ck_assert_str_eq(ours, theirs);
        }
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {doubles, integers};
    return io_test_main("print", tests, sizeof tests / sizeof *tests);
}
