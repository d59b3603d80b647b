/* Particles for the halo rows: a snapshot's positions, its box repeated. */
#ifndef WEFT_BENCH_SNAPSHOT_H
#define WEFT_BENCH_SNAPSHOT_H

#include "bench/bench.h"

struct particles {
    f64 *position; /* [n][3]; exact for files of f32 and f64 alike */
    i64 n;
    f64 box[3];     /* of all copies together */
    f64 separation; /* the mean one */
};

/* Reads the file and lays `tile` copies of its box along each axis, or as many as `most`
 * particles need, then keeps that many, evenly chosen (0: all). False and a sentence on
 * standard error where it cannot. */
bool particles_read(struct particles *particles, const char *path, i64 tile, i64 most);
void particles_free(struct particles *particles);

#endif
