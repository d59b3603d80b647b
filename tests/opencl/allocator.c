/* The caller's allocator of buffers: each of its allocations fails in turn, and every byte
 * comes back. */
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

enum { N = 20000 };

typedef struct ledger {
    size_t live, less; /* less: buffers are so many bytes too short */
    long asked, buffers, fail_at;
    int stays;
} ledger;

static cl_mem allocate(void *user, cl_context context, size_t bytes) {
    ledger *l = user;
    cl_int code;
    l->asked++;
    if (l->fail_at && (l->asked == l->fail_at || (l->stays && l->asked > l->fail_at)))
        return NULL;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes - l->less, NULL, &code);
    if (code != CL_SUCCESS)
        return NULL;
    l->live += bytes;
    l->buffers++;
    return made;
}

static void release(void *user, cl_mem memory, size_t bytes) {
    ledger *l = user;
    l->live -= bytes;
    l->buffers--;
    clReleaseMemObject(memory);
}

static weft_opencl_allocator allocator_of(ledger *l) {
    return (weft_opencl_allocator){.allocate = allocate, .release = release, .user = l};
}

static weft_device *open_with(ledger *l) {
    const weft_opencl_allocator a = allocator_of(l);
    weft_device *d = weft_open("opencl");
    weft_use_opencl_allocator(d, &a);
    ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
    return d;
}

typedef struct outcome {
    u32 x[N], sum;
} outcome;

static void step(weft_device *d, outcome *o) {
    memset(o, 0, sizeof *o);
    weft_scope_open(d);
    const weft_array x = weft_scratch(d, WEFT_U32, N), y = weft_array_new(d, WEFT_U32, N);
    weft_sequence(d, x, &(u32){7}, &(u32){977});
    weft_for_each(d, N, interop_add, .more = 2, .x = x);
    weft_copy(d, x, y);
    weft_sort_by_key(d, y, x, WEFT_DESCENDING);
    weft_scan(d, x, weft_plus(WEFT_U32), WEFT_INCLUSIVE, y);
    weft_reduce(d, y, weft_plus(WEFT_U32), &o->sum);
    weft_read(d, y, o->x);
    weft_scope_close(d);
    weft_array_free(d, y);
}

static outcome expected, got;

static void set_up(void) {
    calls = (struct calls){0};
    device = weft_open("serial");
    step(device, &expected);
    test_ok();
    weft_close(device);
}

START_TEST(every_byte_comes_back) {
    ledger l = {0};
    weft_device *d = open_with(&l);
    step(d, &got);
    ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
    ck_assert_mem_eq(&got, &expected, sizeof got);
    ck_assert_uint_ge(l.live, weft_memory_use(d).held);
    ck_assert_uint_gt(weft_memory_use(d).held, 2 * N * 4);
    const long asked = l.asked;
    step(d, &got);
    ck_assert_int_eq(l.asked, asked);
    weft_array_new(d, WEFT_U32, 100);
    weft_close(d);
    ck_assert_uint_eq(l.live, 0);
    ck_assert_int_eq(l.buffers, 0);
    ck_assert_int_eq(calls.live, 0);
}
END_TEST

START_TEST(each_allocation_fails) {
    for (int stays = 0; stays < 2; stays++) {
        long k = 1, errors = 0;
        for (;; k++) {
            ledger l = {.fail_at = k, .stays = stays};
            weft_device *d = open_with(&l);
            step(d, &got);
            const int failed = l.asked >= k;
            if (weft_check(d) == WEFT_OK) {
                ck_assert_mem_eq(&got, &expected, sizeof got);
            } else {
                errors++;
                ck_assert_int_eq(weft_check(d), WEFT_E_MEMORY);
                ck_assert_uint_eq(got.x[N - 1], 0);
            }
            weft_clear(d);
            l.fail_at = 0;
            step(d, &got);
            ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
            ck_assert_mem_eq(&got, &expected, sizeof got);
            weft_close(d);
            ck_assert_int_eq(l.buffers, 0);
            ck_assert_int_eq(calls.live, 0);
            if (!failed)
                break;
        }
        ck_assert_int_ge(k, 4);
        ck_assert(stays ? errors == k - 1 : errors == 0);
    }
}
END_TEST

START_TEST(wrong_allocators) {
    ledger l = {0};
    weft_opencl_allocator a = allocator_of(&l);
    device = weft_open("opencl");
    a.allocate = NULL;
    weft_use_opencl_allocator(device, &a);
    test_expect_error(WEFT_E_ARGUMENT, "'allocator' lacks a function");
    a = allocator_of(&l);
    a.reserved[0] = 1;
    weft_use_opencl_allocator(device, &a);
    test_expect_error(WEFT_E_ARGUMENT, "'allocator' has members that version");
    a.reserved[0] = 0;
    const weft_array x = weft_array_new(device, WEFT_U32, 10);
    weft_use_opencl_allocator(device, &a);
    test_expect_error(WEFT_E_ARGUMENT, "comes before the device's first array");
    weft_array_free(device, x);
    weft_use_opencl_allocator(device, &a);
    l.less = 8;
    weft_array_new(device, WEFT_U32, 10);
    test_expect_error(WEFT_E_ARGUMENT, "has 248 bytes, not the 256 that were asked for");
    ck_assert_int_eq(l.buffers, 0);
    weft_use_opencl_allocator(device, NULL);
    const long asked = l.asked;
    weft_array_new(device, WEFT_U32, 10);
    ck_assert_int_eq(l.asked, asked);
    weft_close(device);
    device = weft_open("serial");
    weft_use_opencl_allocator(device, &a);
    test_expect_error(WEFT_E_BACKEND, "weft_use_opencl_allocator: the device is of");
    weft_close(device);
}
END_TEST

int main(void) {
    suite_setup = set_up;
    const TTest *const tests[] = {every_byte_comes_back, each_allocation_fails,
                                  wrong_allocators};
    return suite_main("opencl allocator", tests, sizeof tests / sizeof *tests);
}
