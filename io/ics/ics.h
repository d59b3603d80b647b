/* Writes initial conditions as SWIFT's HDF5: comoving Mpc, 1e10 Msun and peculiar km/s,
 * without h; PartType1 alone. The same conditions are the same bytes. */
#ifndef WEFT_IO_ICS_H
#define WEFT_IO_ICS_H

#include "io/files/error.h"

struct ics {
    int64_t n; /* particles; their ids are 0 .. n - 1 */
    double box, redshift, mass;
    double h, omega_matter, omega_lambda, omega_baryon;
    const double *position; /* [n][3] */
    const float *velocity;  /* [n][3] */
    const char *command, *weft_version;
};

/* The file appears whole or not at all. Errors: all that can befall a file. Scratch of 8
 * bytes a particle. */
bool ics_write(const char *path, const struct ics *ics, struct io_error *error);

#endif
