/* Runs tests that open their own devices. */
#ifndef WEFT_TESTS_OPENCL_SUITE_H
#define WEFT_TESTS_OPENCL_SUITE_H

#include "harness.h"

int suite_main(const char *name, const TTest *const *tests, int count);

/* Called before and after each test, where set. */
extern void (*suite_setup)(void), (*suite_teardown)(void);

#endif
