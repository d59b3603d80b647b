/* The dialect means the same on every backend: what is exact bit for bit, what a device
 * may round to the few last places that OpenCL grants it. */
#include "harness.h"
#include "dialect.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_KERNEL(dialect_exact_f32, (in, f32, x), (in, f32, y), (out, f32, out, 6 * n))
WEFT_KERNEL(dialect_exact_f64, (in, f64, x), (in, f64, y), (out, f64, out, 8 * n))
WEFT_KERNEL(dialect_rounded_f32, (in, f32, x), (out, f32, out, 10 * n))
WEFT_KERNEL(dialect_functions_f32, (in, f32, x), (in, f32, u), (out, f32, out, 20 * n))
WEFT_KERNEL(dialect_rounded_f64, (in, f64, x), (out, f64, out, 5 * n))
WEFT_KERNEL(dialect_integers, (in, u64, x), (out, u64, out, 12 * n))
WEFT_KERNEL(dialect_atomics, (value, u32, n), (shared, u32, cell, 6), (shared, u32, owner))
WEFT_KERNEL(dialect_atomics_wide, (value, u64, n), (shared, u64, cell, 6))

enum { N = 4099 };

/* Finite, of either sign, over many powers of two. */
static f64 any_number(u64 *state) {
    const u64 r = test_random(state);
    return ((f64)(r >> 12) / 4503599627370496.0 - 0.5) * ldexp(1, (int)(r % 41) - 20);
}

START_TEST(exact_f32) {
    static f32 x[N], y[N], out[6 * N], expected[6 * N];
    u64 state = 1;
    for (int i = 0; i < N; i++)
        x[i] = (f32)any_number(&state), y[i] = (f32)any_number(&state);
    const weft_array result = weft_array_new(device, WEFT_F32, 6 * N);
    weft_for_each(device, N, dialect_exact_f32, .x = test_array(WEFT_F32, x, N),
                  .y = test_array(WEFT_F32, y, N), .out = result);
    weft_read(device, result, out);
    test_ok();
    for (int i = 0; i < N; i++) {
        const f32 product = x[i] * y[i];
        const f32 e[6] = {fabsf(x[i]),
                          floorf(x[i]),
                          ceilf(x[i]),
                          x[i] < y[i] ? x[i] : y[i],
                          x[i] < y[i] ? y[i] : x[i],
                          product + y[i]};
        memcpy(expected + 6 * i, e, sizeof e);
    }
    ck_assert(memcmp(out, expected, sizeof out) == 0);
}
END_TEST

START_TEST(exact_f64) {
    static f64 x[N], y[N], out[8 * N], expected[8 * N];
    u64 state = 2;
    for (int i = 0; i < N; i++)
        x[i] = any_number(&state), y[i] = any_number(&state);
    const weft_array result = weft_array_new(device, WEFT_F64, 8 * N);
    weft_for_each(device, N, dialect_exact_f64, .x = test_array(WEFT_F64, x, N),
                  .y = test_array(WEFT_F64, y, N), .out = result);
    weft_read(device, result, out);
    test_ok();
    for (int i = 0; i < N; i++) {
        const f64 product = x[i] * y[i];
        const f64 e[8] = {(fabs)(x[i]),
                          (floor)(x[i]),
                          (ceil)(x[i]),
                          x[i] < y[i] ? x[i] : y[i],
                          x[i] < y[i] ? y[i] : x[i],
                          product + y[i],
                          (sqrt)((fabs)(x[i])),
                          x[i] / y[i]};
        memcpy(expected + 8 * i, e, sizeof e);
    }
    ck_assert(memcmp(out, expected, sizeof out) == 0);
}
END_TEST

static void expect_near(f64 value, f64 truth, f64 epsilon, f64 units, const char *name) {
    const f64 error = (fabs)(value - truth),
              least = (fabs)(truth) < 1e-3 ? 1e-3 : (fabs)(truth);
    ck_assert_msg(error <= units * epsilon * least, "%s: %.17g, not %.17g", name, value,
                  truth);
}

