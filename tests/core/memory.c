/* Scopes, the pool that scratch comes from, and memory that is lent. */
#include "harness.h"
#include "memory.kernel.h"

#include <string.h>

WEFT_KERNEL(memory_add, (value, u32, more), (inout, u32, x))
WEFT_KERNEL(memory_copy, (in, u32, x), (out, u32, y))

static weft_memory use(void) {
    return weft_memory_use(device);
}

/* A step of some algorithm, with scratch at two levels. */
static void step(void) {
    weft_scope_open(device);
    const weft_array a = weft_scratch(device, WEFT_U32, 1000);
    weft_for_each(device, 1000, memory_add, .more = 1, .x = a);
    for (i64 n = 10; n < 100000; n *= 7) {
        weft_scope_open(device);
        const weft_array b = weft_scratch(device, WEFT_U32, n);
        const weft_array c = weft_scratch(device, WEFT_U32, n + 3);
        weft_for_each(device, n, memory_copy, .x = b, .y = c);
        weft_scope_close(device);
    }
    weft_scope_close(device);
    test_ok();
}

START_TEST(second_run_allocates_nothing) {
    const u64 before = use().used;
    step();
    const u64 held = use().held, peak = use().peak;
    ck_assert_uint_eq(use().used, before);
    ck_assert_uint_ge(held, 1000 * 4 + 2 * 4 * 24010);
    for (int k = 0; k < 5; k++) {
        step();
        ck_assert_uint_eq(use().held, held);
        ck_assert_uint_eq(use().used, before);
        ck_assert_uint_eq(use().peak, peak);
    }
}
END_TEST

/* Scratch of many sizes in scopes within scopes, the same for the same state. */
static void any_step(u64 *state, int depth) {
    weft_scope_open(device);
    for (i64 k = (i64)(test_random(state) % 6); k >= 0; k--)
        if (depth < 4 && test_random(state) % 5 < 2)
            any_step(state, depth + 1);
        else
            weft_scratch(device, WEFT_U8, (i64)1 << 12 << test_random(state) % 9);
    weft_scope_close(device);
}

START_TEST(second_run_of_any_step) {
    for (u64 seed = 1; seed < 300; seed++) {
        u64 held = 0;
        for (int run = 0; run < 3; run++) {
            u64 state = seed;
            any_step(&state, 0);
            test_ok();
            held = run == 0 ? use().held : held;
            ck_assert_uint_eq(use().held, held);
        }
        weft_memory_trim(device);
        ck_assert_uint_eq(use().held, 0);
    }
}
END_TEST

START_TEST(scopes_nest) {
    u32 host[100], back[100];
    for (u32 i = 0; i < 100; i++)
        host[i] = i;
    weft_scope_open(device);
    const weft_array outer = weft_scratch(device, WEFT_U32, 100);
    weft_write(device, outer, host);
    weft_scope_open(device);
    const weft_array inner = weft_scratch(device, WEFT_U32, 100);
    const weft_array kept = weft_array_new(device, WEFT_U32, 100);
    weft_for_each(device, 100, memory_copy, .x = outer, .y = inner);
    weft_for_each(device, 100, memory_copy, .x = inner, .y = kept);
    weft_scope_close(device);
    const weft_array later = weft_scratch(device, WEFT_U32, 100);
    weft_write(device, later, (const u32[100]){0});
    weft_read(device, outer, back);
    ck_assert_mem_eq(back, host, sizeof host);
    weft_scope_close(device);
    weft_read(device, kept, back);
    ck_assert_mem_eq(back, host, sizeof host);
    weft_array_free(device, kept);
    ck_assert_uint_eq(use().used, 0);
}
END_TEST

