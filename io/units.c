#include "units.h"

#include <stddef.h>

const struct io_unit io_lengths[] = {
    {"Mpc", 3.0856775814913673e24},
    {"kpc", 3.0856775814913673e21},
    {"pc", 3.0856775814913673e18},
    {NULL, 0},
};

const struct io_unit io_masses[] = {
    {"1e10 Msun", 1.98841e43},
    {"Msun", 1.98841e33},
    {NULL, 0},
};
