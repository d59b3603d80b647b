#include "sheet.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_GRID = 256 + 64, KEY_TESSELLATION, KEY_LATTICE };
enum { MOST = 1 << 20 }; /* cells an axis */

const char *const sheet_tessellations[3] = {"abel", "kuhn", "mean"};

static const struct argp_option list[] = {
    {.doc = "What is computed:", .group = 1},
    {"grid", KEY_GRID, "N[,N,N]", 0, "cells of the box along each axis", 1},
    {"tessellation", KEY_TESSELLATION, "NAME", 0,
     "how a cube of the lattice is cut into tetrahedra: abel, kuhn, or mean, that of kuhn "
     "around all four diagonals (default: abel)",
     1},
    {"lattice", KEY_LATTICE, "N,N,N", 0,
     "particles along the axes of the lattice that they began on, in the order of their "
     "ids, the last running fastest (default: as many along each)",
     1},
    {.doc = "What is written:", .group = 3},
    {"output", 'o', "DENSITY", 0,
     "write the densities as HDF5 (default: STEM.sheet.hdf5 here, STEM the snapshot's "
     "name)",
     3},
    {0},
};

/* One whole number for all axes, if that is allowed, or three. */
static void read_sizes(struct argp_state *state, const char *option, const char *text,
                       bool one_does, int64_t sizes[3]) {
    const char *at = text;
    int count = 0;
    bool good = true;
    for (bool more = true; more && good && count < 3; ++count) {
        char *end;
        sizes[count] = strtoll(at, &end, 10);
        good = end != at && sizes[count] >= 1 && sizes[count] <= MOST;
        more = *end == ',';
        at = more ? end + 1 : end;
    }
    if (!good || *at != '\0' || at[-1] == ',' || !(count == 3 || (count == 1 && one_does)))
        argp_error(state, "%s: '%s' is not %s whole numbers of 1 to %d", option, text,
                   one_does ? "one or three" : "three", MOST);
    if (count == 1)
        sizes[1] = sizes[2] = sizes[0];
}

static weft_tessellation read_tessellation(struct argp_state *state, const char *text) {
    for (int k = 0; k < 3; ++k) {
        if (strcmp(text, sheet_tessellations[k]) == 0)
            return (weft_tessellation)k;
    }
    argp_error(state, "--tessellation: '%s' is not abel, kuhn or mean", text);
    return WEFT_TESSELLATION_ABEL;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct sheet_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &options->shared;
        return 0;
    case KEY_GRID:
        read_sizes(state, "--grid", text, true, options->grid);
        return 0;
    case KEY_LATTICE:
        read_sizes(state, "--lattice", text, false, options->lattice);
        return 0;
    case KEY_TESSELLATION:
        options->tessellation = read_tessellation(state, text);
        return 0;
    case 'o':
        options->output = text;
        return 0;
    case ARGP_KEY_ARG:
        if (options->snapshot)
            argp_error(state, "one snapshot at a time: '%s' is one too many", text);
        options->snapshot = text;
        return 0;
    case ARGP_KEY_END:
        if (options->snapshot == NULL)
            argp_error(state, "a snapshot is missing");
        if (options->grid[0] == 0)
            argp_error(state, "--grid is missing");
        if ((double)options->grid[0] * (double)options->grid[1] * (double)options->grid[2] >
            0x1p40)
            argp_error(state, "--grid: more than 2^40 cells");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{.argp = &shared_argp}, {0}};
static const struct argp argp = {
    .options = list,
    .parser = parse,
    .args_doc = "SNAPSHOT",
    .doc = "Computes densities of the dark-matter sheet: the particles began on a lattice, "
           "whose cubes, cut into tetrahedra of equal mass, move with them. Each cell gets "
           "the mass of tetrahedra in it exactly, up to one unit of fixed point.",
    .children = children,
};

void sheet_parse(int argc, char **argv, struct sheet_options *options) {
    options_parse(&argp, argc, argv, options);
}
