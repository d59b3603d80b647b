/* What the test programs share. A program's first argument names the backend it tests. */
#ifndef WEFT_TESTS_HARNESS_H
#define WEFT_TESTS_HARNESS_H

#include "assertions.h"

#include <weft/short_names.h>
#include <weft/weft.h>

/* Opened afresh for each test, and closed after it; a test that leaves it with an error
 * fails. */
extern weft_device *device;

/* Runs a suite whose test cases take their device from here. */
int test_main(int argc, char **argv, const char *name, const TTest *const *tests,
              int count);

/* The sizes at which every primitive is tested: small ones, and around tiles and blocks. */
extern const i64 test_sizes[];
extern const int test_size_count;

/* Whether WEFT_TEST=all asks for what takes long, too. */
int test_is_whole(void);

/* Loops over types, or cases that take long, take every `kind_step`-th from `first_kind`
 * on: on the serial backend all; on threads, which run the same loops, a third; where each
 * access is looked at (checking) a sixth; where each type is a program to compile (opencl)
 * a fifth; others in each suite. All of them, wherever it is, if test_is_whole. */
extern int first_kind, kind_step;

/* A repeatable random number, uniform in 0 .. 2^64 - 1. */
u64 test_random(u64 *state);

/* An array with a copy of host[0 .. n); freed with the device. */
weft_array test_array(weft_type type, const void *host, i64 n);

/* That the call failed so, with a sentence that contains `words`; clears the error. */
void test_expect_error(weft_status status, const char *words);

/* That the device has no error. */
#define test_ok() ck_assert_msg(weft_check(device) == WEFT_OK, "%s", weft_error(device))

#endif
