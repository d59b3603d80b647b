/* Sorts against a stable merge sort by the definition of the order. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))

static void expect_taken(weft_array out, const char *in, const i64 *order, i64 n) {
    const size_t size = WEFT_SIZE(out.type);
    char *got = new_zeros(out.type, out.length);
    weft_read(device, out, got);
    test_ok();
    for (i64 i = 0; i < n; i++)
        if (memcmp(got + (size_t)i * size, in + (size_t)order[i] * size, size) != 0)
            ck_abort_msg("element %lld is not input %lld", (long long)i,
                         (long long)order[i]);
    ck_assert_mem_eq(got + (size_t)n * size, in + (size_t)n * size,
                     ((size_t)out.length - (size_t)n) * size);
    free(got);
}

/* NaN of other bits compare alike: the sort is stable, so each key has its own place. */
static void check_these(weft_type key_type, char *keys, weft_type value_type, i64 n,
                        weft_order direction) {
    char *values = new_keys(value_type, n + 1, KEYS_RANDOM, 2);
    i64 *order = new_order(key_type, keys, n, direction == WEFT_DESCENDING);
    const weft_array k = test_array(key_type, keys, n),
                     alone = test_array(key_type, keys, n);
    const weft_array v = test_array(value_type, values, n + 1);
    weft_sort_by_key(device, k, v, direction);
    expect_taken(k, keys, order, n);
    expect_taken(v, values, order, n);
    weft_sort(device, alone, direction);
    expect_taken(alone, keys, order, n);
    weft_array_free(device, k);
    weft_array_free(device, alone);
    weft_array_free(device, v);
    free(values), free(order);
}

static void check(weft_type key_type, weft_type value_type, i64 n, key_pattern pattern,
                  weft_order direction) {
    char *keys = new_keys(key_type, n, pattern, 1);
    check_these(key_type, keys, value_type, n, direction);
    free(keys);
}

START_TEST(all_keys) {
    static const i64 sizes[] = {0, 1, 2, 65, 1000};
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int p = 0; p < KEY_PATTERNS; p++)
            for (int s = 0; s < 5; s++) {
                check(key_types[t], WEFT_U32, sizes[s], (key_pattern)p, WEFT_ASCENDING);
                check(key_types[t], WEFT_U64, sizes[s], (key_pattern)p, WEFT_DESCENDING);
            }
}
END_TEST

/* A NaN among few numbers that are far apart. */
START_TEST(few_floats) {
    for (i64 n = 2; n < 34; n++) {
        f64 wide[34] = {-1e300, NAN, 1e-300};
        f32 narrow[34] = {-1e30f, NAN, 1e-30f};
        for (i64 k = 3; k < n; k++) {
            wide[k] = ldexp(k % 2 ? 1.5 : -1.5, (int)(k * 37 % 250) - 125);
            narrow[k] = (f32)wide[k];
        }
        for (int d = 0; d < 2; d++) {
            check_these(WEFT_F64, (char *)wide, WEFT_U32, n, (weft_order)d);
            check_these(WEFT_F32, (char *)narrow, WEFT_U64, n, (weft_order)d);
        }
    }
}
END_TEST

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++) {
        check(WEFT_U32, WEFT_U32, test_sizes[s], KEYS_RANDOM, WEFT_ASCENDING);
        check(WEFT_F32, WEFT_I64, test_sizes[s], KEYS_FEW, WEFT_DESCENDING);
    }
}
END_TEST

START_TEST(values_of_every_type) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step) {
        check(WEFT_U32, moved_types[t], 1000, KEYS_FEW, WEFT_ASCENDING);
        check(WEFT_I64, moved_types[t], 65, KEYS_RANDOM, WEFT_DESCENDING);
    }
}
END_TEST

