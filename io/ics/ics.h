/* Particles of a simulation as SWIFT's HDF5: comoving Mpc, 1e10 Msun and peculiar km/s,
 * without h; PartType1 alone. The same particles are the same bytes. */
#ifndef WEFT_IO_ICS_H
#define WEFT_IO_ICS_H

#include "io/files/output.h"

/* Arrays of particles, which are pulled a piece at a time. */
enum ics_array { ICS_POSITIONS, ICS_VELOCITIES, ICS_IDS, ICS_MASSES, ICS_ARRAYS };
enum { ICS_PIECE = 1 << 16 };

/* More to know of a file: numbers, whose name is a literal. */
struct ics_note {
    const char *name;
    int64_t n; /* 1 and above */
    const double *values;
};

struct ics {
    int64_t n; /* particles */
    double box, redshift, mass;
    double h, omega_matter, omega_lambda, omega_baryon;
    int velocity_bytes;  /* of a number: 4 or 8 */
    const char *command; /* NULL: left out */
    const char *weft_version;
    const struct ics_note *notes; /* [n_notes], attributes of the group Weft */
    int n_notes;
};

/* Puts rows first .. first + count, at most ICS_PIECE, into `out`: positions f64 [3],
 * velocities [3] of their width, ids i64; masses are never asked for. Returns false and a
 * sentence where it cannot. */
typedef bool ics_rows(void *context, enum ics_array array, int64_t first, int64_t count,
                      void *out, struct io_error *error);

/* The file appears whole or not at all. Errors: all that can befall a file, and what `rows`
 * says. Scratch: a piece of positions. */
bool ics_write(const char *path, const struct ics *ics, ics_rows *rows, void *context,
               struct io_error *error);

/* The same in parts, by processes that each write some of the particles into a file that
 * one of them lays out: where in it the arrays begin. */
struct ics_place {
    int descriptor;
    int64_t at[ICS_ARRAYS];
};

/* The file has its size, and all but the particles. */
bool ics_lay_out(struct io_output *output, const struct ics *ics, struct ics_place *place,
                 struct io_error *error);

/* Writes particles first .. first + count; `path` is for the sentence. */
bool ics_put(const char *path, const struct ics_place *place, const struct ics *ics,
             int64_t first, int64_t count, ics_rows *rows, void *context,
             struct io_error *error);

/* Reads the note of that name of such a file into `values` [most], and how many there are
 * into *n, which is 0 where the file has none. Errors: more than `most`, not numbers. */
bool ics_read_note(const char *path, const char *name, int64_t most, double *values,
                   int64_t *n, struct io_error *error);

#endif
