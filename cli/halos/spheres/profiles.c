#include "inside.h"
#include "cli/halos/halos.h"

#include <math.h>
#include <weft/profiles.h>

/* 20 shells between 10^-2.5 and 10^0.25 R, and what is inside. */
enum { BINS = HALOS_PROFILE_BINS };
static const double lowest = -2.5, highest = 0.25;

void inside_edges(double *edge) {
    for (int b = 0; b < BINS; ++b)
        edge[b] = pow(10, lowest + b * (highest - lowest) / (BINS - 1));
}

static void set_edges(struct halos_run *run, weft_profiles_options *how) {
    how->bins = BINS;
    how->edge[0] = 0;
    inside_edges(how->edge + 1);
    for (int b = 0; b <= BINS; ++b)
        run->profile_edge[b] = how->edge[b];
}

double inside_edge(void) {
    return pow(10, highest);
}

/* Adds columns to those of the profiles. */
static void add_columns(struct halos_run *run, const weft_profiles *found) {
    static const struct halos_column columns[] = {
        {"count", BINS, HALOS_NO_UNIT,
         "particles from edge[b] R on to before edge[b + 1] R", NULL},
        {"mass", BINS, HALOS_MASS, "their mass", NULL},
        {"density", BINS, HALOS_DENSITY, "mass over the volume of the shell", NULL},
        {"radial_velocity", BINS, HALOS_VELOCITY,
         "their mean velocity outward, relative to the sphere's, without Hubble flow",
         NULL},
        {"velocity_dispersion", BINS, HALOS_VELOCITY,
         "sqrt(sum m |v - mean v|^2 / (3 sum m)) of the shell", NULL},
    };
    const weft_array numbers[] = {found->count, found->mass, found->density,
                                  found->radial_velocity, found->velocity_dispersion};
    const struct halos_columns halos = run->columns;
    run->columns = run->profiles;
    for (int k = 0; k < 5 && weft_check(run->device) == WEFT_OK; ++k) {
        if (numbers[k].type)
            halos_add_column(run, &columns[k], numbers[k]);
    }
    run->profiles = run->columns;
    run->columns = halos;
}

void inside_profile(struct halos_run *run, const struct spheres *spheres,
                    const weft_bodies *bodies, weft_array velocity) {
    const int64_t n = spheres->found.centers;
    weft_profiles_options how = {
        .radius = weft_slice(run->device, spheres->found.radius, run->so.within * n, n),
        .velocity = velocity};
    weft_profiles found;
    set_edges(run, &how);
    halos_show(run, "profiles");
    weft_profiles_measure(run->device, bodies, &spheres->around, &spheres->options, &how,
                          &found);
    add_columns(run, &found);
    weft_profiles_free(run->device, &found);
}
