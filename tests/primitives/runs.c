/* Sums over runs and run lengths against loops. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"
#include "operators.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))
WEFT_GENERATOR(lazy_f32, f32, (in, f32, x))
WEFT_GENERATOR(lazy_f64, f64, (in, f64, x))
WEFT_GENERATOR(lazy_i64, i64, (in, i64, x))
WEFT_OPERATOR(operators_compose, operators_line, {1, 0})

static int same(weft_type type, const char *keys, i64 i, i64 j) {
    const size_t size = WEFT_SIZE(type);
    if (type < WEFT_STRUCTS)
        return compare_keys(type, keys, i, keys, j) == 0;
    return memcmp(keys + (size_t)i * size, keys + (size_t)j * size, size) == 0;
}

/* The first `count` elements of `out` are expected, the rest is 0. */
static void expect(weft_array out, const void *expected, i64 count) {
    const size_t size = WEFT_SIZE(out.type);
    char *got = new_zeros(out.type, out.length), *zeros = new_zeros(out.type, out.length);
    weft_read(device, out, got);
    test_ok();
    ck_assert_mem_eq(got, expected, (size_t)count * size);
    ck_assert_mem_eq(got + (size_t)count * size, zeros,
                     (size_t)(out.length - count) * size);
    free(got);
    free(zeros);
}

static weft_array zeros(weft_type type, i64 n) {
    void *host = new_zeros(type, n);
    const weft_array array = test_array(type, host, n);
    free(host);
    return array;
}

static void check(weft_type type, const weft_operator *op, i64 n, key_pattern pattern,
                  i64 repeat) {
    const size_t size = WEFT_SIZE(type), value_size = WEFT_SIZE(op->type);
    char *keys = new_keys(type, n, pattern, 1), *in = new_keys(op->type, n, KEYS_RANDOM, 2);
    char *last = new_zeros(type, n), *sums = new_zeros(op->type, n);
    i64 *lengths = new_zeros(WEFT_I64, n), runs = 0, count = -1, encoded = -1;
    u32 *short_lengths = new_zeros(WEFT_U32, n);
    for (i64 i = 0; i < n; i++) {
        if (i % repeat)
            memcpy(keys + (size_t)i * size, keys + (size_t)(i - 1) * size, size);
        if (i == 0 || !same(type, keys, i, i - 1))
            memcpy(sums + (size_t)runs++ * value_size, op->identity, value_size);
        memcpy(last + (size_t)(runs - 1) * size, keys + (size_t)i * size, size);
        char *sum = sums + (size_t)(runs - 1) * value_size;
        op->combine(sum, in + (size_t)i * value_size, sum, 1);
        lengths[runs - 1]++;
        short_lengths[runs - 1]++;
    }
    const weft_array k = test_array(type, keys, n), a = test_array(op->type, in, n);
    const weft_array k_out = zeros(type, n + 1), out = zeros(op->type, n + 1);
    weft_reduce_by_key(device, k, a, op, k_out, out, &count);
    ck_assert_int_eq(count, runs);
    expect(k_out, last, runs);
    expect(out, sums, runs);
    const weft_array values = zeros(type, n), wide = zeros(WEFT_I64, n),
                     narrow = zeros(WEFT_U32, n);
    weft_run_length_encode(device, k, values, wide, &encoded);
    ck_assert_int_eq(encoded, runs);
    expect(values, last, runs);
    expect(wide, lengths, runs);
    weft_run_length_encode(device, k, values, narrow, NULL);
    expect(narrow, short_lengths, runs);
    weft_array_free(device, k), weft_array_free(device, a);
    weft_array_free(device, k_out), weft_array_free(device, out);
    weft_array_free(device, values);
    weft_array_free(device, wide), weft_array_free(device, narrow);
    free(keys), free(in), free(last), free(sums), free(lengths), free(short_lengths);
}

START_TEST(keys_of_every_type) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        for (int p = 0; p < KEY_PATTERNS; p++)
            check(moved_types[t], weft_plus(WEFT_U32), 1000, (key_pattern)p, 1 + t % 4);
}
END_TEST

START_TEST(all_sizes) {
    static const i64 repeats[] = {1, 3, 300, 1000000};
    for (int s = 0; s < test_size_count; s++)
        for (int r = 0; r < 4; r++)
            check(WEFT_U32, weft_plus(WEFT_U32), test_sizes[s], KEYS_RANDOM, repeats[r]);
}
END_TEST

/* Whole numbers as values of any type: their sums are exact. */
static void fill_whole(weft_type type, i64 n, const u32 *from, void *to) {
    for (i64 i = 0; i < n; i++) {
        const u32 x = from[i] % 1000;
        if (type == WEFT_U32)
            ((u32 *)to)[i] = x;
        else if (type == WEFT_U64)
            ((u64 *)to)[i] = (u64)x << 40;
        else if (type == WEFT_F32)
            ((f32 *)to)[i] = (f32)x;
        else
            ((f64 *)to)[i] = x;
    }
}

