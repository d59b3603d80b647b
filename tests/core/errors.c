/* Errors stick: after one, every call does nothing and returns it, until weft_clear. */
#include "harness.h"
#include "errors.kernel.h"

#include <string.h>

WEFT_KERNEL(errors_add, (value, u32, more), (inout, u32, x))
WEFT_PAIRS(errors_pairs, u32, 0, (in, u32, x))

enum { N = 4 };

static void expect_made_up(weft_status status) {
    ck_assert_int_eq(status, WEFT_E_TYPE);
    ck_assert_int_eq(weft_check(device), WEFT_E_TYPE);
    ck_assert_str_eq(weft_error(device), "made up: 3 of x");
}

/* No memory, but a length, of u32: so much on the host is made zero. */
static void expect_nothing(weft_array array, i64 length) {
    u32 seen[N] = {9, 9, 9, 9};
    ck_assert(array.buffer == NULL);
    expect_made_up(WEFT_E_TYPE);
    weft_read(device, array, seen);
    for (i64 i = 0; i < N; i++)
        ck_assert_uint_eq(seen[i], i < length ? 0 : 9);
}

START_TEST(every_call) {
    u32 host[N] = {1, 2, 3, 4}, lent[N] = {5, 6, 7, 8}, seen[N];
    const i64 ends[2] = {0, N};
    const weft_array x = test_array(WEFT_U32, host, N);
    const weft_array out = test_array(WEFT_U32, host, N);
    const weft_array offsets = test_array(WEFT_I64, ends, 2);
    const weft_memory before = weft_memory_use(device);
    expect_made_up(weft_fail(device, WEFT_E_TYPE, "made up: %d of %s", 3, "x"));
    expect_made_up(weft_fail(device, WEFT_E_MEMORY, "the first one stays"));

    weft_scope_open(device);
    expect_nothing(weft_array_new(device, WEFT_U32, N), N);
    expect_nothing(weft_array_new(device, WEFT_U32, -1), 0);
    expect_nothing(weft_scratch(device, WEFT_U32, N), N);
    expect_nothing(weft_borrow(device, WEFT_U32, lent, N), N);
    expect_nothing(weft_borrow_const(device, WEFT_U32, NULL, N), N);
    expect_nothing(weft_slice(device, x, 1, 2), 2);
    expect_nothing(weft_as(device, x, WEFT_U64), N);
    expect_nothing(weft_slice(device, weft_array_new(device, WEFT_U32, N), 1, N), N);
    weft_scope_close(device);
    expect_made_up(weft_write(device, x, lent));
    expect_made_up(weft_for_each(device, N, errors_add, .more = 1, .x = x));
    expect_made_up(weft_pairs(device, offsets, out, errors_pairs, .x = x));
    expect_made_up(weft_synchronize(device));
    memset(seen, 0xff, sizeof seen);
    expect_made_up(weft_read(device, x, seen));
    for (int i = 0; i < N; i++)
        ck_assert_uint_eq(seen[i], 0);
    const weft_memory after = weft_memory_use(device);
    ck_assert_uint_eq(after.used, before.used);
    ck_assert_uint_eq(after.held, before.held);

    weft_clear(device);
    test_ok();
    ck_assert_str_eq(weft_error(device), "");
    weft_read(device, x, seen);
    ck_assert_mem_eq(seen, host, sizeof seen);
    weft_read(device, out, seen);
    ck_assert_mem_eq(seen, host, sizeof seen);
}
END_TEST

