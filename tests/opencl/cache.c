/* Compiled programs are taken from disk, and whatever is wrong there only costs time. */
#define _XOPEN_SOURCE 700
#include "suite.h"
#include "calls.h"
#include "faults.kernel.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

WEFT_KERNEL(faults_double, (inout, u32, x))
WEFT_GENERATOR(faults_head, u32, (value, u32, every))

static char folder[1024];

/* One launch on a fresh device; how many programs were compiled for it. */
static long compile_count(void) {
    u32 host[100], out[100];
    for (u32 i = 0; i < 100; i++)
        host[i] = i;
    calls = (struct calls){0};
    device = weft_open("opencl");
    const weft_array x = test_array(WEFT_U32, host, 100);
    weft_for_each(device, 100, faults_double, .x = x);
    weft_read(device, x, out);
    test_ok();
    for (u32 i = 0; i < 100; i++)
        ck_assert_uint_eq(out[i], 2 * i);
    weft_close(device);
    ck_assert_int_eq(calls.live, 0);
    return calls.compiled;
}

/* Calls `with` for each file of the folder; how many there are. */
static int each_file(void (*with)(const char *path)) {
    int count = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open));) {
        char path[2048];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (*entry->d_name == '.')
            continue;
        count++;
        if (with)
            with(path);
    }
    if (open)
        closedir(open);
    return count;
}

static void erase(const char *path) {
    ck_assert_int_eq(remove(path), 0);
}

static void empty(const char *path) {
    ck_assert_int_eq(truncate(path, 0), 0);
}

static void cut(const char *path) {
    struct stat about;
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_int_eq(truncate(path, about.st_size - 1), 0);
}

static void lengthen(const char *path) {
    struct stat about;
    ck_assert_int_eq(stat(path, &about), 0);
    ck_assert_int_eq(truncate(path, about.st_size + 7), 0);
}

static long flip_at;

static void flip(const char *path) {
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    struct stat about;
    ck_assert_int_eq(stat(path, &about), 0);
    const long at = flip_at < about.st_size ? flip_at : about.st_size / 2;
    fseek(file, at, SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ 0x20, file);
    fclose(file);
}

static void make_folder_of(const char *path) {
    erase(path);
    ck_assert_int_eq(mkdir(path, 0700), 0);
}

static void setup(void) {
    const char *base = getenv("WEFT_CACHE_DIR");
    snprintf(folder, sizeof folder, "%s.cache-test", base ? base : "cache");
    setenv("WEFT_CACHE_DIR", folder, 1);
    each_file(erase);
}

static void teardown(void) {
    each_file(erase);
    rmdir(folder);
    char *base = strdup(folder);
    base[strlen(base) - strlen(".cache-test")] = '\0';
    setenv("WEFT_CACHE_DIR", base, 1);
    free(base);
}

START_TEST(second_time) {
    ck_assert_int_eq(compile_count(), 1);
    ck_assert_int_eq(each_file(NULL), 1);
    ck_assert_int_eq(compile_count(), 0);
    ck_assert_int_eq(calls.loaded, 1);
    ck_assert_int_eq(each_file(NULL), 1);
}
END_TEST

START_TEST(damage) {
    void (*const damages[])(const char *) = {empty, cut, lengthen, flip, flip, flip, flip};
    const long flips[] = {0, 0, 0, 0, 9, 30, 1 << 30};
    compile_count();
    for (int k = 0; k < 7; k++) {
        flip_at = flips[k];
        ck_assert_int_eq(each_file(damages[k]), 1);
        ck_assert_msg(compile_count() == 1, "damage %d was not seen", k);
        ck_assert_msg(compile_count() == 0, "damage %d was not mended", k);
    }
}
END_TEST

static int write_bits;

static void let_others_write(const char *path) {
    ck_assert_int_eq(chmod(path, (mode_t)(0600 | write_bits)), 0);
}

static void give_away(const char *path) {
    ck_assert_int_eq(chown(path, 65534, 65534), 0);
}

/* What others can write, or have written, is compiled anew. */
START_TEST(of_others) {
    const int bits[] = {0020, 0002, 0};
    compile_count();
    for (int k = 0; k < 3; k++) {
        write_bits = bits[k];
        ck_assert_int_eq(each_file(let_others_write), 1);
        ck_assert_int_eq(compile_count(), bits[k] != 0);
    }
    if (geteuid() != 0)
        return;
    ck_assert_int_eq(each_file(give_away), 1);
    ck_assert_int_eq(compile_count(), 1);
    ck_assert_int_eq(compile_count(), 0);
}
END_TEST

START_TEST(not_a_file) {
    compile_count();
    ck_assert_int_eq(each_file(make_folder_of), 1);
    ck_assert_int_eq(compile_count(), 1);
    ck_assert_int_eq(each_file(NULL), 1);
}
END_TEST

START_TEST(no_folder) {
    setenv("WEFT_CACHE_DIR", "/dev/null/below/a/file", 1);
    ck_assert_int_eq(compile_count(), 1);
    ck_assert_int_eq(compile_count(), 1);
}
END_TEST

