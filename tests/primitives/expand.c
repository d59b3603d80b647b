/* Expansion against its definition: every type, even and uneven counts, room for some. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))
WEFT_GENERATOR(lazy_struct, lazy_twelve, (in, lazy_twelve, x))

enum { FEW, NONE, ALL_AT_ONE, MANY_NONE, LONG, PATTERNS };

/* Counts of n elements that come to a few n at most; to be freed. */
static u32 *new_counts(i64 n, int pattern, u64 seed) {
    u32 *counts = new_zeros(WEFT_U32, n);
    for (i64 i = 0; i < n; i++)
        switch (pattern) {
        case FEW:
            counts[i] = (u32)(test_random(&seed) % 7);
            break;
        case ALL_AT_ONE:
            counts[i] = i == n / 2 ? (u32)(2 * n + 5) : 0;
            break;
        case MANY_NONE:
            counts[i] = test_random(&seed) % 300 == 0 ? 20 : 0;
            break;
        case LONG:
            counts[i] = test_random(&seed) % 50 == 0 ? (u32)(test_random(&seed) % 200) : 0;
            break;
        default:
            counts[i] = 0;
        }
    return counts;
}

static i64 sum_of(const u32 *counts, i64 n) {
    i64 sum = 0;
    for (i64 i = 0; i < n; i++)
        sum += counts[i];
    return sum;
}

/* Into an output that has room for `room` elements, of which one more is behind. */
static void check(weft_type type, i64 n, const u32 *counts, i64 room) {
    const size_t size = WEFT_SIZE(type);
    const i64 total = sum_of(counts, n);
    char *in = new_keys(type, n, KEYS_RANDOM, 1),
         *expected = new_keys(type, room + 1, KEYS_RANDOM, 2),
         *got = new_zeros(type, room + 1);
    u32 *sources = new_keys(WEFT_U32, room + 1, KEYS_RANDOM, 3);
    i64 *places = new_keys(WEFT_I64, room + 1, KEYS_RANDOM, 4);
    const weft_array x = test_array(type, in, n), c = test_array(WEFT_U32, counts, n),
                     out = test_array(type, expected, room + 1),
                     from = test_array(WEFT_U32, sources, room + 1),
                     at = test_array(WEFT_I64, places, room + 1);
    i64 k = 0, count = -1, again = -1;
    for (i64 i = 0; i < n; i++)
        for (u32 r = 0; r < counts[i] && k < room; r++, k++) {
            memcpy(expected + (size_t)k * size, in + (size_t)i * size, size);
            sources[k] = (u32)i;
            places[k] = r;
        }
    weft_expand(device, x, c, weft_slice(device, out, 0, room), &count);
    weft_expand_sources(device, c, weft_slice(device, from, 0, room),
                        weft_slice(device, at, 0, room), &again);
    weft_read(device, out, (void *)got);
    test_ok();
    ck_assert_int_eq(count, total);
    ck_assert_int_eq(again, total);
    ck_assert_mem_eq(got, expected, (size_t)(room + 1) * size);
    u32 *got_sources = new_zeros(WEFT_U32, room + 1);
    i64 *got_places = new_zeros(WEFT_I64, room + 1);
    weft_read(device, from, got_sources);
    weft_read(device, at, got_places);
    ck_assert_mem_eq(got_sources, sources, (size_t)(room + 1) * sizeof *sources);
    ck_assert_mem_eq(got_places, places, (size_t)(room + 1) * sizeof *places);
    weft_array_free(device, x), weft_array_free(device, c), weft_array_free(device, out);
    weft_array_free(device, from), weft_array_free(device, at);
    free(in), free(expected), free(got), free(sources), free(places);
    free(got_sources), free(got_places);
}

START_TEST(all_types) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step) {
        u32 *counts = new_counts(1000, FEW, (u64)t);
        check(moved_types[t], 1000, counts, sum_of(counts, 1000));
        check(moved_types[t], 1000, counts, 1234);
        free(counts);
    }
}
END_TEST

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++) {
        u32 *counts = new_counts(test_sizes[s], FEW, 5);
        check(WEFT_U32, test_sizes[s], counts, sum_of(counts, test_sizes[s]));
        free(counts);
    }
}
END_TEST

START_TEST(all_patterns) {
    for (int pattern = 0; pattern < PATTERNS; pattern++)
        for (int s = 0; s < SOME_SIZES; s++) {
            const i64 n = some_sizes[s];
            u32 *counts = new_counts(n, pattern, 6);
            const i64 total = sum_of(counts, n);
            check(WEFT_U32, n, counts, total);
            check(WEFT_U64, n, counts, total + 3);
            check(WEFT_U8, n, counts, total / 2);
            check(WEFT_U16, n, counts, 0);
            free(counts);
        }
}
END_TEST

/* Their sum is beyond 2^32, and so is where the last begin. */
START_TEST(large_counts) {
    const u32 counts[] = {3, UINT32_MAX, 0, UINT32_MAX, 2, 7};
    check(WEFT_U32, 6, counts, 20000);
    check(WEFT_STRUCT(lazy_twelve), 6, counts, 2);
}
END_TEST

