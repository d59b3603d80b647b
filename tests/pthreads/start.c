/* How many threads: from the name, the environment, the processors, or as many as start. */
#define _GNU_SOURCE
#include "harness.h"
#include "same.kernel.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

WEFT_KERNEL(same_uneven, (value, i64, n), (out, u32, steps))

static int may_start = -1; /* below 0: any number */

/* This one comes before the C library's. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*start)(void *), void *argument) {
    typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (may_start == 0)
        return 11; /* EAGAIN */
    may_start -= may_start > 0;
    void *next = dlsym(RTLD_NEXT, "pthread_create");
    create *real;
    memcpy(&real, &next, sizeof real);
    return real(thread, attributes, start, argument);
}

static void expect_threads(const char *name, i64 threads) {
    char text[32];
    snprintf(text, sizeof text, "%lld thread%s", (long long)threads,
             threads == 1 ? "" : "s");
    weft_device *d = weft_open(name);
    ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
    ck_assert_str_eq(weft_device_name(d), text);
    ck_assert_int_eq(weft_concurrency(d), threads);
    ck_assert_int_eq(weft_device_style(d), WEFT_SIMD);
    enum { N = 5000 };
    const weft_array u = weft_array_new(d, WEFT_U32, N);
    weft_for_each(d, N, same_uneven, .n = N, .steps = u);
    static u32 host[N], expected[N];
    weft_read(d, u, host);
    for (i64 i = 0; i < N; i++)
        same_uneven(i, N, expected);
    ck_assert_mem_eq(host, expected, sizeof host);
    weft_close(d);
}

static void expect_refused(const char *name, const char *words) {
    weft_device *d = weft_open(name);
    ck_assert_int_eq(weft_check(d), WEFT_E_BACKEND);
    ck_assert_msg(strstr(weft_error(d), words) != NULL, "'%s' lacks '%s'", weft_error(d),
                  words);
    weft_close(d);
}

START_TEST(by_name) {
    static const char *const wrong[] = {
        "pthreads:0",   "pthreads:-2",  "pthreads:",
        "pthreads:2x",  "pthreads:two", "pthreads:1025",
        "pthreads:1e3", "pthreads: ",   "pthreads:99999999999999999999"};
    expect_threads("pthreads:1", 1);
    expect_threads("pthreads:5", 5);
    expect_threads("pthreads:64", 64);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        expect_refused(wrong[k], "is not a number of threads");
}
END_TEST

START_TEST(by_environment) {
    setenv("WEFT_NUM_THREADS", "3", 1);
    expect_threads("pthreads", 3);
    expect_threads("pthreads:2", 2);
    setenv("WEFT_NUM_THREADS", "many", 1);
    expect_refused("pthreads", "WEFT_NUM_THREADS: 'many' is not a number of threads");
    setenv("WEFT_NUM_THREADS", "", 1);
    expect_threads("pthreads", weft_concurrency(device));
    unsetenv("WEFT_NUM_THREADS");
}
END_TEST

START_TEST(by_processors) {
    cpu_set_t all, one;
    CPU_ZERO(&one);
    ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
    weft_device *d = weft_open("pthreads"); /* a quota may leave fewer */
    ck_assert_int_ge(weft_concurrency(d), 1);
    ck_assert_int_le(weft_concurrency(d), CPU_COUNT(&all));
    weft_close(d);
    for (size_t k = 0; CPU_COUNT(&one) == 0; k++)
        if (CPU_ISSET(k, &all))
            CPU_SET(k, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    expect_threads("pthreads", 1);
    ck_assert_int_eq(sched_setaffinity(0, sizeof all, &all), 0);
}
END_TEST

START_TEST(as_many_as_start) {
    for (int k = 0; k < 4; k++) {
        may_start = k;
        expect_threads("pthreads:4", k < 3 ? k + 1 : 4);
    }
    may_start = -1;
}
END_TEST

int main(int argc, char **argv) {
    unsetenv("WEFT_NUM_THREADS");
    const TTest *const tests[] = {by_name, by_environment, by_processors, as_many_as_start};
    return test_main(argc, argv, "start", tests, sizeof tests / sizeof *tests);
}
