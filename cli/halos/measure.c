/* The columns that every catalogue has. A column is a row of the table, and where its
 * numbers come from. */
#include "cli/command.h"
#include "cli/progress.h"
#include "halos.h"
#include "io/files/numbers.h"

#include <stdlib.h>
#include <weft/halo_properties.h>
#include <weft/transform.h>

/* How much heavier than the lightest a particle of low resolution is. */
static const double heavier = 1.01;

/* What columns are made of. */
struct measured {
    const weft_halos *halos;
    weft_array velocity, mass; /* of the particles; {0}: the file has none */
    weft_halo_properties of;
};

/* Numbers of the halos, in an open scope: [halos], or three of each. {0}: there is no such
 * column. */
typedef weft_array numbers_function(struct halos_run *run, const struct measured *halo);

static weft_array tag(struct halos_run *run, const struct measured *halo) {
    (void)run;
    return halo->halos->tag;
}

static weft_array count(struct halos_run *run, const struct measured *halo) {
    const int64_t n = halo->halos->count;
    const weft_array ends = weft_slice(run->device, halo->halos->offset, 1, n);
    const weft_array sizes = weft_scratch(run->device, WEFT_I64, n);
    weft_adjacent_difference(run->device, ends, sizes);
    return sizes;
}

static weft_array wraps(struct halos_run *run, const struct measured *halo) {
    (void)run;
    return halo->of.wraps;
}

static weft_array mass(struct halos_run *run, const struct measured *halo) {
    (void)run;
    return halo->of.mass;
}

static weft_array center_of_mass(struct halos_run *run, const struct measured *halo) {
    (void)run;
    return halo->of.center_of_mass;
}

static weft_array radius_max(struct halos_run *run, const struct measured *halo) {
    (void)run;
    return halo->of.radius_max;
}

static weft_array velocity(struct halos_run *run, const struct measured *halo) {
    (void)run;
    return halo->of.velocity;
}

static weft_array dispersion(struct halos_run *run, const struct measured *halo) {
    (void)run;
    return halo->of.dispersion;
}

/* Members within the linking length of where the region ends. */
static weft_array cut(struct halos_run *run, const struct measured *halo) {
    const int64_t n = halo->halos->count;
    const struct snapshot_particles *particles = &run->particles;
    if (!run->options.region.given)
        return (weft_array){0};
    const weft_array flags = weft_scratch(run->device, WEFT_U8, n);
    uint32_t *member = halos_allocate(run, halo->halos->members, sizeof *member);
    uint8_t *flag = halos_allocate(run, n, sizeof *flag);
    if (member && flag && weft_read(run->device, halo->halos->member, member) == WEFT_OK) {
        for (int64_t h = 0; h < n; ++h) {
            flag[h] = 0;
            for (int64_t k = run->offset[h]; !flag[h] && k < run->offset[h + 1]; ++k) {
                double x[3];
                for (int axis = 0; axis < 3; ++axis)
                    x[axis] = io_value(particles->field[SNAPSHOT_COORDINATES],
                                       particles->bytes[SNAPSHOT_COORDINATES],
                                       3 * (int64_t)member[k] + axis);
                flag[h] = region_is_near_face(&run->options.region, run->period, x,
                                              run->linking_length);
            }
        }
        weft_write(run->device, flags, flag);
    }
    free(member), free(flag);
    return flags;
}

/* Members that are heavier than the lightest particle, by more than masses are rounded: how
 * many, and their mass. */
static weft_array count_heavy(struct halos_run *run, bool sum) {
    const int64_t n = run->n_halos;
    const struct snapshot_particles *particles = &run->particles;
    const void *masses = particles->field[SNAPSHOT_MASSES];
    if (run->options.types.n_linked < 2)
        return (weft_array){0};
    const weft_array numbers =
        weft_scratch(run->device, sum ? (weft_type)WEFT_F64 : (weft_type)WEFT_I64, n);
    uint32_t *member = halos_allocate(run, run->n_members, sizeof *member);
    int64_t *count = halos_allocate(run, n, sizeof *count);
    double *mass = halos_allocate(run, n, sizeof *mass);
    if (member && count && mass &&
        weft_read(run->device, run->halos.member, member) == WEFT_OK) {
        for (int64_t h = 0; h < n; ++h) {
            count[h] = 0;
            mass[h] = 0;
            for (int64_t k = run->offset[h]; masses && k < run->offset[h + 1]; ++k) {
                const double m =
                    io_value(masses, particles->bytes[SNAPSHOT_MASSES], member[k]);
                const bool heavy = m > heavier * run->lightest;
                count[h] += heavy;
                mass[h] += heavy ? m : 0;
            }
        }
        weft_write(run->device, numbers, sum ? (const void *)mass : count);
    }
    free(member), free(count), free(mass);
    return numbers;
}

