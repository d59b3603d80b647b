/* Kernels that go far astray are ended and told where; the program goes on. */
#include "harness.h"
#include "astray.kernel.h"

#include <stdlib.h>

WEFT_KERNEL(astray_writes, (value, i64, at), (in, u32, x), (out, u32, y))
WEFT_KERNEL(astray_reads_far, (value, i64, at), (in, u32, x), (out, u32, y))
WEFT_KERNEL(astray_reads_absent, (optional, u32, x), (out, u32, y))
WEFT_KERNEL(astray_divides, (value, u32, by), (out, u32, y))
WEFT_GENERATOR(astray_lazy, u32, (value, i64, at), (in, u32, x))

enum { N = 100 };

static weft_array numbers(void) {
    u32 host[N];
    for (u32 i = 0; i < N; i++)
        host[i] = i + 1;
    return test_array(WEFT_U32, host, N);
}

/* That arrays are as they were, and the device goes on. */
static void expect_whole(weft_array x) {
    u32 host[N];
    const weft_array y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, astray_writes, .at = 2, .x = x, .y = y);
    weft_read(device, y, host);
    test_ok();
    for (u32 i = 0; i < N; i++)
        ck_assert_uint_eq(host[i], i + 1);
}

START_TEST(writes) {
    const weft_array x = numbers(), y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, astray_writes, .at = 1000000, .x = x, .y = y);
    test_expect_error(WEFT_E_CHECK, "astray_writes: reached far beyond array 'y', element "
                                    "1000000 of 100");
    expect_whole(x);
    weft_for_each(device, N, astray_writes, .at = -1000000, .x = x, .y = y);
    test_expect_error(
        WEFT_E_CHECK,
        "astray_writes: reached far before array 'y', element -1000000 of 100");
    expect_whole(x);
    weft_for_each(device, N, astray_writes, .at = (i64)1 << 52, .x = x, .y = y);
    test_expect_error(WEFT_E_CHECK,
                      "astray_writes: reached for memory that is far from all "
                      "of its arrays");
    expect_whole(x);
}
END_TEST

START_TEST(reads) {
    const weft_array x = numbers(), y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, astray_reads_far, .at = 5000000, .x = x, .y = y);
    test_expect_error(WEFT_E_CHECK, "astray_reads_far: reached far beyond array 'x', "
                                    "element 5000000 of 100");
    weft_for_each(device, N, astray_reads_absent, .y = y);
    test_expect_error(
        WEFT_E_CHECK,
        "astray_reads_absent: went through a null pointer: an optional array");
    weft_transform(device, N, y, astray_lazy, .at = -2000000, .x = x);
    test_expect_error(WEFT_E_CHECK,
                      "astray_lazy: reached far before array 'x', element -2000000 of 100");
    u32 sum = 0;
    weft_reduce(device, weft_lazy(N, astray_lazy, .at = 3000000, .x = x),
                weft_plus(WEFT_U32), &sum);
    test_expect_error(WEFT_E_CHECK, "reached far beyond array 'x', element 3000000 of 100");
    expect_whole(x);
}
END_TEST

START_TEST(division) {
    const weft_array y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, astray_divides, .by = 3, .y = y);
    test_ok();
    weft_for_each(device, N, astray_divides, .by = 0, .y = y);
#if defined(__x86_64__) /* others give 0 */
    test_expect_error(WEFT_E_CHECK, "astray_divides: divided an integer by zero");
#else
    weft_clear(device);
#endif
}
END_TEST

int main(int argc, char **argv) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return 77; /* they take all faults for themselves */
#endif
    const TTest *const tests[] = {division, writes, reads};
    return test_main(argc, argv, "astray", tests, sizeof tests / sizeof *tests);
}
