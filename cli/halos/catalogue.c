/* From arrays on the device to the files. */
#include "cli/command.h"
#include "halos.h"
#include "cli/parallel.h"
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <weft/halo_properties.h>

void halos_keep_column(struct halos_run *run, const char *name, enum catalogue_type type,
                       int components, const char *unit, const char *description,
                       void *data) {
    if (run->n_columns == HALOS_COLUMNS) {
        weft_fail(run->device, WEFT_E_SHAPE, "the catalogue has no room for the column %s",
                  name);
        free(data);
        return;
    }
    run->columns[run->n_columns++] = (struct catalogue_column){
        .name = name,
        .type = type,
        .components = components,
        .unit = unit,
        .description = description,
        .data = data,
    };
}

void *halos_allocate(struct halos_run *run, int64_t count, size_t bytes_each) {
    void *memory = malloc((size_t)(count + 1) * bytes_each);
    if (memory == NULL)
        weft_fail(run->device, WEFT_E_MEMORY, "out of memory: %lld bytes of the catalogue",
                  (long long)count * (long long)bytes_each);
    return memory;
}

void halos_add_column(struct halos_run *run, const char *name, int components,
                      const char *unit, const char *description, weft_array array) {
    const enum catalogue_type type = array.type == WEFT_F64  ? CATALOGUE_F64
                                     : array.type == WEFT_U8 ? CATALOGUE_U8
                                                             : CATALOGUE_I64;
    void *data = halos_allocate(run, array.length, WEFT_SIZE(array.type));
    if (data == NULL || weft_read(run->device, array, data) != WEFT_OK)
        free(data);
    else
        halos_keep_column(run, name, type, components, unit, description, data);
}

const void *halos_column(const struct halos_run *run, const char *name) {
    int k = 0;
    while (strcmp(run->columns[k].name, name) != 0)
        ++k;
    return run->columns[k].data;
}

/* tag, count: known from the grouping. */
static void add_sizes(struct halos_run *run) {
    const weft_halos *halos = &run->halos;
    halos_add_column(run, "tag", 1, "1", "smallest particle id in the halo", halos->tag);
    run->offset = halos_allocate(run, halos->count + 1, sizeof *run->offset);
    int64_t *count = halos_allocate(run, halos->count, sizeof *count);
    if (run->offset == NULL || count == NULL ||
        weft_read(run->device, halos->offset, run->offset) != WEFT_OK) {
        free(count);
        return;
    }
    for (int64_t h = 0; h < halos->count; ++h)
        count[h] = run->offset[h + 1] - run->offset[h];
    halos_keep_column(run, "count", CATALOGUE_I64, 1, "1", "particles in the halo", count);
}

static void add_properties(struct halos_run *run, const weft_halo_properties *halo) {
    const char *length = run->info.length_unit;
    halos_add_column(run, "wraps", 1, "1",
                     "1 where the halo spans at least half of a periodic axis of the box",
                     halo->wraps);
    halos_add_column(run, "mass", 1, run->info.mass_unit, "sum of the members' masses",
                     halo->mass);
    halos_add_column(run, "center_of_mass", 3, length,
                     "center of mass of the members, wrapped into the box",
                     halo->center_of_mass);
    halos_add_column(run, "radius_max", 1, length,
                     "distance of the farthest member from the center of mass",
                     halo->radius_max);
    if (halo->velocity.type == 0)
        return;
    halos_add_column(run, "velocity", 3, "km/s", "peculiar velocity of the center of mass",
                     halo->velocity);
    halos_add_column(run, "velocity_dispersion", 1, "km/s",
                     "sqrt(sum m |v - mean v|^2 / (3 sum m)), without Hubble flow",
                     halo->dispersion);
}

/* The ids of the members, halo by halo; NULL where memory is out. */
static int64_t *member_ids(struct halos_run *run) {
    const int64_t n = run->halos.members;
    const int64_t *ids = run->particles.field[SNAPSHOT_IDS];
    int64_t *out = halos_allocate(run, n, sizeof *out);
    uint32_t *member = halos_allocate(run, n, sizeof *member);
    if (out != NULL && member != NULL &&
        weft_read(run->device, run->halos.member, member) == WEFT_OK) {
        for (int64_t k = 0; k < n; ++k)
            out[k] = ids ? ids[member[k]] : (int64_t)member[k];
    }
    free(member);
    return out;
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
}