START_TEST(scopes_and_errors) {
    weft_scratch(device, WEFT_U32, 1);
    test_expect_error(WEFT_E_ARGUMENT, "scratch was asked for while no scope is open");
    weft_scope_close(device);
    test_expect_error(WEFT_E_ARGUMENT, "a scope was closed while none is open");
    weft_scope_open(device);
    weft_scratch(device, WEFT_U32, 1000);
    weft_fail(device, WEFT_E_TYPE, "made up");
    weft_scope_open(device);
    weft_scope_close(device);
    ck_assert_uint_ge(use().used, 4000);
    weft_scope_close(device);
    ck_assert_uint_eq(use().used, 0);
    test_expect_error(WEFT_E_TYPE, "made up");
    weft_scratch(device, WEFT_U32, 1);
    test_expect_error(WEFT_E_ARGUMENT, "no scope is open");
}
END_TEST

START_TEST(high_water_mark) {
    const i64 n = 1 << 18;
    const weft_array a = weft_array_new(device, WEFT_U32, n);
    const u64 one = use().used;
    ck_assert_uint_ge(one, (u64)n * 4);
    ck_assert_uint_le(one, (u64)n * 4 + 4096);
    const weft_array b = weft_array_new(device, WEFT_U32, n);
    weft_array_free(device, a);
    weft_array_free(device, b);
    ck_assert_uint_eq(use().used, 0);
    ck_assert_uint_eq(use().peak, 2 * one);
    ck_assert_uint_eq(use().held, 2 * one);
    weft_memory_reset_peak(device);
    ck_assert_uint_eq(use().peak, 0);
    weft_array_new(device, WEFT_U32, n);
    ck_assert_uint_eq(use().peak, one);
    ck_assert_uint_eq(use().held, 2 * one);
    weft_memory_trim(device);
    ck_assert_uint_eq(use().held, one);
}
END_TEST

static int divides_memory(void) {
    const char *backend = weft_backend_name(device);
    return strcmp(backend, "serial") == 0 || strcmp(backend, "pthreads") == 0;
}

/* On the host, free memory is used in parts, which become one again. */
START_TEST(parts_of_memory) {
    const i64 n = 1 << 18;
    const weft_array whole = weft_array_new(device, WEFT_U32, n);
    const u64 one = use().held;
    weft_array_free(device, whole);
    for (int k = 0; k < 3; k++) {
        weft_array part[3];
        for (int p = 0; p < 3; p++)
            part[p] = weft_array_new(device, WEFT_U32, n / 4 + 1000 * p);
        if (divides_memory())
            ck_assert_uint_eq(use().held, one);
        ck_assert_uint_le(use().used, 3 * (one / 4 + 12000));
        weft_memory_trim(device);
        ck_assert_uint_ge(use().held, use().used);
        for (int p = 0; p < 3; p++)
            weft_array_free(device, part[(p + k) % 3]);
        weft_array_free(device, weft_array_new(device, WEFT_U32, n));
        if (divides_memory())
            ck_assert_uint_eq(use().held, one);
    }
    weft_memory_trim(device);
    ck_assert_uint_eq(use().held, 0);
}
END_TEST

/* Scratch that is a little longer each time lies where the one before it lay. */
START_TEST(longer_each_time) {
    enum { MIB = 1 << 20 };
    weft_array_new(device, WEFT_U8, 16 * MIB);
    const u64 before = use().held;
    for (i64 n = 100000; n < MIB; n += 50000) {
        weft_scope_open(device);
        weft_scratch(device, WEFT_U8, n);
        weft_scope_close(device);
        if (divides_memory())
            ck_assert_uint_eq(use().held, before + MIB);
    }
    test_ok();
}
END_TEST

