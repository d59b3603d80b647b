/* Labels and columns, into files. */
#include "cli/command.h"
#include "halos.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "io/files/numbers.h"
#include "io/files/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* From the particles of a region to all of the input. */
static void spread_labels(struct halos_run *run) {
    int64_t *all = halos_allocate(run, run->info.n, sizeof *all);
    for (int64_t i = 0; all && i < run->info.n; ++i)
        all[i] = -1;
    for (int64_t k = 0; all && run->labels && k < run->n_labels; ++k)
        all[run->place[k]] = run->labels[k];
    free(run->labels);
    run->labels = all;
    run->n_labels = run->info.n;
}

void halos_label(struct halos_run *run) {
    weft_device *device = run->device;
    run->n_labels = run->particles.n;
    run->labels = halos_allocate(run, run->n_labels, sizeof *run->labels);
    if (run->labels) {
        const weft_array array = weft_borrow(device, WEFT_I64, run->labels, run->n_labels);
        weft_halos_labels(device, &run->halos, array);
        weft_return(device, array);
    }
    if (run->place && run->index == NULL)
        spread_labels(run);
}

static int64_t file_size(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (int64_t)status.st_size : 0;
}

static struct catalogue_header header(const struct halos_run *run) {
    struct catalogue_header h = {
        .weft_version = weft_version(),
        .backend = halos_backend_name(run),
        .device = halos_device_name(run),
        .n_particles = run->info.n,
        .linking_length = run->linking_length,
        .mean_separation = run->mean_separation,
        .min_members = run->options.min_members,
        .min_friends = run->options.min_friends,
        .redshift = run->info.redshift,
        .scale_factor = run->info.scale_factor,
        .softening = run->options.softening > 0 ? run->options.softening : 0,
        .length_unit = run->info.length_unit,
        .mass_unit = run->info.mass_unit,
        .velocity_unit = "km/s",
        .h = run->info.cosmology.h,
        .omega_matter = run->info.cosmology.omega_matter,
        .omega_lambda = run->info.cosmology.omega_lambda,
        .ids = run->particles.ids_from == SNAPSHOT_IDS_FILE ? "file" : "index",
        .source_file = run->options.snapshot,
        .command = run->command,
        .options_hash = run->key[0],
        .source_hash = run->key[1],
    };
    for (int axis = 0; run->options.region.given && axis < 3; ++axis) {
        const struct halos_region *region = &run->options.region;
        h.has_region = true;
        h.n_inside = run->n_inside;
        h.region[axis][0] = region->whole[axis] ? -INFINITY : region->from[axis];
        h.region[axis][1] = region->whole[axis] ? INFINITY : region->to[axis];
    }
    for (int axis = 0; axis < 3; ++axis) {
        h.box[axis] = run->box[axis];
        h.periodic[axis] = run->period[axis] > 0;
    }
    return h;
}

/* Of halos that were all found at once, or were in parts. */
static bool pull_members(void *context, enum catalogue_member_column column, int64_t first,
                         int64_t n, int64_t *out) {
    struct halos_run *run = context;
    progress_part(first - run->offset[0], run->offset[run->n_halos] - run->offset[0]);
    const int64_t *values =
        column == CATALOGUE_MEMBER_IDS ? run->member_id : run->member_friends;
    if (run->members.place)
        return halos_members_bring(&run->comm, &run->members, column, first, n, out);
    memcpy(out, values + first, (size_t)n * sizeof *out);
    return true;
}

/* What left the range of f64 on the way, as sums of huge masses do, is not written. */
static bool are_finite(const struct halos_run *run, struct io_error *error) {
    for (int k = 0; k < run->columns.n; ++k) {
        const struct catalogue_column *column = &run->columns.column[k];
        const int64_t n = column->type == CATALOGUE_F64 ? run->n_halos : 0;
        const int64_t bad = io_first_not_finite(1, column->data, 8, n * column->components);
        if (bad >= 0)
            return io_fail(error,
                           "%s: %s of halo %lld is %g, beyond the range of f64: choose "
                           "other units",
                           run->options.snapshot, column->name,
                           (long long)(run->rest.before + bad / column->components),
                           io_value(column->data, 8, bad));
    }
    return true;
}

static int write_catalogue(struct halos_run *run) {
    struct io_error error;
    int status =
        are_finite(run, &error) ? CLI_DONE : progress_fail(CLI_FAULT, "%s", error.text);
    if (run->shared)
        status = parallel_meet(&run->comm, status);
    if (status != CLI_DONE)
        return status;
    const bool in_parts = run->members.place != NULL;
    struct catalogue_members members = {
        .offset = run->offset,
        .has_friends = (in_parts ? run->members.friends : run->member_friends) != NULL,
        .pull = pull_members,
        .context = run,
        .rest = run->members_rest,
    };
    struct catalogue catalogue = {
        .header = header(run),
        .n = run->n_halos,
        .rest = run->rest,
        .n_columns = run->columns.n,
        .columns = run->columns.column,
        .comments = run->options.comments,
        .threads = run->comm.threads,
        .n_profiles = run->profiles.n,
        .profiles = run->profiles.column,
        .profile_edge = run->profile_edge,
    };
    const struct catalogue_subhalos subhalos = {
        .n = run->subhalos.n,
        .n_columns = run->subhalos.columns.n,
        .columns = run->subhalos.columns.column,
        .offset = run->subhalos.offset,
        .particle_id = run->subhalos.member_id,
        .rest = run->subhalos.rest,
        .members = run->subhalos.members,
    };
    if (run->options.members)
        catalogue.members = &members;
    if (run->options.subhalos)
        catalogue.subhalos = &subhalos;
    if (run->shared)
        status = halos_write_shared(run, &catalogue);
    else if (strcmp(run->output, "-") == 0
                 ? !catalogue_print(stdout, &catalogue, &error)
                 : !catalogue_write(run->output, &catalogue, &error))
        status = run->comm.trouble ? parallel_stop(&run->comm)
                                   : progress_fail(CLI_FAULT, "%s", error.text);
    if (status == CLI_DONE && run->comm.rank == 0 && run->xdmf &&
        !catalogue_write_xdmf(run->xdmf, run->output, &catalogue, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    return status;
}

/* Numbers in a .gio catalogue that are not in HACC's units. */
static void tell_units(const struct halos_run *run) {
    const char *const units[] = {run->info.length_unit, run->info.mass_unit};
    double factor;
    for (int k = 0; k < 2 && io_ends_in(run->output, ".gio"); ++k) {
        if (!catalogue_in_hacc(units[k], run->info.cosmology.h, &factor))
            progress_note("%s: %s are in the snapshot's unit '%s', not in HACC's: the file "
                          "does not tell enough of it",
                          run->output, k == 0 ? "lengths" : "masses", units[k]);
    }
}

int halos_write(struct halos_run *run) {
    int status = run->options.labels
                     ? parallel_write_labels(&run->comm, run->options.labels,
                                             labels_form_of(run->options.labels),
                                             run->labels, run->n_labels)
                     : CLI_DONE;
    if (status == CLI_DONE && (run->shared || run->comm.rank == 0))
        status = write_catalogue(run);
    if (status == CLI_DONE && run->members.place &&
        !halos_members_finish(&run->comm, &run->members))
        status = parallel_stop(&run->comm);
    if (run->comm.rank > 0)
        return status;
    if (status == CLI_DONE)
        tell_units(run);
    timings_end(&run->timings, TIMINGS_WRITE,
                (run->options.labels ? file_size(run->options.labels) : 0) +
                    file_size(run->output));
    return status;
}