int halos_measure(struct halos_run *run) {
    weft_halo_properties properties;
    const weft_array velocity = halos_lend(run, SNAPSHOT_VELOCITIES);
    const weft_array mass = halos_lend(run, SNAPSHOT_MASSES);
    weft_halos_measure(run->device, &run->points, velocity, mass, run->particles.mass,
                       run->period, &run->halos, &properties);
    if (weft_check(run->device) == WEFT_OK) {
        add_sizes(run);
        add_properties(run, &properties);
        run->n_halos = run->halos.count;
        run->n_members = run->halos.members;
        if (run->options.members)
            run->member_id = member_ids(run);
        weft_halo_properties_free(run->device, &properties);
    }
    halos_take_back(run, mass);
    halos_take_back(run, velocity);
    if (weft_check(run->device) != WEFT_OK)
        return progress_fail(CLI_FAULT, "%s", weft_error(run->device));
    const int64_t bytes = 4 + 3 * run->particles.bytes[SNAPSHOT_COORDINATES] +
                          3 * run->particles.bytes[SNAPSHOT_VELOCITIES] +
                          run->particles.bytes[SNAPSHOT_MASSES];
    timings_end(&run->timings, TIMINGS_PROPERTIES, bytes * run->halos.members);
    return CLI_DONE;
}

static int64_t file_size(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (int64_t)status.st_size : 0;
}

static struct catalogue_header header(const struct halos_run *run) {
    struct catalogue_header h = {
        .weft_version = weft_version(),
        .backend = weft_backend_name(run->device),
        .device = weft_device_name(run->device),
        .n_particles = run->info.n,
        .linking_length = run->linking_length,
        .mean_separation = run->mean_separation,
        .min_members = run->options.min_members,
        .min_friends = run->options.min_friends,
        .redshift = run->info.redshift,
        .h = run->info.cosmology.h,
        .omega_matter = run->info.cosmology.omega_matter,
        .omega_lambda = run->info.cosmology.omega_lambda,
        .ids = run->particles.ids_from == SNAPSHOT_IDS_FILE ? "file" : "index",
        .source_file = run->options.snapshot,
        .command = run->command,
    };
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
    const int64_t *values =
        column == CATALOGUE_MEMBER_IDS ? run->member_id : run->member_friends;
    if (run->members.place)
        return halos_members_bring(&run->comm, &run->members, column, first, n, out);
    memcpy(out, values + first, (size_t)n * sizeof *out);
    return true;
}

static int write_catalogue(struct halos_run *run) {
    struct io_error error;
    const bool in_parts = run->members.place != NULL;
    struct catalogue_members members = {
        .offset = run->offset,
        .has_friends = (in_parts ? run->members.friends : run->member_friends) != NULL,
        .pull = pull_members,
        .context = run,
    };
    struct catalogue catalogue = {
        .header = header(run),
        .n = run->n_halos,
        .n_columns = run->n_columns,
        .columns = run->columns,
    };
    if (run->options.members)
        catalogue.members = &members;
    int status = CLI_DONE;
    if (strcmp(run->output, "-") == 0 ? !catalogue_print(stdout, &catalogue, &error)
                                      : !catalogue_write(run->output, &catalogue, &error))
        status = run->comm.trouble ? parallel_stop(&run->comm)
                                   : progress_fail(CLI_FAULT, "%s", error.text);
    else if (run->xdmf && !catalogue_write_xdmf(run->xdmf, run->output, &catalogue, &error))
        status = progress_fail(CLI_FAULT, "%s", error.text);
    return status;
}

int halos_write(struct halos_run *run) {
    int status = run->options.labels
                     ? parallel_write_labels(&run->comm, run->options.labels, LABELS_RAW,
                                             run->labels, run->n_labels)
                     : CLI_DONE;
    if (status == CLI_DONE && run->comm.rank == 0)
        status = write_catalogue(run);
    if (run->comm.rank > 0) {
        if (status == CLI_DONE && run->options.members &&
            !halos_members_send(&run->comm, &run->members))
            status = parallel_stop(&run->comm);
        return status;
    }
    timings_end(&run->timings, TIMINGS_WRITE,
                (run->options.labels ? file_size(run->options.labels) : 0) +
                    file_size(run->output));
    return status;
}
