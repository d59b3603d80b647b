#include "cli/assume/assume.h"
#include "simulate.h"
#include "cli/launch/devices.h"
#include "io/convert/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/fourier.h>

enum {
    KEY_TO_Z = 256 + 64,
    KEY_STEPS,
    KEY_SUBSTEPS,
    KEY_MESH,
    KEY_SOFTENING,
    KEY_SNAPSHOTS,
    KEY_HALOS,
    KEY_POWER,
    KEY_GENERICIO,
    KEY_ENERGY,
    KEY_CHECKPOINT,
    KEY_SPLIT,
    KEY_RESTART,
    KEY_REVERSE,
};
enum { MOST_STEPS = 1000000, MOST_SUBSTEPS = 1000, MOST_MESH = 1 << 14 };
enum { MOST_REDSHIFTS = SIMULATE_STOPS / 2 - 1 };

static const struct argp_option list[] = {
    {.doc = "What is computed:", .group = 1},
    {"to-z", KEY_TO_Z, "Z", 0, "redshift to end at (default: 0)", 1},
    {"steps", KEY_STEPS, "N", 0,
     "steps of the force from the mesh, equal in ln a (default: 100)", 1},
    {"substeps", KEY_SUBSTEPS, "M", 0,
     "steps of the force from pairs in each of those (default: 5)", 1},
    {"mesh", KEY_MESH, "N", 0,
     "points of the mesh along each axis: even, a product of 2, 3, 5 and 7 (default: the "
     "least such number of at least twice the cube root of the number of particles)",
     1},
    {"softening", KEY_SOFTENING, "E", 0,
     "Plummer softening of the force in comoving Mpc, without h (default: 0.04 of the mean "
     "separation)",
     1},
    {"split", KEY_SPLIT, "NAME", 0,
     "how mesh and pairs share the force: ball, or hacc, as HACC has it, to compare "
     "(default: ball)",
     1},
    {"reverse", KEY_REVERSE, NULL, 0,
     "take back the steps that led to a snapshot or a checkpoint of weft simulate", 1},
    {.doc = "What is written:", .group = 3},
    {"output", 'o', "NAME", 0,
     "files are NAME_000.hdf5 and so on (default: the input's name without its ending); "
     "FOLDER/ for that name in a folder",
     3},
    {"snapshots", KEY_SNAPSHOTS, "Z,...", 0,
     "redshifts of snapshots, beside that at which the run ends", 3},
    {"halos", KEY_HALOS, "Z,...", 0,
     "redshifts of snapshots whose halos are found as well, as weft halos does it: "
     "NAME_000.halos.hdf5 and so on",
     3},
    {"power", KEY_POWER, NULL, 0,
     "the power spectrum of each snapshot as well, as weft power does it: "
     "NAME.power_000.csv and so on",
     3},
    {"genericio", KEY_GENERICIO, "N", OPTION_ARG_OPTIONAL,
     "each snapshot as GenericIO as well, as weft convert does it: NAME_000.gio and so on; "
     "in N files that this one tells of, NAME_000.gio#0 and so on (default: in one)",
     3},
    {"energy", KEY_ENERGY, "K", 0,
     "every K steps, and at the end, a row of NAME.energy.csv: energies and momentum "
     "(default: 1; 0: none)",
     3},
    {"checkpoint", KEY_CHECKPOINT, "K", 0,
     "every K steps write NAME.checkpoint.hdf5, from which --restart goes on", 3},
    {"restart", KEY_RESTART, NULL, 0,
     "go on from NAME.checkpoint.hdf5, if it is there, to the same bytes", 3},
    {0},
};

static int64_t read_count(struct argp_state *state, const char *option, const char *text,
                          int64_t least, int64_t most) {
    const int64_t count = options_integer(state, option, text, least);
    if (count > most)
        argp_error(state, "%s: '%s' is above %lld", option, text, (long long)most);
    return count;
}

