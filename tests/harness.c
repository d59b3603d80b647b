#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

weft_device *device;
static const char *backend;
/* On OpenCL tests open queues beside this one: PoCL loads its library for each context
 * anew, in 0.8 s. */
static weft_device *kept;

const i64 test_sizes[] = {0,    1,    2,    63,    64,    65,    255,   256,   257,   1000,
                          1023, 1024, 1025, 2047,  2048,  2049,  4095,  4096,  4097,  8191,
                          8192, 8193, 9999, 16383, 16385, 65535, 65536, 65537, 100003};
const int test_size_count = sizeof test_sizes / sizeof *test_sizes;

int first_kind = 0, kind_step = 1;

static int is_opencl(void) {
    return backend && strncmp(backend, "opencl", 6) == 0;
}

int test_is_whole(void) {
    const char *asked = getenv("WEFT_TEST");
    return asked && strcmp(asked, "all") == 0;
}

static void choose_kinds(const char *suite) {
    if (!backend || strcmp(backend, "serial") == 0 || test_is_whole())
        return;
    const int simt = getenv("WEFT_STYLE") != NULL; /* other ones in the style of GPUs */
    kind_step = is_opencl() ? 5 : strncmp(backend, "pthreads", 8) == 0 ? 3 : 6;
    first_kind = ((int)strlen(suite) + simt) % kind_step;
}

static void open_device(void) {
    if (is_opencl() && !kept)
        kept = weft_open(backend);
    device = kept ? weft_open_queue(kept) : weft_open(backend);
    ck_assert_msg(weft_check(device) == WEFT_OK, "%s", weft_error(device));
}

static void close_device(void) {
    test_ok();
    weft_close(device);
    device = NULL;
}

int test_main(int argc, char **argv, const char *name, const TTest *const *tests,
              int count) {
    backend = argc > 1 ? argv[1] : NULL;
    choose_kinds(name);
    Suite *suite = suite_create(name);
    TCase *group = tcase_create(backend ? backend : "default");
    tcase_add_checked_fixture(group, open_device, close_device);
    tcase_set_timeout(group, 0);
    for (int k = 0; k < count; k++)
        tcase_add_test(group, tests[k]);
    suite_add_tcase(suite, group);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    weft_close(kept);
    kept = NULL;
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

u64 test_random(u64 *state) {
    u64 x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

weft_array test_array(weft_type type, const void *host, i64 n) {
    const weft_array array = weft_array_new(device, type, n);
    if (n > 0)
        weft_write(device, array, host);
    test_ok();
    return array;
}

void test_expect_error(weft_status status, const char *words) {
    ck_assert_int_eq(weft_check(device), status);
    ck_assert_msg(strstr(weft_error(device), words) != NULL, "'%s' lacks '%s'",
                  weft_error(device), words);
    weft_clear(device);
}
