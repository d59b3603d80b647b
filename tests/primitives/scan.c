/* Scans against loops: every flag, type and kind of segments, in place and lazy. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"
#include "operators.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))
WEFT_GENERATOR(lazy_f32, f32, (in, f32, x))
WEFT_OPERATOR(operators_compose, operators_line, {1, 0})
WEFT_OPERATOR(operators_keep, operators_giant, {{0}})

static const u32 all_flags[] = {WEFT_INCLUSIVE, WEFT_EXCLUSIVE,
                                WEFT_INCLUSIVE | WEFT_REVERSE,
                                WEFT_EXCLUSIVE | WEFT_REVERSE};

/* The definition; heads may be NULL. */
static void define(const weft_operator *op, const char *in, const u32 *heads, i64 n,
                   u32 flags, char *out) {
    const size_t size = WEFT_SIZE(op->type);
    char *sum = new_zeros(op->type, 1), *next = new_zeros(op->type, 1);
    memcpy(sum, op->identity, size);
    for (i64 k = 0; k < n; k++) {
        const i64 i = flags & WEFT_REVERSE ? n - 1 - k : k;
        const i64 begins = flags & WEFT_REVERSE ? i + 1 : i; /* head that parts i off */
        if (heads && begins < n && heads[begins])
            memcpy(sum, op->identity, size);
        op->combine(sum, in + (size_t)i * size, next, 1);
        memcpy(out + (size_t)i * size, flags & WEFT_EXCLUSIVE ? sum : next, size);
        memcpy(sum, next, size);
    }
    free(sum);
    free(next);
}

static void expect(weft_array out, const char *expected, i64 n) {
    const size_t size = WEFT_SIZE(out.type);
    char *got = new_zeros(out.type, out.length);
    weft_read(device, out, got);
    test_ok();
    ck_assert_mem_eq(got, expected, (size_t)n * size);
    for (size_t k = (size_t)n * size; k < (size_t)out.length * size; k++)
        ck_assert_int_eq(got[k], 0);
    free(got);
}

/* The first so many flags, plain and segmented, into another array and in place. */
static void check(const weft_operator *op, const char *in, i64 n, const u32 *heads,
                  int flags) {
    char *expected = new_zeros(op->type, n);
    char *zeros = new_zeros(op->type, n + 5);
    const weft_array marks = test_array(WEFT_U32, heads, n);
    for (int f = 0; f < flags; f++) {
        const weft_array a = test_array(op->type, in, n), b = test_array(op->type, in, n);
        const weft_array out = test_array(op->type, zeros, n + 5);
        define(op, in, NULL, n, all_flags[f], expected);
        weft_scan(device, a, op, all_flags[f], out);
        expect(out, expected, n);
        weft_scan(device, b, op, all_flags[f], b);
        expect(b, expected, n);
        define(op, in, heads, n, all_flags[f], expected);
        weft_scan_segments(device, a, marks, op, all_flags[f], out);
        expect(out, expected, n);
        weft_scan_segments(device, a, marks, op, all_flags[f], a);
        expect(a, expected, n);
        weft_array_free(device, a);
        weft_array_free(device, b);
        weft_array_free(device, out);
    }
    weft_array_free(device, marks);
    free(expected);
    free(zeros);
}

/* Heads that come once in about `length`, some of them large numbers. */
static u32 *new_heads(i64 n, u64 length, u64 seed) {
    u32 *heads = new_zeros(WEFT_U32, n);
    for (i64 i = 0; i < n; i++)
        heads[i] = test_random(&seed) % length == 0 ? 1 + (u32)test_random(&seed) / 2 : 0;
    return heads;
}

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++) {
        const i64 n = test_sizes[s];
        char *in = new_keys(WEFT_U32, n, KEYS_RANDOM, (u64)s);
        u32 *heads = new_heads(n, s % 3 == 0 ? 3 : s % 3 == 1 ? 100 : 5000, 7);
        check(weft_plus(WEFT_U32), in, n, heads, 4);
        free(in);
        free(heads);
    }
}
END_TEST

