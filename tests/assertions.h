/* Check, but that an assertion that holds costs its comparison alone: Check's own writes
 * each line that it passes to a file, a call of the system, four million of them in one
 * test. */
#ifndef WEFT_TESTS_ASSERTIONS_H
#define WEFT_TESTS_ASSERTIONS_H

#include <check.h>

#undef ck_assert_msg
#define ck_assert_msg(expr, ...)                                                           \
    ((expr) ? (void)0                                                                      \
            : _ck_assert_failed(__FILE__, __LINE__, "Assertion '" #expr "' failed",        \
                                __VA_ARGS__))

#endif
