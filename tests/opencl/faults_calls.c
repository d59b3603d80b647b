/* Every fifth OpenCL call that a primitive makes, and with WEFT_TEST=all every one (of
 * arguments that it gives, every eighth), fails in turn: an error with a sentence or a
 * result that is right, and no object left behind; after some of them the device, once
 * cleared, works again. */
#define _POSIX_C_SOURCE 200809L
#include "calls.h"
#include "suite.h"
#include "in_turn/in_turn.h"

#include <stdio.h>
#include <string.h>

/* What drivers keep for themselves until the process ends is not ours to free. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libpocl\nleak:libLLVM\nleak:libclang\nleak:libOpenCL\n";
}

static in_turn_result undisturbed(const char *backend, int which) {
    weft_device *d = weft_open(backend);
    const in_turn_result result = in_turn_work(d, which);
    weft_close(d);
    return result;
}

static void check_run(int which, const in_turn_result *right, long fail_at) {
    calls = (struct calls){.fail_at = fail_at, .code = CL_OUT_OF_RESOURCES, .sparing = 1};
    weft_device *d = weft_open("opencl");
    const int opened = weft_check(d) == WEFT_OK;
    const in_turn_result got = in_turn_work(d, which);
    char failed[200];
    snprintf(failed, sizeof failed, "%s, call %ld, %s", in_turn_name(which), fail_at,
             calls.failed ? calls.failed : "none");
    if (got.status == WEFT_OK)
        ck_assert_msg(memcmp(got.number, right->number, sizeof got.number) == 0,
                      "%s: a wrong result", failed);
    else
        ck_assert_msg(strlen(weft_error(d)) > 20, "%s: '%s'", failed, weft_error(d));
    if (opened && calls.failed && fail_at % 4 == 1) {
        weft_clear(d);
        const in_turn_result again = in_turn_work(d, which);
        ck_assert_msg(again.status == WEFT_OK, "%s, cleared: %s", failed, weft_error(d));
        ck_assert_msg(memcmp(again.number, right->number, sizeof again.number) == 0,
                      "%s: a wrong result once cleared", failed);
    }
    weft_close(d);
    ck_assert_msg(calls.live == 0, "%s: %ld objects are left", failed, calls.live);
}

START_TEST(each_call) {
    for (int which = 0; which < IN_TURN_WORKS; which++) {
        const in_turn_result right = undisturbed("serial", which);
        calls = (struct calls){0};
        undisturbed("opencl", which); /* compiles what is then found in the cache */
        ck_assert_int_eq(right.status, WEFT_OK);
        const long step = test_is_whole() ? 1 : 5;
        long k = 1 + which % step;
        do {
            check_run(which, &right, k);
        } while (calls.failed && (k += step) < 100000);
        ck_assert_int_gt(k, 20);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {each_call};
    return suite_main("opencl faults of calls", tests, sizeof tests / sizeof *tests);
}