START_TEST(all_types) {
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int s = 0; s < SOME_SIZES; s++) {
            const i64 n = some_sizes[s];
            char *in = new_keys(key_types[t], n, KEYS_RANDOM, (u64)t);
            u32 *heads = new_heads(n, 20, 8);
            if (key_types[t] < WEFT_F32) /* wraps around alike in any association */
                check(weft_plus(key_types[t]), in, n, heads, 2);
            else
                check(weft_maximum(key_types[t]), in, n, heads, 2);
            if (key_types[t] == WEFT_U8)
                check(weft_maximum(WEFT_U8), in, n, heads, 4);
            free(in);
            free(heads);
        }
}
END_TEST

/* Sums of whole numbers below 2^24 are exact in f32, whatever the association. */
START_TEST(float_sums) {
    const i64 n = 65537;
    f32 *narrow = new_zeros(WEFT_F32, n);
    f64 *wide = new_zeros(WEFT_F64, n);
    for (i64 i = 0; i < n; i++)
        narrow[i] = (f32)(i % 9 - 4), wide[i] = (f64)(i % 1001) * 1e6;
    u32 *heads = new_heads(n, 300, 9);
    check(weft_plus(WEFT_F32), (const char *)narrow, n, heads, 4);
    check(weft_plus(WEFT_F64), (const char *)wide, n, heads, 4);
    free(narrow), free(wide), free(heads);
}
END_TEST

/* Sums that are scanned in registers, around groups of lanes, steps and blocks. */
START_TEST(sums_of_every_length) {
    static const i64 sizes[] = {7,    8,    9,    15,   16,   17,   31,
                                33,   511,  512,  513,  527,  2047, 2048,
                                2049, 4095, 4097, 5631, 5632, 5633, 16385};
    static const weft_type types[] = {WEFT_U32, WEFT_I32, WEFT_U64,
                                      WEFT_I64, WEFT_F32, WEFT_F64};
    for (int t = 0; t < 6; t++)
        for (int s = 0; s < 18; s++) {
            const i64 n = sizes[s];
            char *in = new_keys(types[t], n, KEYS_RANDOM, (u64)s);
            for (i64 i = 0; i < n && types[t] == WEFT_F32; i++)
                ((f32 *)(void *)in)[i] = (f32)(i % 9 - 4);
            for (i64 i = 0; i < n && types[t] == WEFT_F64; i++)
                ((f64 *)(void *)in)[i] = (f64)(i % 1001) * 1e6;
            const u64 lengths[] = {1, 4, 40, 3000};
            u32 *heads = new_heads(n, lengths[(s + t) % 4], 17);
            check(weft_plus(types[t]), in, n, heads, 2);
            free(in), free(heads);
        }
}
END_TEST

/* Results larger than the caches go around them, in lines of 64 bytes: these begin within
 * one. */
START_TEST(large_and_out_of_line) {
    const i64 n = (1 << 22) + 37;
    u32 *in = new_keys(WEFT_U32, n, KEYS_RANDOM, 18), *out = new_zeros(WEFT_U32, n + 1);
    u32 *heads = new_heads(n, 50000, 19);
    const weft_array a = test_array(WEFT_U32, in, n), h = test_array(WEFT_U32, heads, n),
                     b = test_array(WEFT_U32, out, n + 1);
    for (int headed = 0; headed < 2; headed++)
        for (i64 first = 0; first < 2; first++) {
            const weft_array to = weft_slice(device, b, first, n);
            if (headed)
                weft_scan_segments(device, a, h, weft_plus(WEFT_U32), WEFT_INCLUSIVE, to);
            else
                weft_scan(device, a, weft_plus(WEFT_U32), WEFT_INCLUSIVE, to);
            weft_read(device, b, out);
            test_ok();
            u32 sum = 0;
            for (i64 i = 0; i < n; i++) {
                sum = in[i] + (headed && heads[i] ? 0 : sum);
                if (out[first + i] != sum)
                    ck_abort_msg("headed %d, from %lld: sum %lld is wrong", headed,
                                 (long long)first, (long long)i);
            }
        }
    free(in), free(out), free(heads);
}
END_TEST

