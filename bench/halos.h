/* What the halo rows compute, for their checks. */
#ifndef WEFT_BENCH_HALOS_H
#define WEFT_BENCH_HALOS_H

#include "bench.h"

/* A task's settings. Its in[0] are the positions, [3n] f32 or f64 interleaved. */
struct halos_settings {
    f64 linking_length;
    f64 box[3]; /* 0: not periodic */
};

/* Whether out[0] [n] u32 names for each particle the smallest index in its group: by
 * another finder, sequential and plain, on cells in a hash table. */
bool check_fof(const struct task *task);

#endif
