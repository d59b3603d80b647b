/* Arrays whose memory is gone, or is another device's, and lazy ones whose arguments are:
 * each use is one sentence, whatever the memory serves since. */
#include "harness.h"
#include <stdio.h>

#include "lost.kernel.h"

WEFT_KERNEL(lost_add, (value, u32, more), (inout, u32, x))
WEFT_GENERATOR(lost_sum, u32, (value, u32, more), (in, u32, x))

enum { N = 4 };
static const u32 numbers[N] = {1, 2, 3, 4};

static void expect(const char *call, const char *argument, const char *reason) {
    char words[160];
    snprintf(words, sizeof words, "%s: array '%s' %s", call, argument, reason);
    test_expect_error(WEFT_E_ARGUMENT, words);
}

/* Every way to use an array; `other` holds the same memory by now, or none. */
static void expect_lost(weft_array x, weft_array other, const char *reason) {
    u32 seen[N] = {9, 9, 9, 9};
    const weft_array out = weft_array_new(device, WEFT_U32, N);
    weft_for_each(device, N, lost_add, .more = 1, .x = x);
    expect("lost_add", "x", reason);
    weft_for_each(device, N - 1, lost_add, .more = 1, .x = weft_slice(device, x, 1, N - 1));
    expect("weft_slice", "array", reason);
    weft_as(device, x, WEFT_F32);
    expect("weft_as", "array", reason);
    weft_write(device, x, numbers);
    expect("weft_write", "array", reason);
    weft_read(device, x, seen);
    expect("weft_read", "array", reason);
    for (int i = 0; i < N; i++)
        ck_assert_uint_eq(seen[i], 0);
    weft_copy(device, x, out);
    expect("weft_copy", "in", reason);
    weft_copy(device, out, x);
    expect("weft_copy", "out", reason);
    weft_copy(device, weft_lazy(N, lost_sum, .x = x), out);
    expect("lost_sum", "x", reason);
    if (other.buffer) {
        weft_read(device, other, seen);
        for (u32 i = 0; i < N; i++)
            ck_assert_uint_eq(seen[i], numbers[i]);
    }
    weft_array_free(device, out);
}

START_TEST(freed) {
    const weft_array x = test_array(WEFT_U32, numbers, N),
                     tail = weft_slice(device, x, 0, N);
    weft_array_free(device, x);
    expect_lost(x, (weft_array){0}, "was freed by weft_array_free");
    const weft_array y = test_array(WEFT_U32, numbers, N);
    expect_lost(x, y, "was freed by weft_array_free");
    expect_lost(tail, y, "was freed by weft_array_free");
    weft_array_free(device, x);
    expect("weft_array_free", "array", "was freed by weft_array_free");
    weft_array_free(device, y);
    weft_memory_trim(device);
    expect_lost(x, (weft_array){0}, "was freed by weft_array_free");
    expect_lost(y, test_array(WEFT_U32, numbers, N), "was freed by weft_array_free");
}
END_TEST

START_TEST(scope_closed) {
    weft_scope_open(device);
    weft_scope_open(device);
    const weft_array x = weft_scratch(device, WEFT_U32, N);
    weft_scope_close(device);
    expect_lost(x, (weft_array){0}, "is scratch of a scope that is closed");
    const weft_array y = weft_scratch(device, WEFT_U32, N);
    weft_write(device, y, numbers);
    expect_lost(x, y, "is scratch of a scope that is closed");
    weft_scope_close(device);
    weft_array_free(device, x);
    test_ok();
}
END_TEST

START_TEST(returned) {
    u32 host[N] = {1, 2, 3, 4};
    const weft_array x = weft_borrow(device, WEFT_U32, host, N);
    weft_return(device, x);
    expect_lost(x, (weft_array){0}, "was given back by weft_return");
    const weft_array again = weft_borrow(device, WEFT_U32, host, N);
    expect_lost(x, again, "was given back by weft_return");
    weft_return(device, x);
    expect("weft_return", "array", "was given back by weft_return");
    weft_return(device, again);
}
END_TEST

START_TEST(of_another_device) {
    weft_device *other = weft_open(weft_backend_name(device));
    const weft_array x = weft_array_new(other, WEFT_U32, N);
    weft_write(other, x, numbers);
    expect_lost(x, (weft_array){0}, "belongs to another device");
    weft_array_free(device, x);
    expect("weft_array_free", "array", "belongs to another device");
    ck_assert_int_eq(weft_check(other), WEFT_OK);
    weft_close(other);
}
END_TEST

/* Its handle may serve another device by then. */
START_TEST(of_a_closed_device) {
    u32 host[N] = {1, 2, 3, 4};
    weft_device *other = weft_open(weft_backend_name(device));
    weft_device *beside = weft_open_queue(device);
    const weft_array x = weft_array_new(other, WEFT_U32, N);
    const weft_array lent = weft_borrow(other, WEFT_U32, host, N);
    const weft_array near = weft_array_new(beside, WEFT_U32, N);
    weft_close(other);
    weft_close(beside);
    expect_lost(x, (weft_array){0}, ""); /* one of the handles is in use again */
    expect_lost(lent, (weft_array){0}, "");
    expect_lost(near, (weft_array){0}, "");
    weft_device *later = weft_open(weft_backend_name(device));
    weft_array y[8];
    for (int k = 0; k < 8; k++)
        y[k] = weft_array_new(later, WEFT_U32, N);
    expect_lost(x, (weft_array){0}, "");
    expect_lost(y[7], (weft_array){0}, "belongs to another device");
    weft_close(later);
    weft_array_free(device, y[7]);
    expect("weft_array_free", "array", "is of a device that was closed");
}
END_TEST

/* As memory on the stack is, once the block has ended. */
START_TEST(lazy_without_arguments) {
    const weft_array x = test_array(WEFT_U32, numbers, N);
    const weft_array y = weft_array_new(device, WEFT_U32, N);
    struct lost_sum_arguments block = {.more = 3, .x = x};
    const weft_array lazy = weft_lazy_array(N, &lost_sum_generator, &block);
    weft_copy(device, lazy, y);
    test_ok();
    block.more = 4;
    weft_copy(device, lazy, y);
    expect("weft_copy", "in",
           "is lazy and no longer there: lost_sum lives until the end of "
           "the block in which weft_lazy made it");
    block = (struct lost_sum_arguments){.more = 3, .x = y};
    weft_copy(device, lazy, y);
    expect("weft_copy", "in", "is lazy and no longer there");
    block.x = x;
    weft_copy(device, lazy, y);
    test_ok();
}
END_TEST

/* Handles are used again: a program that takes and frees for days does not grow. */
START_TEST(many_uses) {
    const weft_array first = test_array(WEFT_U32, numbers, N);
    weft_array_free(device, first);
    for (int k = 0; k < 1000; k++) {
        const weft_array x = weft_array_new(device, WEFT_U32, N);
        ck_assert_ptr_eq(x.buffer, first.buffer);
        ck_assert_uint_ne(x.turn, first.turn);
        weft_array_free(device, x);
    }
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {
        freed,     scope_closed,           returned,          of_another_device,
        many_uses, lazy_without_arguments, of_a_closed_device};
    return test_main(argc, argv, "lost", tests, sizeof tests / sizeof *tests);
}
