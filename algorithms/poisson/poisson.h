/* Potentials on grids, for the finder of Poisson centers. */
#ifndef WEFT_ALGORITHMS_POISSON_H
#define WEFT_ALGORITHMS_POISSON_H

#include "algorithms/mbp/slots/mbp_slots.h"

/* Makes of densities on cubes of n^3 grid points, [cubes n^3] f32, depths: the solution of
 *   6 d[i][j][k] - the sum of d at the 6 points next to it = density[i][j][k]
 * with d = 0 at all points beyond the cube. */
void poisson_solve(weft_device *device, i64 n, weft_array cubes);

/* The same with nothing beyond the cube but empty space:
 *   d[i] = sum over the points j of density[j] g(|i - j|)
 * with g(r) = 1 / r and g(0) the mean of 1 / r over a cell. No mirror image may see a
 * density: a cube lies in the middle of one of 2 n + 1 points along each axis, and g is cut
 * where two of its points are never apart. Then it is even, sines are its eigenfunctions,
 * and their eigenvalues its symbol.
 *   symbol   of poisson_symbol, scratch: n^4 work, once for cubes of a size */
weft_array poisson_symbol(weft_device *device, i64 n);
void poisson_solve_open(weft_device *device, i64 n, weft_array symbol, weft_array cubes);

static inline i64 poisson_open_side(i64 n) {
    return 2 * n + 1;
}

#endif
