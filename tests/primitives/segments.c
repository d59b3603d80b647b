/* Sums and sorts of segments against their definitions: segments of every length, none of
 * them empty, some, most, all; elements before the first and after the last. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"
#include "operators.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))
WEFT_GENERATOR(lazy_i64, i64, (in, i64, x))
WEFT_OPERATOR(operators_compose, operators_line, {1, 0})

enum { SHORT, MOSTLY_EMPTY, LONG, ONE, ALL_EMPTY, INSIDE, SHAPES };

/* Offsets of segments of n elements, and how many there are; to be freed. */
static i64 *new_offsets(i64 n, int shape, u64 seed, i64 *segments) {
    i64 *offsets = new_zeros(WEFT_I64, 2 * n + 100), count = 0;
    const i64 begin = shape == INSIDE ? n / 5 : 0, end = shape == INSIDE ? n - n / 7 : n;
    if (shape == ONE || shape == ALL_EMPTY) {
        *segments = shape == ONE ? 1 : 70;
        for (i64 s = 0; s <= *segments; s++)
            offsets[s] = shape == ONE ? s * n : n / 2;
        return offsets;
    }
    for (i64 at = offsets[0] = begin; at < end;) {
        const i64 most = shape == LONG ? 3000 : 9;
        i64 length = (i64)(test_random(&seed) % (u64)most);
        if (shape == MOSTLY_EMPTY && test_random(&seed) % 4)
            length = 0;
        if (count >= 2 * n)
            length = end - at;
        at = at + length < end ? at + length : end;
        offsets[++count] = at;
    }
    for (int k = 0; k < 3; k++)
        offsets[++count] = end;
    *segments = count;
    return offsets;
}

static void expect(weft_array x, const void *expected, i64 n) {
    char *got = new_zeros(x.type, n);
    weft_read(device, weft_slice(device, x, 0, n), (void *)got);
    test_ok();
    ck_assert_mem_eq(got, expected, (size_t)n * WEFT_SIZE(x.type));
    free(got);
}

static void check_reduce(const weft_operator *op, i64 n, int shape) {
    const weft_type type = op->type;
    const size_t size = WEFT_SIZE(type);
    i64 segments;
    i64 *offsets = new_offsets(n, shape, (u64)n, &segments);
    char *in = new_keys(type, n, KEYS_RANDOM, 1),
         *expected = new_keys(type, segments + 1, KEYS_RANDOM, 2);
    const weft_array x = test_array(type, in, n),
                     o = test_array(WEFT_I64, offsets, segments + 1),
                     out = test_array(type, expected, segments + 1);
    for (i64 s = 0; s < segments; s++) {
        char *sum = expected + (size_t)s * size;
        memcpy(sum, op->identity, size);
        for (i64 i = offsets[s]; i < offsets[s + 1]; i++)
            op->combine(sum, in + (size_t)i * size, sum, 1);
    }
    weft_reduce_segments(device, x, o, op, out);
    expect(out, expected, segments + 1);
    weft_array_free(device, x), weft_array_free(device, o), weft_array_free(device, out);
    free(offsets), free(in), free(expected);
}

START_TEST(sums_of_all_sizes) {
    for (int s = 0; s < test_size_count; s++)
        check_reduce(weft_plus(WEFT_U32), test_sizes[s], s % 2 ? SHORT : INSIDE);
}
END_TEST

START_TEST(sums_of_all_shapes) {
    for (int shape = 0; shape < SHAPES; shape++)
        for (int s = 0; s < SOME_SIZES; s++) {
            check_reduce(weft_plus(WEFT_U32), some_sizes[s], shape);
            check_reduce(weft_maximum(WEFT_F64), some_sizes[s], shape);
        }
}
END_TEST

START_TEST(sums_of_other_types) {
    for (int shape = 0; shape < SHAPES; shape++) {
        check_reduce(weft_times(WEFT_I8), 5000, shape);
        check_reduce(weft_plus(WEFT_U16), 5000, shape);
        check_reduce(weft_plus(WEFT_I64), 5000, shape);
        check_reduce(weft_op(operators_compose), 5000, shape);
    }
}
END_TEST

/* Also of segments that threads share. */
START_TEST(sums_of_long_segments) {
    const i64 sizes[] = {65536, 65537, 131073};
    for (int k = 0; k < 3; k++)
        check_reduce(weft_plus(WEFT_U32), sizes[k], ONE);
}
END_TEST