START_TEST(lazy_inputs) {
    const i64 n = 4097;
    u32 *counts = new_counts(n, FEW, 7);
    lazy_twelve *in = new_keys(WEFT_STRUCT(lazy_twelve), n, KEYS_RANDOM, 8);
    const i64 total = sum_of(counts, n);
    const weft_array c = test_array(WEFT_U32, counts, n),
                     x = test_array(WEFT_STRUCT(lazy_twelve), in, n);
    const weft_array a = weft_array_new(device, WEFT_STRUCT(lazy_twelve), total),
                     b = weft_array_new(device, WEFT_STRUCT(lazy_twelve), total),
                     from = weft_array_new(device, WEFT_I64, total),
                     counted = weft_array_new(device, WEFT_I64, total);
    int equal = 0;
    i64 count = 0;
    weft_expand(device, x, c, a, NULL);
    weft_expand(device, weft_lazy(n, lazy_struct, .x = x), weft_lazy(n, lazy_u32, .x = c),
                b, &count);
    ck_assert_int_eq(count, total);
    weft_equal(device, a, b, &equal);
    ck_assert_int_eq(equal, 1);
    weft_expand_sources(device, weft_lazy(n, lazy_u32, .x = c), from, (weft_array){0},
                        NULL);
    weft_expand(device, weft_counting(n, (i64)0), c, counted, NULL);
    weft_equal(device, from, counted, &equal);
    ck_assert_int_eq(equal, 1);
    test_ok();
    free(counts), free(in);
}
END_TEST

/* Sources and places of either type, with room for `of` and `at` of them; 0: not asked
 * for. */
static void check_numbers(weft_type type_of, i64 of, weft_type type_at, i64 at) {
    enum { N = 333, MOST = 4 * N };
    u64 seed = 11;
    u32 counts[N];
    i64 source[MOST], place[MOST], total = 0;
    for (i64 i = 0; i < N; i++) {
        counts[i] = (u32)(test_random(&seed) % 5);
        for (u32 r = 0; r < counts[i]; r++, total++)
            source[total] = i, place[total] = r;
    }
    const weft_array room[2] = {of ? weft_array_new(device, type_of, of) : (weft_array){0},
                                at ? weft_array_new(device, type_at, at) : (weft_array){0}};
    i64 count = 0;
    for (int k = 0; k < 2; k++)
        if (room[k].type)
            weft_fill(device, room[k],
                      room[k].type == WEFT_U32 ? (void *)&(u32){77} : (void *)&(i64){77});
    weft_expand_sources(device, test_array(WEFT_U32, counts, N), room[0], room[1], &count);
    ck_assert_int_eq(count, total);
    for (int k = 0; k < 2; k++) {
        i64 got[MOST + 1];
        u32 narrow[MOST + 1];
        const i64 *expected = k == 0 ? source : place;
        if (!room[k].type)
            continue;
        weft_read(device, room[k], room[k].type == WEFT_U32 ? (void *)narrow : (void *)got);
        test_ok();
        for (i64 i = 0; i < room[k].length; i++)
            ck_assert_int_eq(room[k].type == WEFT_U32 ? (i64)narrow[i] : got[i],
                             i < total ? expected[i] : 77);
    }
}

START_TEST(either_number) {
    const weft_type types[] = {WEFT_U32, WEFT_I64};
    const i64 rooms[] = {0, 1, 500, 1332};
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 16; j++)
            check_numbers(types[k / 2], rooms[j / 4], types[k % 2], rooms[j % 4]);
}
END_TEST

START_TEST(wrong_arguments) {
    const u32 host[8] = {0};
    i64 count = 9;
    const weft_array none = {0}, in = test_array(WEFT_U32, host, 8),
                     counts = test_array(WEFT_U32, host, 8),
                     few = test_array(WEFT_U32, host, 7),
                     out = weft_array_new(device, WEFT_U32, 8),
                     f = weft_array_new(device, WEFT_F32, 8);
    weft_expand(device, none, counts, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_expand: array 'in' is missing");
    ck_assert_int_eq(count, 0);
    weft_expand(device, in, f, out, NULL);
    test_expect_error(WEFT_E_TYPE, "weft_expand: array 'counts' has elements of f32");
    weft_expand(device, in, few, out, NULL);
    test_expect_error(WEFT_E_SHAPE, "weft_expand: array 'counts' has 7 elements");
    weft_expand(device, in, counts, f, NULL);
    test_expect_error(WEFT_E_TYPE, "weft_expand: array 'out' has elements of f32, not u32");
    weft_expand(device, in, counts, in, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_expand: array 'out' overlaps");
    weft_expand(device, in, counts, counts, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_expand: array 'out' overlaps");
    weft_expand_sources(device, none, out, none, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_expand_sources: array 'counts' is missing");
    weft_expand_sources(device, counts, f, none, &count);
    test_expect_error(WEFT_E_TYPE, "'sources' has elements of f32, not u32 or i64");
    weft_expand_sources(device, counts, out, f, &count);
    test_expect_error(WEFT_E_TYPE, "'places' has elements of f32, not u32 or i64");
    weft_expand_sources(device, counts, counts, none, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_expand_sources: array 'sources' overlaps");
    weft_expand_sources(device, counts, out, counts, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_expand_sources: array 'places' overlaps");
    weft_expand_sources(device, counts, out, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_expand_sources: array 'places' overlaps");
    const weft_array many = weft_counting(((i64)1 << 32) + 5, (u32)0);
    weft_expand_sources(device, many, out, none, &count);
    test_expect_error(WEFT_E_TYPE, "4294967301 counts are too many for sources in u32");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_types,   all_sizes,     all_patterns,   large_counts,
                                  lazy_inputs, either_number, wrong_arguments};
    return test_main(argc, argv, "expand", tests, sizeof tests / sizeof *tests);
}
