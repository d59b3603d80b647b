/* From a file to particles on the device. */
#include "cli/command.h"
#include "cli/halos/types/units.h"
#include "cli/notes/inside.h"
#include "cli/notes/left_out.h"
#include "cli/outputs/outputs.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "io/files/numbers.h"
#include "simulate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weft/fourier.h>

static int refuse(const struct simulate_run *run, const char *what) {
    return progress_fail(CLI_FAULT, "%s %s", run->options.input, what);
}

/* Whether the file tells all that gravity needs to know, and how large its box is. */
static int settle_input(struct simulate_run *run) {
    const struct snapshot_info *info = &run->info;
    const struct snapshot_cosmology *c = &info->cosmology;
    if (info->n == 0)
        return refuse(run, "has no particles");
    if (info->bytes[SNAPSHOT_VELOCITIES] == 0)
        return refuse(run, "has no velocities");
    if (!(c->h > 0 && c->omega_matter > 0) || isnan(info->redshift))
        return refuse(run, "tells no cosmology: h, Omega_m, Omega_Lambda and a redshift");
    for (int k = 0; k < 3; ++k)
        if (!(info->box[k] > 0 && info->periodic[k] && info->box[k] == info->box[0]))
            return refuse(run, "has no periodic cube, which the forces are for");
    run->box = info->box[0] * units_length_in_mpc(info->length_unit, c->h);
    if (!(run->box > 0))
        return refuse(run, "tells no unit of length, so speeds in boxes are not known");
    if (!(run->box > 1e-6 && run->box < 1e9))
        return progress_fail(CLI_FAULT, "%s: the box is %g Mpc, not 1e-6 to 1e9",
                             run->options.input, run->box);
    return CLI_DONE;
}

static int settle_plan(struct simulate_run *run) {
    struct io_error error;
    bool there = false;
    int64_t side = 1;
    if (run->options.reverse) {
        if (!simulate_read_plan(run->options.input, run, &there, &error))
            return progress_fail(CLI_FAULT, "%s", error.text);
        return there ? CLI_DONE
                     : refuse(run, "tells no steps to take back: weft simulate did not "
                                   "write it");
    }
    while (side * side * side < run->info.n)
        ++side;
    run->mesh = run->options.mesh;
    if (run->mesh == 0)
        run->mesh = weft_fourier_side(2 * side < 16 ? 16 : 2 * side);
    return simulate_plan(run);
}

static bool is_same_plan(const struct simulate_run *a, const struct simulate_run *b) {
    const struct simulate_schedule *s = &a->schedule, *t = &b->schedule;
    bool same = s->n_stops == t->n_stops && a->mesh == b->mesh &&
                a->substeps == b->substeps && a->softening == b->softening &&
                a->split == b->split && a->info.n == b->info.n;
    for (int k = 0; same && k < s->n_stops; ++k)
        same = s->scale[k] == t->scale[k] && s->step[k] == t->step[k];
    return same;
}

/* Whether a checkpoint is of the same input; those of older versions tell none. */
static bool is_same_input(const struct simulate_run *a, const struct simulate_run *b) {
    return (b->source[0] == 0 && b->source[1] == 0) ||
           (a->source[0] == b->source[0] && a->source[1] == b->source[1]);
}

/* Where a run was left, if it was. */
static int take_checkpoint(struct simulate_run *run, struct snapshot **snapshot) {
    struct io_error error;
    struct simulate_run other = {.info = run->info};
    bool there = false;
    char *path = simulate_path(run, -1);
    int status = CLI_DONE;
    if (path == NULL)
        return progress_fail(CLI_FAULT, "out of memory: a name");
    if (access(path, F_OK) != 0) {
        progress_note("%s is not there: the run begins anew", path);
    } else if (!simulate_read_plan(path, &other, &there, &error)) {
        status = progress_fail(CLI_FAULT, "%s", error.text);
    } else {
        struct snapshot *left = snapshot_open(path, &error);
        if (left)
            other.info = *snapshot_info(left);
        if (left == NULL)
            status = progress_fail(CLI_FAULT, "%s", error.text);
        else if (!there || !is_same_plan(run, &other))
            status = progress_fail(CLI_FAULT,
                                   "%s is of another run: other particles, redshifts, "
                                   "steps, mesh, softening or split",
                                   path);
        else if (!is_same_input(run, &other))
            status = progress_fail(CLI_FAULT, "%s is of a run from another file than %s",
                                   path, run->options.input);
        if (status == CLI_DONE) {
            snapshot_close(*snapshot);
            *snapshot = left;
            run->step = other.step;
        } else {
            snapshot_close(left);
        }
    }
    free(path);
    return status;
}

