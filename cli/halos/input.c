/* The snapshot, the lengths that it sets, and the device that it goes to. */
#include "cli/command.h"
#include "halos.h"
#include "cli/halos/batch/names.h"
#include "cli/notes/inside.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "io/files/numbers.h"
#include "io/mixture.h"
#include "room.h"
#include "so.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int settle_box(struct halos_run *run) {
    const struct halos_options *options = &run->options;
    struct io_error error;
    for (int axis = 0; axis < 3; ++axis) {
        const double box = run->info.box[axis], asked = options->box[axis];
        if (!range_length(options->snapshot, "the box", box, &error))
            return progress_fail(CLI_FAULT, "%s", error.text);
        if (box > 0 && asked > 0 && box != asked)
            return progress_fail(CLI_USAGE,
                                 "--box is for files without a box, and that of %s is %.9g "
                                 "%s along %c",
                                 options->snapshot, box, run->info.length_unit,
                                 "xyz"[axis]);
        run->box[axis] = box > 0 ? box : asked;
        const bool wrap =
            options->periodic_given ? options->periodic[axis] : run->info.periodic[axis];
        if (wrap && !(run->box[axis] > 0))
            return progress_fail(CLI_USAGE,
                                 "--periodic needs a box, and %s has none: give --box",
                                 options->snapshot);
        run->period[axis] = wrap ? run->box[axis] : 0;
    }
    return CLI_DONE;
}

/* NaN without a box. */
static double mean_separation(const double box[3], int64_t n) {
    const double volume = box[0] * box[1] * box[2];
    if (!(box[0] > 0 && box[1] > 0 && box[2] > 0 && n > 0))
        return NAN;
    return isnormal(volume) ? cbrt(volume / (double)n)
                            : cbrt(box[0]) * cbrt(box[1]) * cbrt(box[2]) / cbrt((double)n);
}

static int settle_length(struct halos_run *run) {
    const struct halos_options *options = &run->options;
    struct io_error error;
    const bool has_box = run->box[0] > 0 && run->box[1] > 0 && run->box[2] > 0;
    run->mean_separation = mean_separation(run->box, run->info.n);
    if (options->linking_length_absolute >= 0) {
        run->linking_length = options->linking_length_absolute;
        return CLI_DONE;
    }
    if (options->types.given && types_are_part(run))
        return CLI_DONE; /* once they are read: types_settle_length */
    if (!has_box)
        return progress_fail(CLI_USAGE,
                             "--linking-length needs a box, and %s has none: give --box or "
                             "--linking-length-absolute",
                             options->snapshot);
    const double length = options->linking_length >= 0 ? options->linking_length : 0.2;
    run->linking_length = run->info.n > 0 ? length * run->mean_separation : 0;
    if (!range_length(options->snapshot, "the linking length", run->linking_length, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    return CLI_DONE;
}

static bool check_range(const struct halos_run *run, struct io_error *error) {
    const struct snapshot_particles *particles = &run->particles;
    return range_positions(run->options.snapshot, particles->field[SNAPSHOT_COORDINATES],
                           particles->bytes[SNAPSHOT_COORDINATES], 3, particles->first,
                           particles->n, particles->low, particles->high, error);
}

/* Masses of one type that are all the same, on all ranks, are one number, as if the file
 * told it so: then they need not travel. */
static int settle_masses(struct halos_run *run) {
    struct snapshot_particles *particles = &run->particles;
    void *mass = particles->field[SNAPSHOT_MASSES];
    double low, high;
    if (mass == NULL || !halos_may_have_one_mass(run))
        return CLI_DONE;
    io_extent(run->comm.threads, mass, particles->bytes[SNAPSHOT_MASSES], 1, particles->n,
              &low, &high);
    if (!comm_reduce_f64(&run->comm, &low, 1, COMM_MIN) ||
        !comm_reduce_f64(&run->comm, &high, 1, COMM_MAX))
        return parallel_stop(&run->comm);
    if (low != high)
        return CLI_DONE;
    particles->mass = low;
    particles->bytes[SNAPSHOT_MASSES] = 0;
    particles->field[SNAPSHOT_MASSES] = NULL;
    free(mass);
    return CLI_DONE;
}

static int read_particles(struct halos_run *run, struct mixture *mixture) {
    const struct snapshot_particles *particles = &run->particles;
    progress_show("reading %" PRId64 " particles", run->info.n);
    struct io_error error;
    const int status = halos_read_particles(run, mixture);
    if (status != CLI_DONE)
        return status;
    if (!check_range(run, &error))
        return progress_fail(CLI_FAULT, "%s", error.text);
    int64_t bytes = 0;
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f)
        bytes += particles->n * particles->bytes[f] *
                 (f == SNAPSHOT_COORDINATES || f == SNAPSHOT_VELOCITIES ? 3 : 1);
    const int settled = settle_masses(run);
    timings_end(&run->timings, TIMINGS_READ, bytes);
    if (settled != CLI_DONE)
        return settled;
    if (particles->ids_from == SNAPSHOT_IDS_INDEX) {
        progress_note("%s: the input index takes the place of particle ids: %s",
                      run->options.snapshot, particles->ids_note);
        free(run->particles.field[SNAPSHOT_IDS]);
        run->particles.field[SNAPSHOT_IDS] = NULL;
    }
    return CLI_DONE;
}

/* Names of files, whether they are there, and whether they can be written. */
static int settle_outputs(struct halos_run *run, const struct snapshot *snapshot) {
    const bool writes = run->comm.rank == 0;
    int status = CLI_DONE;
    if (!halos_names_settle(run))
        status = progress_fail(CLI_FAULT, "out of memory: the names of files");
    else if (writes)
        halos_resume(run, snapshot);
    if (status == CLI_DONE && writes && !run->skipped)
        status = halos_check_outputs(run, snapshot);
    if (!run->options.resume)
        return status;
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE &&
        !comm_broadcast(&run->comm, 0, &run->skipped, sizeof run->skipped))
        status = parallel_stop(&run->comm);
    return status;
}

