/* Selections against loops: every type and size, flags of every density, lazy inputs. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u8, u8, (in, u8, x))
WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))
WEFT_GENERATOR(lazy_f32, f32, (in, f32, x))
WEFT_GENERATOR(lazy_index, u32, (value, u32, zero))
WEFT_GENERATOR(lazy_odd_sixteenth, u32, (value, u32, zero))
WEFT_GENERATOR(lazy_sixteenth, u32, (value, u32, first))

/* Flags of which one in `rarity` is not 0; 0: none; 1: all. */
static u32 *new_flags(i64 n, u64 rarity, u64 seed) {
    u32 *flags = new_zeros(WEFT_U32, n);
    for (i64 i = 0; i < n; i++) {
        const u64 bits = test_random(&seed);
        flags[i] = rarity && bits % rarity == 0 ? (u32)(bits >> 32) | 2 : 0;
    }
    return flags;
}

/* Appends the elements whose flag is (not 0) == keep. */
static i64 take(char *to, i64 count, const char *in, const u32 *flags, i64 n, size_t size,
                int keep) {
    for (i64 i = 0; i < n; i++)
        if ((flags[i] != 0) == keep)
            memcpy(to + (size_t)count++ * size, in + (size_t)i * size, size);
    return count;
}

/* The first `count` elements of `out` are expected, the rest is 0; clears it. */
static void expect(weft_array out, const char *expected, i64 count) {
    const size_t size = WEFT_SIZE(out.type);
    char *got = new_zeros(out.type, out.length), *zeros = new_zeros(out.type, out.length);
    weft_read(device, out, got);
    test_ok();
    ck_assert_mem_eq(got, expected, (size_t)count * size);
    ck_assert_mem_eq(got + (size_t)count * size, zeros,
                     (size_t)(out.length - count) * size);
    weft_write(device, out, zeros);
    free(got);
    free(zeros);
}

static void check(weft_type type, i64 n, u64 rarity) {
    const size_t size = WEFT_SIZE(type);
    char *in = new_keys(type, n, KEYS_RANDOM, 1), *expected = new_zeros(type, n);
    char *zeros = new_zeros(type, n + 2);
    u32 *flags = new_flags(n, rarity, 2);
    const weft_array a = test_array(type, in, n), f = test_array(WEFT_U32, flags, n);
    const weft_array out = test_array(type, zeros, n + 2);
    i64 count = -1, other = -1;
    const i64 yes = take(expected, 0, in, flags, n, size, 1);
    weft_copy_if(device, a, f, out, &count);
    ck_assert_int_eq(count, yes);
    expect(out, expected, yes);
    take(expected, yes, in, flags, n, size, 0);
    weft_partition(device, a, weft_lazy(n, lazy_u32, .x = f), out, &count);
    ck_assert_int_eq(count, yes);
    expect(out, expected, n);
    weft_partition(device, a, f, out, NULL);
    expect(out, expected, n);
    const i64 no = take(expected, 0, in, flags, n, size, 0);
    weft_remove_if(device, a, weft_lazy(n, lazy_u32, .x = f), out, &other);
    ck_assert_int_eq(other, no);
    ck_assert_int_eq(no, n - yes);
    expect(out, expected, no);
    weft_remove_if(device, a, f, out, NULL);
    expect(out, expected, no);
    weft_array_free(device, a);
    weft_array_free(device, f);
    weft_array_free(device, out);
    free(in), free(expected), free(zeros), free(flags);
}

START_TEST(all_types_and_sizes) {
    check_all_selections(check);
}
END_TEST

/* What an output has no room for is counted, and nothing behind it is touched. */
START_TEST(too_little_room) {
    const i64 n = 4097;
    u32 *in = new_keys(WEFT_U32, n, KEYS_RANDOM, 8), *flags = new_flags(n, 2, 9);
    u32 *expected = new_zeros(WEFT_U32, n), *zeros = new_zeros(WEFT_U32, n);
    const i64 yes = take((char *)expected, 0, (char *)in, flags, n, sizeof *in, 1);
    const weft_array a = test_array(WEFT_U32, in, n), f = test_array(WEFT_U32, flags, n);
    const weft_array out = test_array(WEFT_U32, zeros, n);
    const i64 rooms[] = {0, 1, 63, 64, 65, 1000, yes - 1, yes};
    for (int r = 0; r < 8; r++) {
        i64 count = -1;
        weft_copy_if(device, a, f, weft_slice(device, out, 0, rooms[r]), &count);
        ck_assert_int_eq(count, yes);
        expect(out, (char *)expected, rooms[r]);
    }
    free(in), free(flags), free(expected), free(zeros);
}
END_TEST

