#include "cli/assume/assume.h"
#include "options.h"
#include "cli/halos/batch/names.h"
#include "cli/halos/centers/centers.h"
#include "cli/launch/devices.h"
#include "cli/outputs/outputs.h"
#include "cli/range.h"
#include "io/files/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_ABSOLUTE = 256 + 64,
    KEY_MIN_MEMBERS,
    KEY_MIN_FRIENDS,
    KEY_PERIODIC,
    KEY_NO_PERIODIC,
    KEY_BOX,
    KEY_CENTERS,
    KEY_SOFTENING,
    KEY_SO,
    KEY_PROPERTIES,
    KEY_PROFILES,
    KEY_SHAPES,
    KEY_MEMBERS,
    KEY_SUBHALOS,
    KEY_LABELS,
    KEY_PLOT,
    KEY_PLOT_HALO,
    KEY_XDMF,
    KEY_MEMORY_LIMIT,
    KEY_COMMENTS,
    KEY_REGION,
    KEY_RESUME,
    KEY_SUMMARY,
    KEY_TYPES,
};

static const struct argp_option list[] = {
    {.doc = "What a halo is:", .group = 1},
    {"linking-length", 'b', "B", 0,
     "in units of the mean separation, (box volume / particles)^(1/3) (default: 0.2)", 1},
    {"linking-length-absolute", KEY_ABSOLUTE, "L", 0,
     "in the snapshot's unit of length, instead", 1},
    {"min-members", KEY_MIN_MEMBERS, "N", 0, "smallest halo that is kept (default: 20)", 1},
    {"min-friends", KEY_MIN_FRIENDS, "F", 0,
     "leave out particles with fewer than F others within the linking length (default: 0)",
     1},
    {"periodic", KEY_PERIODIC, "xyz", OPTION_ARG_OPTIONAL,
     "treat these axes of the box as periodic, all three if none is named (default: what "
     "the file says)",
     1},
    {"no-periodic", KEY_NO_PERIODIC, NULL, 0, "treat no axis as periodic", 1},
    {"box", KEY_BOX, "L[,L,L]", 0, "size of the box, for a file without one", 1},
    {"region", KEY_REGION, "X0:X1,Y0:Y1,Z0:Z1", 0,
     "work on the particles there alone, : for a whole axis; on a periodic axis a range "
     "may "
     "go through the box's face",
     1},
    {"types", KEY_TYPES, "LIST", 0,
     "types of particles to read, separated by commas: 1, 2 and 3 are dark matter, linked "
     "together; 0 (gas), 4 (stars) and 5 (black holes) are attached to the halo of their "
     "nearest particle of dark matter within the linking length (default: 1)",
     1},
    {.doc = "Centers:", .group = 2},
    {"centers", KEY_CENTERS, "LIST", 0,
     "centers to find: %s or none, separated by commas (default: mbp)", 2},
    {"softening", KEY_SOFTENING, "E", 0,
     "Plummer softening of the potential for %s, in the snapshot's unit of "
     "length (default: 0)",
     2},
    {"so", KEY_SO, "LIST", 0,
     "spherical overdensities to find around the most bound particle, of all particles: "
     "vir, NUMBERc and NUMBERm (times the critical and the mean density), separated by "
     "commas, or none (default: vir,200m,200c,500c,2500c where the file tells its "
     "cosmology, units and masses)",
     2},
    {"properties", KEY_PROPERTIES, "NAME", OPTION_ARG_OPTIONAL,
     "measure what is inside the spheres of that one of --so: circular velocities, "
     "concentrations, spins, shapes, motions; or none (default: 200c where it is found)",
     2},
    {"profiles", KEY_PROFILES, NULL, 0,
     "also write the profiles around those spheres, in 21 shells out to 1.78 R", 2},
    {"shapes", KEY_SHAPES, NULL, 0,
     "also measure shapes by iterated ellipsoids of the volume of those spheres", 2},
    {.doc = "What is written:", .group = 3},
    {"output", 'o', "CATALOGUE", 0,
     "the catalogue, as CSV if the name ends in .csv, as GenericIO with HACC's columns if "
     "it ends in .gio, else as HDF5; -: CSV on standard output, and nothing else there "
     "(default: STEM.halos.hdf5 in the current folder). {} stands for STEM, the snapshot's "
     "name without folder and ending; FOLDER/ for FOLDER/STEM.halos.hdf5",
     3},
    {"members", KEY_MEMBERS, NULL, 0,
     "also write the particle ids of each halo, and with --centers mcp how many friends "
     "each particle has (HDF5 only)",
     3},
    {"subhalos", KEY_SUBHALOS, NULL, 0,
     "also find subhalos, the clumps in halos of 50 and more particles that are bound, and "
     "with --members the particle ids of each, the most bound first (HDF5 only)",
     3},
    {"comments", KEY_COMMENTS, NULL, 0,
     "begin a CSV catalogue with lines of # that tell units, box and cosmology", 3},
    {"xdmf", KEY_XDMF, NULL, 0,
     "also write CATALOGUE.xdmf, with which ParaView opens an HDF5 catalogue", 3},
    {"labels", KEY_LABELS, "FILE", 0,
     "write the tag of each particle's halo, -1 outside halos, in input order, as .npy or "
     ".csv if the name ends so, else as raw little-endian int64; -: on standard output",
     3},
    {"plot", KEY_PLOT, "FILE.png", 0,
     "draw the projected density with the halos on it, and the halo mass function (needs "
     "gnuplot)",
     3},
    {"plot-halo", KEY_PLOT_HALO, "TAG FILE.png", 0,
     "draw the halo of that tag: its members, the radii of its spheres, its density by "
     "radius and the NFW profile (needs gnuplot)",
     3},
    {.doc = "Several snapshots, whose files have {} in their names:", .group = 4},
    {"resume", KEY_RESUME, NULL, 0,
     "leave out snapshots whose catalogue is there, whole, no older than they, and of the "
     "same options (HDF5 only)",
     4},
    {"summary", KEY_SUMMARY, "FILE.json", 0,
     "write what became of each snapshot: files, status, halos, particles, seconds, "
     "message",
     4},
    {.doc = "More particles than a device holds:", .group = 5},
    {"memory-limit", KEY_MEMORY_LIMIT, "SIZE", 0,
     "use at most SIZE bytes of the device's memory (K, M, G, T: powers of 1024), and "
     "process the particles in pieces (default: no limit)",
     5},
    {0},
};

