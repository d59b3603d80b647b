/* The most bound of the particles near the deepest point of a potential on a grid. */
#include "centers.h"

#include <string.h>
#include <weft/poisson.h>

enum { KEY_GRID = 512, KEY_BOUNDARY };

static const struct argp_option list[] = {
    {"poisson-grid", KEY_GRID, "N", 0,
     "points of the grid for poisson along each axis (default: 7, 15, 31 or 63, by the "
     "number of members)",
     2},
    {"poisson-boundary", KEY_BOUNDARY, "KIND", 0,
     "boundary of the grid for poisson: zero (no potential there) or open (empty space "
     "around it) (default: zero)",
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
    case ARGP_KEY_END:
        if (options->poisson_grid && !found)
            argp_error(state, "--poisson-grid is for the center poisson");
        if (options->poisson_boundary && !found)
            argp_error(state, "--poisson-boundary is for the center poisson");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {.options = list, .parser = parse};

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
