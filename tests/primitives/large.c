/* Lengths beyond 2^32: bytes and generators. Only where WEFT_TEST_LARGE is set, as it takes
 * 5 GiB of memory and most of a minute. */
#include "harness.h"
#include "large.kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(large_flag, u32, (value, u32, mask))
WEFT_GENERATOR(large_number, u64, (value, u64, first))
WEFT_GENERATOR(large_bin, u32, (value, u32, bins))
WEFT_GENERATOR(large_one, u8, (value, u8, one))

static const i64 n = ((i64)1 << 32) + 5;

START_TEST(lazy_reductions) {
    u64 sum;
    i64 count;
    weft_reduce(device, weft_lazy(n, large_number, .first = 7), weft_plus(WEFT_U64), &sum);
    test_ok();
    ck_assert_uint_eq(sum, (u64)n * 7 + (u64)n * ((u64)(n - 1) / 2));
    weft_count_if(device, weft_lazy(n, large_flag, .mask = 7), &count);
    test_ok();
    ck_assert_int_eq(count, (n + 7) / 8);
}
END_TEST

START_TEST(lazy_histogram) {
    i64 counts[8];
    const weft_array out = weft_array_new(device, WEFT_I64, 8);
    const weft_array narrow = weft_array_new(device, WEFT_U32, 8);
    weft_histogram(device, weft_lazy(n, large_bin, .bins = 8), narrow);
    test_expect_error(WEFT_E_TYPE, "4294967301 elements are too many for counts in u32");
    weft_histogram(device, weft_lazy(n, large_bin, .bins = 8), out);
    weft_read(device, out, counts);
    test_ok();
    for (i64 b = 0; b < 8; b++)
        ck_assert_int_eq(counts[b], n / 8 + (b < n % 8));
}
END_TEST

/* One array of bytes for all that lies in memory, since making it takes the longest. */
START_TEST(bytes) {
    const u8 one = 1, two = 2;
    i64 index, least, greatest, count;
    u8 got[4];
    const weft_array a = weft_array_new(device, WEFT_U8, n);
    if (weft_check(device) == WEFT_E_MEMORY) {
        printf("skipped: %s\n", weft_error(device)); /* a device may have less than we */
        weft_clear(device);
        return;
    }
    weft_fill(device, a, &one);
    weft_scan(device, a, weft_plus(WEFT_U8), WEFT_INCLUSIVE, a);
    weft_read(device, weft_slice(device, a, n - 4, 4), got);
    test_ok();
    for (i64 k = 0; k < 4; k++)
        ck_assert_uint_eq(got[k], (u8)(n - 3 + k));

    weft_fill(device, a, &one);
    weft_fill(device, weft_slice(device, a, n - 2, 2), &two);
    weft_minmax_element(device, a, &least, &greatest);
    ck_assert_int_eq(least, 0);
    ck_assert_int_eq(greatest, n - 2);
    weft_mismatch(device, a, weft_lazy(n, large_one, .one = 1), &index);
    ck_assert_int_eq(index, n - 2);

    const weft_array ranks = weft_array_new(device, WEFT_I64, 2);
    const weft_array narrow = weft_array_new(device, WEFT_U32, 2);
    const u8 queries[] = {1, 2};
    const weft_array q = test_array(WEFT_U8, queries, 2);
    i64 rank[2];
    weft_upper_bound(device, a, q, ranks);
    weft_read(device, ranks, rank);
    ck_assert_int_eq(rank[0], n - 2);
    ck_assert_int_eq(rank[1], n);
    weft_upper_bound(device, a, q, narrow);
    test_expect_error(WEFT_E_TYPE, "too many for positions in u32");

    const i64 places[] = {n - 1, 0, n - 3, (i64)1 << 32};
    const u8 values[] = {9, 8, 7, 6};
    const weft_array map = test_array(WEFT_I64, places, 4),
                     out = test_array(WEFT_U8, values, 4);
    weft_scatter(device, out, map, a);
    weft_gather(device, a, map, out);
    weft_read(device, out, got);
    test_ok();
    ck_assert_mem_eq(got, values, sizeof got);

    weft_unique(device, a, a, &count);
    test_expect_error(WEFT_E_ARGUMENT, "overlaps");
    weft_copy_if(device, a, weft_lazy(n, large_flag, .mask = 0xffffffffu), out, &count);
    weft_read(device, out, got);
    test_ok();
    ck_assert_int_eq(count, 2); /* elements 0 and 2^32 */
    ck_assert_uint_eq(got[0], 8);
    ck_assert_uint_eq(got[1], 6);
    weft_array_free(device, a);
}
END_TEST

static i64 gibibytes_free(void) {
    char line[256];
    long long kibibytes = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lld kB", &kibibytes) == 1)
            break;
    if (file)
        fclose(file);
    return kibibytes >> 20;
}

int main(int argc, char **argv) {
    const TTest *const tests[] = {lazy_reductions, lazy_histogram, bytes};
    if (!getenv("WEFT_TEST_LARGE") || gibibytes_free() < 8) {
        printf("skipped: set WEFT_TEST_LARGE, and have 8 GiB of memory\n");
        return 77; /* what Meson takes for a skip */
    }
    return test_main(argc, argv, "large", tests, sizeof tests / sizeof *tests);
}