static void set_periodic(struct halos_options *options, const bool wrap[3],
                         struct argp_state *state) {
    for (int axis = 0; axis < 3; ++axis) {
        if (options->periodic_given && options->periodic[axis] != wrap[axis])
            argp_error(state, "--periodic and --no-periodic contradict each other");
        options->periodic[axis] = wrap[axis];
    }
    options->periodic_given = true;
}

static void parse_periodic(struct halos_options *options, const char *axes,
                           struct argp_state *state) {
    bool wrap[3] = {axes == NULL, axes == NULL, axes == NULL};
    for (const char *axis = axes; axis && *axis; ++axis) {
        if (strchr("xyz", *axis) == NULL || wrap[*axis - 'x'])
            argp_error(state,
                       "--periodic: '%s' is not made of x, y and z, each at most once",
                       axes);
        wrap[*axis - 'x'] = true;
    }
    if (axes && *axes == '\0')
        argp_error(state, "--periodic=: an axis of xyz is missing");
    set_periodic(options, wrap, state);
}

static void parse_box(struct halos_options *options, const char *text,
                      struct argp_state *state) {
    range_box(state, text, options->box);
    if (!(options->box[0] > 0 && options->box[1] > 0 && options->box[2] > 0))
        argp_error(state, "--box: '%s' is not one or three sizes above 0", text);
}

