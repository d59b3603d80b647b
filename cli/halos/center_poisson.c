/* The most bound of the particles near the deepest point of a potential on a grid. */
#include "centers.h"
#include "cli/command.h"
#include "cli/progress.h"

#include <string.h>
#include <weft/poisson.h>

int center_poisson(struct halos_run *run) {
    weft_device *device = run->device;
    const double softening = run->options.softening;
    weft_poisson_options options = {
        .softening = softening > 0 ? softening : 0,
        .particle_mass = run->particles.mass,
        .grid = run->options.poisson_grid,
        .boundary = run->options.poisson_open ? WEFT_POISSON_OPEN : WEFT_POISSON_ZERO};
    memcpy(options.box, run->period, sizeof options.box);
    const weft_array mass = halos_lend(run, SNAPSHOT_MASSES);
    const weft_array particle = weft_array_new(device, WEFT_U32, run->halos.count);
    const weft_array potential = weft_array_new(device, WEFT_F64, run->halos.count);
    weft_poisson(device, &run->points, mass, &options, &run->halos, particle, potential);
    centers_add_particle(run, "poisson_id", "id of the particle at the Poisson center",
                         "poisson_position",
                         "position of the particle at the Poisson center, as in the "
                         "snapshot",
                         particle);
    centers_add_potential(run, "poisson_potential", potential);
    weft_array_free(device, particle);
    weft_array_free(device, potential);
    halos_take_back(run, mass);
    return weft_check(device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s", weft_error(device));
}
