/* Pieces of work that tests run again and again, while in turn each of what they ask for
 * fails: allocations, or OpenCL's calls. */
#ifndef WEFT_TESTS_IN_TURN_H
#define WEFT_TESTS_IN_TURN_H

#include <weft/short_names.h>
#include <weft/weft.h>

enum { IN_TURN_WORKS = 15, IN_TURN_RESULTS = 6 };

typedef struct in_turn_result {
    weft_status status;
    i64 used; /* bytes of scratch and arrays that are left */
    i64 number[IN_TURN_RESULTS];
} in_turn_result;

/* A piece of work, and its name. */
in_turn_result in_turn_work(weft_device *device, int which);
const char *in_turn_name(int which);

#endif
