/* Pointers into host memory are told apart by what they point to; void pointers are not. */
#include "harness.h"
#include "typed.kernel.h"

WEFT_OPERATOR(typed_join, typed_range, {INFINITY, -INFINITY})

enum { N = 4 };

START_TEST(one_element) {
    u32 seen[N];
    f64 wide = 7.0;
    f32 narrow = 7.0f;
    const weft_array x = weft_array_new(device, WEFT_F32, N);
    weft_fill(device, x, &(int){13});
    test_expect_error(WEFT_E_TYPE,
                      "weft_fill: 'value' points to i32, but the elements are f32");
    weft_fill(device, x, &(f32){13.0f});
    weft_reduce(device, x, weft_plus(WEFT_F32), &wide);
    test_expect_error(WEFT_E_TYPE,
                      "weft_reduce: 'result' points to f64, but the elements are f32");
    weft_reduce(device, x, weft_plus(WEFT_F32), &narrow);
    test_ok();
    ck_assert(narrow == 52.0f);
    weft_inner_product(device, x, x, &wide);
    test_expect_error(WEFT_E_TYPE, "weft_inner_product: 'result' points to f64");
    weft_inner_product(device, x, x, &narrow);
    const void *any = &narrow;
    weft_fill(device, x, any);
    test_ok();
    weft_sequence(device, x, &(f32){0}, &(i32){1});
    test_expect_error(WEFT_E_TYPE, "weft_sequence: 'step' points to i32");
    weft_sequence(device, x, &(u8){0}, &(f32){1});
    test_expect_error(WEFT_E_TYPE, "weft_sequence: 'start' points to u8");
    weft_sequence(device, weft_as(device, x, WEFT_U32), &(u32){1}, &(u32){2});
    weft_read(device, weft_as(device, x, WEFT_U32), seen);
    ck_assert_uint_eq(seen[N - 1], 7);
}
END_TEST

/* A result that is too small is not overrun. */
START_TEST(small_result) {
    struct {
        i8 result[2];
        u8 beyond[16];
    } host = {{9, 9}, {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}};
    const weft_array x = weft_array_new(device, WEFT_F64, N);
    weft_fill(device, x, &(f64){1});
    weft_reduce(device, x, weft_plus(WEFT_F64), host.result);
    test_expect_error(WEFT_E_TYPE, "points to i8, but the elements are f64");
    ck_assert_int_eq(host.result[0], 0);
    ck_assert_int_eq(host.result[1], 9);
    weft_read(device, weft_slice(device, x, 0, 2), host.result);
    test_expect_error(WEFT_E_TYPE, "weft_read: 'host' points to i8, but the elements are");
    ck_assert_int_eq(host.result[1], 0);
    for (int k = 0; k < 16; k++)
        ck_assert_uint_eq(host.beyond[k], 9);
}
END_TEST

START_TEST(many_elements) {
    f32 points[N][3] = {{0}};
    f64 numbers[N] = {1, 2, 3, 4};
    const i64 whole[N] = {1, 2, 3, 4};
    const weft_array x = weft_array_new(device, WEFT_F32, 3 * N),
                     k = weft_array_new(device, WEFT_I64, N);
    weft_write(device, x, points);
    weft_read(device, x, points);
    weft_write(device, k, whole);
    weft_write(device, k, (const i64[N]){1, 2, 3, 4});
    test_ok();
    weft_write(device, k, numbers);
    test_expect_error(WEFT_E_TYPE,
                      "weft_write: 'host' points to f64, but the elements are i64");
    weft_write(device, weft_slice(device, x, 0, N), numbers);
    test_expect_error(WEFT_E_TYPE, "points to f64, but the elements are f32");
    weft_borrow(device, WEFT_F32, numbers, N);
    test_expect_error(WEFT_E_TYPE,
                      "weft_borrow: 'host' points to f64, but the elements are f32");
    weft_borrow_const(device, WEFT_U64, whole, N);
    test_expect_error(WEFT_E_TYPE, "weft_borrow_const: 'host' points to i64");
    weft_return(device, weft_borrow(device, WEFT_F64, numbers, N));
    weft_return(device, weft_borrow_const(device, WEFT_I64, whole, N));
    weft_return(device, weft_borrow_const(device, WEFT_F32, points, 3 * N));
    test_ok();
}
END_TEST

/* long long is i64, or as good; other structs are of another size. */
START_TEST(other_types) {
    long long wide = 5, sum = 0;
    typed_range whole, one = {1, 2};
    struct {
        f32 x, y, z;
    } point = {0};
    const weft_array k = weft_array_new(device, WEFT_I64, N),
                     r = weft_array_new(device, WEFT_STRUCT(typed_range), N);
    weft_fill(device, k, &wide);
    weft_reduce(device, k, weft_plus(WEFT_I64), &sum);
    ck_assert(sum == 5 * N);
    weft_fill(device, r, &one);
    weft_fill(device, r, &(typed_range){.low = 1, .high = 2});
    weft_reduce(device, r, weft_op(typed_join), &whole);
    test_ok();
    ck_assert(whole.low == 1 && whole.high == 2);
    weft_fill(device, r, &point);
    test_expect_error(WEFT_E_TYPE, "weft_fill: 'value' points to a struct of 12 bytes, but "
                                   "the elements are a struct of 8 bytes");
    weft_fill(device, r, &(f32){1});
    test_expect_error(WEFT_E_TYPE, "points to f32, but the elements are a struct of 8");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {one_element, small_result, many_elements, other_types};
    return test_main(argc, argv, "typed", tests, sizeof tests / sizeof *tests);
}
