/* Sine transforms of many cubes at once, which solve Poisson's equation in boxes on whose
 * faces the potential is zero. */
#ifndef WEFT_SINE_TRANSFORM_H
#define WEFT_SINE_TRANSFORM_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_SINE_TRANSFORM_MOST = 511 };

/* The discrete sine transform of the first kind (DST-I, FFTW's RODFT00) of each cube, along
 * all three axes, in place:
 *   x[i][j][k] = 8 sum over p, q, r of x[p][q][r] sin(pi (i + 1) (p + 1) / (n + 1))
 *                    sin(pi (j + 1) (q + 1) / (n + 1)) sin(pi (k + 1) (r + 1) / (n + 1))
 * It is its own inverse up to a factor: applied twice it multiplies by (2 (n + 1))^3.
 *   n       1 .. WEFT_SINE_TRANSFORM_MOST; fastest if n + 1 is a power of two
 *   cubes   [cubes n^3] f32, one cube after the other, the last axis fastest
 * The error is a few 2^-24 times the root mean square of a cube times sqrt(n^3).
 * Cost: if the library was built with them, FFTW on the host and clFFT on OpenCL GPUs for n
 * above 64, O(n^3 log n) per cube; otherwise three products with the matrix of sines,
 * O(n^4), which are faster on OpenCL for small n. Scratch of up to twice the cubes, and of
 * 32 MiB.
 * Repeats: on one backend, with any number of threads; by matrices bit for bit everywhere.
 * FFTW has one planner for the whole process: a program that plans transforms of its own in
 * another thread at the same time must call fftwf_make_planner_thread_safe first.
 * Errors: WEFT_E_ARGUMENT (n), WEFT_E_TYPE, WEFT_E_SHAPE (not whole cubes), WEFT_E_MEMORY.
 * Source: Press, Teukolsky, Vetterling and Flannery, "Numerical Recipes in C", 1992,
 * sections 12.3 and 19.4. */
WEFT_API weft_status weft_sine_transform(weft_device *device, int64_t n, weft_array cubes);

#ifdef __cplusplus
}
#endif
#endif
