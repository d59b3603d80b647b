/* Selections in place, by flags that lie elsewhere and by those that read the array: what
 * they leave is what they leave in another array, and what is behind stays. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))

enum { BEHIND = 3 };

/* That the first `count` elements are expected, and those behind the array still there. */
static void expect(weft_array x, const char *expected, i64 count, const char *whole,
                   i64 n) {
    const size_t size = WEFT_SIZE(x.type);
    char *got = new_zeros(x.type, x.length);
    weft_read(device, x, (void *)got);
    test_ok();
    ck_assert_mem_eq(got, expected, (size_t)count * size);
    ck_assert_mem_eq(got + (size_t)n * size, whole + (size_t)n * size, BEHIND * size);
    weft_write(device, x, (void *)whole);
    free(got);
}

static void check(weft_type type, i64 n, u64 rarity) {
    const size_t size = WEFT_SIZE(type);
    char *in = new_keys(type, n + BEHIND, KEYS_RANDOM, 1), *expected = new_zeros(type, n);
    u32 *flags = new_zeros(WEFT_U32, n);
    u64 seed = 2;
    i64 yes = 0, no = 0, count = -1;
    for (i64 i = 0; i < n; i++)
        flags[i] = rarity && test_random(&seed) % rarity == 0;
    for (i64 i = 0; i < n; i++)
        if (flags[i])
            memcpy(expected + (size_t)yes++ * size, in + (size_t)i * size, size);
    const weft_array whole = test_array(type, in, n + BEHIND),
                     x = weft_slice(device, whole, 0, n),
                     f = test_array(WEFT_U32, flags, n),
                     lazy = weft_lazy(n, lazy_u32, .x = f);
    weft_copy_if(device, x, f, x, &count);
    ck_assert_int_eq(count, yes);
    expect(whole, expected, yes, in, n);
    weft_copy_if(device, x, lazy, x, NULL);
    expect(whole, expected, yes, in, n);
    weft_copy_if(device, x, f, weft_slice(device, x, 0, n / 3), &count);
    ck_assert_int_eq(count, yes);
    expect(whole, expected, yes < n / 3 ? yes : n / 3, in, n);
    for (i64 i = 0; i < n; i++)
        if (!flags[i])
            memcpy(expected + (size_t)(yes + no++) * size, in + (size_t)i * size, size);
    weft_partition(device, x, f, x, &count);
    ck_assert_int_eq(count, yes);
    expect(whole, expected, n, in, n);
    weft_partition(device, x, lazy, x, NULL);
    expect(whole, expected, n, in, n);
    weft_remove_if(device, x, lazy, x, &count);
    ck_assert_int_eq(count, no);
    expect(whole, expected + (size_t)yes * size, no, in, n);
    weft_array_free(device, whole), weft_array_free(device, f);
    free(in), free(expected), free(flags);
}

START_TEST(all_types_and_sizes) {
    check_all_selections(check);
}
END_TEST

/* 16 MiB and more, which go around the caches, a piece at a time: many, few and no pieces
 * of a block. (To watch each byte of so many takes too long.) */
START_TEST(large) {
    if (strcmp(weft_backend_name(device), "checking") == 0)
        return;
    check(WEFT_U32, (1 << 22) + 37, 2);
    check(WEFT_U64, (1 << 21) + 4099, 40);
    check(WEFT_STRUCTS | 12, (1 << 21) + 5, 1000);
}
END_TEST

/* A predicate of the array itself. */
START_TEST(by_their_own_values) {
    for (int s = 0; s < test_size_count; s++) {
        const i64 n = test_sizes[s];
        u32 *in = new_keys(WEFT_U32, n + BEHIND, KEYS_FEW, 4),
            *expected = new_zeros(WEFT_U32, n);
        for (i64 i = 0; i < n; i++)
            in[i] *= i % 3 != 0;
        i64 some = 0, count = -1;
        for (i64 i = 0; i < n; i++)
            if (in[i])
                expected[some++] = in[i];
        const weft_array whole = test_array(WEFT_U32, in, n + BEHIND),
                         x = weft_slice(device, whole, 0, n);
        weft_copy_if(device, x, weft_lazy(n, lazy_u32, .x = x), x, &count);
        ck_assert_int_eq(count, some);
        expect(whole, (char *)expected, some, (char *)in, n);
        weft_partition(device, x, weft_lazy(n, lazy_u32, .x = x), x, &count);
        ck_assert_int_eq(count, some);
        expect(whole, (char *)expected, some, (char *)in, n);
        memset(expected, 0, (size_t)n * sizeof *expected);
        weft_remove_if(device, x, weft_lazy(n, lazy_u32, .x = x), x, &count);
        ck_assert_int_eq(count, n - some);
        expect(whole, (char *)expected, n - some, (char *)in, n);
        weft_array_free(device, whole);
        free(in), free(expected);
    }
}
END_TEST

/* Runs of one, and of many; all before the first run of two stays where it is. */
static void check_unique(weft_type type, i64 n, key_pattern pattern) {
    const weft_type moved = WEFT_STRUCTS | 12;
    const size_t size = WEFT_SIZE(type);
    char *keys = new_keys(type, n + BEHIND, pattern, 3),
         *values = new_keys(moved, n + BEHIND, KEYS_RANDOM, 4);
    for (i64 i = n / 2 + 1; i < n; i += 2)
        memcpy(keys + (size_t)i * size, keys + (size_t)(i - 1) * size, size);
    const weft_array k = test_array(type, keys, n + BEHIND),
                     v = test_array(moved, values, n + BEHIND),
                     x = weft_slice(device, k, 0, n), y = weft_slice(device, v, 0, n),
                     other = weft_array_new(device, type, n),
                     others = weft_array_new(device, moved, n);
    char *expected = new_zeros(type, n), *expected_values = new_zeros(moved, n);
    i64 right = -1, count = -1;
    weft_unique_by_key(device, x, y, other, others, &right); /* tested elsewhere */
    weft_read(device, other, (void *)expected);
    weft_read(device, others, (void *)expected_values);
    weft_unique(device, x, x, &count);
    ck_assert_int_eq(count, right);
    expect(k, expected, right, keys, n);
    weft_unique_by_key(device, x, y, x, y, &count);
    ck_assert_int_eq(count, right);
    expect(k, expected, right, keys, n);
    expect(v, expected_values, right, values, n);
    weft_unique_by_key(device, x, y, x, others, NULL);
    expect(k, expected, right, keys, n);
    weft_unique_by_key(device, x, y, other, y, NULL);
    expect(v, expected_values, right, values, n);
    weft_array_free(device, k), weft_array_free(device, v);
    weft_array_free(device, other), weft_array_free(device, others);
    free(keys), free(values), free(expected), free(expected_values);
}

START_TEST(uniques) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        for (int p = 0; p < KEY_PATTERNS; p++)
            check_unique(moved_types[t], 1000, (key_pattern)p);
    for (int s = 0; s < test_size_count; s++)
        check_unique(WEFT_U32, test_sizes[s], KEYS_RISING);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_types_and_sizes, large, by_their_own_values, uniques};
    return test_main(argc, argv, "select_in_place", tests, sizeof tests / sizeof *tests);
}
