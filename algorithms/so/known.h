/* Spheres that weft_so found, as what another call is given. */
#ifndef WEFT_SO_KNOWN_H
#define WEFT_SO_KNOWN_H

#include "algorithms/so/around/task.h"

/* That spheres are of so many centers and of the options' densities, of which `threshold`
 * is one. The task goes by what was kept of them. */
void so_known_check(weft_device *device, const weft_so_options *options, i64 centers,
                    const weft_so_spheres *spheres, i64 threshold, so_task *task);

/* Those of one threshold, [centers]: masses, radii and counts in place; and in scratch the
 * squared distances up to which particles are inside, below 0 where there is no sphere. */
typedef struct so_known {
    weft_array mass, radius, count, reach2;
} so_known;

so_known so_known_of(weft_device *device, const so_task *task,
                     const weft_so_spheres *spheres, i64 threshold);

#endif
