/* Scans with an initial value against loops: every flag, in place and lazy, by key. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"
#include "operators.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))
WEFT_OPERATOR(operators_compose, operators_line, {1, 0})

static const u32 all_flags[] = {WEFT_INCLUSIVE, WEFT_EXCLUSIVE,
                                WEFT_INCLUSIVE | WEFT_REVERSE,
                                WEFT_EXCLUSIVE | WEFT_REVERSE};

/* The definition; keys may be NULL. */
static void define(const weft_operator *op, const char *in, const u32 *keys,
                   const void *initial, i64 n, u32 flags, char *out) {
    const size_t size = WEFT_SIZE(op->type);
    char *sum = new_zeros(op->type, 1), *next = new_zeros(op->type, 1);
    memcpy(sum, initial, size);
    for (i64 k = 0; k < n; k++) {
        const i64 i = flags & WEFT_REVERSE ? n - 1 - k : k;
        if (keys && k > 0 && keys[i] != keys[flags & WEFT_REVERSE ? i + 1 : i - 1])
            memcpy(sum, initial, size);
        op->combine(sum, in + (size_t)i * size, next, 1);
        memcpy(out + (size_t)i * size, flags & WEFT_EXCLUSIVE ? sum : next, size);
        memcpy(sum, next, size);
    }
    free(sum);
    free(next);
}

static void expect(weft_array x, const char *expected, i64 n) {
    char *got = new_zeros(x.type, x.length);
    weft_read(device, x, (void *)got);
    test_ok();
    ck_assert_mem_eq(got, expected, (size_t)n * WEFT_SIZE(x.type));
    free(got);
}

static void check(const weft_operator *op, const void *initial, i64 n) {
    const weft_type type = op->type;
    char *in = new_keys(type, n, KEYS_RANDOM, 1), *expected = new_zeros(type, n);
    u32 *keys = new_keys(WEFT_U32, n, KEYS_FEW, 2);
    for (i64 i = 1; i < n; i++) /* runs of every length */
        if (i % 7 && i % 64 != 5)
            keys[i] = keys[i - 1];
    const weft_array k = test_array(WEFT_U32, keys, n);
    for (int f = 0; f < 4; f++) {
        const u32 flags = all_flags[f];
        const weft_array x = test_array(type, in, n), out = weft_array_new(device, type, n);
        weft_scan_from(device, x, op, initial, flags, out);
        define(op, in, NULL, initial, n, flags, expected);
        expect(out, expected, n);
        if (flags & WEFT_EXCLUSIVE) {
            weft_scan_by_key_from(device, k, x, op, initial, flags, out);
            define(op, in, keys, initial, n, flags, expected);
            expect(out, expected, n);
            weft_copy(device, x, out);
            weft_scan_by_key_from(device, weft_lazy(n, lazy_u32, .x = k), out, op, initial,
                                  flags, out);
            expect(out, expected, n);
        }
        define(op, in, NULL, initial, n, flags, expected);
        weft_scan_from(device, x, op, initial, flags, x);
        expect(x, expected, n);
        weft_array_free(device, x), weft_array_free(device, out);
    }
    weft_array_free(device, k);
    free(in), free(expected), free(keys);
}

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++)
        check(weft_plus(WEFT_U32), &(u32){1000}, test_sizes[s]);
}
END_TEST

START_TEST(other_types) {
    for (int s = 0; s < SOME_SIZES; s++) {
        const i64 n = some_sizes[s];
        check(weft_plus(WEFT_U8), &(u8){200}, n);
        check(weft_minimum(WEFT_F32), &(f32){-3.5f}, n);
        check(weft_maximum(WEFT_F64), &(f64){1e300}, n);
        check(weft_bit_or(WEFT_I16), &(i16){-4096}, n);
        check(weft_maximum(WEFT_I64), &(i64){INT64_MAX / 2}, n);
        check(weft_op(operators_compose), &(operators_line){3, 5}, n);
    }
}
END_TEST

START_TEST(lazy_input) {
    const i64 n = 4097;
    u32 *in = new_keys(WEFT_U32, n, KEYS_RANDOM, 3), *expected = new_zeros(WEFT_U32, n);
    const weft_array x = test_array(WEFT_U32, in, n),
                     out = weft_array_new(device, WEFT_U32, n);
    for (int f = 0; f < 4; f++) {
        define(weft_plus(WEFT_U32), (char *)in, NULL, &(u32){7}, n, all_flags[f],
               (char *)expected);
        weft_scan_from(device, weft_lazy(n, lazy_u32, .x = x), weft_plus(WEFT_U32),
                       &(u32){7}, all_flags[f], out);
        expect(out, (char *)expected, n);
    }
    free(in), free(expected);
}
END_TEST

START_TEST(wrong_arguments) {
    const u32 host[8] = {0}, one = 1;
    const f32 other = 1;
    const weft_operator *plus = weft_plus(WEFT_U32);
    const weft_array none = {0}, in = test_array(WEFT_U32, host, 8),
                     out = weft_array_new(device, WEFT_U32, 8),
                     few = weft_array_new(device, WEFT_U32, 7);
    weft_scan_from(device, none, plus, &one, 0, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_from: array 'in' is missing");
    weft_scan_from(device, in, NULL, &one, 0, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_from: operator 'op' is NULL");
    weft_scan_from(device, in, plus, NULL, 0, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_from: 'initial' is NULL");
    weft_scan_from(device, in, plus, &other, 0, out);
    test_expect_error(WEFT_E_TYPE, "weft_scan_from: 'initial' points to f32");
    weft_scan_from(device, in, plus, &one, 4, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_from: flags are 4");
    weft_scan_from(device, in, plus, &one, 0, few);
    test_expect_error(WEFT_E_SHAPE, "weft_scan_from: array 'out' has 7 elements");
    weft_scan_by_key_from(device, none, in, plus, &one, WEFT_EXCLUSIVE, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_by_key_from: array 'keys' is missing");
    weft_scan_by_key_from(device, few, in, plus, &one, WEFT_EXCLUSIVE, out);
    test_expect_error(WEFT_E_SHAPE, "weft_scan_by_key_from: array 'keys' has 7");
    weft_scan_by_key_from(device, in, in, plus, &one, WEFT_INCLUSIVE, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_by_key_from: the scan is not exclusive");
    weft_scan_by_key_from(device, in, in, plus, NULL, WEFT_EXCLUSIVE, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_by_key_from: 'initial' is NULL");
    weft_scan_by_key_from(device, out, in, plus, &one, WEFT_EXCLUSIVE, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_by_key_from: array 'out' overlaps");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_sizes, other_types, lazy_input, wrong_arguments};
    return test_main(argc, argv, "scan_from", tests, sizeof tests / sizeof *tests);
}