/* All but a few keys share their first bits; some of those few are NaN. */
START_TEST(keys_that_crowd_together) {
    const i64 n = 200003;
    u32 *narrow = new_keys(WEFT_U32, n, KEYS_RANDOM, 6);
    u64 *wide = new_keys(WEFT_U64, n, KEYS_RANDOM, 7);
    for (i64 i = 0; i < n; i++)
        if (i % 1000 != 0) {
            narrow[i] = 0x3f800000u + (narrow[i] >> 12);
            wide[i] = 0x3ff0000000000000u + (wide[i] >> 20);
        }
    check_these(WEFT_U32, (char *)narrow, WEFT_U32, n, WEFT_ASCENDING);
    check_these(WEFT_F32, (char *)narrow, WEFT_U32, n, WEFT_DESCENDING);
    check_these(WEFT_U64, (char *)wide, WEFT_U64, n, WEFT_DESCENDING);
    check_these(WEFT_F64, (char *)wide, WEFT_U32, n, WEFT_ASCENDING);
    check_these(WEFT_F64, (char *)wide, WEFT_U32, n, WEFT_DESCENDING);
    free(narrow), free(wide);
}
END_TEST

/* Floats that are spread evenly, and a few that no sample need meet: of either end, zeros
 * of both signs, and NaNs. */
START_TEST(floats_spread_evenly) {
    static const u32 few[] = {0xff800000u, 0x7f800000u, 0x80000000u, 0,
                              0xff7fffffu, 0x7fc00001u, 0xffc00002u, 0x7fc00003u};
    const i64 n = 300007;
    u32 *keys = new_keys(WEFT_U32, n, KEYS_RANDOM, 8);
    for (i64 i = 0; i < n; i++) {
        const f32 key = (f32)(keys[i] >> 8) - 5e6f;
        memcpy(&keys[i], &key, sizeof key);
    }
    for (i64 k = 0; k < 8; k++) {
        keys[66 + k * 36500] = few[k];
        if (k == 4 || k == 7)
            check_these(WEFT_F32, (char *)keys, WEFT_U32, n,
                        k == 4 ? WEFT_ASCENDING : WEFT_DESCENDING);
    }
    free(keys);
}
END_TEST

/* Keys of few values, whose lowest is `first`, and one more or fewer than are counted. */
static void check_few(weft_type type, u64 first, i64 n, u64 values) {
    const size_t size = WEFT_SIZE(type);
    u64 *random = new_keys(WEFT_U64, n, KEYS_RANDOM, values);
    char *keys = new_zeros(type, n);
    for (i64 i = 0; i < n; i++) {
        const u64 key = first + random[i] % values;
        memcpy(keys + (size_t)i * size, &key, size);
    }
    check_these(type, keys, WEFT_U32, n, WEFT_ASCENDING);
    check_these(type, keys, WEFT_U32, n, WEFT_DESCENDING);
    free(random), free(keys);
}

START_TEST(keys_of_few_values) {
    static const i64 n = 100003, most = 100003 / 16;
    for (i64 values = most - 1; values < most + 3; values++) {
        check_few(WEFT_U32, 0xffffff00u - (u64)values, n, (u64)values);
        check_few(WEFT_F64, 0xbff0000000000000u, n, (u64)values);
    }
    check_few(WEFT_I32, 0x7ffffffe, n, 4);
    check_few(WEFT_F32, 0x7ffff000, n, 4);
    check_few(WEFT_F32, 0x80000000u, n, 3);
    check_few(WEFT_I64, ~(u64)0 - 500, n, 1000);
    check_few(WEFT_I8, 0, n, 256);
    check_few(WEFT_I16, 0, (i64)1 << 20, 1 << 16);
}
END_TEST

START_TEST(some_bits) {
    static const int bits[][2] = {{0, 0}, {0, 1},  {0, 32}, {3, 11},
                                  {5, 5}, {8, 24}, {31, 32}};
    for (int b = 0; b < 7; b++)
        for (int down = 0; down < 2; down++)
            for (int with = 0; with < 2; with++) {
                const i64 n = 1000;
                const u64 mask = ((u64)1 << (bits[b][1] - bits[b][0])) - 1;
                u32 *keys = new_keys(WEFT_U32, n, KEYS_RANDOM, 3),
                    *digits = new_zeros(WEFT_U32, n);
                char *values = new_keys(WEFT_STRUCTS | 12, n, KEYS_RANDOM, 4);
                for (i64 i = 0; i < n; i++)
                    digits[i] = (u32)(keys[i] >> (bits[b][0] & 31) & mask);
                i64 *order = new_order(WEFT_U32, digits, n, down);
                const weft_array k = test_array(WEFT_U32, keys, n);
                const weft_array v = test_array(WEFT_STRUCTS | 12, values, n);
                weft_sort_bits(device, k, with ? v : (weft_array){0},
                               down ? WEFT_DESCENDING : WEFT_ASCENDING, bits[b][0],
                               bits[b][1]);
                expect_taken(k, (const char *)keys, order, n);
                if (with)
                    expect_taken(v, values, order, n);
                free(keys), free(digits), free(values), free(order);
            }
}
END_TEST

