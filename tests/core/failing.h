/* An allocator in place of the C library's that fails when it is told to. */
#ifndef WEFT_TESTS_CORE_FAILING_H
#define WEFT_TESTS_CORE_FAILING_H

/* The `after`-th allocation from now on fails (0 is the next), and, if `stays`, every later
 * one; below 0: none. */
void failing_set(long after, int stays);

/* Whether one has failed since. */
int failing_happened(void);

/* Allocations that were not freed yet. */
long failing_live(void);

#endif