START_TEST(operator_that_does_not_commute) {
    const i64 sizes[] = {0, 1, 2, 65, 1025, 8193, 100003};
    for (int s = 0; s < 7; s++) {
        char *in = new_keys(WEFT_STRUCT(operators_line), sizes[s], KEYS_RANDOM, 10);
        u32 *heads = new_heads(sizes[s], 900, 11);
        check(weft_op(operators_compose), in, sizes[s], heads, 4);
        free(in);
        free(heads);
    }
}
END_TEST

START_TEST(keys_of_every_type) {
    const i64 n = 4097;
    char *in = new_keys(WEFT_U32, n, KEYS_RANDOM, 12);
    char *expected = new_zeros(WEFT_U32, n);
    u32 *heads = new_zeros(WEFT_U32, n);
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        for (int p = KEYS_FEW; p <= KEYS_EXTREME; p++) {
            const weft_type type = moved_types[t];
            const size_t size = WEFT_SIZE(type);
            char *keys = new_keys(type, n, (key_pattern)p, 13);
            for (i64 i = 3; i < n; i += 3) /* some runs */
                memcpy(keys + (size_t)i * size, keys + (size_t)(i - 1) * size, size);
            for (i64 i = 0; i < n; i++)
                heads[i] =
                    i == 0 || (type < WEFT_STRUCTS
                                   ? compare_keys(type, keys, i, keys, i - 1) != 0
                                   : memcmp(keys + (size_t)i * size,
                                            keys + (size_t)(i - 1) * size, size) != 0);
            const weft_array k = test_array(type, keys, n), a = test_array(WEFT_U32, in, n);
            const u32 flags = all_flags[(t + p) % 4];
            define(weft_plus(WEFT_U32), in, heads, n, flags, expected);
            weft_scan_by_key(device, k, a, weft_plus(WEFT_U32), flags, a);
            expect(a, expected, n);
            weft_array_free(device, k);
            weft_array_free(device, a);
            free(keys);
        }
    free(in), free(expected), free(heads);
}
END_TEST

START_TEST(lazy_inputs) {
    const i64 n = 100003;
    char *in = new_keys(WEFT_U32, n, KEYS_RANDOM, 14), *expected = new_zeros(WEFT_U32, n);
    u32 *heads = new_heads(n, 100, 15);
    f32 *keys = new_zeros(WEFT_F32, n);
    for (i64 i = 1; i < n; i++)
        keys[i] = keys[i - 1] + (heads[i] ? 1.0f : 0.0f);
    const weft_array a = test_array(WEFT_U32, in, n), h = test_array(WEFT_U32, heads, n);
    const weft_array k = test_array(WEFT_F32, keys, n),
                     out = weft_array_new(device, WEFT_U32, n);
    for (int f = 0; f < 4; f++) {
        define(weft_plus(WEFT_U32), in, heads, n, all_flags[f], expected);
        weft_scan_segments(device, weft_lazy(n, lazy_u32, .x = a),
                           weft_lazy(n, lazy_u32, .x = h), weft_plus(WEFT_U32),
                           all_flags[f], out);
        expect(out, expected, n);
        weft_scan_by_key(device, weft_lazy(n, lazy_f32, .x = k),
                         weft_lazy(n, lazy_u32, .x = a), weft_plus(WEFT_U32), all_flags[f],
                         out);
        expect(out, expected, n);
    }
    free(in), free(expected), free(heads), free(keys);
}
END_TEST

