/* Subhalos of `weft halos`: what they are measured by, and their columns. */
#include "cli/command.h"
#include "cli/halos/types/units.h"
#include "cli/parallel.h"
#include "cli/progress.h"
#include "halos.h"
#include "io/files/numbers.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <weft/cosmology.h>
#include <weft/subhalos.h>
#include <weft/transform.h>

/* Columns that are arrays of weft_subhalo_properties. */
static const struct row {
    struct halos_column column;
    size_t numbers;
} rows[] = {
    {{"mass", 1, HALOS_MASS, "sum of the members' masses", NULL},
     offsetof(weft_subhalo_properties, mass)},
    {{"center_of_mass", 3, HALOS_LENGTH,
      "center of mass of the members, wrapped into the box", NULL},
     offsetof(weft_subhalo_properties, center_of_mass)},
    {{"velocity", 3, HALOS_VELOCITY, "peculiar velocity of the center of mass", NULL},
     offsetof(weft_subhalo_properties, velocity)},
    {{"velocity_dispersion", 1, HALOS_VELOCITY,
      "sqrt(sum m |v - mean v|^2 / (3 sum m)), without Hubble flow", NULL},
     offsetof(weft_subhalo_properties, dispersion)},
    {{"radius_max", 1, HALOS_LENGTH, "distance of the farthest member from position", NULL},
     offsetof(weft_subhalo_properties, radius_max)},
    {{"vmax", 1, HALOS_VELOCITY,
      "largest sqrt(G M(<r) / r) of the members, r at least the softening", NULL},
     offsetof(weft_subhalo_properties, vmax)},
    {{"rmax", 1, HALOS_LENGTH, "distance of the member where the velocity is vmax", NULL},
     offsetof(weft_subhalo_properties, rmax)},
    {{"half_mass_radius", 1, HALOS_LENGTH,
      "distance of the member within which half the mass is", NULL},
     offsetof(weft_subhalo_properties, half_mass_radius)},
    {{"spin_bullock", 1, HALOS_NO_UNIT,
      "|J| / (sqrt(2) M V R) with R = radius_max and V^2 = G M / R", NULL},
     offsetof(weft_subhalo_properties, spin)},
};

static const struct halos_column position = {
    "position", 3, HALOS_LENGTH, "position of the most bound particle, as in the snapshot",
    NULL};

static const struct halos_column main_one = {
    "main", 1, HALOS_NO_UNIT, "1 for the main subhalo, which has what is in no other",
    NULL};

static int settle(struct halos_run *run) {
    const struct snapshot_info *info = &run->info;
    const weft_cosmology cosmology = {.h = info->cosmology.h,
                                      .omega_matter = info->cosmology.omega_matter,
                                      .omega_lambda = info->cosmology.omega_lambda};
    weft_cosmology_epoch epoch;
    const bool knows = cosmology.h > 0 && cosmology.omega_matter > 0;
    const double length = units_length_in_mpc(info->length_unit, cosmology.h);
    const double mass = units_mass_in_msun(info->mass_unit, cosmology.h);
    const char *missing =
        !knows                  ? "cosmology"
        : isnan(info->redshift) ? "redshift"
        : !(length > 0)         ? "unit of length"
        : !(mass > 0)           ? "unit of mass"
        : run->particles.field[SNAPSHOT_VELOCITIES] == NULL && run->particles.n > 0
            ? "velocities"
            : NULL;
    if (missing)
        return progress_fail(
            CLI_FAULT, "--subhalos: %s: the file does not tell its %s%s",
            run->options.snapshot, missing,
            run->keeps || strcmp(missing, "velocities") == 0 ? "" : ": --assume tells it");
    weft_device *device = halos_any_device(run);
    if (weft_cosmology_at(device, &cosmology, info->redshift, &epoch) != WEFT_OK)
        return progress_fail(CLI_FAULT, "--subhalos: %s: %s", run->options.snapshot,
                             progress_error(device));
    const double softening = run->options.softening;
    run->subhalos.options = (weft_subhalos_options){
        .softening = softening > 0 ? softening : 0,
        .gravity = WEFT_COSMOLOGY_GRAVITY * mass / length / epoch.scale_factor,
        .hubble = epoch.scale_factor * epoch.hubble * length,
        .order_only = 1};
    return CLI_DONE;
}

