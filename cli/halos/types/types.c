#include "types.h"
#include "cli/command.h"
#include "cli/halos/halos.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "cli/range.h"
#include "io/files/numbers.h"
#include "units.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <weft/cosmology.h>

static bool has(const int *types, int n, int type) {
    bool found = false;
    for (int k = 0; k < n; ++k)
        found = found || types[k] == type;
    return found;
}

bool types_parse(const char *list, struct halos_types *types, struct io_error *error) {
    bool asked[TYPES_MOST] = {false};
    *types = (struct halos_types){.given = true};
    for (const char *word = list;; ++word) {
        const size_t length = strcspn(word, ",");
        const int type = length == 1 ? word[0] - '0' : -1;
        if (type < 0 || type >= TYPES_MOST)
            return io_fail(
                error,
                "'%.*s' is none of 1, 2, 3 (dark matter), 0 (gas), 4 (stars) and "
                "5 (black holes)",
                (int)length, word);
        if (asked[type])
            return io_fail(error, "%d comes twice", type);
        asked[type] = true;
        word += length;
        if (*word == '\0')
            break;
    }
    for (int type = 0; type < TYPES_MOST; ++type) {
        if (asked[type] && type >= 1 && type <= 3)
            types->linked[types->n_linked++] = type;
        else if (asked[type])
            types->attached[types->n_attached++] = type;
    }
    return types->n_linked > 0 ||
           io_fail(error, "1, 2 or 3 is missing: halos are of dark matter");
}

double types_number(const struct halos_types *types) {
    double number = types->given;
    for (int k = 0; k < types->n_linked; ++k)
        number += 2 << types->linked[k];
    for (int k = 0; k < types->n_attached; ++k)
        number += 2 << types->attached[k];
    return number;
}

static bool is_read(const struct halos_types *types, int type) {
    return has(types->linked, types->n_linked, type) ||
           has(types->attached, types->n_attached, type);
}

void types_tell(const struct halos_run *run) {
    const struct halos_types *types = &run->options.types;
    const char *path = run->options.snapshot;
    for (int type = 0; type < SNAPSHOT_TYPES; ++type) {
        const int64_t n = run->info.count[type];
        if (n > 0 && !is_read(types, type))
            progress_note("%s: the %" PRId64 " particles of PartType%d are left out", path,
                          n, type);
        else if (n == 0 && types->given && is_read(types, type))
            progress_note("%s: there are no particles of type %d", path, type);
    }
    if (has(types->linked, types->n_linked, 3) && run->info.count[3] > 0 &&
        strcmp(run->info.format, "SWIFT HDF5") == 0)
        progress_note("%s: SWIFT's particles of type 3 are sinks; here they are linked as "
                      "dark matter",
                      path);
    if (!types->given && run->options.linking_length_absolute < 0 && types_are_part(run))
        progress_note(
            "%s: the linking length is of the mean separation of PartType1 in the "
            "whole box, as if there were no other dark matter: --types 1,2,3 reads "
            "the others, and goes by the density of dark matter",
            path);
}

bool types_are_part(const struct halos_run *run) {
    int64_t others = 0;
    for (int type = 1; type <= 3; ++type)
        others += type == run->options.types.linked[0] ? 0 : run->info.count[type];
    return others > 0;
}

/* Of all ranks; infinite without particles. */
static bool find_lightest(struct halos_run *run) {
    const struct snapshot_particles *p = &run->particles;
    const void *masses = p->field[SNAPSHOT_MASSES];
    double least = p->n > 0 ? p->mass : INFINITY, most;
    if (masses)
        io_extent(run->comm.threads, masses, p->bytes[SNAPSHOT_MASSES], 1, p->n, &least,
                  &most);
    run->lightest = least;
    return comm_reduce_f64(&run->comm, &run->lightest, 1, COMM_MIN);
}

/* The density of the dark matter today in the snapshot's units; 0, and why, where it does
 * not tell. */
static double dark_density(struct halos_run *run, struct io_error *error) {
    const struct snapshot_info *info = &run->info;
    const struct snapshot_cosmology *c = &info->cosmology;
    const bool has_baryons = info->count[0] > 0 || info->count[4] > 0;
    const char *missing = !(c->h > 0 && c->omega_matter > 0) ? "its cosmology"
                          : has_baryons && !(c->omega_baryon > 0)
                              ? "how much of its matter is gas (Omega_b)"
                              : NULL;
    const double length = missing ? 0 : units_length_in_mpc(info->length_unit, c->h);
    const double mass = missing ? 0 : units_mass_in_msun(info->mass_unit, c->h);
    const weft_cosmology cosmology = {
        .h = c->h, .omega_matter = c->omega_matter - (has_baryons ? c->omega_baryon : 0)};
    weft_device *device = halos_any_device(run);
    double density = 0;
    if (!missing && !(length > 0 && mass > 0))
        missing = "units";
    if (missing) {
        io_fail(error, "it does not tell %s", missing);
    } else if (weft_cosmology_density(device, &cosmology, 0, "1m", &density) != WEFT_OK) {
        io_fail(error, "%s", progress_error(device));
        weft_clear(device);
    }
    return missing ? 0 : density * length * length * length / mass;
}

int types_settle_length(struct halos_run *run) {
    const struct halos_options *options = &run->options;
    struct io_error error;
    if (!options->types.given || !types_are_part(run))
        return CLI_DONE;
    if (!find_lightest(run))
        return parallel_stop(&run->comm);
    const double density = dark_density(run, &error);
    run->mean_separation =
        density > 0 && run->info.n > 0 ? cbrt(run->lightest / density) : (double)NAN;
    if (options->linking_length_absolute >= 0 || run->info.n == 0)
        return CLI_DONE;
    if (!(density > 0))
        return progress_fail(CLI_FAULT,
                             "%s: particles of several types need the mean density of the "
                             "dark matter for their linking length, and %s: give "
                             "--linking-length-absolute",
                             options->snapshot, error.text);
    run->linking_length = (options->linking_length >= 0 ? options->linking_length : 0.2) *
                          run->mean_separation;
    return range_length(options->snapshot, "the linking length", run->linking_length,
                        &error)
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s", error.text);
}
