/* Squares of modes, with the mesh's window divided out. */
#ifndef POWER_KERNEL_H
#define POWER_KERNEL_H

#include <weft/kernel.h>

/* Integers become f64 where they lie. */
static inline void power_widen(index_t i, GLOBAL f64 *x) {
    x[i] = (f64)(i64)f64_bits(x[i]);
}

/* For each wave number of x, then y, then z: cos, sin and -sin of half a point's phase, and
 * the inverse of the window's square. A product's real part is a sum: see fourier.kernel.h.
 */
typedef struct power_axes {
    GLOBAL const f64 *of;
    i64 nx, ny, nz; /* of the spectrum */
} power_axes;

/* The square of mode t of the spectrum; of its mean with that of the mesh that was filled
 * from half a point further on, where there is one. */
static inline void power_square(index_t t, power_axes a, GLOBAL const f64 *spectrum,
                                GLOBAL const f64 *shifted, GLOBAL f64 *square) {
    const index_t z = t % (index_t)a.nz, row = t / (index_t)a.nz;
    GLOBAL const f64 *wx = a.of + 4 * (row / (index_t)a.ny);
    GLOBAL const f64 *wy = a.of + 4 * ((index_t)a.nx + row % (index_t)a.ny);
    GLOBAL const f64 *wz = a.of + 4 * ((index_t)(a.nx + a.ny) + z);
    f64 re = spectrum[2 * t], im = spectrum[2 * t + 1];
    if (shifted) {
        const f64 cr = wx[0] * wy[0] + wx[1] * wy[2], ci = wx[0] * wy[1] + wx[1] * wy[0];
        const f64 pr = cr * wz[0] + ci * wz[2], pi = cr * wz[1] + ci * wz[0];
        const f64 sr = shifted[2 * t], si = shifted[2 * t + 1];
        re = 0.5 * (re + (pr * sr + pi * -si));
        im = 0.5 * (im + (pr * si + pi * sr));
    }
    square[t] = (re * re + im * im) * (wx[3] * wy[3] * wz[3]);
}

#endif