static void check_sums(weft_type key, weft_type type, i64 n, u32 longest) {
    const weft_operator *plus = weft_plus(type);
    const size_t size = WEFT_SIZE(type), key_size = WEFT_SIZE(key);
    u32 *random = new_keys(WEFT_U32, n, KEYS_RANDOM, 5);
    char *keys = new_zeros(key, n), *in = new_zeros(type, n), *last = new_zeros(key, n),
         *sums = new_zeros(type, n);
    i64 runs = 0, count = -1;
    u32 left = 0;
    u64 name = 0;
    fill_whole(type, n, random, in);
    for (i64 i = 0; i < n; i++, left--) {
        if (left == 0) {
            left = 1 + random[i] % longest;
            name += 1 + ((u64)1 << (4 * key_size));
            memcpy(last + (size_t)runs++ * key_size, &name, key_size);
        }
        memcpy(keys + (size_t)i * key_size, &name, key_size);
        char *sum = sums + (size_t)(runs - 1) * size;
        plus->combine(sum, in + (size_t)i * size, sum, 1);
    }
    const weft_array k = test_array(key, keys, n), a = test_array(type, in, n),
                     k_out = zeros(key, n), out = zeros(type, n);
    weft_reduce_by_key(device, k, a, plus, k_out, out, &count);
    ck_assert_int_eq(count, runs);
    expect(k_out, last, runs);
    expect(out, sums, runs);
    weft_array_free(device, k), weft_array_free(device, a);
    weft_array_free(device, k_out), weft_array_free(device, out);
    free(random), free(keys), free(in), free(last), free(sums);
}

START_TEST(sums_of_every_type) {
    static const weft_type keys[] = {WEFT_U32, WEFT_I64, WEFT_U16},
                           types[] = {WEFT_U32, WEFT_U64, WEFT_F32, WEFT_F64};
    static const u32 longest[] = {1, 2, 40, 9000};
    static const i64 sizes[] = {1,    7,    8,    9,     15,    16,    17,
                                31,   33,   1023, 1025,  2047,  2049,  4095,
                                4096, 4097, 8193, 12288, 16383, 16385, 40000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int c = first_kind; c < 3 * 4; c += kind_step)
            check_sums(keys[c % 3], types[c / 3], sizes[s], longest[(s + (size_t)c) % 4]);
}
END_TEST

/* So many that blocks are long. */
START_TEST(long_blocks) {
    check_sums(WEFT_U32, WEFT_U32, (1 << 22) + 4097, 100000);
    check_sums(WEFT_U64, WEFT_F32, (1 << 21) + 1, 3);
    check_sums(WEFT_U16, WEFT_U32, (1 << 21) - 1, 30);
}
END_TEST

START_TEST(other_operators) {
    check(WEFT_U64, weft_maximum(WEFT_F32), 4097, KEYS_RANDOM, 5);
    check(WEFT_U64, weft_plus(WEFT_U8), 4097, KEYS_RANDOM, 700);
    check(WEFT_U64, weft_op(operators_compose), 4097, KEYS_RANDOM, 90);
}
END_TEST

START_TEST(lazy_inputs) {
    const i64 n = 4097;
    f32 *keys = new_zeros(WEFT_F32, n), *first = new_zeros(WEFT_F32, n);
    u32 *in = new_keys(WEFT_U32, n, KEYS_RANDOM, 3), *sums = new_zeros(WEFT_U32, n);
    for (i64 i = 0; i < n; i++) {
        keys[i] = first[i / 10] = (f32)(i / 10);
        sums[i / 10] += in[i];
    }
    const weft_array k = test_array(WEFT_F32, keys, n), a = test_array(WEFT_U32, in, n);
    const weft_array k_out = zeros(WEFT_F32, n), out = zeros(WEFT_U32, n);
    i64 count;
    weft_reduce_by_key(device, weft_lazy(n, lazy_f32, .x = k),
                       weft_lazy(n, lazy_u32, .x = a), weft_plus(WEFT_U32), k_out, out,
                       &count);
    ck_assert_int_eq(count, 410);
    expect(k_out, first, count);
    expect(out, sums, count);
    weft_run_length_encode(device, weft_lazy(n, lazy_f32, .x = k), k_out, out, &count);
    test_ok();
    ck_assert_int_eq(count, 410);
    free(keys), free(first), free(in), free(sums);
}
END_TEST

/* On the host, arrays in memory go through registers where the processor has wide ones,
 * and lazy ones by tiles: both give the same bits, of sums that round, too. */