/* Of signed keys the bits are those of the image: the top bit set for numbers above 0. */
START_TEST(bits_of_signed_keys) {
    i32 keys[] = {-5, 3, -1, 7}, got[4];
    const i32 expected[] = {-5, -1, 3, 7};
    const weft_array k = test_array(WEFT_I32, keys, 4);
    weft_sort_bits(device, k, (weft_array){0}, WEFT_ASCENDING, 31, 32);
    weft_read(device, k, got);
    ck_assert_mem_eq(got, expected, sizeof got);
}
END_TEST

/* Of floats, too; of NaNs, whatever their bits, all are set. */
static void check_bits_of_floats(weft_type type, int begin, int end, weft_order direction) {
    const i64 n = 1000;
    const u64 sign = type == WEFT_F32 ? 0x80000000u : (u64)1 << 63;
    const u64 infinity = type == WEFT_F32 ? 0x7f800000u : (u64)0x7ff << 52;
    const u64 mask = end - begin == 64 ? ~(u64)0 : ((u64)1 << (end - begin)) - 1;
    char *keys = new_keys(type, n, KEYS_EXTREME, 3);
    u64 *digits = new_zeros(WEFT_U64, n);
    for (i64 i = 0; i < n; i++) {
        u64 bits = 0;
        memcpy(&bits, keys + (size_t)i * WEFT_SIZE(type), WEFT_SIZE(type));
        const int negative = (bits & sign) != 0, nan = (bits & ~sign) > infinity;
        const u64 image = nan ? ~(u64)0 : negative ? ~bits : bits | sign;
        digits[i] = image >> begin & mask;
    }
    i64 *order = new_order(WEFT_U64, digits, n, direction == WEFT_DESCENDING);
    u32 *values = new_keys(WEFT_U32, n, KEYS_RANDOM, 4);
    const weft_array k = test_array(type, keys, n), v = test_array(WEFT_U32, values, n);
    weft_sort_bits(device, k, v, direction, begin, end);
    expect_taken(k, keys, order, n);
    expect_taken(v, (const char *)values, order, n);
    weft_array_free(device, k), weft_array_free(device, v);
    free(keys), free(digits), free(order), free(values);
}

START_TEST(bits_of_floats) {
    static const int narrow[][2] = {{0, 32}, {0, 31}, {16, 31}, {18, 24}, {31, 32}};
    static const int wide[][2] = {{0, 64}, {0, 63}, {45, 60}, {60, 64}, {0, 7}};
    for (int b = 0; b < 5; b++)
        for (int down = 0; down < 2; down++) {
            check_bits_of_floats(WEFT_F32, narrow[b][0], narrow[b][1], (weft_order)down);
            check_bits_of_floats(WEFT_F64, wide[b][0], wide[b][1], (weft_order)down);
        }
}
END_TEST

/* Sorting what is sorted changes nothing; sorting a permutation gives the same. */
START_TEST(laws) {
    const i64 n = 65537;
    u64 *keys = new_keys(WEFT_U64, n, KEYS_RANDOM, 5), *back = new_zeros(WEFT_U64, n);
    u64 *once = new_zeros(WEFT_U64, n);
    for (i64 i = 0; i < n; i++)
        back[i] = keys[n - 1 - i];
    const weft_array a = test_array(WEFT_U64, keys, n), b = test_array(WEFT_U64, back, n);
    weft_sort(device, a, WEFT_ASCENDING);
    weft_read(device, a, once);
    weft_sort(device, a, WEFT_ASCENDING);
    weft_sort(device, b, WEFT_ASCENDING);
    weft_read(device, a, keys);
    weft_read(device, b, back);
    ck_assert_mem_eq(keys, once, (size_t)n * sizeof *keys);
    ck_assert_mem_eq(back, once, (size_t)n * sizeof *keys);
    free(keys), free(back), free(once);
}
END_TEST