/* Arrays that come and go, in whatever order, never share an element. */
START_TEST(arrays_come_and_go) {
    enum { ARRAYS = 24, TURNS = 400, MOST = 60000 };
    static u32 host[MOST];
    weft_array live[ARRAYS] = {{0}};
    u32 mark[ARRAYS] = {0};
    u64 state = 1;
    for (u32 turn = 1; turn <= TURNS; turn++) {
        const u64 draw = test_random(&state);
        const i64 k = (i64)(draw % ARRAYS), n = 1 + (i64)(draw >> 32) % MOST;
        if (live[k].length > 0) {
            weft_read(device, live[k], host);
            i64 same = 0;
            while (same < live[k].length && host[same] == mark[k] + (u32)same)
                same++;
            ck_assert_int_eq(same, live[k].length);
            weft_array_free(device, live[k]);
        }
        mark[k] = turn << 16;
        for (i64 i = 0; i < n; i++)
            host[i] = mark[k] + (u32)i;
        live[k] = weft_array_new(device, WEFT_U32, n);
        weft_write(device, live[k], host);
    }
    for (i64 k = 0; k < ARRAYS; k++)
        if (live[k].length > 0)
            weft_array_free(device, live[k]);
    test_ok();
    ck_assert_uint_eq(use().used, 0);
    weft_memory_trim(device);
    ck_assert_uint_eq(use().held, 0);
}
END_TEST

/* Memory that nobody uses is given up before an allocation fails. */
START_TEST(out_of_memory) {
    weft_array_free(device, weft_array_new(device, WEFT_U32, 1 << 18));
    ck_assert_uint_gt(use().held, 0);
    const weft_array none = weft_array_new(device, WEFT_U8, (i64)1 << 50);
    ck_assert_ptr_null(none.buffer);
    test_expect_error(WEFT_E_MEMORY, "1125899906842624 bytes were asked for");
    ck_assert_uint_eq(use().held, 0);
    step();
}
END_TEST

START_TEST(lent_memory) {
    u32 host[1000];
    for (u32 i = 0; i < 1000; i++)
        host[i] = i;
    const u64 used = use().used;
    const weft_array x = weft_borrow(device, WEFT_U32, host, 1000);
    weft_for_each(device, 500, memory_add, .more = 5, .x = weft_slice(device, x, 250, 500));
    ck_assert_int_eq(weft_return(device, x), WEFT_OK);
    for (u32 i = 0; i < 1000; i++)
        ck_assert_uint_eq(host[i], i >= 250 && i < 750 ? i + 5 : i);
    ck_assert_uint_eq(use().used, used);
    weft_return(device, test_array(WEFT_U32, host, 10)); /* not lent: nothing happens */
    test_ok();
}
END_TEST

START_TEST(lent_for_reading) {
    u32 host[100], back[100];
    for (u32 i = 0; i < 100; i++)
        host[i] = i;
    const weft_array x = weft_borrow_const(device, WEFT_U32, host, 100);
    const weft_array part = weft_slice(device, x, 10, 20);
    const weft_array y = weft_array_new(device, WEFT_U32, 100);
    weft_for_each(device, 100, memory_copy, .x = x, .y = y);
    weft_read(device, y, back);
    ck_assert_mem_eq(back, host, sizeof host);
    weft_for_each(device, 20, memory_add, .more = 1, .x = part);
    test_expect_error(WEFT_E_ARGUMENT, "memory_add: array 'x' is read-only");
    weft_for_each(device, 20, memory_copy, .x = y, .y = weft_as(device, x, WEFT_U32));
    test_expect_error(WEFT_E_ARGUMENT, "memory_copy: array 'y' is read-only");
    weft_write(device, x, back);
    test_expect_error(WEFT_E_ARGUMENT, "weft_write: array 'array' is read-only");
    weft_return(device, x);
    for (u32 i = 0; i < 100; i++)
        ck_assert_uint_eq(host[i], i);
}
END_TEST

