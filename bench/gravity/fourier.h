/* The row of the mesh's Fourier transform. */
#ifndef WEFT_BENCH_GRAVITY_FOURIER_H
#define WEFT_BENCH_GRAVITY_FOURIER_H

#include "bench/bench.h"

bool bench_wants_fourier(const struct bench *bench);

/* Forward, of f32, of a cube of random numbers of so many points along each axis. */
bool bench_fourier(struct bench *bench, i64 side);

#endif