/* Whether each rank writes its rows of the catalogue, as the first sees the file. */
static int settle_shared(struct halos_run *run) {
    run->shared = run->comm.size > 1 && !run->keeps && run->comm.rank == 0 &&
                  catalogue_is_shared(run->output);
    return run->comm.size == 1 ||
                   comm_broadcast(&run->comm, 0, &run->shared, sizeof run->shared)
               ? CLI_DONE
               : parallel_stop(&run->comm);
}

static void name_units(struct halos_run *run) {
    snprintf(run->potential_unit, sizeof run->potential_unit, "%s / %s",
             run->info.mass_unit, run->info.length_unit);
    snprintf(run->energy_unit, sizeof run->energy_unit, "%s * km^2/s^2",
             run->info.mass_unit);
    snprintf(run->spin_unit, sizeof run->spin_unit, "%s * %s * km/s", run->info.mass_unit,
             run->info.length_unit);
    snprintf(run->density_unit, sizeof run->density_unit, "%s / (%s)^3",
             run->info.mass_unit, run->info.length_unit);
}

/* Says how many positions are outside of the box. */
static bool tell_outside(struct halos_run *run) {
    const struct snapshot_particles *particles = &run->particles;
    return inside_tell(&run->comm, run->options.snapshot,
                       particles->field[SNAPSHOT_COORDINATES],
                       particles->bytes[SNAPSHOT_COORDINATES], 3, particles->n,
                       particles->low, particles->high, run->box, run->info.length_unit);
}

/* Parts take particles apart, which the caller keeps. Not wanted: there are none then. */
static bool copy_given(struct halos_run *run, bool wanted, struct io_error *error) {
    struct snapshot_particles *particles = &run->particles;
    bool well = wanted;
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f) {
        const int components =
            f == SNAPSHOT_COORDINATES || f == SNAPSHOT_VELOCITIES ? 3 : 1;
        const size_t bytes = (size_t)(components * particles->bytes[f]);
        const void *from = particles->field[f];
        if (from == NULL)
            continue;
        particles->field[f] =
            well ? io_allocate(particles->n, bytes, "a copy of the arrays", error) : NULL;
        well = particles->field[f] != NULL;
        if (well && particles->n > 0)
            memcpy(particles->field[f], from, (size_t)particles->n * bytes);
    }
    return well;
}

/* How many particles all ranks have, and which places are this rank's. */
static int add_up_given(struct halos_run *run) {
    struct comm *comm = &run->comm;
    struct snapshot_particles *particles = &run->particles;
    int64_t *shares = comm_allocate(comm, comm->size + 1, sizeof *shares, "ranks");
    const bool well = comm_share(comm, &particles->n, sizeof *shares, shares);
    int64_t sum = 0;
    for (int r = 0; well && r <= comm->size; ++r) {
        const int64_t n = r < comm->size ? shares[r] : 0;
        shares[r] = sum;
        sum += n;
    }
    run->shares = shares;
    if (!well)
        return parallel_stop(comm);
    particles->first = shares[comm->rank];
    run->info.n = run->info.count[1] = sum;
    return CLI_DONE;
}

