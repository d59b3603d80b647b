/* Halos from labels, and what follows from them, for all particles at once or for those of
 * a part. */
#include "cli/halos/centers/centers.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "halos.h"
#include "cli/halos/centers/together.h"

int halos_group(struct halos_run *run, weft_array labels) {
    weft_device *device = run->device;
    halos_show(run, "grouping halos");
    halos_keep_lent(run, true);
    const weft_array ids = halos_lend(run, SNAPSHOT_IDS);
    weft_halos_group(device, labels, ids, run->options.min_members, &run->halos);
    halos_take_back(run, ids);
    timings_end(&run->timings, TIMINGS_GROUP,
                run->particles.n * (4 + (ids.type ? 8 : 0)) + 4 * run->halos.members);
    if (weft_check(device) == WEFT_OK)
        return CLI_DONE;
    halos_keep_lent(run, false);
    return progress_fail(CLI_FAULT, "%s: %s", run->options.snapshot,
                         progress_error(device));
}

int halos_describe(struct halos_run *run) {
    int status = halos_measure(run);
    if (status == CLI_DONE)
        status = together_choose(run);
    if (status == CLI_DONE)
        status = centers_find(run, run->options.centers);
    if (status == CLI_DONE)
        status = halos_so_find(run);
    if (status == CLI_DONE)
        status = halos_subhalos_find(run);
    if (status == CLI_DONE)
        status = halos_so_find_subhalos(run);
    if (status == CLI_DONE && halos_needs_labels(run)) {
        halos_label(run);
        if (weft_check(run->device) != WEFT_OK)
            status = progress_fail(CLI_FAULT, "%s", progress_error(run->device));
    }
    halos_keep_lent(run, false);
    return status;
}

void halos_lend_points(struct halos_run *run) {
    run->position = halos_lend(run, SNAPSHOT_COORDINATES);
    run->points = weft_points_interleaved(run->device, run->position);
}