/* Of floats that are whole numbers, whose sums are exact in any order. */
START_TEST(sums_of_floats) {
    enum { N = 3000 };
    f32 in[N], got[2 * N + 100], sum;
    for (i64 i = 0; i < N; i++)
        in[i] = (f32)(i * 7919 % 101 - 50);
    for (int shape = 0; shape < SHAPES; shape++) {
        i64 segments;
        i64 *offsets = new_offsets(N, shape, 5, &segments);
        const weft_array o = test_array(WEFT_I64, offsets, segments + 1),
                         x = test_array(WEFT_F32, in, N),
                         out = weft_array_new(device, WEFT_F32, segments);
        weft_reduce_segments(device, x, o, weft_plus(WEFT_F32), out);
        weft_read(device, out, got);
        test_ok();
        for (i64 s = 0; s < segments; s++) {
            sum = 0;
            for (i64 i = offsets[s]; i < offsets[s + 1]; i++)
                sum += in[i];
            ck_assert_float_eq(got[s], sum);
        }
        weft_array_free(device, o), weft_array_free(device, x);
        weft_array_free(device, out);
        free(offsets);
    }
}
END_TEST

START_TEST(lazy_inputs) {
    enum { N = 1000, SEGMENTS = 100 };
    u32 host[N], expected[SEGMENTS] = {0};
    i64 offsets[SEGMENTS + 1];
    for (u32 i = 0; i < N; i++)
        host[i] = i * i, expected[i / 10] += i * i;
    for (i64 s = 0; s <= SEGMENTS; s++)
        offsets[s] = 10 * s;
    const weft_array x = test_array(WEFT_U32, host, N),
                     o = test_array(WEFT_I64, offsets, SEGMENTS + 1),
                     out = weft_array_new(device, WEFT_U32, SEGMENTS);
    weft_reduce_segments(device, weft_lazy(N, lazy_u32, .x = x),
                         weft_lazy(SEGMENTS + 1, lazy_i64, .x = o), weft_plus(WEFT_U32),
                         out);
    expect(out, expected, SEGMENTS);
}
END_TEST

/* The keys and values of each segment, in the order of their own. */
static void check_sort(weft_type type, weft_type moved, i64 n, int shape,
                       weft_order order) {
    const size_t size = WEFT_SIZE(type), width = WEFT_SIZE(moved);
    i64 segments;
    i64 *offsets = new_offsets(n, shape, (u64)n + 3, &segments);
    char *keys = new_keys(type, n, n % 2 ? KEYS_FEW : KEYS_EXTREME, 1),
         *values = new_keys(moved, n, KEYS_RANDOM, 2);
    char *sorted = new_zeros(type, n), *carried = new_zeros(moved, n);
    memcpy(sorted, keys, (size_t)n * size);
    memcpy(carried, values, (size_t)n * width);
    const weft_array k = test_array(type, keys, n), v = test_array(moved, values, n),
                     alone = test_array(type, keys, n),
                     o = test_array(WEFT_I64, offsets, segments + 1);
    for (i64 s = 0; s < segments; s++) {
        const i64 first = offsets[s], count = offsets[s + 1] - first;
        i64 *from =
            new_order(type, keys + (size_t)first * size, count, order == WEFT_DESCENDING);
        for (i64 i = 0; i < count; i++) {
            memcpy(sorted + (size_t)(first + i) * size,
                   keys + (size_t)(first + from[i]) * size, size);
            memcpy(carried + (size_t)(first + i) * width,
                   values + (size_t)(first + from[i]) * width, width);
        }
        free(from);
    }
    weft_sort_segments(device, k, v, o, order);
    weft_sort_segments(device, alone, (weft_array){0}, o, order);
    expect(k, sorted, n);
    expect(v, carried, n);
    expect(alone, sorted, n);
    weft_array_free(device, k), weft_array_free(device, v);
    weft_array_free(device, o), weft_array_free(device, alone);
    free(offsets), free(keys), free(values), free(sorted), free(carried);
}

