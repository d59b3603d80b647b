/* Ranks of --devices where GPUs have files in /dev: each sees its own. The files, the
 * driver and the ranks are the test's own. */
#define _POSIX_C_SOURCE 200809L
#include "cli/launch/devices.h"
#include "cli/launch/launch.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int gpus;          /* that have files */
static int asked;         /* how often the driver was */
static int started;       /* ranks */
static bool is_rank;      /* what this process is */
static const char *seen;  /* CUDA_VISIBLE_DEVICES as the driver begins */
static const char *local; /* this rank's place on the machine */

/* The linker puts these in the places of access, weft_devices, ... */
int __wrap_access(const char *path, int how);
int64_t __wrap_weft_devices(weft_device_info *info, int64_t capacity);
bool __wrap_launch_is_rank(void);
int __wrap_launch_ranks(int ranks, bool read_input);

int __wrap_access(const char *path, int how) {
    char name[32];
    ck_assert_int_eq(how, R_OK | W_OK);
    for (int k = 0; k < gpus; ++k) {
        snprintf(name, sizeof name, "/dev/nvidia%d", k);
        if (strcmp(path, name) == 0)
            return 0;
    }
    return -1;
}

/* One GPU, as a rank that sees its own has it. */
int64_t __wrap_weft_devices(weft_device_info *info, int64_t capacity) {
    ++asked;
    seen = getenv("CUDA_VISIBLE_DEVICES");
    if (capacity > 0)
        info[0] = (weft_device_info){.backend = "opencl", .is_gpu = 1};
    return 1;
}

bool __wrap_launch_is_rank(void) {
    return is_rank;
}

int __wrap_launch_ranks(int ranks, bool read_input) {
    (void)read_input;
    started = ranks;
    return 7;
}

/* The driver of a rank begins; the process that ends waits for that. */
static void begin(const char *rank, const char *ranks) {
    is_rank = true;
    local = rank;
    if (rank) {
        setenv("OMPI_COMM_WORLD_LOCAL_RANK", rank, 1);
        setenv("OMPI_COMM_WORLD_LOCAL_SIZE", ranks, 1);
    }
    devices_begin();
}

static void driver_saw_own(void) {
    if (asked != 1 || seen == NULL || strcmp(seen, local) != 0)
        _exit(3);
}

static void driver_saw_all(void) {
    if (asked != 1 || seen != NULL)
        _exit(3);
}

START_TEST(each_sees_its_own) {
    gpus = 3;
    atexit(driver_saw_own); /* after what devices_begin does then */
    begin(_i == 0 ? "0" : "2", "3");
    ck_assert_str_eq(getenv("CUDA_VISIBLE_DEVICES"), local);
}
END_TEST

START_TEST(it_has_one_alone) {
    gpus = 2;
    begin("1", "2");
    ck_assert(devices_have_own());
}
END_TEST

START_TEST(fewer_files_than_ranks) {
    gpus = 2;
    atexit(driver_saw_all);
    begin("1", "3");
    ck_assert_ptr_null(getenv("CUDA_VISIBLE_DEVICES"));
}
END_TEST

START_TEST(no_files) {
    atexit(driver_saw_all);
    begin("1", "2");
    ck_assert_ptr_null(getenv("CUDA_VISIBLE_DEVICES"));
    ck_assert(!devices_have_own() && asked <= 1);
}
END_TEST

START_TEST(one_rank_alone) {
    gpus = 1;
    begin("0", "1");
    ck_assert_ptr_null(getenv("CUDA_VISIBLE_DEVICES"));
}
END_TEST

START_TEST(another_launcher) {
    gpus = 2;
    begin(NULL, NULL);
    ck_assert_ptr_null(getenv("CUDA_VISIBLE_DEVICES"));
}
END_TEST

START_TEST(what_people_chose_stays) {
    gpus = 2;
    setenv("CUDA_VISIBLE_DEVICES", "5,7", 1);
    begin("1", "2");
    ck_assert_str_eq(getenv("CUDA_VISIBLE_DEVICES"), "5,7");
    ck_assert(!devices_have_own());
}
END_TEST

START_TEST(no_rank_begins_nothing) {
    gpus = 2;
    devices_begin();
    ck_assert_ptr_null(getenv("CUDA_VISIBLE_DEVICES"));
    ck_assert_int_eq(asked, 0);
}
END_TEST

/* The command starts ranks, and leaves the driver to them, if files tell that there are so
 * many GPUs. */
START_TEST(driver_is_not_asked) {
    const struct shared_options options = {.backend = "opencl", .devices = 2};
    int status = 0;
    gpus = 2 - _i;
    ck_assert(devices_start(&options, false, &status));
    ck_assert_int_eq(asked > 0, _i);
    ck_assert_int_eq(started, _i == 0 ? 2 : 0);
    ck_assert_int_eq(status, _i == 0 ? 7 : 1);
}
END_TEST

/* One device of several GPUs is the first; its driver, which begins later, sees no more. */
START_TEST(one_sees_the_first) {
    const struct shared_options options = {.backend = "opencl", .devices = _i};
    int status = 0;
    gpus = 4;
    ck_assert(!devices_start(&options, false, &status));
    ck_assert_str_eq(getenv("CUDA_VISIBLE_DEVICES"), "0");
    ck_assert(asked == 0 && started == 0 && status == 0);
}
END_TEST

START_TEST(others_see_all) {
    const struct shared_options options[] = {{.backend = "opencl", .device = "2"},
                                             {.backend = "pthreads"},
                                             {.backend = "opencl"},
                                             {.backend = "opencl"},
                                             {.backend = "opencl"},
                                             {.backend = NULL},
                                             {.backend = "opencl", .devices = -1}};
    int status = 0;
    gpus = _i == 2 ? 1 : 4;
    if (_i == 3)
        setenv("WEFT_DEVICE", "3", 1);
    if (_i == 4)
        setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    if (_i == 5)
        setenv("WEFT_BACKEND", "opencl:1", 1);
    ck_assert(!devices_start(&options[_i], false, &status));
    ck_assert_ptr_null(getenv("CUDA_VISIBLE_DEVICES"));
}
END_TEST

int main(void) {
    unsetenv("CUDA_VISIBLE_DEVICES");
    unsetenv("OMPI_COMM_WORLD_LOCAL_RANK");
    unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    Suite *suite = suite_create("devices of ranks");
    TCase *group = tcase_create("devices of ranks");
    tcase_add_loop_test(group, each_sees_its_own, 0, 2);
    tcase_add_test(group, it_has_one_alone);
    tcase_add_test(group, fewer_files_than_ranks);
    tcase_add_test(group, no_files);
    tcase_add_test(group, one_rank_alone);
    tcase_add_test(group, another_launcher);
    tcase_add_test(group, what_people_chose_stays);
    tcase_add_test(group, no_rank_begins_nothing);
    tcase_add_loop_test(group, driver_is_not_asked, 0, 2);
    tcase_add_loop_test(group, one_sees_the_first, 0, 2);
    tcase_add_loop_test(group, others_see_all, 0, 7);
    suite_add_tcase(suite, group);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_FORK); /* a process is a rank once */
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
