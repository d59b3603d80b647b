#include "cli/outputs/outputs.h"
#include "link.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_HALOS = 256 + 64, KEY_FORMAT, KEY_PLOT };

static const struct argp_option list[] = {
    {.doc = "What is linked:", .group = 1},
    {"halos", KEY_HALOS, NULL, 0, "halos, also where the catalogues have subhalos", 1},
    {.doc = "What is written:", .group = 3},
    {"output", 'o', "TREES", 0,
     "write the trees as HDF5, in GADGET-4's layout (default: trees.hdf5 here); of lists "
     "the folder (default: this one)",
     3},
    {"format", KEY_FORMAT, "NAME", 0,
     "gadget (the default); or rockstar: out_0.list and on, a list a snapshot", 3},
    {"plot", KEY_PLOT, "FILE.png", 0,
     "draw the histories of the ten largest (needs gnuplot)", 3},
    {0},
};

static void add(struct argp_state *state, struct link_options *options, char *path) {
    char **longer =
        realloc(options->paths, ((size_t)options->count + 1) * sizeof *options->paths);
    if (longer == NULL)
        argp_failure(state, 1, 0, "out of memory: the names of catalogues");
    options->paths = longer;
    options->paths[options->count++] = path;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct link_options *options = state->input;
    struct io_error error;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &options->shared;
        return 0;
    case KEY_HALOS:
        options->halos = true;
        return 0;
    case KEY_FORMAT:
        options->lists = strcmp(text, "rockstar") == 0;
        if (!options->lists && strcmp(text, "gadget") != 0)
            argp_error(state, "--format %s: neither gadget nor rockstar", text);
        return 0;
    case KEY_PLOT:
        options->plot = text;
        return 0;
    case 'o':
        options->output = text;
        return 0;
    case ARGP_KEY_ARG:
        add(state, options, text);
        return 0;
    case ARGP_KEY_END:
        if (options->count == 0)
            argp_error(state, "catalogues are missing: two at least, in order of time");
        if (options->count == 1)
            argp_error(state, "'%s' is one catalogue: links need two at least",
                       options->paths[0]);
        if (options->lists && options->output && !options->output[0])
            argp_error(state, "--output: the name of the folder is empty");
        if ((!options->lists &&
             !outputs_named("--output", options->output, "HDF5", &error)) ||
            !outputs_picture_named("--plot", options->plot, &error))
            argp_error(state, "%s", error.text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{.argp = &shared_argp}, {0}};
static const struct argp argp = {
    .options = list,
    .parser = parse,
    .args_doc = "CATALOGUE CATALOGUE...",
    .doc = "Links the halos or subhalos of several snapshots, in order of time, by the "
           "particles that they share, and writes their merger trees. The catalogues are "
           "those that weft halos writes with members.",
    .children = children,
};

void link_parse(int argc, char **argv, struct link_options *options) {
    options_parse(&argp, argc, argv, options);
}
