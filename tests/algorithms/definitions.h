/* The definitions of the algorithms, by brute force, and inputs to try them on. */
#ifndef WEFT_TESTS_DEFINITIONS_H
#define WEFT_TESTS_DEFINITIONS_H

#include <weft/fof.h>
#include "harness.h"

/* Particles of one type on the host. */
typedef struct cloud {
    i64 count;
    int wide; /* f64 */
    f64 *at;  /* [count][3], as f64; with wide = 0 each value is an f32 */
} cloud;

cloud cloud_new(i64 count, int wide);
void cloud_free(cloud *c);
/* Rounds to the cloud's type. */
void cloud_set(cloud *c, i64 i, f64 x, f64 y, f64 z);
/* Clumps of particles in a box of 1, some of them outside of it. */
cloud cloud_clumps(i64 count, int wide, u64 seed);

/* The squared distance of i and j, as it is defined. */
f64 define_squared(const cloud *c, i64 i, i64 j, const f64 box[3]);
/* Whether i and j are friends: the definition. */
int define_friends(const cloud *c, i64 i, i64 j, f64 length, const f64 box[3]);
/* The smallest index of each particle's group; all pairs are looked at. */
void define_fof(const cloud *c, const weft_fof_options *options, u32 *label);

/* weft_fof of a cloud, from interleaved arrays on the device. */
void run_fof(const cloud *c, const weft_fof_options *options, u32 *label);

/* That weft_fof gives what the definition gives. */
void expect_fof(const cloud *c, weft_fof_options options);

#endif
