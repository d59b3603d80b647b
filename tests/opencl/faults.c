/* Every OpenCL call made to fail in turn: an error with a sentence or a result that is
 * right, no crash, no object left behind, and a device that works again once cleared. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include "calls.h"
#include "doubles.kernel.h"
#include "faults.kernel.h"

#include <weft/operators.h>
#include <weft/reduce.h>
#include <weft/scan.h>
#include <weft/sort.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What drivers keep for themselves until the process ends is not ours to free. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libpocl\nleak:libLLVM\nleak:libclang\nleak:libOpenCL\n";
}

WEFT_KERNEL(doubles_twice, (inout, f64, x))
WEFT_GENERATOR(doubles_half, f64, (in, u32, x))
WEFT_PAIRS(doubles_product, f64, 0.0, (in, u32, x))
WEFT_KERNEL(faults_double, (inout, u32, x))
WEFT_GENERATOR(faults_head, u32, (value, u32, every))
WEFT_PAIRS(faults_below, u32, 0, (in, u32, x))

enum { N = 20000, PAIRS = 100 };

typedef struct results {
    f64 halves[N], runs[N], products[PAIRS], total;
    u32 scanned[N], sorted[N], below[PAIRS], lent[N];
    u32 sum;
} results;

static void work_more(weft_device *d, weft_array x, results *r) {
    const i64 offsets[] = {0, 30, PAIRS};
    const weft_array y = weft_scratch(d, WEFT_U32, N);
    const weft_array below = weft_scratch(d, WEFT_U32, PAIRS);
    const weft_array segments = weft_scratch(d, WEFT_I64, 3);
    weft_write(d, segments, offsets);
    weft_scan_segments(d, x, weft_lazy(N, faults_head, .every = 777), weft_plus(WEFT_U32),
                       WEFT_INCLUSIVE, y);
    weft_read(d, y, r->scanned);
    weft_pairs(d, segments, below, faults_below, .x = weft_slice(d, x, 0, PAIRS));
    weft_read(d, below, r->below);
    weft_sort_by_key(d, x, y, WEFT_ASCENDING);
    weft_read(d, y, r->sorted);
}

/* Of numbers whose sums are exact. */
static void work_on_doubles(weft_device *d, weft_array x, results *r) {
    const i64 offsets[] = {0, 30, PAIRS};
    const weft_array y = weft_scratch(d, WEFT_F64, N);
    const weft_array products = weft_scratch(d, WEFT_F64, PAIRS);
    const weft_array segments = weft_scratch(d, WEFT_I64, 3);
    weft_write(d, segments, offsets);
    weft_copy(d, weft_lazy(N, doubles_half, .x = x), y);
    weft_for_each(d, N, doubles_twice, .x = y);
    weft_read(d, y, r->halves);
    weft_reduce(d, y, weft_plus(WEFT_F64), &r->total);
    weft_scan_segments(d, y, weft_lazy(N, faults_head, .every = 777), weft_plus(WEFT_F64),
                       WEFT_EXCLUSIVE, y);
    weft_read(d, y, r->runs);
    weft_pairs(d, segments, products, doubles_product, .x = weft_slice(d, x, 0, PAIRS));
    weft_read(d, products, r->products);
}

static int briefly; /* leaves out what takes long to compile */
static int doubles; /* on a device without */

/* Work of every kind that the backend does. */
static void work(weft_device *d, results *r) {
    u32 host[N];
    for (u32 i = 0; i < N; i++)
        r->lent[i] = host[i] = i * 2654435761u >> 7;
    memset(r, 0, offsetof(results, lent));
    weft_scope_open(d);
    const weft_array x = weft_array_new(d, WEFT_U32, N);
    const weft_array lent = weft_borrow(d, WEFT_U32, r->lent, N);
    weft_pin(d, host, sizeof host);
    weft_write(d, x, host);
    weft_unpin(d, host);
    weft_for_each(d, N, faults_double, .x = x);
    weft_for_each(d, N, faults_double, .x = lent);
    weft_return(d, lent);
    weft_reduce(d, x, weft_plus(WEFT_U32), &r->sum);
    if (doubles)
        work_on_doubles(d, x, r);
    else if (!briefly)
        work_more(d, x, r);
    weft_scope_close(d);
    weft_array_free(d, x);
}

