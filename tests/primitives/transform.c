/* Copy, transform, fill and sequence against their definitions. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"
#include "transform.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u8, u8, (in, u8, x))
WEFT_GENERATOR(lazy_struct, lazy_twelve, (in, lazy_twelve, x))
WEFT_GENERATOR(transform_scaled, f32, (value, f32, a), (in, f32, x))
WEFT_GENERATOR(transform_mixed, u32, (value, u32, factor))

/* That elements [first, first + n) of `out` are `expected` and those around 0. */
static void expect_middle(weft_array out, i64 first, i64 n, const void *expected) {
    const size_t size = WEFT_SIZE(out.type);
    char *got = new_zeros(out.type, out.length);
    weft_read(device, out, got);
    test_ok();
    for (size_t k = 0; k < (size_t)first * size; k++)
        ck_assert_int_eq(got[k], 0);
    ck_assert_mem_eq(got + (size_t)first * size, expected, (size_t)n * size);
    for (size_t k = (size_t)(first + n) * size; k < (size_t)out.length * size; k++)
        ck_assert_int_eq(got[k], 0);
    free(got);
}

static weft_array zeros(weft_type type, i64 n) {
    void *host = new_zeros(type, n);
    const weft_array array = test_array(type, host, n);
    free(host);
    return array;
}

START_TEST(copies) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        for (int s = 0; s < SOME_SIZES; s++) {
            const i64 n = some_sizes[s];
            void *host = new_keys(moved_types[t], n, KEYS_RANDOM, 1);
            const weft_array in = test_array(moved_types[t], host, n);
            const weft_array out = zeros(moved_types[t], n + 3);
            weft_copy(device, in, weft_slice(device, out, 1, n + 1));
            expect_middle(out, 1, n, host);
            weft_copy(device, in, in);
            expect_middle(in, 0, n, host);
            free(host);
        }
}
END_TEST

START_TEST(transforms) {
    for (int s = 0; s < test_size_count; s++) {
        const i64 n = test_sizes[s];
        f32 *x = new_zeros(WEFT_F32, n);
        u32 *mixed = new_zeros(WEFT_U32, n);
        for (i64 i = 0; i < n; i++)
            x[i] = (f32)i - 7, mixed[i] = (u32)i * 2654435761u;
        const weft_array in = test_array(WEFT_F32, x, n), out = zeros(WEFT_U32, n + 1);
        weft_transform(device, n, out, transform_mixed, .factor = 2654435761u);
        expect_middle(out, 0, n, mixed);
        for (i64 i = 0; i < n; i++)
            x[i] *= 3;
        weft_transform(device, n, in, transform_scaled, .a = 3, .x = in);
        expect_middle(in, 0, n, x);
        free(x);
        free(mixed);
    }
}
END_TEST

START_TEST(lazy_copies) {
    const i64 n = 1000;
    void *bytes = new_keys(WEFT_U8, n, KEYS_RANDOM, 2);
    void *structs = new_keys(WEFT_STRUCT(lazy_twelve), n, KEYS_RANDOM, 3);
    const weft_array a = test_array(WEFT_U8, bytes, n), out_a = zeros(WEFT_U8, n);
    const weft_array b = test_array(WEFT_STRUCT(lazy_twelve), structs, n);
    const weft_array out_b = zeros(WEFT_STRUCT(lazy_twelve), n);
    weft_copy(device, weft_lazy(n, lazy_u8, .x = a), out_a);
    expect_middle(out_a, 0, n, bytes);
    weft_copy(device, weft_lazy(n, lazy_struct, .x = b), out_b);
    expect_middle(out_b, 0, n, structs);
    free(bytes);
    free(structs);
}
END_TEST