static int same(weft_type type, const char *keys, i64 i, i64 j) {
    const size_t size = WEFT_SIZE(type);
    if (type < WEFT_STRUCTS)
        return compare_keys(type, keys, i, keys, j) == 0;
    return memcmp(keys + (size_t)i * size, keys + (size_t)j * size, size) == 0;
}

static void check_unique(weft_type type, i64 n, key_pattern pattern) {
    const size_t size = WEFT_SIZE(type);
    char *keys = new_keys(type, n, pattern, 3),
         *values = new_keys(WEFT_STRUCTS | 12, n, KEYS_RANDOM, 4);
    char *first = new_zeros(type, n), *first_values = new_zeros(WEFT_STRUCTS | 12, n);
    char *zeros = new_zeros(WEFT_STRUCTS | 100, n);
    i64 expected = 0, count = -1, by_key = -1;
    for (i64 i = 3; i < n; i += 2) /* runs, even of random keys */
        memcpy(keys + (size_t)i * size, keys + (size_t)(i - 1) * size, size);
    for (i64 i = 0; i < n; i++)
        if (i == 0 || !same(type, keys, i, i - 1)) {
            memcpy(first + (size_t)expected * size, keys + (size_t)i * size, size);
            memcpy(first_values + expected * 12, values + i * 12, 12);
            expected++;
        }
    const weft_array k = test_array(type, keys, n),
                     v = test_array(WEFT_STRUCTS | 12, values, n);
    const weft_array out = test_array(type, zeros, n),
                     out_v = test_array(WEFT_STRUCTS | 12, zeros, n);
    weft_unique(device, k, out, &count);
    ck_assert_int_eq(count, expected);
    expect(out, first, expected);
    weft_unique_by_key(device, k, v, out, out_v, &by_key);
    ck_assert_int_eq(by_key, expected);
    expect(out, first, expected);
    expect(out_v, first_values, expected);
    weft_array_free(device, k);
    weft_array_free(device, v);
    weft_array_free(device, out);
    weft_array_free(device, out_v);
    free(keys), free(values), free(first), free(first_values), free(zeros);
}

START_TEST(uniques) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        for (int p = 0; p < KEY_PATTERNS; p++)
            check_unique(moved_types[t], 1000, (key_pattern)p);
    for (int s = 0; s < test_size_count; s++)
        check_unique(WEFT_F32, test_sizes[s], KEYS_FEW);
}
END_TEST

START_TEST(lazy_inputs) {
    const i64 n = 4097;
    u8 *in = new_keys(WEFT_U8, n, KEYS_FEW, 5), *expected = new_zeros(WEFT_U8, n);
    f32 *keys = new_keys(WEFT_F32, n, KEYS_EXTREME, 6), *first = new_zeros(WEFT_F32, n);
    u32 *flags = new_flags(n, 3, 7);
    const weft_array a = test_array(WEFT_U8, in, n), f = test_array(WEFT_U32, flags, n);
    const weft_array k = test_array(WEFT_F32, keys, n);
    const weft_array out = test_array(WEFT_U8, expected, n),
                     out_k = test_array(WEFT_F32, first, n);
    const i64 yes = take((char *)expected, 0, (char *)in, flags, n, 1, 1);
    i64 count;
    weft_copy_if(device, weft_lazy(n, lazy_u8, .x = a), weft_lazy(n, lazy_u32, .x = f), out,
                 &count);
    ck_assert_int_eq(count, yes);
    expect(out, (char *)expected, yes);
    i64 runs = 0;
    for (i64 i = 0; i < n; i++)
        if (i == 0 || !same(WEFT_F32, (char *)keys, i, i - 1)) {
            first[runs] = keys[i];
            expected[runs++] = in[i];
        }
    weft_unique_by_key(device, weft_lazy(n, lazy_f32, .x = k),
                       weft_lazy(n, lazy_u8, .x = a), out_k, out, &count);
    ck_assert_int_eq(count, runs);
    expect(out_k, (char *)first, runs);
    expect(out, (char *)expected, runs);
    free(in), free(expected), free(keys), free(first), free(flags);
}
END_TEST

