/* The lattice that particles began on: of all, or of this rank's slab. */
#include "cli/command.h"
#include "cli/progress.h"
#include "sheet.h"

static int find_whole(struct sheet_run *run) {
    weft_lattice *lattice = &run->lattice;
    const int64_t *sides = run->options.lattice;
    const struct sheet_lent lent = sheet_lend(run);
    weft_lattice_find(run->device, &lent.points, lent.id, sides[0] ? sides : NULL,
                      run->info.box, lattice);
    sheet_take_back(run, &lent);
    run->whole = (weft_lattice){.n = {lattice->n[0], lattice->n[1], lattice->n[2]},
                                .separation = lattice->separation};
    run->cubes = run->info.n;
    return weft_check(run->device) == WEFT_OK ? CLI_DONE : sheet_fail(run);
}

/* The velocities of sites, and their unit. */
static void take_velocities(struct sheet_run *run) {
    weft_device *device = run->device;
    const struct snapshot_particles *particles = &run->particles;
    const int64_t n = 3 * particles->n;
    if (particles->field[SNAPSHOT_VELOCITIES] == NULL || run->cubes == 0)
        return;
    const weft_array given = weft_borrow_const(
        device, particles->bytes[SNAPSHOT_VELOCITIES] == 4 ? WEFT_F32 : WEFT_F64,
        particles->field[SNAPSHOT_VELOCITIES], n);
    run->velocity = weft_array_new(device, WEFT_F64, n);
    weft_lattice_take(device, &run->lattice, given, run->velocity);
    run->density.speed = weft_sheet_speed(device, run->velocity);
    weft_return(device, given);
}

int sheet_find_lattice(struct sheet_run *run) {
    const int bytes = run->particles.bytes[SNAPSHOT_COORDINATES];
    if (run->device)
        progress_show("%s: %s · the lattice", weft_backend_name(run->device),
                      weft_device_name(run->device));
    int status = run->slabs ? sheet_find_slab(run) : find_whole(run);
    weft_device *device = run->device;
    if (status == CLI_DONE)
        take_velocities(run);
    timings_end(&run->timings, TIMINGS_UPLOAD, run->particles.n * (3 * bytes + 8 + 28));
    snapshot_free(&run->particles);
    weft_array_free(device, run->lattice.particle); /* no more vectors are taken */
    run->lattice.particle = (weft_array){0};
    if (device) /* where all went well */
        weft_memory_trim(device);
    if (status == CLI_DONE && weft_check(device) != WEFT_OK)
        status = sheet_fail(run);
    status = parallel_meet(run->comm, status);
    if (status == CLI_DONE && !comm_reduce_f64(run->comm, &run->density.speed, 1, COMM_MAX))
        status = parallel_stop(run->comm);
    return status;
}