START_TEST(fills) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step)
        for (int s = 0; s < SOME_SIZES; s++) {
            const i64 n = some_sizes[s];
            const size_t size = WEFT_SIZE(moved_types[t]);
            char value[128], *expected = new_zeros(moved_types[t], n);
            for (size_t k = 0; k < sizeof value; k++)
                value[k] = (char)(k + 1);
            for (i64 i = 0; i < n; i++)
                memcpy(expected + (size_t)i * size, value, size);
            const weft_array out = zeros(moved_types[t], n + 2);
            weft_fill(device, weft_slice(device, out, 1, n), value);
            memset(value, 0, sizeof value);
            expect_middle(out, 1, n, expected);
            free(expected);
        }
}
END_TEST

START_TEST(whole_sequences) {
    for (int t = 0; t < 8; t++)
        for (int s = 0; s < SOME_SIZES; s++) {
            const i64 n = some_sizes[s];
            const size_t size = WEFT_SIZE(key_types[t]);
            const u64 start = 250, step = (u64)0 - 3; /* low halves: of narrower types */
            char *expected = new_zeros(key_types[t], n);
            for (i64 i = 0; i < n; i++) {
                const u64 value = start + (u64)i * step;
                memcpy(expected + (size_t)i * size, &value, size);
            }
            const weft_array out = zeros(key_types[t], n);
            weft_sequence(device, out, (const void *)&start, (const void *)&step);
            expect_middle(out, 0, n, expected);
            free(expected);
        }
}
END_TEST

START_TEST(float_sequences) {
    const i64 n = 100003;
    f32 *narrow = new_zeros(WEFT_F32, n), start = 0.1f, step = -0.3f;
    f64 *wide = new_zeros(WEFT_F64, n), from = 0.1, by = 1e-9;
    for (i64 i = 0; i < n; i++) {
        const f32 way = (f32)i * step;
        const f64 far = (f64)i * by;
        narrow[i] = start + way;
        wide[i] = from + far;
    }
    const weft_array a = zeros(WEFT_F32, n), b = zeros(WEFT_F64, n);
    weft_sequence(device, a, &start, &step);
    expect_middle(a, 0, n, narrow);
    weft_sequence(device, b, &from, &by);
    expect_middle(b, 0, n, wide);
    free(narrow);
    free(wide);
}
END_TEST

