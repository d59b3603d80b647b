/* The most bound of the particles near the deepest point of a potential on a grid. */
#include "centers.h"

#include <string.h>
#include <weft/poisson.h>

enum { KEY_GRID = 512, KEY_BOUNDARY, KEY_PROVE };

static const struct argp_option list[] = {
    {"poisson-grid", KEY_GRID, "N", 0,
     "points of the grid for poisson along each axis (default: 7, 15, 31 or 63, by the "
     "number of members)",
     2},
    {"poisson-boundary", KEY_BOUNDARY, "KIND", 0,
     "boundary of the grid for poisson: zero (no potential there) or open (empty space "
     "around it) (default: zero)",
     2},
    {"poisson-prove", KEY_PROVE, 0, 0,
     "prove by bounds that the Poisson center is the most bound particle; where they leave "
     "others, take the most bound one",
     2},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct halos_options *options = state->input;
    const bool found = centers_contain(options->centers, "poisson");
    switch (key) {
    case KEY_GRID:
        options->poisson_grid =
            options_integer(state, "--poisson-grid", text, WEFT_POISSON_LEAST_GRID);
        if (options->poisson_grid > WEFT_POISSON_MOST_GRID)
            argp_error(state, "--poisson-grid: '%s' is more than %d", text,
                       WEFT_POISSON_MOST_GRID);
        return 0;
    case KEY_BOUNDARY:
        options->poisson_boundary = text;
        if (strcmp(text, "open") != 0 && strcmp(text, "zero") != 0)
            argp_error(state, "--poisson-boundary: '%s' is neither open nor zero", text);
        return 0;
    case KEY_PROVE:
        options->poisson_prove = true;
        return 0;
    case ARGP_KEY_END:
        if (options->poisson_grid && !found)
            argp_error(state, "--poisson-grid is for the center poisson");
        if (options->poisson_boundary && !found)
            argp_error(state, "--poisson-boundary is for the center poisson");
        if (options->poisson_prove && !found)
            argp_error(state, "--poisson-prove is for the center poisson");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {.options = list, .parser = parse};

/* The most bound particle, and whether the grid and bounds have told it. */
static void prove(struct halos_run *run, const weft_bodies *bodies,
                  const weft_poisson_options *options, weft_array particle,
                  weft_array potential) {
    static const struct halos_column column = {
        "poisson_proven", 1, HALOS_NO_UNIT,
        "1: bounds prove that the Poisson center is the most bound particle; 0: they leave "
        "others, of all of which the most bound one is taken",
        NULL};
    const weft_array proven = weft_array_new(run->device, WEFT_U32, run->halos.count);
    weft_poisson_prove(run->device, bodies, options, &run->halos, particle, potential,
                       proven);
    halos_add_column(run, &column, proven);
    weft_array_free(run->device, proven);
}

static void find(struct halos_run *run, weft_array particle, weft_array potential) {
    const struct halos_options *asked = &run->options;
    const char *boundary = asked->poisson_boundary;
    const weft_poisson_options options = {
        .softening = asked->softening > 0 ? asked->softening : 0,
        .grid = asked->poisson_grid,
        .boundary = boundary && strcmp(boundary, "open") == 0 ? WEFT_POISSON_OPEN
                                                              : WEFT_POISSON_ZERO};
    const weft_array mass = halos_lend(run, SNAPSHOT_MASSES);
    const weft_bodies bodies = halos_bodies(run, mass);
    if (asked->poisson_prove)
        prove(run, &bodies, &options, particle, potential);
    else
        weft_poisson(run->device, &bodies, &options, &run->halos, particle, potential);
    halos_take_back(run, mass);
}

extern const struct center center_poisson;
const struct center center_poisson = {
    .name = "poisson",
    .columns = {{"poisson_id", 1, HALOS_NO_UNIT, "id of the particle at the Poisson center",
                 NULL},
                {"poisson_position", 3, HALOS_LENGTH,
                 "position of the particle at the Poisson center, as in the snapshot",
                 NULL},
                {"poisson_potential", 1, HALOS_POTENTIAL, centers_potential, NULL}},
    .number = WEFT_F64,
    .softened = true,
    .find = find,
    .options = &argp,
};
