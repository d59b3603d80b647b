/* The most bound particle of each halo. */
#include "centers.h"
#include "together.h"

#include <stdlib.h>
#include <weft/mbp.h>

static weft_mbp_options options_of(const struct halos_run *run) {
    const double softening = run->options.softening;
    return (weft_mbp_options){.softening = softening > 0 ? softening : 0};
}

static struct together_best look(struct halos_run *run, const struct together_halo *halo) {
    weft_device *device = run->device;
    const weft_mbp_options options = options_of(run);
    weft_bodies bodies = halos_bodies(run, halo->mass);
    bodies.points = halo->points;
    const weft_array particle = weft_scratch(device, WEFT_U32, 1);
    const weft_array potential = weft_scratch(device, WEFT_F64, 1);
    weft_mbp_share(device, &bodies, &options, &halo->halo, run->comm.rank, run->comm.size,
                   particle, potential);
    struct together_best best = {0, UINT32_MAX};
    weft_read(device, particle, &best.member);
    weft_read(device, potential, &best.merit);
    best.merit = -best.merit;
    return best;
}

/* Of large halos, which come first. */
static void find_together(struct halos_run *run, weft_array particle,
                          weft_array potential) {
    weft_device *device = run->device;
    struct together_best *best = together_find(run, look);
    for (int64_t h = 0; best && h < run->together; ++h) {
        const double phi = -best[h].merit;
        weft_write(device, weft_slice(device, particle, h, 1), &best[h].member);
        weft_write(device, weft_slice(device, potential, h, 1), &phi);
    }
    free(best);
}

static void find(struct halos_run *run, weft_array particle, weft_array potential) {
    weft_device *device = run->device;
    const weft_mbp_options options = options_of(run);
    const int64_t skip = run->together;
    const weft_array mass = halos_lend(run, SNAPSHOT_MASSES);
    const weft_bodies bodies = halos_bodies(run, mass);
    weft_scope_open(device);
    const weft_halos rest = together_rest(run);
    weft_mbp(device, &bodies, &options, &rest,
             weft_slice(device, particle, skip, rest.count),
             weft_slice(device, potential, skip, rest.count));
    weft_scope_close(device);
    find_together(run, particle, potential);
    halos_take_back(run, mass);
}

extern const struct center center_mbp;
const struct center center_mbp = {
    .name = "mbp",
    .columns = {{"mbp_id", 1, HALOS_NO_UNIT, "id of the most bound particle", NULL},
                {"mbp_position", 3, HALOS_LENGTH,
                 "position of the most bound particle, as in the snapshot", NULL},
                {"mbp_potential", 1, HALOS_POTENTIAL, centers_potential, NULL}},
    .number = WEFT_F64,
    .softened = true,
    .find = find,
};