static int read_redshifts(struct argp_state *state, const char *option, const char *text,
                          double *redshift) {
    const char *at = text;
    for (int n = 0;; ++at) {
        char *end;
        const double z = strtod(at, &end);
        if (end == at || (*end != ',' && *end != '\0') || !(z >= 0 && isfinite(z)))
            argp_error(state,
                       "%s: '%s' is not a list of redshifts of at least 0, with commas "
                       "between them",
                       option, text);
        if (n == MOST_REDSHIFTS)
            argp_error(state, "%s: there are more than %d redshifts", option,
                       MOST_REDSHIFTS);
        redshift[n++] = z;
        at = end;
        if (*end == '\0')
            return n;
    }
}

static void check(struct argp_state *state, struct simulate_options *options) {
    if (options->input == NULL)
        argp_error(state, "initial conditions are missing");
    if (options->reverse && options->planned)
        argp_error(
            state,
            "--reverse takes back the steps that its input tells: it excludes "
            "--to-z, --steps, --substeps, --mesh, --softening, --split, --snapshots, "
            "--halos, --power, --genericio, --energy, --checkpoint and --restart");
    if (options->mesh && weft_fourier_side(options->mesh) != options->mesh)
        argp_error(state,
                   "--mesh: %lld is no even product of 2, 3, 5 and 7: the next one is %lld",
                   (long long)options->mesh, (long long)weft_fourier_side(options->mesh));
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct simulate_options *options = state->input;
    options->planned |= key >= KEY_TO_Z && key < KEY_REVERSE;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &options->shared;
        return 0;
    case KEY_TO_Z:
        options->to_z = options_number(state, "--to-z", text, 0);
        return 0;
    case KEY_STEPS:
        options->steps = read_count(state, "--steps", text, 1, MOST_STEPS);
        return 0;
    case KEY_SUBSTEPS:
        options->substeps = read_count(state, "--substeps", text, 1, MOST_SUBSTEPS);
        return 0;
    case KEY_MESH:
        options->mesh = read_count(state, "--mesh", text, 8, MOST_MESH);
        return 0;
    case KEY_SOFTENING:
        options->softening = options_number(state, "--softening", text, 0);
        return 0;
    case KEY_SPLIT:
        if (strcmp(text, "ball") != 0 && strcmp(text, "hacc") != 0)
            argp_error(state, "--split: '%s' is neither ball nor hacc", text);
        options->split = text[0] == 'h' ? WEFT_GRAVITY_HACC : WEFT_GRAVITY_BALL;
        return 0;
    case KEY_SNAPSHOTS:
        options->n_snapshots =
            read_redshifts(state, "--snapshots", text, options->snapshot);
        return 0;
    case KEY_HALOS:
        options->n_halos = read_redshifts(state, "--halos", text, options->halos);
        return 0;
    case KEY_POWER:
        options->power = true;
        return 0;
    case KEY_GENERICIO:
        options->genericio =
            text ? (int)read_count(state, "--genericio", text, 1, SPLIT_MOST) : 1;
        return 0;
    case KEY_ENERGY:
        options->energy = read_count(state, "--energy", text, 0, MOST_STEPS);
        return 0;
    case KEY_CHECKPOINT:
        options->checkpoint = read_count(state, "--checkpoint", text, 1, MOST_STEPS);
        return 0;
    case KEY_RESTART:
        options->restart = true;
        return 0;
    case KEY_REVERSE:
        options->reverse = true;
        return 0;
    case 'o':
        if (text[0] == '\0')
            argp_error(state, "--output: the name is empty");
        if (strcmp(text, "-") == 0)
            argp_error(state, "--output: HDF5 needs files, not standard output");
        options->name = text;
        return 0;
    case ARGP_KEY_ARG:
        if (options->input)
            argp_error(state, "one file at a time: '%s' is one too many", text);
        options->input = text;
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
    .args_doc = "ICS",
    .doc = "Lets particles of a periodic cube fall together by their gravity, as the "
           "universe expands, and writes snapshots. All steps can be taken back, bit for "
           "bit.",
    .children = children,
};

void simulate_parse(int argc, char **argv, struct simulate_options *options) {
    *options = (struct simulate_options){
        .steps = 100, .substeps = 5, .energy = 1, .softening = NAN};
    options_parse(&argp, argc, argv, options);
}
