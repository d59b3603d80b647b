#include "inside.h"
#include "cli/halos/halos.h"

#include <math.h>

/* 20 shells between 10^-2.5 and 10^0.25 R, and what is inside. */
enum { BINS = HALOS_PROFILE_BINS };
static const double lowest = -2.5, highest = 0.25;

void inside_edges(double *edge) {
    for (int b = 0; b < BINS; ++b)
        edge[b] = pow(10, lowest + b * (highest - lowest) / (BINS - 1));
}

weft_profiles_options inside_shells(struct halos_run *run) {
    weft_profiles_options how = {.bins = BINS};
    inside_edges(how.edge + 1);
    for (int b = 0; b <= BINS; ++b)
        run->profile_edge[b] = how.edge[b];
    return how;
}

double inside_edge(void) {
    return pow(10, highest);
}

void inside_keep_profiles(struct halos_run *run, const weft_profiles *found) {
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