/* A scan in two halves, the second going on from the first's sum, is one scan. */
START_TEST(law_of_splitting) {
    const i64 n = 10000, cut = 3333;
    u32 *in = new_keys(WEFT_U32, n, KEYS_RANDOM, 16), *out = new_zeros(WEFT_U32, n), last;
    const weft_array a = test_array(WEFT_U32, in, n), b = test_array(WEFT_U32, in, n);
    weft_scan(device, a, weft_plus(WEFT_U32), WEFT_INCLUSIVE, a);
    const weft_array first = weft_slice(device, b, 0, cut);
    const weft_array second = weft_slice(device, b, cut - 1, n - cut + 1);
    weft_scan(device, first, weft_plus(WEFT_U32), WEFT_INCLUSIVE, first);
    weft_scan(device, second, weft_plus(WEFT_U32), WEFT_INCLUSIVE, second);
    weft_read(device, a, in);
    weft_read(device, b, out);
    ck_assert_mem_eq(in, out, (size_t)n * sizeof *in);
    weft_reduce(device, weft_slice(device, b, 0, 1), weft_plus(WEFT_U32), &last);
    ck_assert_uint_eq(last, out[0]);
    free(in), free(out);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    const weft_operator *plus = weft_plus(WEFT_U32);
    const weft_array none = {0}, a = test_array(WEFT_U32, host, 8),
                     out = test_array(WEFT_U32, host, 8);
    const weft_array f = weft_array_new(device, WEFT_F32, 8),
                     few = weft_array_new(device, WEFT_U32, 7);
    const weft_array fixed = weft_borrow_const(device, WEFT_U32, host, 8);
    const weft_array lazy = weft_lazy(8, lazy_u32, .x = a);
    const weft_array giants = weft_array_new(device, WEFT_STRUCT(operators_giant), 2);
    weft_scan(device, none, plus, 0, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan: array 'in' is missing");
    weft_scan(device, a, NULL, 0, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan: operator 'op' is NULL");
    weft_scan(device, f, plus, 0, f);
    test_expect_error(WEFT_E_TYPE, "takes u32, but the elements are f32");
    weft_scan(device, giants, weft_op(operators_keep), 0, giants);
    test_expect_error(WEFT_E_TYPE, "takes 4100 bytes, at most 4096");
    weft_scan(device, a, plus, 4, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan: flags are 4");
    weft_scan(device, a, plus, 0, none);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan: array 'out' is missing");
    weft_scan(device, a, plus, 0, f);
    test_expect_error(WEFT_E_TYPE, "weft_scan: array 'out' has elements of f32");
    weft_scan(device, a, plus, 0, few);
    test_expect_error(WEFT_E_SHAPE, "weft_scan: array 'out' has 7 elements");
    weft_scan(device, a, plus, 0, fixed);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan: array 'out' is read-only");
    weft_scan(device, a, plus, 0, lazy);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan: array 'out' is lazy");
    weft_scan(device, weft_slice(device, a, 0, 4), plus, 0, weft_slice(device, a, 1, 4));
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan: array 'out' overlaps");
    weft_scan(device, lazy, plus, 0, a);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan: array 'out' overlaps what is read");
    weft_scan_segments(device, a, none, plus, 0, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_segments: array 'heads' is missing");
    weft_scan_segments(device, a, f, plus, 0, out);
    test_expect_error(WEFT_E_TYPE, "weft_scan_segments: array 'heads' has elements of f32");
    weft_scan_segments(device, a, few, plus, 0, out);
    test_expect_error(WEFT_E_SHAPE, "weft_scan_segments: array 'heads' has 7 elements");
    weft_scan_segments(device, a, out, plus, 0, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_segments: array 'out' overlaps");
    weft_scan_by_key(device, none, a, plus, 0, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_by_key: array 'keys' is missing");
    weft_scan_by_key(device, few, a, plus, 0, out);
    test_expect_error(WEFT_E_SHAPE, "weft_scan_by_key: array 'keys' has 7 elements");
    weft_scan_by_key(device, out, a, plus, 0, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_by_key: array 'out' overlaps");
    weft_scan_by_key(device, f, a, NULL, 0, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_scan_by_key: operator 'op' is NULL");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_sizes,
                                  all_types,
                                  float_sums,
                                  operator_that_does_not_commute,
                                  sums_of_every_length,
                                  large_and_out_of_line,
                                  lazy_inputs,
                                  keys_of_every_type,
                                  law_of_splitting,
                                  wrong_arguments};
    return test_main(argc, argv, "scan", tests, sizeof tests / sizeof *tests);
}
