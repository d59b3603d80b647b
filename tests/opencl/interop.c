/* Devices on a program's own context and queue, its buffers as arrays and arrays as
 * buffers; each OpenCL call made to fail in turn. */
#include "suite.h"
#include "calls.h"
#include "interop.kernel.h"

#include <weft/opencl.h>

#include <string.h>

WEFT_KERNEL(interop_add, (value, u32, more), (inout, u32, x))

/* What drivers keep for themselves until the process ends is not ours to free. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libpocl\nleak:libLLVM\nleak:libclang\nleak:libOpenCL\n";
}

enum { N = 3000 };

/* The program's own OpenCL. */
static cl_device_id id;
static cl_context context;
static cl_command_queue queue;

static cl_context new_context(void) {
    cl_platform_id platform = NULL;
    cl_int code = clGetPlatformIDs(1, &platform, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    cl_context made = clCreateContext(NULL, 1, &id, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return made;
}

static cl_command_queue new_queue(cl_context of, cl_command_queue_properties properties) {
    cl_int code;
    cl_command_queue made = clCreateCommandQueue(of, id, properties, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return made;
}

static cl_mem new_buffer(cl_context of, cl_mem_flags flags, size_t bytes) {
    cl_int code;
    cl_mem made = clCreateBuffer(of, flags, bytes, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return made;
}

static void set_up(void) {
    calls = (struct calls){0};
    context = new_context();
    queue = new_queue(context, 0);
}

static void tear_down(void) {
    calls.fail_at = 0;
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    ck_assert_int_eq(calls.live, 0);
}

static void fill(cl_mem memory, cl_uint value, size_t first, size_t count) {
    const cl_int code = clEnqueueFillBuffer(queue, memory, &value, sizeof value, 4 * first,
                                            4 * count, 0, NULL, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
}

static void read_back(cl_mem memory, u32 *host, size_t count) {
    const cl_int code =
        clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4 * count, host, 0, NULL, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
}

/* The program's commands and the library's, in the order of one queue, without a wait. */
START_TEST(in_one_queue) {
    u32 host[N];
    cl_mem memory = new_buffer(context, CL_MEM_READ_WRITE, sizeof host);
    device = weft_open_opencl(context, queue);
    test_ok();
    ck_assert_str_eq(weft_backend_name(device), "opencl");
    ck_assert_uint_gt(strlen(weft_device_name(device)), 3);
    ck_assert_ptr_eq(weft_opencl_queue(device), queue);
    const weft_array x = weft_borrow_opencl(device, WEFT_U32, memory, 0, N);
    ck_assert_uint_eq(weft_memory_use(device).used, 0);
    fill(memory, 5, 0, N);
    weft_for_each(device, N, interop_add, .more = 2, .x = x);
    fill(memory, 1, 0, 10);
    weft_for_each(device, N - 5, interop_add, .more = 3,
                  .x = weft_slice(device, x, 5, N - 5));
    ck_assert_int_eq(weft_return(device, x), WEFT_OK);
    read_back(memory, host, N);
    for (u32 i = 0; i < N; i++)
        ck_assert_uint_eq(host[i], i < 5 ? 1 : i < 10 ? 4 : 10);
    clReleaseMemObject(memory);
    weft_close(device);
}
END_TEST

/* Primitives work there, and with a queue that the library makes. */
START_TEST(work_of_all_kinds) {
    u32 host[N];
    for (int k = 0; k < 2; k++) {
        device = weft_open_opencl(context, k ? queue : NULL);
        test_ok();
        for (u32 i = 0; i < N; i++)
            host[i] = (i * 7919) % N;
        const weft_array x = test_array(WEFT_U32, host, N);
        weft_sort(device, x, WEFT_ASCENDING);
        weft_scan(device, x, weft_plus(WEFT_U32), WEFT_INCLUSIVE, x);
        weft_read(device, x, host);
        test_ok();
        for (u32 i = 0; i < N; i++)
            ck_assert_uint_eq(host[i], i * (i + 1) / 2);
        weft_close(device);
    }
}
END_TEST

static void refuse_open(cl_context of, cl_command_queue with, const char *words) {
    device = weft_open_opencl(of, with);
    test_expect_error(WEFT_E_ARGUMENT, words);
    ck_assert_int_eq(weft_synchronize(device), WEFT_E_ARGUMENT); /* it is no device */
    ck_assert_ptr_null(weft_opencl_queue(device));
    weft_close(device);
}

START_TEST(refused_queues) {
    cl_context other = new_context();
    cl_command_queue loose = new_queue(context, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    refuse_open(NULL, queue, "weft_open_opencl: 'context' is NULL");
    refuse_open(other, queue, "weft_open_opencl: 'queue' is of another context");
    refuse_open(context, loose, "weft_open_opencl: 'queue' runs out of order");
    clReleaseCommandQueue(loose);
    clReleaseContext(other);
}
END_TEST

/* Part of a buffer, and a buffer that is part of another; what was released lives on. */
START_TEST(parts_of_buffers) {
    u32 host[N];
    cl_int code;
    cl_mem memory = new_buffer(context, CL_MEM_READ_WRITE, sizeof host);
    const cl_buffer_region region = {4096, 4096};
    cl_mem part = clCreateSubBuffer(memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                    &region, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    device = weft_open_opencl(context, queue);
    fill(memory, 7, 0, N);
    const weft_array x = weft_borrow_opencl(device, WEFT_U32, memory, 100, 50);
    const weft_array last = weft_borrow_opencl(device, WEFT_U64, memory, N / 2 - 1, 1);
    const weft_array y = weft_borrow_opencl(device, WEFT_U32, part, 1, 2);
    clReleaseMemObject(part);
    ck_assert_int_eq(x.length, 50);
    weft_for_each(device, 50, interop_add, .more = 1, .x = x);
    weft_for_each(device, 2, interop_add, .more = 2, .x = weft_as(device, last, WEFT_U32));
    weft_for_each(device, 2, interop_add, .more = 3, .x = y);
    weft_return(device, x);
    weft_return(device, y);
    weft_return(device, last);
    read_back(memory, host, N);
    for (u32 i = 0; i < N; i++)
        ck_assert_uint_eq(host[i], i >= 100 && i < 150      ? 8
                                   : i >= N - 2             ? 9
                                   : i == 1025 || i == 1026 ? 10
                                                            : 7);
    weft_for_each(device, 50, interop_add, .more = 1, .x = x);
    test_expect_error(WEFT_E_ARGUMENT, "array 'x' was given back by weft_return");
    weft_borrow_opencl(device, WEFT_U32, memory, 0, 10); /* left to weft_close */
    clReleaseMemObject(memory);
    weft_close(device);
}
END_TEST

static void refuse_buffer(weft_type type, cl_mem memory, i64 first, i64 length,
                          weft_status status, const char *words) {
    const weft_array none = weft_borrow_opencl(device, type, memory, first, length);
    ck_assert_ptr_null(none.buffer);
    test_expect_error(status, words);
}

START_TEST(refused_buffers) {
    cl_context other = new_context();
    cl_mem foreign = new_buffer(other, CL_MEM_READ_WRITE, 400);
    cl_mem memory = new_buffer(context, CL_MEM_READ_WRITE, 400);
    cl_mem blind = new_buffer(context, CL_MEM_WRITE_ONLY, 400);
    cl_mem constant = new_buffer(context, CL_MEM_READ_ONLY, 400);
    device = weft_open_opencl(context, queue);
    refuse_buffer(WEFT_U32, NULL, 0, 1, WEFT_E_ARGUMENT, "'memory' is NULL");
    refuse_buffer(WEFT_U32, foreign, 0, 1, WEFT_E_ARGUMENT, "is of another context");
    refuse_buffer(WEFT_U32, blind, 0, 1, WEFT_E_ARGUMENT, "CL_MEM_WRITE_ONLY");
    refuse_buffer(WEFT_U32, memory, -1, 1, WEFT_E_ARGUMENT, "from -1 on");
    refuse_buffer(WEFT_U32, memory, 0, -1, WEFT_E_ARGUMENT, "cannot borrow -1 elements");
    refuse_buffer(0, memory, 0, 1, WEFT_E_ARGUMENT, "elements of 0 bytes");
    refuse_buffer(WEFT_U32, memory, 0, 101, WEFT_E_SHAPE,
                  "101 elements of 4 bytes from 0 on are not inside a buffer of 400 bytes");
    refuse_buffer(WEFT_U64, memory, 50, 1, WEFT_E_SHAPE, "1 elements of 8 bytes from 50");
    refuse_buffer(WEFT_U64, memory, INT64_MAX, 2, WEFT_E_SHAPE, "are not inside");
    const weft_array read = weft_borrow_opencl(device, WEFT_U32, constant, 0, 100);
    weft_for_each(device, 100, interop_add, .more = 1, .x = read);
    test_expect_error(WEFT_E_ARGUMENT, "interop_add: array 'x' is read-only");
    const weft_array empty = weft_borrow_opencl(device, WEFT_U32, memory, 100, 0);
    weft_for_each(device, 0, interop_add, .more = 1, .x = empty);
    weft_return(device, empty);
    test_ok();
    weft_close(device);
    clReleaseMemObject(foreign), clReleaseMemObject(memory), clReleaseMemObject(blind);
    clReleaseMemObject(constant);
    clReleaseContext(other);
}
END_TEST

/* The buffer of an array, used by a command of the program's between two calls. */
START_TEST(buffers_of_arrays) {
    u32 host[N] = {0};
    size_t offset = 99;
    device = weft_open_opencl(context, queue);
    const weft_array x = test_array(WEFT_U32, host, N);
    const weft_array part = weft_slice(device, x, 1000, 500);
    cl_mem memory = weft_opencl_memory(device, x, &offset);
    ck_assert_ptr_nonnull(memory);
    ck_assert_uint_eq(offset, 0);
    ck_assert_ptr_eq(weft_opencl_memory(device, part, &offset), memory);
    ck_assert_uint_eq(offset, 4000);
    fill(memory, 6, offset / 4, 500);
    weft_for_each(device, N, interop_add, .more = 1, .x = x);
    weft_read(device, x, host);
    for (u32 i = 0; i < N; i++)
        ck_assert_uint_eq(host[i], i >= 1000 && i < 1500 ? 7 : 1);
    ck_assert_ptr_null(
        weft_opencl_memory(device, weft_array_new(device, WEFT_U32, 0), &offset));
    ck_assert_uint_eq(offset, 0);
    test_ok();
    weft_opencl_memory(device, weft_counting(5, (u32)0), &offset);
    test_expect_error(WEFT_E_ARGUMENT, "is lazy, but must lie in memory");
    weft_array_free(device, x);
    ck_assert_ptr_null(weft_opencl_memory(device, part, &offset));
    test_expect_error(WEFT_E_ARGUMENT, "was freed by weft_array_free");
    const weft_array y = weft_array_new(device, WEFT_U32, 5);
    ck_assert_ptr_null(weft_address(device, y));
    test_expect_error(WEFT_E_BACKEND, "do not lie in memory of the host");
    weft_close(device);
}
END_TEST

/* A program's work with the library: the last of `host` is 0 unless all of it was done. */
static void share(cl_mem memory, u32 *host) {
    size_t offset;
    device = weft_open_opencl(context, queue);
    const weft_array x = weft_borrow_opencl(device, WEFT_U32, memory, 8, N - 8);
    weft_for_each(device, N - 8, interop_add, .more = 2, .x = x);
    weft_read(device, x, host);
    cl_mem same = weft_opencl_memory(device, x, &offset);
    if (weft_check(device) == WEFT_OK) {
        ck_assert_ptr_eq(same, memory);
        ck_assert_uint_eq(offset, 32);
    }
    weft_return(device, x);
}

START_TEST(each_call_fails) {
    u32 host[N];
    cl_mem memory = new_buffer(context, CL_MEM_READ_WRITE, sizeof host);
    const long live = calls.live;
    long k = 0, failures = 0;
    do {
        calls.fail_at = 0;
        fill(memory, 5, 0, N);
        calls = (struct calls){.live = live, .code = CL_OUT_OF_RESOURCES, .fail_at = ++k};
        share(memory, host);
        const char *failed = calls.failed ? calls.failed : "no call";
        if (weft_check(device) == WEFT_OK) {
            ck_assert_msg(host[0] == 7 && host[N - 9] == 7, "wrong after call %ld, %s", k,
                          failed);
        } else {
            failures++;
            ck_assert_msg(strlen(weft_error(device)) > 20, "call %ld, %s: '%s'", k, failed,
                          weft_error(device));
            ck_assert_msg(host[N - 9] == 0 || strcmp(failed, "clFinish") == 0 ||
                              strcmp(failed, "clReleaseMemObject") == 0,
                          "a result in spite of an error: call %ld, %s", k, failed);
        }
        weft_close(device);
        ck_assert_msg(calls.live == live, "%ld objects are left after call %ld, %s",
                      calls.live - live, k, failed);
    } while (calls.failed && k < 1000);
    ck_assert_int_ge(failures, 30);
    clReleaseMemObject(memory);
}
END_TEST

/* A device of another backend has neither queue nor buffers. */
START_TEST(other_backends) {
    size_t offset = 99;
    cl_mem memory = new_buffer(context, CL_MEM_READ_WRITE, 400);
    device = weft_open("serial");
    const weft_array x = weft_array_new(device, WEFT_U32, 5);
    ck_assert_ptr_null(weft_opencl_queue(device));
    test_expect_error(WEFT_E_BACKEND, "weft_opencl_queue: the device is of backend 'ser");
    ck_assert_ptr_null(weft_opencl_memory(device, x, &offset));
    test_expect_error(WEFT_E_BACKEND, "weft_opencl_memory: the device is of");
    ck_assert_uint_eq(offset, 0);
    refuse_buffer(WEFT_U32, memory, 0, 1, WEFT_E_BACKEND, "weft_borrow_opencl: the device");
    weft_close(device);
    clReleaseMemObject(memory);
}
END_TEST

int main(void) {
    suite_setup = set_up;
    suite_teardown = tear_down;
    const TTest *const tests[] = {in_one_queue,     work_of_all_kinds, refused_queues,
                                  parts_of_buffers, refused_buffers,   buffers_of_arrays,
                                  each_call_fails,  other_backends};
    return suite_main("opencl interop", tests, sizeof tests / sizeof *tests);
}