START_TEST(a_binary_of_another_driver) {
    compile_count();
    calls.fail_at = 0;
    /* The checksum is right and the driver says no. */
    for (long k = 1; k < 200; k++) {
        calls = (struct calls){.fail_at = k, .code = CL_INVALID_BINARY};
        weft_device *d = weft_open("opencl");
        u32 host[4] = {1, 2, 3, 4};
        const weft_array x = weft_array_new(d, WEFT_U32, 4);
        weft_write(d, x, host);
        weft_for_each(d, 4, faults_double, .x = x);
        weft_read(d, x, host);
        const int about_binaries =
            calls.failed && strcmp(calls.failed, "clCreateProgramWithBinary") == 0;
        if (about_binaries) {
            ck_assert_int_eq(weft_check(d), WEFT_OK);
            ck_assert_int_eq(calls.compiled, 1);
            ck_assert_uint_eq(host[3], 8);
        }
        weft_close(d);
        if (about_binaries)
            return;
    }
    ck_abort_msg("no binary was loaded");
}
END_TEST

/* One launch on a fresh device of that style, of two programs where `both`, with what the
 * last one used loaded ahead; waits until so many are. */
static void run_ahead(const char *style, int both, long awaited) {
    u32 host[4] = {1, 2, 3, 4};
    calls = (struct calls){0};
    setenv("WEFT_STYLE", style, 1);
    device = weft_open("opencl");
    unsetenv("WEFT_STYLE");
    weft_load_ahead(device, "some task");
    for (int k = 0; k < 10000 && *(volatile long *)&calls.loaded < awaited; k++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    ck_assert_int_eq(calls.loaded, awaited);
    const weft_array x = test_array(WEFT_U32, host, 4);
    weft_for_each(device, 4, faults_double, .x = x);
    if (both)
        weft_copy(device, weft_lazy(4, faults_head, .every = 3), x);
    weft_read(device, x, host);
    test_ok();
    ck_assert_uint_eq(host[3], both ? 1 : 8);
    weft_close(device);
    ck_assert_int_eq(calls.live, 0);
}

/* Loaded once, by the thread: what the last process used, no more and no less. */
START_TEST(ahead) {
    run_ahead("simt", 0, 0);
    ck_assert_int_eq(calls.compiled, 1);
    ck_assert_int_eq(each_file(NULL), 2);
    run_ahead("simt", 1, 1);
    const long programs = calls.compiled + calls.loaded;
    ck_assert_int_gt(programs, 1);
    ck_assert_int_eq(each_file(NULL), programs + 1);
    run_ahead("simt", 0, programs);
    ck_assert_int_eq(calls.compiled + calls.loaded, programs);
    run_ahead("simt", 0, 1);
    ck_assert_int_eq(calls.compiled + calls.loaded, 1);
    ck_assert_int_eq(each_file(NULL), programs + 1);
    run_ahead("simd", 0, 0);
    ck_assert_int_eq(each_file(NULL), programs + 1);
}
END_TEST

/* A damaged list is none, and one of programs that are gone, or damaged, loads none. */
START_TEST(ahead_of_damage) {
    void (*const damages[])(const char *) = {empty, cut, lengthen, flip, flip};
    run_ahead("simt", 0, 0);
    for (int k = 0; k < 5; k++) {
        flip_at = k == 3 ? 30 : 1 << 30;
        each_file(damages[k]);
        run_ahead("simt", 0, 0);
        ck_assert_msg(calls.compiled == 1, "damage %d was not seen", k);
        run_ahead("simt", 0, 1);
        ck_assert_int_eq(calls.compiled, 0);
    }
}
END_TEST

START_TEST(ahead_of_nothing) {
    setenv("WEFT_CACHE_DIR", "/dev/null/below/a/file", 1);
    run_ahead("simt", 0, 0);
    device = weft_open("opencl");
    ck_assert_int_eq(weft_load_ahead(device, NULL), WEFT_E_ARGUMENT);
    weft_close(device);
}
END_TEST

/* One copy on a fresh device that checks; how many programs were built for it. */
static long built_count(void) {
    u32 out[4];
    calls = (struct calls){0};
    device = weft_open("checking");
    const weft_array x = weft_array_new(device, WEFT_U32, 4);
    weft_copy(device, weft_lazy(4, faults_head, .every = 3), x);
    weft_read(device, x, out);
    test_ok();
    ck_assert_uint_eq(out[3], 1);
    weft_close(device);
    ck_assert_int_eq(calls.live, 0);
    return calls.compiled + calls.loaded;
}

/* What the checking backend only compiles is built once a process, with or without files.
 */
START_TEST(checked_once) {
    setenv("WEFT_CHECKING_OPENCL", "yes", 1);
    ck_assert_int_eq(built_count(), 1);
    ck_assert_int_eq(built_count(), 0);
    setenv("WEFT_CACHE_DIR", "/dev/null/below/a/file", 1);
    ck_assert_int_eq(built_count(), 0);
}
END_TEST

static int has_checking(void) {
    weft_device *d = weft_open("checking");
    const int has = weft_check(d) == WEFT_OK;
    weft_close(d);
    return has;
}

int main(void) {
    const TTest *const tests[] = {
        second_time, ahead,      ahead_of_damage, ahead_of_nothing,           damage,
        of_others,   not_a_file, no_folder,       a_binary_of_another_driver, checked_once};
    const int count = sizeof tests / sizeof *tests;
    suite_setup = setup;
    suite_teardown = teardown;
    return suite_main("opencl cache", tests, has_checking() ? count : count - 1);
}