int halos_subhalos_settle(struct halos_run *run) {
    return run->options.subhalos ? parallel_meet(&run->comm, settle(run)) : CLI_DONE;
}

static void keep(struct halos_run *run, const char *name, const char *description,
                 int64_t *numbers) {
    const struct halos_column column = {name, 1, HALOS_NO_UNIT, description, NULL};
    if (numbers)
        halos_keep_column(run, &column, CATALOGUE_I64, numbers);
}

/* Ids in place of particles. */
static int64_t *ids_of(struct halos_run *run, weft_array particle) {
    const int64_t *ids = run->particles.field[SNAPSHOT_IDS];
    int64_t *numbers = halos_read_numbers(run, particle);
    for (int64_t k = 0; ids && numbers && k < particle.length; ++k)
        numbers[k] = ids[numbers[k]];
    return numbers;
}

/* Rows of parents; -1: none. */
static int64_t *parents_of(struct halos_run *run, weft_array parent) {
    int64_t *numbers = halos_read_numbers(run, parent);
    for (int64_t k = 0; numbers && k < parent.length; ++k)
        numbers[k] = numbers[k] == UINT32_MAX ? -1 : numbers[k];
    return numbers;
}

static int64_t *sizes_of(struct halos_run *run) {
    const struct halos_subhalos *s = &run->subhalos;
    int64_t *sizes = halos_allocate(run, s->n, sizeof *sizes);
    for (int64_t k = 0; sizes && k < s->n; ++k)
        sizes[k] = s->offset[k + 1] - s->offset[k];
    return sizes;
}

static weft_array places_of(struct halos_run *run, weft_array particle) {
    weft_device *device = run->device;
    const int64_t n = particle.length;
    const weft_array at = weft_scratch(device, WEFT_F64, 3 * n);
    int64_t *row = halos_read_numbers(run, particle);
    double *x = halos_allocate(run, 3 * n, sizeof *x);
    if (row && x) {
        for (int64_t k = 0; k < 3 * n; ++k)
            x[k] = io_value(run->particles.field[SNAPSHOT_COORDINATES],
                            run->particles.bytes[SNAPSHOT_COORDINATES],
                            3 * row[k / 3] + k % 3);
        weft_write(device, at, x);
    }
    free(row), free(x);
    return at;
}

/* Of each its first member, which is bound most. */
static weft_array centers_of(struct halos_run *run, const weft_subhalos *found) {
    const weft_array first = weft_slice(run->device, found->offset, 0, found->count);
    const weft_array center = weft_scratch(run->device, WEFT_U32, found->count);
    weft_gather(run->device, found->member, first, center);
    return center;
}

/* The columns of /subhalos, which take the place of those of halos meanwhile. */
static void list(struct halos_run *run, const weft_subhalos *found,
                 const weft_subhalo_properties *of) {
    struct halos_subhalos *s = &run->subhalos;
    const struct halos_columns halos = run->columns;
    weft_scope_open(run->device);
    const weft_array center = centers_of(run, found);
    run->columns = (struct halos_columns){0};
    keep(run, "tag", "id of the most bound particle", ids_of(run, center));
    keep(run, "halo", "row of the halo that it is in",
         halos_read_numbers(run, found->halo));
    keep(run, "parent", "row of the subhalo around it; -1: none",
         parents_of(run, found->parent));
    keep(run, "depth", "how many subhalos are around it",
         halos_read_numbers(run, found->depth));
    keep(run, "count", "particles that are bound to it", sizes_of(run));
    halos_add_column(run, &main_one, found->main);
    keep(run, "peak_id", "id of its densest particle", ids_of(run, found->peak));
    halos_add_column(run, &position, places_of(run, center));
    weft_scope_close(run->device);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
        halos_add_column(run, &rows[k].column,
                         *(const weft_array *)((const char *)of + rows[k].numbers));
    s->columns = run->columns;
    run->columns = halos;
    if (run->options.members)
        s->member_id = ids_of(run, found->member);
}

