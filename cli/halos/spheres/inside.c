#include "inside.h"
#include "cli/halos/halos.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/so_shapes.h>

/* Columns whose names end in that of the threshold say so with a last `_`. Names of HACC
 * are for 200c. */
static const struct row {
    struct halos_column column;
    size_t numbers; /* where in weft_so_properties */
} rows[] = {
    {{"vmax", 1, HALOS_VELOCITY,
      "largest sqrt(G M(<r) / r) of the particles, r at least the softening",
      "sod_halo_max_cir_vel"},
     offsetof(weft_so_properties, vmax)},
    {{"rmax", 1, HALOS_LENGTH, "distance of the particle where the velocity is vmax", NULL},
     offsetof(weft_so_properties, rmax)},
    {{"spin_bullock", 1, HALOS_NO_UNIT, "|J| / (sqrt(2) M V R) with V^2 = G M / R", NULL},
     offsetof(weft_so_properties, spin_bullock)},
    {{"concentration_vmax", 1, HALOS_NO_UNIT,
      "c of the NFW profile with that vmax; 0 where there is none", NULL},
     offsetof(weft_so_properties, concentration_vmax)},
    {{"concentration_r1", 1, HALOS_NO_UNIT,
      "c of the NFW profile with that mean distance; 0 where there is none", NULL},
     offsetof(weft_so_properties, concentration_r1)},
    {{"concentration_nfw", 1, HALOS_NO_UNIT,
      "c of the NFW profile that the particles are likeliest from; 0 where there is none",
      "sod_halo_cdelta"},
     offsetof(weft_so_properties, concentration_nfw)},
    {{"concentration_nfw_error", 1, HALOS_NO_UNIT, "standard error of concentration_nfw",
      "sod_halo_cdelta_error"},
     offsetof(weft_so_properties, concentration_nfw_error)},
    {{"half_mass_radius", 1, HALOS_LENGTH,
      "distance of the particle within which half the mass is", NULL},
     offsetof(weft_so_properties, half_mass_radius)},
    {{"shape", 3, HALOS_NO_UNIT,
      "c/a, b/a and triaxiality (a^2 - b^2) / (a^2 - c^2) of sum m x x^T; 0 below 20 "
      "particles",
      NULL},
     offsetof(weft_so_properties, shape)},
    {{"shape_axes", 9, HALOS_NO_UNIT, "unit vectors of a, b and c", "sod_halo_eigS"},
     offsetof(weft_so_properties, shape_axes)},
    {{"shape_reduced", 3, HALOS_NO_UNIT, "the same of sum m x x^T / r^2", NULL},
     offsetof(weft_so_properties, shape_reduced)},
    {{"shape_reduced_axes", 9, HALOS_NO_UNIT, "unit vectors of its a, b and c",
      "sod_halo_eigR"},
     offsetof(weft_so_properties, shape_reduced_axes)},
    {{"velocity_dispersion_tensor", 6, HALOS_VELOCITY2,
      "xx yy zz xy xz yz of sum m (v - mean v) (v - mean v)^T / M, without Hubble flow",
      NULL},
     offsetof(weft_so_properties, velocity_dispersion_tensor)},
    {{"offset_position", 1, HALOS_NO_UNIT, "|center of mass - center| / R", NULL},
     offsetof(weft_so_properties, offset_position)},
    {{"offset_velocity", 1, HALOS_NO_UNIT,
      "|mean v - v of the center's particle| / V with V^2 = G M / R", NULL},
     offsetof(weft_so_properties, offset_velocity)},
    {{"kinetic_energy", 1, HALOS_ENERGY,
      "sum m u^2 / 2, u from the mean velocity and with the Hubble flow", "sod_halo_ke"},
     offsetof(weft_so_properties, kinetic_energy)},
    {{"potential_energy", 1, HALOS_ENERGY,
      "sum m phi / 2 of the sphere's particles, phi at 256 of them where there are more",
      NULL},
     offsetof(weft_so_properties, potential_energy)},
    {{"bound_fraction", 1, HALOS_NO_UNIT, "share of the mass with u^2 / 2 + phi < 0", NULL},
     offsetof(weft_so_properties, bound_fraction)},
    {{"spin_peebles", 1, HALOS_NO_UNIT, "|J| sqrt(|E|) / (G M^(5/2))", NULL},
     offsetof(weft_so_properties, spin_peebles)},
    {{"angular_momentum", 3, HALOS_SPIN,
      "J = sum m x cross (v - mean v), x from the center", "sod_halo_angmom"},
     offsetof(weft_so_properties, angular_momentum)},
    {{"center_of_mass_", 3, HALOS_LENGTH, "center of mass, wrapped into the box",
      "sod_halo_com"},
     offsetof(weft_so_properties, center_of_mass)},
    {{"velocity_", 3, HALOS_VELOCITY, "mean peculiar velocity", "sod_halo_mean_v"},
     offsetof(weft_so_properties, velocity)},
};
enum { ROWS = sizeof rows / sizeof *rows };
_Static_assert((int)ROWS + 4 < (int)HALOS_SO_INSIDE, "room for the texts of the columns");

