#include "suite.h"

#include <stdlib.h>

void (*suite_setup)(void), (*suite_teardown)(void);

int suite_main(const char *name, const TTest *const *tests, int count) {
    Suite *suite = suite_create(name);
    TCase *group = tcase_create("opencl");
    tcase_set_timeout(group, 0);
    tcase_add_checked_fixture(group, suite_setup, suite_teardown);
    for (int k = 0; k < count; k++)
        tcase_add_test(group, tests[k]);
    suite_add_tcase(suite, group);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
