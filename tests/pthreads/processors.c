/* Quotas of control groups, from files as the kernel writes them, and from others. */
#define _GNU_SOURCE
#include "harness.h"
#include "backends/pthreads/processors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char both[] =
    "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
    "30 22 0:26 / /v2 rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
    "31 22 0:27 / /v1/cpuset rw - cgroup cgroup rw,cpuset\n"
    "32 22 0:28 / /v1/cpu rw,nosuid - cgroup cgroup rw,cpuacct,cpu\n";

static char top[64]; /* stands for the root of the file system */

/* Writes TOP/NAME, with the folders that it needs. */
static void put(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", top, name);
    for (char *at = path + strlen(top) + 1; (at = strchr(at, '/')) != NULL; *at++ = '/') {
        *at = '\0';
        mkdir(path, 0700);
    }
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void new_top(void) {
    strcpy(top, "/tmp/weft-processors-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(top));
}

static void remove_top(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", top);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(version_2) {
    static const char here[] = "0::/user/job\n";
    static const struct {
        const char *text;
        i64 processors;
    } cases[] = {{"max 100000\n", 0},
                 {"200000 100000\n", 2},
                 {"200001 100000\n", 3},
                 {"50000 100000\n", 1},
                 {"1000 100000\n", 1},
                 {"150000 50000", 3},
                 {"", 0},
                 {"nonsense", 0},
                 {"100000", 0},
                 {"100000 0\n", 0},
                 {"-1 100000\n", 0},
                 {"100000 -5\n", 0},
                 {"9223372036854775807 1\n", 9223372036854775807},
                 {"99999999999999999999 99999999999999999999\n", 1}};
    new_top();
    ck_assert_int_eq(processors_quota(here, both, top), 0); /* no files at all */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        put("v2/user/job/cpu.max", cases[k].text);
        ck_assert_int_eq(processors_quota(here, both, top), cases[k].processors);
    }
    put("v2/user/job/cpu.max", "max 100000\n"); /* groups above count too */
    put("v2/user/cpu.max", "300000 100000\n");
    ck_assert_int_eq(processors_quota(here, both, top), 3);
    put("v2/user/job/cpu.max", "500000 100000\n");
    ck_assert_int_eq(processors_quota(here, both, top), 3);
    put("v2/cpu.max", "100000 100000\n");
    ck_assert_int_eq(processors_quota(here, both, top), 1);
    ck_assert_int_eq(processors_quota("0::/\n", both, top), 1);
    remove_top();
}
END_TEST

START_TEST(version_1) {
    static const char here[] = "9:cpuset:/other\n3:cpu,cpuacct:/job/step\n";
    new_top();
    put("v1/cpuset/other/cpu.cfs_quota_us", "100000\n");
    put("v1/cpuset/other/cpu.cfs_period_us", "100000\n");
    ck_assert_int_eq(processors_quota(here, both, top), 0);
    put("v1/cpu/job/step/cpu.cfs_quota_us", "-1\n");
    put("v1/cpu/job/step/cpu.cfs_period_us", "100000\n");
    ck_assert_int_eq(processors_quota(here, both, top), 0);
    put("v1/cpu/job/step/cpu.cfs_quota_us", "450000\n");
    ck_assert_int_eq(processors_quota(here, both, top), 5);
    put("v1/cpu/job/cpu.cfs_quota_us", "400000\n"); /* without a period: no quota */
    ck_assert_int_eq(processors_quota(here, both, top), 5);
    put("v1/cpu/job/cpu.cfs_period_us", "100000\n");
    ck_assert_int_eq(processors_quota(here, both, top), 4);
    /* Both versions at once: the smaller one. */
    put("v2/box/cpu.max", "200000 100000\n");
    ck_assert_int_eq(processors_quota("3:cpu:/job\n0::/box\n", both, top), 2);
    remove_top();
}
END_TEST

/* In a container a part of the hierarchy is mounted. */
START_TEST(within_a_container) {
    static const char part[] = "30 22 0:26 /docker/7f /v2 ro - cgroup2 cgroup rw\n";
    new_top();
    put("v2/cpu.max", "400000 100000\n");
    put("v2/job/cpu.max", "200000 100000\n");
    ck_assert_int_eq(processors_quota("0::/docker/7f/job\n", part, top), 2);
    ck_assert_int_eq(processors_quota("0::/docker/7f\n", part, top), 4);
    ck_assert_int_eq(processors_quota("0::/docker/7fff\n", part, top), 4);
    ck_assert_int_eq(processors_quota("0::/../sibling\n", part, top), 4);
    ck_assert_int_eq(processors_quota("0::/\n", part, top), 4);
    remove_top();
}
END_TEST

START_TEST(texts_of_no_sense) {
    static const char *const texts[] = {"",
                                        "\n\n",
                                        "0",
                                        "0:",
                                        "0::",
                                        ":::\n",
                                        "1:cpu\n",
                                        "x:cpu:",
                                        "0::no/slash\n",
                                        " - cgroup2 a b\n",
                                        "1 2 3 4 - cgroup2\n",
                                        "30 22 0:26 / /v2 - cgroup2 cgroup2 rw"};
    enum { TEXTS = sizeof texts / sizeof *texts, LONG = 20000 };
    static char long_line[LONG + 1];
    new_top();
    memset(long_line, '/', LONG);
    for (int a = 0; a < TEXTS; a++) {
        for (int b = 0; b < TEXTS; b++)
            ck_assert_int_eq(processors_quota(texts[a], texts[b], top), 0);
        ck_assert_int_eq(processors_quota(texts[a], both, top), 0);
        ck_assert_int_eq(processors_quota(texts[a], long_line, top), 0);
    }
    memcpy(long_line, "0::", 3);
    ck_assert_int_eq(processors_quota(long_line, both, top), 0);
    ck_assert_int_ge(team_processors(), 1);
    remove_top();
}
END_TEST

int main(int argc, char **argv) {
    const TTest *const tests[] = {version_2, version_1, within_a_container,
                                  texts_of_no_sense};
    return test_main(argc, argv, "processors", tests, sizeof tests / sizeof *tests);
}