START_TEST(sorts) {
    for (int shape = 0; shape < SHAPES; shape++) {
        for (int s = 0; s < SOME_SIZES; s++) {
            check_sort(WEFT_U32, WEFT_U32, some_sizes[s], shape, WEFT_ASCENDING);
            check_sort(WEFT_F64, WEFT_U8, some_sizes[s], shape, WEFT_DESCENDING);
        }
        for (i64 n = 15; n <= 17; n++) /* where few end on processors */
            check_sort(WEFT_U32, WEFT_U32, n, shape, WEFT_ASCENDING);
        check_sort(WEFT_U32, WEFT_U32, 4095, shape, WEFT_ASCENDING); /* and on GPUs */
    }
    for (int t = first_kind; t < KEY_TYPES; t += kind_step)
        check_sort(key_types[t], WEFT_STRUCT(lazy_twelve), (t % 2 ? 999 : 4097) + t,
                   t % SHAPES, t % 2 ? WEFT_ASCENDING : WEFT_DESCENDING);
}
END_TEST

/* Wrong offsets are not noticed, but do no harm. */
START_TEST(wrong_offsets) {
    enum { LENGTH = 70000, MANY = 200 };
    const i64 offsets[] = {-5, 70, 3, 500, 20, INT64_MAX, INT64_MIN, 64};
    i64 back_and_forth[MANY];
    u32 host[100] = {0};
    for (i64 k = 0; k < MANY; k++)
        back_and_forth[k] = k % 2 * LENGTH;
    const weft_array x = test_array(WEFT_U32, host, 100),
                     o = test_array(WEFT_I64, offsets, 8),
                     out = weft_array_new(device, WEFT_U32, MANY - 1),
                     zeros = weft_array_new(device, WEFT_U32, LENGTH),
                     often = test_array(WEFT_I64, back_and_forth, MANY);
    weft_reduce_segments(device, x, o, weft_plus(WEFT_U32), out);
    weft_sort_segments(device, x, (weft_array){0}, o, WEFT_ASCENDING);
    weft_clear(device); /* the checking backend may */
    weft_reduce_segments(device, zeros, often, weft_plus(WEFT_U32), out);
    weft_clear(device);
}
END_TEST
START_TEST(wrong_arguments) {
    const u32 host[8] = {0};
    const i64 ends[] = {0, 3, 8};
    const weft_operator *plus = weft_plus(WEFT_U32);
    const weft_array none = {0}, in = test_array(WEFT_U32, host, 8),
                     o = test_array(WEFT_I64, ends, 3),
                     out = weft_array_new(device, WEFT_U32, 2),
                     few = weft_array_new(device, WEFT_U32, 1),
                     fixed = weft_borrow_const(device, WEFT_U32, host, 8);
    weft_reduce_segments(device, none, o, plus, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_segments: array 'in' is missing");
    weft_reduce_segments(device, in, in, plus, out);
    test_expect_error(WEFT_E_TYPE, "'offsets' has elements of u32, not i64");
    weft_reduce_segments(device, in, weft_slice(device, o, 0, 0), plus, out);
    test_expect_error(WEFT_E_SHAPE, "'offsets' has 0 elements, at least 1");
    weft_reduce_segments(device, in, o, NULL, out);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_segments: operator 'op' is NULL");
    weft_reduce_segments(device, in, o, plus, few);
    test_expect_error(WEFT_E_SHAPE, "weft_reduce_segments: array 'out' has 1 elements");
    weft_reduce_segments(device, in, o, plus, in);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reduce_segments: array 'out' overlaps");
    weft_sort_segments(device, fixed, none, o, WEFT_ASCENDING);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_segments: array 'keys' is read-only");
    weft_sort_segments(device, in, in, o, WEFT_ASCENDING);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_segments: array 'values' overlaps");
    weft_sort_segments(device, in, few, o, WEFT_ASCENDING);
    test_expect_error(WEFT_E_SHAPE, "weft_sort_segments: array 'values' has 1 elements");
    weft_sort_segments(device, in, none, none, WEFT_ASCENDING);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_segments: array 'offsets' is missing");
    weft_sort_segments(device, in, none, o, (weft_order)7);
    test_expect_error(WEFT_E_ARGUMENT, "weft_sort_segments: order is 7");
    weft_return(device, fixed);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {sums_of_all_sizes,
                                  sums_of_all_shapes,
                                  sums_of_other_types,
                                  sums_of_long_segments,
                                  sums_of_floats,
                                  lazy_inputs,
                                  sorts,
                                  wrong_offsets,
                                  wrong_arguments};
    return test_main(argc, argv, "segments", tests, sizeof tests / sizeof *tests);
}
