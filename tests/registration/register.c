/* Registration: many parameters, structs, helpers, includes, lengths. */
#include "harness.h"
#include "register.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_KERNEL(register_sixteen, (value, u32, a), (in, u32, b), (in, u32, c), (in, u32, d),
            (in, u32, e), (in, u32, f), (in, u32, g), (in, u32, h), (in, u32, j),
            (in, u32, k), (value, u32, l), (in, u32, m), (in, u32, n_), (in, u32, o),
            (in, u32, p), (out, u32, q))
WEFT_KERNEL(register_thirty_two, (value, u32, a1), (value, u32, a2), (value, u32, a3),
            (value, u32, a4), (value, u32, a5), (value, u32, a6), (value, u32, a7),
            (value, u32, a8), (value, u32, a9), (value, u32, a10), (value, u32, a11),
            (value, u32, a12), (value, u32, a13), (value, u32, a14), (value, u32, a15),
            (value, u32, a16), (value, u32, a17), (value, u32, a18), (value, u32, a19),
            (value, u32, a20), (value, u32, a21), (value, u32, a22), (value, u32, a23),
            (value, u32, a24), (value, u32, a25), (value, u32, a26), (value, u32, a27),
            (value, u32, a28), (value, u32, a29), (value, u32, a30), (in, u32, x),
            (out, u32, y))
WEFT_KERNEL(register_types, (value, i8, a), (value, u8, b), (value, i16, c),
            (value, u16, d), (value, i32, e), (value, u32, f), (value, i64, g),
            (value, u64, h), (value, f32, j), (value, f64, k), (inout, i8, va),
            (inout, u8, vb), (inout, i16, vc), (inout, u16, vd), (inout, i32, ve),
            (inout, u32, vf), (inout, i64, vg), (inout, u64, vh), (inout, f32, vj),
            (inout, f64, vk))
WEFT_KERNEL(register_names, (value, u32, begin), (value, u32, end), (value, u32, i),
            (in, u32, first), (in, u32, argument), (out, u32, out))
WEFT_GENERATOR(register_lazy_names, u32, (value, u32, begin), (value, u32, end),
               (value, u32, i), (in, u32, out), (in, u32, argument))
WEFT_KERNEL(register_move, (value, register_body, by), (inout, register_body, bodies))
WEFT_GENERATOR(register_interval, register_extent, (value, u32, salt))
WEFT_OPERATOR(register_join, register_extent, {UINT32_MAX, 0, 0})
WEFT_KERNEL(register_lengths, (in, u32, offset, n + 1), (in, u32, table, 0),
            (out, u32, difference))
WEFT_KERNEL(register_far, (shared, u32, y, 0))

enum { N = 1000 };

START_TEST(sixteen) {
    weft_array x[14];
    u32 host[N];
    for (u32 k = 0; k < 14; k++) {
        for (u32 i = 0; i < N; i++)
            host[i] = i * i + k * 1000003;
        x[k] = test_array(WEFT_U32, host, N);
    }
    weft_for_each(device, N, register_sixteen, .a = 17, .b = x[1], .c = x[2], .d = x[3],
                  .e = x[4], .f = x[5], .g = x[6], .h = x[7], .j = x[8], .k = x[9], .l = 19,
                  .m = x[10], .n_ = x[11], .o = x[12], .p = x[13], .q = x[0]);
    weft_read(device, x[0], host);
    test_ok();
    const u32 factor[14] = {0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15};
    for (u32 i = 0; i < N; i++) {
        u32 expected = 17 + 11 * 19;
        for (u32 k = 1; k < 14; k++)
            expected += factor[k] * (i * i + k * 1000003);
        ck_assert_uint_eq(host[i], expected);
    }
}
END_TEST

