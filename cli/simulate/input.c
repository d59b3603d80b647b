/* From a file to integers. */
#include "cli/command.h"
#include "cli/halos/types/units.h"
#include "cli/inside.h"
#include "cli/outputs.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/range.h"
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

static double number(const void *values, int bytes, int64_t k) {
    return bytes == 4 ? (double)((const float *)values)[k] : ((const double *)values)[k];
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
        first = number(p->field[SNAPSHOT_MASSES], bytes, 0);
    if (!comm_broadcast(&run->comm, 0, &first, sizeof first))
        return parallel_stop(&run->comm);
    for (int64_t i = 0; bytes && i < p->n; ++i)
        if (!(fabs(number(p->field[SNAPSHOT_MASSES], bytes, i) / first - 1) < 1e-6))
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

/* One axis of positions and momenta; `scratch` has room for a number of each particle. */
static void convert(struct simulate_run *run, const struct snapshot_particles *p, int axis,
                    void *scratch) {
    const double a = simulate_scale(&run->schedule, run->step);
    const double speed = a / (100 * run->info.cosmology.h * run->box);
    uint32_t *x = scratch;
    int64_t *momentum = scratch;
    for (int64_t i = 0; i < p->n; ++i) {
        const double at = number(p->field[SNAPSHOT_COORDINATES],
                                 p->bytes[SNAPSHOT_COORDINATES], 3 * i + axis) /
                          run->info.box[0];
        x[i] = (uint32_t)(int64_t)round((at - floor(at)) * 4294967296.0);
    }
    weft_write(run->device, run->particles.position[axis], x);
    for (int64_t i = 0; i < p->n; ++i) {
        const double v = number(p->field[SNAPSHOT_VELOCITIES],
                                p->bytes[SNAPSHOT_VELOCITIES], 3 * i + axis);
        momentum[i] = (int64_t)round(v * speed * WEFT_STEPS_MOMENTUM);
    }
    weft_write(run->device, run->particles.momentum[axis], momentum);
}

/* That no momentum is so large that a snapshot could not tell it to the last bit. */
static int check_speeds(const struct simulate_run *run,
                        const struct snapshot_particles *p) {
    const double most = 1024 * 100 * run->info.cosmology.h * run->box;
    for (int64_t k = 0; k < 3 * p->n; ++k)
        if (!(fabs(number(p->field[SNAPSHOT_VELOCITIES], p->bytes[SNAPSHOT_VELOCITIES],
                          k)) < most))
            return progress_fail(CLI_FAULT,
                                 "%s: particle %" PRId64 " is faster than %g km/s, 1024 "
                                 "boxes per Hubble time",
                                 run->options.input, run->first + k / 3, most);
    return CLI_DONE;
}

static int read_particles(struct simulate_run *run, struct snapshot *snapshot) {
    struct snapshot_particles p;
    struct io_error error;
    progress_show("reading %" PRId64 " particles", run->info.n);
    snapshot_set_threads(snapshot, run->comm.threads);
    snapshot_tell(snapshot, progress_part);
    const int64_t next = simulate_share_first(&run->comm, run->info.n, run->comm.rank + 1);
    run->first = simulate_share_first(&run->comm, run->info.n, run->comm.rank);
    int status = CLI_DONE;
    if (!(run->comm.size == 1
              ? snapshot_read(snapshot, SNAPSHOT_ALL, &p, &error)
              : snapshot_read_slice(snapshot, run->first, next - run->first,
                                    SNAPSHOT_ALL & ~(1u << SNAPSHOT_IDS), &p, &error)))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    status = parallel_meet(&run->comm, status);
    if (status != CLI_DONE)
        return status;
    if (run->comm.size > 1 && !simulate_read_ids(run, snapshot)) {
        snapshot_free(&p);
        return parallel_stop(&run->comm);
    }
    status = settle_mass(run, &p);
    if (status == CLI_DONE)
        status = check_speeds(run, &p);
    if (status == CLI_DONE &&
        !range_positions(run->options.input, p.field[SNAPSHOT_COORDINATES],
                         p.bytes[SNAPSHOT_COORDINATES], 3, run->first, p.n, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    void *scratch = io_allocate(p.n, 8, "numbers of an axis", &error);
    if (status == CLI_DONE && scratch == NULL)
        status = progress_fail(CLI_FAULT, "%s", error.text);
    if (status == CLI_DONE) {
        inside_note(run->options.input, p.field[SNAPSHOT_COORDINATES],
                    p.bytes[SNAPSHOT_COORDINATES], p.n, run->info.box,
                    run->info.length_unit);
        run->particles.n = p.n;
        for (int axis = 0; axis < 3; ++axis) {
            run->particles.position[axis] = weft_array_new(run->device, WEFT_U32, p.n);
            run->particles.momentum[axis] = weft_array_new(run->device, WEFT_I64, p.n);
            convert(run, &p, axis, scratch);
        }
        if (run->comm.size == 1)
            run->id = simulate_take_ids(&p);
        timings_end(&run->timings, TIMINGS_READ, 60 * p.n);
    }
    free(scratch);
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
    int status = settle_input(run);
    if (status == CLI_DONE)
        status = settle_plan(run);
    if (status == CLI_DONE)
        status =
            parallel_same(&run->comm, run->options.input, snapshot_fingerprint(snapshot));
    if (status == CLI_DONE && run->comm.rank == 0)
        status = check_outputs(run, snapshot);
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE && run->options.restart)
        status = take_checkpoint(run, &snapshot);
    if (status == CLI_DONE) {
        run->info = *snapshot_info(snapshot);
        status = settle_input(run);
    }
    if (status == CLI_DONE)
        run->device = parallel_open(&run->options.shared, &run->comm, 0, &status);
    status = parallel_meet(&run->comm, status);
    if (status == CLI_DONE)
        status = read_particles(run, snapshot);
    status = parallel_meet(&run->comm, status);
    snapshot_close(snapshot);
    return status;
}