/* Numbers of this rank's particles, and ids of all. */
static int check_given(struct halos_run *run) {
    struct snapshot_particles *particles = &run->particles;
    const bool has_ids = particles->field[SNAPSHOT_IDS] != NULL;
    struct io_error error;
    int status = CLI_DONE;
    if (!snapshot_check(particles, run->comm.threads, run->options.snapshot, &error) ||
        !check_range(run, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(&run->comm, status);
    if (status != CLI_DONE || run->comm.size == 1)
        return status;
    if (!halos_settle_ids(run))
        return parallel_stop(&run->comm);
    if (has_ids && particles->ids_from == SNAPSHOT_IDS_INDEX)
        status =
            progress_fail(CLI_FAULT, "%s: %s", run->options.snapshot, particles->ids_note);
    return parallel_meet(&run->comm, status);
}

/* The caller's particles, as they lie, on a device that is open. */
static int take_given(struct halos_run *run) {
    struct io_error error;
    run->info = run->given->info;
    run->particles = run->given->particles;
    name_units(run);
    int status = add_up_given(run);
    if (status == CLI_DONE)
        status = settle_box(run);
    if (status == CLI_DONE)
        status = settle_length(run);
    if (status == CLI_DONE && run->given->snapshot)
        status = settle_outputs(run, run->given->snapshot);
    if (status == CLI_DONE)
        status = check_given(run);
    if (status == CLI_DONE && !tell_outside(run))
        status = parallel_stop(&run->comm);
    if (status == CLI_DONE)
        status = room_check(run);
    if (halos_has_parts(run) && !copy_given(run, status == CLI_DONE, &error) &&
        status == CLI_DONE)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    return parallel_meet(&run->comm, status);
}

static void begin_opening(struct halos_run *run) {
    const struct halos_options *o = &run->options;
    char task[sizeof run->opening.task];
    snprintf(task, sizeof task, "halos of %d: centers %x, so %d, profiles %d, subhalos %d",
             run->comm.size, o->centers, o->so_given ? o->so.n : -1, o->profiles,
             o->subhalos);
    opening_begin(&run->opening, &o->shared, &run->comm, o->memory_limit, task);
    run->opens = true;
}

/* Whether the device is asked for nothing before particles have travelled: what is attached
 * is looked for by it, and numbers of the universe by one that takes no time to begin. */
static bool may_wait(const struct halos_run *run) {
    return run->opening.apart && run->comm.size > 1 && run->options.types.n_attached == 0 &&
           backend_is_built_in("serial");
}

static int end_opening(struct halos_run *run, int status) {
    const int opened = halos_take_device(run);
    timings_end(&run->timings, TIMINGS_UPLOAD, 0);
    return status != CLI_DONE ? status : opened;
}

int halos_read(struct halos_run *run) {
    if (run->given)
        return take_given(run);
    struct io_error error;
    progress_show("opening %s", run->options.snapshot);
    const struct halos_types *types = &run->options.types;
    struct mixture *mixture = mixture_open(run->options.snapshot, types->n_linked,
                                           types->linked, SNAPSHOT_ALL, &error);
    if (mixture == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    run->info = *mixture_info(mixture);
    name_units(run);
    int status = settle_box(run);
    if (status == CLI_DONE && !region_settle(&run->options.region, run->period, &error))
        status =
            progress_fail(CLI_USAGE, "--region: %s: %s", run->options.snapshot, error.text);
    if (status == CLI_DONE)
        status = settle_length(run);
    if (status == CLI_DONE && !run->keeps)
        status = settle_outputs(run, mixture_files(mixture));
    timings_end(&run->timings, TIMINGS_READ, 0);
    if (status == CLI_DONE && !run->skipped && run->device == NULL)
        begin_opening(run);
    if (run->options.memory_limit > 0)
        status = end_opening(run, status); /* of it depends what has room */
    if (status == CLI_DONE && !run->skipped)
        status = room_check(run);
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE && run->comm.size > 1)
        status = parallel_same(&run->comm, run->options.snapshot,
                               snapshot_fingerprint(mixture_files(mixture)));
    if (status == CLI_DONE)
        status = settle_shared(run);
    if (status == CLI_DONE && run->skipped) {
        mixture_close(mixture);
        return CLI_DONE;
    }
    if (status == CLI_DONE) {
        types_tell(run);
        mixture_set_threads(mixture, run->comm.threads);
        mixture_tell(mixture, progress_part);
        status = read_particles(run, mixture);
    }
    if (status != CLI_DONE || !may_wait(run))
        status = end_opening(run, status);
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE)
        status = types_settle_length(run);
    if (status == CLI_DONE)
        status = types_read_attached(run);
    if (status == CLI_DONE && !tell_outside(run))
        status = parallel_stop(&run->comm);
    if (status == CLI_DONE)
        status = region_cut(run);
    mixture_close(mixture);
    return status;
}
