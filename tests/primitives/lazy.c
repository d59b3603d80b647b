/* Lazy arrays that are ready-made, and generators that take nothing but i. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_triangle, u32)
WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))
WEFT_GENERATOR(lazy_taken_at, u32, (value, u32, most), (in, u32, x, 0))

/* That a lazy array of `type` holds what `host` does: copied, in parts, and as a primitive
 * reads it. */
static void expect(weft_array lazy, weft_type type, const void *host, i64 n) {
    ck_assert_uint_eq(lazy.type, type);
    ck_assert_int_eq(lazy.length, n);
    int equal = 0;
    char *got = new_zeros(type, n);
    const weft_array copy = weft_array_new(device, type, n);
    weft_copy(device, lazy, copy);
    weft_read(device, copy, got);
    ck_assert_mem_eq(got, host, (size_t)n * WEFT_SIZE(type));
    weft_equal(device, lazy, test_array(type, host, n), &equal);
    ck_assert_int_eq(equal, 1);
    test_ok();
    free(got);
}

/* Around the least and the greatest number. */
START_TEST(counting_integers) {
    enum { N = 300 };
    i8 a[N];
    u8 b[N];
    i16 c[N];
    u16 d[N];
    i32 e[N];
    u32 f[N];
    i64 g[N];
    u64 h[N];
    for (int i = 0; i < N; i++) {
        a[i] = (i8)(100 + i), b[i] = (u8)(200 + i);
        c[i] = (i16)(INT16_MAX - 5 + i), d[i] = (u16)(UINT16_MAX - 5 + i);
        e[i] = (i32)((u32)INT32_MAX - 5 + (u32)i), f[i] = UINT32_MAX - 5 + (u32)i;
        g[i] = (i64)((u64)INT64_MIN + (u64)i), h[i] = UINT64_MAX - 5 + (u64)i;
    }
    for (i64 n = 0; n <= N; n += n < 2 ? 1 : 298) {
        expect(weft_counting(n, (i8)100), WEFT_I8, a, n);
        expect(weft_counting(n, (u8)200), WEFT_U8, b, n);
        expect(weft_counting(n, (i16)(INT16_MAX - 5)), WEFT_I16, c, n);
        expect(weft_counting(n, (u16)(UINT16_MAX - 5)), WEFT_U16, d, n);
        expect(weft_counting(n, INT32_MAX - 5), WEFT_I32, e, n);
        expect(weft_counting(n, UINT32_MAX - 5), WEFT_U32, f, n);
        expect(weft_counting(n, (i64)INT64_MIN), WEFT_I64, g, n);
        expect(weft_counting(n, (u64)UINT64_MAX - 5), WEFT_U64, h, n);
    }
    expect(weft_counting(0, 1LL), WEFT_I64, g, 0);
    expect(weft_counting(0, 1ULL), WEFT_U64, h, 0);
}
END_TEST

START_TEST(counting_floats) {
    for (int s = 0; s < SOME_SIZES; s++) {
        const i64 n = some_sizes[s];
        f32 *narrow = new_zeros(WEFT_F32, n);
        f64 *wide = new_zeros(WEFT_F64, n);
        for (i64 i = 0; i < n; i++)
            narrow[i] = -7.25f + (f32)i, wide[i] = 1e300 + (f64)i;
        expect(weft_counting(n, -7.25f), WEFT_F32, narrow, n);
        expect(weft_counting(n, 1e300), WEFT_F64, wide, n);
        free(narrow), free(wide);
    }
}
END_TEST

START_TEST(constants) {
    static i16 a[9999];
    static f32 b[9999];
    static f64 c[9999];
    static u64 d[9999];
    for (int i = 0; i < 9999; i++)
        a[i] = -3, b[i] = -0.0f, c[i] = 1e-300, d[i] = UINT64_MAX - 1;
    for (int s = 0; s < SOME_SIZES; s++) {
        const i64 n = some_sizes[s] < 9999 ? some_sizes[s] : 9999;
        expect(weft_constant(n, (i16)-3), WEFT_I16, a, n);
        expect(weft_constant(n, -0.0f), WEFT_F32, b, n);
        expect(weft_constant(n, 1e-300), WEFT_F64, c, n);
        expect(weft_constant(n, (u64)UINT64_MAX - 1), WEFT_U64, d, n);
    }
    u32 sum = 0;
    weft_reduce(device, weft_constant(1000, (u32)3), weft_plus(WEFT_U32), &sum);
    ck_assert_uint_eq(sum, 3000);
    ck_assert_ptr_null(weft_counting_generator(WEFT_STRUCT(lazy_twelve)));
    ck_assert_ptr_null(weft_constant_generator(WEFT_STRUCT(lazy_twelve)));
    ck_assert_ptr_null(weft_constant_generator(0));
}
END_TEST

START_TEST(nothing_but_i) {
    for (int s = 0; s < SOME_SIZES; s++) {
        const i64 n = some_sizes[s];
        u32 *host = new_zeros(WEFT_U32, n), expected = 0, sum = 0;
        for (i64 i = 0; i < n; i++)
            host[i] = (u32)(i * (i + 1) / 2), expected += host[i];
        expect(weft_lazy(n, lazy_triangle, 0), WEFT_U32, host, n);
        weft_reduce(device, weft_lazy(n, lazy_triangle, 0), weft_plus(WEFT_U32), &sum);
        ck_assert_uint_eq(sum, expected);
        free(host);
    }
    const weft_array out = weft_array_new(device, WEFT_U32, 4);
    u32 got[4];
    weft_transform(device, 4, out, lazy_triangle, 0);
    weft_read(device, out, got);
    ck_assert(got[0] == 0 && got[1] == 1 && got[2] == 3 && got[3] == 6);
}
END_TEST

/* A file of the caller's that is called as one of the library's is, in one program with it.
 */
START_TEST(file_of_one_name) {
    enum { N = 1000 };
    i64 got[N], count = 0;
    const weft_array out = weft_array_new(device, WEFT_I64, N);
    weft_copy_if(device, weft_counting(N, (i64)5), weft_lazy(N, lazy_triangle, 0), out,
                 &count);
    weft_read(device, out, got);
    test_ok();
    i64 expected = 0;
    for (i64 i = 0; i < N; i++)
        if (lazy_triangle(i))
            ck_assert_int_eq(got[expected++], 5 + i);
    ck_assert_int_eq(count, expected);
}
END_TEST

START_TEST(inside_another) {
    enum { N = 2000, M = 500 };
    u32 *x = new_keys(WEFT_U32, N, KEYS_RANDOM, 1), right[M];
    const weft_array array = test_array(WEFT_U32, x, N),
                     out = weft_array_new(device, WEFT_U32, M);
    for (u32 i = 0; i < M; i++) {
        const u32 at = i * (i + 1) / 2;
        right[i] = x[at < N - 1 ? at : N - 1] + 16 * i + 3;
    }
    expect(weft_lazy(M, lazy_taken_at, .most = N - 1, .x = array), WEFT_U32, right, M);
    weft_copy(device, weft_lazy(M, lazy_u32, .x = weft_counting(M, 0u)), out);
    test_expect_error(WEFT_E_ARGUMENT, "'x' is lazy, but must lie in memory");
    free(x);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {counting_integers, counting_floats, constants,
                                  file_of_one_name,  nothing_but_i,   inside_another};
    return test_main(argc, argv, "lazy", tests, sizeof tests / sizeof *tests);
}
