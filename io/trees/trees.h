/* Merger trees as HDF5, as GADGET-4 lays them out and ytree reads them.
 *
 * /TreeHalos has the columns, tree by tree; in a tree the root comes first. /TreeTable has
 * Length, StartOffset and TreeID of each tree, /TreeTimes Redshift and Time (the scale
 * factor) of each snapshot, /Parameters the attributes BoxSize, HubbleParam, Omega0 and
 * OmegaLambda, /Header the numbers of halos and trees. Integers are i64, others f64. All
 * columns carry `unit` and `description`. The same trees are the same bytes. */
#ifndef WEFT_IO_TREES_H
#define WEFT_IO_TREES_H

#include "io/files/error.h"

struct trees_column {
    const char *name, *unit, *description;
    int components; /* 1 or 3 */
    bool whole;     /* i64, else f64 */
    const void *data;
};

struct trees {
    const char *weft_version, *command, *kind; /* of what they are: halos or subhalos */
    const char *length_unit, *mass_unit;
    double box, h, omega_matter, omega_lambda; /* 0 where they are not known */
    int64_t snapshots;
    const double *redshift, *scale_factor; /* NaN where they are not known */
    int64_t n_trees, n_halos;
    const int64_t *length, *start; /* of each tree */
    int n_columns;
    const struct trees_column *columns;
};

/* The file appears whole or not at all. Errors: all that can befall a file. Scratch of 8
 * bytes a tree. */
bool trees_write(const char *path, const struct trees *trees, struct io_error *error);

#endif
