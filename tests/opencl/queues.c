/* That queues of one context wait for each other's events, and only for these: a gate of
 * the program's holds one of them up. Each OpenCL call fails in turn. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include "calls.h"
#include "interop.kernel.h"

#include <weft/opencl.h>

#include <string.h>
#include <time.h>

WEFT_KERNEL(interop_add, (value, u32, more), (inout, u32, x))

/* What drivers keep for themselves until the process ends is not ours to free. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libpocl\nleak:libLLVM\nleak:libclang\nleak:libOpenCL\n";
}

enum { N = 5000 };

static weft_device *other;
static cl_context context;

static void set_up(void) {
    calls = (struct calls){0};
    device = weft_open("opencl");
    test_ok();
    other = weft_open_queue(device);
    ck_assert_msg(weft_check(other) == WEFT_OK, "%s", weft_error(other));
    const cl_int code = clGetCommandQueueInfo(weft_opencl_queue(device), CL_QUEUE_CONTEXT,
                                              sizeof context, &context, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_ptr_ne(weft_opencl_queue(device), weft_opencl_queue(other));
}

static void tear_down(void) {
    weft_close(other);
    weft_close(device);
    ck_assert_int_eq(calls.live, 0);
}

static cl_event new_gate(void) {
    cl_int code;
    cl_event gate = clCreateUserEvent(context, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return gate;
}

static void open_gate(cl_event gate) {
    ck_assert_int_eq(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    clReleaseEvent(gate);
}

/* Whether it is done within a time in which all that could go on is. */
static int done_soon(const weft_event *event) {
    const struct timespec moment = {0, 2000000};
    for (int k = 0; k < 100 && !weft_event_done(event); k++)
        nanosleep(&moment, NULL);
    return weft_event_done(event);
}

static u32 first_of(weft_device *d, weft_array x) {
    u32 value = 0;
    weft_get(d, x, 0, &value);
    ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
    return value;
}

START_TEST(waits_for_the_event) {
    const weft_array x = weft_array_new(device, WEFT_U32, N);
    weft_fill(device, x, &(u32){0});
    weft_for_each(device, N, interop_add, .more = 0, .x = x); /* built */
    weft_synchronize(device);
    cl_event gate = new_gate();
    weft_wait_opencl(device, gate);
    weft_for_each(device, N, interop_add, .more = 10, .x = x);
    weft_event *added = weft_record(device);
    weft_wait_for(other, added);
    weft_for_each(other, N, interop_add, .more = 5, .x = x);
    weft_event *all = weft_record(other);
    ck_assert_int_eq(done_soon(added), 0);
    ck_assert_int_eq(done_soon(all), 0); /* without the wait, it would be done */
    weft_event_free(added);
    open_gate(gate);
    ck_assert_uint_eq(first_of(other, x), 15);
    ck_assert_int_eq(weft_event_done(all), 1);
    weft_event_free(all);
}
END_TEST

/* What shows that the test above can fail: without an event nobody waits. */
START_TEST(nobody_waits_without) {
    const weft_array x = weft_array_new(other, WEFT_U32, N);
    weft_for_each(device, 0, interop_add, .more = 0, .x = x);
    cl_event gate = new_gate();
    weft_wait_opencl(device, gate);
    weft_event *held = weft_record(device);
    weft_fill(other, x, &(u32){5});
    weft_event *free_to_go = weft_record(other);
    ck_assert_int_eq(done_soon(free_to_go), 1);
    ck_assert_uint_eq(first_of(other, x), 5);
    ck_assert_int_eq(weft_event_done(held), 0);
    open_gate(gate);
    ck_assert_int_eq(done_soon(held), 1);
    weft_event_free(held), weft_event_free(free_to_go);
}
END_TEST

/* What one queue built, those beside it have, also once it is closed. */
START_TEST(builds_once) {
    const weft_array x = weft_array_new(other, WEFT_U32, N);
    weft_fill(other, x, &(u32){1});
    weft_for_each(other, N, interop_add, .more = 2, .x = x);
    weft_synchronize(other);
    const long made = calls.compiled + calls.loaded;
    ck_assert_int_gt(made, 0);
    weft_for_each(device, N, interop_add, .more = 3, .x = x);
    ck_assert_uint_eq(first_of(device, x), 6);
    weft_array_free(other, x);
    weft_device *third = weft_open_queue(device);
    weft_close(other);
    other = third;
    const weft_array y = weft_array_new(other, WEFT_U32, N);
    weft_fill(other, y, &(u32){1});
    weft_for_each(other, N, interop_add, .more = 4, .x = y);
    ck_assert_uint_eq(first_of(other, y), 5);
    ck_assert_int_eq(calls.compiled + calls.loaded, made);
}
END_TEST