/* The names of what is written, for free(). Returns how many. */
static int list_outputs(const struct simulate_run *run, char **paths) {
    const bool back = run->options.reverse;
    int n = 0;
    if (!back && run->options.energy > 0)
        paths[n++] = simulate_energy_path(run);
    for (int k = back ? 0 : 1; k < (back ? 1 : run->schedule.n_stops); ++k) {
        const char *path = paths[n++] = simulate_path(run, k);
        if (path && run->schedule.halos[k])
            paths[n++] = simulate_halos_path(path);
        if (path && run->options.power)
            paths[n++] = simulate_power_path(path);
        if (path && run->options.genericio)
            paths[n++] = simulate_genericio_path(path);
    }
    return n;
}

static int check_outputs(const struct simulate_run *run, const struct snapshot *snapshot) {
    char *paths[4 * SIMULATE_STOPS + 1];
    int status = CLI_DONE;
    const int n = list_outputs(run, paths);
    for (int k = 0; k < n && status == CLI_DONE; ++k)
        if (paths[k] == NULL)
            status = progress_fail(CLI_FAULT, "out of memory: names");
        else if (snapshot_has_part(snapshot, paths[k]))
            status = outputs_refuse_input(paths[k]);
    if (status == CLI_DONE) {
        const char *asked[4 * SIMULATE_STOPS + 2];
        for (int k = 0; k < n; ++k)
            asked[k] = paths[k];
        asked[n] = run->options.shared.timings;
        status = outputs_check(asked, n + 1);
    }
    for (int k = 0; k < n; ++k)
        free(paths[k]);
    return status;
}

/* Whether all of n numbers, of which there may be none, are above low and below high. */
static bool are_between(const struct simulate_run *run, const void *values, int bytes,
                        int64_t n, double low, double high) {
    double least, most;
    io_extent(run->comm.threads, values, bytes, 1, n, &least, &most);
    return (n == 0 || (least > low && most < high)) &&
           io_first_not_finite(run->comm.threads, values, bytes, n) < 0;
}

/* The mass of each, in 1e10 Msun, where all are equal and fill the box with matter. */
static int settle_mass(struct simulate_run *run, const struct snapshot_particles *p) {
    const struct snapshot_cosmology *c = &run->info.cosmology;
    const int bytes = p->bytes[SNAPSHOT_MASSES];
    const double critical =
        3e4 * c->h * c->h / (8 * 3.14159265358979323846 * WEFT_COSMOLOGY_GRAVITY);
    const double matter =
        c->omega_matter * critical * pow(run->box, 3) / (double)run->info.n / 1e10;
    const double unit = units_mass_in_msun(run->info.mass_unit, c->h) / 1e10;
    double first = p->mass;
    if (bytes && run->comm.rank == 0)
        first = io_value(p->field[SNAPSHOT_MASSES], bytes, 0);
    if (!comm_broadcast(&run->comm, 0, &first, sizeof first))
        return parallel_stop(&run->comm);
    const bool equal =
        bytes == 0 || are_between(run, p->field[SNAPSHOT_MASSES], bytes, p->n,
                                  first * (1 - 9e-7), first * (1 + 9e-7));
    for (int64_t i = 0; !equal && i < p->n; ++i)
        if (!(fabs(io_value(p->field[SNAPSHOT_MASSES], bytes, i) / first - 1) < 1e-6))
            return progress_fail(CLI_FAULT,
                                 "%s: the mass of particle %" PRId64 " is not that of "
                                 "particle 0: all must be equal",
                                 run->options.input, run->first + i);
    run->mass = unit > 0 ? first * unit : matter;
    if (!(fabs(run->mass / matter - 1) < 0.01))
        return progress_fail(CLI_FAULT,
                             "%s: its particles are %.4g of the matter that Omega_m = %g "
                             "tells",
                             run->options.input, run->mass / matter, c->omega_matter);
    return CLI_DONE;
}

/* That no momentum is so large that a snapshot could not tell it to the last bit. */
static int check_speeds(const struct simulate_run *run,
                        const struct snapshot_particles *p) {
    const double most = 1024 * 100 * run->info.cosmology.h * run->box;
    const void *velocity = p->field[SNAPSHOT_VELOCITIES];
    const int bytes = p->bytes[SNAPSHOT_VELOCITIES];
    const bool all_slow = are_between(run, velocity, bytes, 3 * p->n, -most, most);
    for (int64_t k = 0; !all_slow && k < 3 * p->n; ++k)
        if (!(fabs(io_value(velocity, bytes, k)) < most))
            return progress_fail(CLI_FAULT,
                                 "%s: particle %" PRId64 " is faster than %g km/s, 1024 "
                                 "boxes per Hubble time",
                                 run->options.input, run->first + k / 3, most);
    return CLI_DONE;
}

