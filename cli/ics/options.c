#include "ics.h"
#include "io/convert/convert.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <weft/fourier.h>

enum {
    KEY_N = 256 + 64,
    KEY_BOX,
    KEY_Z,
    KEY_SEED,
    KEY_POWER,
    KEY_TRANSFER,
    KEY_OMEGA_M,
    KEY_OMEGA_B,
    KEY_H,
    KEY_N_S,
    KEY_SIGMA8,
    KEY_ORDER,
    KEY_FIXED,
};
enum { MOST = 1 << 12 /* particles an axis */ };
static const double SMALLEST = 1e-9, LARGEST = 1e9; /* boxes */
static const double EARLIEST = 1e6;                 /* as weft_cosmology_at has it */

static const struct argp_option list[] = {
    {.doc = "What is made:", .group = 1},
    {"n", KEY_N, "N", 0, "particles along each axis: even, a product of 2, 3, 5 and 7", 1},
    {"box", KEY_BOX, "L", 0, "side of the periodic box in comoving Mpc, without h", 1},
    {"z", KEY_Z, "Z", 0, "redshift (default: 49)", 1},
    {"seed", KEY_SEED, "S", 0,
     "number of the universe: the same has the same modes at any N (default: 1)", 1},
    {"fixed", KEY_FIXED, NULL, 0, "modes of exactly the mean power, with random phases", 1},
    {"order", KEY_ORDER, "1|2", 0, "of displacements: Zel'dovich's, or 2LPT (default: 2)",
     1},
    {.doc = "The universe, which is flat:", .group = 2},
    {"power", KEY_POWER, "TABLE", 0,
     "linear power spectrum at z = 0: k in 1/Mpc and P in Mpc^3, a line each", 2},
    {"transfer", KEY_TRANSFER, "NAME", 0,
     "in place of a table a formula: eh98, Eisenstein and Hu's without oscillations (the "
     "default)",
     2},
    {"omega-m", KEY_OMEGA_M, "X", 0, "matter (default: 0.31)", 2},
    {"omega-b", KEY_OMEGA_B, "X", 0, "baryons, a part of it (default: 0.049)", 2},
    {"h", KEY_H, "X", 0, "H0 in 100 km/s/Mpc (default: 0.68)", 2},
    {"n-s", KEY_N_S, "X", 0, "spectral index (default: 0.967)", 2},
    {"sigma8", KEY_SIGMA8, "X", 0,
     "fluctuations in spheres of 8 Mpc/h today (default: 0.81, or as the table has it)", 2},
    {.doc = "What is written:", .group = 3},
    {"output", 'o', "ICS", 0, "write them as SWIFT's HDF5 (default: ics.hdf5 here)", 3},
    {0},
};

static uint64_t read_seed(struct argp_state *state, const char *text) {
    char *end;
    errno = 0;
    const unsigned long long seed = strtoull(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || strchr(text, '-'))
        argp_error(state, "--seed: '%s' is not a whole number of 0 to 2^64 - 1", text);
    return seed;
}

static bool parse_universe(int key, char *text, struct argp_state *state,
                           struct ics_options *o) {
    switch (key) {
    case KEY_POWER:
        o->table = text;
        return true;
    case KEY_TRANSFER:
        if (strcmp(text, "eh98") != 0)
            argp_error(state, "--transfer: '%s' is not eh98", text);
        o->of_formula = "--transfer";
        return true;
    case KEY_OMEGA_M:
        o->omega_matter = options_number(state, "--omega-m", text, 0);
        return true;
    case KEY_OMEGA_B:
        o->omega_baryon = options_number(state, "--omega-b", text, 0);
        return true;
    case KEY_H:
        o->h = options_number(state, "--h", text, 0);
        return true;
    case KEY_N_S:
        o->n_s = options_number(state, "--n-s", text, 0);
        o->of_formula = "--n-s";
        return true;
    case KEY_SIGMA8:
        o->sigma8 = options_number(state, "--sigma8", text, 0);
        return true;
    default:
        return false;
    }
}

