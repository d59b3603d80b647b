/* Replacing, reversing, rotating and swapping against their definitions. */
#include "harness.h"
#include "keys.h"
#include "lazy.kernel.h"

#include <stdlib.h>
#include <string.h>

WEFT_GENERATOR(lazy_u32, u32, (in, u32, x))

static void expect(weft_array x, const char *expected) {
    char *got = new_zeros(x.type, x.length);
    weft_read(device, x, (void *)got);
    test_ok();
    ck_assert_mem_eq(got, expected, (size_t)x.length * WEFT_SIZE(x.type));
    free(got);
}

static char *at(char *elements, weft_type type, i64 i) {
    return elements + (size_t)i * WEFT_SIZE(type);
}

/* out[i] = in[from(i)], where from(i) = first + i, or back from `last`. */
static void map(weft_type type, char *in, i64 n, i64 first, int back, char *out) {
    for (i64 i = 0; i < n; i++)
        memcpy(at(out, type, i), at(in, type, back ? n - 1 - i : (first + i) % n),
               WEFT_SIZE(type));
}

static void check(weft_type type, i64 n) {
    const size_t size = WEFT_SIZE(type);
    char *in = new_keys(type, n, KEYS_RANDOM, 1),
         *other = new_keys(type, n, KEYS_RANDOM, 2), *expected = new_zeros(type, n);
    u32 *flags = new_keys(WEFT_U32, n, KEYS_EXTREME, 3);
    const weft_array x = test_array(type, in, n), y = test_array(type, other, n),
                     f = test_array(WEFT_U32, flags, n);
    weft_reverse(device, x);
    map(type, in, n, 0, 1, expected);
    expect(x, expected);
    const i64 firsts[] = {0, 1, n / 3, n - 1, n};
    for (int k = 0; k < 5; k++)
        if (firsts[k] >= 0 && firsts[k] <= n) {
            weft_write(device, x, (void *)in);
            weft_rotate(device, x, firsts[k]);
            map(type, in, n, firsts[k], 0, expected);
            expect(x, expected);
        }
    weft_write(device, x, (void *)in);
    weft_swap(device, x, y);
    expect(x, other);
    expect(y, in);
    for (i64 i = 0; i < n; i++)
        if (flags[i])
            memcpy(at(in, type, i), at(other, type, 0), size);
    weft_replace_if(device, y, f, (void *)other);
    expect(y, in);
    for (i64 i = 0; i < n; i++)
        if (flags[i])
            memcpy(at(other, type, i), at(in, type, n - 1), size);
    if (n > 0)
        weft_replace_if(device, x, weft_lazy(n, lazy_u32, .x = f),
                        (void *)at(in, type, n - 1));
    expect(x, other);
    weft_array_free(device, x), weft_array_free(device, y), weft_array_free(device, f);
    free(in), free(other), free(expected), free(flags);
}

START_TEST(all_types) {
    for (int t = first_kind; t < MOVED_TYPES; t += kind_step) {
        check(moved_types[t], 1000);
        check(moved_types[t], 65);
    }
}
END_TEST

START_TEST(all_sizes) {
    for (int s = 0; s < test_size_count; s++)
        check(WEFT_U32, test_sizes[s]);
}
END_TEST

/* The flags may be the array's own values. */
START_TEST(of_its_own_flags) {
    u32 host[1000], got[1000];
    for (u32 i = 0; i < 1000; i++)
        host[i] = i % 3;
    const weft_array x = test_array(WEFT_U32, host, 1000);
    weft_replace_if(device, x, weft_lazy(1000, lazy_u32, .x = x), &(u32){77});
    weft_read(device, x, got);
    for (u32 i = 0; i < 1000; i++)
        ck_assert_uint_eq(got[i], i % 3 ? 77 : 0);
    const weft_array some = weft_slice(device, x, 7, 900);
    weft_replace_if(device, some, weft_lazy(900, lazy_u32, .x = some), &(u32){5});
    weft_read(device, x, got);
    for (u32 i = 0; i < 1000; i++)
        ck_assert_uint_eq(got[i], i % 3 ? (i < 7 || i >= 907 ? 77 : 5) : 0);
}
END_TEST

START_TEST(wrong_arguments) {
    u32 host[8] = {0};
    const weft_array none = {0}, x = test_array(WEFT_U32, host, 8),
                     few = test_array(WEFT_U32, host, 7),
                     f = weft_array_new(device, WEFT_F32, 8),
                     fixed = weft_borrow_const(device, WEFT_U32, host, 8);
    weft_reverse(device, none);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reverse: array 'array' is missing");
    weft_reverse(device, fixed);
    test_expect_error(WEFT_E_ARGUMENT, "weft_reverse: array 'array' is read-only");
    weft_rotate(device, none, 0);
    test_expect_error(WEFT_E_ARGUMENT, "weft_rotate: array 'array' is missing");
    weft_rotate(device, x, 9);
    test_expect_error(WEFT_E_SHAPE, "weft_rotate: 'first' is 9, but the array has 8");
    weft_rotate(device, x, -1);
    test_expect_error(WEFT_E_SHAPE, "weft_rotate: 'first' is -1, but the array has 8");
    weft_swap(device, fixed, x);
    test_expect_error(WEFT_E_ARGUMENT, "weft_swap: array 'a' is read-only");
    weft_swap(device, x, f);
    test_expect_error(WEFT_E_TYPE, "weft_swap: array 'b' has elements of f32, not u32");
    weft_swap(device, x, few);
    test_expect_error(WEFT_E_SHAPE, "weft_swap: array 'b' has 7 elements");
    weft_swap(device, few, x);
    test_expect_error(WEFT_E_SHAPE, "weft_swap: array 'b' has 8 elements, 'a' has 7");
    weft_swap(device, x, x);
    test_expect_error(WEFT_E_ARGUMENT, "weft_swap: array 'b' overlaps");
    weft_replace_if(device, fixed, x, &(u32){1});
    test_expect_error(WEFT_E_ARGUMENT, "weft_replace_if: array 'array' is read-only");
    weft_replace_if(device, x, few, &(u32){1});
    test_expect_error(WEFT_E_SHAPE, "weft_replace_if: array 'flags' has 7 elements");
    weft_replace_if(device, x, f, &(u32){1});
    test_expect_error(WEFT_E_TYPE, "weft_replace_if: array 'flags' has elements of f32");
    weft_replace_if(device, x, x, &(u32){1});
    test_expect_error(WEFT_E_ARGUMENT, "weft_replace_if: array 'array' overlaps");
    weft_replace_if(device, few, x, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_replace_if: 'value' is NULL");
    weft_replace_if(device, few, x, &(f64){1});
    test_expect_error(WEFT_E_TYPE, "weft_replace_if: 'value' points to f64");
    weft_return(device, fixed);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {all_types, all_sizes, of_its_own_flags, wrong_arguments};
    return test_main(argc, argv, "in_place", tests, sizeof tests / sizeof *tests);
}
