/* What pairs do: space is cut into cells, no smaller than the reach of pairs, and these are
 * shared out by about how many pairs they have, and how long ranks took for theirs, once a
 * step. */
#include "simulate.h"

weft_status simulate_near(struct simulate_run *run, int components, const weft_array *out) {
    bool well = true;
    if (run->near.owner == NULL || run->near_step != run->step) {
        well = visits_cut(&run->comm, run->device, weft_gravity_cubes(run->gravity),
                          run->particles.position, run->near_seconds, &run->near);
        run->near_seconds = 0;
    }
    run->near_step = run->step;
    return well ? simulate_find(run, SIMULATE_NEAR, components, out)
                : simulate_give_up(run);
}