START_TEST(names) {
    u32 host[N], lazy[N];
    for (u32 k = 0; k < N; k++)
        host[k] = k * k;
    const weft_array x = test_array(WEFT_U32, host, N);
    const weft_array y = weft_array_new(device, WEFT_U32, N);
    const weft_array z = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, register_names, .begin = 17, .end = 19, .i = 23, .first = x,
                  .argument = x, .out = y);
    weft_copy(device,
              weft_lazy(N, register_lazy_names, .begin = 17, .end = 19, .i = 23, .out = x,
                        .argument = x),
              z);
    weft_read(device, y, host);
    weft_read(device, z, lazy);
    test_ok();
    for (u32 k = 0; k < N; k++) {
        const u32 expected = register_named(17, 19, 23, k, k * k, k * k);
        ck_assert_uint_eq(host[k], expected);
        ck_assert_uint_eq(lazy[k], expected);
    }
}
END_TEST

START_TEST(thirty_two) {
    u32 host[N];
    for (u32 i = 0; i < N; i++)
        host[i] = i;
    const weft_array x = test_array(WEFT_U32, host, N);
    const weft_array y = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, register_thirty_two, .a1 = 1, .a2 = 2, .a15 = 15, .a16 = 16,
                  .a29 = 29, .a30 = 30, .x = x, .y = y);
    weft_read(device, y, host);
    test_ok();
    for (u32 i = 0; i < N; i++)
        ck_assert_uint_eq(host[i], i * 63 + 30);
}
END_TEST

static weft_array zeros(weft_type type) {
    static const u8 host[8 * N];
    return test_array(type, host, N);
}

#define EXPECT_ALL(T, array, value)                                                        \
    do {                                                                                   \
        T host[N];                                                                         \
        weft_read(device, array, host);                                                    \
        test_ok();                                                                         \
        for (int i = 0; i < N; i++)                                                        \
            ck_assert(host[i] == (value));                                                 \
    } while (0)

START_TEST(every_type) {
    const weft_array a = zeros(WEFT_I8), b = zeros(WEFT_U8), c = zeros(WEFT_I16),
                     d = zeros(WEFT_U16), e = zeros(WEFT_I32), f = zeros(WEFT_U32),
                     g = zeros(WEFT_I64), h = zeros(WEFT_U64), j = zeros(WEFT_F32),
                     k = zeros(WEFT_F64);
    for (int twice = 0; twice < 2; twice++)
        weft_for_each(device, N, register_types, .a = -60, .b = 120, .c = -16000,
                      .d = 32000, .e = -1000000000, .f = 2000000000,
                      .g = -4000000000000000000, .h = 9000000000000000000u, .j = 0.1f,
                      .k = 1e-300, .va = a, .vb = b, .vc = c, .vd = d, .ve = e, .vf = f,
                      .vg = g, .vh = h, .vj = j, .vk = k);
    EXPECT_ALL(i8, a, -120);
    EXPECT_ALL(u8, b, 240);
    EXPECT_ALL(i16, c, -32000);
    EXPECT_ALL(u16, d, 64000);
    EXPECT_ALL(i32, e, -2000000000);
    EXPECT_ALL(u32, f, 4000000000u);
    EXPECT_ALL(i64, g, -8000000000000000000);
    EXPECT_ALL(u64, h, 18000000000000000000u);
    EXPECT_ALL(f32, j, 0.2f);
    EXPECT_ALL(f64, k, 2e-300);
}
END_TEST

START_TEST(structs) {
    register_body host[N];
    memset(host, 0, sizeof host);
    for (int i = 0; i < N; i++)
        host[i] = (register_body){.position = {(f32)i, 1, 2}, .id = i, .flags = {0, 1}};
    const weft_array bodies = test_array(WEFT_STRUCT(register_body), host, N);
    const register_body by = {.position = {1, 2, 3}, .id = (i64)1 << 40, .flags[7] = 128};
    weft_for_each(device, N, register_move, .by = by, .bodies = bodies);
    weft_read(device, bodies, host);
    test_ok();
    for (int i = 0; i < N; i++) {
        ck_assert(host[i].position[0] == (f32)i + 1 && host[i].position[2] == 5);
        ck_assert(host[i].id == i + ((i64)1 << 40));
        ck_assert(host[i].flags[1] == 1 && host[i].flags[7] == 128);
        ck_assert_uint_eq(host[i].weight, register_weights[i % 4]);
    }
    const weft_array words = weft_as(device, bodies, WEFT_U32);
    weft_for_each(device, N, register_move, .by = by, .bodies = words);
    test_expect_error(WEFT_E_TYPE, "has elements of u32, not a struct of 32 bytes");
}
END_TEST