/* Lazy inputs of more than one piece. (To watch each byte of so many takes too long.) */
START_TEST(pieces) {
    if (strcmp(weft_backend_name(device), "checking") == 0)
        return;
    const i64 n = ((i64)1 << 24) + 1000;
    const weft_array out = weft_array_new(device, WEFT_U32, n);
    const weft_array all = weft_lazy(n, lazy_index, .zero = 0);
    i64 count = -1, wrong = -1;
    weft_copy_if(device, all, weft_lazy(n, lazy_odd_sixteenth, .zero = 0), out, &count);
    ck_assert_int_eq(count, (n + 14) / 16);
    weft_mismatch(device, weft_slice(device, out, 0, count),
                  weft_lazy(count, lazy_sixteenth, .first = 1), &wrong);
    ck_assert_int_eq(wrong, -1);
    weft_partition(device, all, weft_lazy(n, lazy_odd_sixteenth, .zero = 0), out, NULL);
    weft_mismatch(device, weft_slice(device, out, 0, count),
                  weft_lazy(count, lazy_sixteenth, .first = 1), &wrong);
    ck_assert_int_eq(wrong, -1);
    u32 rest[4];
    weft_read(device, weft_slice(device, out, n - 4, 4), rest);
    for (u32 k = 0; k < 4; k++)
        ck_assert_uint_eq(rest[k], (u32)n - 4 + k);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {1};
    i64 count = 9;
    const weft_array none = {0}, a = test_array(WEFT_U32, host, 8),
                     flags = test_array(WEFT_U32, host, 8);
    const weft_array out = weft_array_new(device, WEFT_U32, 8),
                     few = weft_array_new(device, WEFT_U32, 7);
    const weft_array more = weft_array_new(device, WEFT_U32, 8),
                     f = weft_array_new(device, WEFT_F32, 8);
    const weft_array fixed = weft_borrow_const(device, WEFT_U32, host, 8);
    const weft_array lazy = weft_lazy(8, lazy_u32, .x = a);
    weft_copy_if(device, none, flags, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_copy_if: array 'in' is missing");
    ck_assert_int_eq(count, 0);
    weft_copy_if(device, a, none, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_copy_if: array 'flags' is missing");
    weft_copy_if(device, a, f, out, &count);
    test_expect_error(WEFT_E_TYPE, "weft_copy_if: array 'flags' has elements of f32");
    weft_copy_if(device, a, few, out, &count);
    test_expect_error(WEFT_E_SHAPE, "weft_copy_if: array 'flags' has 7 elements");
    weft_copy_if(device, a, flags, none, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_copy_if: array 'out' is missing");
    weft_copy_if(device, a, flags, f, &count);
    test_expect_error(WEFT_E_TYPE, "weft_copy_if: array 'out' has elements of f32");
    weft_remove_if(device, a, flags, fixed, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_remove_if: array 'out' is read-only");
    weft_remove_if(device, a, flags, lazy, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_remove_if: array 'out' is lazy");
    weft_remove_if(device, a, flags, weft_slice(device, a, 1, 7), &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_remove_if: array 'out' overlaps");
    weft_partition(device, a, flags, flags, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_partition: array 'out' overlaps");
    weft_partition(device, a, flags, few, &count);
    test_expect_error(WEFT_E_SHAPE, "weft_partition: array 'out' has 7 elements");
    weft_partition(device, a, few, out, &count);
    test_expect_error(WEFT_E_SHAPE, "weft_partition: array 'flags' has 7 elements");
    weft_unique(device, none, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_unique: array 'in' is missing");
    weft_unique(device, a, few, &count);
    test_expect_error(WEFT_E_SHAPE, "weft_unique: array 'out' has 7 elements");
    weft_unique(device, a, f, &count);
    test_expect_error(WEFT_E_TYPE, "weft_unique: array 'out' has elements of f32");
    weft_remove_if(device, a, a, a, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_remove_if: array 'out' overlaps");
    weft_remove_if(device, flags, lazy, weft_slice(device, a, 1, 7), &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_remove_if: array 'out' overlaps");
    weft_unique(device, weft_slice(device, a, 0, 7), weft_slice(device, a, 1, 7), &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_unique: array 'out' overlaps");
    weft_unique_by_key(device, none, a, out, more, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_unique_by_key: array 'keys' is missing");
    weft_unique_by_key(device, a, few, out, more, &count);
    test_expect_error(WEFT_E_SHAPE, "weft_unique_by_key: array 'values' has 7 elements");
    weft_unique_by_key(device, a, flags, f, more, &count);
    test_expect_error(WEFT_E_TYPE,
                      "weft_unique_by_key: array 'keys_out' has elements of f32");
    weft_unique_by_key(device, a, flags, out, fixed, &count);
    test_expect_error(WEFT_E_ARGUMENT,
                      "weft_unique_by_key: array 'values_out' is read-only");
    weft_unique_by_key(device, a, flags, flags, more, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_unique_by_key: array 'keys_out' overlaps");
    weft_unique_by_key(device, a, flags, out, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_unique_by_key: array 'values_out' overlaps");
    ck_assert_int_eq(count, 0);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_types_and_sizes, too_little_room, uniques,
                                  lazy_inputs,         pieces,          wrong_arguments};
    return test_main(argc, argv, "select", tests, sizeof tests / sizeof *tests);
}
