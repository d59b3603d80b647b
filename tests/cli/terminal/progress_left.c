/* The time that is left, by a clock and a terminal of the test's own. */
#include "cli/progress.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static time_t seconds; /* what the clock says */

/* The linker puts these in the places of clock_gettime and isatty. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_isatty(int file);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
    (void)clock;
    *time = (struct timespec){.tv_sec = seconds};
    return 0;
}

int __wrap_isatty(int file) {
    return file == STDERR_FILENO;
}

static FILE *kept; /* what standard error is here */

/* What is shown once this much is done; nothing is shown twice. */
static void expect(int64_t done, int64_t total, const char *line) {
    char text[512] = "";
    rewind(kept);
    ck_assert_int_eq(ftruncate(fileno(kept), 0), 0);
    progress_part(done, total);
    rewind(kept);
    const char *shown =
        fread(text, 1, sizeof text - 1, kept) > 0 ? strstr(text, "\r\033[K") : NULL;
    ck_assert_str_eq(shown != NULL ? shown + 4 : "", line);
}

static void start(void) {
    seconds = 100;
    progress_start("test", false);
    progress_show("sorting");
}

START_TEST(none_within_the_first_second) {
    start();
    expect(1, 4, "sorting: 25 %");
    seconds += 1;
    expect(2, 4, "sorting: 50 %");
}
END_TEST

START_TEST(what_is_left) {
    start();
    seconds += 10;
    expect(1, 4, "sorting: 25 %, 0:30 left");
    expect(1, 4, ""); /* as before */
    seconds += 55;
    expect(1, 2, "sorting: 50 %, 1:05 left");
    seconds += 35;
    expect(300, 301, "sorting: 99 %, 0:01 left"); /* rounded up */
    expect(4, 4, "sorting: 100 %, 0:00 left");
}
END_TEST

START_TEST(hours) {
    start();
    seconds += 100;
    expect(1, 100, "sorting: 1 %, 2 h 45 min left");
    expect(100, 3700, "sorting: 2 %, 1 h 00 min left");
}
END_TEST

START_TEST(each_stage_has_its_own) {
    start();
    seconds += 60;
    expect(1, 2, "sorting: 50 %, 1:00 left");
    progress_show("linking");
    expect(1, 2, "linking: 50 %");
    seconds += 5;
    expect(5, 6, "linking: 83 %, 0:01 left");
}
END_TEST

START_TEST(nothing_to_do_is_not_shown) {
    start();
    seconds += 10;
    expect(0, 0, "");
    expect(0, 4, "sorting: 0 %");
    progress_end();
    expect(1, 4, "");
}
END_TEST

START_TEST(quiet_is_quiet) {
    start();
    progress_start("test", true);
    seconds += 10;
    expect(1, 4, "");
}
END_TEST

int main(void) {
    kept = tmpfile();
    if (kept == NULL || dup2(fileno(kept), STDERR_FILENO) < 0)
        return 2;
    Suite *suite = suite_create("time left");
    TCase *group = tcase_create("time left");
    tcase_add_test(group, none_within_the_first_second);
    tcase_add_test(group, what_is_left);
    tcase_add_test(group, hours);
    tcase_add_test(group, each_stage_has_its_own);
    tcase_add_test(group, nothing_to_do_is_not_shown);
    tcase_add_test(group, quiet_is_quiet);
    suite_add_tcase(suite, group);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    fclose(kept);
    return failed != 0;
}
