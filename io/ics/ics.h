/* Particles of a simulation as SWIFT's HDF5: comoving Mpc, 1e10 Msun and peculiar km/s,
 * without h; PartType1 alone. The same particles are the same bytes. */
#ifndef WEFT_IO_ICS_H
#define WEFT_IO_ICS_H

#include "io/files/error.h"

/* More to know of a file: numbers, whose name is a literal. */
struct ics_note {
    const char *name;
    int64_t n; /* 1 and above */
    const double *values;
};

struct ics {
    int64_t n;         /* particles */
    const int64_t *id; /* [n]; NULL: 0 .. n - 1 */
    double box, redshift, mass;
    double h, omega_matter, omega_lambda, omega_baryon;
    const double *position; /* [n][3] */
    const void *velocity;   /* [n][3] */
    int velocity_bytes;     /* of a number: 4 or 8 */
    const char *command;    /* NULL: left out */
    const char *weft_version;
    const struct ics_note *notes; /* [n_notes], attributes of the group Weft */
    int n_notes;
};

/* The file appears whole or not at all. Errors: all that can befall a file. Scratch of 8
 * bytes a particle. */
bool ics_write(const char *path, const struct ics *ics, struct io_error *error);

/* Reads the note of that name of such a file into `values` [most], and how many there are
 * into *n, which is 0 where the file has none. Errors: more than `most`, not numbers. */
bool ics_read_note(const char *path, const char *name, int64_t most, double *values,
                   int64_t *n, struct io_error *error);

#endif
