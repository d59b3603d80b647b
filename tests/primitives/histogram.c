/* Histograms against a loop: few and many counts, even, skewed and wild bins. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))

/* wild: half of the bins are out of range. */
static void check(i64 n, i64 k, int skewed, int wild) {
    u32 *bins = new_zeros(WEFT_U32, n);
    i64 *expected = new_zeros(WEFT_I64, k);
    u64 seed = 1;
    for (i64 i = 0; i < n; i++) {
        const u64 bits = test_random(&seed);
        bins[i] = skewed && bits % 9 ? 0 : k > 0 ? (u32)(bits >> 32) % (u32)k : 0;
        if (wild && bits & 1)
            bins[i] = bits & 2 ? (u32)k : (u32)(bits >> 30) | 0x80000000u;
        if (bins[i] < k)
            expected[bins[i]]++;
    }
    const weft_array a = test_array(WEFT_U32, bins, n);
    const weft_array narrow = test_array(WEFT_U32, expected, k),
                     wide = test_array(WEFT_I64, expected, k);
    weft_histogram(device, a, narrow);
    expect_counts(narrow, expected);
    weft_histogram(device, weft_lazy(n, lazy_u32, .x = a), wide);
    expect_counts(wide, expected);
    weft_array_free(device, a);
    weft_array_free(device, narrow);
    weft_array_free(device, wide);
    free(bins), free(expected);
}

START_TEST(all_sizes) {
    static const i64 counts[] = {0, 1, 2, 10, 256, 5000, 100003};
    for (int s = 0; s < test_size_count; s++)
        for (int k = 0; k < 7; k++)
            check(test_sizes[s], counts[k], k % 2, s % 2);
}
END_TEST

START_TEST(several_rows) {
    check(1000003, 256, 0, 0);
    check(1000003, 3000, 1, 1);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    const weft_array none = {0}, a = test_array(WEFT_U32, host, 8);
    const weft_array f = weft_array_new(device, WEFT_F32, 8);
    const weft_array fixed = weft_borrow_const(device, WEFT_U32, host, 8);
    const weft_array lazy = weft_lazy(8, lazy_u32, .x = a),
                     counts = weft_array_new(device, WEFT_U32, 8);
    weft_histogram(device, none, counts);
    test_expect_error(WEFT_E_ARGUMENT, "weft_histogram: array 'bins' is missing");
    weft_histogram(device, f, counts);
    test_expect_error(WEFT_E_TYPE,
                      "weft_histogram: array 'bins' has elements of f32, not u32");
    weft_histogram(device, a, none);
    test_expect_error(WEFT_E_ARGUMENT, "weft_histogram: array 'counts' is missing");
    weft_histogram(device, a, f);
    test_expect_error(WEFT_E_TYPE, "'counts' has elements of f32, not u32 or i64");
    weft_histogram(device, a, fixed);
    test_expect_error(WEFT_E_ARGUMENT, "weft_histogram: array 'counts' is read-only");
    weft_histogram(device, a, lazy);
    test_expect_error(WEFT_E_ARGUMENT, "weft_histogram: array 'counts' is lazy");
    weft_histogram(device, a, a);
    test_expect_error(WEFT_E_ARGUMENT, "weft_histogram: array 'counts' overlaps");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_sizes, several_rows, wrong_arguments};
    return test_main(argc, argv, "histogram", tests, sizeof tests / sizeof *tests);
}
