/* Kernel files with loops over types, and their registrations. */
#include "harness.h"
#include "types.kernels.h"

WEFT_KERNELS(types_axpy, (u8, i16, u32, u64, f32), (value, T, a), (in, T, x), (inout, T, y),
             (value, u32, n))
WEFT_GENERATORS(types_take_by_u32, (u32, u64, types_pair), T, (in, T, in, 0),
                (in, u32, map))
WEFT_GENERATORS(types_take_by_i64, (u32, u64, types_pair), T, (in, T, in, 0),
                (in, i64, map))
WEFT_GENERATOR(types_swapped, types_pair, (in, types_pair, in))
WEFT_OPERATORS(types_larger, (u32, i64), 0)

enum { N = 1000 };

START_TEST(kernels) {
    u8 x8[N], y8[N];
    f32 xf[N], yf[N];
    for (int i = 0; i < N; i++) {
        x8[i] = (u8)i;
        y8[i] = (u8)(3 * i);
        xf[i] = (f32)i;
        yf[i] = 0.5f;
    }
    const weft_array x = test_array(WEFT_U8, x8, N), y = test_array(WEFT_U8, y8, N);
    const weft_array p = test_array(WEFT_F32, xf, N), q = test_array(WEFT_F32, yf, N);
    const struct types_axpy_u8_arguments bytes = {.a = 7, .x = x, .y = y, .n = N - 1};
    weft_launch(device, N, types_axpy_kernels[0], &bytes);
    weft_for_each(device, N, types_axpy_f32, .a = 2, .x = p, .y = q, .n = N);
    weft_read(device, y, y8);
    weft_read(device, q, yf);
    test_ok();
    for (int i = 0; i < N; i++) {
        ck_assert_uint_eq(y8[i], (u8)(i < N - 1 ? 10 * i : 3 * i));
        ck_assert(yf[i] == 2 * (f32)i + 0.5f);
    }
    ck_assert_str_eq(types_axpy_kernels[4]->function.name, "types_axpy_f32");
}
END_TEST

START_TEST(loops_in_loops) {
    types_pair in[N], out[N];
    u32 small[N];
    i64 wide[N];
    for (int i = 0; i < N; i++) {
        in[i] = (types_pair){(u32)i, (u32)(N - i)};
        small[i] = (u32)(N - 1 - i);
        wide[i] = (i64)(i * 7 % N);
    }
    const weft_array pairs = test_array(WEFT_STRUCT(types_pair), in, N);
    const weft_array to = weft_array_new(device, WEFT_STRUCT(types_pair), N);
    weft_transform(device, N, to, types_take_by_u32_types_pair, .in = pairs,
                   .map = test_array(WEFT_U32, small, N));
    weft_transform(device, N, to, types_swapped, .in = to);
    weft_read(device, to, out);
    test_ok();
    for (int i = 0; i < N; i++)
        ck_assert_uint_eq(out[i].b, (u32)(N - 1 - i));
    weft_transform(device, N, to, types_take_by_i64_types_pair, .in = pairs,
                   .map = test_array(WEFT_I64, wide, N));
    weft_read(device, to, out);
    test_ok();
    for (int i = 0; i < N; i++)
        ck_assert_uint_eq(out[i].a, (u32)(i * 7 % N));
    weft_array_free(device, to);
}
END_TEST

START_TEST(tables) {
    const weft_type types[] = {WEFT_U32, WEFT_U64, WEFT_STRUCT(types_pair)};
    for (int k = 0; k < 3; k++) {
        ck_assert_uint_eq(types_take_by_u32_generators[k]->type, types[k]);
        ck_assert_uint_eq(types_take_by_i64_generators[k]->function.parameters[0].type,
                          types[k]);
        ck_assert_uint_eq(types_take_by_i64_generators[k]->function.parameters[1].type,
                          WEFT_I64);
    }
    i64 numbers[N], greatest = 0;
    for (int i = 0; i < N; i++)
        numbers[i] = i * 7 % N;
    weft_reduce(device, test_array(WEFT_I64, numbers, N), types_larger_operators[1],
                &greatest);
    test_ok();
    ck_assert_int_eq(greatest, N - 1);
}
END_TEST

START_TEST(errors) {
    const u32 zero[4] = {0};
    const weft_array x = test_array(WEFT_U32, zero, 4);
    const struct types_axpy_u64_arguments wrong = {.x = x, .y = x};
    test_expect_error(weft_launch(device, 4, types_axpy_kernels[3], &wrong),
                      "types_axpy_u64");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {kernels, loops_in_loops, tables, errors};
    return test_main(argc, argv, "types", tests, sizeof tests / sizeof *tests);
}