static weft_array heavy(struct halos_run *run, const struct measured *halo) {
    (void)halo;
    return count_heavy(run, false);
}

static weft_array heavy_mass(struct halos_run *run, const struct measured *halo) {
    (void)halo;
    return count_heavy(run, true);
}

static const struct row {
    struct halos_column column;
    numbers_function *numbers;
} rows[] = {
    {{"tag", 1, HALOS_NO_UNIT, "smallest particle id in the halo", "fof_halo_tag"}, tag},
    {{"count", 1, HALOS_NO_UNIT, "particles in the halo", "fof_halo_count"}, count},
    {{"wraps", 1, HALOS_NO_UNIT,
      "1 where the halo spans at least half of a periodic axis of the box", NULL},
     wraps},
    {{"cut", 1, HALOS_NO_UNIT,
      "1 where a member is within the linking length of the region's faces: the halo may "
      "go "
      "on behind them",
      NULL},
     cut},
    {{"count_heavy", 1, HALOS_NO_UNIT,
      "members that are heavier than the lightest particle of dark matter by more than a "
      "hundredth: where it is not 0 the halo is contaminated by particles of low "
      "resolution",
      NULL},
     heavy},
    {{"mass_heavy", 1, HALOS_MASS, "sum of the masses of the heavy members", NULL},
     heavy_mass},
    {{"mass", 1, HALOS_MASS, "sum of the members' masses", "fof_halo_mass"}, mass},
    {{"center_of_mass", 3, HALOS_LENGTH,
      "center of mass of the members, wrapped into the box", "fof_halo_com"},
     center_of_mass},
    {{"radius_max", 1, HALOS_LENGTH,
      "distance of the farthest member from the center of mass", NULL},
     radius_max},
    {{"velocity", 3, HALOS_VELOCITY, "peculiar velocity of the center of mass",
      "fof_halo_mean_v"},
     velocity},
    {{"velocity_dispersion", 1, HALOS_VELOCITY,
      "sqrt(sum m |v - mean v|^2 / (3 sum m)), without Hubble flow",
      "fof_halo_1D_vel_disp"},
     dispersion},
};

static void add_columns(struct halos_run *run, const struct measured *halo) {
    weft_scope_open(run->device);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        const weft_array numbers = rows[k].numbers(run, halo);
        if (numbers.type)
            halos_add_column(run, &rows[k].column, numbers);
    }
    weft_scope_close(run->device);
}

static void read_offsets(struct halos_run *run) {
    const weft_array offset = run->halos.offset;
    run->n_halos = run->halos.count;
    run->n_members = run->halos.members;
    run->offset = halos_allocate(run, offset.length, sizeof *run->offset);
    if (run->offset)
        weft_read(run->device, offset, run->offset);
}

/* The ids of the members, halo by halo; NULL where memory is out. */
static int64_t *member_ids(struct halos_run *run) {
    const int64_t *ids = run->particles.field[SNAPSHOT_IDS];
    int64_t *members = halos_read_numbers(run, run->halos.member);
    for (int64_t k = 0; ids && members && k < run->halos.members; ++k)
        members[k] = ids[members[k]];
    return members;
}

int halos_measure(struct halos_run *run) {
    struct measured halo = {.halos = &run->halos};
    halo.velocity = halos_lend(run, SNAPSHOT_VELOCITIES);
    halo.mass = halos_lend(run, SNAPSHOT_MASSES);
    weft_bodies bodies = halos_bodies(run, halo.mass);
    bodies.velocity = halo.velocity;
    weft_halos_measure(run->device, &bodies, &run->halos, &halo.of);
    if (weft_check(run->device) == WEFT_OK) {
        read_offsets(run);
        add_columns(run, &halo);
        if (run->options.members)
            run->member_id = member_ids(run);
        weft_halo_properties_free(run->device, &halo.of);
    }
    halos_take_back(run, halo.mass);
    halos_take_back(run, halo.velocity);
    if (weft_check(run->device) != WEFT_OK)
        return progress_fail(CLI_FAULT, "%s", progress_error(run->device));
    const int64_t bytes = 4 + 3 * run->particles.bytes[SNAPSHOT_COORDINATES] +
                          3 * run->particles.bytes[SNAPSHOT_VELOCITIES] +
                          run->particles.bytes[SNAPSHOT_MASSES];
    timings_end(&run->timings, TIMINGS_PROPERTIES, bytes * run->halos.members);
    return CLI_DONE;
}