START_TEST(wrong_loans) {
    u32 host[4] = {0};
    weft_borrow(device, WEFT_U32, NULL, 4);
    test_expect_error(WEFT_E_ARGUMENT, "cannot borrow 4 elements of 4 bytes at NULL");
    weft_borrow(device, WEFT_U32, host, -1);
    test_expect_error(WEFT_E_ARGUMENT, "cannot borrow -1 elements");
    weft_borrow_const(device, 0, host, 4);
    test_expect_error(WEFT_E_ARGUMENT, "0 is no type of elements");
    weft_array_new(device, sizeof(float), 4);
    test_expect_error(WEFT_E_ARGUMENT, "4 is no type of elements");
    weft_borrow(device, WEFT_U32, (void *)((char *)host + 2), 2);
    test_expect_error(WEFT_E_ARGUMENT, "an address that is no multiple of 4");
    const weft_array none = weft_borrow(device, WEFT_U32, NULL, 0);
    weft_for_each(device, 0, memory_add, .x = none);
    weft_return(device, none);
    test_ok();
}
END_TEST

/* What is pinned is used as all memory is; parts of it, too, and what is around it. */
START_TEST(pinned_memory) {
    enum { N = 5000 };
    static u32 host[N], back[N];
    const weft_array x = weft_array_new(device, WEFT_U32, N);
    for (u32 i = 0; i < N; i++)
        host[i] = 7 * i + 1;
    ck_assert_int_eq(weft_pin(device, host + 100, 4000 * sizeof *host), WEFT_OK);
    ck_assert_int_eq(weft_pin(device, back, sizeof back), WEFT_OK);
    ck_assert_int_eq(weft_pin(device, NULL, 0), WEFT_OK);
    weft_write(device, x, host);
    weft_for_each(device, N, memory_add, .more = 1, .x = x);
    host[2000] = 13;
    weft_write(device, weft_slice(device, x, 1000, 2000), host + 1000);
    weft_read(device, x, back);
    test_ok();
    for (u32 i = 0; i < N; i++)
        ck_assert_uint_eq(back[i], i == 2000               ? 13
                                   : i >= 1000 && i < 3000 ? 7 * i + 1
                                                           : 7 * i + 2);
    ck_assert_int_eq(weft_unpin(device, host + 100), WEFT_OK);
    ck_assert_int_eq(weft_unpin(device, NULL), WEFT_OK);
    weft_read(device, weft_slice(device, x, 0, 1), host + 100);
    ck_assert_uint_eq(host[100], 2);
    ck_assert_uint_eq(host[99], 7 * 99 + 1);
    weft_array_free(device, x);
    weft_unpin(device, host + 100);
    test_expect_error(WEFT_E_ARGUMENT,
                      "weft_unpin: nothing is pinned that begins at 'host'");
    weft_pin(device, NULL, 8);
    test_expect_error(WEFT_E_ARGUMENT, "weft_pin: 8 bytes at NULL");
    ck_assert_int_eq(weft_unpin(device, back), WEFT_OK);
}
END_TEST

/* weft_close frees what is left, lent memory included. */
START_TEST(left_to_close) {
    static u32 host[100];
    weft_device *other = weft_open(weft_backend_name(device));
    const weft_array x = weft_borrow(other, WEFT_U32, host, 100);
    weft_for_each(other, 100, memory_add, .more = 7, .x = x);
    weft_array_new(other, WEFT_F64, 12345);
    weft_pin(other, host, sizeof host);
    weft_scope_open(other);
    weft_scratch(other, WEFT_F64, 12345);
    weft_close(other);
    for (int i = 0; i < 100; i++)
        ck_assert_uint_eq(host[i], 7);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {second_run_allocates_nothing,
                                  second_run_of_any_step,
                                  scopes_nest,
                                  scopes_and_errors,
                                  high_water_mark,
                                  parts_of_memory,
                                  longer_each_time,
                                  arrays_come_and_go,
                                  out_of_memory,
                                  lent_memory,
                                  lent_for_reading,
                                  wrong_loans,
                                  pinned_memory,
                                  left_to_close};
    return test_main(argc, argv, "memory", tests, sizeof tests / sizeof *tests);
}