/* So many are written around the caches. */
START_TEST(more_than_caches_hold) {
    const i64 n = ((i64)1 << 22) + 3;
    u32 *in = new_keys(WEFT_U32, n, KEYS_RANDOM, 8), *keys = new_zeros(WEFT_U32, n),
        *index = new_zeros(WEFT_U32, n);
    for (i64 i = 0; i < n; i++) {
        in[i] >>= 12;
        index[i] = (u32)i;
    }
    const weft_array k = test_array(WEFT_U32, in, n), v = test_array(WEFT_U32, index, n);
    weft_sort_by_key(device, k, v, WEFT_ASCENDING);
    weft_read(device, k, keys);
    weft_read(device, v, index);
    test_ok();
    for (i64 i = 0; i < n; i++) {
        const int right = index[i] < n && keys[i] == in[index[i]],
                  after = i == 0 || keys[i - 1] < keys[i] ||
                          (keys[i - 1] == keys[i] && index[i - 1] < index[i]);
        if (!right || !after)
            ck_abort_msg("element %lld is out of place", (long long)i);
    }
    free(in), free(keys), free(index);
}
END_TEST

START_TEST(a_slice_alone) {
    u32 keys[] = {9, 8, 7, 6, 5}, got[5];
    const u32 expected[] = {9, 6, 7, 8, 5};
    const weft_array k = test_array(WEFT_U32, keys, 5);
    weft_sort(device, weft_slice(device, k, 1, 3), WEFT_ASCENDING);
    weft_read(device, k, got);
    ck_assert_mem_eq(got, expected, sizeof got);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    const weft_array none = {0}, k = test_array(WEFT_U32, host, 8),
                     v = test_array(WEFT_U32, host, 8);
    const weft_array few = weft_array_new(device, WEFT_U32, 7);
    const weft_array s = weft_array_new(device, WEFT_STRUCTS | 12, 8);
    const weft_array fixed = weft_borrow_const(device, WEFT_U32, host, 8);
    const weft_array lazy = weft_lazy(8, lazy_u32, .x = v);
    weft_sort(device, none, WEFT_ASCENDING);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort: array 'keys' is missing");
    weft_sort(device, s, WEFT_ASCENDING);
    test_expect_error(WEFT_E_TYPE, "weft_sort: array 'keys' has elements of a struct");
    weft_sort(device, fixed, WEFT_ASCENDING);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort: array 'keys' is read-only");
    weft_sort(device, lazy, WEFT_ASCENDING);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort: array 'keys' is lazy");
    weft_sort(device, k, (weft_order)2);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort: order is 2");
    weft_sort_by_key(device, k, none, WEFT_ASCENDING);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_by_key: array 'values' is missing");
    weft_sort_by_key(device, k, few, WEFT_ASCENDING);
    test_expect_error(WEFT_E_SHAPE, "weft_sort_by_key: array 'values' has 7 elements");
    weft_sort_by_key(device, k, fixed, WEFT_ASCENDING);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_by_key: array 'values' is read-only");
    weft_sort_by_key(device, k, lazy, WEFT_ASCENDING);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_by_key: array 'values' is lazy");
    weft_sort_by_key(device, k, k, WEFT_ASCENDING);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_by_key: array 'values' overlaps");
    weft_sort_bits(device, k, v, WEFT_ASCENDING, -1, 8);
    test_expect_error(WEFT_E_ARGUMENT,
                      "weft_sort_bits: bits [-1, 8) are not inside a key's 32");
    weft_sort_bits(device, k, v, WEFT_ASCENDING, 8, 7);
    test_expect_error(WEFT_E_ARGUMENT, "bits [8, 7)");
    weft_sort_bits(device, k, v, WEFT_ASCENDING, 0, 33);
    test_expect_error(WEFT_E_ARGUMENT, "bits [0, 33)");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_keys,
                                  few_floats,
                                  all_sizes,
                                  values_of_every_type,
                                  keys_that_crowd_together,
                                  floats_spread_evenly,
                                  keys_of_few_values,
                                  some_bits,
                                  bits_of_signed_keys,
                                  bits_of_floats,
                                  laws,
                                  more_than_caches_hold,
                                  a_slice_alone,
                                  wrong_arguments};
    return test_main(argc, argv, "sort", tests, sizeof tests / sizeof *tests);
}
