/* Catalogues of halos, for Python: the steps of `weft halos`, of files or of arrays. */
#include "cli/command.h"
#include "cli/halos/centers/centers.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "glue.h"
#include "io/assumed/assumed.h"

#include <stdlib.h>
#include <string.h>

enum { TEXTS = 4 };

struct weft_python_catalogue {
    struct halos_run run;
    struct halos_given given;
    char *text[TEXTS]; /* of the request, which its options refer to */
};

static const char *keep(weft_python_catalogue *catalogue, int k, const char *text) {
    catalogue->text[k] = text ? strdup(text) : NULL;
    return catalogue->text[k];
}

static void set_numbers(weft_python_catalogue *catalogue,
                        const struct weft_python_request *request) {
    struct halos_options *options = &catalogue->run.options;
    options->snapshot = keep(catalogue, 0, request->snapshot);
    options->linking_length = request->linking_length;
    options->linking_length_absolute = request->linking_length_absolute;
    options->min_members = request->min_members;
    options->min_friends = request->min_friends;
    options->softening = request->softening;
    options->poisson_grid = request->poisson_grid;
    options->poisson_boundary = keep(catalogue, 1, request->poisson_boundary);
    options->poisson_prove = request->poisson_prove;
    options->properties = keep(catalogue, 2, request->properties);
    options->memory_limit = request->memory_limit;
    options->profiles = request->profiles;
    options->shapes = request->shapes;
    options->members = request->members;
    options->subhalos = request->subhalos;
    options->labels = request->labels ? "labels" : NULL;
    options->periodic_given = request->periodic != NULL;
    for (int axis = 0; axis < 3; ++axis) {
        options->box[axis] = request->box[axis];
        options->periodic[axis] =
            request->periodic && strchr(request->periodic, "xyz"[axis]);
    }
}

/* Members that were found in parts, to the first rank as if at once. */
static int bring_members(struct halos_run *run) {
    struct halos_members *members = &run->members;
    if (members->place == NULL)
        return CLI_DONE;
    int64_t *const of[] = {
        halos_allocate(run, run->n_members, sizeof(int64_t)),
        members->friends ? halos_allocate(run, run->n_members, sizeof(int64_t)) : NULL};
    bool well = of[0] && (of[1] || !members->friends);
    for (int c = 0; c < 2 && of[c]; ++c) {
        for (int64_t first = 0; well && first < run->n_members; first += CATALOGUE_PIECE) {
            const int64_t left = run->n_members - first;
            well = halos_members_bring(
                &run->comm, members, (enum catalogue_member_column)c, first,
                left < CATALOGUE_PIECE ? left : CATALOGUE_PIECE, of[c] + first);
        }
    }
    well = well && halos_members_finish(&run->comm, members);
    run->member_id = of[0];
    run->member_friends = of[1];
    halos_members_free(members);
    return well ? CLI_DONE : parallel_stop(&run->comm);
}

static int set_options(weft_python_catalogue *catalogue,
                       const struct weft_python_request *request) {
    struct halos_options *options = &catalogue->run.options;
    struct io_error error;
    *options = halos_options_default();
    set_numbers(catalogue, request);
    if (request->centers) {
        options->centers = 0;
        options->centers_given = true;
        if (!centers_parse(request->centers, &options->centers, &error))
            return progress_fail(CLI_USAGE, "--centers: %s", error.text);
    }
    options->so_given = request->so != NULL;
    if (request->so && !halos_so_parse(request->so, &options->so, &error))
        return progress_fail(CLI_USAGE, "--so: %s", error.text);
    const char *within = options->properties;
    if (within && !halos_so_is_name(within) && strcmp(within, "none") != 0)
        return progress_fail(CLI_USAGE,
                             "--properties: '%s' is not vir, a number and c "
                             "(critical) or m (mean), or none",
                             within);
    if (request->types && !types_parse(request->types, &options->types, &error))
        return progress_fail(CLI_USAGE, "--types: %s", error.text);
    if (request->assume && !snapshot_assume(request->assume, &error))
        return progress_fail(CLI_USAGE, "%s", error.text);
    if (request->region && !region_parse(request->region, &options->region, &error))
        return progress_fail(CLI_USAGE, "--region: %s", error.text);
    return halos_options_agree(options, &error)
               ? CLI_DONE
               : progress_fail(CLI_USAGE, "%s", error.text);
}

static void take(const struct weft_python_snapshot *from, struct halos_given *given) {
    struct snapshot_info *info = &given->info;
    struct snapshot_particles *particles = &given->particles;
    *info = (struct snapshot_info){
        .format = "arrays",
        .n = from->n,
        .mass = from->mass,
        .redshift = from->redshift,
        .scale_factor = from->scale_factor,
        .cosmology = {.h = from->h,
                      .omega_matter = from->omega_matter,
                      .omega_lambda = from->omega_lambda,
                      .omega_baryon = from->omega_baryon},
    };
    info->count[1] = from->n;
    memcpy(info->length_unit, from->length_unit, sizeof info->length_unit);
    memcpy(info->mass_unit, from->mass_unit, sizeof info->mass_unit);
    for (int axis = 0; axis < 3; ++axis) {
        info->box[axis] = from->box[axis];
        info->periodic[axis] = from->periodic[axis];
    }
    *particles = (struct snapshot_particles){.n = from->n, .mass = from->mass};
    for (int f = 0; f < SNAPSHOT_FIELDS; ++f) {
        particles->field[f] = from->field[f];
        particles->bytes[f] = info->bytes[f] = from->field[f] ? from->bytes[f] : 0;
    }
    particles->ids_from =
        from->field[SNAPSHOT_IDS] ? SNAPSHOT_IDS_FILE : SNAPSHOT_IDS_INDEX;
}