/* Against arithmetic in 64 bits, of which narrower types keep the low ones. */
START_TEST(differences) {
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        for (int s = 0; s < SOME_SIZES; s++) {
            const weft_type type = key_types[t];
            const size_t size = WEFT_SIZE(type);
            const i64 n = some_sizes[s];
            char *in = new_keys(type, n, KEYS_RANDOM, 4), *expected = new_zeros(type, n);
            for (i64 i = 0; i < n; i++) {
                f32 *narrow = (f32 *)(void *)in;
                f64 *wide = (f64 *)(void *)in;
                u64 here = 0, before = 0;
                memcpy(&here, in + (size_t)i * size, size);
                if (i > 0)
                    memcpy(&before, in + (size_t)(i - 1) * size, size);
                here -= before;
                memcpy(expected + (size_t)i * size, &here, size);
                if (type == WEFT_F32) {
                    narrow[i] = (f32)(i * i) / 7;
                    ((f32 *)(void *)expected)[i] = narrow[i] - (i > 0 ? narrow[i - 1] : 0);
                } else if (type == WEFT_F64) {
                    wide[i] = (f64)(i * i) / 7;
                    ((f64 *)(void *)expected)[i] = wide[i] - (i > 0 ? wide[i - 1] : 0);
                }
            }
            const weft_array a = test_array(type, in, n), out = zeros(type, n + 1);
            weft_adjacent_difference(device, a, out);
            expect_middle(out, 0, n, expected);
            if (type < WEFT_F32) {
                weft_scan(device, out, weft_plus(type), WEFT_INCLUSIVE, out);
                expect_middle(weft_slice(device, out, 0, n), 0, n, in);
            }
            if (type == WEFT_U8) {
                weft_adjacent_difference(device, weft_lazy(n, lazy_u8, .x = a), out);
                expect_middle(weft_slice(device, out, 0, n), 0, n, expected);
            }
            free(in), free(expected);
        }
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    const weft_array none = {0}, a = zeros(WEFT_U32, 4), b = zeros(WEFT_U32, 8);
    const weft_array f = zeros(WEFT_F32, 8), s = zeros(WEFT_STRUCTS | 12, 8);
    const weft_array fixed = weft_borrow_const(device, WEFT_U32, host, 8);
    const weft_array lazy = weft_lazy(8, transform_mixed, .factor = 1);
    weft_copy(device, none, b);
    test_expect_error(WEFT_E_ARGUMENT, "weft_copy: array 'in' is missing");
    weft_copy(device, b, none);
    test_expect_error(WEFT_E_ARGUMENT, "weft_copy: array 'out' is missing");
    weft_copy(device, b, a);
    test_expect_error(WEFT_E_SHAPE, "'out' has 4 elements, at least 8");
    weft_copy(device, b, f);
    test_expect_error(WEFT_E_TYPE, "'out' has elements of f32, not u32");
    weft_copy(device, b, fixed);
    test_expect_error(WEFT_E_ARGUMENT, "'out' is read-only");
    weft_copy(device, b, lazy);
    test_expect_error(WEFT_E_ARGUMENT, "'out' is lazy");
    weft_copy(device, weft_slice(device, b, 0, 4), weft_slice(device, b, 3, 4));
    test_expect_error(WEFT_E_ARGUMENT, "'out' overlaps");
    weft_copy(device, weft_slice(device, b, 0, 4), weft_slice(device, b, 4, 4));
    test_ok();
    weft_transform(device, 8, b, transform_scaled, .x = f);
    test_expect_error(WEFT_E_TYPE, "'out' has elements of u32, not f32");
    weft_transform(device, 9, f, transform_scaled, .x = f);
    test_expect_error(WEFT_E_SHAPE, "transform_scaled: array 'x' has 8 elements");
    weft_transform(device, -1, f, transform_scaled, .x = f);
    test_expect_error(WEFT_E_SHAPE, "'in' has -1 elements");
    weft_fill(device, b, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_fill: 'value' is NULL");
    weft_fill(device, none, host);
    test_expect_error(WEFT_E_ARGUMENT, "weft_fill: array 'out' is missing");
    weft_fill(device, fixed, host);
    test_expect_error(WEFT_E_ARGUMENT, "weft_fill: array 'out' is read-only");
    weft_sequence(device, b, NULL, host);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sequence: 'start' is NULL");
    weft_sequence(device, b, host, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sequence: 'step' is NULL");
    weft_sequence(device, s, (void *)host, (void *)host);
    test_expect_error(WEFT_E_TYPE, "weft_sequence: array 'out' has elements of a struct");
    weft_sequence(device, lazy, host, host);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sequence: array 'out' is lazy");
    weft_adjacent_difference(device, none, b);
    test_expect_error(WEFT_E_ARGUMENT, "weft_adjacent_difference: array 'in' is missing");
    weft_adjacent_difference(device, s, s);
    test_expect_error(WEFT_E_TYPE,
                      "'in' has elements of a struct of 12 bytes, not a number");
    weft_adjacent_difference(device, b, a);
    test_expect_error(WEFT_E_SHAPE, "weft_adjacent_difference: array 'out' has 4 elements");
    weft_adjacent_difference(device, b, f);
    test_expect_error(WEFT_E_TYPE,
                      "weft_adjacent_difference: array 'out' has elements of f32");
    weft_adjacent_difference(device, b, b);
    test_expect_error(WEFT_E_ARGUMENT, "weft_adjacent_difference: array 'out' overlaps");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {copies,      transforms,      lazy_copies,
                                  fills,       whole_sequences, float_sequences,
                                  differences, wrong_arguments};
    return test_main(argc, argv, "transform", tests, sizeof tests / sizeof *tests);
}
