/* The most bound particle of each halo. */
#include "centers.h"
#include "command.h"
#include "progress.h"

#include <string.h>
#include <weft/mbp.h>

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
    centers_add_particle(run, "mbp_id", "id of the most bound particle", "mbp_position",
                         "position of the most bound particle, as in the snapshot",
                         particle);
    centers_add_potential(run, "mbp_potential", potential);
    weft_array_free(device, particle);
    weft_array_free(device, potential);
    halos_take_back(run, mass);
    return weft_check(device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s", weft_error(device));
}
