/* The most bound particle of each halo. */
#include "centers.h"
#include "command.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/mbp.h>

static double coordinate(const struct snapshot_particles *particles, int64_t k) {
    const void *at = particles->field[SNAPSHOT_COORDINATES];
    return particles->bytes[SNAPSHOT_COORDINATES] == 4 ? (double)((const float *)at)[k]
                                                       : ((const double *)at)[k];
}

static void add_columns(struct halos_run *run, weft_array particle, weft_array potential) {
    const int64_t n = run->halos.count, *ids = run->particles.field[SNAPSHOT_IDS];
    uint32_t *index = halos_allocate(run, n, sizeof *index);
    int64_t *id = halos_allocate(run, n, sizeof *id);
    double *position = halos_allocate(run, 3 * n, sizeof *position);
    if (index == NULL || id == NULL || position == NULL ||
        weft_read(run->device, particle, index) != WEFT_OK) {
        free(index);
        free(id);
        free(position);
        return;
    }
    for (int64_t h = 0; h < n; ++h) {
        id[h] = ids ? ids[index[h]] : (int64_t)index[h];
        for (int axis = 0; axis < 3; ++axis)
            position[3 * h + axis] =
                coordinate(&run->particles, 3 * (int64_t)index[h] + axis);
    }
    free(index);
    snprintf(run->potential_unit, sizeof run->potential_unit, "%s / %s",
             run->info.mass_unit, run->info.length_unit);
    halos_keep_column(run, "mbp_id", CATALOGUE_I64, 1, "1", "id of the most bound particle",
                      id);
    halos_keep_column(run, "mbp_position", CATALOGUE_F64, 3, run->info.length_unit,
                      "position of the most bound particle, as in the snapshot", position);
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
