/* Transfers that threads share, which large ones to GPUs are: made so here, of any length.
 */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"

#include <weft/transform.h>

#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20 }; /* numbers that one thread copies at a time: 4 MiB */

static weft_device *open_staged(void) {
    setenv("WEFT_OPENCL_STAGE", "yes", 1);
    weft_device *d = weft_open("opencl");
    ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
    return d;
}

static u32 number(i64 i) {
    return (u32)i * 2654435761u;
}

static u32 *numbers(i64 n) {
    u32 *x = malloc((size_t)n * sizeof *x + 1);
    for (i64 i = 0; i < n; i++)
        x[i] = number(i);
    return x;
}

static i64 count_wrong(const u32 *x, i64 first, i64 n) {
    i64 wrong = 0;
    for (i64 i = 0; i < n; i++)
        wrong += x[i] != number(first + i);
    return wrong;
}

/* There and back, from and to places within arrays, and lent. */
START_TEST(numbers_travel) {
    const i64 sizes[] = {1,
                         2,
                         PIECE - 1,
                         PIECE,
                         PIECE + 1,
                         2 * PIECE + 1,
                         4 * PIECE,
                         8 * PIECE + 3,
                         17 * PIECE + 5};
    const u32 mark = 0x600df00d;
    weft_device *d = open_staged();
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const i64 n = sizes[s];
        u32 *x = numbers(n), *back = calloc((size_t)n, sizeof *back);
        const weft_array whole = weft_array_new(d, WEFT_U32, n + 7);
        const weft_array part = weft_slice(d, whole, 5, n);
        weft_write(d, part, x);
        ck_assert_int_eq(weft_read(d, part, back), WEFT_OK);
        ck_assert_int_eq(count_wrong(back, 0, n), 0);
        weft_read(d, weft_slice(d, part, n / 3, n - n / 3), back);
        ck_assert_int_eq(count_wrong(back, n / 3, n - n / 3), 0);
        weft_array_free(d, whole);
        const weft_array lent = weft_borrow(d, WEFT_U32, x, n);
        memset(back, 0, (size_t)n * sizeof *back);
        weft_read(d, lent, back);
        ck_assert_int_eq(count_wrong(back, 0, n), 0);
        weft_fill(d, weft_slice(d, lent, n / 2, 1), &mark);
        ck_assert_int_eq(weft_return(d, lent), WEFT_OK);
        ck_assert_uint_eq(x[n / 2], mark);
        ck_assert_int_eq(count_wrong(x, 0, n), 1);
        free(x);
        free(back);
    }
    weft_close(d);
}
END_TEST

/* What is pinned goes past the threads; what only begins or ends there does not. */
START_TEST(pinned_numbers_travel) {
    enum { N = 3 * PIECE, FIRST = PIECE / 2, COUNT = PIECE };
    weft_device *d = open_staged();
    u32 *x = numbers(N), *back = calloc(N, sizeof *back);
    const weft_array whole = weft_array_new(d, WEFT_U32, N);
    weft_pin(d, x + FIRST, COUNT * sizeof *x);
    weft_pin(d, back, COUNT * sizeof *back);
    for (i64 first = 0; first < N; first += PIECE / 4)
        weft_write(d, weft_slice(d, whole, first, PIECE / 4), x + first);
    for (i64 n = PIECE / 2; n <= N; n += PIECE / 2) {
        memset(back, 0, N * sizeof *back);
        ck_assert_int_eq(weft_read(d, weft_slice(d, whole, 0, n), back), WEFT_OK);
        ck_assert_int_eq(count_wrong(back, 0, n), 0);
        weft_write(d, weft_slice(d, whole, FIRST, N - FIRST), x + FIRST);
    }
    weft_unpin(d, x + FIRST);
    free(x);
    weft_close(d);
    free(back);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {numbers_travel, pinned_numbers_travel};
    return suite_main("staging", tests, 2);
}