/* What halos are told of them. */
static void sum_up(struct halos_run *run) {
    static const struct halos_column fraction = {
        "substructure_fraction", 1, HALOS_NO_UNIT,
        "mass that is bound to subhalos other than the main one, of the halo's mass", NULL};
    const int64_t n = run->halos.count;
    const double *mass_of = halos_columns_find(&run->subhalos.columns, "mass");
    const int64_t *halo = halos_columns_find(&run->subhalos.columns, "halo");
    const uint8_t *is_main = halos_columns_find(&run->subhalos.columns, "main");
    const double *mass = halos_column(run, "mass");
    int64_t *count = halos_allocate(run, n, sizeof *count);
    double *part = halos_allocate(run, n, sizeof *part);
    if (!count || !part) {
        free(count), free(part);
        return;
    }
    for (int64_t h = 0; h < n; ++h)
        count[h] = 0, part[h] = 0;
    for (int64_t s = 0; s < run->subhalos.n; ++s) {
        count[halo[s]] += !is_main[s];
        part[halo[s]] += is_main[s] ? 0 : mass_of[s] / mass[halo[s]];
    }
    keep(run, "n_subhalos", "subhalos in it, but for the main one", count);
    halos_keep_column(run, &fraction, CATALOGUE_F64, part);
}

static void read_offsets(struct halos_run *run, const weft_subhalos *found) {
    struct halos_subhalos *s = &run->subhalos;
    s->n = found->count;
    s->offset = halos_allocate(run, s->n + 1, sizeof *s->offset);
    if (s->offset)
        weft_read(run->device, found->offset, s->offset);
}

int halos_subhalos_find(struct halos_run *run) {
    weft_device *device = run->device;
    if (!run->options.subhalos)
        return CLI_DONE;
    halos_show(run, "subhalos");
    const weft_array velocity = halos_lend(run, SNAPSHOT_VELOCITIES);
    const weft_array mass = halos_lend(run, SNAPSHOT_MASSES);
    weft_bodies bodies = halos_bodies(run, mass);
    bodies.velocity = velocity;
    weft_subhalos found;
    weft_subhalo_properties of;
    weft_subhalos_find(device, &bodies, &run->subhalos.options, &run->halos, &found);
    halos_show(run, "what subhalos are like");
    weft_subhalos_measure(device, &bodies, &run->subhalos.options, &found, &of);
    if (weft_check(device) == WEFT_OK)
        read_offsets(run, &found);
    if (weft_check(device) == WEFT_OK)
        list(run, &found, &of);
    if (weft_check(device) == WEFT_OK)
        sum_up(run);
    const int64_t members = found.members;
    weft_subhalo_properties_free(device, &of);
    weft_subhalos_free(device, &found);
    halos_take_back(run, mass);
    halos_take_back(run, velocity);
    timings_end(&run->timings, TIMINGS_SUBHALOS, members * 12);
    return weft_check(device) == WEFT_OK
               ? CLI_DONE
               : progress_fail(CLI_FAULT, "%s: %s", run->options.snapshot,
                               progress_error(device));
}

void halos_subhalos_free(struct halos_run *run) {
    halos_columns_free(&run->subhalos.columns);
    free(run->subhalos.offset);
    free(run->subhalos.member_id);
    run->subhalos.offset = run->subhalos.member_id = NULL;
    run->subhalos.n = 0;
}
