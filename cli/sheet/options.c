#include "cli/assume/assume.h"
#include "sheet.h"
#include "cli/launch/devices.h"
#include "cli/outputs/outputs.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEY_GRID = 256 + 64,
    KEY_TESSELLATION,
    KEY_LATTICE,
    KEY_FIELDS,
    KEY_PROJECT,
    KEY_SAMPLES,
    KEY_PLOT,
    KEY_HALOS,
    KEY_MEMORY_LIMIT,
    KEY_REFINE,
    KEY_XDMF
};
enum {
    MOST = 1 << 20, /* cells an axis; points a tetrahedron */
    DEEPEST = 14
};

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
    {"fields", KEY_FIELDS, "LIST", 0,
     "what of each cell: mass, streams, velocity, dispersion, with commas between "
     "(default: "
     "mass)",
     1},
    {"project", KEY_PROJECT, "AXIS", 0,
     "mass in columns of cells along x, y or z alone, without the cells", 1},
    {"samples", KEY_SAMPLES, "M", 0,
     "a preview: M points in place of each tetrahedron; told is how far it is off", 1},
    {"refine", KEY_REFINE, "LEVELS[,M]", 0,
     "patches of 64^3 cells in place of one grid; one with more than M tetrahedra gets "
     "eight "
     "finer ones, LEVELS times at most (default of M: 262144, one a cell)",
     1},
    {.doc = "What is written:", .group = 3},
    {"output", 'o', "DENSITY", 0,
     "write the densities as HDF5 (default: STEM.sheet.hdf5 here, STEM the snapshot's "
     "name; FOLDER/ for that in a folder)",
     3},
    {"xdmf", KEY_XDMF, NULL, 0, "also write DENSITY.xdmf, with which ParaView opens it", 3},
    {"plot", KEY_PLOT, "FILE.png", 0, "draw the projected density (needs gnuplot)", 3},
    {"halos", KEY_HALOS, "CATALOGUE", 0, "draw these halos on it", 3},
    {.doc = "More cells than memory holds:", .group = 5},
    {"memory-limit", KEY_MEMORY_LIMIT, "SIZE", 0,
     "use at most SIZE bytes for particles and cells (K, M, G, T: powers of 1024), and "
     "compute some planes of cells at a time (default: no limit)",
     5},
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

static unsigned read_fields(struct argp_state *state, const char *text) {
    static const char *const names[DENSITY_FIELDS] = {"mass", "streams", "velocity",
                                                      "dispersion"};
    unsigned fields = 0;
    for (const char *at = text;; ++at) {
        const size_t length = strcspn(at, ",");
        int field = 0;
        while (field < DENSITY_FIELDS &&
               !(strlen(names[field]) == length && strncmp(at, names[field], length) == 0))
            ++field;
        if (field == DENSITY_FIELDS)
            argp_error(state,
                       "--fields: '%.*s' is not mass, streams, velocity or dispersion",
                       (int)length, at);
        fields |= 1u << field;
        at += length;
        if (*at == '\0')
            return fields;
    }
}

/* LEVELS, or LEVELS,M. */
static void read_refine(struct argp_state *state, const char *text,
                        struct sheet_options *options) {
    char *end;
    const long long levels = strtoll(text, &end, 10);
    bool good = end != text && levels >= 1 && levels <= DEEPEST;
    options->levels = good ? (int)levels : 0;
    options->crowded = DENSITY_PATCH_CELLS;
    if (good && *end == ',') {
        const char *at = end + 1;
        options->crowded = strtoll(at, &end, 10);
        good = end != at && options->crowded >= 0;
    }
    if (!good || *end != '\0')
        argp_error(state,
                   "--refine: '%s' is not a whole number of levels, 1 to %d, or that "
                   "and a number of tetrahedra",
                   text, DEEPEST);
}

/* What patches are of. */
static void check_refine(const struct sheet_options *options, struct argp_state *state) {
    if (options->project >= 0 || options->samples > 0 ||
        options->fields != 1u << DENSITY_MASS)
        argp_error(state, "--refine: there is nothing but --fields mass in patches");
    for (int k = 0; k < 3; ++k) {
        if (options->grid[k] % DENSITY_PATCH != 0)
            argp_error(state, "--refine: --grid is %lld, not a multiple of %d",
                       (long long)options->grid[k], DENSITY_PATCH);
        if (options->grid[k] << options->levels > MOST)
            argp_error(state, "--refine: more than %d cells along an axis", MOST);
    }
}

static void check(const struct sheet_options *options, struct argp_state *state) {
    struct io_error error;
    const int64_t *grid = options->grid;
    if (options->snapshot == NULL)
        argp_error(state, "a snapshot is missing");
    if (grid[0] == 0)
        argp_error(state, "--grid is missing");
    if ((double)grid[0] * (double)grid[1] * (double)grid[2] > 0x1p40)
        argp_error(state, "--grid: more than 2^40 cells");
    if (options->project >= 0 && options->fields != 1u << DENSITY_MASS)
        argp_error(state, "--project: there is nothing but --fields mass in columns");
    if (options->samples > 0 &&
        (options->project >= 0 || options->fields != 1u << DENSITY_MASS))
        argp_error(state, "--samples: a preview has nothing but --fields mass in cells");
    if (options->levels > 0)
        check_refine(options, state);
    if (options->xdmf && options->project >= 0)
        argp_error(state, "--xdmf: a projection has no cells");
    if (options->halos && options->plot == NULL)
        argp_error(state, "--halos needs --plot");
    if (!outputs_named("--output", options->output, "HDF5", &error) ||
        !outputs_picture_named("--plot", options->plot, &error))
        argp_error(state, "%s", error.text);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct sheet_options *options = state->input;
    int64_t samples;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &options->shared;
        options->fields = 1u << DENSITY_MASS;
        options->project = -1;
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
    case KEY_FIELDS:
        options->fields = read_fields(state, text);
        return 0;
    case KEY_PROJECT:
        if (text[0] < 'x' || text[0] > 'z' || text[1] != '\0')
            argp_error(state, "--project: '%s' is not x, y or z", text);
        options->project = text[0] - 'x';
        return 0;
    case KEY_SAMPLES:
        samples = options_integer(state, "--samples", text, 1);
        if (samples > MOST)
            argp_error(state, "--samples: %s is more than %d", text, MOST);
        options->samples = (int)samples;
        return 0;
    case KEY_REFINE:
        read_refine(state, text, options);
        return 0;
    case KEY_XDMF:
        options->xdmf = true;
        return 0;
    case KEY_PLOT:
        options->plot = text;
        return 0;
    case KEY_HALOS:
        options->halos = text;
        return 0;
    case KEY_MEMORY_LIMIT:
        options->memory_limit = options_size(state, "--memory-limit", text);
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
        check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {
    {.argp = &devices_argp}, {.argp = &assume_argp}, {0}};
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
