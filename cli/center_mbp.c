/* The most bound particle of each halo. */
#include "centers.h"
#include "command.h"
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <weft/mbp.h>

static void add_columns(struct halos_run *run, weft_array particle, weft_array potential) {
    snprintf(run->potential_unit, sizeof run->potential_unit, "%s / %s",
             run->info.mass_unit, run->info.length_unit);
    centers_add_particle(run, "mbp_id", "id of the most bound particle", "mbp_position",
                         "position of the most bound particle, as in the snapshot",
                         particle);
    halos_add_column(
        run, "mbp_potential", 1, run->potential_unit,
        "its potential, the sum of -m / sqrt(r^2 + softening^2) over the other "
        "members",
        potential);
}

int center_mbp(struct halos_run *run) {
    weft_device *device = run->device;
    const double softening = run->options.softening;
    weft_mbp_options options = {.softening = softening > 0 ? softening : 0,
                                .particle_mass = run->particles.mass};
    memcpy(options.box, run->period, sizeof options.box);
    const weft_array mass = halos_lend(run, SNAPSHOT_MASSES);
    const weft_array particle = weft_array_new(device, WEFT_U32, run->halos.count);
    const weft_array potential = weft_array_new(device, WEFT_F64, run->halos.count);
    weft_mbp(device, &run->points, mass, &options, &run->halos, particle, potential);
    add_columns(run, particle, potential);
    weft_array_free(device, particle);
    weft_array_free(device, potential);
    halos_take_back(run, mass);
    return weft_check(device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s", weft_error(device));
}