/* This rank's particles, as the file has them; `p` is the caller's to free. */
static int read_particles(struct simulate_run *run, struct snapshot *snapshot,
                          struct snapshot_particles *p) {
    struct io_error error;
    progress_show("reading %" PRId64 " particles", run->info.n);
    snapshot_set_threads(snapshot, run->comm.threads);
    snapshot_tell(snapshot, progress_part);
    const int64_t next = simulate_share_first(&run->comm, run->info.n, run->comm.rank + 1);
    run->first = simulate_share_first(&run->comm, run->info.n, run->comm.rank);
    int status = CLI_DONE;
    if (!(run->comm.size == 1
              ? snapshot_read(snapshot, SNAPSHOT_ALL, p, &error)
              : snapshot_read_slice(snapshot, run->first, next - run->first,
                                    SNAPSHOT_ALL & ~(1u << SNAPSHOT_IDS), p, &error)))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE && run->comm.size > 1 && !simulate_read_ids(run, snapshot))
        status = parallel_stop(&run->comm);
    if (status == CLI_DONE)
        status = settle_mass(run, p);
    if (status == CLI_DONE)
        status = check_speeds(run, p);
    if (status == CLI_DONE &&
        !range_positions(run->options.input, p->field[SNAPSHOT_COORDINATES],
                         p->bytes[SNAPSHOT_COORDINATES], 3, run->first, p->n, p->low,
                         p->high, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE &&
        !inside_tell(&run->comm, run->options.input, p->field[SNAPSHOT_COORDINATES],
                     p->bytes[SNAPSHOT_COORDINATES], 3, p->n, p->low, p->high,
                     run->info.box, run->info.length_unit))
        return parallel_stop(&run->comm);
    return status;
}

/* Where devices are opened apart, memory for what they send each other is taken meanwhile.
 */
static int take_shelves(struct simulate_run *run, const struct opening *opening) {
    int64_t apart = opening->apart;
    if (!comm_reduce_i64(&run->comm, &apart, 1, COMM_MAX))
        return parallel_stop(&run->comm);
    if (apart)
        comm_shelves(&run->comm, &run->shelves);
    return comm_agree(&run->comm) ? CLI_DONE : parallel_stop(&run->comm);
}

/* Reads particles while a GPU's driver begins, and lends the device what they are. */
static int take_in(struct simulate_run *run, struct snapshot *snapshot) {
    struct snapshot_particles p = {0};
    struct opening opening;
    opening_begin(&opening, &run->options.shared, &run->comm, 0, "simulate");
    int status = read_particles(run, snapshot, &p);
    if (status == CLI_DONE && run->comm.size > 1)
        status = take_shelves(run, &opening);
    run->device = opening_end(&opening, &status);
    if (status == CLI_DONE && weft_device_style(run->device) == WEFT_SIMT)
        slabs_pin(&run->comm, run->device, &run->shelves);
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE)
        status = simulate_lend(run, &p);
    if (status == CLI_DONE && run->comm.size == 1)
        run->id = simulate_take_ids(&p);
    if (status == CLI_DONE)
        timings_end(&run->timings, TIMINGS_READ, 60 * p.n);
    snapshot_free(&p);
    return status;
}

int simulate_read(struct simulate_run *run) {
    struct io_error error;
    progress_show("opening %s", run->options.input);
    struct snapshot *snapshot = snapshot_open(run->options.input, &error);
    if (snapshot == NULL)
        return progress_fail(CLI_FAULT, "%s", error.text);
    run->info = *snapshot_info(snapshot);
    const uint64_t source = snapshot_fingerprint(snapshot);
    int status = settle_input(run);
    if (status == CLI_DONE)
        status = settle_plan(run);
    if (status == CLI_DONE)
        status = parallel_same(&run->comm, run->options.input, source);
    run->source[0] = (double)(source >> 32);
    run->source[1] = (double)(source & 0xffffffff);
    if (status == CLI_DONE && run->comm.rank == 0)
        status = check_outputs(run, snapshot);
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE && run->options.restart)
        status = take_checkpoint(run, &snapshot);
    if (status == CLI_DONE) {
        run->info = *snapshot_info(snapshot);
        status = settle_input(run);
    }
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE)
        left_out_tell(run->options.input, run->info.count);
    if (status == CLI_DONE)
        status = take_in(run, snapshot);
    status = parallel_meet(&run->comm, status);
    snapshot_close(snapshot);
    return status;
}