/* Names the centers in the help. */
static char *complete(int key, const char *text, void *input) {
    (void)input;
    char names[256], whole[512];
    if (key != KEY_CENTERS && key != KEY_SOFTENING)
        return (char *)(uintptr_t)text;
    centers_names(key == KEY_SOFTENING, key == KEY_SOFTENING ? " and " : ", ", names);
    snprintf(whole, sizeof whole, text, names);
    return strdup(whole);
}

bool halos_options_agree(const struct halos_options *options, struct io_error *error) {
    char names[256];
    centers_names(true, " and ", names);
    if (options->linking_length >= 0 && options->linking_length_absolute >= 0)
        return io_fail(error, "--linking-length and --linking-length-absolute exclude each "
                              "other");
    if (options->softening >= 0 && !centers_softened(options->centers) &&
        !options->subhalos)
        return io_fail(error, "--softening is for the centers %s, and for --subhalos",
                       names);
    return halos_so_agree(options, error);
}

static void check(struct halos_options *options, struct argp_state *state) {
    struct io_error error;
    if (options->n_snapshots == 0)
        argp_error(state, "a snapshot is missing");
    if (!halos_names_are_snapshots(options, &error))
        argp_error(state, "%s", error.text);
    if (!halos_options_agree(options, &error))
        argp_error(state, "%s", error.text);
    const char *plot = options->plot ? "--plot" : options->plot_halo ? "--plot-halo" : NULL;
    if (options->region.given && plot)
        argp_error(state, "%s and --region exclude each other", plot);
    if (plot && options->memory_limit)
        argp_error(state, "%s and --memory-limit exclude each other", plot);
    const char *output = options->output;
    const bool hdf5 =
        output == NULL || !(strcmp(output, "-") == 0 || io_ends_in(output, ".csv") ||
                            io_ends_in(output, ".gio"));
    if (options->members && !hdf5)
        argp_error(state, "--members needs an HDF5 catalogue, not CSV or GenericIO");
    if (options->profiles && !hdf5)
        argp_error(state, "--profiles needs an HDF5 catalogue, not CSV or GenericIO");
    if (options->subhalos && !hdf5)
        argp_error(state, "--subhalos needs an HDF5 catalogue, not CSV or GenericIO");
    if (options->resume && !hdf5)
        argp_error(state, "--resume needs an HDF5 catalogue, which tells its options");
    if (!halos_names_are_several(options, &error))
        argp_error(state, "%s", error.text);
    if (options->xdmf && !hdf5)
        argp_error(state, "--xdmf needs an HDF5 catalogue, not CSV or GenericIO");
    if (options->comments && (hdf5 || io_ends_in(output, ".gio")))
        argp_error(state, "--comments needs a CSV catalogue, not HDF5 or GenericIO");
    if ((hdf5 && !outputs_named("--output", output, "HDF5", &error)) ||
        !outputs_labels_named("--labels", options->labels, &error) ||
        !outputs_picture_named("--plot", options->plot, &error) ||
        !outputs_picture_named("--plot-halo", options->plot_halo, &error))
        argp_error(state, "%s", error.text);
}