struct ics_options ics_options_default(void) {
    return (struct ics_options){.output = "ics.hdf5",
                                .seed = 1,
                                .box = NAN,
                                .redshift = 49,
                                .h = 0.68,
                                .omega_matter = 0.31,
                                .omega_baryon = 0.049,
                                .n_s = 0.967,
                                .sigma8 = NAN,
                                .order = 2};
}

bool ics_options_agree(struct ics_options *o, struct io_error *error) {
    const struct {
        const char *name;
        double value, most;
    } positive[] = {{"box", o->box, LARGEST},
                    {"omega-m", o->omega_matter, 1},
                    {"omega-b", o->omega_baryon, 1},
                    {"h", o->h, 10},
                    {"n-s", o->n_s, 3},
                    {"sigma8", isnan(o->sigma8) ? 1 : o->sigma8, 100}};
    if (o->n == 0 || isnan(o->box))
        return io_fail(error, "--%s is missing", o->n == 0 ? "n" : "box");
    for (size_t k = 0; k < sizeof positive / sizeof *positive; ++k)
        if (!(positive[k].value > 0 && positive[k].value <= positive[k].most))
            return io_fail(error, "--%s: %g is not above 0 and at most %g",
                           positive[k].name, positive[k].value, positive[k].most);
    if (o->box < SMALLEST)
        return io_fail(error, "--box: %g is below %g", o->box, SMALLEST);
    if (o->table && o->of_formula)
        return io_fail(error,
                       "--power gives a table in place of the formula: it excludes %s",
                       o->of_formula);
    if (!(o->redshift >= 0 && o->redshift <= EARLIEST))
        return io_fail(error, "--z: %g is not a number from 0 to %g", o->redshift,
                       EARLIEST);
    if (o->omega_baryon >= o->omega_matter)
        return io_fail(error, "--omega-b: %g is not below that of matter, %g",
                       o->omega_baryon, o->omega_matter);
    if (o->order < 1 || o->order > 2)
        return io_fail(error, "--order: %" PRId64 " is not 1 or 2", o->order);
    if (o->n > MOST || weft_fourier_side(o->n) != o->n)
        return io_fail(error,
                       "--n: %" PRId64 " is no even product of 2, 3, 5 and 7 up to %d",
                       o->n, MOST);
    const char *ending = o->output ? convert_ending(o->output) : NULL;
    if (ending && convert_by_path(o->output) != CONVERT_HDF5)
        return io_fail(
            error,
            "--output: '%s' would be HDF5: name it .hdf5, and let weft convert make "
            "%s of it",
            o->output, ending);
    if (isnan(o->sigma8))
        o->sigma8 = o->table || o->k ? 0 : 0.81;
    return true;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct ics_options *options = state->input;
    struct io_error error;
    if (parse_universe(key, text, state, options))
        return 0;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[1] = &options->shared;
        return 0;
    case KEY_N:
        options->n = options_integer(state, "--n", text, 2);
        return 0;
    case KEY_BOX:
        options->box = options_number(state, "--box", text, 0);
        return 0;
    case KEY_Z:
        options->redshift = options_number(state, "--z", text, 0);
        return 0;
    case KEY_SEED:
        options->seed = read_seed(state, text);
        return 0;
    case KEY_ORDER:
        options->order = options_integer(state, "--order", text, 1);
        return 0;
    case KEY_FIXED:
        options->fixed = true;
        return 0;
    case 'o':
        options->output = text;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is one argument too many", text);
        return 0;
    case ARGP_KEY_END:
        if (!ics_options_agree(options, &error))
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
    .args_doc = "--n N --box L",
    .doc = "Makes initial conditions of a simulation of dark matter: particles of a "
           "lattice, displaced by Gaussian modes in first and second order.",
    .children = children,
};

void ics_parse(int argc, char **argv, struct ics_options *options) {
    options_parse(&argp, argc, argv, options);
}