/* The row's column, whose texts the run keeps. */
static struct halos_column name(struct halos_run *run, int row,
                                const struct halos_column *of) {
    char threshold[sizeof run->so.thresholds[0].name];
    char *text = run->so.inside_name[row], *about = run->so.inside_about[row];
    const size_t length = strlen(of->name);
    struct halos_column column = *of;
    memcpy(threshold, run->so.thresholds[run->so.within].name, sizeof threshold);
    snprintf(text, sizeof run->so.inside_name[row], "%s%s", of->name,
             of->name[length - 1] == '_' ? threshold : "");
    snprintf(about, sizeof run->so.inside_about[row], "%s; inside %s", of->description,
             threshold);
    column.name = text;
    column.description = about;
    if (strcmp(threshold, "200c") != 0)
        column.hacc = NULL;
    return column;
}

/* One dimension's dispersion, from the tensor. */
static void add_dispersion(struct halos_run *run, weft_array tensor) {
    static const struct halos_column like = {
        "velocity_dispersion_", 1, HALOS_VELOCITY,
        "sqrt(sum m |v - mean v|^2 / (3 sum m)), without Hubble flow",
        "sod_halo_1D_vel_disp"};
    const int64_t n = tensor.length / 6;
    const struct halos_column column = name(run, ROWS, &like);
    double *six = halos_allocate(run, 6 * n, sizeof *six);
    double *one = halos_allocate(run, n, sizeof *one);
    if (six && one && weft_read(run->device, tensor, six) == WEFT_OK) {
        for (int64_t h = 0; h < n; ++h)
            one[h] = sqrt((six[6 * h] + six[6 * h + 1] + six[6 * h + 2]) / 3);
        halos_keep_column(run, &column, CATALOGUE_F64, one);
        one = NULL;
    }
    free(six);
    free(one);
}

double inside_reach(const struct halos_run *run) {
    const double profiles = run->options.profiles ? inside_edge() : 0;
    return run->options.shapes ? fmax(2, profiles) : profiles;
}

/* Shapes by iterated ellipsoids. */
static void add_shapes(struct halos_run *run, const struct spheres *spheres) {
    static const struct halos_column columns[] = {
        {"shape_iterated", 3, HALOS_NO_UNIT,
         "c/a, b/a and triaxiality of the ellipsoid of the sphere's volume whose own sum "
         "m x x^T has its axes; 0 where there is none",
         NULL},
        {"shape_iterated_axes", 9, HALOS_NO_UNIT, "unit vectors of its a, b and c", NULL},
        {"shape_iterated_reduced", 3, HALOS_NO_UNIT,
         "the same by sum m x x^T / r_ell^2, r_ell constant on its surface", NULL},
        {"shape_iterated_reduced_axes", 9, HALOS_NO_UNIT, "unit vectors of its a, b and c",
         NULL},
    };
    const int64_t n = spheres->found.centers;
    weft_so_shapes found;
    weft_so_shapes_measure(
        run->device, &spheres->bodies, &spheres->around, &spheres->options,
        weft_slice(run->device, spheres->found.radius, run->so.within * n, n), &found);
    const weft_array numbers[] = {found.shape, found.axes, found.reduced,
                                  found.reduced_axes};
    for (int k = 0; k < 4 && weft_check(run->device) == WEFT_OK; ++k) {
        const struct halos_column column = name(run, ROWS + 1 + k, &columns[k]);
        halos_add_column(run, &column, numbers[k]);
    }
    weft_so_shapes_free(run->device, &found);
}

void inside_measure(struct halos_run *run, const struct spheres *spheres) {
    weft_device *device = run->device;
    weft_bodies bodies = spheres->bodies;
    const weft_so_measures measures = {
        .threshold = run->so.within,
        .gravity = run->so.gravity,
        .hubble = run->so.hubble,
        .softening = run->options.softening > 0 ? run->options.softening : 0};
    weft_so_properties found;
    weft_profiles profiles = {0};
    weft_synchronize(device);
    timings_end(&run->timings, TIMINGS_SO, 0);
    bodies.velocity = halos_lend(run, SNAPSHOT_VELOCITIES);
    halos_show(run, run->options.profiles ? "inside spherical overdensities, profiles"
                                          : "inside spherical overdensities");
    if (run->options.profiles) {
        const weft_profiles_options shells = inside_shells(run);
        weft_so_measure_both(device, &bodies, &spheres->around, &spheres->options,
                             &spheres->found, &measures, &shells, &found, &profiles);
    } else {
        weft_so_measure(device, &bodies, &spheres->around, &spheres->options,
                        &spheres->found, &measures, &found);
    }
    halos_take_back(run, bodies.velocity);
    halos_release_velocities(run);
    for (int k = 0; k < ROWS && weft_check(device) == WEFT_OK; ++k) {
        const weft_array numbers =
            *(const weft_array *)((const char *)&found + rows[k].numbers);
        const struct halos_column column = name(run, k, &rows[k].column);
        if (numbers.type)
            halos_add_column(run, &column, numbers);
    }
    if (weft_check(device) == WEFT_OK && found.velocity_dispersion_tensor.type)
        add_dispersion(run, found.velocity_dispersion_tensor);
    if (run->options.shapes && weft_check(device) == WEFT_OK)
        add_shapes(run, spheres);
    if (run->options.profiles && weft_check(device) == WEFT_OK)
        inside_keep_profiles(run, &profiles);
    weft_profiles_free(device, &profiles);
    weft_so_properties_free(device, &found);
}