/* Two words: a tag, and the name of a file. */
static void parse_plot_halo(struct halos_options *options, const char *tag,
                            struct argp_state *state) {
    const char *name = state->next < state->argc ? state->argv[state->next] : NULL;
    if (options->plot_halo)
        argp_error(state, "--plot-halo is given twice: one halo is drawn in a call");
    options->plot_tag = options_integer(state, "--plot-halo", tag, 0);
    if (name == NULL || (name[0] == '-' && name[1] != '\0'))
        argp_error(state,
                   "--plot-halo: after the tag '%s' the name of the picture is missing",
                   tag);
    options->plot_halo = name;
    state->next++;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct halos_options *options = state->input;
    struct io_error error;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &options->shared; /* after those of --help */
        for (int k = 0, n = 2; centers[k]; ++k) {
            if (centers[k]->options)
                state->child_inputs[n++] = options;
        }
        return 0;
    case 'b':
        options->linking_length = options_number(state, "--linking-length", text, 0);
        return 0;
    case KEY_ABSOLUTE:
        options->linking_length_absolute =
            range_option(state, "--linking-length-absolute", text);
        return 0;
    case KEY_MIN_MEMBERS:
        options->min_members = options_integer(state, "--min-members", text, 1);
        return 0;
    case KEY_MIN_FRIENDS:
        options->min_friends = options_integer(state, "--min-friends", text, 0);
        return 0;
    case KEY_PERIODIC:
        parse_periodic(options, text, state);
        return 0;
    case KEY_NO_PERIODIC:
        set_periodic(options, (const bool[3]){false, false, false}, state);
        return 0;
    case KEY_BOX:
        parse_box(options, text, state);
        return 0;
    case KEY_CENTERS:
        if (!options->centers_given)
            options->centers = 0;
        if (!centers_parse(text, &options->centers, &error))
            argp_error(state, "--centers: %s", error.text);
        options->centers_given = true;
        return 0;
    case KEY_SO:
        if (!halos_so_parse(text, &options->so, &error))
            argp_error(state, "--so: %s", error.text);
        options->so_given = true;
        return 0;
    case KEY_PROPERTIES:
        options->properties = text ? text : "200c";
        if (!halos_so_is_name(options->properties) &&
            strcmp(options->properties, "none") != 0)
            argp_error(state,
                       "--properties: '%s' is not vir, a number and c (critical) or m "
                       "(mean), or none",
                       text);
        return 0;
    case KEY_PROFILES:
        options->profiles = true;
        return 0;
    case KEY_SHAPES:
        options->shapes = true;
        return 0;
    case KEY_SOFTENING:
        options->softening = range_option(state, "--softening", text);
        return 0;
    case KEY_MEMBERS:
        options->members = true;
        return 0;
    case KEY_SUBHALOS:
        options->subhalos = true;
        return 0;
    case KEY_COMMENTS:
        options->comments = true;
        return 0;
    case KEY_XDMF:
        options->xdmf = true;
        return 0;
    case KEY_LABELS:
        options->labels = text;
        return 0;
    case KEY_MEMORY_LIMIT:
        options->memory_limit = options_size(state, "--memory-limit", text);
        return 0;
    case KEY_PLOT:
        options->plot = text;
        return 0;
    case KEY_PLOT_HALO:
        parse_plot_halo(options, text, state);
        return 0;
    case 'o':
        options->output = text;
        return 0;
    case KEY_REGION:
        if (!region_parse(text, &options->region, &error))
            argp_error(state, "--region: %s", error.text);
        return 0;
    case KEY_RESUME:
        options->resume = true;
        return 0;
    case KEY_SUMMARY:
        options->summary = text;
        return 0;
    case KEY_TYPES:
        if (!types_parse(text, &options->types, &error))
            argp_error(state, "--types: %s", error.text);
        return 0;
    case ARGP_KEY_ARGS:
        options->snapshots = state->argv + state->next;
        options->n_snapshots = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

struct halos_options halos_options_default(void) {
    return (struct halos_options){
        .linking_length = -1,
        .linking_length_absolute = -1,
        .min_members = 20,
        .softening = -1,
        .centers = CENTERS_DEFAULT,
        .types = {.n_linked = 1, .linked = {1}},
    };
}

void halos_options_parse(struct halos_options *options, int argc, char **argv) {
    struct argp_child children[CENTERS_MOST + 3] = {{.argp = &devices_argp}};
    const struct argp argp = {
        .options = list,
        .parser = parse,
        .args_doc = "SNAPSHOT...",
        .doc = "Finds the friends-of-friends halos of the dark matter in each "
               "snapshot, and writes a catalogue of them.",
        .children = children,
        .help_filter = complete,
    };
    int n = 1;
    for (int k = 0; centers[k]; ++k) {
        if (centers[k]->options)
            children[n++].argp = centers[k]->options;
    }
    children[n].argp = &assume_argp;
    *options = halos_options_default();
    options_parse(&argp, argc, argv, options);
}