static void check_paths(weft_type key, weft_type type, i64 n, u64 longest) {
    const size_t size = WEFT_SIZE(type), key_size = WEFT_SIZE(key);
    u64 seed = (u64)n, name = 0;
    i64 runs = 1, count[2] = {-1, -1};
    char *keys = new_zeros(key, n), *in = new_zeros(type, n), *sums = new_zeros(type, n);
    for (i64 i = 0; i < n; i++) {
        const u64 random = test_random(&seed);
        const f64 wide = random % 5 == 0 ? -0.0 : (f64)(i64)random * 0x1p-60;
        const f32 narrow = (f32)wide;
        const void *value = type == WEFT_F32   ? (const void *)&narrow
                            : type == WEFT_F64 ? (const void *)&wide
                                               : (const void *)&random;
        if (i > 0 && (random >> 20) % longest == 0) {
            name += 1 + ((u64)1 << 4 * key_size);
            runs++;
        }
        memcpy(keys + (size_t)i * key_size, &name, key_size);
        memcpy(in + (size_t)i * size, value, size);
    }
    const weft_array k = test_array(key, keys, n), a = test_array(type, in, n),
                     k_out = zeros(key, n), out = zeros(type, n);
    const weft_array lazy = type == WEFT_U32   ? weft_lazy(n, lazy_u32, .x = a)
                            : type == WEFT_I64 ? weft_lazy(n, lazy_i64, .x = a)
                            : type == WEFT_F32 ? weft_lazy(n, lazy_f32, .x = a)
                                               : weft_lazy(n, lazy_f64, .x = a);
    weft_reduce_by_key(device, k, a, weft_plus(type), k_out, out, &count[0]);
    weft_read(device, out, sums);
    weft_reduce_by_key(device, k, lazy, weft_plus(type), k_out, out, &count[1]);
    ck_assert_int_eq(count[0], runs);
    ck_assert_int_eq(count[1], runs);
    expect(out, sums, n);
    weft_array_free(device, k), weft_array_free(device, a);
    weft_array_free(device, k_out), weft_array_free(device, out);
    free(keys), free(in), free(sums);
}

START_TEST(both_paths) {
    static const weft_type types[] = {WEFT_U32, WEFT_I64, WEFT_F32, WEFT_F64};
    static const i64 sizes[] = {1,    7,    16,   17,   1000,  1023,  1024,  1025,
                                4095, 4096, 4097, 8193, 16385, 65537, 200003};
    static const u64 longest[] = {1, 3, 40, 5000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int c = first_kind; c < 2 * 4; c += kind_step)
            check_paths(c % 2 ? WEFT_I64 : WEFT_U32, types[c / 2], sizes[s],
                        longest[(s + (size_t)c) % 4]);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {1};
    i64 count = 9;
    const weft_operator *plus = weft_plus(WEFT_U32);
    const weft_array none = {0}, k = test_array(WEFT_U32, host, 8),
                     a = test_array(WEFT_U32, host, 8);
    const weft_array out = weft_array_new(device, WEFT_U32, 8),
                     few = weft_array_new(device, WEFT_U32, 7);
    const weft_array k_out = weft_array_new(device, WEFT_U32, 8),
                     f = weft_array_new(device, WEFT_F32, 8);
    const weft_array fixed = weft_borrow_const(device, WEFT_U32, host, 8);
    weft_reduce_by_key(device, none, a, plus, k_out, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_by_key: array 'keys' is missing");
    ck_assert_int_eq(count, 0);
    weft_reduce_by_key(device, k, few, plus, k_out, out, &count);
    test_expect_error(WEFT_E_SHAPE, "weft_reduce_by_key: array 'in' has 7 elements");
    weft_reduce_by_key(device, k, a, NULL, k_out, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_by_key: operator 'op' is NULL");
    weft_reduce_by_key(device, k, f, plus, k_out, out, &count);
    test_expect_error(WEFT_E_TYPE, "takes u32, but the elements are f32");
    weft_reduce_by_key(device, k, a, plus, f, out, &count);
    test_expect_error(WEFT_E_TYPE,
                      "weft_reduce_by_key: array 'keys_out' has elements of f32");
    weft_reduce_by_key(device, k, a, plus, fixed, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_by_key: array 'keys_out' is read-only");
    weft_reduce_by_key(device, k, a, plus, k_out, few, &count);
    test_expect_error(WEFT_E_SHAPE, "weft_reduce_by_key: array 'out' has 7 elements");
    weft_reduce_by_key(device, k, a, plus, k_out, weft_lazy(8, lazy_u32, .x = a), &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_by_key: array 'out' is lazy");
    weft_reduce_by_key(device, k, a, plus, k, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_by_key: array 'keys_out' overlaps");
    weft_reduce_by_key(device, k, a, plus, k_out, k_out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_by_key: array 'out' overlaps");
    weft_run_length_encode(device, none, k_out, out, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_run_length_encode: array 'in' is missing");
    weft_run_length_encode(device, k, f, out, &count);
    test_expect_error(WEFT_E_TYPE,
                      "weft_run_length_encode: array 'values' has elements of f32");
    weft_run_length_encode(device, k, k_out, f, &count);
    test_expect_error(WEFT_E_TYPE, "array 'lengths' has elements of f32, not u32 or i64");
    weft_run_length_encode(device, k, k_out, few, &count);
    test_expect_error(WEFT_E_SHAPE,
                      "weft_run_length_encode: array 'lengths' has 7 elements");
    weft_run_length_encode(device, k, k_out, k, &count);
    test_expect_error(WEFT_E_ARGUMENT, "weft_run_length_encode: array 'lengths' overlaps");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {keys_of_every_type, all_sizes,       sums_of_every_type,
                                  long_blocks,        other_operators, lazy_inputs,
                                  both_paths,         wrong_arguments};
    return test_main(argc, argv, "runs", tests, sizeof tests / sizeof *tests);
}
