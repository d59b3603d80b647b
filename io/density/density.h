/* Writes densities on a grid as HDF5, and reads them.
 *
 * /mass_units, int64 [nx][ny][nz], x slowest: the mass in each cell, in units of which the
 * attribute units_per_tetrahedron tells how many a tetrahedron has and the attribute
 * tetrahedra how many of those there are; all cells together have exactly the product.
 * /density, float64 of the same shape: the same in units of the mean density. Both carry
 * `unit` and `description`. /header has the attributes that a catalogue's has, where they
 * mean something, and `grid`, `lattice`, `tessellation`. The same densities are the same
 * bytes. */
#ifndef WEFT_IO_DENSITY_H
#define WEFT_IO_DENSITY_H

#include "io/files/error.h"

/* Texts that are NULL are written empty. */
struct density_header {
    const char *weft_version, *backend, *device;
    int64_t n_particles;
    double box[3];
    double redshift;                      /* NaN where it is not known */
    double scale_factor;                  /* 1 where it is not known */
    double h, omega_matter, omega_lambda; /* 0 where they are not known */
    const char *length_unit, *mass_unit;
    double particle_mass;
    int64_t lattice[3];
    const char *tessellation;
    const char *source_file, *command;
};

struct density {
    struct density_header header;
    int64_t grid[3];
    const int64_t *units; /* [grid[0]][grid[1]][grid[2]] */
    int64_t units_per_tetrahedron, tetrahedra;
};

/* The file appears whole or not at all. Errors: all that can befall a file. Scratch for one
 * plane of cells. */
bool density_write(const char *path, const struct density *density, struct io_error *error);

/* What is read back; values are i64 where `whole`, else f64, for free(). */
struct density_grid {
    int64_t grid[3];
    double box[3];
    char length_unit[32];
    bool whole;
    void *values; /* [grid[0]][grid[1]][grid[2]] */
};

/* Reads /mass_units, or /density where there are none, and the box. Errors: the file's, by
 * name; on failure there is nothing to free. */
bool density_read(const char *path, struct density_grid *density, struct io_error *error);

#endif