/* A queue of the program's that runs out of order, in order by events. */
START_TEST(with_the_programs_queue) {
    static u32 host[N];
    cl_int code;
    cl_device_id id = NULL;
    const cl_uint six = 6;
    size_t offset;
    clGetCommandQueueInfo(weft_opencl_queue(device), CL_QUEUE_DEVICE, sizeof id, &id, NULL);
    cl_command_queue loose =
        clCreateCommandQueue(context, id, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    const weft_array x = weft_array_new(device, WEFT_U32, N);
    cl_mem memory = weft_opencl_memory(device, x, &offset);
    cl_event gate = new_gate();
    weft_fill(device, x, &(u32){1});
    cl_event filled = weft_record_opencl(device);
    ck_assert_ptr_nonnull(filled);
    const cl_event both[] = {filled, gate};
    cl_event over = NULL;
    code =
        clEnqueueFillBuffer(loose, memory, &six, sizeof six, offset, 4 * N, 2, both, &over);
    calls.live++; /* `over` */
    ck_assert_int_eq(code, CL_SUCCESS);
    weft_wait_opencl(other, over);
    clReleaseEvent(over), clReleaseEvent(filled);
    weft_for_each(other, N, interop_add, .more = 1, .x = x);
    clFlush(loose);
    weft_event *all = weft_record(other);
    ck_assert_int_eq(done_soon(all), 0);
    weft_event_free(all);
    open_gate(gate);
    weft_read(other, x, host);
    ck_assert_msg(weft_check(other) == WEFT_OK, "%s", weft_error(other));
    for (int i = 0; i < N; i++)
        ck_assert_uint_eq(host[i], 7);
    clReleaseCommandQueue(loose);
}
END_TEST

/* Devices opened on one context can use each other's arrays; those on two wait for each
 * other on the host. */
START_TEST(contexts) {
    weft_device *third = weft_open_opencl(context, NULL), *far = weft_open("opencl");
    const weft_array x = weft_array_new(third, WEFT_U32, N);
    weft_fill(third, x, &(u32){8});
    weft_event *filled = weft_record(third);
    weft_wait_for(device, filled);
    ck_assert_uint_eq(first_of(device, x), 8);
    const long before = calls.count;
    ck_assert_int_eq(weft_wait_for(far, filled), WEFT_OK);
    ck_assert_int_eq(calls.count, before + 2); /* clWaitForEvents, and what came of it */
    ck_assert_int_eq(weft_event_done(filled), 1);
    weft_for_each(far, N, interop_add, .more = 1, .x = x);
    ck_assert_int_eq(weft_check(far), WEFT_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(weft_error(far), "belongs to another device"));
    weft_event_free(filled);
    weft_close(third);
    weft_close(far);
}
END_TEST

START_TEST(what_failed) {
    weft_device *far = weft_open("opencl");
    cl_event gate = new_gate();
    ck_assert_int_eq(clSetUserEventStatus(gate, -5), CL_SUCCESS);
    ck_assert_int_eq(weft_wait_opencl(far, gate), WEFT_E_DEVICE);
    ck_assert_ptr_nonnull(strstr(weft_error(far), "clWaitForEvents"));
    clReleaseEvent(gate);
    weft_close(far);
    weft_wait_opencl(device, NULL);
    test_expect_error(WEFT_E_ARGUMENT, "weft_wait_opencl: 'event' is NULL");
    weft_device *serial = weft_open("serial");
    ck_assert_ptr_null(weft_record_opencl(serial));
    ck_assert_int_eq(weft_check(serial), WEFT_E_BACKEND);
    weft_clear(serial);
    ck_assert_int_eq(weft_wait_opencl(serial, NULL), WEFT_E_BACKEND);
    weft_close(serial);
}
END_TEST

/* Work of two queues and a stranger; *seen is 12 where all was done. */
static weft_status share(weft_array x, u32 *seen) {
    weft_device *mine = weft_open_queue(device);
    weft_fill(device, x, &(u32){5});
    weft_event *filled = weft_record(device);
    weft_wait_for(mine, filled);
    weft_for_each(mine, N, interop_add, .more = 7, .x = x);
    weft_event *added = weft_record(mine);
    weft_wait_for(device, added);
    weft_wait_for(other, added);
    cl_event again = weft_record_opencl(device);
    weft_wait_opencl(other, again);
    if (again)
        clReleaseEvent(again);
    weft_synchronize(other);
    weft_get(device, x, N - 1, seen);
    const weft_status status = weft_check(mine)     ? weft_check(mine)
                               : weft_check(device) ? weft_check(device)
                                                    : weft_check(other);
    weft_event_free(filled), weft_event_free(added);
    weft_close(mine);
    return status;
}

START_TEST(each_call_fails) {
    const weft_array x = weft_array_new(device, WEFT_U32, N);
    u32 seen = 0;
    ck_assert_int_eq(share(x, &seen), WEFT_OK);
    const long live = calls.live; /* with the programs of both devices */
    long k = 0, failures = 0;
    do {
        seen = 0;
        calls = (struct calls){.live = live, .code = CL_INVALID_VALUE, .fail_at = ++k};
        const weft_status status = share(x, &seen);
        const char *failed = calls.failed ? calls.failed : "no call";
        calls.fail_at = 0;
        if (status == WEFT_OK)
            ck_assert_msg(seen == 12, "%u after call %ld, %s", seen, k, failed);
        else
            failures++;
        weft_clear(device), weft_clear(other);
        weft_synchronize(other);
        ck_assert_msg(share(x, &seen) == WEFT_OK && seen == 12,
                      "it does not work again after call %ld, %s", k, failed);
        ck_assert_msg(calls.live == live || !calls.failed,
                      "%ld objects are left after call %ld, %s", calls.live - live, k,
                      failed);
    } while (calls.failed && k < 1000);
    ck_assert_int_ge(failures, 20);
}
END_TEST

int main(void) {
    suite_setup = set_up;
    suite_teardown = tear_down;
    const TTest *const tests[] = {
        waits_for_the_event, nobody_waits_without, with_the_programs_queue, contexts,
        builds_once,         what_failed,          each_call_fails};
    return suite_main("opencl queues", tests, sizeof tests / sizeof *tests);
}