weft_python_catalogue *weft_python_halos(weft_device *device,
                                         const struct weft_python_request *request,
                                         int *status) {
    weft_python_catalogue *catalogue = calloc(1, sizeof *catalogue);
    if (catalogue == NULL) {
        *status = progress_fail(CLI_FAULT, "out of memory: a catalogue");
        return NULL;
    }
    static char command[] = "weft.halos, in Python";
    struct halos_run *run = &catalogue->run;
    comm_open(&run->comm);
    run->keeps = true;
    run->device = device;
    progress_hear(device);
    run->command = command;
    timings_start(&run->timings);
    *status = set_options(catalogue, request);
    if (request->given) {
        take(request->given, &catalogue->given);
        run->given = &catalogue->given;
    }
    if (*status == CLI_DONE)
        *status = halos_find(run);
    progress_unhear(device);
    snapshot_assume("", NULL);
    if (*status == CLI_DONE)
        *status = bring_members(run);
    if (*status == CLI_DONE && progress_stopped())
        *status = progress_fail(CLI_FAULT, "interrupted");
    halos_release_device(run);
    if (*status != CLI_DONE && run->comm.culprit >= 0 &&
        run->comm.culprit != run->comm.rank)
        progress_fail(*status, "rank %d failed, and tells why", run->comm.culprit);
    halos_release_particles(run);
    run->given = NULL;
    if (*status == CLI_DONE)
        return catalogue;
    weft_python_halos_free(catalogue);
    return NULL;
}

void weft_python_about(const weft_python_catalogue *catalogue,
                       struct weft_python_about *out) {
    const struct halos_run *run = &catalogue->run;
    *out = (struct weft_python_about){
        .particles = run->info.n,
        .halos = run->n_halos,
        .members = run->n_members,
        .labelled = run->n_labels,
        .subhalos = run->subhalos.n,
        .linking_length = run->linking_length,
        .mean_separation = run->mean_separation,
        .redshift = run->info.redshift,
        .scale_factor = run->info.scale_factor,
        .h = run->info.cosmology.h,
        .omega_matter = run->info.cosmology.omega_matter,
        .omega_lambda = run->info.cosmology.omega_lambda,
        .columns = run->columns.n + run->profiles.n,
        .subhalo_columns = run->subhalos.columns.n,
        .profile_bins = run->profiles.n ? HALOS_PROFILE_BINS : 0,
        .ids_from_file = run->particles.ids_from == SNAPSHOT_IDS_FILE,
        .length_unit = run->info.length_unit,
        .mass_unit = run->info.mass_unit,
        .offset = run->offset,
        .member_id = run->member_id,
        .member_friends = run->member_friends,
        .labels = run->labels,
        .subhalo_offset = run->subhalos.offset,
        .subhalo_member_id = run->subhalos.member_id,
    };
    memcpy(out->profile_edge, run->profile_edge, sizeof out->profile_edge);
    for (int axis = 0; axis < 3; ++axis) {
        out->box[axis] = run->box[axis];
        out->periodic[axis] = run->period[axis] > 0;
    }
}

void weft_python_column(const weft_python_catalogue *catalogue, int64_t k,
                        struct weft_python_column *out) {
    static const char *const types[] = {"i8", "u1", "f8"};
    const struct halos_run *run = &catalogue->run;
    const struct halos_columns *const groups[] = {&run->columns, &run->profiles,
                                                  &run->subhalos.columns};
    int of = 0;
    for (; k >= groups[of]->n; ++of)
        k -= groups[of]->n;
    const struct catalogue_column *column = &groups[of]->column[k];
    *out = (struct weft_python_column){
        .name = column->name,
        .unit = column->unit,
        .description = column->description,
        .type = types[column->type],
        .data = column->data,
        .rows = of == 2 ? run->subhalos.n : run->n_halos,
        .components = column->components,
        .of = of,
    };
}

int weft_python_write(weft_python_catalogue *catalogue, const char *path) {
    struct halos_run *run = &catalogue->run;
    if (run->comm.rank > 0)
        return CLI_DONE;
    run->output = keep(catalogue, 3, path) ? catalogue->text[3] : NULL;
    if (run->output == NULL)
        return progress_fail(CLI_FAULT, "out of memory: the name of the catalogue");
    const char *labels = run->options.labels;
    run->options.labels = NULL;
    const int status = halos_write(run);
    run->options.labels = labels;
    free(catalogue->text[3]);
    catalogue->text[3] = run->output = NULL;
    return status;
}

void weft_python_halos_free(weft_python_catalogue *catalogue) {
    if (catalogue == NULL)
        return;
    halos_release(&catalogue->run);
    for (int k = 0; k < TEXTS; ++k)
        free(catalogue->text[k]);
    free(catalogue);
}