START_TEST(rounded_f32) {
    static f32 x[N], out[10 * N];
    u64 state = 3;
    for (int i = 0; i < N; i++)
        x[i] = (f32)(test_random(&state) >> 40) / (f32)(1 << 20) + 0.01f;
    const weft_array result = weft_array_new(device, WEFT_F32, 10 * N);
    weft_for_each(device, N, dialect_rounded_f32, .x = test_array(WEFT_F32, x, N),
                  .out = result);
    weft_read(device, result, out);
    test_ok();
    for (int i = 0; i < N; i++) {
        const f32 *o = out + 10 * i;
        const f64 v = x[i], epsilon = 1.2e-7;
        expect_near(o[0], (sqrt)(v), epsilon, 4, "sqrt");
        expect_near(o[1], (exp)(v), epsilon, 4, "exp");
        expect_near(o[2], (log)(v), epsilon, 4, "log");
        expect_near(o[3], (sin)(v), epsilon, 5, "sin");
        expect_near(o[4], (cos)(v), epsilon, 5, "cos");
        expect_near(o[5], (pow)(v, 1.5), epsilon, 17, "pow");
        expect_near(o[6], 1 / (sqrt)(v), 0x1p-17, 1, "rsqrt");
        expect_near(o[7], 1 / (sqrt)(v), 0x1p-10, 1, "rsqrt_rough");
        expect_near(o[9], 1 / (sqrt)(v), 0.0344, 1, "rsqrt_guess");
        expect_near(o[8], v * v + 2, epsilon, 1, "mad");
    }
}
END_TEST

/* Each is of f32 where its argument is, on the host as on a device. */
START_TEST(functions_f32) {
    static f32 x[N], u[N], out[20 * N];
    u64 state = 5;
    for (int i = 0; i < N; i++) {
        x[i] = (f32)(test_random(&state) >> 40) / (f32)(1 << 20) + 1.5f;
        u[i] = (f32)(test_random(&state) >> 40) / (f32)(1 << 24) * 0.9f + 0.05f;
    }
    const weft_array result = weft_array_new(device, WEFT_F32, 20 * N);
    weft_for_each(device, N, dialect_functions_f32, .x = test_array(WEFT_F32, x, N),
                  .u = test_array(WEFT_F32, u, N), .out = result);
    weft_read(device, result, out);
    test_ok();
    for (int i = 0; i < N; i++) {
        const f64 v = x[i], w = u[i];
        const f64 right[20] = {(cbrt)(v),
                               (hypot)(v, w),
                               (round)(v),
                               (trunc)(v),
                               (fmod)(v, w),
                               w,
                               v,
                               -v,
                               (exp2)(w),
                               (log2)(v),
                               (log10)(v),
                               (tan)(w),
                               (asin)(w),
                               (acos)(w),
                               (atan)(v),
                               (atan2)(v, w),
                               (sinh)(w),
                               (cosh)(w),
                               (tanh)(v),
                               1};
        for (int k = 0; k < 20; k++)
            expect_near(out[20 * i + k], right[k], 1.2e-7, 6, "function");
    }
}
END_TEST

START_TEST(rounded_f64) {
    static f64 x[N], out[5 * N];
    u64 state = 4;
    for (int i = 0; i < N; i++)
        x[i] = (f64)(test_random(&state) >> 40) / (f64)(1 << 20) + 0.01;
    const weft_array result = weft_array_new(device, WEFT_F64, 5 * N);
    weft_for_each(device, N, dialect_rounded_f64, .x = test_array(WEFT_F64, x, N),
                  .out = result);
    weft_read(device, result, out);
    test_ok();
    for (int i = 0; i < N; i++) {
        const f64 *o = out + 5 * i, epsilon = 2.3e-16;
        expect_near(o[0], (exp)(x[i]), epsilon, 4, "exp");
        expect_near(o[1], (log)(x[i]), epsilon, 4, "log");
        expect_near(o[2], (sin)(x[i]), epsilon, 1e3, "sin");
        expect_near(o[3], (cos)(x[i]), epsilon, 1e3, "cos");
        expect_near(o[4], (pow)(x[i], 1.5), epsilon, 17, "pow");
    }
}
END_TEST

static u64 bits_of(u64 x, int bits) {
    u64 count = 0;
    for (int b = 0; b < bits; b++)
        count += x >> b & 1;
    return count;
}

static u64 leading(u64 x, int bits) {
    u64 count = 0;
    for (int b = bits - 1; b >= 0 && !(x >> b & 1); b--)
        count++;
    return count;
}

