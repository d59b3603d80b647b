#include "cli/assume/assume.h"
#include "power.h"
#include "cli/launch/devices.h"

#include <string.h>

enum { KEY_GRID = 256 + 64, KEY_WINDOW, KEY_PLAIN, KEY_DENSITY };
enum { MOST = 1 << 14 /* points an axis */ };

const char *const power_windows[4] = {"ngp", "cic", "tsc", "pcs"};

static const struct argp_option list[] = {
    {.doc = "What is computed:", .group = 1},
    {"grid", KEY_GRID, "N", 0,
     "points of the mesh along each axis: even, a product of 2, 3, 5 and 7 (default: the "
     "least such number of at least twice the cube root of the number of particles)",
     1},
    {"window", KEY_WINDOW, "NAME", 0,
     "how particles are spread over the mesh: ngp, cic, tsc or pcs (default: pcs)", 1},
    {"no-interlacing", KEY_PLAIN, NULL, 0, "use one mesh, not two half a point apart", 1},
    {"density", KEY_DENSITY, "FILE", 0,
     "of a density that weft sheet wrote, in place of a snapshot", 1},
    {.doc = "What is written:", .group = 3},
    {"output", 'o', "POWER", 0,
     "write the spectrum as CSV, - for standard output (default: STEM.power.csv here, STEM "
     "the name of what is read; FOLDER/ for that in a folder)",
     3},
    {0},
};

static weft_mesh_window read_window(struct argp_state *state, const char *text) {
    for (int k = 0; k < 4; ++k) {
        if (strcmp(text, power_windows[k]) == 0)
            return (weft_mesh_window)(k + 1);
    }
    argp_error(state, "--window: '%s' is not ngp, cic, tsc or pcs", text);
    return WEFT_MESH_PCS;
}

static void check(struct argp_state *state, const struct power_options *options) {
    if (options->snapshot == NULL && options->density == NULL)
        argp_error(state, "a snapshot is missing");
    if (options->snapshot && options->density)
        argp_error(state, "--density and a snapshot exclude each other");
    if (options->density && (options->grid || options->window || options->plain))
        argp_error(state, "--density excludes --grid, --window and --no-interlacing");
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct power_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &options->shared;
        return 0;
    case KEY_GRID:
        options->grid = options_integer(state, "--grid", text, 2);
        if (options->grid > MOST)
            argp_error(state, "--grid: '%s' is above %d", text, MOST);
        return 0;
    case KEY_WINDOW:
        options->window = read_window(state, text);
        return 0;
    case KEY_PLAIN:
        options->plain = true;
        return 0;
    case KEY_DENSITY:
        options->density = text;
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
        check(state, options);
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
    .args_doc = "SNAPSHOT\n--density DENSITY",
    .doc = "Computes the power spectrum of the particles of a periodic box, or of a "
           "density on a grid. The window of the mesh is divided out; shot noise is told, "
           "and not subtracted.",
    .children = children,
};

void power_parse(int argc, char **argv, struct power_options *options) {
    options_parse(&argp, argc, argv, options);
}
