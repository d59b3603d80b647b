/* Potentials on grids, for the finder of Poisson centers. */
#ifndef WEFT_ALGORITHMS_POISSON_H
#define WEFT_ALGORITHMS_POISSON_H

#include "mbp.h"

/* Makes of densities on cubes of n^3 grid points, [cubes n^3] f32, depths: the solution of
 *   6 d[i][j][k] - the sum of d at the 6 points next to it = density[i][j][k]
 * with d = 0 at all points beyond the cube. */
void poisson_solve(weft_device *device, i64 n, weft_array cubes);

/* Drops those candidates of which bounds prove that they are not the most bound ones.
 *   flags   [slots] u32, not 0 for candidates */
void poisson_narrow(weft_device *device, const mbp_slots *slots, f64 softening,
                    weft_array flags);

#endif
