/* --assume: what files do not tell. */
#include "assume.h"
#include "io/assumed/assumed.h"

enum { KEY_ASSUME = 256 + 512 };

static const struct argp_option list[] = {
    {.doc = "What a file does not tell:", .group = 7},
    {"assume", KEY_ASSUME, "LIST", 0,
     "NAME=VALUE, separated by commas: length and mass (units: Mpc, kpc or pc; Msun or "
     "1e10Msun; each with or without /h), redshift, h, omega_m, omega_lambda (1 - omega_m "
     "where it is not named), box (the side of a periodic cube), particle (the mass of "
     "each, where there are none)",
     7},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    struct io_error error;
    if (key != KEY_ASSUME)
        return ARGP_ERR_UNKNOWN;
    if (!snapshot_assume(text, &error))
        argp_error(state, "--assume: %s", error.text);
    return 0;
}

const struct argp assume_argp = {.options = list, .parser = parse};
