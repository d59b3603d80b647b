/* Devices: opening, naming, and living side by side. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"
#include "device.kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

WEFT_KERNEL(device_square, (inout, u32, x))

START_TEST(names) {
    ck_assert_int_gt((int)strlen(weft_backend_name(device)), 0);
    ck_assert_int_gt((int)strlen(weft_device_name(device)), 0);
    ck_assert_int_ge((int)weft_concurrency(device), 1);
    ck_assert_str_eq(weft_error(device), "");
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR,
             WEFT_VERSION_PATCH);
    ck_assert_str_eq(weft_version(), version);
}
END_TEST

static void expect_failed_open(const char *name, weft_status status, const char *words) {
    weft_device *failed = weft_open(name);
    u32 host[2] = {7, 7};
    ck_assert_ptr_nonnull(failed);
    ck_assert_int_eq(weft_check(failed), status);
    ck_assert_msg(strstr(weft_error(failed), words) != NULL, "'%s' lacks '%s'",
                  weft_error(failed), words);
    weft_clear(failed);
    ck_assert_int_eq(weft_check(failed), status);
    ck_assert_str_eq(weft_backend_name(failed), "none");
    const weft_array x = weft_array_new(failed, WEFT_U32, 2);
    ck_assert_int_eq(weft_for_each(failed, 2, device_square, .x = x), status);
    ck_assert_int_eq(weft_write(failed, x, host), status);
    ck_assert_int_eq(weft_synchronize(failed), status);
    weft_memory_trim(failed);
    weft_array_free(failed, x);
    weft_close(failed);
}

START_TEST(unknown) {
    expect_failed_open("nonsense", WEFT_E_BACKEND, "no backend 'nonsense' is built in");
    expect_failed_open(":", WEFT_E_BACKEND, "no backend '' is built in");
    expect_failed_open("serial:3", WEFT_E_BACKEND, "serial");
    expect_failed_open("Serial", WEFT_E_BACKEND, "no backend 'Serial' is built in");
    char long_name[600];
    memset(long_name, 'w', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    expect_failed_open(long_name, WEFT_E_BACKEND, "no backend 'www");
}
END_TEST

/* A name comes before the environment, and that before the build's default. */
START_TEST(environment) {
    const char *mine = weft_backend_name(device);
    setenv("WEFT_BACKEND", mine, 1);
    weft_device *same = weft_open(NULL);
    ck_assert_str_eq(weft_backend_name(same), mine);
    weft_close(same);
    setenv("WEFT_BACKEND", "nonsense", 1);
    expect_failed_open(NULL, WEFT_E_BACKEND, "WEFT_BACKEND: no backend 'nonsense' is");
    expect_failed_open("", WEFT_E_BACKEND, "WEFT_BACKEND: no backend 'nonsense' is");
    weft_device *named = weft_open(mine);
    ck_assert_str_eq(weft_backend_name(named), mine);
    weft_close(named);
    setenv("WEFT_BACKEND", "", 1);
    weft_device *standard = weft_open(NULL);
    ck_assert_msg(weft_check(standard) == WEFT_OK, "%s", weft_error(standard));
    weft_close(standard);
    unsetenv("WEFT_BACKEND");
}
END_TEST

static void expect_style(const char *wanted, weft_style style) {
    setenv("WEFT_STYLE", wanted, 1);
    weft_device *d = weft_open(weft_backend_name(device));
    ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
    ck_assert_int_eq(weft_device_style(d), style);
    weft_close(d);
}

/* Any device works in either style; a word that is none opens nothing. */
START_TEST(styles) {
    const char *before = getenv("WEFT_STYLE");
    expect_style("simt", WEFT_SIMT);
    expect_style("simd", WEFT_SIMD);
    setenv("WEFT_STYLE", "SIMT", 1);
    expect_failed_open(weft_backend_name(device), WEFT_E_BACKEND,
                       "WEFT_STYLE: 'SIMT' is neither simd nor simt");
    unsetenv("WEFT_STYLE");
    weft_device *own = weft_open(weft_backend_name(device));
    const weft_style style = weft_device_style(own);
    weft_close(own);
    if (strcmp(weft_backend_name(device), "opencl") != 0)
        ck_assert_int_eq(style, WEFT_SIMD);
    expect_style("", style);
    if (before)
        setenv("WEFT_STYLE", before, 1);
    else
        unsetenv("WEFT_STYLE");
}
END_TEST

START_TEST(listing) {
    const i64 count = weft_devices(NULL, 0);
    ck_assert_int_ge((int)count, 1);
    weft_device_info *info = calloc((size_t)count + 1, sizeof *info);
    memset(info, '!', ((size_t)count + 1) * sizeof *info);
    ck_assert_int_eq((int)weft_devices(info, count), (int)count);
    ck_assert_int_eq(info[count].backend[0], '!');
    int mine = 0;
    for (i64 k = 0; k < count; k++) {
        mine += strcmp(info[k].backend, weft_backend_name(device)) == 0;
        ck_assert_int_gt((int)strlen(info[k].name), 0);
        ck_assert_uint_ge(info[k].compute_units, 1);
        char words[48];
        snprintf(words, sizeof words, "%.15s:%lld", info[k].backend,
                 (long long)info[k].number);
        weft_device *opened = weft_open(words);
        ck_assert_str_eq(weft_error(opened), "");
        weft_close(opened);
        for (size_t r = 0; r < sizeof info->reserved / sizeof *info->reserved; r++)
            ck_assert_uint_eq(info[k].reserved[r], 0);
    }
    ck_assert_int_ge(mine, 1);
    free(info);
}
END_TEST

static void square_on(weft_device *d, u32 n) {
    u32 *host = malloc(n * sizeof *host);
    for (u32 i = 0; i < n; i++)
        host[i] = i;
    const weft_array x = weft_array_new(d, WEFT_U32, n);
    weft_write(d, x, host);
    for (int times = 0; times < 3; times++)
        weft_for_each(d, n, device_square, .x = x);
    weft_read(d, x, host);
    ck_assert_msg(weft_check(d) == WEFT_OK, "%s", weft_error(d));
    for (u32 i = 0; i < n; i++) {
        const u32 square = i * i, fourth = square * square;
        ck_assert_uint_eq(host[i], fourth * fourth);
    }
    free(host);
}

/* Two devices know nothing of each other: neither memory nor errors. */
START_TEST(side_by_side) {
    weft_device *other = weft_open(weft_backend_name(device));
    square_on(device, 1000);
    weft_fail(other, WEFT_E_DEVICE, "made up");
    square_on(device, 1000);
    weft_clear(other);
    square_on(other, 1000);
    weft_close(other);
    square_on(device, 1000);
}
END_TEST

START_TEST(open_and_close) {
    for (int k = 0; k < 10; k++) {
        weft_device *again = weft_open(weft_backend_name(device));
        square_on(again, 100);
        weft_close(again);
    }
    weft_close(NULL);
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {names,   unknown,      styles,        environment,
                                  listing, side_by_side, open_and_close};
    return test_main(argc, argv, "device", tests, sizeof tests / sizeof *tests);
}