START_TEST(struct_operators) {
    for (int s = 0; s < test_size_count; s++) {
        const i64 n = test_sizes[s];
        register_extent sum, expected = {UINT32_MAX, 0, 0};
        register_extent *running = malloc((size_t)(n + 1) * sizeof *running);
        const weft_array out = weft_array_new(device, WEFT_STRUCT(register_extent), n);
        const weft_array in = weft_lazy(n, register_interval, .salt = 3);
        weft_reduce(device, in, weft_op(register_join), &sum);
        weft_scan(device, in, weft_op(register_join), WEFT_INCLUSIVE, out);
        weft_read(device, out, running);
        test_ok();
        for (i64 i = 0; i < n; i++) {
            expected = register_join(expected, register_interval(i, 3));
            ck_assert_mem_eq(&running[i], &expected, sizeof expected);
        }
        ck_assert_mem_eq(&sum, &expected, sizeof expected);
        weft_array_free(device, out);
        free(running);
    }
}
END_TEST

START_TEST(lengths) {
    u32 host[N + 1], table = 5;
    for (u32 i = 0; i <= N; i++)
        host[i] = i * i;
    const weft_array offset = test_array(WEFT_U32, host, N + 1);
    const weft_array one = test_array(WEFT_U32, &table, 1);
    const weft_array difference = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, register_lengths, .offset = offset, .table = one,
                  .difference = difference);
    weft_read(device, difference, host);
    test_ok();
    for (u32 i = 0; i < N; i++)
        ck_assert_uint_eq(host[i], 2 * i + 1 + 5);
    weft_for_each(device, N, register_lengths, .offset = weft_slice(device, offset, 0, N),
                  .table = one, .difference = difference);
    test_expect_error(WEFT_E_SHAPE,
                      "array 'offset' has 1000 elements, at least 1001 are needed");
}
END_TEST

/* Nothing runs for n = 0, but the arguments are checked. */
START_TEST(no_elements) {
    u32 host[2] = {3, 4}, back[2];
    const weft_array x = test_array(WEFT_U32, host, 2);
    const weft_array none = weft_slice(device, x, 0, 0);
    weft_for_each(device, 0, register_lengths, .offset = x, .table = x, .difference = x);
    weft_for_each(device, 0, register_lengths, .offset = x, .table = none,
                  .difference = none);
    weft_read(device, x, back);
    ck_assert_mem_eq(back, host, sizeof host);
    weft_for_each(device, 0, register_lengths, .offset = none, .table = x, .difference = x);
    test_expect_error(WEFT_E_SHAPE, "array 'offset' has 0 elements, at least 1 are needed");
    weft_for_each(device, 0, register_lengths, .offset = x, .table = x);
    test_expect_error(WEFT_E_ARGUMENT, "array 'difference' is missing");
}
END_TEST

/* More work-items than 32 bits count. The checking backend runs them one by one, and its
 * types are the serial ones: it is left out. */
START_TEST(beyond_32_bits) {
    u32 host[7] = {0};
    if (strcmp(weft_backend_name(device), "checking") == 0)
        return;
    const weft_array y = test_array(WEFT_U32, host, 7);
    weft_for_each(device, ((i64)1 << 32) + 7, register_far, .y = y);
    weft_read(device, y, host);
    test_ok();
    for (u32 i = 0; i < 7; i++)
        ck_assert_uint_eq(host[i], i + 1);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {sixteen,    names,       thirty_two,
                                  every_type, structs,     struct_operators,
                                  lengths,    no_elements, beyond_32_bits};
    return test_main(argc, argv, "register", tests, sizeof tests / sizeof *tests);
}
