/* Which device is taken, and what is said where there is none or its compiler says no. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include "calls.h"
#include "choice.kernel.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

WEFT_KERNEL(choice_refused, (out, u32, x))

static weft_device_info info[64];
static int found;

static void list(void) {
    weft_device_info all[64];
    const i64 count = weft_devices(all, 64);
    found = 0;
    for (i64 k = 0; k < count && k < 64; k++)
        if (strcmp(all[k].backend, "opencl") == 0)
            info[found++] = all[k];
    ck_assert_int_gt(found, 0);
}

static void expect(const char *name, int number) {
    device = weft_open(name);
    test_ok();
    ck_assert_str_eq(weft_backend_name(device), "opencl");
    char whole[256];
    snprintf(whole, sizeof whole, "%.*s (%s)", 95, info[number].name,
             info[number].platform);
    ck_assert_str_eq(weft_device_name(device), whole);
    ck_assert_int_eq(weft_concurrency(device), info[number].compute_units);
    weft_close(device);
}

static void refuse(const char *name, const char *words) {
    device = weft_open(name);
    test_expect_error(WEFT_E_BACKEND, words);
    ck_assert_int_eq(weft_check(device), WEFT_E_BACKEND);
    weft_close(device);
}

START_TEST(by_number) {
    list();
    for (int k = 0; k < found; k++) {
        char name[32];
        ck_assert_int_eq(info[k].number, k);
        snprintf(name, sizeof name, "opencl:%d", k);
        expect(name, k);
    }
    refuse("opencl:99", "no OpenCL device is '99'");
    refuse("opencl:-1", "no OpenCL device is '-1'");
}
END_TEST

START_TEST(by_name) {
    list();
    char name[160] = "opencl:";
    for (size_t k = 0; k < 12 && info[0].name[k]; k++)
        name[7 + k] = (char)toupper((unsigned char)info[0].name[k]);
    expect(name, 0);
    refuse("opencl:no such device", "no OpenCL device is 'no such device'");
}
END_TEST

START_TEST(by_environment) {
    list();
    setenv("WEFT_DEVICE", "0", 1);
    expect("opencl", 0);
    setenv("WEFT_DEVICE", "nothing like it", 1);
    refuse("opencl", "as WEFT_DEVICE says");
    expect("opencl:0", 0);
    unsetenv("WEFT_DEVICE");
}
END_TEST

START_TEST(a_gpu_first) {
    list();
    int best = 0, defaults = 0;
    for (int k = found; k-- > 0;)
        if (info[k].is_gpu)
            best = k;
    for (int k = 0; k < found; k++)
        defaults += info[k].is_default;
    expect("opencl", best);
    ck_assert_int_eq(defaults, 1);
    ck_assert_int_eq(info[best].is_default, 1);
    ck_assert_uint_gt(info[best].memory, 0);
    ck_assert_uint_gt(info[best].largest_group, 0);
    ck_assert_str_ne(info[best].driver, "");
}
END_TEST

static void expect_none(const char *words) {
    weft_device_info some[64];
    refuse("opencl", words);
    refuse("opencl:0", words);
    for (i64 k = weft_devices(some, 64); k-- > 0;)
        ck_assert_str_ne(some[k].backend, "opencl");
    calls = (struct calls){0};
}

/* Not every loader can be told to look for drivers elsewhere. */
START_TEST(no_driver) {
    calls.no_platform = 1;
    expect_none("no OpenCL driver is installed");
    calls.no_device = 1;
    expect_none("OpenCL drivers of this machine has a device");
}
END_TEST

/* By what a device is, and not by how many units it has. */
START_TEST(by_type) {
    static const struct {
        cl_device_type type;
        cl_uint units;
        weft_style style;
    } known[] = {{CL_DEVICE_TYPE_CPU, 2, WEFT_SIMD},
                 {CL_DEVICE_TYPE_CPU, 128, WEFT_SIMD},
                 {CL_DEVICE_TYPE_GPU, 24, WEFT_SIMT},
                 {CL_DEVICE_TYPE_GPU, 132, WEFT_SIMT},
                 {CL_DEVICE_TYPE_ACCELERATOR, 1, WEFT_SIMT}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        calls.type = known[k].type;
        calls.units = known[k].units;
        device = weft_open("opencl:0");
        test_ok();
        ck_assert_int_eq(weft_device_style(device), known[k].style);
        ck_assert_int_eq(weft_concurrency(device), known[k].units);
        weft_close(device);
    }
    calls.type = 0;
    calls.units = 0;
}
END_TEST

START_TEST(refused_kernel) {
    device = weft_open("opencl");
    const weft_array x = weft_array_new(device, WEFT_U32, 5);
    weft_for_each(device, 5, choice_refused, .x = x);
    ck_assert_int_eq(weft_check(device), WEFT_E_BUILD);
    const char *says = weft_error(device);
    ck_assert_msg(strncmp(says, "choice_refused", 14) == 0, "%s", says);
    ck_assert_msg(strstr(says, "choice.kernel.h:13") != NULL, "%s", says);
    weft_clear(device);
    weft_for_each(device, 5, choice_refused, .x = x);
    ck_assert_int_eq(weft_check(device), WEFT_E_BUILD);
    weft_close(device);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {no_driver,   by_number, by_name,       by_environment,
                                  a_gpu_first, by_type,   refused_kernel};
    return suite_main("opencl choice", tests, sizeof tests / sizeof *tests);
}
