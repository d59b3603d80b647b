/* Fourier transforms of real numbers on a grid of three axes, and back. */
#ifndef WEFT_FOURIER_H
#define WEFT_FOURIER_H

#include "array.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WEFT_FOURIER_MOST = 1 << 20 };

typedef enum weft_fourier_direction {
    WEFT_FOURIER_FORWARD = 0, /* from real to spectrum */
    WEFT_FOURIER_INVERSE = 1  /* from spectrum to real */
} weft_fourier_direction;

/* The real numbers of the spectrum of a grid: 2 n[0] n[1] (n[2] / 2 + 1). */
WEFT_API int64_t weft_fourier_length(const int64_t n[3]);

/* The smallest even side of at least `least` that can be transformed: a product of 2, 3, 5
 * and 7. 0 where it would be above WEFT_FOURIER_MOST. */
WEFT_API int64_t weft_fourier_side(int64_t least);

/* The discrete Fourier transform of a grid of real numbers x, or its inverse:
 *   forward  S[a][b][c] = sum over i, j, k of
 *                x[i][j][k] exp(-2 pi I (a i / n[0] + b j / n[1] + c k / n[2]))
 *   inverse  x[i][j][k] = the same sum over all a, b, c of S[a][b][c] exp(+2 pi I (...))
 * Forward and then inverse multiplies by n[0] n[1] n[2]. Only c = 0 .. n[2] / 2 is kept;
 * the others are S[-a][-b][-c], conjugate, indices taken modulo the sides. Where both lie
 * in planes that are kept (c = 0 and n[2] / 2), the inverse takes half of each.
 *   n         sides 1 .. WEFT_FOURIER_MOST, products of 2, 3, 5 and 7, n[2] even
 *   real      [n[0] n[1] n[2]] f32 or f64, the last axis fastest
 *   spectrum  [weft_fourier_length] of the same type: real and imaginary part of each
 *             number, side by side, the last axis fastest; apart from `real`
 * What is transformed keeps its values forward; the inverse leaves the spectrum undefined.
 * The error is a few 2^-24 (2^-53) of the root mean square of the result, times the
 * logarithm of their number.
 * Cost: for each axis a pass over all for each factor, 16 and 4 being one, one more for the
 * last axis, and scratch of the spectrum's size; on CPUs, for sides of up to some
 * thousands, one pass for each axis, and scratch of 8 times 16 lines a thread.
 * Repeats: bit for bit on every backend. The factors of the sums, sines and cosines, come
 * from the C library, in long double where that is wider.
 * Errors: WEFT_E_ARGUMENT (n; a direction that there is not), WEFT_E_TYPE, WEFT_E_SHAPE,
 * WEFT_E_MEMORY.
 * Source: Stockham's autosort, as in Van Loan, "Computational frameworks for the fast
 * Fourier transform", 1992, section 1.7; Press, Teukolsky, Vetterling and Flannery,
 * "Numerical Recipes in C", 1992, section 12.3, for two real numbers in a complex one. */
WEFT_API weft_status weft_fourier_transform(weft_device *device, const int64_t n[3],
                                            weft_fourier_direction direction,
                                            weft_array real, weft_array spectrum);

/* Parts of that, for grids that several processes share. The planes and then the lines
 * along the first axis are the transform, and the other way round the inverse, to the bit.
 *
 * Each plane by itself: axes n[1] and n[2] alone, n[0] 0 .. WEFT_FOURIER_MOST; all else as
 * above. */
WEFT_API weft_status weft_fourier_planes(weft_device *device, const int64_t n[3],
                                         weft_fourier_direction direction, weft_array real,
                                         weft_array spectrum);

/* Lines of complex numbers, side by side, in place.
 *   n        numbers of a line: as a side above
 *   lines    0 or more
 *   numbers  [n][lines] complex, as two f32 or f64 each
 * Cost: a pass over all for each factor, 16 and 4 being one, and scratch of the numbers'
 * size; on CPUs as above. Repeats and errors: as above. */
WEFT_API weft_status weft_fourier_lines(weft_device *device, int64_t n, int64_t lines,
                                        weft_fourier_direction direction,
                                        weft_array numbers);

#ifdef __cplusplus
}
#endif
#endif