START_TEST(integers) {
    static u64 x[N], out[12 * N];
    u64 state = 5;
    for (int i = 0; i < N; i++)
        x[i] = i == 0 ? 0 : test_random(&state) >> (i % 64);
    const weft_array result = weft_array_new(device, WEFT_U64, 12 * N);
    weft_for_each(device, N, dialect_integers, .x = test_array(WEFT_U64, x, N),
                  .out = result);
    weft_read(device, result, out);
    test_ok();
    for (int i = 0; i < N; i++) {
        const u64 *o = out + 12 * i, a = x[i], b = x[i] >> 7;
        const u32 low = (u32)a, next = (u32)b;
        const f32 single = (f32)low;
        const f64 wide = (f64)a;
        u32 single_bits;
        u64 wide_bits;
        memcpy(&single_bits, &single, 4);
        memcpy(&wide_bits, &wide, 8);
        ck_assert_uint_eq(o[0], bits_of(a, 64));
        ck_assert_uint_eq(o[1], leading(a, 64));
        ck_assert_uint_eq(o[2], bits_of(low, 32));
        ck_assert_uint_eq(o[3], leading(low, 32));
        ck_assert_uint_eq(o[4], b < a ? b : a);
        ck_assert_uint_eq(o[5], (i64)a < 0 && (i64)b < 0);
        ck_assert_uint_eq(o[6], low < next ? next : low);
        ck_assert_uint_eq(o[7], (i32)low < 0 || (i32)next < 0);
        ck_assert_uint_eq(o[8], low & 0x7f7fffffu);
        ck_assert_uint_eq(o[9], a & 0x7fe7ffffffffffffu);
        ck_assert_uint_eq(o[10], single_bits);
        ck_assert_uint_eq(o[11], wide_bits);
    }
}
END_TEST

START_TEST(atomics) {
    static u32 owner[100003];
    const u32 sizes[] = {1, 2, 63, 1000, 100003};
    for (int s = 0; s < 5; s++) {
        const u32 n = sizes[s], start[6] = {7, UINT32_MAX, 0, 0, 0, 0};
        u32 cell[6];
        memset(owner, 0, sizeof owner);
        const weft_array cells = test_array(WEFT_U32, start, 6);
        const weft_array owners = test_array(WEFT_U32, owner, n);
        weft_for_each(device, n, dialect_atomics, .n = n, .cell = cells, .owner = owners);
        weft_read(device, cells, cell);
        weft_read(device, owners, owner);
        test_ok();
        ck_assert_uint_eq(cell[0], (u32)((u64)n * (n - 1) / 2) + 7);
        ck_assert_uint_eq(cell[1], 0);
        ck_assert_uint_eq(cell[2], n - 1);
        ck_assert_uint_eq(cell[3], n < 32 ? (1u << n) - 1 : UINT32_MAX);
        ck_assert(cell[4] >= 1 && cell[4] <= n && cell[5] == cell[4]);
        for (u32 k = 0; k < n; k++)
            ck_assert_uint_eq(owner[k], k);
    }
}
END_TEST

static int has_wide_atomics(void) {
    weft_device_info info[64];
    const i64 count = weft_devices(info, 64);
    int all = 1;
    for (i64 k = 0; k < count && k < 64; k++)
        if (strcmp(info[k].backend, weft_backend_name(device)) == 0)
            all &= info[k].has_u64_atomics;
    return all;
}

START_TEST(wide_atomics) {
    const u64 n = 10007, high = (u64)1 << 40, start[6] = {7, UINT64_MAX, 0, 0, 0, 0};
    u64 cell[6];
    if (!has_wide_atomics())
        return;
    const weft_array cells = test_array(WEFT_U64, start, 6);
    weft_for_each(device, (i64)n, dialect_atomics_wide, .n = n, .cell = cells);
    weft_read(device, cells, cell);
    test_ok();
    ck_assert_uint_eq(cell[0], n * (n - 1) / 2 * high + 7);
    ck_assert_uint_eq(cell[1], 0);
    ck_assert_uint_eq(cell[2], (n - 1) * high);
    ck_assert_uint_eq(cell[3], UINT64_MAX);
    ck_assert(cell[4] >= high && cell[4] < high + n && cell[5] == cell[4]);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {exact_f32,     exact_f64, rounded_f32, rounded_f64,
                                  functions_f32, integers,  atomics,     wide_atomics};
    return test_main(argc, argv, "dialect", tests, sizeof tests / sizeof *tests);
}
