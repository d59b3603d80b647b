#ifndef WEFT_TESTS_SO_PART_H
#define WEFT_TESTS_SO_PART_H

#include "harness.h"

/* Spheres of particles near the centers alone. */
const TTest *part_is_known(void);
const TTest *part_is_known_around_one(void);

#endif
