/* The snapshot, and what of it a sheet needs. */
#include "cli/backends.h"
#include "cli/command.h"
#include "cli/outputs/names.h"
#include "cli/notes/inside.h"
#include "cli/notes/left_out.h"
#include "cli/plot/plot.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "io/files/numbers.h"
#include "io/files/output.h"
#include "io/files/path.h"
#include "cli/outputs/outputs.h"
#include "sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sheet_fail(const struct sheet_run *run) {
    return progress_fail(CLI_FAULT, "%s: %s", run->options.snapshot,
                         progress_error(run->device));
}

static int check_outputs(struct sheet_run *run, const struct snapshot *snapshot) {
    struct io_error error;
    char *stem = names_stem(run->options.snapshot, run->info.n_parts > 1);
    run->output = stem ? names_output(run->options.output, stem, ".sheet.hdf5") : NULL;
    run->xdmf = run->output && run->options.xdmf ? names_xdmf(run->output) : NULL;
    free(stem);
    if (run->output == NULL || (run->options.xdmf && run->xdmf == NULL))
        return progress_fail(CLI_FAULT, "out of memory: the name of the output");
    const char *const paths[] = {run->output, run->options.shared.timings,
                                 run->options.plot, run->xdmf};
    for (int k = 0; k < 4; ++k) {
        if (paths[k] &&
            (snapshot_has_part(snapshot, paths[k]) ||
             (run->options.halos && io_same_output(run->options.halos, paths[k]))))
            return outputs_refuse_input(paths[k]);
    }
    if (strcmp(run->output, "-") == 0)
        return progress_fail(CLI_USAGE, "-o: HDF5 needs a file, not standard output");
    const int status = outputs_check(paths, 4);
    if (status == CLI_DONE && run->options.plot && !plot_ready(&error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    return status;
}

/* That the halos to draw, where their file tells a box, are in that of the sheet. */
static int check_halos(const struct sheet_run *run) {
    const double *theirs = run->halos_box, *ours = run->info.box;
    for (int axis = 0; axis < 3; ++axis)
        if (theirs[axis] > 0 && fabs(theirs[axis] - ours[axis]) > 1e-6 * ours[axis])
            return progress_fail(CLI_FAULT,
                                 "%s has a box of %.9g x %.9g x %.9g, %s one of %.9g x "
                                 "%.9g x %.9g: its halos are not of this simulation",
                                 run->options.halos, theirs[0], theirs[1], theirs[2],
                                 run->options.snapshot, ours[0], ours[1], ours[2]);
    return CLI_DONE;
}

static int check_box(const struct sheet_run *run) {
    struct io_error error;
    for (int axis = 0; axis < 3; ++axis) {
        if (!(run->info.box[axis] > 0 && run->info.periodic[axis]))
            return progress_fail(
                CLI_FAULT, "%s has no periodic box: a sheet needs one along each axis",
                run->options.snapshot);
        if (!range_length(run->options.snapshot, "the box", run->info.box[axis], &error))
            return progress_fail(CLI_FAULT, "%s", error.text);
    }
    return CLI_DONE;
}

static double mass_of(const struct snapshot_particles *particles, int64_t i) {
    const void *field = particles->field[SNAPSHOT_MASSES];
    return field ? io_value(field, particles->bytes[SNAPSHOT_MASSES], i) : particles->mass;
}

/* Tetrahedra are of equal mass: that of the first particle, which may be another rank's. */
static int check_masses(struct sheet_run *run) {
    const struct snapshot_particles *particles = &run->particles;
    struct comm *comm = run->comm;
    const double mine = particles->n > 0 ? mass_of(particles, 0) : NAN;
    double *first = comm_allocate(comm, comm->size, sizeof *first, "masses");
    if (!comm_share(comm, &mine, sizeof mine, first)) {
        free(first);
        return parallel_stop(comm);
    }
    run->particle_mass = particles->mass;
    for (int r = comm->size - 1; r >= 0; --r)
        run->particle_mass = isnan(first[r]) ? run->particle_mass : first[r];
    free(first);
    double least = run->particle_mass, most = least;
    if (particles->field[SNAPSHOT_MASSES] && particles->n > 0)
        io_extent(comm->threads, particles->field[SNAPSHOT_MASSES],
                  particles->bytes[SNAPSHOT_MASSES], 1, particles->n, &least, &most);
    const bool differ = least != run->particle_mass || most != run->particle_mass;
    for (int64_t i = 0; differ && i < particles->n; ++i) {
        if (mass_of(particles, i) != run->particle_mass)
            return progress_fail(CLI_FAULT,
                                 "%s: the masses of particles 0 and %" PRId64
                                 " differ, %.9g and %.9g: a sheet has equal ones",
                                 run->options.snapshot, particles->first + i,
                                 run->particle_mass, mass_of(particles, i));
    }
    return CLI_DONE;
}

/* All particles, or the rank's share of them. */
static int read_particles(struct sheet_run *run, struct snapshot *snapshot,
                          unsigned fields) {
    struct snapshot_particles *particles = &run->particles;
    const struct comm *comm = run->comm;
    struct io_error error;
    const int64_t n = run->info.n, first = io_share(n, comm->rank, comm->size);
    const int64_t count = io_share(n, comm->rank + 1, comm->size) - first;
    progress_show("reading %" PRId64 " particles", run->slabs ? count : n);
    snapshot_set_threads(snapshot, comm->threads);
    snapshot_tell(snapshot, progress_part);
    const bool done =
        run->slabs ? snapshot_read_slice(snapshot, first, count, fields, particles, &error)
                   : snapshot_read(snapshot, fields, particles, &error);
    if (!done ||
        !range_positions(run->options.snapshot, particles->field[SNAPSHOT_COORDINATES],
                         particles->bytes[SNAPSHOT_COORDINATES], 3, particles->first,
                         particles->n, particles->low, particles->high, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    if (particles->ids_from == SNAPSHOT_IDS_INDEX)
        return progress_fail(CLI_FAULT,
                             "%s: a sheet needs the ids of particles, which tell where "
                             "each began: %s",
                             run->options.snapshot, particles->ids_note);
    return CLI_DONE;
}

/* Says what is not read, and what of the box is odd. */
static int note_outside(struct sheet_run *run) {
    const struct snapshot_particles *particles = &run->particles;
    const void *position = particles->field[SNAPSHOT_COORDINATES];
    const int bytes = particles->bytes[SNAPSHOT_COORDINATES];
    left_out_tell(run->options.snapshot, run->info.count);
    return inside_tell(run->comm, run->options.snapshot, position, bytes, 3, particles->n,
                       particles->low, particles->high, run->info.box,
                       run->info.length_unit)
               ? CLI_DONE
               : parallel_stop(run->comm);
}

static int take_in(struct sheet_run *run, struct snapshot *snapshot) {
    struct snapshot_particles *particles = &run->particles;
    const unsigned motions = 1u << DENSITY_VELOCITY | 1u << DENSITY_DISPERSION;
    const bool moves = (run->options.fields & motions) != 0;
    const unsigned fields = 1u << SNAPSHOT_COORDINATES | 1u << SNAPSHOT_MASSES |
                            1u << SNAPSHOT_IDS | (moves ? 1u << SNAPSHOT_VELOCITIES : 0);
    int status = CLI_DONE;
    if (moves && run->info.bytes[SNAPSHOT_VELOCITIES] == 0)
        status = progress_fail(CLI_FAULT, "%s has no velocities", run->options.snapshot);
    if (status == CLI_DONE)
        status = read_particles(run, snapshot, fields);
    status = parallel_meet(run->comm, status);
    if (status == CLI_DONE)
        status = note_outside(run);
    if (status == CLI_DONE)
        status = check_masses(run);
    timings_end(&run->timings, TIMINGS_READ,
                particles->n * (3 * particles->bytes[SNAPSHOT_COORDINATES] +
                                3 * particles->bytes[SNAPSHOT_VELOCITIES] +
                                particles->bytes[SNAPSHOT_MASSES] + 8));
    free(particles->field[SNAPSHOT_MASSES]); /* all are the same */
    particles->field[SNAPSHOT_MASSES] = NULL;
    particles->bytes[SNAPSHOT_MASSES] = 0;
    return status;
}

int sheet_take_device(struct sheet_run *run, int status) {
    if (run->opens)
        run->device = opening_end(&run->opening, &status);
    run->opens = false;
    return status;
}

/* Whether particles can be sent before the device is there: what the lattice's sides are is
 * asked of one that takes no time to begin. */
static bool may_wait(const struct sheet_run *run) {
    return run->slabs && run->opening.apart && backend_is_built_in("serial");
}

int sheet_read(struct sheet_run *run) {
    struct io_error error;
    struct comm *comm = run->comm;
    int status = CLI_DONE;
    progress_show("opening %s", run->options.snapshot);
    struct snapshot *snapshot = snapshot_open(run->options.snapshot, &error);
    if (snapshot == NULL)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    else
        run->info = *snapshot_info(snapshot);
    status = parallel_meet(comm, status);
    if (status == CLI_DONE)
        status = parallel_same(comm, run->options.snapshot, snapshot_fingerprint(snapshot));
    if (status == CLI_DONE && comm->rank == 0)
        status = check_outputs(run, snapshot);
    status = parallel_meet(comm, status);
    if (status == CLI_DONE)
        status = check_box(run);
    if (status == CLI_DONE && run->options.plot)
        status = check_halos(run);
    run->opens = status == CLI_DONE;
    if (run->opens)
        opening_begin(&run->opening, &run->options.shared, comm, run->options.memory_limit,
                      "sheet");
    status = parallel_meet(comm, status);
    if (status == CLI_DONE)
        status = take_in(run, snapshot);
    if (snapshot)
        snapshot_close(snapshot);
    if (status != CLI_DONE || !may_wait(run))
        status = sheet_take_device(run, status);
    return parallel_meet(comm, status);
}

struct sheet_lent sheet_lend(const struct sheet_run *run) {
    weft_device *device = run->device;
    const struct snapshot_particles *particles = &run->particles;
    struct sheet_lent lent = {
        .position = weft_borrow_const(
            device, particles->bytes[SNAPSHOT_COORDINATES] == 4 ? WEFT_F32 : WEFT_F64,
            particles->field[SNAPSHOT_COORDINATES], 3 * particles->n),
        .id = weft_borrow_const(device, WEFT_I64, particles->field[SNAPSHOT_IDS],
                                particles->n)};
    lent.points = weft_points_interleaved(device, lent.position);
    return lent;
}

void sheet_take_back(const struct sheet_run *run, const struct sheet_lent *lent) {
    weft_return(run->device, lent->position);
    weft_return(run->device, lent->id);
}