/* What a failed call gave is taken by every later one, and changes nothing. */
START_TEST(without_memory) {
    u32 seen[N] = {9, 9, 9, 9};
    const weft_array nothing = weft_array_new(device, WEFT_U32, -1);
    test_expect_error(WEFT_E_ARGUMENT, "-1 elements");
    weft_array_free(device, nothing);
    weft_return(device, nothing);
    test_ok();
    weft_write(device, nothing, seen);
    test_expect_error(WEFT_E_ARGUMENT, "weft_write: array 'array' is missing");
    weft_read(device, nothing, seen);
    test_expect_error(WEFT_E_ARGUMENT, "weft_read: array 'array' is missing");
    ck_assert_uint_eq(seen[0], 9);
    weft_slice(device, nothing, 0, 0);
    test_expect_error(WEFT_E_ARGUMENT, "weft_slice: array 'array' is missing");
    weft_as(device, nothing, WEFT_U8);
    test_expect_error(WEFT_E_ARGUMENT, "weft_as: array 'array' is missing");
    weft_for_each(device, 0, errors_add, .x = nothing);
    test_expect_error(WEFT_E_ARGUMENT, "errors_add: array 'x' is missing");
}
END_TEST

START_TEST(without_function) {
    weft_launch(device, 1, NULL, &(struct errors_add_arguments){0});
    test_expect_error(WEFT_E_ARGUMENT, "weft_launch: 'kernel' is NULL");
    weft_launch(device, 1, &errors_add_kernel, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_launch: 'arguments' is NULL");
    weft_fold_pairs(device, (weft_array){0}, (weft_array){0}, NULL, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_fold_pairs: 'pairs' is NULL");
    weft_copy(device, weft_lazy_array(1, NULL, NULL), weft_array_new(device, WEFT_U32, 1));
    test_expect_error(WEFT_E_ARGUMENT, "weft_copy: array 'in' is missing");
}
END_TEST

START_TEST(no_device) {
    u32 seen[2] = {9, 9};
    const weft_array nothing = {0};
    ck_assert_int_eq(weft_check(NULL), WEFT_E_MEMORY);
    ck_assert_int_gt((int)strlen(weft_error(NULL)), 0);
    ck_assert_int_eq(weft_fail(NULL, WEFT_E_TYPE, "nobody hears"), WEFT_E_MEMORY);
    ck_assert_int_eq(weft_synchronize(NULL), WEFT_E_MEMORY);
    ck_assert_ptr_null(weft_array_new(NULL, WEFT_U32, 2).buffer);
    ck_assert_ptr_null(weft_scratch(NULL, WEFT_U32, 2).buffer);
    ck_assert_ptr_null(weft_borrow(NULL, WEFT_U32, seen, 2).buffer);
    ck_assert_ptr_null(weft_slice(NULL, nothing, 0, 0).buffer);
    ck_assert_int_eq(weft_write(NULL, nothing, seen), WEFT_E_MEMORY);
    ck_assert_int_eq(weft_read(NULL, nothing, seen), WEFT_E_MEMORY);
    ck_assert_int_eq(weft_return(NULL, nothing), WEFT_E_MEMORY);
    ck_assert_int_eq(weft_for_each(NULL, 2, errors_add, .x = nothing), WEFT_E_MEMORY);
    ck_assert_uint_eq(weft_memory_use(NULL).held, 0);
    ck_assert_str_eq(weft_backend_name(NULL), "none");
    ck_assert_int_eq((int)weft_concurrency(NULL), 1);
    ck_assert_int_eq(weft_device_style(NULL), WEFT_SIMD);
    weft_clear(NULL);
    weft_scope_open(NULL);
    weft_scope_close(NULL);
    weft_array_free(NULL, nothing);
    weft_memory_trim(NULL);
    weft_memory_reset_peak(NULL);
}
END_TEST

/* A sentence of any length is cut, not overrun. */
START_TEST(long_sentence) {
    char words[5000];
    memset(words, 'w', sizeof words);
    words[sizeof words - 1] = '\0';
    weft_fail(device, WEFT_E_ARGUMENT, "%s", words);
    ck_assert_int_ge((int)strlen(weft_error(device)), 500);
    test_expect_error(WEFT_E_ARGUMENT, "wwww");
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {every_call, without_memory, without_function, no_device,
                                  long_sentence};
    return test_main(argc, argv, "errors", tests, sizeof tests / sizeof *tests);
}
