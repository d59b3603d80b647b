/* The snapshot or the density, and what of it a spectrum needs. */
#include "cli/command.h"
#include "cli/outputs/names.h"
#include "cli/notes/inside.h"
#include "cli/notes/left_out.h"
#include "cli/outputs/outputs.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "io/files/fingerprint.h"
#include "io/files/numbers.h"
#include "io/files/path.h"
#include "power.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/fourier.h>

static const char *input_of(const struct power_run *run) {
    return run->options.density ? run->options.density : run->options.snapshot;
}

static int check_outputs(struct power_run *run, const struct snapshot *snapshot) {
    struct io_error error;
    char *stem = names_stem(input_of(run), snapshot && run->info.n_parts > 1);
    run->output = stem ? names_output(run->options.output, stem, ".power.csv") : NULL;
    free(stem);
    if (run->output == NULL)
        return progress_fail(CLI_FAULT, "out of memory: the name of the output");
    const char *const paths[] = {run->output, run->options.shared.timings};
    for (int k = 0; k < 2; ++k) {
        if (paths[k] && (snapshot ? snapshot_has_part(snapshot, paths[k])
                                  : io_same_output(input_of(run), paths[k])))
            return outputs_refuse_input(paths[k]);
    }
    if (!outputs_named("--output", run->options.output, "CSV", &error))
        return progress_fail(CLI_USAGE, "%s", error.text);
    return outputs_check(paths, 2);
}

static int check_box(const struct power_run *run) {
    struct io_error error;
    for (int axis = 0; axis < 3; ++axis) {
        if (!(run->info.box[axis] > 0 && run->info.periodic[axis]))
            return progress_fail(CLI_FAULT,
                                 "%s has no periodic box, which a power spectrum needs "
                                 "along each axis: --assume box=L gives a file one",
                                 input_of(run));
        if (!range_length(input_of(run), "the box", run->info.box[axis], &error))
            return progress_fail(CLI_FAULT, "%s", error.text);
    }
    return CLI_DONE;
}

int power_settle(struct power_run *run) {
    int64_t n = run->options.grid, side = 1;
    while (side * side * side < run->info.n)
        ++side;
    if (n != 0 && weft_fourier_side(n) != n)
        return progress_fail(CLI_USAGE,
                             "--grid: %" PRId64 " is no even product of 2, 3, 5 and 7: the "
                             "next one is %" PRId64,
                             n, weft_fourier_side(n));
    n = n ? n : weft_fourier_side(2 * side < 4 ? 4 : 2 * side);
    for (int axis = 0; axis < 3; ++axis) {
        run->asked.n[axis] = n;
        run->asked.box[axis] = run->info.box[axis];
    }
    run->asked.window = run->options.window ? run->options.window : WEFT_MESH_PCS;
    run->asked.plain = run->options.plain;
    return CLI_DONE;
}

static int read_particles(struct power_run *run, struct snapshot *snapshot) {
    struct snapshot_particles *particles = &run->particles;
    const struct comm *comm = run->comm;
    const unsigned fields = 1u << SNAPSHOT_COORDINATES | 1u << SNAPSHOT_MASSES;
    struct io_error error;
    const int64_t n = run->info.n, first = io_share(n, comm->rank, comm->size);
    const int64_t count = io_share(n, comm->rank + 1, comm->size) - first;
    progress_show("reading %" PRId64 " particles", count);
    snapshot_set_threads(snapshot, comm->threads);
    snapshot_tell(snapshot, progress_part);
    if (n == 0)
        return progress_fail(CLI_FAULT, "%s has no particles", input_of(run));
    const bool done = comm->size > 1 ? snapshot_read_slice(snapshot, first, count, fields,
                                                           particles, &error)
                                     : snapshot_read(snapshot, fields, particles, &error);
    if (!done ||
        !range_positions(input_of(run), particles->field[SNAPSHOT_COORDINATES],
                         particles->bytes[SNAPSHOT_COORDINATES], 3, particles->first,
                         particles->n, particles->low, particles->high, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    return CLI_DONE;
}

/* Reads them, and says what of the box is odd. */
static int take_in(struct power_run *run, struct snapshot *snapshot) {
    const struct snapshot_particles *particles = &run->particles;
    const int status = parallel_meet(run->comm, read_particles(run, snapshot));
    if (status == CLI_DONE &&
        !inside_tell(run->comm, input_of(run), particles->field[SNAPSHOT_COORDINATES],
                     run->info.bytes[SNAPSHOT_COORDINATES], 3, particles->n, particles->low,
                     particles->high, run->info.box, run->info.length_unit))
        return parallel_stop(run->comm);
    timings_end(&run->timings, TIMINGS_READ,
                particles->n * (3 * particles->bytes[SNAPSHOT_COORDINATES] +
                                particles->bytes[SNAPSHOT_MASSES]));
    return status;
}

/* After a step of all ranks: whether all read the same, and the device of each. */
static int open_device(struct power_run *run, int status, uint64_t fingerprint) {
    status = parallel_meet(run->comm, status);
    if (status == CLI_DONE)
        status = parallel_same(run->comm, input_of(run), fingerprint);
    if (status == CLI_DONE)
        run->device = parallel_open(&run->options.shared, run->comm, 0, &status);
    return parallel_meet(run->comm, status);
}

static int read_snapshot(struct power_run *run) {
    struct io_error error;
    struct snapshot *snapshot = snapshot_open(run->options.snapshot, &error);
    if (snapshot == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    run->info = *snapshot_info(snapshot);
    int status = run->comm->rank == 0 ? check_outputs(run, snapshot) : CLI_DONE;
    if (status == CLI_DONE)
        status = check_box(run);
    if (status == CLI_DONE)
        status = power_settle(run);
    status = open_device(run, status, snapshot_fingerprint(snapshot));
    if (status == CLI_DONE)
        left_out_tell(run->options.snapshot, run->info.count);
    if (status == CLI_DONE)
        status = take_in(run, snapshot);
    snapshot_close(snapshot);
    return status;
}

static int inspect_density(struct power_run *run) {
    struct io_error error;
    if (!density_inspect(run->options.density, &run->density, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    for (int axis = 0; axis < 3; ++axis) {
        run->asked.n[axis] = run->density.grid[axis];
        run->asked.box[axis] = run->info.box[axis] = run->density.box[axis];
        run->info.periodic[axis] = true;
    }
    run->asked.window = WEFT_MESH_NGP; /* means over cells */
    snprintf(run->info.length_unit, sizeof run->info.length_unit, "%s",
             run->density.length_unit);
    return check_box(run);
}

/* All of it, or the planes of this rank. */
static int read_planes(struct power_run *run) {
    struct io_error error;
    const struct slabs slabs = slabs_of(run->comm, run->asked.n, WEFT_F64);
    const struct slab planes = slabs_planes(&slabs, run->comm->rank);
    if (!density_read(run->options.density, planes.first, planes.count, &run->density,
                      &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    timings_end(&run->timings, TIMINGS_READ,
                8 * planes.count * run->asked.n[1] * run->asked.n[2]);
    return CLI_DONE;
}

static int read_density(struct power_run *run) {
    int status = run->comm->rank == 0 ? check_outputs(run, NULL) : CLI_DONE;
    if (status == CLI_DONE)
        status = inspect_density(run);
    status = open_device(run, status,
                         fingerprint_file(0, run->options.density, FINGERPRINT_BLOCKS));
    return status == CLI_DONE ? read_planes(run) : status;
}

int power_read(struct power_run *run) {
    progress_show("opening %s", input_of(run));
    return run->options.density ? read_density(run) : read_snapshot(run);
}