static void check_run(const results *expected, long fail_at, cl_int code) {
    static results got;
    calls = (struct calls){.fail_at = fail_at, .code = code, .no_f64 = doubles};
    weft_device *d = weft_open("opencl");
    const int opened = weft_check(d) == WEFT_OK;
    work(d, &got);
    const char *failed = calls.failed ? calls.failed : "no call";
    if (weft_check(d) == WEFT_OK) {
        ck_assert_msg(memcmp(&got, expected, sizeof got) == 0,
                      "a wrong result after call %ld, %s", fail_at, failed);
    } else {
        ck_assert_msg(strlen(weft_error(d)) > 20, "call %ld, %s: '%s'", fail_at, failed,
                      weft_error(d));
        ck_assert_msg((got.sorted[N - 1] == 0 && got.products[PAIRS - 1] == 0) ||
                          strcmp(failed, "clFinish") == 0,
                      "a result in spite of an error: call %ld, %s", fail_at, failed);
    }
    if (opened && calls.failed && !briefly) {
        weft_clear(d);
        work(d, &got);
        ck_assert_msg(weft_check(d) == WEFT_OK, "after call %ld, %s, cleared: %s", fail_at,
                      failed, weft_error(d));
        ck_assert_msg(memcmp(&got, expected, sizeof got) == 0,
                      "a wrong result once cleared after call %ld, %s", fail_at, failed);
    }
    weft_close(d);
    ck_assert_msg(calls.live == 0, "%ld objects are left after call %ld, %s", calls.live,
                  fail_at, failed);
}

/* Runs with each call failing, until none is left to fail. */
static void each_call(cl_int code) {
    static results expected;
    calls = (struct calls){0};
    weft_device *d = weft_open("serial");
    work(d, &expected);
    ck_assert_int_eq(weft_check(d), WEFT_OK);
    weft_close(d);
    long k = 1;
    do {
        check_run(&expected, k, code);
    } while (calls.failed && k++ < 100000);
    ck_assert_int_gt(k, briefly || doubles ? 50 : 200);
}

START_TEST(from_disk) {
    const char *base = getenv("WEFT_CACHE_DIR");
    char folder[1024], command[1100];
    snprintf(folder, sizeof folder, "%s.faults-%ld", base ? base : "cache",
             (long)getpid()); /* the staged test runs beside */
    setenv("WEFT_CACHE_DIR", folder, 1);
    briefly = 0;
    each_call(CL_OUT_OF_RESOURCES);
    doubles = 1;
    each_call(CL_OUT_OF_RESOURCES);
    doubles = 0;
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}
END_TEST

START_TEST(from_text) {
    setenv("WEFT_CACHE_DIR", "/dev/null/none", 1);
    briefly = 1;
    each_call(CL_INVALID_VALUE);
}
END_TEST

/* What uses f64 is not launched, and all else is. */
START_TEST(without_f64) {
    setenv("WEFT_CACHE_DIR", "/dev/null/none", 1);
    calls = (struct calls){.no_f64 = 1};
    weft_device *d = weft_open("opencl");
    const weft_array words = weft_array_new(d, WEFT_U32, 3);
    const weft_array x = weft_array_new(d, WEFT_F64, 3);
    weft_for_each(d, 3, faults_double, .x = words);
    ck_assert_int_eq(calls.launched, 1);
    weft_for_each(d, 3, doubles_twice, .x = x);
    ck_assert_int_eq(calls.launched, 1);
    ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
    weft_close(d);
    ck_assert_int_eq(calls.live, 0);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {from_disk, from_text, without_f64};
    return suite_main("opencl faults", tests, sizeof tests / sizeof *tests);
}
